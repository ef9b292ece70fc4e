//! Reading case files.

use std::io::Write;

use crate::common::{case, known, wrong};
use alamein_cases::{Asked, CaseError, load, parse};
use alamein_terrain::{
    Ask, Attack, Concealment, CounterClass, CounterFlags, EnvironmentCondition, Field,
    Fortification, GrazingPolicy, LaneMover, SetUpPiece,
};
use serde_json::{Value, json};

fn asked(questions: Value) -> Vec<Ask> {
    let counters = json!([{"id": "A", "class": "squad", "hex": "K5"}]);
    let ask = |asked: Asked| match asked {
        Asked::Question(question) => question.ask,
        other => panic!("{other:?}"),
    };
    let case = case(json!({}), counters, questions);
    case.questions.into_iter().map(|q| ask(q.asked)).collect()
}

#[test]
fn a_manifest_says_what_a_layer_holds() {
    let case = case(
        json!({"bog": {"hexes": ["K5"], "rims": [], "bog_of": {"K5": 2}, "depths": {"K5|K6": 1}},
               "rim": ["K5|K6"]}),
        json!([]),
        json!([]),
    );
    let layers = &case.position.map().layers;
    let bog = &layers["bog"].fields;
    assert!(matches!(&bog["hexes"], Field::Hexes(hexes) if hexes.len() == 1));
    assert!(matches!(&bog["rims"], Field::Hexsides(sides) if sides.is_empty()));
    assert!(matches!(&bog["bog_of"], Field::HexValues(values) if values.values().eq([&2])));
    assert!(matches!(&bog["depths"], Field::HexsideValues(values) if values.len() == 1));
    // A plain list fills the first field.
    assert!(matches!(&layers["rim"].fields["sides"], Field::Hexsides(sides) if sides.len() == 1));
    assert!(case.unowned_layers.is_empty());
}

#[test]
fn a_layer_that_nobody_owns_is_read_as_it_looks() {
    let case = case(
        json!({"scrub": ["K5"], "wall": ["K5|K6"], "cliff": {"sides": ["A1|N"], "of": {"K5": 1}}}),
        json!([]),
        json!([{"id": "q", "kind": "line_of_sight", "from": "K5", "to": "K6"}]),
    );
    let layers = &case.position.map().layers;
    assert!(matches!(layers["scrub"].fields["hexes"], Field::Hexes(_)));
    assert!(matches!(
        layers["wall"].fields["hexsides"],
        Field::Hexsides(_)
    ));
    assert!(matches!(
        layers["cliff"].fields["sides"],
        Field::Hexsides(_)
    ));
    assert!(matches!(layers["cliff"].fields["of"], Field::HexValues(_)));
    assert_eq!(case.unowned_layers, ["cliff", "scrub", "wall"]);
    // Every question ignores it.
    let Asked::Question(question) = &case.questions[0].asked else {
        panic!()
    };
    assert_eq!(question.ignore_layers, case.unowned_layers);
}

#[test]
fn counters_say_all_that_is_known_of_them() {
    let case = case(
        json!({}),
        json!([{"id": "A", "class": "tank", "hex": "K5", "side": "british", "crew_exposed": true,
                "dug_in": false, "height": 2, "attributes": {"bog.sunk": 1}},
               {"id": "B", "class": "half_squad", "hex": "K5", "aboard": "A"}]),
        json!([]),
    );
    let tank = case.position.counter("A").unwrap();
    assert_eq!(tank.class, CounterClass::Tank);
    assert_eq!(tank.flags, CounterFlags::CREW_EXPOSED);
    assert_eq!((tank.height, tank.attributes["bog.sunk"]), (2, 1));
    let riders = case.position.counter("B").unwrap();
    assert_eq!(riders.aboard.as_deref(), Some("A"));
    assert_eq!(case.position.environment().ec, EnvironmentCondition::Dry);
}

