//! What rulings say beside their verdict: what was considered, what is contested, what is not known.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;

use alamein_cases::{Asked, Known, parse};
use alamein_engine::{Engine, QuestionError, Ruleset, RulesetConfig, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::{FoundEffect, Ruling, Verdict};
use serde_json::{Value, json};

/// What is ruled on a question, by this plugin alone, on a map with these layers.
fn ask(layers: Value, counters: Value, question: Value) -> Result<Ruling, QuestionError> {
    let plugins = [NativePlugin::linked(&alamein_sand::alamein_plugin_sand).unwrap()];
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

/// The ruling on a shot at a unit in J4, with a Dune Crest on J4|J5.
fn fire(from: &str, class: &str, attack: &str) -> Ruling {
    let target = json!([{"id": "t", "class": class, "hex": "J4", "side": "axis"}]);
    let shot = json!({"kind": "line_of_fire", "from": from, "to": "t", "attack": attack});
    ask(dunes(), target, shot).unwrap()
}

fn dunes() -> Value {
    json!({"sand": ["J4", "J5", "N4"], "high_dune": ["N4"], "dune_crest": ["J4|J5"]})
}

fn sight(from: &str, to: &str) -> Ruling {
    let line = json!({"kind": "line_of_sight", "from": from, "to": to});
    ask(dunes(), json!([]), line).unwrap()
}

fn step(from: &str, to: &str, mover: Value) -> Ruling {
    let step = json!({"kind": "movement", "from": from, "to": to, "mover": mover});
    ask(dunes(), json!([]), step).unwrap()
}

#[test]
fn f7_5_says_why_a_crest_does_not_protect() {
    let why = |from, attack| considered(&fire(from, "squad", attack)).join(" ");
    assert!(why("J9", "mortar").contains("F7.5/indirect"));
    assert!(!why("J9", "direct").contains("F7.5/indirect"));
    let behind = ask(
        dunes(),
        json!([{"id": "t", "class": "squad", "hex": "J6", "side": "axis"}]),
        json!({"kind": "line_of_fire", "from": "J4", "to": "t", "attack": "direct"}),
    );
    assert!(considered(&behind.unwrap()).contains(&"F7.5/not-of-target"));
}

#[test]
fn f7_5_a_shared_crest_is_contested() {
    assert_eq!(
        contested(&fire("J5", "squad", "direct")),
        ["shared_crest_protects"]
    );
    assert!(contested(&fire("J6", "squad", "direct")).is_empty());
}

#[test]
fn f7_5_what_a_vehicle_gets_behind_a_crest_is_not_covered() {
    let ruling = fire("J9", "tank", "direct");
    assert_eq!(not_covered(&ruling), ["F7.5/vehicle"]);
    assert_eq!(contested(&ruling), ["vehicle_behind_crest"]);
}

#[test]
fn f7_5_says_why_a_crest_does_not_block() {
    assert!(considered(&sight("J3", "J5")).contains(&"F7.5/at-end"));
    assert!(considered(&sight("J3", "J7")).is_empty(), "it does");
}

#[test]
fn f7_5_how_high_one_stands_on_a_high_dune_is_not_covered() {
    assert_eq!(not_covered(&sight("N1", "N4")), ["F7.5/on-high-dune"]);
    assert!(not_covered(&sight("N1", "N8")).is_empty());
}

#[test]
fn f7_31_says_what_of_the_drm_is_not_known() {
    let why = |mover| not_covered(&step("I4", "J4", mover)).join(" ");
    assert_eq!(why(json!({"class": "wagon"})), "F7.31/wagon");
    assert_eq!(why(json!({"class": "tank"})), "F7.31/pressure-unknown");
    let truck = json!({"class": "truck", "ground_pressure": "low"});
    assert_eq!(why(truck), "F7.31/weight-unknown");
    assert_eq!(why(json!({"class": "tank", "ground_pressure": "low"})), "");
    let turn = json!({"kind": "vca_change", "hex": "J4", "hexsides": 1,
        "mover": {"class": "tank", "ground_pressure": "low"}});
    let ruling = ask(dunes(), json!([]), turn).unwrap();
    assert_eq!(not_covered(&ruling), ["F7.31/entry-unknown"]);
}

#[test]
fn f7_31_says_why_there_is_no_check() {
    let ruling = step("I4", "J4", json!({"class": "motorcycle"}));
    assert_eq!(considered(&ruling), ["F7.31/motorcycle"]);
}

fn setup(what: &str, hex: &str) -> Ruling {
    let setup = json!({"kind": "setup", "what": what, "hex": hex});
    ask(dunes(), json!([]), setup).unwrap()
}

#[test]
fn f7_42_wire_and_mines_in_sand_are_contested() {
    for what in ["wire", "mines"] {
        assert_eq!(contested(&setup(what, "J4")), ["wire_and_mines"]);
        assert!(contested(&setup(what, "J2")).is_empty());
    }
    assert!(contested(&setup("foxhole", "J4")).is_empty());
}

#[test]
fn f7_42_sand_alone_does_not_know_what_else_may_set_up() {
    let Verdict::SetUp(verdict) = setup("squad", "J4").verdict else {
        panic!("a set-up")
    };
    assert_eq!((verdict.allowed, verdict.emplacement), (None, None));
}
