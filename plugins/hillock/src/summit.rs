//! Summit hexes.
//!
//! F6 has no text on what a Summit does. So its hexes are ruled on as other hillock hexes, and a
//! ruling that may turn on one says that the rules known here do not cover it.

use alamein_plugin_sdk::prelude::*;

use crate::hillocks::Hillocks;
use crate::rules::SUMMIT;

/// Names the Summit hexes that a line meets, its ends included.
pub(crate) fn judge(hillocks: &Hillocks, line: &Line<'_>, say: &mut Findings) {
    if line.obstacles_only() {
        return;
    }
    for hex in met(hillocks, line) {
        say.not_covered(SUMMIT).at(hex);
    }
}

/// Whether a line meets a Summit hex.
pub(crate) fn meets(hillocks: &Hillocks, line: &Line<'_>) -> bool {
    hillocks.has_summit() && met(hillocks, line).next().is_some()
}

fn met<'a>(hillocks: &'a Hillocks, line: &Line<'a>) -> impl Iterator<Item = Hex> + 'a {
    let ends = [line.from().hex(), line.to().hex()];
    let met = ends.into_iter().chain(line.between().map(|it| it.hex));
    met.filter(|hex| hillocks.is_summit(*hex))
}

/// Names the Summit hex that a step enters.
pub(crate) fn judge_step(hillocks: &Hillocks, step: &Step<'_>, say: &mut Findings) {
    if step.hexside().is_some() && hillocks.is_summit(step.to()) {
        say.not_covered(SUMMIT).at(step.to());
    }
}
