//! What the rules leave open, and a ruleset decides.

use serde::Deserialize;

/// The options, as `plugin.json` describes them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Whether an entrenched unit sees past a Dune Crest of its own hex.
    pub entrenched_behind_crest: Entrenched,
    /// Whether a Dune Crest that firer and target share protects the target.
    pub shared_crest_protects: bool,
    /// What a vehicle gets behind a Dune Crest.
    pub vehicle_behind_crest: Vehicle,
    /// Whether sand halves FP in Wet or Mud EC too.
    pub firm_sand_halves: bool,
    /// Whether there may be wire and mines in sand.
    pub wire_and_mines: bool,
}

/// What an entrenched unit sees past a Dune Crest of its own hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entrenched {
    /// Only ADJACENT hexes and what is higher.
    Blocked,
    /// What anybody there sees.
    SeesOver,
}

/// What a vehicle gets behind a Dune Crest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Vehicle {
    /// Nobody knows.
    NotCovered,
    /// It may claim HD.
    HullDown,
    /// Nothing.
    Nothing,
}
