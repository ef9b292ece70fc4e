//! Half-level Hindrances in a deir (4.51).
//!
//! A Hindrance in a deir hex acts as it does elsewhere, except a "half-level" one (brush, bridge,
//! grain, marsh, crag, AFV/wreck): it counts only if both ends of the LOS are at the same level and
//! at least one of them is in a deir, whichever deir that is.

use alamein_plugin_sdk::prelude::*;

use crate::lips::Deirs;
use crate::rules::{AFV, BRIDGE, BRUSH, CRAG, GRAIN, HALF_LEVEL, MARSH, WRECK};

/// The "half-level" Hindrances. SMOKE, dust and the like are none.
pub const HALF_LEVEL_KINDS: [Kind; 7] = [AFV, WRECK, BRUSH, BRIDGE, GRAIN, MARSH, CRAG];

/// Whether a half-level Hindrance in a deir hex counts for a LOS between these two hexes.
#[must_use]
pub fn half_level_counts(deirs: &Deirs, ends: [Hex; 2], same_level: bool) -> bool {
    same_level && ends.iter().any(|end| deirs.is_deir_hex(*end))
}

/// The same for a line.
pub(crate) fn half_level_counts_on(deirs: &Deirs, line: &Line<'_>) -> bool {
    half_level_counts(deirs, [line.from().hex(), line.to().hex()], line.is_level())
}

/// Sets aside the half-level Hindrances in deir hexes that do not count.
pub(crate) fn object(deirs: &Deirs, line: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
    if half_level_counts_on(deirs, line) {
        return;
    }
    for fact in seen.facts() {
        let hinders = matches!(fact.fact(), Fact::Hindrance { .. });
        let half_level = fact
            .kind()
            .is_some_and(|kind| HALF_LEVEL_KINDS.contains(&kind));
        let in_deir = fact.hex().is_some_and(|hex| deirs.is_deir_hex(hex));
        if hinders && half_level && in_deir {
            say.set_aside(&fact, HALF_LEVEL);
        }
    }
}

/// The counters of a line that do not count as an AFV or a wreck: all in deir hexes, or none.
pub(crate) fn set_aside(deirs: &Deirs, line: &Line<'_>) -> CounterSet {
    let mut counters = line.counters().enumerate().peekable();
    if counters.peek().is_none() || half_level_counts_on(deirs, line) {
        return 0;
    }
    let in_deirs = counters.filter(|(_, counter)| deirs.is_deir_hex(counter.hex()));
    in_deirs.fold(0, |all, (place, _)| all | counter_at(place))
}

#[cfg(test)]
mod tests {
    use super::half_level_counts;
    use crate::lips::tests::{deirs, example, hex};

    #[test]
    fn f4_51_counts_with_one_end_in_a_deir_at_the_same_level() {
        // HIN-5: A Hinders F to D, for D is in the deir.
        assert!(half_level_counts(&example(), [hex("T6"), hex("P6")], true));
    }

    #[test]
    fn f4_51_does_not_count_with_both_ends_outside() {
        // HIN-6: A does not Hinder F to E.
        assert!(!half_level_counts(&example(), [hex("T6"), hex("P5")], true));
    }

    #[test]
    fn f4_51_does_not_count_between_different_levels() {
        // HIN-4: A does not Hinder G, who is on the hillock.
        assert!(!half_level_counts(
            &example(),
            [hex("R3"), hex("R8")],
            false
        ));
    }

    #[test]
    fn f4_51_an_end_in_another_deir_will_do() {
        let two = deirs("J4 J5 M4 M5");
        assert!(half_level_counts(&two, [hex("M4"), hex("H4")], true));
    }
}
