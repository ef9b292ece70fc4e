//! Fire Lanes (4.52).
//!
//! Infantry and Horses that move in a deir hex are immune to a Fire Lane that crosses a Lip Hexside
//! before or as it enters that hex, even the MG's own, unless the hex holds the Fire Lane counter.
//! A vehicle, or Vulnerable PRC, is immune if a wreck in its hex would not Hinder the lane by 4.51,
//! unless the hex holds the counter. Cavalry Personnel are treated as their Horses are.

use alamein_plugin_sdk::prelude::*;

use crate::hindrance::half_level_counts_on;
use crate::lips::Deirs;
use crate::rules::{
    HALF_LEVEL, LANE_COUNTER_HEX, LANE_GRAZING, LANE_INFANTRY, LANE_NO_LIP, LANE_VEHICLE,
    LANE_WRECK_HINDERS,
};

/// The first Lip Hexside that a lane crosses before or as it enters a hex. The crossings are those
/// up to and including the one by which it enters.
pub fn lip_on_the_way(
    deirs: &Deirs,
    until_it_enters: impl Iterator<Item = Crossing>,
) -> Option<Hexside> {
    until_it_enters
        .map(Crossing::hexside)
        .find(|side| deirs.is_lip_hexside(*side))
}

/// Says whether the mover on a Fire Lane is immune to it.
pub(crate) fn judge(deirs: &Deirs, line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
    let Some(lane) = line.lane() else { return };
    let hex = lane.hex();
    let on_lane = hex != line.from().hex() && line.touches(hex).is_some();
    if !on_lane || !deirs.is_deir_hex(hex) {
        return;
    }
    if hex == line.to().hex() {
        say.considered(LANE_COUNTER_HEX).at(hex);
        return;
    }
    match lane.mover() {
        LaneMover::Infantry | LaneMover::Cavalry => judge_infantry(deirs, line, hex, say),
        LaneMover::Vehicle | LaneMover::VulnerablePrc => {
            let hinders = wreck_would_hinder(deirs, line, lane, seen);
            match hinders {
                true => say.considered(LANE_WRECK_HINDERS).at(hex),
                false => say.immune(LANE_VEHICLE).at(hex),
            };
        }
    }
}

/// Of a lane that touches the hex on one side only, just the reading on that side has a say.
fn judge_infantry(deirs: &Deirs, line: &Line<'_>, hex: Hex, say: &mut Findings) {
    let enters = |reading: &Reading<'_>| reading.until_it_enters(hex).is_some();
    let lip = |reading: &Reading<'_>| lip_on_the_way(deirs, reading.until_it_enters(hex)?);
    let somewhere = line.readings().find_map(|reading| lip(&reading));
    match somewhere {
        Some(side) if line.holds_on(enters, |reading| lip(reading).is_some()) => {
            say.immune(LANE_INFANTRY).on(side);
        }
        Some(_) => {
            say.considered(LANE_GRAZING).at(hex);
        }
        None => {
            say.considered(LANE_NO_LIP).at(hex);
        }
    }
}

/// Whether a wreck in the mover's hex would Hinder the lane, as far as 4.51 decides: what was
/// observed of the hypothetical wreck tells, or the rule itself where nothing was.
fn wreck_would_hinder(deirs: &Deirs, line: &Line<'_>, lane: Lane<'_>, seen: &Seen<'_>) -> bool {
    let probe = lane.probe().map(|probe| probe.index());
    let mut observed = seen
        .facts()
        .filter(|fact| probe.is_some() && fact.subject() == probe)
        .peekable();
    if observed.peek().is_some() {
        return !observed.any(|fact| seen.set_aside_by(&fact, HALF_LEVEL));
    }
    half_level_counts_on(deirs, line)
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::hex::trace_between;
    use alamein_plugin_sdk::prelude::*;

    use super::lip_on_the_way;
    use crate::lips::Deirs;
    use crate::lips::tests::{deirs, example, hex};

    /// For each reading that enters the mover's hex: whether it crosses a Lip Hexside by then.
    fn readings(deirs: &Deirs, mg: &str, counter: &str, mover: &str) -> Vec<bool> {
        let trace = trace_between(hex(mg), hex(counter));
        let read = |side| {
            let crossings: Vec<Crossing> = trace.crossings(side).collect();
            let entry = crossings
                .iter()
                .position(|crossing| crossing.to == hex(mover))?;
            Some(lip_on_the_way(deirs, crossings.into_iter().take(entry + 1)).is_some())
        };
        Side::BOTH.into_iter().filter_map(read).collect()
    }

    #[test]
    fn f4_52_the_mgs_own_lip_hexside_is_enough() {
        // the lane of E over K, J and L.
        for mover in ["Q7", "R7", "R8"] {
            let crossed = readings(&example(), "P5", "S10", mover);
            assert!(crossed.contains(&true), "{mover}: {crossed:?}");
        }
    }

    #[test]
    fn f4_52_a_lane_inside_the_deir_crosses_none() {
        assert!(!readings(&example(), "R5", "R8", "R6").contains(&true));
    }

    #[test]
    fn f4_52_a_lip_hexside_beyond_the_hex_does_not_count() {
        assert_eq!(readings(&example(), "R5", "R10", "R7"), [false, false]);
    }

    #[test]
    fn f4_52_the_hexside_by_which_the_lane_enters_counts() {
        let deir = deirs("J5");
        assert_eq!(readings(&deir, "J3", "J8", "J5"), [true, true]);
    }

    #[test]
    fn f4_52_only_the_side_that_enters_has_a_say() {
        // J5 to L5 runs along K5|K6: one reading enters K5, the other K6.
        assert_eq!(readings(&deirs("K5"), "J5", "L5", "K5"), [true]);
    }
}
