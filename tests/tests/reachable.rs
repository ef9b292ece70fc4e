//! What an allowance reaches, and what a path costs, against every way there is on a small board:
//! the steps are ruled on one by one, and the sums are made here.
#![allow(clippy::unwrap_used)] // A test may.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use alamein_engine::{Engine, MoveError, QuestionError, Wanted};
use alamein_hex::{Grid, Hex};
use alamein_terrain::{
    Ask, Budget, CounterClass, Environment, EnvironmentCondition, Field, Layer, Map, Mover, Moving,
    PathQuestion, Position, Question, Reach, ReachQuestion, Step, Unpriced, Verdict, Way,
};
use alamein_tests::{engine, linked_plugins};
use proptest::collection::btree_set;
use proptest::prelude::*;
use proptest::sample::select;

/// A board of 4 columns and 4 rows.
fn grid() -> Grid {
    Grid::new(4, 4).unwrap()
}

fn rules() -> &'static Engine {
    static RULES: OnceLock<Engine> = OnceLock::new();
    RULES.get_or_init(|| engine(&linked_plugins().unwrap()).unwrap())
}

fn hexes_of(hexes: BTreeSet<Hex>) -> Layer {
    let fields = BTreeMap::from([("hexes".to_owned(), Field::Hexes(hexes))]);
    Layer { fields }
}

fn any_hexes(most: usize) -> impl Strategy<Value = BTreeSet<Hex>> {
    let any = any::<prop::sample::Index>();
    let any = any.prop_map(|index| grid().hex_at(index.index(grid().len())).unwrap());
    btree_set(any, 0..=most)
}

/// A board with deirs, hillocks, sand, scrub and, now and then, a hill.
fn position() -> impl Strategy<Value = Arc<Position>> {
    let hill = prop_oneof![3 => Just(BTreeSet::new()), 1 => any_hexes(4)];
    let layers = (any_hexes(7), any_hexes(5), any_hexes(4), any_hexes(4), hill);
    layers.prop_map(|(deir, hillock, sand, scrub, hill)| {
        // One hex is of one terrain only.
        let hillock = &hillock - &deir;
        let mut map = Map::flat(grid());
        map.levels = hill.into_iter().map(|hex| (hex, 1)).collect();
        map.layers = BTreeMap::from([
            ("deir".to_owned(), hexes_of(deir)),
            ("hillock".to_owned(), hexes_of(hillock)),
            ("sand".to_owned(), hexes_of(sand.clone())),
            ("scrub".to_owned(), hexes_of(&scrub - &sand)),
        ]);
        Arc::new(Position::new(Arc::new(map), vec![], Environment::default()).unwrap())
    })
}

fn question() -> impl Strategy<Value = ReachQuestion> {
    use CounterClass::{Cavalry, Motorcycle, Squad, Tank, Truck, Wagon};
    let class = select(vec![Squad, Cavalry, Wagon, Motorcycle, Tank, Truck]);
    let ec = select(vec![None, Some(EnvironmentCondition::Wet)]);
    let way = select(vec![Way::Open, Way::Open, Way::Track]);
    let from = any::<prop::sample::Index>();
    (class, ec, way, from, 0_u16..=6).prop_map(|(class, ec, way, from, allowance)| ReachQuestion {
        moving: Moving {
            ec,
            ..Moving::new(Mover::new(class))
        },
        from: grid().hex_at(from.index(grid().len())).unwrap(),
        allowance,
        way,
    })
}

/// What is known of a step: its cost and the DRs that it owes, that it is forbidden, or nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    Costs(u32, u32),
    Forbidden,
    Nothing,
}

