//! LOS over dunes (7.5).
//!
//! A Dune Crest is a half-level obstacle on its hexside: it blocks a LOS that crosses it, or runs along
//! it, between ends that are both on the level on which it stands. As with a wall, a Dune Crest on a
//! hexside or hexspine of the hex of either end does not block, but who is entrenched sees past one of
//! its own hex only to ADJACENT hexes and to what is higher.
//!
//! A High Dune is a half-level obstacle that fills its hex, for those to judge who judge obstacles of
//! any kind. A Low Dune is none. How high a unit on a High Dune stands is not known.

use std::collections::{BTreeMap, BTreeSet};

use alamein_plugin_sdk::prelude::*;

use crate::options::{Entrenched, Options};
use crate::rules::{
    AT_END, CREST, DUNE_CREST, ENTRENCHED, ENTRENCHED_CONTESTED, HIGH_DUNE, HIGH_DUNE_OBSTACLE,
    LOS, LOS_GRAZING, ON_HIGH_DUNE, OTHER_LEVEL,
};
use crate::sands::Sands;

/// How far a Dune Crest or a High Dune rises, in half levels.
pub const HEIGHT: i16 = 1;

/// Whether a hexside is one of the hexsides or hexspines of an end's hex.
#[must_use]
pub fn is_at_end(hexside: Hexside, ends: [Hex; 2]) -> bool {
    let around = |end: &Hex| {
        let mut vertices = hexside.vertices().into_iter();
        vertices.any(|vertex| vertex.hexes().contains(end))
    };
    ends.iter().any(around)
}

/// Whether a half-level obstacle on this level is in the way between ends at these levels.
#[must_use]
pub fn is_in_the_way(base: i16, levels: [i16; 2]) -> bool {
    levels == [base; 2]
}

/// The Dune Crests that a course of a LOS crosses.
pub fn crossed(
    sands: &Sands,
    course: impl Iterator<Item = Crossing>,
) -> impl Iterator<Item = Hexside> {
    course
        .map(Crossing::hexside)
        .filter(|hexside| sands.is_crest(*hexside))
}

/// Observes the Dune Crests that a LOS meets, and the High Dunes between its ends.
pub(crate) fn observe(sands: &Sands, line: &Line<'_>, say: &mut Observations) {
    let mut met: BTreeSet<Hexside> = line.along().filter(|side| sands.is_crest(*side)).collect();
    for reading in line.readings() {
        met.extend(crossed(sands, reading.crossings()));
    }
    for hexside in met {
        say.obstacle(CREST, DUNE_CREST, HEIGHT).on(hexside);
    }
    for touched in line.between().filter(|hex| sands.is_high_dune(hex.hex)) {
        say.obstacle(HIGH_DUNE_OBSTACLE, HIGH_DUNE, HEIGHT)
            .at(touched.hex)
            .inherent();
    }
}

/// The Dune Crests on a LOS that nobody has set aside.
type Standing<'a> = BTreeMap<Hexside, SeenFact<'a>>;

/// Says which Dune Crests block, and what of High Dunes is not known.
pub(crate) fn judge(
    options: Options,
    sands: &Sands,
    line: &Line<'_>,
    seen: &Seen<'_>,
    say: &mut Findings,
) {
    let own = |fact: &SeenFact<'_>| fact.own_rule() == Some(CREST) && fact.stands();
    let standing: Standing<'_> = seen
        .facts()
        .filter(own)
        .filter_map(|fact| Some((fact.hexside()?, fact)))
        .collect();
    judge_between(sands, line, &standing, say);
    for (unit, other) in line.ends() {
        judge_entrenched(options, line, [unit, other], &standing, say);
        if sands.is_high_dune(unit.hex()) && line.range() > 0 {
            say.not_covered(ON_HIGH_DUNE).of_end(&unit);
        }
    }
}

/// Why a Dune Crest that the line meets does not block, if it does not: by the rule that says so.
fn why_not(sands: &Sands, line: &Line<'_>, crest: Hexside) -> Option<Rule> {
    let ends = [line.from(), line.to()];
    if is_at_end(crest, ends.map(|end| end.hex())) {
        return Some(AT_END);
    }
    let in_the_way = is_in_the_way(sands.crest_base(crest), ends.map(|end| end.level()));
    (!in_the_way).then_some(OTHER_LEVEL)
}

/// Whether the unit at this end is entrenched as 7.5 means it.
fn is_entrenched(end: &End<'_>) -> bool {
    end.is_entrenched() || end.is_dug_in()
}

