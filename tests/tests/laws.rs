//! Laws that hold of rulings on any map: turning or mirroring the map turns or mirrors the ruling,
//! LOS agrees both ways, what lies far from a line does not matter, a batch answers as one at a
//! time, and who is not concerned has nothing to say.
#![allow(clippy::unwrap_used)] // A test may.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use alamein_engine::{Engine, QuestionError, Wanted};
use alamein_hex::{Aim, Grid, Hex, Symmetry};
use alamein_terrain::{
    Adjudicated, Ask, Attack, Counter, CounterClass, CounterFlags, End, Environment, Field,
    FoundEffect, GrazingPolicy, LaneMover, Layer, Map, Position, Question, Verdict,
};
use alamein_tests::{engine, linked_plugins};
use proptest::prelude::*;

/// All that matters lies within this range of the middle, so that every turn of it is on the map.
const REACH: i16 = 6;

fn grid() -> Grid {
    Grid::new(33, 24).unwrap()
}

/// The middle of the map.
fn middle() -> Hex {
    grid().hex("Q12").unwrap()
}

fn rules() -> &'static Engine {
    static RULES: OnceLock<Engine> = OnceLock::new();
    RULES.get_or_init(|| engine(&linked_plugins().unwrap()).unwrap())
}

/// A hex by its offset from the middle.
fn near() -> impl Strategy<Value = Hex> {
    let around = (-REACH..=REACH, -REACH..=REACH);
    let close = |(q, r): &(i16, i16)| Hex::new(0, 0).range(Hex::new(*q, *r)) <= REACH as u16;
    around
        .prop_filter("near the middle", close)
        .prop_map(|(q, r)| Hex::new(q, r))
}

/// What stands somewhere, by its offset from the middle.
#[derive(Clone, Debug)]
struct Unit {
    class: CounterClass,
    at: Hex,
    dug_in: bool,
    axis: bool,
}

fn unit() -> impl Strategy<Value = Unit> {
    use CounterClass::{Gun, Halftrack, Squad, Tank, Truck, Wreck};
    let class = prop::sample::select(vec![Squad, Squad, Gun, Tank, Halftrack, Truck, Wreck]);
    (class, near(), any::<bool>(), any::<bool>()).prop_map(|(class, at, dug_in, axis)| Unit {
        class,
        at,
        dug_in,
        axis,
    })
}

/// A small world around the middle: blobs of deirs and hillocks, and units.
#[derive(Clone, Debug)]
struct World {
    deir: BTreeSet<Hex>,
    hillock: BTreeSet<Hex>,
    units: Vec<Unit>,
}

/// Hexes and all that touch some of them: shapes with an inside.
fn blobs(most: usize) -> impl Strategy<Value = BTreeSet<Hex>> {
    let seeds = prop::collection::vec((near(), any::<bool>()), 0..most);
    seeds.prop_map(|seeds| {
        let mut hexes = BTreeSet::new();
        for (seed, large) in seeds {
            hexes.insert(seed);
            if large {
                let around = seed.neighbours().into_iter();
                hexes.extend(around.filter(|hex| Hex::new(0, 0).range(*hex) <= REACH as u16));
            }
        }
        hexes
    })
}

fn world() -> impl Strategy<Value = World> {
    (blobs(5), blobs(3), prop::collection::vec(unit(), 2..8)).prop_map(
        |(deir, mut hillock, units)| {
            hillock.retain(|hex| !deir.contains(hex));
            World {
                deir,
                hillock,
                units,
            }
        },
    )
}

