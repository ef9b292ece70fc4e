//! LOS over hillocks (6.4).
//!
//! How a hillock between two units affects LOS, and who is protected behind one, is not
//! implemented: a line over a hillock is refused rather than answered wrongly. What is known for
//! certain is that the hillock on which an end stands does not count.

use alamein_plugin_sdk::prelude::*;

use crate::hillocks::Hillocks;
use crate::rules::NOT_IMPLEMENTED;

/// Whether a hex between two ends belongs to a hillock other than those on which the ends stand.
#[must_use]
pub fn intervenes(hillocks: &Hillocks, hex: Hex, ends: [Hex; 2]) -> bool {
    let hillock = hillocks.hillock_of(hex);
    hillock.is_some() && ends.iter().all(|end| hillocks.hillock_of(*end) != hillock)
}

/// Refuses lines over hillocks. A hillock is Inherent Terrain, so a vertex of it is enough.
pub(crate) fn judge(hillocks: &Hillocks, line: &Line<'_>, say: &mut Findings) {
    let ends = [line.from().hex(), line.to().hex()];
    for touched in line
        .between()
        .filter(|touched| intervenes(hillocks, touched.hex, ends))
    {
        say.not_implemented(NOT_IMPLEMENTED).at(touched.hex);
    }
}

#[cfg(test)]
mod tests {
    use super::intervenes;
    use crate::hillocks::tests::{hex, hillocks};

    #[test]
    fn f6_4_a_hillock_between_ground_units_intervenes() {
        assert!(intervenes(
            &hillocks("J4"),
            hex("J4"),
            [hex("J2"), hex("J6")]
        ));
    }

    #[test]
    fn f6_4_the_hillock_of_an_end_does_not_count() {
        let hillocks = hillocks("J4 J5 N4");
        assert!(!intervenes(&hillocks, hex("J5"), [hex("J4"), hex("J8")]));
        assert!(intervenes(&hillocks, hex("N4"), [hex("J4"), hex("R4")]));
    }

    #[test]
    fn f6_4_plain_ground_never_intervenes() {
        assert!(!intervenes(
            &hillocks("J4"),
            hex("K5"),
            [hex("J5"), hex("L5")]
        ));
    }
}
