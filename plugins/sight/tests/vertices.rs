//! Inherent Terrain at the vertices of a LOS (B.6), with a small plugin that observes it.
#![allow(clippy::unwrap_used)] // A test may.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use alamein_engine::{Engine, Ruleset, RulesetConfig, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_plugin_sdk::hex::Aim;
use alamein_plugin_sdk::{export_plugin, prelude::*};
use alamein_terrain as terrain;

alamein_plugin_sdk::rules! { GROVE_IN = "X1.1/grove"; }
alamein_plugin_sdk::kinds! { GROVE = "grove"; }

/// Observes an obstacle in every hex of its layer that a LOS touches.
struct Groves;

impl TerrainPlugin for Groves {
    type Options = NoOptions;
    type Map = Vec<Hex>;

    fn create(_: NoOptions, _: Log) -> Result<Self, String> {
        Ok(Self)
    }

    fn prepare(&self, map: &MapView<'_>, _: &mut Problems) -> Vec<Hex> {
        let layer = map.layer("grove").into_iter();
        layer.flat_map(|layer| layer.hexes("hexes")).collect()
    }

    fn survey(&self, _: &Vec<Hex>, survey: &mut Survey<'_>) {
        survey.everything();
    }

    fn observe(&self, groves: &Vec<Hex>, line: &Line<'_>, say: &mut Observations) {
        for touched in line.between().filter(|hex| groves.contains(&hex.hex)) {
            say.obstacle(GROVE_IN, GROVE, 2).at(touched.hex).inherent();
        }
    }
}

export_plugin! {
    id: "groves",
    symbol: alamein_plugin_groves,
    plugin: Groves,
    manifest: concat!(r#"{"version": ""#, env!("CARGO_PKG_VERSION"), r#"",
        "manifest_version": 1, "id": "groves", "rules_revision": 1, "title": "",
        "layers": [{"name": "grove", "fields": [{"name": "hexes", "kind": "hexes"}]}],
        "rules": [{"id": "X1.1/grove", "title": "", "message": ""}]
    }"#),
    rules: RULES,
    kinds: KINDS,
}

fn hex(name: &str) -> Hex {
    Grid::geomorphic().hex(name).unwrap()
}

fn vertex(name: &str, corner: u8) -> Aim {
    Aim::corner(hex(name), corner).unwrap()
}

/// Whether a grove in that hex blocks the LOS, which is the same from either end.
fn blocks(grove: &str, ends: [Aim; 2]) -> bool {
    let linked = |plugin| NativePlugin::linked(plugin).unwrap();
    let plugins = [
        linked(&alamein_sight::alamein_plugin_sight),
        linked(&alamein_plugin_groves),
    ];
    let ruleset = Ruleset::build(&plugins, &RulesetConfig::default()).unwrap();
    let engine = Engine::new(ruleset).unwrap();
    let mut map = terrain::Map::flat(Grid::geomorphic());
    let hexes = terrain::Field::Hexes(BTreeSet::from([hex(grove)]));
    let fields = BTreeMap::from([("hexes".to_owned(), hexes)]);
    map.layers
        .insert("grove".to_owned(), terrain::Layer { fields });
    let environment = terrain::Environment::default();
    let position = terrain::Position::new(Arc::new(map), Vec::new(), environment).unwrap();
    let ask = |[from, to]: [Aim; 2]| {
        let [from, to] = [from, to].map(terrain::End::Hex);
        terrain::Question::new(terrain::Ask::LineOfSight { from, to })
    };
    let questions = [ends, [ends[1], ends[0]]].map(ask);
    let rulings = engine
        .adjudicate_here(
            &engine.ruleset(),
            Arc::new(position),
            &questions,
            Wanted::default(),
        )
        .unwrap();
    let blocked: BTreeSet<bool> = rulings
        .into_iter()
        .map(|ruled| {
            let verdict = ruled.unwrap().ruling.verdict;
            verdict.los().unwrap().result == terrain::LosResult::Blocked
        })
        .collect();
    assert_eq!(blocked.len(), 1, "LOS is reciprocal (A6.5)");
    blocked.contains(&true)
}

#[test]
fn b_6_inherent_terrain_at_a_vertex_on_the_way_blocks() {
    let ends = [Aim::centre(hex("X7")), Aim::centre(hex("Z1"))];
    assert!(!blocks("Z4", ends), "that LOS does not touch Z4");
    // To the east vertex of Z1 the LOS passes a vertex of Z4.
    assert!(blocks("Z4", [Aim::centre(hex("X7")), vertex("Z1", 1)]));
}

#[test]
fn b_6_inherent_terrain_that_only_shares_the_vertex_of_an_end_does_not_block() {
    let ends = [Aim::centre(hex("X7")), vertex("Z1", 1)];
    assert!(!blocks("AA1", ends));
    // The north-east vertex of J5 is one of J4 and K5 too; J9 lies south.
    for other in [
        Aim::centre(hex("J9")),
        Aim::centre(hex("J5")),
        vertex("J5", 0),
    ] {
        assert!(!blocks("J4", [vertex("J5", 0), other]));
        assert!(!blocks("K5", [vertex("J5", 0), other]));
    }
    // North lies J1: that LOS runs through J4.
    assert!(blocks("J4", [vertex("J5", 0), Aim::centre(hex("J1"))]));
}
