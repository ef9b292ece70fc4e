//! Movement (the Desert Terrain Chart, note L).
//!
//! Entering a hillock hex costs its COT. Who spends MP pays 1 MP more to ascend: from a hex that is
//! no hillock onto a hillock at the same Base Level. It is spent in the hex entered. Moving along a
//! hillock, or down from it, costs nothing more, and who spends MF never does.

use alamein_plugin_sdk::prelude::*;

use crate::hillocks::Hillocks;
use crate::rules::ASCENT;

/// Whether a step ascends onto a hillock.
#[must_use]
pub fn ascends(hillocks: &Hillocks, from: Hex, to: Hex) -> bool {
    let onto = hillocks.hillock_of(from).is_none() && hillocks.hillock_of(to).is_some();
    onto && hillocks.base_level(from) == hillocks.base_level(to)
}

/// What ascending costs.
pub(crate) fn observe(hillocks: &Hillocks, step: &Step<'_>, say: &mut Observations) {
    if step.spends_mp() && ascends(hillocks, step.from(), step.to()) {
        say.surcharge(ASCENT, 1).at(step.to());
    }
}

#[cfg(test)]
mod tests {
    use super::ascends;
    use crate::hillocks::tests::{hex, hillocks};

    #[test]
    fn f6_a_step_from_the_ground_onto_a_hillock_ascends() {
        assert!(ascends(&hillocks("J4 J5"), hex("J3"), hex("J4")));
    }

    #[test]
    fn f6_a_step_along_a_hillock_does_not() {
        assert!(!ascends(&hillocks("J4 J5"), hex("J4"), hex("J5")));
    }

    #[test]
    fn f6_a_step_down_does_not() {
        assert!(!ascends(&hillocks("J4 J5"), hex("J4"), hex("J3")));
    }

    #[test]
    fn f6_a_step_to_another_base_level_does_not() {
        assert!(!ascends(&hillocks("C3"), hex("C2"), hex("C3")));
    }
}
