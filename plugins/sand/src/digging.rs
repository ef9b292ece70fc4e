//! Foxholes and Emplacement in sand (7.41, 7.42).
//!
//! In sand a foxhole gives half of its TEM: +1, or +2 against OBA. An Emplaced Gun has +1. Wet or Mud EC
//! make sand firm: then both give what they give elsewhere.
//!
//! Which counters are Emplaced or in foxholes the players say; what may be is a matter of
//! [`setup`](crate::setup).

use alamein_plugin_sdk::prelude::*;

use crate::movement::is_firm;
use crate::rules::{
    EMPLACED, EMPLACED_NOT_OPEN_GROUND, EMPLACED_TEM, EMPLACEMENT_TEM, FOXHOLE, FOXHOLE_HALF_TEM,
    FOXHOLE_NOT_OPEN_GROUND, FOXHOLE_TEM, LOCATION,
};
use crate::sands::Sands;

/// The TEM of an Emplaced Gun in sand.
pub const EMPLACED_IN_SAND: i16 = 1;

/// The TEM of a foxhole in sand that would give this elsewhere.
#[must_use]
pub fn foxhole_in_sand(elsewhere: i16) -> i16 {
    elsewhere / 2
}

/// The rule by which a posture that somebody observed is worth less in sand.
fn worth_less(fact: &SeenFact<'_>) -> Option<Rule> {
    match fact.kind() {
        Some(FOXHOLE_TEM) => Some(FOXHOLE),
        Some(EMPLACEMENT_TEM) => Some(EMPLACED),
        _ => None,
    }
}

/// Sets aside what postures give elsewhere.
pub(crate) fn object(sands: &Sands, line: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
    if is_firm(line.ec()) {
        return;
    }
    for fact in seen.facts() {
        let in_sand = fact.hex().is_some_and(|hex| sands.is_sand(hex));
        if let Some(rule) = worth_less(&fact).filter(|_| in_sand) {
            say.set_aside(&fact, rule);
        }
    }
}

/// Says what they give in sand, unless something else has set them aside too.
pub(crate) fn judge(line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
    let target = line.to();
    let elsewhere = |rule: Rule| {
        let facts = seen.facts();
        let mut given = facts.filter(|fact| seen.set_aside_only_by(fact, rule));
        given.find_map(|fact| match fact.fact() {
            Fact::Mark { value } => i16::try_from(value).ok(),
            _ => None,
        })
    };
    if let Some(tem) = elsewhere(FOXHOLE) {
        say.tem(FOXHOLE_HALF_TEM, LOCATION, foxhole_in_sand(tem))
            .of_end(&target);
        say.not_open_ground(FOXHOLE_NOT_OPEN_GROUND).of_end(&target);
    }
    if elsewhere(EMPLACED).is_some() {
        say.tem(EMPLACED_TEM, LOCATION, EMPLACED_IN_SAND)
            .of_end(&target);
        say.not_open_ground(EMPLACED_NOT_OPEN_GROUND)
            .of_end(&target);
    }
}

#[cfg(test)]
mod tests {
    use super::foxhole_in_sand;

    #[test]
    fn f7_42_a_foxhole_in_sand_gives_half() {
        assert_eq!(foxhole_in_sand(2), 1);
        assert_eq!(foxhole_in_sand(4), 2);
    }
}
