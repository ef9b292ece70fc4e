//! What rulings say beside their verdict: what was considered, what is contested, what is not known,
//! and what is refused.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;

use alamein_cases::{Asked, Known, parse};
use alamein_engine::{Engine, QuestionError, Ruleset, RulesetConfig, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::{FoundEffect, Ruling};
use serde_json::{Value, json};

/// What is ruled on a question, by this plugin alone, on a map with these layers.
fn ask(layers: Value, counters: Value, question: Value) -> Result<Ruling, QuestionError> {
    let plugins = [NativePlugin::linked(&alamein_ground::alamein_plugin_ground).unwrap()];
    let ruleset = Ruleset::build(&plugins, &RulesetConfig::default()).unwrap();
    let engine = Engine::new(ruleset).unwrap();
    let ruleset = engine.ruleset();
    let known = Known::of(ruleset.members().iter().map(|member| member.manifest()));
    let map = json!({"board": "33x10 geomorphic", "layers": layers});
    let case = json!({"id": "t", "map": map, "counters": counters, "questions": [question]});
    let case = parse("t.json", &case.to_string(), &known).unwrap();
    let Asked::Question(asked) = case.questions[0].asked.clone() else {
        panic!("{:?}", case.questions[0].asked)
    };
    let position = Arc::clone(&case.position);
    let mut rulings = engine
        .adjudicate_here(&ruleset, position, &[*asked], Wanted::default())
        .unwrap();
    rulings.remove(0).map(|adjudicated| adjudicated.ruling)
}

/// The rules that were considered and do not apply.
fn considered(ruling: &Ruling) -> Vec<&str> {
    let considered = ruling.considered.iter();
    considered.map(|found| &*found.by.rule).collect()
}

/// The options on which it turned.
fn contested(ruling: &Ruling) -> Vec<&str> {
    let contested = ruling.contested.iter();
    contested.map(|held| held.option.as_str()).collect()
}

/// The rules that say that something is not covered.
fn not_covered(ruling: &Ruling) -> Vec<&str> {
    let standing = ruling.standing_findings();
    let uncovered = standing.filter(|found| found.effect == FoundEffect::NotCovered);
    uncovered.map(|found| &*found.by.rule).collect()
}

/// Hammada at J4, scrub at J3, a track on J5|J6, a road on J6|J7.
fn map() -> Value {
    json!({"hammada": ["J4"], "scrub": ["J3"], "track": ["J5|J6"], "road": ["J6|J7"]})
}

fn step(from: &str, to: &str, class: &str, ec: &str) -> Result<Ruling, QuestionError> {
    let mover = json!({"class": class});
    let step = json!({"kind": "movement", "from": from, "to": to, "mover": mover, "ec": ec});
    ask(map(), json!([]), step)
}

#[test]
fn c10_3_what_pushing_a_gun_costs_is_refused() {
    let refused = step("J1", "J2", "gun", "dry").unwrap_err();
    let by_rule =
        matches!(&refused, QuestionError::NotImplemented { rule, .. } if rule == "C10.3/pushing");
    assert!(by_rule, "{refused:?}");
}

#[test]
fn f3_31_says_why_scrub_beside_hammada_owes_no_check() {
    let ruling = step("J2", "J3", "halftrack", "dry").unwrap();
    assert_eq!(considered(&ruling), ["F3.31/not-open-ground"]);
    let ruling = step("J2", "J3", "tank", "dry").unwrap();
    assert!(considered(&ruling).is_empty());
}

#[test]
fn f3_31_the_weight_of_a_truck_may_not_be_known() {
    let ruling = step("K4", "J4", "truck", "dry").unwrap();
    assert_eq!(not_covered(&ruling), ["F3.31/weight-unknown"]);
}

#[test]
fn f9_2_a_vehicle_on_a_track_may_bog_in_mud() {
    let why = |class, ec| {
        let ruling = step("J6", "J5", class, ec).unwrap();
        not_covered(&ruling).contains(&"F9.2/mud")
    };
    assert!(why("tank", "mud"));
    assert!(!why("tank", "wet"));
    assert!(!why("infantry", "mud"));
}

#[test]
fn b3_the_road_rate_of_vehicles_is_not_covered() {
    let ruling = step("J6", "J7", "tank", "dry").unwrap();
    assert_eq!(not_covered(&ruling), ["B3/vehicles"]);
    assert!(contested(&ruling).is_empty(), "nothing asks for more");
    let ruling = step("J6", "J7", "infantry", "dry").unwrap();
    assert!(not_covered(&ruling).is_empty());
}

fn setup(what: &str, hex: &str, concealment: &str) -> Ruling {
    let setup = json!({"kind": "setup", "what": what, "hex": hex, "concealment": concealment});
    ask(map(), json!([]), setup).unwrap()
}

#[test]
fn f_1a_says_why_scrub_does_not_emplace_a_gun_in_plain_view() {
    let why = setup("gun", "J3", "unconcealed");
    assert_eq!(considered(&why), ["F.1A/not-concealed"]);
    assert!(considered(&setup("gun", "J3", "concealed")).is_empty());
    assert!(considered(&setup("squad", "J3", "unconcealed")).is_empty());
}

#[test]
fn c11_2_whether_a_road_is_paved_is_not_covered() {
    for hex in ["J6", "J7"] {
        let ruling = setup("gun", hex, "hidden");
        assert_eq!(not_covered(&ruling), ["C11.2/paved"], "{hex}");
    }
    assert!(not_covered(&setup("squad", "J6", "hidden")).is_empty());
    let on_a_track = setup("gun", "J5", "hidden");
    assert!(not_covered(&on_a_track).is_empty(), "a track is no road");
}
