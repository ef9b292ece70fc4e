//! Case files.

use alamein_cases::{Asked, Case, Export, Exported, parse, write};
use alamein_engine::Wanted;
use alamein_terrain::{Adjudicated, Question};

use crate::world::{LIMITS, QUESTIONS, canonical, world};

/// Bytes become the text of a case file. What is written of it is read as what it was.
pub(crate) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let world = world();
    let case = match parse("fuzzed.json", text, &world.known) {
        Ok(case) => case,
        Err(error) => {
            assert!(error.to_string().contains("fuzzed.json"), "{error}");
            return;
        }
    };
    let map = case.position.map();
    let fits = map.grid.len() <= LIMITS.max_hexes;
    if !fits || case.position.counters().len() > LIMITS.max_counters {
        return;
    }
    let questions = questions(&case);
    world.judge(&case.position, &questions);
    let wanted = Wanted::default();
    let position = case.position.clone();
    let ruled = world
        .engine
        .adjudicate_here(&world.ruleset, position, &questions, wanted);
    let Ok(ruled) = ruled else { return };
    let ruled = questions.iter().zip(ruled);
    let ruled: Vec<(&Question, Adjudicated)> = ruled
        .filter_map(|(question, ruled)| Some((question, ruled.ok()?)))
        .collect();
    written(&case, &ruled);
}

fn questions(case: &Case) -> Vec<Question> {
    let asked = case.questions.iter().filter_map(|it| match &it.asked {
        Asked::Question(asked) => Some((**asked).clone()),
        Asked::Unanswered | Asked::Unreadable(_) => None,
    });
    asked.take(QUESTIONS).collect()
}

/// A case that is written is read again, and means the same.
fn written(case: &Case, ruled: &[(&Question, Adjudicated)]) {
    let world = world();
    let ids: Vec<String> = (0..ruled.len()).map(|at| format!("q{at}")).collect();
    let rulings: Vec<Exported<'_>> = ruled
        .iter()
        .zip(&ids)
        .map(|((question, ruled), id)| Exported {
            id,
            question,
            ruled,
        })
        .collect();
    let text = write(
        &Export {
            id: &case.id,
            position: &case.position,
            rulings: &rulings,
            settings: &case.settings,
            fingerprint: world.ruleset.fingerprint(),
        },
        &world.known,
    );
    let again = match parse("written.json", &text, &world.known) {
        Ok(again) => again,
        Err(error) => panic!("{error}: {text}"),
    };
    assert_eq!(again.id, case.id, "{text}");
    assert_eq!(again.position.id(), case.position.id(), "{text}");
    assert_eq!(again.settings, case.settings, "{text}");
    assert!(again.strangers.is_empty(), "{:?}: {text}", again.strangers);
    assert_eq!(again.questions.len(), ruled.len(), "{text}");
    for (written, (question, _)) in again.questions.iter().zip(ruled) {
        match &written.asked {
            Asked::Question(read) => assert_eq!(canonical(read), canonical(question), "{text}"),
            other => panic!("{other:?} is what became of {question:?}: {text}"),
        }
    }
}
