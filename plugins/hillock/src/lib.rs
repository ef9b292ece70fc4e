//! Hillocks (F6): which hexes they are and how high ([`hillocks`]), what ascending costs, and which
//! lines are refused because the rules of LOS over hillocks are not implemented ([`los`]).

pub mod hillocks;
pub mod los;
pub mod rules;

use alamein_plugin_sdk::{export_plugin, prelude::*};

use hillocks::Hillocks;
use rules::ASCENT;

/// How far a hillock rises above the Base Level, in half levels.
pub const HEIGHT: i16 = 1;

/// The plugin.
#[derive(Debug)]
pub struct HillockPlugin;

impl TerrainPlugin for HillockPlugin {
    type Options = NoOptions;
    type Map = Hillocks;

    fn create(_options: NoOptions, _log: Log) -> Result<Self, String> {
        Ok(Self)
    }

    fn prepare(&self, map: &MapView<'_>, problems: &mut Problems) -> Hillocks {
        hillocks::read(map, problems)
    }

    fn survey(&self, hillocks: &Hillocks, survey: &mut Survey<'_>) {
        for hex in hillocks.hexes() {
            survey.hex(hex);
            survey.raise(hex, HEIGHT);
        }
    }

    fn judge(&self, hillocks: &Hillocks, line: &Line<'_>, _seen: &Seen<'_>, say: &mut Findings) {
        los::judge(hillocks, line, say);
    }

    fn observe_step(&self, hillocks: &Hillocks, step: &Step<'_>, say: &mut Observations) {
        // The Desert Terrain Chart, note L: +1 MP to ascend. It is spent in the hex entered. Who
        // spends MF pays the COT alone.
        if step.spends_mp() && hillocks.ascends(step.from(), step.to()) {
            say.surcharge(ASCENT, 1).at(step.to());
        }
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
}
