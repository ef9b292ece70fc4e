//! Writing case files: what was written is read as the same.

use crate::common::{fire, known, los, manifest, ruling, tem};
use alamein_cases::{Asked, Export, Exported, Outcome, Said, Settings, judge, parse, write};
use alamein_terrain::{Adjudicated, Canon, Digest, GrazingPolicy, LosResult, Question, Ruling};
use serde_json::{Value, json};

/// A case with everything that a case can have.
fn everything() -> Value {
    json!({
        "id": "all",
        "map": {
            "board": {"columns": 12, "rows": 8}, "base_level": 1, "levels": {"C3": 2, "C4": -1},
            "layers": {
                "bog": {"hexes": ["C3", "D3"], "rims": ["C3|C4"], "bog_of": {"C3": 1},
                        "depths": {"C3|C4": 7}},
                "rim": [], "scrub": ["E5"], "wall": ["E5|E6", "A1|N"],
                "odd": {"none": {"kind": "hexsides", "values": []},
                        "nothing": {"kind": "hexside_values", "values": {}}, "no": {}}}},
        "counters": [
            {"id": "A", "class": "tank", "hex": "C3", "side": "british", "crew_exposed": true,
             "facing": 4, "known_to": ["british", "free french"]},
            {"id": "B3", "class": "leader", "hex": "C3", "aboard": "A", "height": -1,
             "attributes": {"bog.sunk": 3}}],
        "fire_lanes": [{"mg": "A", "hex": "H3"}, {"mg": "B3", "hex": "E3"}],
        "ec": "wet",
        "questions": [
            {"id": "1", "kind": "line_of_sight", "from": "B3", "to": {"hex": "B3"}},
            {"id": "2", "kind": "line_of_sight", "from": {"counter": "A", "corner": 2},
             "to": {"hex": "C6", "corner": 5}, "policy": "BOTH", "ignore_layers": ["x"]},
            {"id": "3", "kind": "line_of_fire", "from": "P", "to": "A", "attack": "indirect",
             "probes": [{"id": "P", "class": "wreck", "hex": "D4", "burning": true}]},
            {"id": "4", "kind": "line_of_fire", "from": "A", "to": "D5", "attack": "oba"},
            {"id": "5", "kind": "fire_lane", "mg": "A", "counter_hex": "H3", "mover_hex": "E3",
             "mover": "cavalry"},
            {"id": "6", "kind": "movement", "from": "C3", "to": "C4", "ec": "dry",
             "mover": {"class": "armored_car", "ground_pressure": "low", "weight_tons": 4.321,
                       "british_built": true}},
            {"id": "7", "kind": "movement", "from": "C3", "to": "C4",
             "mover": {"class": "infantry"}},
            {"id": "8", "kind": "setup", "what": "gun", "hex": "C3", "concealment": "concealed",
             "beneath": "foxhole"},
            {"id": "9", "kind": "setup", "what": "gun", "hex": "C3"},
            {"id": "10", "kind": "setup", "what": "mines", "hex": "C4"}],
    })
}

fn asked(asked: &Asked) -> &Question {
    match asked {
        Asked::Question(question) => question,
        other => panic!("{other:?}"),
    }
}

fn canonical(question: &Question) -> Vec<u8> {
    let mut canon = Canon::default();
    canon.put(question);
    canon.into_bytes()
}

#[test]
fn what_was_written_is_read_as_the_same() {
    let known = known();
    let case = parse("all.json", &everything().to_string(), &known).unwrap();
    assert!(case.strangers.is_empty(), "{:?}", case.strangers);
    let tank = case.position.counter("A").unwrap();
    assert_eq!((tank.facing, tank.known_to.len()), (Some(4), 2));
    assert_eq!(case.position.fire_lanes().len(), 2);
    let ruled = Adjudicated {
        ruling: ruling(fire(los(LosResult::Clear, Some(0), &[])), vec![]),
        other_policies: vec![],
    };
    let rulings: Vec<Exported<'_>> = case
        .questions
        .iter()
        .map(|q| Exported {
            id: &q.id,
            question: asked(&q.asked),
            ruled: &ruled,
        })
        .collect();
    let set = json!({"deep": true});
    let settings = Settings::differing(GrazingPolicy::Both, [(&manifest(), &set)]);
    let export = Export {
        id: "all",
        position: &case.position,
        rulings: &rulings,
        settings: &settings,
        fingerprint: Digest::of(b"rules"),
    };
    let text = write(&export, &known);
    let again = parse("again.json", &text, &known).unwrap();
    assert_eq!(again.id, "all");
    assert_eq!(again.position.id(), case.position.id());
    assert_eq!(again.settings, settings);
    assert!(again.strangers.is_empty(), "{:?}", again.strangers);
    assert_eq!(again.questions.len(), case.questions.len());
    for (one, other) in case.questions.iter().zip(&again.questions) {
        let (one, other) = (asked(&one.asked), asked(&other.asked));
        assert_eq!(canonical(one), canonical(other), "{one:?} {other:?}");
    }
    // And so on: writing what was read writes the same.
    let export = Export {
        position: &again.position,
        ..export
    };
    assert_eq!(write(&export, &known), text);
}

#[test]
fn a_written_file_expects_what_was_ruled() {
    let known = known();
    let mut blocked = los(LosResult::Blocked, None, &["A"]);
    blocked.blocked_by = vec!["X9".into()];
    let rulings = [
        ruling(
            fire(los(LosResult::Hindered, Some(2), &["A"])),
            vec![tem("X1.1/tem", 2, true)],
        ),
        ruling(fire(blocked), vec![]),
    ];
    let case = parse("all.json", &everything().to_string(), &known).unwrap();
    for (at, one) in rulings.iter().enumerate() {
        let other = Ruling {
            policy: GrazingPolicy::Both,
            ..rulings[1 - at].clone()
        };
        let ruled = Adjudicated {
            ruling: one.clone(),
            other_policies: vec![(GrazingPolicy::Both, other)],
        };
        let question = asked(&case.questions[3].asked);
        let export = Export {
            id: "one",
            position: &case.position,
            rulings: &[Exported {
                id: "q",
                question,
                ruled: &ruled,
            }],
            settings: &Settings::default(),
            fingerprint: Digest::of(b"rules"),
        };
        let text = write(&export, &known);
        let again = parse("again.json", &text, &known).unwrap();
        let expected = again.questions[0].expected.as_ref().unwrap();
        assert_eq!(expected.others.len(), 1);
        let said = Said::Ruled(Box::new(ruled));
        assert_eq!(
            judge(&again.questions[0], &said, &known, false),
            Outcome::Passed
        );
        let wrong = Said::Ruled(Box::new(Adjudicated {
            ruling: rulings[1 - at].clone(),
            other_policies: vec![],
        }));
        let judged = judge(&again.questions[0], &wrong, &known, false);
        assert!(matches!(judged, Outcome::Failed { .. }));
    }
}
