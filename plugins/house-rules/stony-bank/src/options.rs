//! What the players agree on.

use serde::Deserialize;

/// The options, as `plugin.json` describes them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Whether a vehicle has the TEM of a bank.
    pub vehicles: Vehicles,
}

/// Whether a vehicle has the TEM of a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Vehicles {
    /// It has not.
    NoTem,
    /// It has.
    Tem,
}
