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
fn a_line_of_a_record_tells_what_a_ruling_rests_on() {
    let known = known();
    let case = parse("all.json", &everything().to_string(), &known).unwrap();
    let question = asked(&case.questions[0].asked);
    let mut made = ruling(
        fire(los(LosResult::Clear, Some(0), &[])),
        vec![tem("1.1/tem", 1, true)],
    );
    let fingerprint = Digest::of(b"rules");
    made.id = Ruling::id_of(fingerprint, case.position.id(), question);
    let ruled = Adjudicated {
        ruling: made,
        other_policies: vec![],
    };
    let export = Export {
        id: "line",
        position: &case.position,
        rulings: &[Exported {
            id: "q",
            question,
            ruled: &ruled,
        }],
        settings: &Settings::default(),
        fingerprint,
    };
    let line = alamein_cases::write_line(&export, &known);
    assert_eq!(line.matches('\n').count(), 1);
    let read = parse("line", &line, &known).unwrap();
    assert!(read.strangers.is_empty(), "{:?}", read.strangers);
    assert_eq!(
        read.questions[0].grounds,
        alamein_cases::reasons(&ruled.ruling)
    );
    assert!(!read.questions[0].grounds.is_empty());
    let contradicts =
        |position, question: &Question| read.provenance.contradicts(position, "q", question);
    assert_eq!(contradicts(&read.position, question), None);
    let other = asked(&case.questions[3].asked);
    assert!(contradicts(&read.position, other).is_some());
    let moved = alamein_terrain::Change::Remove { id: "B3".into() };
    let lift = alamein_terrain::Change::LiftFireLane { mg: "B3".into() };
    let (moved, _) = read.position.apply(&[lift, moved]).unwrap();
    assert!(contradicts(&moved, question).is_some());
    // A file that is exported is for people, and as short as it may be.
    assert!(!write(&export, &known).contains("grounds"));

    // All of a record's lines are read, one after the other, however the last one ends.
    let folder = std::env::temp_dir().join(format!("alamein-lines-{}", std::process::id()));
    std::fs::write(&folder, format!("{line}{line}half")).unwrap();
    let lines: Result<Vec<_>, _> = alamein_cases::lines(&folder).unwrap().collect();
    std::fs::remove_file(&folder).unwrap();
    let lines = lines.unwrap();
    let told: Vec<(u64, bool)> = lines.iter().map(|it| (it.number, it.whole)).collect();
    assert_eq!(told, [(1, true), (2, true), (3, false)]);
    assert_eq!(format!("{}\n", lines[1].text), line);
}

#[test]
fn changes_are_read_back_from_json() {
    let case = parse("all.json", &everything().to_string(), &known()).unwrap();
    let grid = case.position.map().grid;
    let none = alamein_terrain::Position::new(
        std::sync::Arc::clone(case.position.map()),
        vec![],
        alamein_terrain::Environment::default(),
    );
    let none = none.unwrap();
    for (a, b) in [(&none, &*case.position), (&*case.position, &none)] {
        let changes = alamein_terrain::diff(a, b).unwrap();
        let text = alamein_cases::changes_json(&changes, &grid).to_string();
        let read = alamein_cases::parse_changes("changes", &text, &grid).unwrap();
        assert_eq!(read, changes);
    }
    let id = || "A".to_owned();
    let hex = grid.hex("C4").unwrap();
    use alamein_terrain::{Change, CounterFlags};
    let changes = vec![
        Change::Move {
            id: id(),
            hex,
            height: Some(-1),
            aboard: Some("x".into()),
        },
        Change::Move {
            id: id(),
            hex,
            height: None,
            aboard: None,
        },
        Change::Board {
            id: id(),
            carrier: "x".into(),
        },
        Change::Dismount { id: id() },
        Change::Turn {
            id: id(),
            facing: Some(0),
        },
        Change::Turn {
            id: id(),
            facing: None,
        },
        Change::Flags {
            id: id(),
            set: CounterFlags::ENTRENCHED.and(CounterFlags::BURNING),
            clear: CounterFlags::DUG_IN,
        },
        Change::Wreck {
            id: id(),
            burning: false,
        },
        Change::Wreck {
            id: id(),
            burning: true,
        },
        Change::Attribute {
            id: id(),
            name: "bog.sunk".into(),
            value: Some(-3),
        },
        Change::Attribute {
            id: id(),
            name: "bog.sunk".into(),
            value: None,
        },
        Change::Side {
            id: id(),
            side: Some("x".into()),
        },
        Change::Side {
            id: id(),
            side: None,
        },
        Change::KnownTo {
            id: id(),
            sides: [].into(),
        },
        Change::KnownTo {
            id: id(),
            sides: ["x".to_owned()].into(),
        },
    ];
    let text = alamein_cases::changes_json(&changes, &grid).to_string();
    assert_eq!(
        alamein_cases::parse_changes("changes", &text, &grid),
        Ok(changes)
    );
}

#[test]
fn a_written_file_expects_what_was_ruled() {
    let known = known();
    let mut blocked = los(LosResult::Blocked, None, &["A"]);
    blocked.blocked_by = vec!["X9".into()].into();
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
