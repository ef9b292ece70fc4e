//! Moves: questions about paths and allowances, and the answers.

use alamein_hex::Grid;
use alamein_terrain::{
    Cited, MissingRule, Moving, OwedCheck, PathQuestion, PricedPath, PricedStep, ProhibitedStep,
    Question, Reach, ReachQuestion, Spent, Step, UnknownStep, Unpriced,
};

use super::book::RuleBook;
use super::question::{StepMessage, moves, options, step};
use super::ruling::{contested, ignored, step_ruling};
use super::said::place;
use super::verdict::check;
use crate::v1::{self, UnknownCostReason, View, path_step, priced_step};
use crate::words::Word;

/// The message of a question about a path. Its options are in [`move_options`].
#[must_use]
pub fn path_question(question: &PathQuestion, grid: &Grid) -> v1::PathQuestion {
    let step = |step: &Step| v1::PathStep {
        step: Some(match self::step(step, grid) {
            StepMessage::Entry(entry) => path_step::Step::Entry(entry),
            StepMessage::VcaChange(turn) => path_step::Step::VcaChange(turn),
        }),
    };
    v1::PathQuestion {
        mover: Some(moves(&question.moving.mover)),
        steps: question.steps.iter().map(step).collect(),
        allowance: question.allowance.map(u32::from),
        ec: question.moving.ec.map_or(0, Word::number),
    }
}

/// The message of a question about what an allowance reaches. Its options are in [`move_options`].
#[must_use]
pub fn reach_question(question: &ReachQuestion, grid: &Grid) -> v1::ReachQuestion {
    v1::ReachQuestion {
        mover: Some(moves(&question.moving.mover)),
        from_hex: grid.label(question.from),
        allowance: Some(question.allowance.into()),
        way: question.way.number(),
        ec: question.moving.ec.map_or(0, Word::number),
    }
}

/// The options that hold for every step of a move; nothing where there are none.
#[must_use]
pub fn move_options(moving: &Moving, grid: &Grid) -> Option<v1::QuestionOptions> {
    options(moving.policy, &moving.probes, &moving.ignore_layers, grid)
}

/// The message of the price of a path, with as much of each ruling as a view wants. An unspecified
/// view means FULL.
#[must_use]
pub fn priced_path(
    priced: &PricedPath,
    question: &PathQuestion,
    grid: &Grid,
    book: &RuleBook,
    view: View,
) -> v1::PricedPath {
    // What has a price is a path.
    let steps = question.joined().unwrap_or_default();
    let questions = steps.into_iter().map(|step| question.moving.question(step));
    let priced_step = |(step, question): (&PricedStep, Question)| v1::PricedStep {
        answer: Some(match &step.ruling {
            Ok(ruling) => {
                let ruling = step_ruling(ruling, &question, grid, book, view);
                priced_step::Answer::Ruling(ruling)
            }
            Err(why) => priced_step::Answer::NotImplemented(missing_rule(why, book)),
        }),
        total_after: step.total_after,
        vca_change_not_judged: step.turn_not_judged,
        spent: step.spent.iter().map(spent).collect(),
    };
    let owed = |owed: &OwedCheck| v1::OwedCheck {
        step: index(owed.step),
        check: Some(check(&owed.check, book)),
    };
    v1::PricedPath {
        position_id: priced.position.text(),
        rules_fingerprint: priced.rules.text(),
        unit: priced.unit.number(),
        steps: priced
            .steps
            .iter()
            .zip(questions)
            .map(priced_step)
            .collect(),
        total: priced.total,
        exceeds_at_step: priced.exceeds_at.map(index),
        prohibited: priced
            .prohibited
            .iter()
            .map(|it| prohibited(it, book))
            .collect(),
        checks: priced.checks.iter().map(owed).collect(),
        hidden_matters: false,
    }
}

/// A step's place in its path. Paths are far shorter than that.
fn index(step: usize) -> u32 {
    u32::try_from(step).unwrap_or(u32::MAX)
}

fn spent(spent: &Spent) -> v1::Spent {
    v1::Spent {
        r#where: place(&spent.place),
        amount: spent.amount,
    }
}

fn prohibited(step: &ProhibitedStep, book: &RuleBook) -> v1::ProhibitedStep {
    let citation = |by: &Cited| v1::Citation {
        plugin_id: by.plugin.as_str().to_owned(),
        rule: Some(book.reference(by)),
    };
    v1::ProhibitedStep {
        step: index(step.step),
        prohibited_by: step.by.iter().map(citation).collect(),
    }
}

pub(super) fn missing_rule(why: &MissingRule, book: &RuleBook) -> v1::MissingRule {
    v1::MissingRule {
        plugin_id: why.by.plugin.as_str().to_owned(),
        rule: Some(book.reference(&why.by)),
        r#where: place(&why.place),
        message: Some(book.message(&why.by, &why.place, None, None, &why.text)),
    }
}

/// The message of what an allowance reaches.
#[must_use]
pub fn reach(reach: &Reach, grid: &Grid, book: &RuleBook) -> v1::Reach {
    let hexes = reach.hexes.iter().map(|reached| v1::ReachedHex {
        hex: grid.label(reached.hex),
        cost: reached.cost,
        came_from: reached
            .came_from
            .map_or_else(String::new, |hex| grid.label(hex)),
        checks: reached.checks,
    });
    let unknown = reach.unknown.iter().map(|it| unknown_step(it, grid, book));
    let (options, not_covered) = (reach.contested.iter(), reach.not_covered.iter());
    v1::Reach {
        position_id: reach.position.text(),
        rules_fingerprint: reach.rules.text(),
        unit: reach.unit.number(),
        hexes: hexes.collect(),
        unknown: unknown.collect(),
        contested_options: options.map(|option| contested(option, book)).collect(),
        not_covered: not_covered.map(|rule| missing_rule(rule, book)).collect(),
        ignored_layers: reach.ignored.iter().map(ignored).collect(),
        hidden_matters: false,
    }
}

fn unknown_step(step: &UnknownStep, grid: &Grid, book: &RuleBook) -> v1::UnknownStep {
    let (reason, why) = match &step.why {
        Unpriced::NotImplemented(why) => (UnknownCostReason::NotImplemented, Some(why)),
        Unpriced::NoCost => (UnknownCostReason::NoCost, None),
        Unpriced::LessThanNothing => (UnknownCostReason::Negative, None),
    };
    v1::UnknownStep {
        from_hex: grid.label(step.from),
        to_hex: grid.label(step.to),
        reason: reason.into(),
        not_implemented: why.map(|why| missing_rule(why, book)),
    }
}
