//! Verdicts alone are those of whole rulings.

use std::sync::Arc;

use alamein_cases::{Asked, load};
use alamein_engine::{QuestionError, Wanted};
use alamein_terrain::{Adjudicated, GrazingPolicy, Part, Question, Ruling};
use alamein_tests::{known, root};

use super::rules;

/// What a ruling that is a verdict alone has of a whole one.
fn bare(ruled: Result<Adjudicated, QuestionError>) -> Result<Ruling, QuestionError> {
    ruled.map(|ruled| Ruling {
        observations: Part::default(),
        findings: Part::default(),
        considered: Part::default(),
        grazing: alamein_terrain::Grazing::default(),
        ..ruled.ruling
    })
}

#[test]
fn a_verdict_alone_is_that_of_the_whole_ruling() {
    let engine = rules();
    let known = known(engine);
    let mut tried = 0;
    for entry in std::fs::read_dir(root().join("tests/cases")).unwrap() {
        let case = load(&entry.unwrap().path(), &known).unwrap();
        let asked = case.questions.iter();
        let asked = asked.filter_map(|question| match &question.asked {
            Asked::Question(question) => Some((**question).clone()),
            _ => None,
        });
        let under = |question: Question| {
            GrazingPolicy::ALL.map(|policy| Question {
                policy: Some(policy),
                ..question.clone()
            })
        };
        let questions: Vec<Question> = asked.flat_map(under).collect();
        let rule = |verdicts_only| {
            let wanted = Wanted {
                verdicts_only,
                ..Wanted::default()
            };
            let position = Arc::clone(&case.position);
            let ruled = engine.adjudicate_here(&engine.ruleset(), position, &questions, wanted);
            ruled.unwrap()
        };
        for (whole, alone) in rule(false).into_iter().zip(rule(true)) {
            let alone = alone.map(|alone| alone.ruling);
            assert_eq!(alone, bare(whole), "{}", case.id);
            tried += 1;
        }
    }
    assert!(tried > 1000, "{tried}");
}
