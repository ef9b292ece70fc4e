//! LOS (6.4).
//!
//! Between ends at one Base Level, hillocks of that Base Level are judged over the whole LOS, by how
//! many of its ends are on a hillock:
//!
//! * both: no half-level obstacle blocks, hillock or other;
//! * one: it sees over one hillock, and over the hillock adjacent to the other end besides. A second
//!   hillock blocks. It sees over one wall or hedge and over one rubble hex too;
//! * none: a hillock blocks, unless it is adjacent to an end whose unit is not entrenched.
//!
//! The hillock on which an end stands never counts, and hillocks are counted, not their hexes.
//! Between different Base Levels a hillock is like any half-level obstacle, and makes no Blind Hexes.

use alamein_plugin_sdk::prelude::*;

use crate::course::{Between, Course, HillockHex, Run, Spot};
use crate::half_level::{Class, Obstacle, Place, concerned, counted};
use crate::hillocks::Hillocks;
use crate::hindrance;
use crate::options::{Budget, Emplaced, GrazingSides, Options, VertexTouch};
use crate::rules;
use crate::summit;

/// How far a hillock rises above its Base Level, in half levels.
pub const HEIGHT: i16 = 1;

/// Whether the unit at this end does not see over the hillock adjacent to it.
#[must_use]
pub fn is_restricted(options: Options, end: &Spot) -> bool {
    let emplaced = options.emplaced_adjacent == Emplaced::Restricted && end.unit.emplaced;
    end.unit.entrenched || emplaced
}

/// The end from which the LOS sees over this hillock because it is adjacent there, if there is one.
/// If an end is on a hillock, it does so past whoever is at the other end.
#[must_use]
pub fn exempting_end(options: Options, course: &Course, hillock: u32) -> Option<usize> {
    let from_above = course.ends_on_hillocks() > 0;
    course
        .ends
        .iter()
        .position(|end| end.is_adjacent_to(hillock) && (from_above || !is_restricted(options, end)))
}

/// The hillocks that stand in the way of a LOS, each by the hex that it meets first. With an end on
/// a hillock the first of them does not block.
#[must_use]
pub fn hillocks_in_the_way(options: Options, course: &Course) -> Few<HillockHex> {
    let one_end = course.ends_on_hillocks() == 1;
    let vertices = !one_end || options.vertex_touch == VertexTouch::Crosses;
    let touched = |between: &Between| vertices || between.contact != Contact::Vertex;
    let in_the_way = |met: Few<HillockHex>| -> Few<HillockHex> {
        let exempt = |at: &HillockHex| exempting_end(options, course, at.hillock).is_some();
        met.into_iter().filter(|at| !exempt(at)).collect()
    };
    if one_end && options.grazing_sides == GrazingSides::One {
        let on = |reading: &Run| {
            let on_it = |between: &Between| touched(between) && reading.contains(&between.at.hex);
            in_the_way(course.hillocks_between(on_it))
        };
        return course
            .readings
            .iter()
            .map(on)
            .max_by_key(Few::len)
            .unwrap_or_default();
    }
    in_the_way(course.hillocks_between(touched))
}

/// What blocks a LOS among hillocks; `others` are the half-level obstacles of other kinds on it,
/// which 6.4 judges if an end is on a hillock.
#[must_use]
pub fn blocking(options: Options, course: &Course, others: &[Obstacle]) -> Few<Obstacle> {
    let hillock = |at: HillockHex| Obstacle {
        class: Class::Hillock,
        place: Place::Hex(at.hex),
    };
    let hillocks = hillocks_in_the_way(options, course);
    let hillocks = hillocks.into_iter().map(hillock);
    match course.ends_on_hillocks() {
        0 => hillocks.collect(),
        1 => {
            // The first is seen over: the first of each kind, or of all together.
            let mut seen_over: Few<_> = Few::new();
            let in_the_way = hillocks.chain(others.iter().copied());
            let within = |obstacle: &Obstacle| match options.half_level_budget {
                Budget::PerKind => Some(obstacle.class),
                Budget::Total => None,
            };
            in_the_way
                .filter(|obstacle| !note(&mut seen_over, within(obstacle)))
                .collect()
        }
        _ => Few::new(),
    }
}

/// The contested points on which it turns whether there is a LOS.
#[must_use]
pub fn turned_on(options: Options, course: &Course, others: &[Obstacle]) -> Vec<Rule> {
    // All but that about Emplaced Guns are options on a LOS with one end on a hillock.
    let emplaced = course.ends.iter().any(|end| end.unit.emplaced);
    if course.ends_on_hillocks() != 1 && !emplaced {
        return Vec::new();
    }
    let blocked = |options: Options| !blocking(options, course, others).is_empty();
    let is_blocked = blocked(options);
    let differs = |other: &(Rule, Options)| blocked(other.1) != is_blocked;
    let otherwise = options.otherwise_in_los();
    otherwise
        .into_iter()
        .filter(differs)
        .map(|(rule, _)| rule)
        .collect()
}

/// Observes the hillock hexes between the ends, as an obstacle that fills its hex.
pub(crate) fn observe(hillocks: &Hillocks, line: &Line<'_>, say: &mut Observations) {
    let hillock = line
        .between()
        .filter(|touched| hillocks.hillock_of(touched.hex).is_some());
    for touched in hillock {
        say.obstacle(rules::OBSTACLE, rules::HILLOCK, HEIGHT)
            .at(touched.hex)
            .inherent();
    }
}