#[test]
fn every_kind_of_question_is_read() {
    let ask = asked(json!([
        {"id": "1", "kind": "line_of_fire", "from": "A", "to": "C5", "attack": "indirect"},
        {"id": "2", "kind": "fire_lane", "mg": "A", "counter_hex": "K1", "mover_hex": "K2",
         "mover": "vulnerable_prc"},
        {"id": "3", "kind": "movement", "from": "K5", "to": "K6", "ec": "mud",
         "mover": {"class": "truck", "ground_pressure": "high", "weight_tons": 3.5}},
        {"id": "4", "kind": "movement", "from": "K5", "to": "K6", "mover": {"class": "infantry"}},
        {"id": "5", "kind": "setup", "what": "gun", "hex": "K5", "concealment": "hidden",
         "beneath": "trench"},
        {"id": "6", "kind": "setup", "what": "sangar", "hex": "K5"},
    ]));
    assert!(matches!(
        &ask[0],
        Ask::LineOfFire {
            attack: Attack::Mortar,
            ..
        }
    ));
    assert!(matches!(
        &ask[1],
        Ask::FireLane {
            mover: LaneMover::VulnerablePrc,
            ..
        }
    ));
    let Ask::Movement { mover, ec, .. } = &ask[2] else {
        panic!()
    };
    assert_eq!(
        (mover.weight_kg, *ec),
        (Some(3500), Some(EnvironmentCondition::Mud))
    );
    let Ask::Movement {
        mover, ec: None, ..
    } = &ask[3]
    else {
        panic!()
    };
    assert_eq!(mover.class, CounterClass::Squad);
    let gun = SetUpPiece::Unit {
        class: CounterClass::Gun,
        concealment: Concealment::Hidden,
        beneath: Some(Fortification::Trench),
    };
    let sangar = SetUpPiece::Fortification(Fortification::Sangar);
    let piece = |ask: &Ask| match ask {
        Ask::SetUp(setup) => setup.piece,
        other => panic!("{other:?}"),
    };
    assert_eq!([piece(&ask[4]), piece(&ask[5])], [gun, sangar]);
}

#[test]
fn a_fire_lane_that_is_on_the_map_need_not_be_named() {
    let of = |mg: &str| {
        parse(
            "lane.json",
            &json!({
                "map": {},
                "counters": [{"id": "A", "class": "squad", "hex": "K5"},
                             {"id": "B", "class": "squad", "hex": "K5"}],
                "fire_lanes": [{"mg": "A", "hex": "K9"}],
                "questions": [{"id": "1", "kind": "fire_lane", "mg": mg, "mover_hex": "K7",
                               "mover": "infantry"}],
            })
            .to_string(),
            &known(),
        )
        .unwrap()
    };
    let case = of("A");
    let Asked::Question(question) = &case.questions[0].asked else {
        panic!("{case:?}");
    };
    let Ask::FireLane { counter_hex, .. } = question.ask else {
        panic!("{question:?}");
    };
    assert_eq!(counter_hex, case.position.map().grid.hex("K9").unwrap());
    for mg in ["B", "K5"] {
        let Asked::Unreadable(error) = &of(mg).questions[0].asked else {
            panic!("{mg} has none");
        };
        assert!(error.to_string().contains("counter_hex"), "{error}");
    }
}

