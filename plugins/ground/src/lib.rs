//! Desert Open Ground (F1): what entering it costs, and whether the target of an attack is in Open
//! Ground. And Base Levels ([`levels`], B10).

pub mod levels;
pub mod rules;

use alamein_plugin_sdk::{export_plugin, prelude::*};

use levels::BaseLevels;
use rules::{COT, HINDERED, OPEN_GROUND};

/// The plugin.
#[derive(Debug)]
pub struct GroundPlugin;

impl TerrainPlugin for GroundPlugin {
    type Options = NoOptions;
    type Map = BaseLevels;

    fn create(_options: NoOptions, _log: Log) -> Result<Self, String> {
        Ok(Self)
    }

    fn prepare(&self, map: &MapView<'_>, _problems: &mut Problems) -> BaseLevels {
        levels::read(map)
    }

    fn survey(&self, _levels: &BaseLevels, survey: &mut Survey<'_>) {
        survey.everything();
    }

    fn judge(&self, levels: &BaseLevels, line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
        levels::judge(levels, line, say);
        if line.attack().is_some() {
            judge_open_ground(line, seen, say);
        }
    }

    fn observe_step(&self, _levels: &BaseLevels, step: &Step<'_>, say: &mut Observations) {
        // The Desert Terrain Chart: 1 MF or MP for every class. Terrain that costs more says so.
        say.cot(COT, 1).at(step.to());
    }

    fn judge_step(
        &self,
        levels: &BaseLevels,
        step: &Step<'_>,
        _seen: &Seen<'_>,
        say: &mut Findings,
    ) {
        levels::judge_step(levels, step, say);
    }
}

/// Whether the target's hex is Open Ground for an attack (A4.6): it is, unless a Hindrance lies on
/// the LOF; TEM that applies is for its own terrain to tell.
fn judge_open_ground(line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
    let target = line.to().hex();
    say.open_ground(OPEN_GROUND).at(target);
    let hindrances: Vec<_> = seen.hindrances().collect();
    if !hindrances.is_empty() {
        let mut found = say.not_open_ground(HINDERED).at(target);
        for hindrance in &hindrances {
            found = found.citing(hindrance);
        }
    }
}

export_plugin! {
    id: "ground",
    symbol: alamein_plugin_ground,
    plugin: GroundPlugin,
    manifest: include_str!("../plugin.json"),
    rules: rules::RULES,
    kinds: rules::KINDS,
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::testkit;

    #[test]
    fn the_manifest_and_the_code_agree() {
        testkit::check_manifest(&crate::alamein_plugin_ground).unwrap();
    }
}
