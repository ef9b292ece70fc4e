//! What A6, A9 and B.6 say of obstacles and Hindrances of any kind, whichever plugin observed them:
//! [`obstacles`] block, or hide [`blind_hexes`] behind them, many [`hindrances`] do too, and [`fire_lanes`] reach as far as a LOF.

pub mod blind_hexes;
pub mod fire_lanes;
pub mod hindrances;
pub mod obstacles;
pub mod options;
pub mod rules;

use alamein_plugin_sdk::{export_plugin, prelude::*};

use options::Options;

/// The plugin.
#[derive(Debug)]
pub struct SightPlugin {
    options: Options,
}

impl TerrainPlugin for SightPlugin {
    type Options = Options;
    type Map = ();

    fn create(options: Options, _log: Log) -> Result<Self, String> {
        Ok(Self { options })
    }

    fn prepare(&self, _map: &MapView<'_>, _problems: &mut Problems) {}

    fn survey(&self, (): &(), survey: &mut Survey<'_>) {
        survey.everything();
    }

    const SURVEYS_SIGHT: bool = true;

    fn survey_sight(&self, (): &(), survey: &mut SightSurvey<'_>) {
        // Obstacles on hexsides are for their own terrain to judge.
        survey.judges_hexes();
        // Vehicles of which no two are beside each other along a hexside are only counted.
        survey.limit(hindrances::BLOCKING);
    }

    fn judge(&self, (): &(), line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
        obstacles::judge(line, seen, say);
        hindrances::judge(self.options, line, seen, say);
        fire_lanes::judge(self.options, line, say);
    }
}

export_plugin! {
    id: "sight",
    symbol: alamein_plugin_sight,
    plugin: SightPlugin,
    manifest: include_str!("../plugin.json"),
    rules: rules::RULES,
    kinds: rules::KINDS,
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::testkit;

    #[test]
    fn the_manifest_and_the_code_agree() {
        testkit::check_manifest(&crate::alamein_plugin_sight).unwrap();
    }
}
