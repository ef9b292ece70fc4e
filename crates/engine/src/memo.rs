//! What terrain does to LOS between ordinary units, remembered.
//!
//! Whoever asks what somebody sees asks it again with the next counter that moved. What the map's terrain
//! does to the LOS between two hexes stays the same meanwhile, so it is asked once, and kept with the map.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use alamein_terrain::{EnvironmentCondition, GrazingPolicy, InShort};

/// On how large a map it is kept, in hexes: there it takes a megabyte for each policy.
const MOST: usize = 2048;

/// How many answers are in a byte.
const IN_A_BYTE: usize = 4;

type Bits = Box<[AtomicU8]>;

/// What holds for a line beside its ends.
const KINDS: usize = GrazingPolicy::ALL.len() * EnvironmentCondition::ALL.len();

/// For each policy, each EC and each two hexes what is known, in two bits.
#[derive(Debug)]
pub(crate) struct Memo {
    hexes: usize,
    kinds: [OnceLock<Box<[OnceLock<Bits>]>>; KINDS],
}

/// What is known of lines from one hex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'a>(&'a [AtomicU8]);

impl Memo {
    /// Nothing yet, of a map of so many hexes.
    pub(crate) fn new(hexes: usize) -> Self {
        Self {
            hexes,
            kinds: [const { OnceLock::new() }; KINDS],
        }
    }

    /// What is known of lines from the hex of this index; nothing where the map is too large for that.
    pub(crate) fn from(
        &self,
        hex: usize,
        policy: GrazingPolicy,
        ec: EnvironmentCondition,
    ) -> Option<Known<'_>> {
        if self.hexes > MOST {
            return None;
        }
        let policy = GrazingPolicy::ALL.iter().position(|it| *it == policy)?;
        let ec = EnvironmentCondition::ALL.iter().position(|it| *it == ec)?;
        let kind = self
            .kinds
            .get(policy * EnvironmentCondition::ALL.len() + ec)?;
        let rows = kind.get_or_init(|| (0..self.hexes).map(|_| OnceLock::new()).collect());
        let bytes = self.hexes.div_ceil(IN_A_BYTE);
        let none = || (0..bytes).map(|_| AtomicU8::new(0)).collect();
        Some(Known(rows.get(hex)?.get_or_init(none)))
    }
}

impl Known<'_> {
    /// What is known of the line to the hex of this index.
    pub(crate) fn get(self, hex: usize) -> Option<InShort> {
        let byte = self.0.get(hex / IN_A_BYTE)?.load(Relaxed);
        match byte >> (2 * (hex % IN_A_BYTE)) & 3 {
            1 => Some(InShort::Clear),
            2 => Some(InShort::Blocked),
            3 => Some(InShort::Ask),
            _ => None,
        }
    }

    /// Keeps it.
    pub(crate) fn set(self, hex: usize, short: InShort) {
        let bits = match short {
            InShort::Clear => 1,
            InShort::Blocked => 2,
            InShort::Ask | InShort::Hinders => 3,
        };
        if let Some(byte) = self.0.get(hex / IN_A_BYTE) {
            let shift = 2 * (hex % IN_A_BYTE);
            // Where it was to be asked, it is now known.
            let set = |byte: u8| Some(byte & !(3 << shift) | bits << shift);
            let _always = byte.fetch_update(Relaxed, Relaxed, set);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_one_line_says_nothing_of_another() {
        let memo = Memo::new(9);
        let (policy, dry) = (GrazingPolicy::Both, EnvironmentCondition::Dry);
        let told = [InShort::Clear, InShort::Blocked, InShort::Ask];
        for from in 0..9 {
            let known = memo.from(from, policy, dry).unwrap();
            for to in 0..9 {
                assert_eq!(known.get(to), None);
                known.set(to, told[(from + to) % 3]);
            }
        }
        for from in 0..9 {
            let known = memo.from(from, policy, dry).unwrap();
            for to in 0..9 {
                assert_eq!(known.get(to), Some(told[(from + to) % 3]));
            }
            let wet = memo.from(from, policy, EnvironmentCondition::Wet);
            let either = memo.from(from, GrazingPolicy::Either, dry);
            assert_eq!(wet.unwrap().get(0), None);
            assert_eq!(either.unwrap().get(0), None);
        }
    }

    #[test]
    fn of_a_map_that_is_too_large_nothing_is_kept() {
        let kept = |hexes, from| {
            let (policy, ec) = (GrazingPolicy::Both, EnvironmentCondition::Dry);
            Memo::new(hexes).from(from, policy, ec).is_some()
        };
        assert!(kept(MOST, MOST - 1));
        assert!(!kept(MOST, MOST), "it is off the map");
        assert!(!kept(MOST + 1, 0));
    }
}
