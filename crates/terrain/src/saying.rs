//! What a feature says of a line, a step or a set-up: facts it observed, objections, findings.
//!
//! Rules are named by their index in the feature's own table, kinds by their index in the
//! ruleset's vocabulary, counters by their index in the position (probes follow the counters).

use alamein_hex::{Hex, Hexside};

use crate::shared::Cites;

/// Where a fact or a finding belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// To the whole line or step.
    Whole,
    /// To a hex.
    Hex(Hex),
    /// To a hexside.
    Hexside(Hexside),
}

/// Which part of a step's cost an amount is. Amounts are MF or MP, as the mover spends them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CostPart {
    /// Cost of Terrain of the hex entered. Where several stand, the highest counts.
    Cot,
    /// On top of the COT.
    Surcharge,
    /// Off the total, which it never brings below `floor`.
    Reduction {
        /// The least that the total may become by it.
        floor: i16,
    },
}

/// A fact that a feature observed. `kind` is an index into the ruleset's vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fact {
    /// An obstacle to LOS.
    Obstacle {
        /// What it is.
        kind: u32,
        /// How far its top is above its hex's level, in half levels.
        height: i16,
        /// Whether it fills the whole hex, hexsides and vertices included.
        inherent: bool,
    },
    /// A LOS Hindrance.
    Hindrance {
        /// What it is.
        kind: u32,
        /// What it adds.
        drm: i16,
    },
    /// Something that other features may want to know of.
    Mark {
        /// What it is.
        kind: u32,
        /// A number that goes with it.
        value: i32,
    },
    /// A part of what a step costs. The place is the hex in which it is spent.
    Cost {
        /// Which part.
        part: CostPart,
        /// How much.
        amount: i16,
    },
    /// A check (a DR) that a step owes. The dice are the client's.
    Check {
        /// What it is.
        kind: u32,
        /// The Final DR at which, and above which, it fails.
        fails_at: i16,
        /// How many DRs are owed.
        times: u8,
        /// Where it stands among the checks of a step: lower numbers come first.
        order: u8,
    },
    /// A DRM to the checks of a kind.
    CheckDrm {
        /// Which checks.
        kind: u32,
        /// The DRM.
        drm: i16,
    },
}

/// An observation: a fact, by which rule, where, and from whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Observation {
    /// The rule, in the feature's table.
    pub rule: u16,
    /// Where.
    pub place: Place,
    /// The counter that it is about.
    pub subject: Option<u32>,
    /// What.
    pub fact: Fact,
    /// It holds only if both ends of the line have LOS to its hex, which the core finds out.
    pub needs_los: bool,
}

/// An objection: an observation does not count, by this rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Objection {
    /// The observation, by its place among all that were seen.
    pub observation: u32,
    /// The rule, in the feature's table.
    pub rule: u16,
}

/// What a finding does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The LOS is blocked.
    Blocks,
    /// TEM. Of one exclusive group the best for the target counts; groups add.
    Tem {
        /// The group, an index into the vocabulary.
        group: u32,
        /// The TEM.
        drm: i16,
    },
    /// The target may claim HD against this firer.
    HullDown,
    /// The mover's hex is on the Fire Lane.
    OnLane,
    /// The mover is immune to the Fire Lane.
    Immune,
    /// The target's hex is Open Ground, unless something says otherwise.
    OpenGround,
    /// The target's hex is not Open Ground for this attack.
    NotOpenGround,
    /// The attack's FP is halved.
    Halved,
    /// A DRM to the MC that the attack causes.
    MoraleDrm {
        /// The DRM.
        drm: i16,
    },
    /// The Hindrances cited count for no more than this together.
    Cap {
        /// The most that they add.
        max: i16,
    },
    /// Hindrances that reach this total block the LOS.
    Limit {
        /// The total.
        at: i16,
    },
    /// The step or the set-up is not allowed.
    Prohibited,
    /// It may set up there, unless something prohibits it.
    Allowed,
    /// The Gun that sets up is Emplaced.
    Emplaced,
    /// The Gun may be recorded as not Emplaced.
    MayBeUnemplaced,
    /// The rules known here do not cover this.
    NotCovered,
    /// A rule was looked at and does not apply; its message says why.
    Considered,
    /// The ruling turned on the option that the rule names.
    Contested,
    /// The rule that decides this is not implemented: no ruling may be given.
    NotImplemented,
}

impl Effect {
    /// The number that goes with the effect, if any.
    #[must_use]
    pub fn value(self) -> Option<i16> {
        match self {
            Self::Tem { drm, .. } | Self::MoraleDrm { drm } => Some(drm),
            Self::Cap { max } => Some(max),
            Self::Limit { at } => Some(at),
            _ => None,
        }
    }
}

/// A finding. It rests on the observations that it cites, and falls with them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Finding {
    /// The rule, in the feature's table.
    pub rule: u16,
    /// Where.
    pub place: Place,
    /// The counter that it is about.
    pub subject: Option<u32>,
    /// What it does.
    pub effect: Effect,
    /// The observations that it rests on, by their place among all that were seen.
    pub cites: Cites,
}