/// Every step on the board, ruled on by itself.
fn every_step(position: &Arc<Position>, asked: &ReachQuestion) -> BTreeMap<(Hex, Hex), Known> {
    let neighbours = |from: Hex| from.neighbours().map(move |to| (from, to));
    let steps = grid().hexes().flat_map(neighbours);
    let steps: Vec<(Hex, Hex)> = steps.filter(|(_, to)| grid().contains(*to)).collect();
    let question = |&(from, to): &(Hex, Hex)| {
        let way = asked.way;
        Question::new(Ask::Movement {
            mover: asked.moving.mover.clone(),
            step: Step::Enter { from, to, way },
            ec: asked.moving.ec,
        })
    };
    let questions: Vec<Question> = steps.iter().map(question).collect();
    let (engine, position) = (rules(), Arc::clone(position));
    let wanted = Wanted::default();
    let rulings = engine.adjudicate_here(&engine.ruleset(), position, &questions, wanted);
    let known = rulings.unwrap().into_iter().map(|ruling| match ruling {
        Err(QuestionError::NotImplemented { .. }) => Known::Nothing,
        Err(error) => panic!("{error}"),
        Ok(ruled) => match ruled.ruling.verdict {
            Verdict::Movement(step) if !step.prohibited_by.is_empty() => Known::Forbidden,
            Verdict::Movement(step) => match step.total {
                None => Known::Nothing,
                Some(total) => {
                    let owed = step.checks.iter().map(|check| u32::from(check.times));
                    Known::Costs(total.try_into().unwrap(), owed.sum())
                }
            },
            other => panic!("{other:?}"),
        },
    });
    steps.into_iter().zip(known).collect()
}

/// The best that any way without a return gives of each hex: cost, DRs, steps, the hex before it.
type Best = BTreeMap<Hex, (u32, u32, u32, Option<Hex>)>;

fn go(
    steps: &BTreeMap<(Hex, Hex), Known>,
    allowance: u32,
    way: &mut Vec<Hex>,
    here: (u32, u32, u32, Option<Hex>),
    best: &mut Best,
) {
    let hex = *way.last().unwrap();
    let known = best.entry(hex).or_insert(here);
    *known = here.min(*known);
    for to in hex.neighbours() {
        let Some(Known::Costs(cost, checks)) = steps.get(&(hex, to)) else {
            continue;
        };
        if here.0 + cost <= allowance && !way.contains(&to) {
            way.push(to);
            let there = (here.0 + cost, here.1 + checks, here.2 + 1, Some(hex));
            go(steps, allowance, way, there, best);
            way.pop();
        }
    }
}

fn reach(position: &Arc<Position>, asked: &ReachQuestion, wanted: Wanted) -> Reach {
    let (engine, position) = (rules(), Arc::clone(position));
    let reach = engine.reachable_here(&engine.ruleset(), position, asked, wanted);
    reach.unwrap()
}

