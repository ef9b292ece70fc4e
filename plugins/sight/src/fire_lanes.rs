//! Fire Lanes (A9.22).
//!
//! Whoever moves in a hex of the LOF from the MG to the Fire Lane counter's hex, that hex included,
//! is on the lane. The MG's own hex never is, nor is one that merely shares the vertex at which it is.

use alamein_plugin_sdk::prelude::*;

use crate::options::{LaneVertexContact, Options};
use crate::rules::{LANE, LANE_MG_HEX, LANE_OFF, LANE_VERTEX};

/// Says whether the mover's hex is on the lane.
pub(crate) fn judge(options: Options, line: &Line<'_>, say: &mut Findings) {
    let Some(lane) = line.lane() else { return };
    let hex = lane.hex();
    if hex == line.from().hex() {
        say.considered(LANE_MG_HEX).at(hex);
        return;
    }
    let on_it = |hex: &Touched| hex.contact == Contact::End || hex.lies_between();
    let Some(touched) = line.touches(hex).filter(on_it) else {
        say.considered(LANE_OFF).at(hex);
        return;
    };
    if touched.contact == Contact::Vertex {
        say.contested(LANE_VERTEX).at(hex);
        if options.lane_vertex_contact == LaneVertexContact::OffLane {
            return;
        }
    }
    say.on_lane(LANE).at(hex);
}
