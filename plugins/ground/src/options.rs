//! What the rules leave open, and a ruleset decides.

use serde::Deserialize;

/// The options, as `plugin.json` describes them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// What becomes on a road of costs that are no COT.
    pub road_surcharges: RoadSurcharges,
    /// Whether the TEM of hammada against HE adds to another TEM of the Location.
    pub hammada_tem_cumulative: bool,
    /// Whether a Gun is Emplaced only where F.1A lets it be.
    pub desert_emplacement: bool,
}

/// What becomes on a road of costs that are no COT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoadSurcharges {
    /// The road rate stands for them too.
    Replaced,
    /// They add to the road rate.
    Added,
}
