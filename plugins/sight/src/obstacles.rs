//! Obstacles to LOS (A6.1, A6.2, B.6).
//!
//! An obstacle blocks a LOS that runs through its hex, if it is higher than both ends, or as high as
//! the higher one with the other lower; one that is lower than the higher end may hide the other
//! ([`blind_hexes`](crate::blind_hexes)). A half-level obstacle blocks only between ends that are
//! both at its base level. A LOS along a hexside, or through a vertex, meets an obstacle only if that
//! is Inherent Terrain, or if there is one on both sides of the hexside. An obstacle in the hex of
//! either end never blocks.
//!
//! Obstacles on hexsides (walls, Dune Crests) have rules of their own, for their terrain to judge.

use alamein_plugin_sdk::prelude::*;

use crate::blind_hexes::SeenFromAbove;
use crate::rules::{BLIND_HEXES, HALF_LEVELS, OBSTACLE, SEEN_PAST};

/// An obstacle in a hex, by its levels in half levels.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle {
    /// The level on which it stands.
    pub base: i16,
    /// How far its top is above that.
    pub height: i16,
}

/// What an obstacle does to a LOS that meets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// It blocks the LOS.
    Blocks,
    /// The lower end is in a Blind Hex behind it (A6.4).
    Hides,
    /// Whether it hides the lower end turns on half levels, of which A6.4 does not speak.
    HalfLevels,
    /// The LOS passes over it, and the lower end is beyond its Blind Hexes.
    SeenPast,
    /// The LOS passes over it.
    None,
}

impl Obstacle {
    /// What it does between ends at these levels, each so many hexes away from it.
    #[must_use]
    pub fn effect(self, ends: [i16; 2], ranges: [u16; 2]) -> Effect {
        let [lower, higher] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        let top = self.base.saturating_add(self.height);
        let half_level = self.height % 2 != 0;
        if half_level {
            let both_at_base = lower == self.base && higher == self.base;
            return if both_at_base {
                Effect::Blocks
            } else {
                Effect::None
            };
        }
        if top > higher {
            return Effect::Blocks;
        }
        if top <= lower {
            return Effect::None;
        }
        let full_level_top = top % 2 == 0;
        if top == higher && full_level_top {
            return Effect::Blocks;
        }
        let (above_lower, below_higher) = (top - lower, higher - top);
        if above_lower % 2 != 0 || below_higher % 2 != 0 {
            return Effect::HalfLevels;
        }
        let short = |range: u16| i16::try_from(range).unwrap_or(i16::MAX);
        let [first, second] = ranges.map(short);
        let (from_higher, behind) = if ends[0] > ends[1] {
            (first, second)
        } else {
            (second, first)
        };
        let (above_lower, below_higher) = (above_lower / 2, below_higher / 2);
        let obstacle = SeenFromAbove {
            from_higher,
            above_lower,
            below_higher,
            is_bare: self.height == 0,
        };
        if obstacle.hides(behind) {
            Effect::Hides
        } else {
            Effect::SeenPast
        }
    }
}

/// An obstacle that the line meets, and what it does.
#[derive(Clone, Copy)]
struct Met<'a> {
    fact: SeenFact<'a>,
    touched: Touched,
    inherent: bool,
    effect: Effect,
}

/// Says which obstacles block.
pub(crate) fn judge(line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
    let met = obstacles_met(line, seen);
    let mut on_line: Few<&Met<'_>> = met.iter().filter(|met| met.is_on_line()).collect();
    on_line.dedup_by_key(|met| met.touched.hex);
    for met in on_line {
        match met.effect {
            Effect::Blocks => say.blocks(OBSTACLE).at(met.touched.hex).citing(&met.fact),
            Effect::Hides => say
                .blocks(BLIND_HEXES)
                .at(met.touched.hex)
                .citing(&met.fact),
            Effect::HalfLevels => say.not_implemented(HALF_LEVELS).at(met.touched.hex),
            Effect::SeenPast => say.considered(SEEN_PAST).at(met.touched.hex),
            Effect::None => continue,
        };
    }
    for hexside in line.along() {
        let flanking = hexside
            .hexes()
            .map(|hex| met.iter().find(|met| met.touched.hex == hex));
        if let [Some(one), Some(other)] = flanking {
            judge_both_sides(hexside, one, other, say);
        }
    }
}

