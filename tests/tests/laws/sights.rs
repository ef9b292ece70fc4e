//! What is seen of many hexes at once is what the question about each by itself says.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use alamein_cases::load;
use alamein_engine::{
    Engine, PrepareError, QuestionError, Ruleset, RulesetConfig, SightError, Wanted,
};
use alamein_hex::{Aim, Grid, Hex};
use alamein_maps::MapFile;
use alamein_terrain::{
    Budget, ContestedOption, Counter, CounterClass, End, Environment, Field, FieldOfView,
    FieldQuestion, FoundEffect, GrazingPolicy, Layer, Map, MissingRule, Name, PairsQuestion,
    Position, Question, Sight,
};
use alamein_tests::house::House;
use alamein_tests::{engine, known, linked_plugins, root};
use futures::StreamExt as _;
use futures::executor::block_on;
use proptest::prelude::*;
use serde_json::json;

use super::world::{middle, world};
use super::{UPRIGHT, none, policy, rule, rules};

fn look(position: &Arc<Position>, question: &FieldQuestion) -> FieldOfView {
    let (engine, position) = (rules(), Arc::clone(position));
    let seen = engine.field_of_view_here(engine.ruleset(), position, question, Wanted::default());
    seen.unwrap()
}

/// What the questions about each hex by itself come to.
#[derive(Debug, Default, PartialEq)]
struct OneByOne {
    sights: Vec<(Hex, Sight)>,
    contested: Vec<ContestedOption>,
    not_implemented: Vec<MissingRule>,
    not_covered: usize,
    ignored: BTreeMap<Name, bool>,
}