impl World {
    /// The position, turned and mirrored about the middle.
    fn position(&self, symmetry: Symmetry, extra: &BTreeMap<String, Layer>) -> Arc<Position> {
        let place = |hex: &Hex| middle() + symmetry.hex(*hex);
        let layer = |hexes: &BTreeSet<Hex>| Layer {
            fields: BTreeMap::from([(
                "hexes".to_owned(),
                Field::Hexes(hexes.iter().map(place).collect()),
            )]),
        };
        let mut map = Map::flat(grid());
        map.layers.insert("deir".into(), layer(&self.deir));
        map.layers.insert("hillock".into(), layer(&self.hillock));
        map.layers.extend(extra.clone());
        let counter = |(at, unit): (usize, &Unit)| {
            let mut counter = Counter::new(format!("u{at}"), unit.class, place(&unit.at));
            let side = if unit.axis { "axis" } else { "allied" };
            counter.side = (unit.class != CounterClass::Wreck).then(|| side.to_owned());
            counter.flags = match unit.class {
                CounterClass::Squad if unit.dug_in => CounterFlags::ENTRENCHED,
                CounterClass::Gun if unit.dug_in => CounterFlags::EMPLACED,
                _ => CounterFlags::none(),
            };
            counter
        };
        let counters = self.units.iter().enumerate().map(counter).collect();
        Arc::new(Position::new(Arc::new(map), counters, Environment::default()).unwrap())
    }

    /// Questions about every pair of units, and lanes between them; the same for every symmetry.
    fn questions(&self, symmetry: Symmetry, policy: GrazingPolicy) -> Vec<Question> {
        let place = |hex: Hex| middle() + symmetry.hex(hex);
        let end = |at: usize| End::Counter {
            id: format!("u{at}"),
            corner: None,
        };
        let mut questions = Vec::new();
        for a in 0..self.units.len() {
            for b in (0..self.units.len()).filter(|b| *b != a) {
                let attack = if b % 3 == 0 {
                    Attack::Mortar
                } else {
                    Attack::Direct
                };
                questions.push(Ask::LineOfFire {
                    from: end(a),
                    to: end(b),
                    attack,
                    munition: alamein_terrain::Munition::Other,
                });
                let mover = [LaneMover::Infantry, LaneMover::Vehicle][b % 2];
                let middle_unit = self.units[(a + b) % self.units.len()].at;
                questions.push(Ask::FireLane {
                    mg: end(a),
                    counter_hex: place(self.units[b].at),
                    mover_hex: place(middle_unit),
                    mover,
                });
            }
        }
        let asked = |ask| Question {
            policy: Some(policy),
            ..Question::new(ask)
        };
        questions.into_iter().map(asked).collect()
    }
}

type Rulings = Vec<Result<Adjudicated, QuestionError>>;

fn rule(position: &Arc<Position>, questions: &[Question], ask_everyone: bool) -> Rulings {
    let engine = rules();
    let wanted = Wanted {
        ask_everyone,
        ..Wanted::default()
    };
    engine
        .adjudicate_here(&engine.ruleset(), Arc::clone(position), questions, wanted)
        .unwrap()
}

/// What must not change when the map turns: all but places, which turn with it.
type Essence = (
    Verdict,
    Vec<(String, FoundEffect, Option<String>, bool)>,
    Vec<String>,
);

fn essence(ruled: &Result<Adjudicated, QuestionError>) -> Essence {
    let ruling = &ruled.as_ref().unwrap().ruling;
    let mut findings: Vec<_> = ruling
        .findings
        .iter()
        .map(|f| {
            (
                f.by.rule.to_string(),
                f.effect.clone(),
                f.subject.clone(),
                f.standing,
            )
        })
        .collect();
    findings.sort_by_key(|finding| format!("{finding:?}"));
    let mut seen: Vec<String> = ruling
        .observations
        .iter()
        .filter(|o| !o.hypothetical)
        .map(|o| format!("{} {:?} {:?}", o.by.rule, o.subject, o.set_aside_by))
        .collect();
    seen.sort();
    (ruling.verdict.clone(), findings, seen)
}

fn canonical(rulings: &Rulings) -> Vec<Vec<u8>> {
    rulings
        .iter()
        .map(|ruled| ruled.as_ref().unwrap().ruling.canonical())
        .collect()
}

fn policy() -> impl Strategy<Value = GrazingPolicy> {
    prop::sample::select(GrazingPolicy::ALL.to_vec())
}

fn none() -> BTreeMap<String, Layer> {
    BTreeMap::new()
}

