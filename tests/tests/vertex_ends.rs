//! A line may be aimed at a vertex. A hex that merely shares that vertex neither hinders nor blocks,
//! nor is it on a Fire Lane, whichever plugin's terrain it holds.
#![allow(clippy::unwrap_used)] // A test may.

use std::collections::BTreeMap;
use std::sync::Arc;

use alamein_cases::{Asked, parse};
use alamein_engine::{Engine, Ruleset, RulesetConfig, Wanted};
use alamein_terrain::{LosResult, Ruling, Verdict};
use alamein_tests::{engine, known, linked_plugins};
use serde_json::{Value, json};

/// What is around a line: levels and layers of the map, counters, and options by plugin.
#[derive(Clone)]
struct Around {
    levels: Value,
    layers: Value,
    counters: Value,
    options: Value,
}

fn around() -> Around {
    Around {
        levels: json!({}),
        layers: json!({}),
        counters: json!([]),
        options: json!({}),
    }
}

impl Around {
    fn ask(&self, question: Value) -> Ruling {
        let plugins = linked_plugins().unwrap();
        let options: BTreeMap<_, _> = serde_json::from_value(self.options.clone()).unwrap();
        let config = RulesetConfig {
            options,
            ..RulesetConfig::default()
        };
        let known = known(&engine(&plugins).unwrap());
        let engine = Engine::new(Ruleset::build(&plugins, &config).unwrap()).unwrap();
        let map =
            json!({"board": "33x10 geomorphic", "levels": self.levels, "layers": self.layers});
        let case =
            json!({"id": "t", "map": map, "counters": self.counters, "questions": [question]});
        let case = parse("t.json", &case.to_string(), &known).unwrap();
        let Asked::Question(asked) = case.questions[0].asked.clone() else {
            panic!("{:?}", case.questions[0].asked)
        };
        let position = Arc::clone(&case.position);
        let rulings =
            engine.adjudicate_here(&engine.ruleset(), position, &[*asked], Wanted::default());
        rulings.unwrap().remove(0).unwrap().ruling
    }

    fn sight(&self, from: &Value, to: &Value) -> Ruling {
        self.ask(json!({"kind": "line_of_sight", "from": from, "to": to}))
    }

    /// In J4 and K5, which share the north-east vertex of J5, this is as good as absent for a LOS from
    /// there to the south; on the LOS, in J7, it is not.
    fn matters_only_between(of: impl Fn([&str; 2]) -> Self) {
        let (vertex, south) = (json!({"hex": "J5", "corner": 0}), json!("J9"));
        let beside = of(["J4", "K5"]);
        for (from, to) in [(&vertex, &south), (&south, &vertex)] {
            let ruling = beside.sight(from, to);
            assert_eq!(ruling.verdict.los().unwrap().result, LosResult::Clear);
            assert_eq!(ruling.observations, [], "{from} to {to}");
            assert_eq!(ruling.contested, [], "{from} to {to}");
            let between = of(["J7", "J7"]).sight(from, to);
            assert_ne!(between.verdict.los().unwrap().result, LosResult::Clear);
        }
    }
}

#[test]
fn b10_a_hill_that_shares_the_vertex_of_an_end_is_not_between() {
    Around::matters_only_between(|hexes| Around {
        levels: json!({hexes[0]: 1, hexes[1]: 1}),
        ..around()
    });
}

#[test]
fn f7_5_a_high_dune_that_shares_the_vertex_of_an_end_is_not_between() {
    Around::matters_only_between(|hexes| Around {
        layers: json!({"sand": hexes, "high_dune": hexes}),
        ..around()
    });
}

#[test]
fn f6_4_a_hillock_that_shares_the_vertex_of_an_end_is_not_between() {
    Around::matters_only_between(|hexes| Around {
        layers: json!({"hillock": hexes}),
        ..around()
    });
}

#[test]
fn d9_4_a_vehicle_that_shares_the_vertex_of_an_end_does_not_hinder() {
    for vertex_contact in ["hinders", "no_hindrance"] {
        Around::matters_only_between(|hexes| Around {
            counters: json!([
                {"id": "tank", "class": "tank", "hex": hexes[0], "side": "axis"},
                {"id": "wreck", "class": "wreck", "hex": hexes[1]}]),
            options: json!({"vehicle": {"vertex_contact": vertex_contact}}),
            ..around()
        });
    }
}

#[test]
fn f4_4_a_deir_that_shares_the_vertex_of_an_end_does_not_block() {
    // Whoever is entrenched in the middle of a deir sees nothing beyond it; here one end only shares a
    // vertex with such a deir.
    let dug = json!([{"id": "dug", "class": "squad", "hex": "J9", "side": "axis",
        "entrenched": true}]);
    let sees = |deir: &[&str]| {
        let around = Around {
            layers: json!({"deir": deir}),
            counters: dug.clone(),
            ..around()
        };
        let ruling = around.sight(&json!({"hex": "J5", "corner": 0}), &json!("dug"));
        ruling.verdict.los().unwrap().result == LosResult::Clear
    };
    assert!(sees(&["J4", "K5"]));
    let around_dug = ["J8", "J9", "J10", "I9", "I10", "K9", "K10"];
    assert!(!sees(&around_dug), "it does block from inside of one");
}

#[test]
fn a9_22_a_hex_that_shares_the_vertex_at_which_the_mg_is_is_not_on_the_lane() {
    for contact in ["on_lane", "off_lane"] {
        let around = Around {
            options: json!({"sight": {"lane_vertex_contact": contact}}),
            ..around()
        };
        let lane = |mover: &str| {
            let mg = json!({"hex": "J5", "corner": 0});
            let ruling = around.ask(json!({"kind": "fire_lane", "mg": mg, "counter_hex": "J9",
                "mover_hex": mover, "mover": "infantry"}));
            let Verdict::FireLane(_, lane) = &ruling.verdict else {
                panic!("{:?}", ruling.verdict)
            };
            (lane.on_lane, ruling.contested.len())
        };
        assert_eq!(lane("J4"), (false, 0), "{contact}");
        assert_eq!(lane("K5"), (false, 0), "{contact}");
        assert_eq!(lane("J7"), (true, 0), "{contact}");
    }
}
