//! A Hindrance that another plugin observed, in a deir (4.51): brush, which counts only with both
//! ends at the same level and one of them in a deir; and smoke, which 4.51 does not touch.
#![allow(clippy::unwrap_used)] // A test may.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use alamein_engine::{Engine, Ruleset, RulesetConfig, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_plugin_sdk::hex::Aim;
use alamein_plugin_sdk::{export_plugin, prelude::*};
use alamein_terrain as terrain;

alamein_plugin_sdk::rules! {
    BRUSH_IN = "X1.1/brush";
    SMOKE_IN = "X1.2/smoke";
}

alamein_plugin_sdk::kinds! {
    BRUSH = "brush";
    SMOKE = "smoke";
}

/// Observes brush and smoke where its layers have them.
struct Growth;

impl TerrainPlugin for Growth {
    type Options = NoOptions;
    type Map = [Vec<Hex>; 2];

    fn create(_: NoOptions, _: Log) -> Result<Self, String> {
        Ok(Self)
    }

    fn prepare(&self, map: &MapView<'_>, _: &mut Problems) -> Self::Map {
        ["brush", "smoke"].map(|name| {
            let layer = map.layer(name).into_iter();
            layer.flat_map(|layer| layer.hexes("hexes")).collect()
        })
    }

    fn survey(&self, _: &Self::Map, survey: &mut Survey<'_>) {
        survey.everything();
    }

    fn observe(&self, [brush, smoke]: &Self::Map, line: &Line<'_>, say: &mut Observations) {
        for touched in line.between() {
            if brush.contains(&touched.hex) {
                say.hindrance(BRUSH_IN, BRUSH, 1).at(touched.hex);
            }
            if smoke.contains(&touched.hex) {
                say.hindrance(SMOKE_IN, SMOKE, 2).at(touched.hex);
            }
        }
    }
}

export_plugin! {
    id: "growth",
    symbol: alamein_plugin_growth,
    plugin: Growth,
    manifest: concat!(r#"{"version": ""#, env!("CARGO_PKG_VERSION"), r#"",
        "manifest_version": 1, "id": "growth", "rules_revision": 1, "title": "",
        "layers": [{"name": "brush", "fields": [{"name": "hexes", "kind": "hexes"}]},
                   {"name": "smoke", "fields": [{"name": "hexes", "kind": "hexes"}]}],
        "rules": [{"id": "X1.1/brush", "title": "", "message": ""},
                  {"id": "X1.2/smoke", "title": "", "message": ""}]
    }"#),
    rules: RULES,
    kinds: KINDS,
}

fn hex(name: &str) -> Hex {
    Grid::geomorphic().hex(name).unwrap()
}

/// The total Hindrance between two hexes of a column with a deir in K4, K5 and K6, brush or smoke
/// in K5, and maybe one end on higher ground.
fn hindrance(what: &str, from: &str, to: &str, higher: Option<&str>) -> i16 {
    let layer = |hexes: &[&str]| {
        let hexes: BTreeSet<Hex> = hexes.iter().map(|name| hex(name)).collect();
        let fields = BTreeMap::from([("hexes".to_owned(), terrain::Field::Hexes(hexes))]);
        terrain::Layer { fields }
    };
    let mut map = terrain::Map::flat(Grid::geomorphic());
    map.layers.insert("deir".into(), layer(&["K4", "K5", "K6"]));
    map.layers.insert(what.into(), layer(&["K5"]));
    map.levels.extend(higher.map(|name| (hex(name), 1)));
    let position = terrain::Position::new(Arc::new(map), vec![], Default::default()).unwrap();
    let plugins = [
        NativePlugin::linked(&alamein_deir::alamein_plugin_deir).unwrap(),
        NativePlugin::linked(&alamein_plugin_growth).unwrap(),
    ];
    let engine = Engine::new(Ruleset::build(&plugins, &RulesetConfig::default()).unwrap()).unwrap();
    let end = |name: &str| terrain::End::Hex(Aim::centre(hex(name)));
    let ask = terrain::Ask::LineOfSight {
        from: end(from),
        to: end(to),
    };
    let questions = [terrain::Question::new(ask)];
    let rulings = engine
        .adjudicate_here(
            &engine.ruleset(),
            Arc::new(position),
            &questions,
            Wanted::default(),
        )
        .unwrap();
    rulings[0]
        .as_ref()
        .unwrap()
        .ruling
        .verdict
        .los()
        .unwrap()
        .hindrance
        .unwrap()
}

#[test]
fn f4_51_q41_brush_in_a_deir_with_both_ends_outside_does_not_count() {
    assert_eq!(hindrance("brush", "K2", "K8", None), 0);
}

#[test]
fn f4_51_q41_brush_in_a_deir_with_one_end_in_a_deir_at_the_same_level_counts() {
    assert_eq!(hindrance("brush", "K4", "K8", None), 1);
    assert_eq!(hindrance("brush", "K8", "K4", None), 1);
}

#[test]
fn f4_51_brush_in_a_deir_between_different_levels_does_not_count() {
    assert_eq!(hindrance("brush", "K4", "K8", Some("K8")), 0);
}

#[test]
fn f4_51_smoke_is_no_half_level_hindrance_and_counts_as_ever() {
    assert_eq!(hindrance("smoke", "K2", "K8", None), 2);
    assert_eq!(hindrance("smoke", "K4", "K8", Some("K8")), 2);
}
