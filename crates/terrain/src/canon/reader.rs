//! Reading a canonical form back.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Hex, Hexside};

use super::Digest;

/// Reads what a [`Canon`](super::Canon) wrote, in the same order.
///
/// It reads what is there and checks no more than that. Whether the bytes are the canonical form of what
/// was read, its id tells: it is made of what was read, and must be the one that was asked for.
#[derive(Debug)]
pub struct CanonReader<'a>(&'a [u8]);

/// Bytes that are no canonical form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these bytes are no canonical form: {0}")]
pub struct CanonError(pub String);

/// Something that can be read from its canonical form.
pub trait FromCanonical: Sized {
    /// Reads the form.
    ///
    /// # Errors
    /// Bytes that are none.
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError>;
}

impl CanonError {
    /// What is wrong.
    pub fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

impl<'a> CanonReader<'a> {
    /// Starts to read a form of this domain.
    ///
    /// # Errors
    /// Bytes of another domain, or none.
    pub fn new(bytes: &'a [u8], domain: &str) -> Result<Self, CanonError> {
        let mut reader = Self(bytes);
        let found: String = reader.get()?;
        if found == domain {
            return Ok(reader);
        }
        Err(CanonError(format!("they are {found:?}, not {domain:?}")))
    }

    /// Reads anything.
    ///
    /// # Errors
    /// Where it is not there.
    pub fn get<T: FromCanonical>(&mut self) -> Result<T, CanonError> {
        T::read(self)
    }

    /// Ends: nothing may be left.
    ///
    /// # Errors
    /// Bytes behind the end.
    pub fn end(self) -> Result<(), CanonError> {
        match self.0.len() {
            0 => Ok(()),
            more => Err(CanonError(format!("{more} bytes are left behind the end"))),
        }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], CanonError> {
        let Some((taken, rest)) = self.0.split_at_checked(count) else {
            return Err(CanonError::new("they break off"));
        };
        self.0 = rest;
        Ok(taken)
    }

    /// How many items a list has. Each takes a byte at least, so no length asks for memory that
    /// the bytes do not back.
    fn len(&mut self) -> Result<usize, CanonError> {
        let len: u64 = self.get()?;
        match usize::try_from(len) {
            Ok(len) if len <= self.0.len() => Ok(len),
            _ => Err(CanonError::new("they break off within a list")),
        }
    }
}

impl FromCanonical for i64 {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        let bytes = reader.take(8)?;
        Ok(bytes
            .iter()
            .fold(0, |value, byte| value << 8 | i64::from(*byte)))
    }
}

macro_rules! narrower_ints {
    ($($int:ty)*) => {$(
        impl FromCanonical for $int {
            fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
                let value: i64 = reader.get()?;
                let narrow = value.try_into();
                narrow.map_err(|_| CanonError(format!("{value} is no {}", stringify!($int))))
            }
        }
    )*};
}
narrower_ints!(u8 i16 u16 i32 u32);

impl FromCanonical for u64 {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        let bytes = reader.take(8)?;
        Ok(bytes
            .iter()
            .fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }
}

impl FromCanonical for bool {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        match reader.get::<i64>()? {
            0 => Ok(false),
            1 => Ok(true),
            value => Err(CanonError(format!("{value} is neither yes nor no"))),
        }
    }
}

impl FromCanonical for String {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        let len = reader.len()?;
        let text = std::str::from_utf8(reader.take(len)?);
        text.map(Self::from)
            .map_err(|_| CanonError::new("a text is no UTF-8"))
    }
}

impl FromCanonical for Digest {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        let bytes = reader.take(32)?.try_into();
        bytes
            .map(Self)
            .map_err(|_| CanonError::new("an id breaks off"))
    }
}

impl<T: FromCanonical> FromCanonical for Option<T> {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        let present: bool = reader.get()?;
        present.then(|| reader.get()).transpose()
    }
}

impl<T: FromCanonical> FromCanonical for Vec<T> {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        (0..reader.len()?).map(|_| reader.get()).collect()
    }
}

impl<T: FromCanonical + Ord> FromCanonical for BTreeSet<T> {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        (0..reader.len()?).map(|_| reader.get()).collect()
    }
}

impl<K: FromCanonical + Ord, V: FromCanonical> FromCanonical for BTreeMap<K, V> {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        (0..reader.len()?).map(|_| reader.get()).collect()
    }
}

impl<A: FromCanonical, B: FromCanonical> FromCanonical for (A, B) {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        Ok((reader.get()?, reader.get()?))
    }
}

impl FromCanonical for Hex {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        Ok(Self::new(reader.get()?, reader.get()?))
    }
}

impl FromCanonical for Hexside {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        let hexes: Vec<Hex> = reader.get()?;
        let between = match hexes[..] {
            [one, other] => Self::between(one, other),
            _ => None,
        };
        between.ok_or_else(|| CanonError::new("a hexside is between two hexes"))
    }
}
