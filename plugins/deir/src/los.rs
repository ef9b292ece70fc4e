//! LOS (4.4).
//!
//! A deir is neither an obstacle nor a Hindrance. But a unit that is entrenched or Emplaced in a
//! non-Lip deir hex sees past a Lip Hexside only into the same-level hex just outside that Lip
//! Hexside, or to a higher elevation. LOS is reciprocal, so the rule is applied from both ends.

use alamein_plugin_sdk::prelude::*;

use crate::lips::Deirs;
use crate::rules::{LOS, LOS_GRAZING, LOS_HIGHER, LOS_JUST_OUTSIDE, LOS_LIP_HEX};

/// An end of a LOS: where it is, and its level in half levels.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// The hex.
    pub hex: Hex,
    /// The level.
    pub level: i16,
}

impl From<End<'_>> for Spot {
    fn from(end: End<'_>) -> Self {
        Self {
            hex: end.hex(),
            level: end.level(),
        }
    }
}

/// The first Lip Hexside of any deir on a LOS, and the hex beyond it, as seen from an end.
pub fn first_lip_crossing(
    deirs: &Deirs,
    mut outward: impl Iterator<Item = Crossing>,
) -> Option<Crossing> {
    outward.find(|crossing| deirs.is_lip_hexside(crossing.hexside()))
}

/// What a unit that is entrenched or Emplaced in a non-Lip deir hex makes of a LOS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limited {
    /// The LOS crosses no Lip Hexside, so 4.4 does not concern it.
    NoLip,
    /// The other end is higher: it is seen.
    Higher,
    /// The other end is in the hex just outside the first Lip Hexside crossed, at the same level:
    /// it is seen.
    JustOutside,
    /// The other end is not seen, because of this Lip Hexside.
    Blocked(Hexside),
}

/// Applies 4.4 to one course of a LOS, seen from the unit.
pub fn limited(
    deirs: &Deirs,
    unit: Spot,
    other: Spot,
    outward: impl Iterator<Item = Crossing>,
) -> Limited {
    let Some(first) = first_lip_crossing(deirs, outward) else {
        return Limited::NoLip;
    };
    if other.level > unit.level {
        return Limited::Higher;
    }
    if other.hex == first.to && other.level == unit.level {
        return Limited::JustOutside;
    }
    Limited::Blocked(first.hexside())
}

/// The same of one reading of a line, seen from this end.
fn limited_on(deirs: &Deirs, reading: &Reading<'_>, unit: &End<'_>, other: &End<'_>) -> Limited {
    let outward = reading.outward_from(unit);
    limited(deirs, (*unit).into(), (*other).into(), outward)
}

/// Whether the unit at this end is dug in as 4.4 means it.
fn is_dug_in(end: &End<'_>) -> bool {
    end.is_entrenched() || end.is_emplaced() || end.is_dug_in()
}

/// Blocks the LOS of units that 4.4 limits, from both ends.
pub(crate) fn judge(deirs: &Deirs, line: &Line<'_>, say: &mut Findings) {
    for (unit, other) in line.ends() {
        if !is_dug_in(&unit) || !deirs.is_deir_hex(unit.hex()) {
            continue;
        }
        let course = |reading: &Reading<'_>| limited_on(deirs, reading, &unit, &other);
        let blocking = |reading: &Reading<'_>| match course(reading) {
            Limited::Blocked(hexside) => Some(hexside),
            _ => None,
        };
        let crosses_lip = line
            .readings()
            .any(|reading| course(&reading) != Limited::NoLip);
        if !deirs.is_non_lip_hex(unit.hex()) {
            if crosses_lip {
                say.considered(LOS_LIP_HEX).of_end(&unit);
            }
            continue;
        }
        let first_blocking = line.readings().find_map(|reading| blocking(&reading));
        match first_blocking {
            Some(hexside) if line.holds(|reading| blocking(reading).is_some()) => {
                say.blocks(LOS).of_end(&unit).on(hexside);
            }
            Some(hexside) => {
                say.considered(LOS_GRAZING).of_end(&unit).on(hexside);
            }
            None if crosses_lip => consider_exception(unit, other, say),
            None => {}
        }
    }
}

