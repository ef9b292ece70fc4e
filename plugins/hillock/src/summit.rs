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
    let ends = [line.from().hex(), line.to().hex()];
    let met = ends.into_iter().chain(line.between().map(|it| it.hex));
    for hex in met.filter(|hex| hillocks.is_summit(*hex)) {
        say.not_covered(SUMMIT).at(hex);
    }
}

/// Names the Summit hex that a step enters.
pub(crate) fn judge_step(hillocks: &Hillocks, step: &Step<'_>, say: &mut Findings) {
    if step.hexside().is_some() && hillocks.is_summit(step.to()) {
        say.not_covered(SUMMIT).at(step.to());
    }
}