#[test]
fn what_is_wrong_with_a_scenario_is_said_with_its_path() {
    let board = "33x10 geomorphic";
    let cases = [
        (
            json!([]),
            "t.json: must be an object such as {\"id\": ..}, and is a list",
        ),
        (json!({}), "t.json: map: is missing"),
        (
            json!({"map": {"board": "big"}}),
            "t.json: map.board: \"big\" is no board: write columns \
         and rows, as in \"33x10 geomorphic\"",
        ),
        (
            json!({"map": {"board": {"columns": 0, "rows": 10}}}),
            "t.json: map.board: a map has 1 to 1024 columns, not 0",
        ),
        (
            json!({"map": {"board": board, "layers": {"bog": {"hexes": ["K5", "K11"]}}}}),
            "t.json: map.layers.bog.hexes[1]: K11 is off the map: column K has rows 1 to 10",
        ),
        (
            json!({"map": {"board": board, "layers": {"bog": {"hexen": []}}}}),
            "t.json: map.layers.bog.hexen: the layer bog has no such field; it has hexes, rims, \
         bog_of, depths",
        ),
        (
            json!({"map": {"board": board, "levels": {"K5": 40000}}}),
            "t.json: map.levels.K5: 40000 is out of bounds",
        ),
        (
            json!({"map": {"board": board}, "counters": [{"id": "A", "class": "tonk", "hex": "K5"}]}),
            "t.json: counters[0].class: \"tonk\" is none of squad, half_squad, leader, crew, gun, \
         cavalry, wagon, motorcycle, armored_car, tank, halftrack, truck, wreck, infantry",
        ),
        (
            json!({"map": {"board": board}, "ec": "damp"}),
            "t.json: ec: \"damp\" is none of dry, moist, wet, mud, snow",
        ),
        (
            json!({"map": {"board": board}, "questions": [
            {"id": "q", "kind": "x", "expect": {}, "expect_other_policies": {"ANY": {}}}]}),
            "t.json: question q: expect_other_policies.ANY: is no grazing policy",
        ),
    ];
    for (case, expected) in cases {
        assert_eq!(wrong(case), expected);
    }
    let twice = json!({"map": {"board": board}, "counters": [
        {"id": "A", "class": "tank", "hex": "K5"}, {"id": "A", "class": "tank", "hex": "K6"}]});
    assert!(wrong(twice).contains("two counters are called \"A\""));
}

#[test]
fn what_is_wrong_with_a_question_is_its_own_affair() {
    let movement = |mover: Value| {
        json!({"kind": "movement", "from": "K5", "to": "K6",
                                         "mover": mover})
    };
    let questions = [
        (
            json!({"kind": "line_of_sight", "from": "K5", "to": "Z99"}),
            "to: there is no counter \"Z99\" here, and as a hex: Z99 is off the map: column Z has \
          rows 0 to 10",
        ),
        (
            json!({"kind": "line_of_sight", "from": {"hex": "K5", "corner": 6}, "to": "K6"}),
            "from.corner: a hex has vertices 0 to 5, not 6",
        ),
        (
            json!({"kind": "line_of_sight", "from": "K5"}),
            "to: is missing",
        ),
        (
            movement(json!({"class": "truck", "weight_tons": -1})),
            "mover.weight_tons: -1 is not within 0 to 1000 tons",
        ),
        (
            movement(json!({"class": "truck", "weight_tons": 1e300})),
            "mover.weight_tons: 1000000000",
        ),
        (
            movement(json!({"class": "truck", "weight_tons": "NaN"})),
            "mover.weight_tons: must be a number of tons",
        ),
        (
            movement(json!({"class": "wreck"})),
            "mover: a wreck does not move",
        ),
        (json!({"kind": "setup", "hex": "K5"}), "what: is missing"),
        (
            json!({"kind": "setup", "what": "moat", "hex": "K5"}),
            "what: \"moat\" is none of squad,",
        ),
        (
            json!({"kind": "setup", "what": "wreck", "hex": "K5"}),
            "what: a wreck does not set up",
        ),
        (
            json!({"kind": "setup", "what": "gun", "hex": "K5", "beneath": "wire"}),
            "beneath: nothing sets up beneath it",
        ),
        (
            json!({"kind": "setup", "what": "trench", "hex": "K5", "beneath": "trench"}),
            "beneath: a Fortification (trench) has none",
        ),
    ];
    for (mut question, expected) in questions {
        question["id"] = json!("q7");
        let case = case(json!({}), json!([]), json!([question]));
        let Asked::Unreadable(error) = &case.questions[0].asked else {
            panic!("{question}")
        };
        let error = error.to_string();
        assert!(
            error.starts_with(&format!("t.json: question q7: {expected}")),
            "{error}"
        );
    }
}