/// The way that an answer gives to a hex, as a path.
fn way_to(reach: &Reach, asked: &ReachQuestion, hex: Hex) -> PathQuestion {
    let came_from: BTreeMap<Hex, Option<Hex>> = reach
        .hexes
        .iter()
        .map(|reached| (reached.hex, reached.came_from))
        .collect();
    let (mut steps, mut to) = (Vec::new(), hex);
    while let Some(from) = came_from[&to] {
        let way = asked.way;
        steps.push(Step::Enter { from, to, way });
        to = from;
    }
    steps.reverse();
    PathQuestion {
        moving: asked.moving.clone(),
        steps,
        allowance: Some(asked.allowance),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn it_is_what_every_way_gives(position in position(), asked in question()) {
        let steps = every_step(&position, &asked);
        let mut best = Best::new();
        let start = (0, 0, 0, None);
        go(&steps, asked.allowance.into(), &mut vec![asked.from], start, &mut best);
        let reach = reach(&position, &asked, Wanted::default());
        let told: Best = reach
            .hexes
            .iter()
            .map(|told| {
                let steps = way_to(&reach, &asked, told.hex).steps.len();
                (told.hex, (told.cost, told.checks, steps as u32, told.came_from))
            })
            .collect();
        prop_assert_eq!(&told, &best);
        // The hexes come in a fixed order, the first being where it begins.
        prop_assert_eq!(reach.hexes[0].hex, asked.from);
        let ordered: Vec<(u32, Hex)> = reach.hexes[1..].iter().map(|r| (r.cost, r.hex)).collect();
        prop_assert!(ordered.is_sorted());
        // What could not be priced is named, and nothing else.
        let unknown: Vec<(Hex, Hex)> = reach.unknown.iter().map(|s| (s.from, s.to)).collect();
        let expected: Vec<(Hex, Hex)> = steps
            .iter()
            .filter(|((from, _), known)| best.contains_key(from) && **known == Known::Nothing)
            .map(|(step, _)| *step)
            .collect();
        prop_assert_eq!(unknown, expected);
    }

    #[test]
    fn the_way_to_each_hex_has_the_price_that_is_told(
        position in position(),
        asked in question(),
    ) {
        let reach = reach(&position, &asked, Wanted::default());
        let engine = rules();
        for told in &reach.hexes[1..] {
            let path = way_to(&reach, &asked, told.hex);
            let priced = engine
                .price_path_here(&engine.ruleset(), Arc::clone(&position), &path, Wanted::default())
                .unwrap();
            prop_assert_eq!(priced.total, Some(told.cost as i32));
            let owed = priced.checks.iter().map(|owed| u32::from(owed.check.times));
            prop_assert_eq!(owed.sum::<u32>(), told.checks);
            prop_assert_eq!(priced.exceeds_at, None);
            prop_assert!(priced.prohibited.is_empty());
            prop_assert_eq!((priced.rules, priced.position), (reach.rules, reach.position));
        }
    }

    #[test]
    fn who_is_not_concerned_has_nothing_to_say(position in position(), asked in question()) {
        let everyone = Wanted { ask_everyone: true, ..Wanted::default() };
        prop_assert_eq!(
            reach(&position, &asked, everyone),
            reach(&position, &asked, Wanted::default())
        );
    }
}

/// A flat board of that size, with a squad's question about it.
fn flat(columns: u16, rows: u16, from: &str) -> (Arc<Position>, ReachQuestion) {
    let grid = Grid::new(columns, rows).unwrap();
    let map = Arc::new(Map::flat(grid));
    let position = Position::new(map, vec![], Environment::default()).unwrap();
    let asked = ReachQuestion {
        moving: Moving::new(Mover::new(CounterClass::Squad)),
        from: grid.hex(from).unwrap(),
        allowance: 4,
        way: Way::Open,
    };
    (Arc::new(position), asked)
}

#[test]
fn in_the_open_it_is_a_disc() {
    let (position, asked) = flat(33, 10, "P5");
    let reach = reach(&position, &asked, Wanted::default());
    assert_eq!(reach.hexes.len(), 1 + 6 + 12 + 18 + 24);
    for told in &reach.hexes {
        assert_eq!(told.cost, u32::from(asked.from.range(told.hex)));
    }
    assert!(reach.unknown.is_empty() && reach.contested.is_empty() && reach.ignored.is_empty());
}

/// A board with these layers and levels, and what a class reaches on it from A1.
fn from_a1(
    layers: &[(&str, &[&str])],
    hill: &[&str],
    class: CounterClass,
    allowance: u16,
) -> Reach {
    let hexes = |names: &[&str]| names.iter().map(|name| grid().hex(name).unwrap()).collect();
    let mut map = Map::flat(grid());
    let hill: BTreeSet<Hex> = hexes(hill);
    map.levels = hill.into_iter().map(|hex| (hex, 1)).collect();
    for (name, names) in layers {
        map.layers
            .insert((*name).to_owned(), hexes_of(hexes(names)));
    }
    let position = Position::new(Arc::new(map), vec![], Environment::default()).unwrap();
    let (_, mut asked) = flat(4, 4, "A1");
    asked.moving.mover.class = class;
    asked.allowance = allowance;
    reach(&Arc::new(position), &asked, Wanted::default())
}

fn told(reach: &Reach, hex: &str) -> (u32, u32, String) {
    let hex = grid().hex(hex).unwrap();
    let told = reach.hexes.iter().find(|told| told.hex == hex).unwrap();
    (
        told.cost,
        told.checks,
        grid().label(told.came_from.unwrap()),
    )
}

#[test]
fn costs_are_those_of_the_hexsides_crossed() {
    // Out of the deir a tank pays 1 MP more, within it and into it nothing.
    let deir: &[&str] = &["A2", "B1", "B2"];
    let reach = from_a1(&[("deir", deir)], &[], CounterClass::Tank, 4);
    assert_eq!(told(&reach, "B2").0, 2);
    assert_eq!(
        told(&reach, "C2"),
        (3, 0, "B1".into()),
        "over the lip of B1 or B2"
    );
    assert_eq!(
        told(&reach, "C1"),
        (2, 0, "B0".into()),
        "round by B0, which is no deir hex"
    );
}

#[test]
fn of_ways_that_cost_the_same_it_tells_one_that_owes_the_fewest_drs() {
    // Beside the sand a tank owes a Bog DR. Two steps to A3 either way.
    let reach = from_a1(&[("sand", &["C3"])], &[], CounterClass::Tank, 2);
    assert_eq!(told(&reach, "C2").1, 1, "beside the sand");
    assert_eq!(told(&reach, "C1"), (2, 0, "B0".into()));
}

#[test]
fn where_nobody_knows_the_cost_it_stops_and_says_why() {
    let wall: &[&str] = &["B0", "B1", "B2", "B3", "B4"];
    let reach = from_a1(&[], wall, CounterClass::Squad, 8);
    let column: Vec<String> = reach
        .hexes
        .iter()
        .map(|told| grid().label(told.hex))
        .collect();
    assert_eq!(column, ["A1", "A2", "A3", "A4"]);
    let steps = reach
        .unknown
        .iter()
        .map(|step| (grid().label(step.from), grid().label(step.to)));
    let steps: Vec<(String, String)> = steps.collect();
    assert_eq!(steps.len(), 8, "two out of each: {steps:?}");
    let Unpriced::NotImplemented(why) = &reach.unknown[0].why else {
        panic!("{:?}", reach.unknown[0]);
    };
    assert_eq!(
        (&*why.by.plugin, why.by.number(), why.place.name()),
        ("ground", "B10", "B0")
    );
    assert!(
        why.text.starts_with("B0 is on another level"),
        "{}",
        why.text
    );
}

#[test]
fn a_map_of_one_hex_is_reached_whole() {
    let (position, asked) = flat(1, 1, "A1");
    assert_eq!(reach(&position, &asked, Wanted::default()).hexes.len(), 1);
}

#[test]
fn what_cannot_be_asked_about_is_refused() {
    let (position, asked) = flat(4, 4, "A1");
    let refused = |asked: &ReachQuestion, wanted| {
        let (engine, position) = (rules(), Arc::clone(&position));
        let reach = engine.reachable_here(&engine.ruleset(), position, asked, wanted);
        match reach.unwrap_err() {
            MoveError::Question(error) => error,
            other => panic!("{other}"),
        }
    };
    let mut wreck = asked.clone();
    wreck.moving.mover.class = CounterClass::Wreck;
    let error = refused(&wreck, Wanted::default());
    assert!(matches!(error, QuestionError::NoMover { .. }), "{error}");
    let mut off = asked.clone();
    off.from = Hex::new(9, 9);
    let error = refused(&off, Wanted::default());
    assert!(error.to_string().starts_with("from: hex J"), "{error}");
    let mut ignoring = asked.clone();
    ignoring.moving.ignore_layers = vec!["deir".into()];
    let error = refused(&ignoring, Wanted::default());
    assert!(
        matches!(error, QuestionError::NotIgnorable { .. }),
        "{error}"
    );
    let late = Wanted {
        budget: Budget {
            deadline: Some(Instant::now()),
        },
        ..Wanted::default()
    };
    assert_eq!(refused(&asked, late), QuestionError::OutOfTime);
}

#[test]
fn layers_left_out_of_account_are_named() {
    let mut map = Map::flat(grid());
    let far = BTreeSet::from([grid().hex("D4").unwrap()]);
    map.layers.insert("moss".into(), hexes_of(far));
    let position = Position::new(Arc::new(map), vec![], Environment::default()).unwrap();
    let position = Arc::new(position);
    let (_, mut asked) = flat(4, 4, "A1");
    let engine = rules();
    let refused = engine.reachable_here(
        &engine.ruleset(),
        Arc::clone(&position),
        &asked,
        Wanted::default(),
    );
    let refused = refused.unwrap_err();
    assert!(
        refused.to_string().starts_with("map.layers[moss]: "),
        "{refused}"
    );
    asked.moving.ignore_layers = vec!["moss".into()];
    for (allowance, met) in [(0, false), (4, true)] {
        asked.allowance = allowance;
        let reach = reach(&position, &asked, Wanted::default());
        assert_eq!(reach.ignored[0].layer, "moss");
        assert_eq!(reach.ignored[0].met, met);
    }
}
