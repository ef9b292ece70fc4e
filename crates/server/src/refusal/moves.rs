//! What is wrong with a path, or with a question about an allowance.

use alamein_engine::{MoveError, QuestionError};
use alamein_hex::Hex;
use alamein_proto::v1::ErrorReason as R;
use alamein_terrain::{Moving, Step};

use super::Context;
use crate::fault::Fault;
use crate::service::missing;

impl Context<'_> {
    /// Why a path has no price, or why there is no telling how far a unit may go.
    pub(crate) fn moves(&self, error: MoveError, moving: &Moving) -> Fault {
        let text = error.to_string();
        // What is wrong with the question about any step.
        let nowhere = Hex::default();
        let question = || moving.question(Step::enter(nowhere, nowhere));
        let broken = |step: usize, expected: &str, given: &str| {
            Fault::new(R::PathBroken, &*text)
                .with("step", step)
                .with("expected", expected)
                .with("given", given)
        };
        let path = |step: usize| format!("question.steps[{step}]");
        match error {
            MoveError::NoSteps => missing("question.steps", "at least one step"),
            MoveError::Elsewhere {
                step,
                expected,
                given,
            } => broken(step, &expected, &given)
                .field(path(step), format!("the path has come to {expected}")),
            MoveError::EnteredElsewhere {
                step,
                expected,
                given,
            } => {
                let field = path(step) + ".vca_change.entered_from";
                let what = format!("the path entered the hex from {expected}");
                broken(step, &expected, &given).field(field, what)
            }
            MoveError::Step {
                step,
                error: QuestionError::NoMover { class, .. },
            } => Fault::new(R::CannotMove, text)
                .with("class", class)
                .field(path(step) + ".vca_change", format!("a {class} has no VCA")),
            MoveError::Step { step, error } => {
                let prefix = path(step) + ".";
                self.question_at(error, &question(), &prefix, true)
            }
            MoveError::Question(error) => self.question(error, &question(), true),
            MoveError::Prepare(error) => self.position(error, &[]),
        }
    }
}
