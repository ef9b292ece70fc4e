//! Where nothing but LOS is wanted: on which lines a feature speaks, and what it answers in short.
//!
//! The three rounds tell all that there is to be told of a line. Whoever asks only whether there is a
//! LOS, of every hex of a map, need not hear most of it: on most lines no feature has anything to say, and
//! on most others a single one, which knows by itself what comes of it. What is said here in short must be
//! what the rounds would say; where a feature is not sure it says [`InShort::Ask`], and is asked in rounds.

use crate::counter::CounterClass;

/// What a hex means to a feature, as a sum of these.
pub mod mark {
    /// It speaks on a line that has the hex between its ends: it may observe an obstacle or a Hindrance,
    /// or find something on which the LOS turns.
    pub const BETWEEN: u8 = 1;
    /// It speaks on a line that starts or ends in the hex.
    pub const END: u8 = 2;
    /// It speaks on a line that starts or ends in the hex at a counter.
    pub const UNIT_END: u8 = 4;
    /// Of a line that has the hex between its ends, it may set aside or judge what others observe.
    pub const OTHERS_BETWEEN: u8 = 8;
    /// Of a line that starts or ends in the hex, it may do so.
    pub const OTHERS_END: u8 = 16;
    /// All of them.
    pub const ALL: u8 = 31;
}

/// On which lines of sight a feature speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// What each hex of the grid means to it, as a sum of [`mark`]s. Empty means nothing anywhere.
    pub hexes: Vec<u8>,
    /// The classes of counters between the ends on which it speaks: a sum of [`class_bit`]s.
    pub counters: u32,
    /// It judges what anyone observes in a hex, of any line.
    pub judges_hexes: bool,
    /// Of Hindrances that are told by [`SightAnswer::hinders`] it says then no more than that so many block.
    pub limit: Option<u8>,
    /// It judges what anyone observes on a hexside, of any line.
    pub judges_hexsides: bool,
    /// It speaks on every line.
    pub everything: bool,
    /// All that it may set aside or judge of what others observe by its marks are Hindrances.
    pub hindrances_only: bool,
    /// It judges none of those that are told by [`SightAnswer::hinders`], and tells which of them it sets
    /// aside.
    pub tells_aside: bool,
    /// All that it observes are Hindrances that are told by [`SightAnswer::hinders`], and such as it sets aside
    /// itself.
    pub hinders_only: bool,
    /// It answers in short. What it answers by the marks of hexes does not depend on counters between the
    /// ends of other classes than it speaks on.
    pub answers: bool,
}

/// The bit of a class in [`Outlook::counters`].
#[must_use]
pub fn class_bit(class: CounterClass) -> u32 {
    1_u32.checked_shl(class as u32).unwrap_or(0)
}

/// What comes of a line as far as one feature goes, in the order in which one answer outweighs another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InShort {
    /// It is clear, and turned on nothing that is contested, not covered or not implemented. That holds
    /// if nobody sets aside what the feature observed, nor judges it but as the answer says.
    Clear,
    /// The same, but for Hindrances.
    Hinders,
    /// It is blocked by terrain, under the conditions of the first.
    Blocked,
    /// Ask in rounds.
    Ask,
}

/// Some counters of a line, by their places among them: the bit `1 << n` is the `n`th.
pub type CounterSet = u64;

/// The set of the counter in this place; of those after the 64th there is none.
#[must_use]
pub fn counter_at(place: usize) -> CounterSet {
    let place = u32::try_from(place).unwrap_or(u32::MAX);
    1_u64.checked_shl(place).unwrap_or(0)
}

/// What a feature answers of a line of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SightAnswer {
    /// What comes of it.
    pub verdict: InShort,
    /// An obstacle that it observes on a hexside stands, for others to judge.
    pub leaves_hexsides: bool,
    /// Where it Hinders: the counters that Hinder by 1 as AFV or wrecks, if both ends see them. No two are in
    /// one hex, or beside each other where the line runs along a hexside. None: which is to be asked in
    /// rounds.
    pub hinders: CounterSet,
    /// The counters that do not Hinder as AFV or wrecks, whoever says that they do; where it tells that, and
    /// whatever else comes of the line.
    pub sets_aside: CounterSet,
    /// The counters that an option decided about, each in its hex, unless another feature sets them aside; those
    /// that this one sets aside, too, if they would Hinder otherwise.
    pub contested: CounterSet,
    /// By which of its rules.
    pub contested_by: u16,
}

impl SightAnswer {
    /// Ask in rounds.
    pub const ASK: Self = Self::of(InShort::Ask);

    /// Nothing is in the way.
    #[must_use]
    pub const fn clear() -> Self {
        Self::of(InShort::Clear)
    }

    /// It is blocked.
    #[must_use]
    pub const fn blocked() -> Self {
        Self::of(InShort::Blocked)
    }

    /// Some counters Hinder; see [`hinders`](Self::hinders).
    #[must_use]
    pub const fn hinders(counters: CounterSet) -> Self {
        Self {
            hinders: counters,
            ..Self::of(InShort::Hinders)
        }
    }

    const fn of(verdict: InShort) -> Self {
        Self {
            verdict,
            leaves_hexsides: false,
            hinders: 0,
            sets_aside: 0,
            contested: 0,
            contested_by: 0,
        }
    }

    /// The same, with counters that an option decided about, by a rule of this number.
    #[must_use]
    pub const fn contesting(self, rule: u16, counters: CounterSet) -> Self {
        Self {
            contested: counters,
            contested_by: rule,
            ..self
        }
    }

    /// The same, with obstacles on hexsides that stand.
    #[must_use]
    pub const fn leaving_hexsides(self) -> Self {
        Self {
            leaves_hexsides: true,
            ..self
        }
    }

    /// The same, without these counters as Hindrances.
    #[must_use]
    pub const fn setting_aside(self, counters: CounterSet) -> Self {
        Self {
            sets_aside: counters,
            ..self
        }
    }
}
