//! What a plugin is shown, as a linked one writes it down.

use std::sync::Arc;
use std::time::Duration;

use alamein_hex::{Grid, Hex, Hexside, trace_between};
use alamein_plugin_host::{NativePlugin, Vocabulary, last_calls_made};
use alamein_terrain::{
    Attack, AttributeFact, Budget, Concealment, CostPart, CounterClass, CounterFacts, CounterFlags,
    EndFacts, EnvironmentCondition, Fact, Field, Fortification, GroundPressure, Kept, LaneFacts,
    LaneMover, Layer, Line, LineBatch, Map, MoveStep, Mover, Objection, Observation, Place,
    PreparedFeature, Purpose, Seen, SeenBatch, SetUp, SetUpBatch, SetUpPiece, StepBatch,
    TerrainFeature, TurnFacts, Way,
};
use futures::executor::block_on;
use serde_json::json;

use crate::spy::{BRITTLE_SPY, SPY, given_back, notes};
use crate::support::{Fixture, line, lines, setup, step};

/// The spy at place 3 of a ruleset whose kinds are fog, mist and smoke.
fn spy(map: &Map) -> Arc<dyn PreparedFeature> {
    let spy = NativePlugin::linked(&SPY).expect("a plugin");
    let fog = Fixture::new().build().load().expect("a plugin");
    let feature = spy.instantiate(json!({"b": 1, "a": [2]}), &Vocabulary::of([&spy, &fog]), 3);
    block_on(feature.expect("an instance").prepare(map)).expect("a map")
}

fn small_map() -> Map {
    Map::flat(Grid::new(2, 1).expect("a grid"))
}

#[test]
fn a_linked_plugin_says_what_it_is() {
    let spy = NativePlugin::linked(&SPY).expect("a plugin");
    assert_eq!(
        (spy.id(), spy.version(), spy.build_id()),
        ("spy", "0.0.1", "linked")
    );
    assert_eq!(
        (spy.digest(), spy.kinds().len(), spy.rules().len()),
        (None, 2, 1)
    );
    let error = NativePlugin::linked(&BRITTLE_SPY).expect_err("it would end the process");
    assert_eq!(
        (error.reason(), error.plugin()),
        ("PANIC_ABORT", Some("spy"))
    );
}

#[test]
fn a_map_is_shown_whole() {
    let mut map = Map::flat(Grid::new(2, 2).expect("a grid"));
    map.base_level = -1;
    map.levels.insert(Hex::new(0, 2), 3);
    let (a1, a2) = (Hex::new(0, 1), Hex::new(0, 2));
    let side = Hexside::between(a1, a2).expect("a hexside");
    let layer = |fields: &[(&str, Field)]| Layer {
        fields: fields
            .iter()
            .map(|(name, field)| ((*name).to_owned(), field.clone()))
            .collect(),
    };
    let values = [
        ("sides", Field::HexsideValues([(side, -7)].into())),
        ("depths", Field::HexValues([(a1, 5), (a2, i64::MIN)].into())),
    ];
    map.layers.insert("wadi".into(), layer(&values));
    let sets = [
        ("b", Field::Hexsides([side].into())),
        ("a", Field::Hexes([a2, a1].into())),
    ];
    map.layers.insert("déir".into(), layer(&sets));
    map.layers.insert("bare".into(), Layer::default());

    drop(spy(&map));
    let expected = [
        r#"options {"a":[2],"b":1}"#,
        "map 2 by 2",
        "hexes 0,1 0,2 1,0 1,1 1,2",
        "levels -1 3 -1 -1 -1",
        "names A1 A2 B0 B1 B2",
        "layer bare",
        "layer déir",
        "  a 1: 0,1 0,2 = ",
        "  b 2: 0,2 0,1 = ",
        "layer wadi",
        "  depths 3: 0,1 0,2 = 5 -9223372036854775808",
        "  sides 4: 0,2 0,1 = -7",
        "survey of 5",
    ];
    assert_eq!(notes(), expected);
    assert!(last_calls_made(Duration::from_secs(10)));
    assert_eq!(
        given_back(),
        [1, 0],
        "what was made of the map, then the instance"
    );
}

