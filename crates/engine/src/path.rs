//! Paths: the rulings on their steps, added up.

use alamein_hex::Grid;
use alamein_terrain::{
    Cited, CounterClass, Digest, Gap, MissingRule, MovementUnit, MovementVerdict, OwedCheck,
    PathQuestion, PlaceName, PricedPath, PricedStep, ProhibitedStep, Question, Ruling, Spent, Step,
    StepRuling, Verdict,
};

use crate::engine::Batch;
use crate::error::{MoveError, QuestionError};

/// Rules on the steps of a path in one batch, and adds up.
pub(crate) async fn price(
    batch: &Batch<'_>,
    question: &PathQuestion,
) -> Result<PricedPath, MoveError> {
    let grid = &batch.prepared.map.map.grid;
    let steps = question.joined().map_err(|gap| gap_error(grid, gap))?;
    if steps.is_empty() {
        return Err(MoveError::NoSteps);
    }
    let asked: Vec<Question> = steps
        .iter()
        .map(|step| question.moving.question(step.clone()))
        .collect();
    let class = question.moving.mover.class;
    let (rules, position) = (batch.ruleset.fingerprint(), batch.prepared.position.id());
    let mut sum = Sum::new(rules, position, class.movement_unit());
    sum.allowance = question.allowance.map(i32::from);
    for (at, (step, ruling)) in steps.iter().zip(batch.rule(&asked).await).enumerate() {
        let ruling = step_ruling(ruling).map_err(|error| step_error(at, class, error))?;
        sum.add(step, &grid.label(step.ends_in()), ruling);
    }
    Ok(sum.path)
}

fn gap_error(grid: &Grid, gap: Gap) -> MoveError {
    let (step, expected, given) = (gap.step, grid.label(gap.expected), grid.label(gap.given));
    if gap.entered_from {
        MoveError::EnteredElsewhere {
            step,
            expected,
            given,
        }
    } else {
        MoveError::Elsewhere {
            step,
            expected,
            given,
        }
    }
}

/// A step that turns on a rule which is not implemented has its place in the answer.
fn step_ruling(ruling: Result<Ruling, QuestionError>) -> Result<StepRuling, QuestionError> {
    match ruling {
        Ok(ruling) => Ok(Ok(ruling)),
        Err(QuestionError::NotImplemented {
            plugin,
            rule,
            place,
            text,
        }) => {
            let (plugin, rule) = (plugin.into(), rule.into());
            let by = Cited { plugin, rule };
            Ok(Err(MissingRule { by, place, text }))
        }
        Err(error) => Err(error),
    }
}

/// An error names the step, unless every step has it.
fn step_error(step: usize, class: CounterClass, error: QuestionError) -> MoveError {
    match &error {
        QuestionError::OffMap { .. }
        | QuestionError::NotAdjacent { .. }
        | QuestionError::BadTurn { .. } => MoveError::Step { step, error },
        // What moves at all may have no VCA to change.
        QuestionError::NoMover { .. } if class != CounterClass::Wreck => {
            MoveError::Step { step, error }
        }
        _ => MoveError::Question(error),
    }
}

/// A path so far.
struct Sum {
    path: PricedPath,
    allowance: Option<i32>,
}

impl Sum {
    fn new(rules: Digest, position: Digest, unit: MovementUnit) -> Self {
        Self {
            path: PricedPath {
                rules,
                position,
                unit,
                steps: Vec::new(),
                total: Some(0),
                exceeds_at: None,
                prohibited: Vec::new(),
                checks: Vec::new(),
            },
            allowance: None,
        }
    }

    /// Adds a step, which ends in the hex of that name.
    fn add(&mut self, step: &Step, ends_in: &str, ruling: StepRuling) {
        let path = &mut self.path;
        let at = path.steps.len();
        let verdict = ruling.as_ref().ok().and_then(movement);
        let cost = verdict.and_then(|verdict| verdict.total).map(i32::from);
        let turns = matches!(step, Step::Turn { .. });
        let turn_not_judged = turns && verdict.is_some() && cost.is_none();
        let adds = if turn_not_judged { Some(0) } else { cost };
        path.total = path.total.zip(adds).map(|(total, adds)| total + adds);
        let over = path.total.zip(self.allowance);
        if path.exceeds_at.is_none() && over.is_some_and(|(total, allowance)| total > allowance) {
            path.exceeds_at = Some(at);
        }
        if let Some(verdict) = verdict {
            let owed = verdict.checks.iter().cloned();
            path.checks
                .extend(owed.map(|check| OwedCheck { step: at, check }));
            if !verdict.prohibited_by.is_empty() {
                let by = verdict.prohibited_by.clone();
                path.prohibited.push(ProhibitedStep { step: at, by });
            }
        }
        let mut spent = verdict.map(spent).unwrap_or_default();
        if turn_not_judged && spent.is_empty() {
            // Whatever it costs, the mover does not leave its hex for it.
            let place = PlaceName::Hex(ends_in.into());
            let amount = None;
            spent.push(Spent { place, amount });
        }
        path.steps.push(PricedStep {
            total_after: path.total,
            ruling,
            turn_not_judged,
            spent,
        });
    }
}

fn movement(ruling: &Ruling) -> Option<&MovementVerdict> {
    match &ruling.verdict {
        Verdict::Movement(verdict) => Some(verdict),
        _ => None,
    }
}

/// Where the items of a step are spent, and how much in each place.
fn spent(verdict: &MovementVerdict) -> Vec<Spent> {
    let known = verdict.total.is_some();
    let mut spent: Vec<Spent> = Vec::new();
    for item in &verdict.items {
        let amount = i32::from(item.amount);
        let place = &item.spent_in;
        match spent.iter_mut().find(|spent| spent.place == *place) {
            Some(here) => here.amount = here.amount.map(|sum| sum + amount),
            None => spent.push(Spent {
                place: place.clone(),
                amount: known.then_some(amount),
            }),
        }
    }
    spent
}

#[cfg(test)]
mod tests;