#[test]
fn a_kind_that_nothing_answers_is_no_error() {
    let case = case(
        json!({}),
        json!([]),
        json!([
        {"id": "q", "kind": "seance", "hex": "N5", "hexsides": 2, "expect": {}}]),
    );
    assert!(matches!(case.questions[0].asked, Asked::Unanswered));
    assert_eq!(case.questions[0].kind, "seance");
}

#[test]
fn fields_that_mean_nothing_are_named() {
    let counters = json!([{"id": "A", "class": "squad", "hex": "K5", "entrenchd": true}]);
    let questions = json!([{"id": "q", "kind": "line_of_sight", "from": "A", "to": "K6",
                            "attack": "direct"}]);
    let case = case(json!({}), counters, questions);
    assert_eq!(
        case.strangers,
        ["counters[0].entrenchd", "question q: attack"]
    );
}

#[test]
fn settings_and_expectations_are_read() {
    let text = json!({
        "map": {}, "alamein": {"policy": "BOTH", "options": {"bog": {"deep": true}}},
        "questions": [{"id": "q", "kind": "line_of_sight", "from": "A1", "to": "A2",
            "contested": true, "contested_why": ["this", "that"], "expect": {"result": "clear"},
            "expect_other_policies": {"BOTH": {"result": "blocked"}}}],
    });
    let case = parse("t.json", &text.to_string(), &known()).unwrap();
    assert_eq!(case.settings.policy, GrazingPolicy::Both);
    assert_eq!(case.settings.options["bog"]["deep"], json!(true));
    let question = case.question("q").unwrap();
    assert_eq!(question.contested.as_deref(), Some("this; that"));
    let expected = question.expected.as_ref().unwrap();
    assert_eq!(expected.under(GrazingPolicy::Both)["result"], "blocked");
    assert_eq!(
        expected.under(GrazingPolicy::NeitherIfGrazing)["result"],
        "clear"
    );
}

#[test]
fn files_may_be_plain_or_packed_whatever_their_names() {
    let text = json!({"id": "here", "map": {}}).to_string();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("a.json", text.as_bytes()),
        ("b.json.gz", &packed),
        ("c", &packed),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(load(&path, &known()).unwrap().id, "here", "{name}");
    }
    // Half of a packed file, nothing, and no file.
    let path = folder.path().join("half.gz");
    std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
    assert!(matches!(
        load(&path, &known()),
        Err(CaseError::Unreadable { .. })
    ));
    std::fs::write(&path, b"").unwrap();
    assert!(matches!(
        load(&path, &known()),
        Err(CaseError::NotJson { .. })
    ));
    let gone = folder.path().join("gone.json");
    let error = load(&gone, &known()).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("{}: cannot be read", gone.display())),
        "{error}"
    );
}

#[test]
fn a_bomb_does_not_go_off() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let zeros = vec![b' '; 1024 * 1024];
    for _ in 0..65 {
        packed.write_all(&zeros).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.json.gz");
    std::fs::write(&path, packed.finish().unwrap()).unwrap();
    assert!(matches!(
        load(&path, &known()),
        Err(CaseError::TooLong { .. })
    ));
}

#[test]
fn a_layer_that_is_owned_by_now_is_not_ignored() {
    let case = case(
        json!({"bog": ["K5"], "scrub": ["K6"]}),
        json!([]),
        json!([{"id": "q", "kind": "line_of_sight", "from": "K5", "to": "K6",
                "ignore_layers": ["bog", "scrub"]}]),
    );
    let Asked::Question(question) = &case.questions[0].asked else {
        panic!()
    };
    assert_eq!(question.ignore_layers, ["scrub"]);
}
