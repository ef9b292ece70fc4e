//! Bytes in memory, as what differs from others like them.
//!
//! Positions of a game differ by a counter or two, and there are many of them. Each is kept as what it
//! takes to make it of another one that is kept whole, the *base*, which it holds on to.

use std::collections::VecDeque;

use bytes::Bytes;
use lz4_flex::block::{compress_with_dict, decompress_with_dict};

/// How many bases are remembered, to find one for what comes next.
const BASES: usize = 32;
/// With how many of them it is tried.
const TRIES: usize = 4;
/// By what begins alike: in the canonical form of positions the domain and the map stand there.
const ALIKE: usize = 48;
/// Up to which part of it the difference may be; what differs by more is a base itself.
const PART: usize = 4;
/// By how many it is reckoned that a base is shared.
const SHARE: usize = 8;

/// Bytes, whole or as a difference.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    base: Option<Bytes>,
    /// All of it where there is no base.
    bytes: Bytes,
    len: usize,
}

impl Packed {
    /// These bytes, whole.
    pub(crate) fn whole(bytes: Bytes) -> Self {
        Self {
            base: None,
            len: bytes.len(),
            bytes,
        }
    }

    /// The bytes that were packed; nothing if they cannot be made again, which no packing brings about.
    pub(crate) fn bytes(&self) -> Option<Bytes> {
        let Some(base) = &self.base else {
            return Some(self.bytes.clone());
        };
        let made = decompress_with_dict(&self.bytes, self.len, base).ok()?;
        (made.len() == self.len).then(|| made.into())
    }

    /// How many bytes there are, unpacked.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How many bytes it takes in memory, with its share of its base: that may be held by it alone, so
    /// that what is bounded by this is bounded.
    pub(crate) fn takes(&self) -> usize {
        let share = self.base.as_ref().map_or(0, |base| base.len() / SHARE);
        self.bytes.len() + share
    }
}

/// Bases of late, the last one used first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bases(VecDeque<Bytes>);

impl Bases {
    /// Packs bytes as what differs from a base, if there is one like them.
    pub(crate) fn pack(&mut self, bytes: &Bytes) -> Packed {
        let alike = |base: &Bytes| bytes.get(..ALIKE).is_some_and(|it| base.starts_with(it));
        let like_it = self.0.iter().enumerate().filter(|(_, base)| alike(base));
        let packed = like_it.take(TRIES).find_map(|(at, base)| {
            let difference = compress_with_dict(bytes, base);
            let is_small = difference.len() <= bytes.len() / PART;
            is_small.then(|| (at, base.clone(), difference))
        });
        let Some((at, base, difference)) = packed else {
            if bytes.len() >= ALIKE {
                self.0.push_front(bytes.clone());
                self.0.truncate(BASES);
            }
            return Packed::whole(bytes.clone());
        };
        if let Some(used) = self.0.remove(at) {
            self.0.push_front(used);
        }
        Packed {
            base: Some(base),
            // Not a byte more than it has.
            bytes: difference.into_boxed_slice().into(),
            len: bytes.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Counters in their places, as a canonical form has them.
    fn position(places: &[u8]) -> Bytes {
        let head = [b'p'; ALIKE];
        let counters = places.iter().enumerate();
        let counters =
            counters.flat_map(|(at, place)| format!("counter-{at}:squad@{place};").into_bytes());
        head.into_iter().chain(counters).collect::<Vec<u8>>().into()
    }

    #[test]
    fn what_differs_by_one_counter_takes_little() {
        let mut bases = Bases::default();
        let mut places = vec![1; 60];
        let first = bases.pack(&position(&places));
        assert_eq!(first.takes(), position(&places).len());
        for moved in [3, 59, 0] {
            places[moved] += 1;
            let whole = position(&places);
            let packed = bases.pack(&whole);
            assert!(packed.takes() < 400, "{}", packed.takes());
            assert_eq!(
                (packed.bytes(), packed.len()),
                (Some(whole.clone()), whole.len())
            );
        }
    }

    #[test]
    fn two_games_on_a_map_do_not_drive_each_other_out() {
        let mut bases = Bases::default();
        let (one, other): (Vec<u8>, Vec<u8>) = ((0..60).collect(), (100..160).collect());
        bases.pack(&position(&one));
        let other_first = position(&other).to_vec();
        let other_first: Bytes = other_first
            .iter()
            .map(|byte| byte ^ u8::from(*byte > 60))
            .collect::<Vec<u8>>()
            .into();
        bases.pack(&other_first);
        for moved in 0..5 {
            let mut one = one.clone();
            one[moved] += 1;
            assert!(bases.pack(&position(&one)).takes() < 400);
            let next = [&other_first[..], b"more"].concat().into();
            assert!(bases.pack(&next).takes() < 400);
        }
    }

    proptest! {
        #[test]
        fn whatever_is_packed_comes_out_as_it_was(
            all in prop::collection::vec(prop::collection::vec(0u8..4, 0..300), 1..40),
            alike in any::<bool>(),
        ) {
            let mut bases = Bases::default();
            for bytes in all {
                let head: &[u8] = if alike { &[7; ALIKE] } else { &[] };
                let bytes: Bytes = [head, &bytes].concat().into();
                let packed = bases.pack(&bytes);
                prop_assert_eq!(packed.bytes(), Some(bytes));
            }
        }
    }
}