/// The Dune Crests away from both ends.
fn judge_between(sands: &Sands, line: &Line<'_>, standing: &Standing<'_>, say: &mut Findings) {
    let why_not = |hexside: &Hexside| why_not(sands, line, *hexside);
    let blocking = |hexside: &Hexside| standing.contains_key(hexside) && why_not(hexside).is_none();
    let crosses = |reading: &Reading<'_>| crossed(sands, reading.crossings()).any(|s| blocking(&s));
    let along: BTreeSet<Hexside> = line.along().filter(blocking).collect();
    let blocked = line.holds(crosses);
    for (hexside, fact) in standing {
        match why_not(hexside) {
            Some(why) => say.considered(why).on(*hexside),
            None if blocked || along.contains(hexside) => say.blocks(LOS).on(*hexside).citing(fact),
            None => say.considered(LOS_GRAZING).on(*hexside),
        };
    }
}

/// What comes of a LOS by 7.5 alone, with nothing on it but dunes.
pub(crate) fn answer(sands: &Sands, line: &Line<'_>) -> SightAnswer {
    let ends = [line.from(), line.to()];
    let met = ends.iter().map(|end| end.hex());
    let mut met = met.chain(line.between().map(|it| it.hex));
    if ends.iter().any(is_entrenched) || met.any(|hex| sands.is_high_dune(hex)) {
        return SightAnswer::ASK;
    }
    let blocking =
        |hexside: &Hexside| sands.is_crest(*hexside) && why_not(sands, line, *hexside).is_none();
    let crosses = |reading: &Reading<'_>| reading.crossings().any(|over| blocking(&over.hexside()));
    let blocked = line.holds(crosses) || line.along().any(|hexside| blocking(&hexside));
    let answer = if blocked {
        SightAnswer::blocked()
    } else {
        SightAnswer::clear()
    };
    answer.leaving_hexsides()
}

/// A Dune Crest of the hex of an entrenched unit.
fn judge_entrenched(
    options: Options,
    line: &Line<'_>,
    [unit, other]: [End<'_>; 2],
    standing: &Standing<'_>,
    say: &mut Findings,
) {
    let entrenched = is_entrenched(&unit);
    let seen_past = unit.hex().is_adjacent(other.hex()) || other.level() > unit.level();
    if !entrenched || seen_past {
        return;
    }
    let own_crest = |reading: &Reading<'_>| {
        let crossed = reading.crossings().map(Crossing::hexside);
        let mut own = crossed.filter(|hexside| hexside.touches(unit.hex()));
        own.find_map(|hexside| Some((hexside, *standing.get(&hexside)?)))
    };
    let Some((crest, fact)) = line.readings().find_map(|reading| own_crest(&reading)) else {
        return;
    };
    if !line.holds(|reading| own_crest(reading).is_some()) {
        return;
    }
    say.contested(ENTRENCHED_CONTESTED).of_end(&unit);
    if options.entrenched_behind_crest == Entrenched::Blocked {
        say.blocks(ENTRENCHED).of_end(&unit).on(crest).citing(&fact);
    }
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::hex::trace_between;
    use alamein_plugin_sdk::prelude::*;

    use super::{crossed, is_at_end, is_in_the_way};
    use crate::sands::tests::{hex, hexside, sands};

    /// The Dune Crests that each reading of a LOS crosses.
    fn readings(crests: &str, from: &str, to: &str) -> [Vec<Hexside>; 2] {
        let trace = trace_between(hex(from), hex(to));
        Side::BOTH.map(|side| crossed(&sands("", crests, ""), trace.crossings(side)).collect())
    }

    #[test]
    fn f7_5_a_los_crosses_the_crests_on_its_way() {
        let crest = vec![hexside("J5|J6")];
        assert_eq!(readings("J5|J6", "J3", "J8"), [crest.clone(), crest]);
        assert_eq!(readings("J5|K5", "J3", "J8"), [vec![], vec![]]);
    }

    #[test]
    fn f7_5_at_a_vertex_only_one_side_crosses() {
        // P5 to S10 meets the vertex of P5, P6 and Q6.
        let [left, right] = readings("P5|Q6", "P5", "S10");
        assert_ne!(left.is_empty(), right.is_empty());
    }

    #[test]
    fn f7_5_crests_on_hexsides_and_hexspines_of_an_end_do_not_block() {
        let at_end = |name: &str| is_at_end(hexside(name), [hex("J4"), hex("J9")]);
        assert!(at_end("J4|J5"), "a hexside of the end's hex");
        assert!(at_end("J5|K5"), "a hexspine of it");
        assert!(at_end("J8|J9"));
        assert!(!at_end("J5|J6"));
    }

    #[test]
    fn f7_5_a_crest_is_in_the_way_of_ends_on_its_own_level_only() {
        assert!(is_in_the_way(0, [0, 0]));
        assert!(!is_in_the_way(0, [0, 1]), "from a hillock");
        assert!(!is_in_the_way(0, [2, 2]));
        assert!(!is_in_the_way(2, [0, 2]));
        assert!(is_in_the_way(2, [2, 2]));
    }
}