/// A line of which everything is set.
fn full_line() -> Line {
    let end = |hex, corner, counter| EndFacts {
        hex,
        corner,
        counter,
        level: -1,
        class: CounterClass::Wreck,
        flags: CounterFlags::BURNING,
        side: 2,
        aboard: counter.is_some(),
    };
    let (from, to) = (Hex::new(0, 1), Hex::new(1, 2));
    Line {
        trace: trace_between(from, to),
        readings_on_map: [true, false],
        from: end(from, Some(5), Some(1)),
        to: end(to, None, None),
        purpose: Purpose::Lane,
        attack: Some(Attack::Oba),
        lane: Some(LaneFacts {
            hex: to,
            mover: LaneMover::Vehicle,
            probe: Some(1),
        }),
        counters: [1, 0].into_iter().collect(),
        obstacles_only: true,
        ..line("A1", "A2")
    }
}

const POSITION: [&str; 4] = [
    "counters (0,1 10 17 1 - 4 0) (1,1 1 0 0 0 -3 1)",
    "levels 0 1 2",
    "attributes 1.0=-9 of mine.depth",
    "ec 5",
];

fn counters() -> [CounterFacts; 2] {
    let tank = CounterFacts {
        class: CounterClass::Tank,
        flags: CounterFlags::ENTRENCHED.and(CounterFlags::IN_MOTION),
        hex: Hex::new(0, 1),
        level: 4,
        side: 1,
        aboard: None,
        probe: false,
    };
    let rider = CounterFacts {
        class: CounterClass::Squad,
        flags: CounterFlags::none(),
        hex: Hex::new(1, 1),
        level: -3,
        side: 0,
        aboard: Some(0),
        probe: true,
    };
    [tank, rider]
}

#[test]
fn a_line_is_shown_whole() {
    let spy = spy(&small_map());
    let questions = [line("A1", "A2"), full_line(), line("A1", "A1")];
    let batch = LineBatch {
        levels: &[0, 1, 2],
        counters: &counters(),
        attributes: &[AttributeFact {
            counter: 1,
            name: 0,
            value: -9,
        }],
        attribute_names: &["mine.depth".to_owned()],
        ec: EnvironmentCondition::Snow,
        lines: &questions,
        ask: &[1, 2],
        kept: None,
    };
    notes();
    assert_eq!(
        block_on(spy.observe_lines(batch, Budget::default())),
        Ok(vec![])
    );
    let expected = [
        "line from (0,1 5 1 13 8 2 -1 1) to (1,2 - - 13 8 2 -1 0)",
        "  flags 13 purpose 3 attack 3 policy 1 range 2",
        "  touched 0,0:0:3 0,1:2:2 1,0:2:1 1,1:0:3 from 0,1",
        "  left 0,0>1,0 1,0>1,1",
        "  right 0,0>0,1 0,1>1,1",
        "  counters 1 0",
        "  lane 1,2 3 1",
        "line from (0,1 - - 1 0 0 0 0) to (0,1 - - 1 0 0 0 0)",
        "  flags 0 purpose 1 attack 0 policy 1 range 0",
        "  touched 0,0:0:3 from 0,1",
        "  left ",
        "  right ",
        "  counters ",
        "  lane 0,0 0 -",
    ];
    assert_eq!(notes(), [&POSITION[..], &expected[..]].concat());
}

#[test]
fn what_is_kept_of_one_batch_is_not_shown_of_another() {
    let spy = spy(&small_map());
    let questions = [line("A1", "A2"), line("A1", "A1")];
    let kept = Kept::nothing();
    let shown = |ask, kept| {
        let batch = LineBatch {
            kept,
            ..lines(&questions, ask)
        };
        notes();
        assert_eq!(
            block_on(spy.observe_lines(batch, Budget::default())),
            Ok(vec![])
        );
        notes()
    };
    let (both, second) = (&[0, 1][..], &[1][..]);
    for ask in [both, both, second, both] {
        assert_eq!(shown(ask, Some(&kept)), shown(ask, None), "{ask:?}");
    }
}

