//! Foxholes (B27) and Emplacement (C11.2): what they do for a target ([`posture`]), and whether a Gun
//! that sets up is Emplaced ([`setup`]).

pub mod posture;
pub mod rules;
pub mod setup;

use alamein_plugin_sdk::{export_plugin, prelude::*};

/// The plugin.
#[derive(Debug)]
pub struct EntrenchmentPlugin;

impl TerrainPlugin for EntrenchmentPlugin {
    type Options = NoOptions;
    type Map = ();

    fn create(_options: NoOptions, _log: Log) -> Result<Self, String> {
        Ok(Self)
    }

    fn prepare(&self, _map: &MapView<'_>, _problems: &mut Problems) {}

    fn survey(&self, (): &(), survey: &mut Survey<'_>) {
        survey.counters();
    }

    const SURVEYS_SIGHT: bool = true;

    fn survey_sight(&self, (): &(), _survey: &mut SightSurvey<'_>) {
        // Postures are observed as marks, which neither block nor Hinder.
    }

    fn observe(&self, (): &(), line: &Line<'_>, say: &mut Observations) {
        posture::observe(line, say);
    }

    fn judge(&self, (): &(), line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
        posture::judge(line, seen, say);
    }

    fn observe_setup(&self, (): &(), setup: &SetUp<'_>, say: &mut Observations) {
        setup::observe(setup, say);
    }

    fn judge_setup(&self, (): &(), setup: &SetUp<'_>, seen: &Seen<'_>, say: &mut Findings) {
        setup::judge(setup, seen, say);
    }
}

export_plugin! {
    id: "entrenchment",
    symbol: alamein_plugin_entrenchment,
    plugin: EntrenchmentPlugin,
    manifest: include_str!("../plugin.json"),
    rules: rules::RULES,
    kinds: rules::KINDS,
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::testkit;

    #[test]
    fn the_manifest_and_the_code_agree() {
        testkit::check_manifest(&crate::alamein_plugin_entrenchment).unwrap();
    }
}
