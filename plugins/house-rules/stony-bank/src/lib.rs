//! Stony wadi banks: a house rule that brings a terrain of its own.
//!
//! | module         | rule     | what it says |
//! |----------------|----------|--------------|
//! | [`banks`]      | SB1      | which hexes are bank hexes, and on which hexsides their bank drops off |
//! | [`shelter`]    | SB2, SB3 | +1 TEM against fire that comes over the bank, +2 behind piled stones |
//! | [`hindrance`]  | SB4      | what stands behind a bank does not Hinder a LOS over it |
//! | [`movement`]   | SB5, SB6 | what it costs to go over, who may not, and what a road changes |
//!
//! README.md has the rules as players read them.

pub mod banks;
pub mod hindrance;
pub mod movement;
pub mod options;
pub mod rules;
pub mod shelter;

use alamein_plugin_sdk::{export_plugin, prelude::*};

use banks::Banks;
use options::Options;

/// The plugin.
#[derive(Debug)]
pub struct StonyBankPlugin {
    options: Options,
}

impl TerrainPlugin for StonyBankPlugin {
    type Options = Options;
    type Map = Banks;

    fn create(options: Options, _log: Log) -> Result<Self, String> {
        Ok(Self { options })
    }

    fn prepare(&self, map: &MapView<'_>, problems: &mut Problems) -> Banks {
        banks::read(map, problems)
    }

    fn survey(&self, banks: &Banks, survey: &mut Survey<'_>) {
        banks.hexes().for_each(|hex| survey.hex(hex));
    }

    fn object(&self, banks: &Banks, line: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
        hindrance::object(banks, line, seen, say);
    }

    fn judge(&self, banks: &Banks, line: &Line<'_>, _seen: &Seen<'_>, say: &mut Findings) {
        shelter::judge(self.options, banks, line, say);
    }

    fn observe_step(&self, banks: &Banks, step: &Step<'_>, say: &mut Observations) {
        movement::observe(banks, step, say);
    }

    fn object_to_step(&self, _: &Banks, _: &Step<'_>, seen: &Seen<'_>, say: &mut Objections) {
        movement::object(seen, say);
    }

    fn judge_step(&self, _: &Banks, _: &Step<'_>, seen: &Seen<'_>, say: &mut Findings) {
        movement::judge(seen, say);
    }
}

export_plugin! {
    id: "stony-bank",
    symbol: alamein_plugin_stony_bank,
    plugin: StonyBankPlugin,
    manifest: include_str!("../plugin.json"),
    rules: rules::RULES,
    kinds: rules::KINDS,
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::testkit;

    #[test]
    fn the_manifest_and_the_code_agree() {
        let manifest = testkit::check_manifest(&crate::alamein_plugin_stony_bank).unwrap();
        assert_eq!(manifest.layers[0].name, crate::banks::LAYER);
        assert_eq!(
            format!("{}.{}", manifest.id, manifest.attributes[0].name),
            crate::shelter::PILED_STONES
        );
    }
}