#[test]
fn a_step_is_shown_whole() {
    let spy = spy(&small_map());
    let mover = Mover {
        class: CounterClass::Halftrack,
        ground_pressure: Some(GroundPressure::High),
        weight_kg: Some(7000),
        british_built: true,
    };
    let (from, to, ec) = (Hex::new(0, 1), Hex::new(1, 1), EnvironmentCondition::Mud);
    let questions = [
        MoveStep {
            mover: mover.clone(),
            from,
            to,
            way: Way::Track,
            turn: None,
            ec,
        },
        MoveStep {
            mover,
            from: to,
            to,
            way: Way::Road,
            turn: Some(TurnFacts {
                hexsides: 2,
                entered_from: Some(from),
            }),
            ec,
        },
        step("A1", "A2", CounterClass::Squad),
    ];
    let batch = StepBatch {
        levels: &[0, 1, 2],
        counters: &counters(),
        attributes: &[AttributeFact {
            counter: 1,
            name: 0,
            value: -9,
        }],
        attribute_names: &["mine.depth".to_owned()],
        ec: EnvironmentCondition::Snow,
        steps: &questions,
        ask: &[2, 0, 1],
    };
    notes();
    assert_eq!(
        block_on(spy.observe_steps(batch, Budget::default())),
        Ok(vec![])
    );
    let expected = [
        "step 0,1 to 0,2 by 1 0 0 0 ec 1 kind 1 way 0 turn 0 0 0,0",
        "step 0,1 to 1,1 by 11 3 7000 1 ec 4 kind 1 way 1 turn 0 0 0,0",
        "step 1,1 to 1,1 by 11 3 7000 1 ec 4 kind 2 way 2 turn 2 1 0,1",
    ];
    assert_eq!(notes(), [&POSITION[..], &expected[..]].concat());
}

#[test]
fn a_set_up_is_shown_whole() {
    let spy = spy(&small_map());
    let hex = Hex::new(1, 1);
    let gun = SetUpPiece::Unit {
        class: CounterClass::Gun,
        concealment: Concealment::Hidden,
        beneath: Some(Fortification::Trench),
    };
    let questions = [
        SetUp { piece: gun, hex },
        SetUp {
            piece: SetUpPiece::Fortification(Fortification::Sangar),
            hex,
        },
        setup("A1", CounterClass::Truck),
    ];
    let batch = SetUpBatch {
        levels: &[0, 1, 2],
        counters: &counters(),
        attributes: &[AttributeFact {
            counter: 1,
            name: 0,
            value: -9,
        }],
        attribute_names: &["mine.depth".to_owned()],
        ec: EnvironmentCondition::Snow,
        setups: &questions,
        ask: &[2, 0, 1],
    };
    notes();
    assert_eq!(
        block_on(spy.observe_setups(batch, Budget::default())),
        Ok(vec![])
    );
    let expected = [
        "setup 12 0 in 0,1 beneath 0 concealment 0",
        "setup 5 0 in 1,1 beneath 2 concealment 2",
        "setup 0 4 in 1,1 beneath 0 concealment 0",
    ];
    assert_eq!(notes(), [&POSITION[..], &expected[..]].concat());
}

