//! Deirs (F4).
//!
//! A deir is flat ground with a Lip around it. This plugin says what that does, one module for each
//! part of the rule:
//!
//! | module           | rule | what it says |
//! |------------------|------|--------------|
//! | [`lips`]         | 4.1  | which hexes are deir hexes and Lip hexes, which hexsides are Lip Hexsides |
//! | [`movement`]     | 4.3  | leaving a deir over a Lip Hexside costs a vehicle 1 MP |
//! | [`los`]          | 4.4  | who is entrenched or Emplaced in a non-Lip hex sees little past the Lip |
//! | [`protection`]   | 4.5  | +1 TEM, or HD for a vehicle, behind a Lip Hexside |
//! | [`hindrance`]    | 4.51 | half-level Hindrances in a deir |
//! | [`fire_lane`]    | 4.52 | immunity to a Fire Lane |
//! | [`setup`]        | 4.4  | which Guns that set up would have limited LOS |
//!
//! Elevation, Open Ground (4.2) and the COT of a deir hex are those of the ground around it, so
//! there is nothing to say of them here.

pub mod fire_lane;
pub mod hindrance;
pub mod lips;
pub mod los;
pub mod movement;
pub mod options;
pub mod protection;
pub mod rules;
pub mod setup;

use alamein_plugin_sdk::{export_plugin, prelude::*};

use lips::Deirs;
use options::Options;

/// The plugin.
#[derive(Debug)]
pub struct DeirPlugin {
    options: Options,
}

impl TerrainPlugin for DeirPlugin {
    type Options = Options;
    type Map = Deirs;

    fn create(options: Options, _log: Log) -> Result<Self, String> {
        Ok(Self { options })
    }

    fn prepare(&self, map: &MapView<'_>, problems: &mut Problems) -> Deirs {
        lips::read(map, problems)
    }

    fn survey(&self, deirs: &Deirs, survey: &mut Survey<'_>) {
        deirs.hexes().for_each(|hex| survey.hex(hex));
    }

    const SURVEYS_SIGHT: bool = true;

    fn survey_sight(&self, deirs: &Deirs, survey: &mut SightSurvey<'_>) {
        // 4.4 limits units that are dug in; 4.51 sets Hindrances aside, and nothing else of others.
        survey.hindrances_only();
        survey.tells_aside();
        for hex in deirs.hexes() {
            survey.unit_end(hex);
            survey.others_between(hex);
        }
    }

    const ANSWERS_SIGHT: bool = true;

    fn answer_sight(&self, deirs: &Deirs, line: &Line<'_>) -> SightAnswer {
        los::answer(deirs, line).setting_aside(hindrance::set_aside(deirs, line))
    }

    fn observe(&self, deirs: &Deirs, line: &Line<'_>, say: &mut Observations) {
        protection::observe(self.options, deirs, line, say);
    }

    fn object(&self, deirs: &Deirs, line: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
        hindrance::object(deirs, line, seen, say);
    }

    fn judge(&self, deirs: &Deirs, line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
        los::judge(deirs, line, say);
        protection::judge(self.options, deirs, line, seen, say);
        fire_lane::judge(deirs, line, seen, say);
    }

    fn observe_step(&self, deirs: &Deirs, step: &Step<'_>, say: &mut Observations) {
        movement::observe(deirs, step, say);
    }

    fn observe_setup(&self, deirs: &Deirs, setup: &SetUp<'_>, say: &mut Observations) {
        setup::observe(deirs, setup, say);
    }
}

export_plugin! {
    id: "deir",
    symbol: alamein_plugin_deir,
    plugin: DeirPlugin,
    manifest: include_str!("../plugin.json"),
    rules: rules::RULES,
    kinds: rules::KINDS,
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::testkit;

    #[test]
    fn the_manifest_and_the_code_agree() {
        let manifest = testkit::check_manifest(&crate::alamein_plugin_deir).unwrap();
        assert_eq!(manifest.layers[0].name, "deir");
        let fields: Vec<_> = manifest.layers[0]
            .fields
            .iter()
            .map(|field| field.name.as_str())
            .collect();
        assert_eq!(fields, crate::lips::FIELDS);
    }
}
