//! What the rules leave open, and a ruleset decides.

use serde::Deserialize;

/// The options, as `plugin.json` describes them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Whether a vehicle Hinders a LOS that meets its hex at a vertex only.
    pub vertex_contact: VertexContact,
    /// Whether each vehicle in a hex Hinders, or the hex does once.
    pub hindrance_counts: Counts,
    /// Whether AFV/wreck TEM holds against Indirect Fire.
    pub tem_vs_indirect: bool,
}

/// Whether a vehicle Hinders a LOS that meets its hex at a vertex only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VertexContact {
    /// It does not.
    NoHindrance,
    /// It does.
    Hinders,
}

/// What the Hindrance of several vehicles in a hex comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// +1 for each.
    PerVehicle,
    /// +1 for the hex.
    PerHex,
}