/// What was seen of three lines: nothing, much, and a little.
fn seen() -> SeenBatch {
    let see = |feature, rule, fact| Seen {
        feature,
        observation: Observation {
            rule,
            place: Place::Whole,
            subject: None,
            fact,
            needs_los: false,
        },
        hypothetical: false,
        again: alamein_terrain::Again::No,
        standing: true,
    };
    let here = Hex::new(0, 1);
    let side = Hexside::between(here, Hex::new(0, 2)).expect("a hexside");
    let mut wreck = see(0, 9, Fact::Hindrance { kind: 1, drm: -1 });
    wreck.observation = Observation {
        place: Place::Hex(here),
        subject: Some(1),
        ..wreck.observation
    };
    (
        wreck.hypothetical,
        wreck.standing,
        wreck.observation.needs_los,
    ) = (true, false, true);
    let mut wall = see(
        3,
        0,
        Fact::Obstacle {
            kind: 2,
            height: -5,
            inherent: true,
        },
    );
    wall.observation.place = Place::Hexside(side);
    let reduction = CostPart::Reduction { floor: 1 };
    SeenBatch {
        seen: vec![
            wreck,
            wall,
            see(
                4,
                1,
                Fact::Mark {
                    kind: 0,
                    value: 70_000,
                },
            ),
            see(
                3,
                0,
                Fact::Cost {
                    part: reduction,
                    amount: 2,
                },
            ),
        ],
        of: vec![0..0, 0..3, 3..4],
        objections: vec![
            (
                1,
                3,
                Objection {
                    observation: 0,
                    rule: 0,
                },
            ),
            (
                1,
                4,
                Objection {
                    observation: 2,
                    rule: 8,
                },
            ),
        ],
        objections_of: vec![0..0, 0..2, 2..2],
        ..SeenBatch::default()
    }
}

#[test]
fn what_was_seen_is_shown_in_the_plugins_own_numbers() {
    let spy = spy(&small_map());
    let seen = seen();
    // Fog is 0 in the vocabulary and 1 in the spy's table, smoke is 2 and 0; mist it does not know.
    let of_second = [
        "  2 - -1 14 1 1:0,1:0,0 by -",
        "  1 0 -5 17 - 2:0,2:0,1 by 0",
        "  3 1 70000 0 - 0:0,0:0,0 by -",
        "  objection to 0 by 0",
        "  objection to 2 by -",
    ];
    let of_third = "  6 - 2 16 - 0:0,0:0,0 by 0";

    let questions = [line("A1", "A2"), line("A1", "A2"), line("A1", "A2")];
    notes();
    let judged = spy.judge_lines(lines(&questions, &[2, 0, 1]), &seen, Budget::default());
    assert_eq!(block_on(judged), Ok(vec![]));
    let expected = ["seen of 0", of_third, "seen of 1", "seen of 2"];
    assert_eq!(notes(), [&expected[..], &of_second[..]].concat());

    let questions = vec![step("A1", "A2", CounterClass::Squad); 2];
    let batch = crate::support::steps(&questions, &[1]);
    let objected = spy.object_to_steps(batch, &seen, Budget::default());
    assert_eq!(block_on(objected), Ok(vec![]));
    assert_eq!(notes(), [&["seen of 0"][..], &of_second[..]].concat());

    let questions = vec![setup("A1", CounterClass::Squad); 2];
    let batch = crate::support::setups(&questions, &[1]);
    let judged = spy.judge_setups(batch, &seen, Budget::default());
    assert_eq!(block_on(judged), Ok(vec![]));
    assert_eq!(notes(), [&["seen of 0"][..], &of_second[..]].concat());
}

#[test]
fn an_objection_by_what_replaces_a_rule_is_one_by_that_rule() {
    let spy = spy(&small_map());
    let mut seen = seen();
    // The spy is number 3. Its one rule is replaced by one of number 5, and that by one of number 4,
    // which sets aside what others observed.
    let replaced = [((3, 0), (5, 2)), ((5, 2), (4, 8))];
    seen.replacements = Arc::new(replaced.into_iter().collect());
    // And what the spy itself observed, since its rule is replaced.
    let of_wall = Objection {
        observation: 1,
        rule: 2,
    };
    seen.objections.insert(1, (1, 5, of_wall));
    seen.objections_of = vec![0..0, 0..3, 3..3];
    let questions = [line("A1", "A2"), line("A1", "A2"), line("A1", "A2")];
    notes();
    let judged = spy.judge_lines(lines(&questions, &[1]), &seen, Budget::default());
    assert_eq!(block_on(judged), Ok(vec![]));
    let shown = notes();
    let objections: Vec<&str> = shown
        .iter()
        .map(|note| note.trim())
        .filter(|note| note.starts_with("objection"))
        .collect();
    let expected = [
        "objection to 0 by 0",
        "objection to 1 by -",
        "objection to 2 by 0",
    ];
    assert_eq!(objections, expected);
}
