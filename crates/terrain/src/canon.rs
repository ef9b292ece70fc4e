//! The canonical form: one byte string for one meaning.
//!
//! Ids are hashes of it, so it must never depend on protobuf, JSON, hash maps or the order in
//! which things were given. Whoever changes what is written here changes every id: bump the
//! version in the domain tag.

mod reader;

pub use reader::{CanonError, CanonReader, FromCanonical};

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::shared::Name;

/// A SHA-256 hash that names a position, a ruling or a ruleset.
///
/// ```
/// use alamein_terrain::Digest;
/// let id = Digest::of(b"abc");
/// assert!(id.to_string().starts_with("ba7816bf"));
/// assert_eq!(id.text(), id.to_string());
/// assert_eq!(id.to_string().parse::<Digest>().unwrap(), id);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The hash of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The hash that has these bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The raw 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// As it is displayed: 64 lower-case hexadecimal digits. Every ruling bears three of them, and a formatter
    /// takes several times as long.
    #[must_use]
    pub fn text(&self) -> String {
        let digits = self.digits().as_flattened().to_vec();
        // Digits are text.
        String::from_utf8(digits).unwrap_or_default()
    }

    fn digits(&self) -> [[u8; 2]; 32] {
        self.0.map(|byte| PAIRS[usize::from(byte)])
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.digits();
        f.write_str(std::str::from_utf8(digits.as_flattened()).map_err(|_| fmt::Error)?)
    }
}

/// The two digits of every byte.
const PAIRS: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [digits[byte >> 4], digits[byte & 0xf]];
        byte += 1;
    }
    pairs
};

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Digest {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "an id is 64 lower-case hexadecimal digits";
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| WRONG)?;
        let value = |digit: u8| match digit {
            b'0'..=b'9' => Ok(digit - b'0'),
            b'a'..=b'f' => Ok(digit - b'a' + 10),
            _ => Err(WRONG),
        };
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            if let [high, low] = *pair {
                *byte = value(high)? << 4 | value(low)?;
            }
        }
        Ok(Self(bytes))
    }
}

/// Writes a canonical form: numbers in fixed width, big-endian; text and lists with their length
/// before them; sets in their order.
#[derive(Debug, Default)]
pub struct Canon(Vec<u8>);

impl Canon {
    /// Starts a form with its domain tag, such as `alamein/position/1`.
    #[must_use]
    pub fn new(domain: &str) -> Self {
        let mut canon = Self::default();
        canon.text(domain);
        canon
    }

    /// Writes a number.
    pub fn int(&mut self, value: impl Into<i64>) -> &mut Self {
        self.0.extend_from_slice(&value.into().to_be_bytes());
        self
    }

    /// Writes a text, its length in bytes first.
    pub fn text(&mut self, value: &str) -> &mut Self {
        self.len(value.len());
        self.0.extend_from_slice(value.as_bytes());
        self
    }

    /// Writes a list, its length first.
    pub fn list<T: Canonical>(&mut self, items: impl ExactSizeIterator<Item = T>) -> &mut Self {
        self.len(items.len());
        for item in items {
            item.write(self);
        }
        self
    }

    /// Writes a value that may be absent.
    pub fn option<T: Canonical>(&mut self, value: Option<T>) -> &mut Self {
        match value {
            None => self.int(0),
            Some(value) => {
                self.int(1);
                value.write(self);
                self
            }
        }
    }

    /// Writes anything that has a canonical form.
    pub fn put(&mut self, value: impl Canonical) -> &mut Self {
        value.write(self);
        self
    }

    fn len(&mut self, len: usize) {
        self.0.extend_from_slice(&(len as u64).to_be_bytes());
    }

    /// The bytes written.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Forgets what was written, and keeps the memory for more.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The bytes written so far.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The hash of the bytes written.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.0)
    }
}

/// Something that has a canonical form.
pub trait Canonical {
    /// Writes the form.
    fn write(&self, canon: &mut Canon);
}

impl<T: Canonical + ?Sized> Canonical for &T {
    fn write(&self, canon: &mut Canon) {
        (**self).write(canon);
    }
}

impl<A: Canonical, B: Canonical> Canonical for (A, B) {
    fn write(&self, canon: &mut Canon) {
        self.0.write(canon);
        self.1.write(canon);
    }
}

impl Canonical for str {
    fn write(&self, canon: &mut Canon) {
        canon.text(self);
    }
}

impl Canonical for String {
    fn write(&self, canon: &mut Canon) {
        canon.text(self);
    }
}

impl Canonical for Name {
    fn write(&self, canon: &mut Canon) {
        canon.text(self);
    }
}

impl Canonical for Digest {
    fn write(&self, canon: &mut Canon) {
        canon.0.extend_from_slice(&self.0);
    }
}

impl Canonical for alamein_hex::Hex {
    fn write(&self, canon: &mut Canon) {
        canon.int(self.q).int(self.r);
    }
}

impl Canonical for alamein_hex::Hexside {
    fn write(&self, canon: &mut Canon) {
        canon.list(self.hexes().iter());
    }
}

macro_rules! canonical_ints {
    ($($int:ty)*) => {$(
        impl Canonical for $int {
            fn write(&self, canon: &mut Canon) {
                canon.int(i64::from(*self));
            }
        }
    )*};
}
canonical_ints!(bool u8 i16 u16 i32 u32 i64);

impl Canonical for u64 {
    fn write(&self, canon: &mut Canon) {
        // The same eight bytes, whatever they are taken for.
        canon.0.extend_from_slice(&self.to_be_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_written_and_read_in_64_digits() {
        let bytes: Vec<u8> = (0..32).map(|at| at * 8 + 7).collect();
        let id = Digest::from_bytes(bytes.try_into().unwrap());
        let text = id.to_string();
        assert!(
            text.starts_with("070f171f") && text.ends_with("eff7ff"),
            "{text}"
        );
        assert_eq!(text.parse::<Digest>(), Ok(id));
        for wrong in [
            &text[1..],
            &text.to_uppercase(),
            &text.replacen('0', "+", 1),
            "",
        ] {
            assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
        }
    }
}
