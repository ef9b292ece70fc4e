//! Half-level obstacles of other kinds (6.412): walls and hedges, rubble, and the like.
//!
//! From a hillock they are seen over much as hillocks are. A wall or hedge counts by its hexside,
//! once even if the LOS runs along it; other terrain by its hex. A hex obstacle that is no Inherent
//! Terrain counts only if the LOS runs through its hex, or along a hexside with such obstacles on
//! both sides, which are one then. A wall that no unit at that end would have in its way, on one of
//! the hexsides or hexspines of its hex, does not count.

use std::collections::BTreeSet;

use alamein_plugin_sdk::prelude::*;

use crate::course::Course;
use crate::hillocks::Hillocks;
use crate::rules::{
    CACTUS, CRAG, DUNE_CREST, HALF_LEVEL, HEDGE, HIGH_DUNE, OBSTACLE, RUBBLE, WALL,
};

/// What of half-level obstacles is of one kind when they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A hillock.
    Hillock,
    /// A wall or a hedge.
    Wall,
    /// Rubble, or crag, which affects LOS just like it.
    Rubble,
    /// A High Dune.
    HighDune,
    /// A Dune Crest.
    DuneCrest,
    /// A cactus patch.
    Cactus,
    /// Anything else.
    Other,
}

impl Class {
    fn of(kind: Option<Kind>) -> Self {
        match kind {
            Some(WALL | HEDGE) => Self::Wall,
            Some(RUBBLE | CRAG) => Self::Rubble,
            Some(HIGH_DUNE) => Self::HighDune,
            Some(DUNE_CREST) => Self::DuneCrest,
            Some(CACTUS) => Self::Cactus,
            _ => Self::Other,
        }
    }
}

/// Where an obstacle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// In a hex.
    Hex(Hex),
    /// On a hexside.
    Hexside(Hexside),
}

/// A half-level obstacle on a LOS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obstacle {
    /// What it counts as.
    pub class: Class,
    /// Where it is.
    pub place: Place,
}

/// Whether a hexside is one of the hexsides or hexspines of an end's hex, where a wall is nothing
/// to a LOS from there.
#[must_use]
pub fn is_at_end(hexside: Hexside, ends: [Hex; 2]) -> bool {
    let meets = |end: &Hex| {
        let around = hexside
            .vertices()
            .map(|vertex| vertex.hexes().contains(end));
        around.contains(&true)
    };
    ends.iter().any(meets)
}

/// The half-level obstacles of other kinds about which 6.4 decides, if an end is on a hillock.
pub(crate) fn concerned<'a>(
    hillocks: &Hillocks,
    course: &Course,
    line: &Line<'a>,
    seen: &Seen<'a>,
) -> impl Iterator<Item = SeenFact<'a>> {
    let ends = [line.from().hex(), line.to().hex()];
    let at_base = |hex: Hex| hillocks.base_level(hex) == course.base_level;
    let counts = |fact: &SeenFact<'a>| {
        if let Some(hexside) = fact.hexside() {
            let base_level = hexside.hexes().map(|hex| hillocks.base_level(hex));
            let highest = base_level.into_iter().max();
            return !is_at_end(hexside, ends) && highest == Some(course.base_level);
        }
        let between = |hex: Hex| {
            line.touches(hex)
                .is_some_and(|touched| touched.lies_between())
        };
        fact.hex().is_some_and(|hex| between(hex) && at_base(hex))
    };
    let half_level = |fact: &SeenFact<'a>| {
        matches!(fact.fact(), Fact::Obstacle { height: 1, .. }) && fact.own_rule() != Some(OBSTACLE)
    };
    let concerned: Vec<_> = seen.facts().filter(half_level).filter(counts).collect();
    concerned.into_iter()
}

/// Those of them that count: those on the LOS that nothing but 6.4 has set aside.
pub(crate) fn counted(
    hillocks: &Hillocks,
    course: &Course,
    line: &Line<'_>,
    seen: &Seen<'_>,
) -> Vec<Obstacle> {
    let mut met = BTreeSet::new();
    let mut beside = Vec::new();
    for fact in concerned(hillocks, course, line, seen) {
        if fact.is_hypothetical() || !seen.set_aside_only_by(&fact, HALF_LEVEL) {
            continue;
        }
        let class = Class::of(fact.kind());
        if let Some(hexside) = fact.hexside() {
            let place = Place::Hexside(hexside);
            met.insert(Obstacle { class, place });
        } else if let Some(touched) = fact.hex().and_then(|hex| line.touches(hex)) {
            let place = Place::Hex(touched.hex);
            let inherent = matches!(fact.fact(), Fact::Obstacle { inherent: true, .. });
            if inherent || touched.contact == Contact::Through {
                met.insert(Obstacle { class, place });
            } else if touched.contact == Contact::Along {
                beside.push((touched.hex, class));
            }
        }
    }
    for hexside in line.along() {
        let flank = |hex: Hex| beside.iter().find(|(at, _)| *at == hex);
        if let [Some((_, class)), Some(_)] = hexside.hexes().map(flank) {
            let (class, place) = (*class, Place::Hexside(hexside));
            met.insert(Obstacle { class, place });
        }
    }
    met.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{Class, is_at_end};
    use crate::hillocks::tests::{grid, hex};
    use crate::rules::{CRAG, HEDGE, RUBBLE, WALL};

    #[test]
    fn f6_412_walls_at_an_end_do_not_count() {
        let at_end = |hexside: &str| {
            let hexside = grid().hexside(hexside).unwrap();
            is_at_end(hexside, [hex("J4"), hex("J9")])
        };
        assert!(at_end("J4|J5"), "a hexside of the end's hex");
        assert!(at_end("J5|K5"), "a hexspine of it");
        assert!(at_end("J8|J9"));
        assert!(!at_end("J5|J6"));
        assert!(!at_end("J6|J7"));
    }

    #[test]
    fn f6_412_walls_and_hedges_are_of_one_kind_and_so_are_rubble_and_crag() {
        assert_eq!(Class::of(Some(WALL)), Class::of(Some(HEDGE)));
        assert_eq!(Class::of(Some(RUBBLE)), Class::of(Some(CRAG)));
        assert_ne!(Class::of(Some(WALL)), Class::of(Some(RUBBLE)));
        assert_eq!(Class::of(None), Class::Other);
    }
}
