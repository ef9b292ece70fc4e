//! Deeper deirs: a house rule that changes a number (DD1).
//!
//! F4.5 gives a target behind a Lip Hexside +1 TEM. Here it is +2, or what the players agree on. All of
//! that stands in the manifest: DD1 *replaces* `F4.5/tem` *with* the number of an option. Whatever is
//! said by that rule is said again with that number, in the name of DD1, and what was said first does
//! not count. So there is nothing for code to say.

use alamein_plugin_sdk::{export_plugin, prelude::*};
use serde::Deserialize;

alamein_plugin_sdk::rules! {
    TEM = "DD1/tem";
}

alamein_plugin_sdk::kinds! {}

/// The options, as `plugin.json` describes them. The host reads the number there.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The TEM behind a Lip Hexside.
    pub tem: i16,
}

/// The plugin.
#[derive(Debug)]
pub struct DeeperDeirsPlugin;

impl TerrainPlugin for DeeperDeirsPlugin {
    type Options = Options;
    type Map = ();

    fn create(_: Options, _log: Log) -> Result<Self, String> {
        Ok(Self)
    }

    fn prepare(&self, _map: &MapView<'_>, _problems: &mut Problems) {}

    /// No line concerns it: F4.5 finds out whom it concerns.
    fn survey(&self, (): &(), _survey: &mut Survey<'_>) {}
}

export_plugin! {
    id: "deeper-deirs",
    symbol: alamein_plugin_deeper_deirs,
    plugin: DeeperDeirsPlugin,
    manifest: include_str!("../plugin.json"),
    rules: RULES,
    kinds: KINDS,
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::testkit;

    #[test]
    fn dd1_the_manifest_says_what_it_replaces_and_with_what() {
        let manifest = testkit::check_manifest(&crate::alamein_plugin_deeper_deirs).unwrap();
        let rule = &manifest.rules[0];
        assert_eq!(rule.replaces.len(), 1);
        assert!(rule.replaces[0].names("F4.5/tem"));
        assert!(!rule.replaces[0].names("F4.5/hull-down"));
        assert!(manifest.requires.contains_key("deir"));
        let usual = manifest.options_with(&Default::default());
        assert_eq!(rule.with.as_ref().unwrap().number(&usual), Some(2));
    }
}