const UPRIGHT: Symmetry = Symmetry::new(0, false);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn turning_or_mirroring_the_map_turns_or_mirrors_each_ruling(
        world in world(), policy in policy(),
    ) {
        let upright = rule(&world.position(UPRIGHT, &none()), &world.questions(UPRIGHT, policy), false);
        for symmetry in Symmetry::all() {
            let questions = world.questions(symmetry, policy);
            let turned = rule(&world.position(symmetry, &none()), &questions, false);
            for (at, question) in questions.iter().enumerate() {
                prop_assert_eq!(
                    essence(&turned[at]), essence(&upright[at]),
                    "{:?} under {:?}", question, symmetry
                );
            }
        }
    }

    #[test]
    fn los_agrees_both_ways(world in world(), policy in policy()) {
        let position = world.position(UPRIGHT, &none());
        let end = |at: usize| End::Counter { id: format!("u{at}"), corner: None };
        let sight = |from, to| Question {
            policy: Some(policy),
            ..Question::new(Ask::LineOfSight { from: end(from), to: end(to) })
        };
        let pairs: Vec<(usize, usize)> = (0..world.units.len())
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .collect();
        let there: Vec<Question> = pairs.iter().map(|(a, b)| sight(*a, *b)).collect();
        let back: Vec<Question> = pairs.iter().map(|(a, b)| sight(*b, *a)).collect();
        let (there, back) = (rule(&position, &there, false), rule(&position, &back, false));
        for ((there, back), pair) in there.iter().zip(&back).zip(&pairs) {
            let los = |ruled: &Result<Adjudicated, QuestionError>| {
                ruled.as_ref().unwrap().ruling.verdict.los().unwrap().clone()
            };
            prop_assert_eq!(los(there), los(back), "{:?}", pair);
        }
    }

    #[test]
    fn what_lies_far_from_a_line_does_not_matter(world in world(), policy in policy()) {
        let questions = world.questions(UPRIGHT, policy);
        let alone = rule(&world.position(UPRIGHT, &none()), &questions, false);
        // A deir and a hillock in the corners, which no line touches.
        let mut far = world.clone();
        let corner = |name: &str| grid().hex(name).unwrap() - middle();
        far.deir.extend(["A1", "A2", "B1", "GG23"].map(corner));
        far.hillock.extend(["A23", "A24", "GG1"].map(corner));
        far.units.push(Unit {
            class: CounterClass::Wreck, at: corner("GG12"), dug_in: false, axis: true,
        });
        let with = rule(&far.position(UPRIGHT, &none()), &questions, false);
        for (with, alone) in with.iter().zip(&alone) {
            prop_assert_eq!(essence(with), essence(alone));
        }
    }

    #[test]
    fn a_batch_answers_as_one_at_a_time_and_whoever_is_asked(
        world in world(), policy in policy(),
    ) {
        let position = world.position(UPRIGHT, &none());
        let questions = world.questions(UPRIGHT, policy);
        let batch = canonical(&rule(&position, &questions, false));
        prop_assert_eq!(&canonical(&rule(&position, &questions, true)), &batch);
        for (question, expected) in questions.iter().zip(&batch).step_by(5) {
            let alone = canonical(&rule(&position, std::slice::from_ref(question), false));
            prop_assert_eq!(&alone[0], expected);
        }
    }
}

#[test]
fn a_layer_that_is_ignored_changes_no_verdict() {
    let end = |name: &str| End::Hex(Aim::centre(grid().hex(name).unwrap()));
    let ask = Ask::LineOfSight {
        from: end("P10"),
        to: end("P14"),
    };
    let hexes = Field::Hexes(BTreeSet::from([grid().hex("P12").unwrap()]));
    let fog = Layer {
        fields: BTreeMap::from([("hexes".to_owned(), hexes)]),
    };
    let empty = World {
        deir: BTreeSet::new(),
        hillock: BTreeSet::new(),
        units: Vec::new(),
    };
    let position = empty.position(UPRIGHT, &BTreeMap::from([("fog".to_owned(), fog)]));
    let refused = rule(&position, &[Question::new(ask.clone())], false);
    assert!(
        matches!(refused[0], Err(QuestionError::UnknownLayer { .. })),
        "{refused:?}"
    );
    let question = Question {
        ignore_layers: vec!["fog".into()],
        ..Question::new(ask)
    };
    let ruled = rule(&position, &[question], false);
    let ignored = &ruled[0].as_ref().unwrap().ruling.ignored;
    assert!(ignored[0].met && ignored[0].layer == "fog", "{ignored:?}");
}
