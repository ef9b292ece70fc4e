//! No HD behind a Lip: a house rule that forbids (NL1).
//!
//! By F4.5 a vehicle behind a Lip Hexside may claim HD. Here it may not, or not against fire from close
//! by. This is an *objection*: that the target is behind a Lip Hexside, and would get HD for it, is noted
//! in the first round by another plugin, as a mark of the kind `deir_hull_down`; NL1 sets that mark
//! aside, and all that rests on it falls.

use alamein_plugin_sdk::{export_plugin, prelude::*};
use serde::Deserialize;

alamein_plugin_sdk::rules! {
    NO_HULL_DOWN = "NL1/no-hull-down";
    FAR = "NL1/far";
}

alamein_plugin_sdk::kinds! {
    // What is noted of a target behind a Lip Hexside that gets HD.
    DEIR_HULL_DOWN = "deir_hull_down";
}

/// The options, as `plugin.json` describes them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// At how many hexes from the firer, and closer, there is no HD.
    pub within_hexes: u16,
}

/// The plugin.
#[derive(Debug)]
pub struct NoLipHdPlugin {
    options: Options,
}

impl TerrainPlugin for NoLipHdPlugin {
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

    fn object(&self, _: &Vec<Hex>, line: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
        if line.range() <= self.options.within_hexes {
            for fact in hull_down(seen) {
                say.set_aside(&fact, NO_HULL_DOWN);
            }
        }
    }

    fn judge(&self, _: &Vec<Hex>, line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
        if line.range() > self.options.within_hexes {
            for lip in hull_down(seen).filter_map(|fact| fact.hexside()) {
                say.considered(FAR).on(lip);
            }
        }
    }
}

/// What is noted of a vehicle behind a Lip Hexside.
fn hull_down<'a>(seen: &Seen<'a>) -> impl Iterator<Item = SeenFact<'a>> {
    seen.facts()
        .filter(|fact| fact.kind() == Some(DEIR_HULL_DOWN))
}

export_plugin! {
    id: "no-lip-hd",
    symbol: alamein_plugin_no_lip_hd,
    plugin: NoLipHdPlugin,
    manifest: include_str!("../plugin.json"),
    rules: RULES,
    kinds: KINDS,
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::testkit;

    #[test]
    fn nl1_the_manifest_and_the_code_agree() {
        let manifest = testkit::check_manifest(&crate::alamein_plugin_no_lip_hd).unwrap();
        assert!(manifest.requires.contains_key("deir"));
        let replaces = manifest.rules.iter().any(|rule| !rule.replaces.is_empty());
        assert!(!replaces, "it objects, and replaces nothing");
    }
}
