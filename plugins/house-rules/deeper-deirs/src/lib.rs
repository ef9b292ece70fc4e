//! Deeper deirs: a house rule that changes a number (DD1).
//!
//! F4.5 gives a target behind a Lip Hexside +1 TEM. Here it is +2. The manifest says that DD1 *replaces*
//! `F4.5/tem`, so that what is found by that rule does not count; this says what holds instead.
//!
//! When a target is behind a Lip Hexside, and whether TEM is what it gets, is not for this plugin to
//! know. Another notes it in the first round, as a mark of the kind `deir_tem`, and DD1 rests on that
//! mark. Whatever sets the mark aside sets the +2 aside with it.

use alamein_plugin_sdk::{export_plugin, prelude::*};
use serde::Deserialize;

alamein_plugin_sdk::rules! {
    TEM = "DD1/tem";
}

alamein_plugin_sdk::kinds! {
    // What is noted of a target behind a Lip Hexside that gets TEM.
    DEIR_TEM = "deir_tem";
    // TEM of one Location is exclusive: the best for the target counts.
    LOCATION = "location";
}

/// The options, as `plugin.json` describes them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The TEM behind a Lip Hexside.
    pub tem: i16,
}

/// The plugin.
#[derive(Debug)]
pub struct DeeperDeirsPlugin {
    options: Options,
}

impl TerrainPlugin for DeeperDeirsPlugin {
    type Options = Options;
    /// The deir hexes.
    type Map = Vec<Hex>;

    fn create(options: Options, _log: Log) -> Result<Self, String> {
        Ok(Self { options })
    }

    fn prepare(&self, map: &MapView<'_>, _problems: &mut Problems) -> Vec<Hex> {
        let layer = map.layer("deir").into_iter();
        layer.flat_map(|layer| layer.hexes("hexes")).collect()
    }

    fn survey(&self, deirs: &Vec<Hex>, survey: &mut Survey<'_>) {
        deirs.iter().for_each(|hex| survey.hex(*hex));
    }

    fn judge(&self, _: &Vec<Hex>, line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
        let behind_lip = |fact: &SeenFact<'_>| fact.kind() == Some(DEIR_TEM);
        for fact in seen.facts().filter(behind_lip) {
            let target = line.to();
            let mut found = say.tem(TEM, LOCATION, self.options.tem).of_end(&target);
            if let Some(lip) = fact.hexside() {
                found = found.on(lip);
            }
            found.citing(&fact);
        }
    }
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
    fn dd1_the_manifest_says_what_it_replaces() {
        let manifest = testkit::check_manifest(&crate::alamein_plugin_deeper_deirs).unwrap();
        let replaced = &manifest.rules[0].replaces;
        assert_eq!(replaced.len(), 1);
        assert!(replaced[0].names("F4.5/tem"));
        assert!(!replaced[0].names("F4.5/hull-down"));
        assert!(manifest.requires.contains_key("deir"));
    }

    #[test]
    fn dd1_is_two_unless_the_players_agree_otherwise() {
        let manifest = testkit::check_manifest(&crate::alamein_plugin_deeper_deirs).unwrap();
        let usual = manifest.options_with(&Default::default()).to_string();
        assert_eq!(usual, r#"{"tem":2}"#);
    }
}
