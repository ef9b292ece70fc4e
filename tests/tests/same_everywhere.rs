//! A ruling is a pure function of the rules, the position and the question: the same canonical
//! bytes and the same ids however the plugins came in, in whatever order, in a batch or alone,
//! and whoever is asked.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;

use alamein_cases::{Asked, Case};
use alamein_engine::{Engine, QuestionError, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::{Adjudicated, Ask, End, LosResult, Position, Question};
use alamein_tests::{engine, known, linked_plugins, loaded_plugins, root};

fn example(engine: &Engine) -> Case {
    let file = root().join("tests/cases/f4-example.json");
    alamein_cases::load(&file, &known(engine)).unwrap()
}

fn questions(case: &Case) -> Vec<Question> {
    let asked = case
        .questions
        .iter()
        .filter_map(|question| match &question.asked {
            Asked::Question(asked) => Some((**asked).clone()),
            _ => None,
        });
    asked.collect()
}

fn rule(
    engine: &Engine,
    position: &Arc<Position>,
    questions: &[Question],
    ask_everyone: bool,
) -> Vec<Result<Adjudicated, QuestionError>> {
    let wanted = Wanted {
        other_policies: true,
        ask_everyone,
        ..Wanted::default()
    };
    engine
        .adjudicate_here(&engine.ruleset(), Arc::clone(position), questions, wanted)
        .unwrap()
}

/// The canonical bytes of everything that was ruled.
fn bytes(rulings: &[Result<Adjudicated, QuestionError>]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for ruling in rulings {
        let adjudicated = ruling.as_ref().unwrap();
        all.push(adjudicated.ruling.canonical());
        all.extend(
            adjudicated
                .other_policies
                .iter()
                .map(|(_, ruling)| ruling.canonical()),
        );
    }
    all
}

/// Every question of the worked example, ruled on by these plugins.
fn rule_on_example(plugins: &[NativePlugin]) -> Vec<Vec<u8>> {
    let engine = engine(plugins).unwrap();
    let case = example(&engine);
    bytes(&rule(&engine, &case.position, &questions(&case), false))
}

#[test]
fn loaded_or_linked_in_any_order() {
    let linked = linked_plugins().unwrap();
    let expected = rule_on_example(&linked);
    assert!(expected.len() > 200);
    let mut loaded = loaded_plugins().unwrap();
    assert_eq!(rule_on_example(&loaded), expected, "loaded");
    for turn in 0..loaded.len() {
        loaded.rotate_left(1);
        assert_eq!(
            rule_on_example(&loaded),
            expected,
            "loaded, turned by {turn}"
        );
    }
    loaded.reverse();
    assert_eq!(rule_on_example(&loaded), expected, "loaded, reversed");
    let mixed: Vec<NativePlugin> = linked
        .iter()
        .take(3)
        .chain(loaded.iter().filter(|p| !is_in(&linked[..3], p)))
        .cloned()
        .collect();
    assert_eq!(
        rule_on_example(&mixed),
        expected,
        "three linked, three loaded"
    );
}

fn is_in(plugins: &[NativePlugin], wanted: &NativePlugin) -> bool {
    plugins.iter().any(|plugin| plugin.id() == wanted.id())
}

#[test]
fn a_batch_answers_as_one_at_a_time() {
    let engine = engine(&linked_plugins().unwrap()).unwrap();
    let case = example(&engine);
    let questions = questions(&case);
    let batch = bytes(&rule(&engine, &case.position, &questions, false));
    let mut alone = Vec::new();
    for question in &questions {
        let one = std::slice::from_ref(question);
        alone.extend(bytes(&rule(&engine, &case.position, one, false)));
    }
    assert_eq!(alone, batch);
}

#[test]
fn who_is_not_concerned_has_nothing_to_say() {
    let engine = engine(&linked_plugins().unwrap()).unwrap();
    let case = example(&engine);
    let questions = questions(&case);
    let concerned = rule(&engine, &case.position, &questions, false);
    let everyone = rule(&engine, &case.position, &questions, true);
    assert_eq!(bytes(&concerned), bytes(&everyone));
}

#[test]
fn on_another_thread_and_in_another_engine() {
    let one = engine(&linked_plugins().unwrap()).unwrap();
    let case = example(&one);
    let questions = questions(&case);
    let here = bytes(&rule(&one, &case.position, &questions, false));
    let other = engine(&linked_plugins().unwrap()).unwrap();
    let there = std::thread::spawn(move || bytes(&rule(&other, &case.position, &questions, false)));
    assert_eq!(there.join().unwrap(), here);
}

#[test]
fn los_agrees_both_ways() {
    let engine = engine(&linked_plugins().unwrap()).unwrap();
    let case = example(&engine);
    let counters = case.position.counters();
    let end = |at: usize| End::Counter {
        id: counters[at].id.clone(),
        corner: None,
    };
    let mut asked = Vec::new();
    for a in 0..counters.len() {
        for b in 0..a {
            for (from, to) in [(a, b), (b, a)] {
                asked.push(Question::new(Ask::LineOfSight {
                    from: end(from),
                    to: end(to),
                }));
            }
        }
    }
    let rulings = rule(&engine, &case.position, &asked, false);
    for (pair, questions) in rulings.chunks(2).zip(asked.chunks(2)) {
        let los = |at: usize| {
            pair[at]
                .as_ref()
                .unwrap()
                .ruling
                .verdict
                .los()
                .unwrap()
                .clone()
        };
        assert_eq!(los(0), los(1), "{questions:?}");
    }
    let blocked = rulings.iter().filter(|ruling| {
        ruling
            .as_ref()
            .unwrap()
            .ruling
            .verdict
            .los()
            .unwrap()
            .result
            == LosResult::Blocked
    });
    assert_eq!(blocked.count(), 4, "J and H, J and I, both ways");
}
