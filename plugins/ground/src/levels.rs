//! Base Levels (B10).
//!
//! A hill is where the Base Level is higher. To a LOS a hill hex is a full-level obstacle as high as
//! it stands: it blocks between lower ends, and from the edge of its own level down (a higher unit
//! sees down only over a Crest Line as it leaves its hex; a lower one sees no farther than the first
//! Crest hexside of each higher level). What else it hides are Blind Hexes. Like any obstacle it is
//! judged by what A6 says.
//!
//! Infantry a full level above the firer has +1 TEM for Height Advantage. What a change of level
//! costs is not known here, and is refused.

use alamein_plugin_sdk::prelude::*;

use crate::rules::{
    HEIGHT_ADVANTAGE, HEIGHT_NOT_OPEN_GROUND, HEIGHT_UNCOVERED, HILL, HILL_LOS, HILL_MOVEMENT,
    LOCATION,
};

/// The Base Level of each hex, in full levels.
pub type BaseLevels = HexMap<i16>;

/// Keeps the Base Levels of a map.
#[must_use]
pub fn read(map: &MapView<'_>) -> BaseLevels {
    let mut levels = HexMap::new(map.grid(), 0);
    for hex in map.grid().hexes() {
        levels.set(hex, map.base_level(hex));
    }
    levels
}

/// Whether ground of this Base Level rises above the lower of two ends, whose levels are in half
/// levels.
#[must_use]
pub fn rises(base_level: i16, ends: [i16; 2]) -> bool {
    base_level.saturating_mul(2) > ends[0].min(ends[1])
}

/// Whether a target is a full level or more above a firer; levels are in half levels.
#[must_use]
pub fn has_height_advantage(firer: i16, target: i16) -> bool {
    target.saturating_sub(firer) >= 2
}

/// The hexes that may rise above the lower end of a line whose ends are not below the ground: all but
/// those of the lowest Base Level.
pub(crate) fn above_the_lowest(levels: &BaseLevels) -> impl Iterator<Item = Hex> {
    let lowest = levels.iter().map(|(_, level)| *level).min();
    let above = move |(_, level): &(Hex, &i16)| Some(**level) > lowest;
    levels.iter().filter(above).map(|(hex, _)| hex)
}

/// Observes the hill hexes between the ends that rise above the lower of them.
pub(crate) fn observe(levels: &BaseLevels, line: &Line<'_>, say: &mut Observations) {
    let ends = [line.from().level(), line.to().level()];
    for touched in line
        .between()
        .filter(|touched| rises(levels[touched.hex], ends))
    {
        // Its top is the ground itself.
        say.obstacle(HILL_LOS, HILL, 0).at(touched.hex);
    }
}

/// Gives the TEM of Height Advantage to Infantry on a hill.
pub(crate) fn judge(levels: &BaseLevels, line: &Line<'_>, say: &mut Findings) {
    let (firer, target) = (line.from(), line.to());
    let uphill = levels[target.hex()] > levels[firer.hex()];
    let Some(attack) = line.attack() else { return };
    if !uphill || !has_height_advantage(firer.level(), target.level()) || !target.is_infantry() {
        return;
    }
    if attack != Attack::Direct {
        say.not_covered(HEIGHT_UNCOVERED).of_end(&target);
        return;
    }
    say.tem(HEIGHT_ADVANTAGE, LOCATION, 1).of_end(&target);
    say.not_open_ground(HEIGHT_NOT_OPEN_GROUND).of_end(&target);
}

/// Refuses steps between Base Levels.
pub(crate) fn judge_step(levels: &BaseLevels, step: &Step<'_>, say: &mut Findings) {
    if levels[step.from()] != levels[step.to()] {
        say.not_implemented(HILL_MOVEMENT).at(step.to());
    }
}

#[cfg(test)]
mod tests {
    use super::{has_height_advantage, rises};

    #[test]
    fn b10_ground_no_higher_than_the_lower_end_does_not_rise() {
        assert!(!rises(0, [0, 0]));
        assert!(!rises(1, [2, 2]));
        assert!(!rises(0, [2, 0]));
        assert!(!rises(-1, [2, 2]));
    }

    #[test]
    fn b10_a_hill_between_rises() {
        assert!(rises(1, [0, 0]));
        assert!(rises(1, [4, 0]));
    }

    #[test]
    fn b10_31_height_advantage_needs_a_full_level() {
        assert!(has_height_advantage(0, 2));
        assert!(
            !has_height_advantage(0, 1),
            "half a level, as of a hillock, will not do"
        );
        assert!(!has_height_advantage(2, 2));
    }
}