/// What comes of a LOS by 4.4 alone.
pub(crate) fn answer(deirs: &Deirs, line: &Line<'_>) -> SightAnswer {
    let limits = |(unit, other): &(End<'_>, End<'_>)| {
        let limited = |reading: &Reading<'_>| limited_on(deirs, reading, unit, other);
        let blocked = |reading: &Reading<'_>| matches!(limited(reading), Limited::Blocked(_));
        is_dug_in(unit) && deirs.is_non_lip_hex(unit.hex()) && line.holds(blocked)
    };
    if line.ends().iter().any(limits) {
        SightAnswer::blocked()
    } else {
        SightAnswer::clear()
    }
}

/// Nothing blocks though a Lip Hexside is crossed: says which exception of 4.4 it is.
fn consider_exception(unit: End<'_>, other: End<'_>, say: &mut Findings) {
    let why = if other.level() > unit.level() {
        LOS_HIGHER
    } else {
        LOS_JUST_OUTSIDE
    };
    say.considered(why).of_end(&unit);
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::hex::trace_between;
    use alamein_plugin_sdk::prelude::*;

    use super::{Limited, Spot, limited};
    use crate::lips::Deirs;
    use crate::lips::tests::{deirs, example, hex, hexside, separate_deirs};

    /// What 4.4 says of a unit in `unit`, on each reading of its LOS to `other`.
    fn both_readings(deirs: &Deirs, unit: &str, other: &str, level: i16) -> [Limited; 2] {
        let unit = Spot {
            hex: hex(unit),
            level: 0,
        };
        let other = Spot {
            hex: hex(other),
            level,
        };
        let trace = trace_between(unit.hex, other.hex);
        Side::BOTH.map(|side| {
            let crossings: Vec<Crossing> = trace.crossings(side).collect();
            limited(deirs, unit, other, crossings.into_iter())
        })
    }

    #[test]
    fn f4_4_inside_the_deir_nothing_limits() {
        assert_eq!(
            both_readings(&example(), "R7", "R8", 0),
            [Limited::NoLip; 2]
        );
    }

    #[test]
    fn f4_4_two_hexes_beyond_the_lip_nothing_is_seen() {
        // R7 looks north-west, over P7|Q7.
        let blocked = Limited::Blocked(hexside("P7|Q8"));
        assert!(both_readings(&example(), "R7", "N8", 0).contains(&blocked));
    }

    #[test]
    fn f4_4_the_hex_just_outside_the_lip_hexside_crossed_is_seen() {
        assert_eq!(
            both_readings(&example(), "R7", "R9", 0),
            [Limited::JustOutside; 2]
        );
    }

    #[test]
    fn f4_4_a_higher_elevation_is_seen_half_a_level_too() {
        assert_eq!(
            both_readings(&example(), "R7", "R10", 1),
            [Limited::Higher; 2]
        );
    }

    #[test]
    fn f4_4_a_lower_hex_just_outside_is_not_seen() {
        let blocked = Limited::Blocked(hexside("R8|R9"));
        assert_eq!(both_readings(&example(), "R7", "R9", -2), [blocked; 2]);
    }

    #[test]
    fn f4_4_a_second_lip_hexside_is_beyond_the_first() {
        // From J5 east: out over J5's deir, two hexes on into another.
        let two = deirs("I4 I5 I6 J4 J5 J6 K5 K6 M5 M6 N5");
        let course = both_readings(&two, "J5", "N5", 0);
        assert!(
            course
                .iter()
                .all(|limited| matches!(limited, Limited::Blocked(_)))
        );
    }

    #[test]
    fn f4_4_an_adjacent_separate_deir_is_just_outside() {
        let two = separate_deirs(&["J3 J4 J5", "J6 J7"]);
        assert_eq!(
            both_readings(&two, "J4", "J6", 0),
            [Limited::JustOutside; 2]
        );
        let blocked = Limited::Blocked(hexside("J5|J6"));
        assert_eq!(both_readings(&two, "J4", "J7", 0), [blocked; 2]);
    }
}
