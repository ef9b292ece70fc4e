//! Sand and Sand Dunes (F7).
//!
//! Sand is Open Ground that is hard to move in. Dunes are sand with Dune Crests on some hexsides. This
//! plugin says what they do, one module for each part of the rule:
//!
//! | module         | rule      | what it says |
//! |----------------|-----------|--------------|
//! | [`sands`]      | 7.1, 7.5  | which hexes are sand, which hexsides are Dune Crests |
//! | [`movement`]   | 7.3, 7.5  | what entering sand, and crossing a Dune Crest, costs |
//! | [`bog`]        | 7.31      | which vehicles owe a Sand Bog DR, and with which DRM |
//! | [`attacks`]    | 7.4       | which attacks have half their FP |
//! | [`digging`]    | 7.41, 7.42 | TEM of foxholes and of Emplaced Guns in sand |
//! | [`los`]        | 7.5       | which Dune Crests block a LOS; High Dunes as obstacles |
//! | [`protection`] | 7.5       | +1 TEM behind a Dune Crest |
//! | [`setup`]      | 7.41, 7.42, 8.2 | which Guns may be Emplaced in sand, and what may not be there |
//!
//! Otherwise sand is Open Ground to fire, and no obstacle, so there is nothing to say of it there.

pub mod attacks;
pub mod bog;
pub mod digging;
pub mod los;
pub mod movement;
pub mod options;
pub mod protection;
pub mod rules;
pub mod sands;
pub mod setup;

use alamein_plugin_sdk::{export_plugin, prelude::*};

use options::Options;
use sands::Sands;

/// The plugin.
#[derive(Debug)]
pub struct SandPlugin {
    options: Options,
}

impl TerrainPlugin for SandPlugin {
    type Options = Options;
    type Map = Sands;

    fn create(options: Options, _log: Log) -> Result<Self, String> {
        Ok(Self { options })
    }

    fn prepare(&self, map: &MapView<'_>, problems: &mut Problems) -> Sands {
        sands::read(map, problems)
    }

    fn survey(&self, sands: &Sands, survey: &mut Survey<'_>) {
        sands.concerned().for_each(|hex| survey.hex(hex));
    }

    const SURVEYS_SIGHT: bool = true;

    fn survey_sight(&self, sands: &Sands, survey: &mut SightSurvey<'_>) {
        // What is set aside of others are postures, which neither block nor Hinder.
        for hex in sands.concerned() {
            if sands.has_crest(hex) || sands.is_high_dune(hex) {
                survey.between(hex);
            }
            if sands.is_high_dune(hex) {
                survey.end(hex);
            }
        }
    }

    const ANSWERS_SIGHT: bool = true;

    fn answer_sight(&self, sands: &Sands, line: &Line<'_>) -> SightAnswer {
        los::answer(sands, line)
    }

    fn observe(&self, sands: &Sands, line: &Line<'_>, say: &mut Observations) {
        los::observe(sands, line, say);
    }

    fn object(&self, sands: &Sands, line: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
        digging::object(sands, line, seen, say);
    }

    fn judge(&self, sands: &Sands, line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
        los::judge(self.options, sands, line, seen, say);
        protection::judge(self.options, sands, line, say);
        digging::judge(line, seen, say);
        attacks::judge(self.options, sands, line, say);
    }

    fn observe_step(&self, sands: &Sands, step: &Step<'_>, say: &mut Observations) {
        movement::observe(sands, step, say);
        bog::observe(sands, step, say);
    }

    fn object_to_step(
        &self,
        _sands: &Sands,
        _step: &Step<'_>,
        seen: &Seen<'_>,
        say: &mut Objections,
    ) {
        movement::object(seen, say);
    }

    fn judge_step(&self, sands: &Sands, step: &Step<'_>, seen: &Seen<'_>, say: &mut Findings) {
        bog::judge(sands, step, seen, say);
    }

    fn observe_setup(&self, sands: &Sands, setup: &SetUp<'_>, say: &mut Observations) {
        setup::observe(sands, setup, say);
    }

    fn judge_setup(&self, sands: &Sands, setup: &SetUp<'_>, _seen: &Seen<'_>, say: &mut Findings) {
        setup::judge(self.options, sands, setup, say);
    }
}

export_plugin! {
    id: "sand",
    symbol: alamein_plugin_sand,
    plugin: SandPlugin,
    manifest: include_str!("../plugin.json"),
    rules: rules::RULES,
    kinds: rules::KINDS,
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::testkit;

    #[test]
    fn the_manifest_and_the_code_agree() {
        testkit::check_manifest(&crate::alamein_plugin_sand).unwrap();
    }

    #[test]
    fn every_option_is_contested_and_says_why() {
        let manifest = testkit::check_manifest(&crate::alamein_plugin_sand).unwrap();
        for option in manifest.options() {
            assert!(option.contested.is_some(), "{}", option.name);
            let named = Some(&option.name);
            let told = manifest
                .rules
                .iter()
                .any(|rule| rule.option.as_ref() == named);
            assert!(told, "{}", option.name);
        }
    }
}
