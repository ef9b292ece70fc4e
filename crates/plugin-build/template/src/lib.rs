//! A terrain of our own: Infantry in a house rule hex has TEM against Direct Fire.
//!
//! Change what is said here and you have changed the rules: [`tem`] is the rule itself, `judge` is
//! where a ruling hears of it.

pub mod rules;

use alamein_plugin_sdk::{export_plugin, prelude::*};
use serde::Deserialize;

use crate::rules::{LOCATION, NO_TEM, NOT_OPEN_GROUND, TEM};

/// What a ruleset may set. `plugin.json` says the same, with the values that are usual.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    tem: i16,
}

/// The rule: the TEM that a target of this class has in a house rule hex, if any.
#[must_use]
pub fn tem(options: &Options, is_infantry: bool, attack: Attack) -> Option<i16> {
    // Indirect Fire comes from above: no cover from that.
    (is_infantry && attack == Attack::Direct).then_some(options.tem)
}

/// The plugin. Alamein makes one of it for each ruleset, with that ruleset's options.
#[derive(Debug)]
pub struct HouseRule {
    options: Options,
}

/// What the plugin keeps of a map: in which hexes its terrain is.
#[derive(Debug)]
pub struct Terrain {
    here: HexMap<bool>,
}

impl TerrainPlugin for HouseRule {
    type Options = Options;
    type Map = Terrain;

    fn create(options: Options, _log: Log) -> Result<Self, String> {
        Ok(Self { options })
    }

    /// Looks at a map, once. `problems.error("...")` refuses one that makes no sense.
    fn prepare(&self, map: &MapView<'_>, _problems: &mut Problems) -> Terrain {
        let mut here = HexMap::new(map.grid(), false);
        if let Some(layer) = map.layer("house-rule") {
            for hex in layer.hexes("hexes") {
                here.set(hex, true);
            }
        }
        Terrain { here }
    }

    /// Says which hexes matter. About a line that touches none of them we are not asked.
    fn survey(&self, terrain: &Terrain, survey: &mut Survey<'_>) {
        survey.hexes_with(&terrain.here, &true);
    }

    /// Says what comes of a line. (`observe` and `object` come before it, and `observe_step` and its
    /// like rule on moves: the trait `TerrainPlugin` has them all.)
    fn judge(&self, terrain: &Terrain, line: &Line<'_>, _seen: &Seen<'_>, say: &mut Findings) {
        // A line that is no shot has no target.
        let Some(attack) = line.attack() else { return };
        let target = line.to();
        if !terrain.here[target.hex()] {
            return;
        }
        match tem(&self.options, target.is_infantry(), attack) {
            Some(drm) => {
                say.tem(TEM, LOCATION, drm).of_end(&target);
                say.not_open_ground(NOT_OPEN_GROUND).of_end(&target);
            }
            // Told to those who ask why they did not get it.
            None => {
                say.considered(NO_TEM).at(target.hex());
            }
        }
    }
}

export_plugin! {
    id: "house-rule",
    symbol: alamein_plugin_house_rule,
    plugin: HouseRule,
    manifest: include_str!("../plugin.json"),
    rules: rules::RULES,
    kinds: rules::KINDS,
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::{Attack, testkit};

    use super::{Options, tem};

    #[test]
    fn the_manifest_and_the_code_agree() {
        testkit::check_manifest(&crate::alamein_plugin_house_rule).unwrap();
    }

    #[test]
    fn infantry_has_cover_from_direct_fire_alone() {
        let options = Options { tem: 2 };
        assert_eq!(tem(&options, true, Attack::Direct), Some(2));
        assert_eq!(tem(&options, true, Attack::Mortar), None);
        assert_eq!(tem(&options, false, Attack::Direct), None);
    }
}
