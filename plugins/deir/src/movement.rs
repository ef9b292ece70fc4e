//! Movement (4.3).
//!
//! Entering a deir hex costs its COT. A vehicle that leaves one over a Lip Hexside pays 1 MP more,
//! which it spends in the hex that it enters: fire that it draws by that MP finds it there.

use alamein_plugin_sdk::prelude::*;

use crate::lips::Deirs;
use crate::rules::EXIT;

/// Whether a step leaves a deir hex over a Lip Hexside. One into a separate deir does too.
#[must_use]
pub fn leaves_over_lip(deirs: &Deirs, from: Hex, to: Hex) -> bool {
    let over_lip = Hexside::between(from, to).is_some_and(|side| deirs.is_lip_hexside(side));
    deirs.is_deir_hex(from) && over_lip
}

/// What leaving costs. Infantry, Cavalry and horse-drawn units, which spend MF, never pay it.
pub(crate) fn observe(deirs: &Deirs, step: &Step<'_>, say: &mut Observations) {
    if step.spends_mp() && leaves_over_lip(deirs, step.from(), step.to()) {
        say.surcharge(EXIT, 1).at(step.to());
    }
}

#[cfg(test)]
mod tests {
    use super::leaves_over_lip;
    use crate::lips::tests::{example, hex, separate_deirs};

    #[test]
    fn f4_3_leaving_over_a_lip_hexside_is_an_exit() {
        assert!(leaves_over_lip(&example(), hex("P6"), hex("P5")));
    }

    #[test]
    fn f4_3_entering_over_a_lip_hexside_is_none() {
        assert!(!leaves_over_lip(&example(), hex("P5"), hex("P6")));
    }

    #[test]
    fn f4_3_moving_within_a_deir_is_none() {
        assert!(!leaves_over_lip(&example(), hex("P6"), hex("Q7")));
    }

    #[test]
    fn f4_3_crossing_into_a_separate_deir_is_an_exit() {
        let two = separate_deirs(&["J4 J5", "K4 K5"]);
        assert!(leaves_over_lip(&two, hex("J4"), hex("K4")));
        assert!(leaves_over_lip(&two, hex("K4"), hex("J4")));
    }
}
