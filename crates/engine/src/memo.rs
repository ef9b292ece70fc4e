//! What terrain does to LOS between ordinary units, remembered.
//!
//! Whoever asks what somebody sees asks it again with the next counter that moved. What the map's terrain
//! does to the LOS between two hexes stays the same meanwhile, so it is asked once, and kept with the map.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use alamein_terrain::{EnvironmentCondition, GrazingPolicy, InShort};
use smallvec::SmallVec;

use crate::answers::Turned;

/// On how large a map it is kept, in hexes: there it takes two megabytes for each policy, and as much again for
/// every 25 lines from each hex that turned on something.
const MOST: usize = 2048;

/// How many answers are in a byte.
const IN_A_BYTE: usize = 2;

/// Of how many lines from one hex it is kept on what they turned.
const MOST_TURNED: usize = 128;

/// What is kept of the lines from one hex.
#[derive(Debug)]
struct Row {
    /// In four bits for each: a [`Kept`] by its number.
    bits: Box<[AtomicU8]>,
    /// What came of those that turned on something, and on what, sorted by their ends.
    turned: Mutex<Vec<(usize, InShort, Turned)>>,
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

/// What is known of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// Nothing yet.
    Nothing = 0,
    Clear = 1,
    Blocked = 2,
    /// It is for the rounds, which were not gone through for terrain alone.
    Ask = 3,
    /// It is always for the rounds.
    AskAlways = 4,
    /// It turned on something.
    Turned = 5,
}

impl Kept {
    fn of(bits: u8) -> Self {
        let all = [
            Self::Clear,
            Self::Blocked,
            Self::Ask,
            Self::AskAlways,
            Self::Turned,
        ];
        let known = all.into_iter().find(|kept| *kept as u8 == bits);
        known.unwrap_or(Self::Nothing)
    }
}

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
    /// What terrain is known to do to the line to the hex of this index, and on what that turned.
    pub(crate) fn get(self, hex: usize) -> Option<(InShort, OnWhat)> {
        match self.kept(hex) {
            Kept::Clear => Some((InShort::Clear, OnWhat::new())),
            Kept::Blocked => Some((InShort::Blocked, OnWhat::new())),
            Kept::Turned => self.ruled(hex),
            Kept::Nothing | Kept::Ask | Kept::AskAlways => None,
        }
    }

    /// Whether rounds for terrain alone may tell what it does to the line to the hex of this index.
    pub(crate) fn may_be_learned(self, hex: usize) -> bool {
        matches!(self.kept(hex), Kept::Nothing | Kept::Ask)
    }

    /// Keeps what was answered in short.
    pub(crate) fn set(self, hex: usize, short: InShort) {
        self.keep(
            hex,
            match short {
                InShort::Clear => Kept::Clear,
                InShort::Blocked => Kept::Blocked,
                InShort::Ask | InShort::Hinders => Kept::Ask,
            },
        );
    }

    /// Keeps what came of it in rounds, and on what that turned; or that there is more to it than is kept.
    pub(crate) fn rule(self, hex: usize, short: InShort, turned: &[Turned]) {
        let kept = match short {
            InShort::Ask | InShort::Hinders => Kept::AskAlways,
            InShort::Clear if turned.is_empty() => Kept::Clear,
            InShort::Blocked if turned.is_empty() => Kept::Blocked,
            InShort::Clear | InShort::Blocked => match self.add(hex, short, turned) {
                true => Kept::Turned,
                false => Kept::AskAlways,
            },
        };
        self.keep(hex, kept);
    }

    /// Adds on what a line turned, if there is room, and tells whether it is there.
    fn add(self, hex: usize, short: InShort, turned: &[Turned]) -> bool {
        let mut all = self.turned();
        let place = all.partition_point(|(at, ..)| *at < hex);
        if all.get(place).is_some_and(|(at, ..)| *at == hex) {
            return true;
        }
        let room = all.len() + turned.len() <= MOST_TURNED;
        if room {
            let turned = turned.iter().map(|turned| (hex, short, *turned));
            all.splice(place..place, turned);
        }
        room
    }

    fn ruled(self, hex: usize) -> Option<(InShort, OnWhat)> {
        let all = self.turned();
        let first = all.partition_point(|(at, ..)| *at < hex);
        let of_it = all.get(first..)?.iter().take_while(|(at, ..)| *at == hex);
        let short = of_it.clone().map(|(_, short, _)| *short).next()?;
        Some((short, of_it.map(|(.., turned)| *turned).collect()))
    }

    fn turned(self) -> MutexGuard<'a, Vec<(usize, InShort, Turned)>> {
        // Nothing in between panics.
        self.0.turned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(self, hex: usize) -> Kept {
        let byte = self.0.bits.get(hex / IN_A_BYTE);
        let byte = byte.map_or(0, |byte| byte.load(Relaxed));
        Kept::of(byte >> (4 * (hex % IN_A_BYTE)) & 15)
    }

    fn keep(self, hex: usize, kept: Kept) {
        if let Some(byte) = self.0.bits.get(hex / IN_A_BYTE) {
            let shift = 4 * (hex % IN_A_BYTE);
            // What the rounds told stays.
            let set = |byte: u8| {
                let known = Kept::of(byte >> shift & 15);
                let stays = kept == Kept::Ask && known != Kept::Nothing;
                (!stays).then_some(byte & !(15 << shift) | (kept as u8) << shift)
            };
            let _changed = byte.fetch_update(Relaxed, Relaxed, set);
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
                let told = told[(from + to) % 3];
                let kept = (told != InShort::Ask).then(|| (told, OnWhat::new()));
                assert_eq!(known.get(to), kept);
                assert_eq!(known.may_be_learned(to), told == InShort::Ask);
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
        assert!(known.may_be_learned(7));
        known.rule(7, InShort::Blocked, &[turned(1), turned(2)]);
        // What is kept stays, whatever is answered in short.
        known.rule(7, InShort::Clear, &[turned(3)]);
        known.set(7, InShort::Ask);
        let (short, on) = known.get(7).unwrap();
        let both = [turned(1), turned(2)];
        assert_eq!((short, &on[..]), (InShort::Blocked, &both[..]));
        known.rule(0, InShort::Ask, &[]);
        known.set(0, InShort::Ask);
        assert_eq!((known.get(0), known.may_be_learned(0)), (None, false));
        for to in (8..400).rev() {
            known.rule(to, InShort::Clear, &[turned(0)]);
        }
        let first = 400 - (MOST_TURNED - 2);
        assert!(known.get(first).is_some() && known.get(first - 1).is_none());
        assert!(!known.may_be_learned(first - 1), "there is no room for it");
        assert!(known.get(7).is_some());
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
