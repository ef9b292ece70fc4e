//! What a plugin says, and what it is shown of what all have said.

use crate::{Array, HexCoord};

/// It belongs to the whole line, step or set-up.
pub const PLACE_WHOLE: u32 = 0;
/// It belongs to the hex `a`.
pub const PLACE_HEX: u32 = 1;
/// It belongs to the hexside between `a` and `b`.
pub const PLACE_HEXSIDE: u32 = 2;

/// Where something belongs. Hexes are not relative to anything.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceView {
    /// `PLACE_…`.
    pub tag: u32,
    /// The hex, or the first of two.
    pub a: HexCoord,
    /// The second of two.
    pub b: HexCoord,
}

/// An obstacle: `value` is its height in half levels.
pub const FACT_OBSTACLE: u32 = 1;
/// A LOS Hindrance: `value` is its DRM.
pub const FACT_HINDRANCE: u32 = 2;
/// Something that others may want to know of: `value` goes with it.
pub const FACT_MARK: u32 = 3;
/// A step's Cost of Terrain: `value` is MF or MP, spent in the place.
pub const FACT_COT: u32 = 4;
/// On top of the COT.
pub const FACT_SURCHARGE: u32 = 5;
/// Off the total, down to `floor`.
pub const FACT_REDUCTION: u32 = 6;
/// A check that a step owes: `value` is the Final DR at which it fails, `times` how many DRs are
/// owed, `order` where it stands among the checks of a step.
pub const FACT_CHECK: u32 = 7;
/// A DRM of `value` to the checks of its kind.
pub const FACT_CHECK_DRM: u32 = 8;

/// The obstacle fills its hex, hexsides and vertices included.
pub const SAID_INHERENT: u32 = 1;
/// It holds only if both ends have LOS to its hex.
pub const SAID_NEEDS_LOS: u32 = 2;

/// An observation.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Observation {
    /// Which line, step or set-up of the batch.
    pub of: u32,
    /// The rule: an index into the descriptor's table.
    pub rule: u32,
    /// `FACT_…`.
    pub fact: u32,
    /// The kind: an index into the descriptor's table, or [`crate::NONE`] for costs.
    pub kind: u32,
    /// The number that goes with the fact.
    pub value: i32,
    /// A sum of `SAID_…`.
    pub flags: u32,
    /// The counter that it is about, or [`crate::NONE`].
    pub subject: u32,
    /// Where.
    pub place: PlaceView,
    /// Of a reduction: the least that the total may become.
    pub floor: i32,
    /// Of a check: how many DRs are owed.
    pub times: u32,
    /// Of a check: lower numbers come first.
    pub order: u32,
}

/// An objection.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Objection {
    /// Which line, step or set-up of the batch.
    pub of: u32,
    /// The rule: an index into the descriptor's table.
    pub rule: u32,
    /// The observation: an index into what was seen of it.
    pub observation: u32,
}

/// The LOS is blocked.
pub const EFFECT_BLOCKS: u32 = 1;
/// TEM: `kind` is the exclusive group, `value` the DRM.
pub const EFFECT_TEM: u32 = 2;
/// HD may be claimed.
pub const EFFECT_HULL_DOWN: u32 = 3;
/// The mover's hex is on the Fire Lane.
pub const EFFECT_ON_LANE: u32 = 4;
/// The mover is immune to the Fire Lane.
pub const EFFECT_IMMUNE: u32 = 5;
/// The target's hex is Open Ground, unless something says otherwise.
pub const EFFECT_OPEN_GROUND: u32 = 6;
/// The target's hex is not Open Ground for this attack.
pub const EFFECT_NOT_OPEN_GROUND: u32 = 7;
/// The Hindrances cited add no more than `value` together.
pub const EFFECT_CAP: u32 = 8;
/// Hindrances of `value` in all block.
pub const EFFECT_LIMIT: u32 = 9;
/// The step or set-up is not allowed.
pub const EFFECT_PROHIBITED: u32 = 10;
/// The rules known here do not cover this.
pub const EFFECT_NOT_COVERED: u32 = 11;
/// The rule was looked at and does not apply.
pub const EFFECT_CONSIDERED: u32 = 12;
/// The ruling turned on the option that the rule names.
pub const EFFECT_CONTESTED: u32 = 13;
/// The rule that decides this is not implemented: no ruling may be given.
pub const EFFECT_NOT_IMPLEMENTED: u32 = 14;
/// The attack's FP is halved.
pub const EFFECT_HALVED: u32 = 15;
/// `value` is a DRM to the MC that the attack causes.
pub const EFFECT_MORALE_DRM: u32 = 16;
/// It may set up there, unless something prohibits it (of set-ups, since 1.1).
pub const EFFECT_ALLOWED: u32 = 17;
/// The Gun that sets up is Emplaced (of set-ups, since 1.1).
pub const EFFECT_EMPLACED: u32 = 18;
/// The Gun may be recorded as not Emplaced (of set-ups, since 1.1).
pub const EFFECT_MAY_BE_UNEMPLACED: u32 = 19;

/// A finding.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Finding {
    /// Which line, step or set-up of the batch.
    pub of: u32,
    /// The rule: an index into the descriptor's table.
    pub rule: u32,
    /// `EFFECT_…`.
    pub effect: u32,
    /// The kind that goes with the effect, or [`crate::NONE`].
    pub kind: u32,
    /// The number that goes with the effect.
    pub value: i32,
    /// The counter that it is about, or [`crate::NONE`].
    pub subject: u32,
    /// Where.
    pub place: PlaceView,
    /// The observations that it rests on: indices into what was seen (`u32`).
    pub cites: Array,
}

/// It is about a probe.
pub const SEEN_HYPOTHETICAL: u32 = 4;
/// It was set aside.
pub const SEEN_SET_ASIDE: u32 = 8;
/// The plugin itself observed it.
pub const SEEN_OWN: u32 = 16;

/// An observation, as all plugins see it in the rounds after.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SeenObservation {
    /// `FACT_…`.
    pub fact: u32,
    /// The kind: an index into the table of the plugin that looks, or [`crate::NONE`] for one that
    /// it does not know.
    pub kind: u32,
    /// The number that goes with the fact.
    pub value: i32,
    /// A sum of `SAID_…` and `SEEN_…`.
    pub flags: u32,
    /// The counter that it is about, or [`crate::NONE`].
    pub subject: u32,
    /// Where.
    pub place: PlaceView,
    /// If the plugin itself observed it, its rule; else [`crate::NONE`].
    pub rule: u32,
}

/// An objection, as all plugins see it in the last round.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SeenObjection {
    /// The observation that it sets aside.
    pub observation: u32,
    /// If it was by a rule of the plugin that looks, or by one that replaces such a rule: the rule;
    /// else [`crate::NONE`].
    pub rule: u32,
}

/// What was said of one line, step or set-up. Arrays of these have no stride, so this struct never
/// grows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SeenView {
    /// The observations ([`SeenObservation`]).
    pub observations: Array,
    /// The objections ([`SeenObjection`]).
    pub objections: Array,
}