/// The LOS runs along a hexside with obstacles on both sides.
fn judge_both_sides(hexside: Hexside, one: &Met<'_>, other: &Met<'_>, say: &mut Findings) {
    // What does less of the two is what both do.
    match one.effect.max(other.effect) {
        Effect::None | Effect::SeenPast => {}
        Effect::HalfLevels => {
            say.not_implemented(HALF_LEVELS).on(hexside);
        }
        least @ (Effect::Blocks | Effect::Hides) => {
            let rule = if least == Effect::Blocks {
                OBSTACLE
            } else {
                BLIND_HEXES
            };
            say.blocks(rule)
                .on(hexside)
                .citing(&one.fact)
                .citing(&other.fact);
        }
    }
}

impl Met<'_> {
    /// The line meets it whatever lies on its other side.
    fn is_on_line(&self) -> bool {
        self.touched.contact == Contact::Through || self.inherent
    }
}

/// The standing obstacles between the ends, by hex; in each hex the one that does most comes first.
fn obstacles_met<'a>(line: &Line<'_>, seen: &Seen<'a>) -> Vec<Met<'a>> {
    let ends = [line.from().level(), line.to().level()];
    let mut met: Vec<Met<'a>> = Vec::new();
    for fact in seen
        .facts()
        .filter(|fact| fact.stands() && !fact.is_hypothetical())
    {
        let Fact::Obstacle { height, inherent } = fact.fact() else {
            continue;
        };
        let touched = fact.hex().and_then(|hex| line.touches(hex));
        let Some(touched) = touched.filter(Touched::lies_between) else {
            continue;
        };
        let base = line.level_of(touched.hex);
        let ranges = [line.from(), line.to()].map(|end| touched.hex.range(end.hex()));
        let effect = Obstacle { base, height }.effect(ends, ranges);
        met.push(Met {
            fact,
            touched,
            inherent,
            effect,
        });
    }
    met.sort_by_key(|met| (met.touched.hex, met.effect, met.fact.index()));
    met
}

#[cfg(test)]
mod tests {
    use super::{Effect, Obstacle};

    fn effect(base: i16, height: i16, ends: [i16; 2]) -> Effect {
        seen_from(base, height, ends, [1, 2])
    }

    fn seen_from(base: i16, height: i16, ends: [i16; 2], ranges: [u16; 2]) -> Effect {
        let obstacle = Obstacle { base, height };
        let one_way = obstacle.effect(ends, ranges);
        let other_way = obstacle.effect([ends[1], ends[0]], [ranges[1], ranges[0]]);
        assert_eq!(one_way, other_way, "LOS is reciprocal (A6.5)");
        one_way
    }

    #[test]
    fn a6_2_an_obstacle_higher_than_both_ends_blocks() {
        assert_eq!(effect(0, 2, [0, 0]), Effect::Blocks);
        assert_eq!(effect(0, 4, [0, 2]), Effect::Blocks);
    }

    #[test]
    fn a6_2_an_obstacle_as_high_as_the_higher_end_blocks_the_lower() {
        assert_eq!(effect(0, 2, [0, 2]), Effect::Blocks);
    }

    #[test]
    fn a6_2_ends_at_the_obstacles_top_see_over_it() {
        assert_eq!(effect(0, 2, [2, 2]), Effect::None);
    }

    #[test]
    fn a6_2_a_half_level_obstacle_blocks_only_at_its_base_level() {
        assert_eq!(effect(0, 1, [0, 0]), Effect::Blocks);
        assert_eq!(effect(0, 1, [0, 1]), Effect::None);
        assert_eq!(effect(0, 1, [0, 2]), Effect::None);
        assert_eq!(effect(2, 1, [2, 2]), Effect::Blocks);
    }

    #[test]
    fn a6_4_an_obstacle_below_the_higher_end_hides_what_is_near_behind_it() {
        assert_eq!(seen_from(0, 2, [0, 4], [1, 2]), Effect::Hides);
        assert_eq!(seen_from(0, 2, [0, 4], [2, 2]), Effect::SeenPast);
        assert_eq!(seen_from(0, 2, [0, 4], [2, 5]), Effect::Hides);
        assert_eq!(seen_from(0, 2, [0, 5], [1, 2]), Effect::HalfLevels);
    }
}
