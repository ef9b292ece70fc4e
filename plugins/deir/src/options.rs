//! What the rules leave open, and a ruleset decides.

use serde::Deserialize;

/// The options, as `plugin.json` describes them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// What an unarmored vehicle gets by 4.5.
    pub unarmored_vehicle: UnarmoredVehicle,
    /// Whether Cavalry are PRC in the sense of 4.5.
    pub cavalry_target: CavalryTarget,
}

/// What an unarmored vehicle gets by 4.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnarmoredVehicle {
    /// HD, like any vehicle.
    Hd,
    /// +1 TEM.
    Tem,
}

/// Whether Cavalry are PRC in the sense of 4.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CavalryTarget {
    /// They are not, and so get the TEM.
    NonPrc,
    /// They are, and get nothing.
    Prc,
}
