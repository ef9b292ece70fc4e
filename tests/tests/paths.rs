//! What a move of several steps costs.
#![allow(clippy::unwrap_used)] // A test may.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use alamein_engine::{Engine, MoveError, QuestionError, Wanted};
use alamein_hex::{Grid, Hex};
use alamein_terrain::{
    CounterClass, Environment, EnvironmentCondition, Field, GroundPressure, Layer, Map, Mover,
    Moving, PathQuestion, PlaceName, Position, PricedPath, Question, Spent, Step, Way,
};
use alamein_tests::{engine, linked_plugins};

fn rules() -> &'static Engine {
    static RULES: OnceLock<Engine> = OnceLock::new();
    RULES.get_or_init(|| engine(&linked_plugins().unwrap()).unwrap())
}

fn hex(name: &str) -> Hex {
    Grid::geomorphic().hex(name).unwrap()
}

/// A board with a deir, a hillock beyond it, sand beyond that, and a hill.
///
/// ```text
/// P4 open, P5 and P6 deir, P7 open, P8 hillock, P9 sand, P10 hill
/// ```
fn position() -> Arc<Position> {
    let mut map = Map::flat(Grid::geomorphic());
    for (name, hexes) in [
        ("deir", vec!["P5", "P6"]),
        ("hillock", vec!["P8"]),
        ("sand", vec!["P9"]),
    ] {
        let hexes = hexes.into_iter().map(hex).collect();
        let fields = BTreeMap::from([("hexes".to_owned(), Field::Hexes(hexes))]);
        map.layers.insert(name.into(), Layer { fields });
    }
    map.levels.insert(hex("P10"), 1);
    Arc::new(Position::new(Arc::new(map), vec![], Environment::default()).unwrap())
}

/// A path through these hexes; `P6:2` turns by two hexsides in P6.
fn path(class: CounterClass, hexes: &str) -> PathQuestion {
    let mut steps: Vec<Step> = Vec::new();
    let mut at: Option<Hex> = None;
    for word in hexes.split(' ') {
        let (name, turn) = word.split_once(':').unwrap_or((word, "0"));
        let to = hex(name);
        if let Some(from) = at.filter(|from| *from != to) {
            steps.push(Step::enter(from, to));
        }
        at = Some(to);
        let hexsides = turn.parse().unwrap();
        if hexsides > 0 {
            steps.push(Step::Turn {
                hex: to,
                entered_from: None,
                hexsides,
                way: Way::Open,
            });
        }
    }
    let mover = Mover {
        ground_pressure: Some(GroundPressure::Normal),
        ..Mover::new(class)
    };
    PathQuestion {
        moving: Moving::new(mover),
        steps,
        allowance: None,
    }
}

fn price(question: &PathQuestion) -> Result<PricedPath, MoveError> {
    let engine = rules();
    engine.price_path_here(&engine.ruleset(), position(), question, Wanted::default())
}

fn after(priced: &PricedPath) -> Vec<Option<i32>> {
    priced.steps.iter().map(|step| step.total_after).collect()
}

fn spent(place: &str, amount: impl Into<Option<i32>>) -> Vec<Spent> {
    let (place, amount) = (PlaceName::Hex(place.into()), amount.into());
    vec![Spent { place, amount }]
}

#[test]
fn it_adds_up_step_by_step() {
    let priced = price(&path(CounterClass::Tank, "P4 P5 P6 P7 P8")).unwrap();
    // Into the deir, within it, out over the Lip Hexside, up the hillock.
    assert_eq!(after(&priced), [Some(1), Some(2), Some(4), Some(6)]);
    assert_eq!(priced.total, Some(6));
    assert_eq!(priced.exceeds_at, None);
    assert!(priced.prohibited.is_empty());
    let where_spent: Vec<&[Spent]> = priced.steps.iter().map(|step| &*step.spent).collect();
    let expected = [
        spent("P5", 1),
        spent("P6", 1),
        spent("P7", 2),
        spent("P8", 2),
    ];
    assert_eq!(where_spent, expected);
    let squad = price(&path(CounterClass::Squad, "P4 P5 P6 P7 P8")).unwrap();
    assert_eq!(after(&squad), [Some(1), Some(2), Some(3), Some(4)]);
}

#[test]
fn the_first_step_above_the_allowance_is_named() {
    for (allowance, exceeds_at) in [(6, None), (5, Some(3)), (3, Some(2)), (0, Some(0))] {
        let mut question = path(CounterClass::Tank, "P4 P5 P6 P7 P8");
        question.allowance = Some(allowance);
        let priced = price(&question).unwrap();
        assert_eq!(priced.exceeds_at, exceeds_at, "{allowance}");
        assert_eq!(priced.total, Some(6), "the sum is the same");
    }
}

