//! What terrain does to LOS between ordinary units, remembered.
//!
//! Whoever asks what somebody sees asks it again with the next counter that moved. What the map's terrain
//! does to the LOS between two hexes stays the same meanwhile, so it is asked once, and kept with the map.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use alamein_terrain::{EnvironmentCondition, GrazingPolicy, InShort};
use smallvec::SmallVec;

use crate::answers::Turned;

/// On how large a map it is kept, in hexes: there it takes a megabyte for each policy.
const MOST: usize = 2048;

/// How many answers are in a byte.
const IN_A_BYTE: usize = 4;

/// Of how many lines from one hex it is kept on what they turned.
const MOST_TURNED: usize = 256;

/// What is kept of the lines from one hex.
#[derive(Debug)]
struct Row {
    /// In two bits for each.
    bits: Box<[AtomicU8]>,
    /// What came of those that turned on something, and on what, in the order in which they came; and those
    /// on which terrain does more than the bits can say.
    turned: Mutex<Vec<(usize, InShort, Option<Turned>)>>,
}

/// On what a line turned: hardly ever on more than one thing.
pub(crate) type OnWhat = SmallVec<[Turned; 1]>;

/// What holds for a line beside its ends.
const KINDS: usize = GrazingPolicy::ALL.len() * EnvironmentCondition::ALL.len();

/// For each policy, each EC and each two hexes what is known.
#[derive(Debug)]
pub(crate) struct Memo {
    hexes: usize,
    kinds: [OnceLock<Box<[OnceLock<Row>]>>; KINDS],
}

/// What is known of lines from one hex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'a>(&'a Row);

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
        let none = || Row {
            bits: (0..bytes).map(|_| AtomicU8::new(0)).collect(),
            turned: Mutex::default(),
        };
        Some(Known(rows.get(hex)?.get_or_init(none)))
    }
}

impl<'a> Known<'a> {
    /// What is known of the line to the hex of this index.
    pub(crate) fn get(self, hex: usize) -> Option<InShort> {
        let byte = self.0.bits.get(hex / IN_A_BYTE)?.load(Relaxed);
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
        if let Some(byte) = self.0.bits.get(hex / IN_A_BYTE) {
            let shift = 2 * (hex % IN_A_BYTE);
            // Where it was to be asked, it is now known.
            let set = |byte: u8| Some(byte & !(3 << shift) | bits << shift);
            let _always = byte.fetch_update(Relaxed, Relaxed, set);
        }
    }

    /// What came of the line to the hex of this index, if it is kept on what it turned.
    pub(crate) fn ruled(self, hex: usize) -> Option<(InShort, OnWhat)> {
        let kept = self.turned();
        let of_it = kept.iter().filter(|(at, ..)| *at == hex);
        let short = of_it.clone().map(|(_, short, _)| *short).next()?;
        Some((short, of_it.filter_map(|(.., turned)| *turned).collect()))
    }

    /// Keeps on what the line to the hex of this index turned, or that it is always to be asked what comes of
    /// it, as long as there is room.
    pub(crate) fn rule(self, hex: usize, short: InShort, turned: &[Turned]) {
        let mut kept = self.turned();
        let is_known = kept.iter().any(|(at, ..)| *at == hex);
        if is_known || kept.len() + turned.len() > MOST_TURNED {
            return;
        }
        match turned {
            [] => kept.push((hex, short, None)),
            turned => kept.extend(turned.iter().map(|turned| (hex, short, Some(*turned)))),
        }
    }

    fn turned(self) -> MutexGuard<'a, Vec<(usize, InShort, Option<Turned>)>> {
        // Whoever panicked had not begun to change it.
        self.0.turned.lock().unwrap_or_else(PoisonError::into_inner)
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
    fn on_what_a_line_turned_is_kept_as_long_as_there_is_room() {
        let memo = Memo::new(400);
        let known = memo.from(0, GrazingPolicy::Both, EnvironmentCondition::Dry);
        let known = known.unwrap();
        let turned = |place| Turned::on(1, &finding(place));
        assert_eq!(known.ruled(7), None);
        known.rule(7, InShort::Blocked, &[turned(1), turned(2)]);
        // What is kept stays.
        known.rule(7, InShort::Clear, &[turned(3)]);
        let (short, on) = known.ruled(7).unwrap();
        assert_eq!(
            (short, &on[..]),
            (InShort::Blocked, &[turned(1), turned(2)][..])
        );
        known.rule(0, InShort::Ask, &[]);
        assert_eq!(known.ruled(0), Some((InShort::Ask, OnWhat::new())));
        for to in 8..400 {
            known.rule(to, InShort::Clear, &[turned(0)]);
        }
        let last = 8 + MOST_TURNED - 3;
        assert!(known.ruled(last - 1).is_some() && known.ruled(last).is_none());
    }

    fn finding(q: i16) -> alamein_terrain::Finding {
        alamein_terrain::Finding {
            rule: 0,
            place: alamein_terrain::Place::Hex(alamein_hex::Hex::new(q, 0)),
            subject: None,
            effect: alamein_terrain::Effect::Contested,
            cites: alamein_terrain::Cites::new(),
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
