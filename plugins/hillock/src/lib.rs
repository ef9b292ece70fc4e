//! Hillocks (F6).
//!
//! A hillock is Open Ground that stands half a level high. This plugin says what that does, one
//! module for each part of the rule:
//!
//! | module         | what it says |
//! |----------------|--------------|
//! | [`hillocks`]   | which hexes are hillock hexes, and which of them are one hillock |
//! | [`course`]     | which hillocks a LOS is on, which are adjacent to its ends, which lie between |
//! | [`los`]        | which hillocks block a LOS |
//! | [`half_level`] | which other half-level obstacles do, as seen from a hillock |
//! | [`hindrance`]  | which Hindrances count, as seen from a hillock |
//! | [`protection`] | +1 TEM, or HD for a vehicle, behind a hillock |
//! | [`movement`]   | ascending a hillock costs a vehicle 1 MP |
//! | [`summit`]     | what a Summit does is not known here, and a ruling that meets one says so |
//!
//! LOS over hillocks is a rule about the whole line: it counts hillocks from one end to the other
//! and depends on where both ends are. So no hillock hex is judged by itself. They are observed as
//! obstacles, like any other, then set aside for 6.4, which blocks in its own name.

pub mod course;
pub mod half_level;
pub mod hillocks;
pub mod hindrance;
pub mod los;
pub mod movement;
pub mod options;
pub mod protection;
pub mod rules;
pub mod summit;

use alamein_plugin_sdk::{export_plugin, prelude::*};

use hillocks::Hillocks;
use options::Options;

/// The plugin.
#[derive(Debug)]
pub struct HillockPlugin {
    options: Options,
}

impl TerrainPlugin for HillockPlugin {
    type Options = Options;
    type Map = Hillocks;

    fn create(options: Options, _log: Log) -> Result<Self, String> {
        Ok(Self { options })
    }

    fn prepare(&self, map: &MapView<'_>, problems: &mut Problems) -> Hillocks {
        hillocks::read(map, problems)
    }

    fn survey(&self, hillocks: &Hillocks, survey: &mut Survey<'_>) {
        for hex in hillocks.hexes() {
            survey.hex(hex);
            survey.raise(hex, los::HEIGHT);
        }
    }

    const SURVEYS_SIGHT: bool = true;

    fn survey_sight(&self, hillocks: &Hillocks, survey: &mut SightSurvey<'_>) {
        for hex in hillocks.hexes() {
            survey.between(hex);
            // From a hillock 6.4 decides about the half-level obstacles and Hindrances of others too. Which AFV
            // and wrecks do not Hinder it tells.
            survey.others_at_end(hex);
            if hillocks.is_summit(hex) {
                survey.end(hex);
            }
        }
        survey.tells_aside();
    }

    const ANSWERS_SIGHT: bool = true;

    fn answer_sight(&self, hillocks: &Hillocks, line: &Line<'_>) -> SightAnswer {
        los::answer(self.options, hillocks, line)
    }

    fn observe(&self, hillocks: &Hillocks, line: &Line<'_>, say: &mut Observations) {
        los::observe(hillocks, line, say);
    }

    fn object(&self, hillocks: &Hillocks, line: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
        los::object(hillocks, line, seen, say);
        hindrance::object(self.options, hillocks, line, seen, say);
    }

    fn judge(&self, hillocks: &Hillocks, line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
        let los = los::judge(self.options, hillocks, line, seen, say);
        if los && !line.obstacles_only() {
            hindrance::judge(self.options, hillocks, line, seen, say);
            protection::judge(self.options, hillocks, line, say);
        }
        summit::judge(hillocks, line, say);
    }

    fn observe_step(&self, hillocks: &Hillocks, step: &Step<'_>, say: &mut Observations) {
        movement::observe(hillocks, step, say);
    }

    fn judge_step(&self, hillocks: &Hillocks, step: &Step<'_>, _: &Seen<'_>, say: &mut Findings) {
        summit::judge_step(hillocks, step, say);
    }
}

export_plugin! {
    id: "hillock",
    symbol: alamein_plugin_hillock,
    plugin: HillockPlugin,
    manifest: include_str!("../plugin.json"),
    rules: rules::RULES,
    kinds: rules::KINDS,
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::testkit;

    #[test]
    fn the_manifest_and_the_code_agree() {
        testkit::check_manifest(&crate::alamein_plugin_hillock).unwrap();
    }

    #[test]
    fn every_option_is_contested_and_says_why() {
        let manifest = testkit::check_manifest(&crate::alamein_plugin_hillock).unwrap();
        for option in manifest.options() {
            assert!(option.contested.is_some(), "{}", option.name);
            let told =
                |rule: &alamein_terrain::RuleSpec| rule.option.as_ref() == Some(&option.name);
            assert!(manifest.rules.iter().any(told), "{}", option.name);
        }
    }
}