impl OneByOne {
    fn of(position: &Arc<Position>, question: &FieldQuestion, viewer: Hex) -> Self {
        let in_range = |hex: &Hex| {
            question
                .range
                .is_none_or(|range| viewer.range(*hex) <= range)
        };
        let hexes: Vec<Hex> = position.map().grid.hexes().filter(in_range).collect();
        let questions: Vec<Question> = hexes.iter().map(|hex| question.question(*hex)).collect();
        let mut all = Self::default();
        let mut not_covered = Vec::new();
        for (hex, ruled) in hexes.into_iter().zip(rule(position, &questions, false)) {
            let ruling = match ruled {
                Ok(ruled) => ruled.ruling,
                Err(QuestionError::NotImplemented {
                    plugin,
                    rule,
                    place,
                    text,
                }) => {
                    let by = alamein_terrain::Cited {
                        plugin: plugin.into(),
                        rule: rule.into(),
                    };
                    all.not_implemented.push(MissingRule { by, place, text });
                    all.sights.push((hex, Sight::NotImplemented));
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            all.sights.push((hex, ruling.verdict.los().unwrap().into()));
            let standing = ruling.standing_findings();
            let missing = standing.filter(|found| found.effect == FoundEffect::NotCovered);
            not_covered.extend(missing.map(|found| found.by.clone()));
            all.contested.extend(ruling.contested);
            for layer in ruling.ignored {
                *all.ignored.entry(layer.layer).or_default() |= layer.met;
            }
        }
        all.contested.sort();
        all.contested
            .dedup_by(|a, b| (&a.by, &a.option) == (&b.by, &b.option));
        all.not_implemented.sort();
        all.not_implemented.dedup_by(|a, b| a.by == b.by);
        not_covered.sort();
        not_covered.dedup();
        all.not_covered = not_covered.len();
        all
    }
}

impl From<FieldOfView> for OneByOne {
    fn from(field: FieldOfView) -> Self {
        let ignored = field.ignored.into_iter();
        Self {
            sights: field.sights,
            contested: field.contested,
            not_implemented: field.not_implemented,
            not_covered: field.not_covered.len(),
            ignored: ignored.map(|layer| (layer.layer, layer.met)).collect(),
        }
    }
}

/// Checks a field of view against the questions about each hex by itself.
fn check(position: &Arc<Position>, question: &FieldQuestion) {
    let field = look(position, question);
    let expected = OneByOne::of(position, question, field.viewer);
    let packed = field.packed();
    for (hex, sight) in &expected.sights {
        assert_eq!(field.sight(*hex), Some(*sight), "{hex:?} of {question:?}");
        let at = position.map().grid.index(*hex).unwrap();
        let told = Sight::from_byte(packed[at]).unwrap();
        assert_eq!(told.is_blocked(), sight.is_blocked());
    }
    assert_eq!(OneByOne::from(field), expected, "{question:?}");
}

fn from_hex(aim: Aim) -> FieldQuestion {
    FieldQuestion::new(End::Hex(aim))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn each_sight_is_that_of_the_question_by_itself(
        world in world(), policy in policy(), range in 0_u16..8, corner in 0_u8..6,
    ) {
        let fog = Field::Hexes([middle()].into());
        let fog = Layer { fields: BTreeMap::from([("hexes".to_owned(), fog)]) };
        let position = world.position(UPRIGHT, &BTreeMap::from([("fog".to_owned(), fog)]));
        let asked = |from| FieldQuestion {
            range: Some(range),
            policy: Some(policy),
            ignore_layers: vec!["fog".into()],
            ..FieldQuestion::new(from)
        };
        let counter = End::Counter { id: "u0".into(), corner: None };
        check(&position, &asked(counter));
        let bypass = End::Counter { id: "u1".into(), corner: Some(corner) };
        check(&position, &asked(bypass));
        let aim = Aim::corner(middle(), corner).unwrap();
        check(&position, &FieldQuestion { range: None, ..asked(End::Hex(aim)) });
    }

    #[test]
    fn a_probe_sees_as_one_that_is_there(world in world(), policy in policy()) {
        let position = world.position(UPRIGHT, &none());
        let mut probe = Counter::new("probe", CounterClass::Tank, middle());
        probe.height = 2;
        let from = End::Counter { id: "probe".into(), corner: None };
        let (policy, probes) = (Some(policy), vec![probe]);
        check(&position, &FieldQuestion { policy, probes, range: Some(6), ..FieldQuestion::new(from) });
    }
}

#[test]
fn each_sight_on_the_positions_of_the_cases_is_that_of_the_question_by_itself() {
    let known = known(rules());
    let mut tried = 0;
    for entry in std::fs::read_dir(root().join("tests/cases")).unwrap() {
        let case = load(&entry.unwrap().path(), &known).unwrap();
        let grid = case.position.map().grid;
        let counters = case.position.counters().iter().map(|counter| counter.hex);
        let viewer = counters.chain(grid.hexes().nth(grid.len() / 2)).next();
        for policy in GrazingPolicy::ALL {
            let question = FieldQuestion {
                policy: Some(policy),
                range: Some(9),
                ignore_layers: case.unowned_layers.clone(),
                ..from_hex(viewer.unwrap().into())
            };
            check(&case.position, &question);
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
}

#[test]
fn the_worked_example_shows_every_kind_of_sight_of_its_map() {
    let case = load(&root().join("tests/cases/f4-example.json"), &known(rules())).unwrap();
    let grid = case.position.map().grid;
    let mut kinds = [0; 3];
    // A hex of every part of the map.
    for hex in grid.hexes().step_by(7) {
        let question = from_hex(hex.into());
        check(&case.position, &question);
        for (_, sight) in look(&case.position, &question).sights {
            kinds[match sight {
                Sight::Clear => 0,
                Sight::Hindered(_) => 1,
                _ => 2,
            }] += 1;
        }
    }
    assert!(kinds.iter().all(|kind| *kind > 50), "{kinds:?}");
}

#[test]
fn six_hindrances_block_and_say_how_many_they_are() {
    let grid = Grid::geomorphic();
    let hex = |name: &str| grid.hex(name).unwrap();
    let wreck = |at: usize| {
        let name = format!("F{}", at + 2);
        Counter::new(format!("w{at}"), CounterClass::Wreck, hex(&name))
    };
    let counters = (0..7).map(wreck).collect();
    let map = Arc::new(Map::flat(grid));
    let position = Position::new(map, counters, Environment::default()).unwrap();
    let position = Arc::new(position);
    let question = from_hex(hex("F1").into());
    check(&position, &question);
    let field = look(&position, &question);
    assert_eq!(field.sight(hex("F7")), Some(Sight::Hindered(5)));
    assert_eq!(field.sight(hex("F8")), Some(Sight::BlockedByHindrances(6)));
    assert_eq!(field.sight(hex("F9")), Some(Sight::BlockedByHindrances(7)));
}

#[test]
fn worked_in_turns_it_is_the_same_and_every_pair_is_somebodys_view() {
    let case = load(&root().join("tests/cases/f4-example.json"), &known(rules())).unwrap();
    let engine = rules();
    let ruleset = || engine.ruleset();
    let position = || Arc::clone(&case.position);
    let question = PairsQuestion::default();
    let all = engine.all_pairs(ruleset(), position(), question.clone(), Wanted::default());
    let all: Vec<_> = block_on(all.collect());
    let grid = case.position.map().grid;
    assert_eq!(all.len(), grid.len());
    for (hex, field) in grid.hexes().zip(&all) {
        let field = field.as_ref().unwrap();
        assert_eq!(field.viewer, hex);
        assert_eq!(*field, look(&case.position, &question.from(hex)));
    }
    // LOS is the same both ways between ordinary units, by the rules that are here.
    let sight = |from: Hex, to: Hex| {
        let at = grid.index(from).unwrap();
        all[at].as_ref().unwrap().sight(to)
    };
    for from in grid.hexes() {
        for to in grid.hexes() {
            assert_eq!(sight(from, to), sight(to, from), "{from:?} {to:?}");
        }
    }
    // A whole board takes more than one turn.
    let board = Arc::new(Map::flat(Grid::new(40, 40).unwrap()));
    let board = Position::new(board, Vec::new(), Environment::default()).unwrap();
    let (board, question) = (Arc::new(board), from_hex(Hex::new(20, 5).into()));
    let wanted = Wanted::default();
    let turned = engine.field_of_view(ruleset(), Arc::clone(&board), question.clone(), wanted);
    assert_eq!(block_on(turned).unwrap(), look(&board, &question));
}

#[test]
fn what_cannot_be_asked_is_refused_and_time_is_kept() {
    let engine = rules();
    let map = Arc::new(Map::flat(Grid::geomorphic()));
    let position = Position::new(map, Vec::new(), Environment::default()).unwrap();
    let position = Arc::new(position);
    let ask = |question: &FieldQuestion, wanted: Wanted| {
        let (here, there) = (Arc::clone(&position), Arc::clone(&position));
        let here = engine.field_of_view_here(engine.ruleset(), here, question, wanted);
        let turned = engine.field_of_view(engine.ruleset(), there, question.clone(), wanted);
        (here.unwrap_err(), block_on(turned).unwrap_err())
    };
    let nobody = FieldQuestion::new(End::Counter {
        id: "nobody".into(),
        corner: None,
    });
    let (here, turned) = ask(&nobody, Wanted::default());
    assert_eq!(here, turned);
    assert!(
        matches!(
            here,
            SightError::Question(QuestionError::UnknownCounter { .. })
        ),
        "{here}"
    );
    let off = from_hex(Hex::new(-1, 0).into());
    let (here, turned) = ask(&off, Wanted::default());
    assert_eq!(here, turned);
    assert!(matches!(
        here,
        SightError::Question(QuestionError::OffMap { .. })
    ));
    let late = Wanted {
        budget: Budget {
            deadline: Some(Instant::now()),
        },
        ..Wanted::default()
    };
    let (here, turned) = ask(&from_hex(Hex::new(3, 3).into()), late);
    assert_eq!(here, SightError::Question(QuestionError::OutOfTime));
    assert_eq!(turned, SightError::Prepare(PrepareError::OutOfTime));
}

/// Looks around by some options, in short and in rounds, and gives how many options that turned on.
fn looks_the_same(engine: &Engine, position: &Arc<Position>, from: Hex, range: u16) -> usize {
    let look = |ask_everyone| {
        let wanted = Wanted {
            ask_everyone,
            ..Wanted::default()
        };
        let question = FieldQuestion {
            range: Some(range),
            ..from_hex(from.into())
        };
        let position = Arc::clone(position);
        engine
            .field_of_view_here(engine.ruleset(), position, &question, wanted)
            .unwrap()
    };
    let expected = look(true);
    // The second time of what is kept with the map.
    for _ in 0..2 {
        assert_eq!(look(false), expected, "{from:?} {range}");
    }
    expected.contested.len()
}

/// The dense desert with vehicles in these hexes.
fn desert(vehicles: impl Iterator<Item = Hex>) -> Arc<Position> {
    let map = std::fs::read_to_string(root().join("docs/maps/dense-desert.toml")).unwrap();
    let map = Arc::new(MapFile::read_toml(&map).unwrap().1);
    let classes = [
        CounterClass::Tank,
        CounterClass::Wreck,
        CounterClass::Halftrack,
    ];
    let vehicle = |(at, hex): (usize, Hex)| Counter::new(format!("v{at}"), classes[at % 3], hex);
    let vehicles = vehicles.enumerate().map(vehicle).collect();
    Arc::new(Position::new(map, vehicles, Environment::default()).unwrap())
}

/// Whether a vehicle Hinders who looks from a hillock is an option, in a deir another rule, and of both only if
/// it is seen: what is told in short of all that is what the rounds come to.
#[test]
fn f6_4_over_vehicles_each_sight_is_what_everybody_says() {
    let grid = desert(std::iter::empty()).map().grid;
    let many = desert(grid.hexes().step_by(7));
    let mut turned = 0;
    for (sees_over, at_vertex) in [
        (true, "no_hindrance"),
        (false, "no_hindrance"),
        (true, "hinders"),
    ] {
        let options = [
            (
                "hillock".to_owned(),
                options(json!({ "hillock_sees_over_afv": sees_over })),
            ),
            (
                "vehicle".to_owned(),
                options(json!({ "vertex_contact": at_vertex })),
            ),
        ];
        let config = RulesetConfig {
            options: options.into(),
            ..RulesetConfig::default()
        };
        let ruleset = Ruleset::build(&linked_plugins().unwrap(), &config).unwrap();
        let engine = Engine::new(ruleset).unwrap();
        for (range, from) in (0..6).cycle().zip(grid.hexes().step_by(11)) {
            turned += looks_the_same(&engine, &many, from, range);
        }
    }
    assert!(turned > 50, "{turned}");
}

/// With one vehicle alone no line hides what another says of it: on every hex in turn, seen from a hillock with two
/// more across the map behind each other, of which the further one blocks.
#[test]
fn f6_4_over_one_vehicle_each_sight_is_what_everybody_says() {
    let grid = Grid::new(9, 5).unwrap();
    let hex = |name: &str| grid.hex(name).unwrap();
    let walls = grid.hexes().filter(|hex| [3, 5].contains(&hex.q));
    let hillocks = Field::Hexes(walls.chain([hex("B3"), hex("I1")]).collect());
    let mut map = Map::flat(grid);
    let layer = Layer {
        fields: BTreeMap::from([("hexes".to_owned(), hillocks)]),
    };
    map.layers.insert("hillock".into(), layer);
    let map = Arc::new(map);
    let mut turned = 0;
    for at in grid.hexes() {
        let tank = vec![Counter::new("tank", CounterClass::Tank, at)];
        let position = Position::new(Arc::clone(&map), tank, Environment::default());
        turned += looks_the_same(rules(), &Arc::new(position.unwrap()), hex("B3"), 9);
    }
    assert!(turned > 10, "{turned}");
}

fn options(options: serde_json::Value) -> serde_json::Map<String, serde_json::Value> {
    options.as_object().unwrap().clone()
}

/// A plugin that says nothing of sight is asked about all that concerns it, and those that answer in short
/// are asked in full wherever it may meddle.
#[test]
fn beside_a_plugin_that_knows_nothing_of_sight_each_is_what_everybody_says() {
    let case = load(&root().join("tests/cases/f4-example.json"), &known(rules())).unwrap();
    for (does, replaces) in [
        ("objects", &[][..]),
        ("missing", &[]),
        ("nothing", &["hillock:F6.4/los", "vehicle:D9.4/hindrance"]),
    ] {
        let mut plugins = linked_plugins().unwrap();
        let house = House::new("meddler").rule("X1/meddles", replaces);
        plugins.push(house.does(does, 1).plugin().unwrap());
        let engine = engine(&plugins).unwrap();
        let look = |from: Hex, ask_everyone| {
            let wanted = Wanted {
                ask_everyone,
                ..Wanted::default()
            };
            let (position, question) = (Arc::clone(&case.position), from_hex(from.into()));
            engine.field_of_view_here(engine.ruleset(), position, &question, wanted)
        };
        let mut seen = 0;
        for hex in case.position.map().grid.hexes().step_by(23) {
            let field = look(hex, false).unwrap();
            assert_eq!(field, look(hex, true).unwrap(), "{does} {hex:?}");
            seen += field
                .sights
                .iter()
                .filter(|(_, sight)| *sight == Sight::Clear)
                .count();
        }
        assert_eq!(seen == 0, does == "missing", "{does}");
    }
}
