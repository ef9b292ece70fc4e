//! Base Levels (B10).
//!
//! The rules of hills are not known here: Crest Lines, Height Advantage, what a change of level
//! costs. What turns on them is refused rather than answered wrongly. A LOS that stays above the
//! lower of its ends' Base Levels needs none of them.

use alamein_plugin_sdk::prelude::*;

use crate::rules::{HEIGHT_ADVANTAGE, HILL_LOS, HILL_MOVEMENT};

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

/// Whether ground of this Base Level between two ends rises above the lower of them.
#[must_use]
pub fn rises(between: i16, ends: [i16; 2]) -> bool {
    between > ends[0].min(ends[1])
}

/// Refuses lines over hills, and shots at a target with Height Advantage.
pub(crate) fn judge(levels: &BaseLevels, line: &Line<'_>, say: &mut Findings) {
    let ends = [levels[line.from().hex()], levels[line.to().hex()]];
    for touched in line
        .between()
        .filter(|touched| rises(levels[touched.hex], ends))
    {
        say.not_implemented(HILL_LOS).at(touched.hex);
    }
    if line.attack().is_some() && rises(ends[1], ends) {
        say.not_implemented(HEIGHT_ADVANTAGE).of_end(&line.to());
    }
}

/// Refuses steps between Base Levels.
pub(crate) fn judge_step(levels: &BaseLevels, step: &Step<'_>, say: &mut Findings) {
    if levels[step.from()] != levels[step.to()] {
        say.not_implemented(HILL_MOVEMENT).at(step.to());
    }
}

#[cfg(test)]
mod tests {
    use super::rises;

    #[test]
    fn b10_flat_ground_does_not_rise() {
        assert!(!rises(0, [0, 0]));
        assert!(!rises(1, [1, 1]));
    }

    #[test]
    fn b10_lower_ground_between_does_not_rise() {
        assert!(!rises(0, [1, 0]));
        assert!(!rises(-1, [1, 1]));
    }

    #[test]
    fn b10_a_hill_between_rises() {
        assert!(rises(1, [0, 0]));
        assert!(rises(1, [2, 0]));
    }
}
