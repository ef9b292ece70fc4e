//! What the rules leave open, and a ruleset decides.

use serde::Deserialize;

/// The options, as `plugin.json` describes them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Whether vehicles in the two hexes that flank a hexside Hinder a LOS along it once only.
    pub cap_vehicles_along_hexside: bool,
    /// Whether a hex that a Fire Lane meets at a vertex only is on it.
    pub lane_vertex_contact: LaneVertexContact,
}

/// Whether a hex that a Fire Lane meets at a vertex only is on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LaneVertexContact {
    /// It is.
    OnLane,
    /// It is not.
    OffLane,
}
