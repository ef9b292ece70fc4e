//! Laws that hold of rulings on any map, of lines, steps and set-ups: turning or mirroring the map
//! turns or mirrors the ruling, LOS agrees both ways, what lies far away does not matter, a batch
//! answers as one at a time, who is not concerned has nothing to say, and the order of the plugins
//! means nothing.
#![allow(clippy::unwrap_used)] // A test may.

mod sights;
mod verdicts;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use alamein_engine::{Engine, QuestionError, Wanted};
use alamein_hex::{Aim, Symmetry};
use alamein_terrain::{
    Adjudicated, Ask, CounterClass, End, Field, GrazingPolicy, Layer, Position, Question,
    RuledFinding, Verdict,
};
use alamein_tests::{engine, linked_plugins};
use proptest::prelude::*;

use world::{Unit, World, grid, middle, world};

fn rules() -> &'static Engine {
    static RULES: OnceLock<Engine> = OnceLock::new();
    RULES.get_or_init(|| engine(&linked_plugins().unwrap()).unwrap())
}

type Rulings = Vec<Result<Adjudicated, QuestionError>>;

/// The same rules, of plugins in another order.
fn turned_rules(by: usize) -> &'static Engine {
    static TURNED: OnceLock<Vec<Engine>> = OnceLock::new();
    let turned = TURNED.get_or_init(|| {
        let turned = |by| {
            let mut plugins = linked_plugins().unwrap();
            plugins.reverse();
            plugins.rotate_left(by);
            engine(&plugins).unwrap()
        };
        (0..7).map(turned).collect()
    });
    &turned[by]
}

fn rule(position: &Arc<Position>, questions: &[Question], ask_everyone: bool) -> Rulings {
    rule_by(rules(), position, questions, ask_everyone)
}

fn rule_by(
    engine: &Engine,
    position: &Arc<Position>,
    questions: &[Question],
    ask_everyone: bool,
) -> Rulings {
    let wanted = Wanted {
        ask_everyone,
        ..Wanted::default()
    };
    engine
        .adjudicate_here(&engine.ruleset(), Arc::clone(position), questions, wanted)
        .unwrap()
}

/// What must not change when the map turns: all but places, which turn with it.
#[derive(Clone, Debug, PartialEq)]
struct Essence {
    verdict: String,
    findings: Vec<String>,
    observations: Vec<String>,
    considered: Vec<String>,
    contested: BTreeSet<String>,
}

/// That of a ruling; or the rule for which there is none.
fn essence(ruled: &Result<Adjudicated, QuestionError>) -> Result<Essence, String> {
    let ruling = match ruled {
        Ok(ruled) => &ruled.ruling,
        Err(QuestionError::NotImplemented { rule, .. }) => return Err(rule.clone()),
        Err(error) => panic!("{error}"),
    };
    let sorted = |mut all: Vec<String>| {
        all.sort();
        all
    };
    let finding = |f: &RuledFinding| {
        format!(
            "{} {:?} {:?} {}",
            f.by.rule, f.effect, f.subject, f.standing
        )
    };
    let seen = ruling.observations.iter().filter(|o| !o.hypothetical);
    let observed = seen.map(|o| {
        format!(
            "{} {:?} {:?} {:?}",
            o.by.rule, o.fact, o.subject, o.set_aside_by
        )
    });
    let contested = ruling.contested.iter();
    Ok(Essence {
        verdict: verdict(&ruling.verdict),
        findings: sorted(ruling.findings.iter().map(finding).collect()),
        observations: sorted(observed.collect()),
        considered: sorted(ruling.considered.iter().map(finding).collect()),
        contested: contested.map(|held| held.by.rule.to_string()).collect(),
    })
}

/// A verdict without its places.
fn verdict(verdict: &Verdict) -> String {
    let Verdict::Movement(step) = verdict else {
        return format!("{verdict:?}");
    };
    let items = step.items.iter();
    let mut items: Vec<_> = items
        .map(|item| format!("{} {:?} {}", item.by.rule, item.part, item.amount))
        .collect();
    items.sort();
    let checks = step.checks.iter();
    let mut checks: Vec<_> = checks
        .map(|check| {
            let mut modifiers: Vec<_> = check.modifiers.iter().collect();
            modifiers.sort();
            format!(
                "{} {} {:?} {modifiers:?}",
                check.by.rule, check.times, check.drm
            )
        })
        .collect();
    // Checks of one kind stand in the order of their places.
    checks.sort();
    let (unit, total) = (step.unit, step.total);
    let prohibited = &step.prohibited_by;
    format!("{unit:?} {total:?} {items:?} {checks:?} {prohibited:?}")
}

/// The canonical bytes of each ruling, or why there is none.
fn canonical(rulings: &Rulings) -> Vec<Result<Vec<u8>, &QuestionError>> {
    let bytes = |ruled: &Adjudicated| ruled.ruling.canonical();
    rulings
        .iter()
        .map(|ruled| ruled.as_ref().map(bytes))
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
                essence(ruled).map(|_| ruled.as_ref().unwrap().ruling.verdict.los().cloned())
            };
            prop_assert_eq!(los(there), los(back), "{:?}", pair);
        }
    }

    #[test]
    fn what_lies_far_from_a_line_does_not_matter(world in world(), policy in policy()) {
        let questions = world.questions(UPRIGHT, policy);
        let alone = rule(&world.position(UPRIGHT, &none()), &questions, false);
        let mut far = world.clone();
        // Some of each terrain in the corners, where nothing that is asked about is.
        let corner = |name: &str| grid().hex(name).unwrap() - middle();
        for (name, hexes) in &mut far.hexes {
            hexes.extend(match *name {
                "deir" => ["A1", "A2", "B1", "GG23"].map(corner),
                "hillock" => ["A23", "A24", "GG1", "GG2"].map(corner),
                _ => ["C1", "C2", "D23", "FF2"].map(corner),
            });
        }
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
        let batch = rule(&position, &questions, false);
        let everyone = rule(&position, &questions, true);
        prop_assert_eq!(canonical(&everyone), canonical(&batch));
        for (question, expected) in questions.iter().zip(canonical(&batch)).step_by(5) {
            let alone = rule(&position, std::slice::from_ref(question), false);
            prop_assert_eq!(&canonical(&alone)[0], &expected);
        }
    }

    #[test]
    fn the_order_of_the_plugins_means_nothing(
        world in world(), policy in policy(), turn in 0..7_usize,
    ) {
        let position = world.position(UPRIGHT, &none());
        let questions = world.questions(UPRIGHT, policy);
        let here = rule(&position, &questions, false);
        let there = rule_by(turned_rules(turn), &position, &questions, false);
        prop_assert_eq!(canonical(&there), canonical(&here));
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
    let position = World::default().position(UPRIGHT, &BTreeMap::from([("fog".to_owned(), fog)]));
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
