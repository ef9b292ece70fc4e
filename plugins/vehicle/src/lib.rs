//! AFV and wrecks as terrain (D9): as a LOS Hindrance ([`hindrance`], D9.4), and as TEM for Infantry
//! in their Location ([`tem`], D9.3).

pub mod hindrance;
pub mod options;
pub mod rules;
pub mod tem;

use alamein_plugin_sdk::{export_plugin, prelude::*};

use options::Options;

/// The plugin.
#[derive(Debug)]
pub struct VehiclePlugin {
    options: Options,
}

impl TerrainPlugin for VehiclePlugin {
    type Options = Options;
    type Map = ();

    fn create(options: Options, _log: Log) -> Result<Self, String> {
        Ok(Self { options })
    }

    fn prepare(&self, _map: &MapView<'_>, _problems: &mut Problems) {}

    fn survey(&self, (): &(), survey: &mut Survey<'_>) {
        survey.counters();
    }

    const SURVEYS_SIGHT: bool = true;

    fn survey_sight(&self, (): &(), survey: &mut SightSurvey<'_>) {
        survey.counters(hindrance::MAY_HINDER);
        survey.hinders_only();
    }

    const ANSWERS_SIGHT: bool = true;

    fn answer_sight(&self, (): &(), line: &Line<'_>) -> SightAnswer {
        hindrance::answer(self.options, line)
    }

    fn observe(&self, (): &(), line: &Line<'_>, say: &mut Observations) {
        hindrance::observe(self.options, line, say);
    }

    fn object(&self, (): &(), line: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
        hindrance::object(self.options, line, seen, say);
    }

    fn judge(&self, (): &(), line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
        hindrance::judge(self.options, line, seen, say);
        tem::judge(self.options, line, say);
    }
}

export_plugin! {
    id: "vehicle",
    symbol: alamein_plugin_vehicle,
    plugin: VehiclePlugin,
    manifest: include_str!("../plugin.json"),
    rules: rules::RULES,
    kinds: rules::KINDS,
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::testkit;

    #[test]
    fn the_manifest_and_the_code_agree() {
        testkit::check_manifest(&crate::alamein_plugin_vehicle).unwrap();
    }
}