#[test]
fn each_step_is_ruled_on_as_a_question_of_its_own() {
    let question = path(CounterClass::Tank, "P4:1 P5 P6:2 P7 P8 P9:1");
    let priced = price(&question).unwrap();
    let steps = question.joined().unwrap();
    assert_eq!(priced.steps.len(), steps.len());
    let asked = steps.into_iter().map(|step| question.moving.question(step));
    let asked: Vec<Question> = asked.collect();
    let engine = rules();
    for (step, asked) in priced.steps.iter().zip(&asked) {
        let one = std::slice::from_ref(asked);
        let wanted = Wanted::default();
        let ruled = engine.adjudicate_here(&engine.ruleset(), position(), one, wanted);
        let ruled = ruled.unwrap().remove(0).unwrap().ruling;
        let ruling = step.ruling.as_ref().unwrap();
        assert_eq!(ruling.id, ruled.id);
        assert_eq!(ruling.canonical(), ruled.canonical());
    }
}

#[test]
fn a_change_of_vca_adds_nothing_and_says_so() {
    let priced = price(&path(CounterClass::Tank, "P4 P5:2 P6")).unwrap();
    assert_eq!(after(&priced), [Some(1), Some(1), Some(2)]);
    let said: Vec<bool> = priced
        .steps
        .iter()
        .map(|step| step.turn_not_judged)
        .collect();
    assert_eq!(said, [false, true, false]);
    assert_eq!(priced.steps[1].spent, spent("P5", None));
}

#[test]
fn checks_are_owed_in_order_with_their_steps() {
    // Two DRs for a turn by two hexsides in the sand, then one beside it.
    let priced = price(&path(CounterClass::Tank, "P8 Q9 P9:2 O10")).unwrap();
    let owed = priced.checks.iter();
    let owed = owed.map(|owed| (owed.step, &*owed.check.kind, owed.check.times));
    let owed: Vec<(usize, &str, u8)> = owed.collect();
    let bog = "sand_bog";
    assert_eq!(owed, [(0, bog, 1), (1, bog, 1), (2, bog, 2), (3, bog, 1)]);
    let places: Vec<&str> = priced
        .checks
        .iter()
        .map(|owed| owed.check.place.name())
        .collect();
    assert_eq!(places, ["Q9", "P9", "P9", "O10"]);
}

#[test]
fn what_is_not_known_makes_the_rest_unknown() {
    let mut question = path(CounterClass::Squad, "P8 P9 P10 O10 N9");
    question.allowance = Some(1);
    let priced = price(&question).unwrap();
    // Onto the hill, and down from it: nobody knows what that costs.
    assert_eq!(after(&priced), [Some(2), None, None, None]);
    assert_eq!((priced.total, priced.exceeds_at), (None, Some(0)));
    let why = priced.steps[1].ruling.as_ref().unwrap_err();
    assert_eq!((why.by.number(), why.place.name()), ("B10", "P10"));
    assert!(priced.steps[1].spent.is_empty());
    // The step after it is ruled on all the same.
    assert!(priced.steps[2].ruling.is_err());
    assert_eq!(priced.steps[3].spent, spent("N9", 1));
}

#[test]
fn conditions_and_ways_hold_for_the_whole_path() {
    let dry = price(&path(CounterClass::Truck, "P7 P8 P9")).unwrap();
    let mut question = path(CounterClass::Truck, "P7 P8 P9");
    question.moving.ec = Some(EnvironmentCondition::Wet);
    let wet = price(&question).unwrap();
    assert_eq!((dry.total, wet.total), (Some(9), Some(8)));
    for step in &mut question.steps {
        if let Step::Enter { way, .. } = step {
            *way = Way::Track;
        }
    }
    let along = price(&question).unwrap();
    assert_eq!(along.total, Some(6));
    assert!(along.checks.is_empty() && !wet.checks.is_empty());
}

#[test]
fn what_is_no_path_is_refused_with_the_step() {
    let refused = |question: &PathQuestion| price(question).unwrap_err();
    let none = PathQuestion {
        steps: vec![],
        ..path(CounterClass::Tank, "P4 P5")
    };
    assert_eq!(refused(&none), MoveError::NoSteps);

    let mut gap = path(CounterClass::Tank, "P4 P5 P6");
    gap.steps.push(Step::enter(hex("P8"), hex("P9")));
    let error = refused(&gap).to_string();
    assert_eq!(
        error,
        "steps[2]: it begins in P8, and the path has come to P6"
    );

    let mut turn = path(CounterClass::Tank, "P4 P5");
    turn.steps.push(Step::Turn {
        hex: hex("P5"),
        entered_from: Some(hex("P6")),
        hexsides: 1,
        way: Way::Open,
    });
    let error = refused(&turn).to_string();
    let expected = "steps[1]: entered_from: the path entered from P4, not from P6";
    assert_eq!(error, expected);

    let error = refused(&path(CounterClass::Tank, "P4 P5 P7")).to_string();
    assert_eq!(error, "steps[1]: to: P5 and P7 are not adjacent");
    let error = refused(&path(CounterClass::Tank, "P4 P5:6")).to_string();
    assert!(error.starts_with("steps[1]: hexsides: "), "{error}");
    let error = refused(&path(CounterClass::Squad, "P4 P5:1")).to_string();
    assert_eq!(error, "steps[1]: mover.class: a squad does not move so");
    let error = refused(&path(CounterClass::Wreck, "P4 P5"));
    let whole = matches!(error, MoveError::Question(QuestionError::NoMover { .. }));
    assert!(whole, "{error}");
}