/// Takes the obstacles about which 6.4 decides out of what is judged of any obstacle.
pub(crate) fn object(hillocks: &Hillocks, line: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
    let Some(course) = Course::of(hillocks, line) else {
        return;
    };
    for fact in seen.facts() {
        let own = fact.own_rule() == Some(rules::OBSTACLE);
        if own
            && fact
                .hex()
                .is_some_and(|hex| course.hillock_at(hex).is_some())
        {
            say.set_aside(&fact, rules::LOS);
        }
    }
    if course.ends_on_hillocks() > 0 {
        for fact in concerned(hillocks, &course, line, seen) {
            say.set_aside(&fact, rules::HALF_LEVEL);
        }
    }
}

/// Says what blocks, and why what does not block does not. Whether there is a LOS.
pub(crate) fn judge(
    options: Options,
    hillocks: &Hillocks,
    line: &Line<'_>,
    seen: &Seen<'_>,
    say: &mut Findings,
) -> bool {
    let Some(course) = Course::of(hillocks, line) else {
        consider_base_levels(seen, say);
        return true;
    };
    // What another rule has set aside too is not for 6.4 to count.
    let own = |fact: &SeenFact<'_>| seen.set_aside_only_by(fact, rules::LOS);
    let counting: Few<Hex> = seen
        .facts()
        .filter(own)
        .filter_map(|fact| fact.hex())
        .collect();
    let others = match course.ends_on_hillocks() {
        1 => counted(hillocks, &course, line, seen),
        _ => Vec::new(),
    };
    let course = course.keeping(|hex| counting.contains(&hex));
    let blocking = blocking(options, &course, &others);
    say_what_blocks(&blocking, say);
    for rule in turned_on(options, &course, &others) {
        say.contested(rule);
    }
    let ends = [line.from(), line.to()];
    for (why, end, at) in why_not(options, &course, &blocking) {
        match end {
            Some(end) => say.considered(why).of_end(&ends[end]).at(at),
            None => say.considered(why).at(at),
        };
    }
    blocking.is_empty()
}

/// What comes of a LOS by 6.4 alone, with nothing on it but hillocks, AFV and wrecks.
pub(crate) fn answer(options: Options, hillocks: &Hillocks, line: &Line<'_>) -> SightAnswer {
    let ends = [line.from(), line.to()];
    if summit::meets(hillocks, line) || ends.iter().any(End::is_emplaced) {
        return SightAnswer::ASK;
    }
    // Which hillocks a LOS that grazes crosses, seen from one end only, is for its readings to tell.
    let course = match line.grazes() {
        true => Course::of(hillocks, line),
        false => Course::without_readings(hillocks, line),
    };
    let Some(course) = course else {
        return SightAnswer::ASK;
    };
    // Those at another Base Level are judged like any half-level obstacle.
    let met = || {
        let between = line.between();
        between.filter(|touched| hillocks.hillock_of(touched.hex).is_some())
    };
    if !hillocks.are_at_one_level() && met().count() != course.between.len() {
        return SightAnswer::ASK;
    }
    if line.grazes() && !turned_on(options, &course, &[]).is_empty() {
        return SightAnswer::ASK;
    }
    // What 6.4 sets aside it sets aside whether a hillock blocks or not.
    let set_aside = hindrance::set_aside(options, hillocks, &course, line);
    match blocking(options, &course, &[]).is_empty() {
        true => hindrance::answer(options, &course, line, set_aside),
        false => SightAnswer::blocked().setting_aside(set_aside),
    }
}

fn say_what_blocks(blocking: &[Obstacle], say: &mut Findings) {
    for obstacle in blocking {
        let rule = match obstacle.class {
            Class::Hillock => rules::LOS,
            _ => rules::HALF_LEVEL,
        };
        match obstacle.place {
            Place::Hex(hex) => say.blocks(rule).at(hex),
            Place::Hexside(hexside) => say.blocks(rule).on(hexside),
        };
    }
}

/// Why the hillocks between do not block, or why one blocks that is adjacent to an end: the reason,
/// the end that it is about, and the hillock hex.
fn why_not(
    options: Options,
    course: &Course,
    blocking: &[Obstacle],
) -> Few<(Rule, Option<usize>, Hex)> {
    let on_hillocks = course.ends_on_hillocks();
    let mut reasons = Few::new();
    for at in course.hillocks_between(|_| true) {
        let of_it = |hex: Hex| course.hillock_at(hex) == Some(at.hillock);
        let blocks = |obstacle: &Obstacle| match obstacle.place {
            Place::Hex(hex) => obstacle.class == Class::Hillock && of_it(hex),
            Place::Hexside(_) => false,
        };
        let dug_in = course
            .ends
            .iter()
            .position(|end| end.is_adjacent_to(at.hillock));
        reasons.push(match exempting_end(options, course, at.hillock) {
            _ if on_hillocks == 2 => (rules::BOTH_ON_HILLOCKS, None, at.hex),
            end @ Some(_) => (rules::SEES_OVER_ADJACENT, end, at.hex),
            None if on_hillocks == 1 && !blocking.iter().any(blocks) => {
                (rules::SEES_OVER_ONE, None, at.hex)
            }
            None if on_hillocks == 0 && dug_in.is_some() => (rules::DUG_IN, dug_in, at.hex),
            None => continue,
        });
    }
    reasons
}

/// Says that 6.4 is not about ends at different Base Levels, if there is a hillock on the way.
fn consider_base_levels(seen: &Seen<'_>, say: &mut Findings) {
    let own = |fact: &SeenFact<'_>| fact.own_rule() == Some(rules::OBSTACLE);
    if let Some(hex) = seen.facts().find(own).and_then(|fact| fact.hex()) {
        say.considered(rules::BASE_LEVELS).at(hex);
    }
}

#[cfg(test)]
mod tests;
