//! Moves: questions about paths and allowances, and the answers.

use alamein_hex::{Grid, Hex};
use alamein_terrain::{
    MissingRule, Moving, OwedCheck, PathQuestion, Position, PricedPath, PricedStep, ProhibitedStep,
    Reach, ReachQuestion, Reached, Spent, Step, UnknownStep, Unpriced,
};

use super::basics::{hex, optional};
use super::question::Reader;
use super::ruling::{DecodeError, cited, contested, id, ignored, number, place, ruling, words};
use super::ruling::{unknown, word};
use super::verdict::check;
use crate::refused::{Limits, Refused};
use crate::v1::{self, ErrorReason, UnknownCostReason, path_step, priced_step};
use crate::within::{Within, each};

/// Reads a question about a path. Paths of fields are those of the request that holds question and
/// options: `question.steps[2].entry.to_hex`.
///
/// # Errors
/// Where something is missing, too long or not on the position's map. Whether the steps make a path
/// is not looked at.
pub fn path_question(
    question: Option<&v1::PathQuestion>,
    options: Option<&v1::QuestionOptions>,
    position: &Position,
    limits: &Limits,
) -> Result<PathQuestion, Refused> {
    let asked = question.ok_or_else(|| Refused::missing("question"))?;
    let reader = Reader::new(options, position, limits)?;
    let (given, most) = (asked.steps.len(), limits.max_steps);
    let read = || {
        if given == 0 {
            return Err(Refused::missing("steps"));
        }
        if given > most {
            let what = format!("has {given} steps; this server allows {most}");
            let refused = Refused::new(ErrorReason::PathTooLong, "steps", what);
            return Err(refused.with("steps", given).with("max", most));
        }
        Ok(PathQuestion {
            moving: moving(&reader, asked.mover.as_ref(), asked.ec)?,
            steps: each(&asked.steps, "steps", ".", |step| one_step(&reader, step))?,
            allowance: asked.allowance.map(allowance).transpose()?,
        })
    };
    read().within(|| "question.".into())
}

/// Reads a question about what an allowance reaches. Paths of fields are those of the request that
/// holds question and options: `question.from_hex`.
///
/// # Errors
/// Where something is missing or not on the position's map.
pub fn reach_question(
    question: Option<&v1::ReachQuestion>,
    options: Option<&v1::QuestionOptions>,
    position: &Position,
    limits: &Limits,
) -> Result<ReachQuestion, Refused> {
    let asked = question.ok_or_else(|| Refused::missing("question"))?;
    let reader = Reader::new(options, position, limits)?;
    let read = || {
        let given = asked.allowance.ok_or_else(|| Refused::missing("allowance"));
        Ok(ReachQuestion {
            moving: moving(&reader, asked.mover.as_ref(), asked.ec)?,
            from: hex(reader.grid(), &asked.from_hex, "from_hex")?,
            allowance: allowance(given?)?,
            way: optional(asked.way, "way")?.unwrap_or_default(),
        })
    };
    read().within(|| "question.".into())
}

fn moving(reader: &Reader<'_>, mover: Option<&v1::Mover>, ec: i32) -> Result<Moving, Refused> {
    let mover = mover.ok_or_else(|| Refused::missing("mover"))?;
    Ok(Moving {
        mover: reader.mover(mover).within(|| "mover.".into())?,
        ec: optional(ec, "ec")?,
        policy: reader.policy,
        probes: reader.probes.clone(),
        ignore_layers: reader.ignore_layers.clone(),
    })
}

fn one_step(reader: &Reader<'_>, step: &v1::PathStep) -> Result<Step, Refused> {
    match &step.step {
        None => Err(Refused::missing("step")),
        Some(path_step::Step::Entry(entry)) => reader.entry(entry).within(|| "entry.".into()),
        Some(path_step::Step::VcaChange(turn)) => reader.turn(turn).within(|| "vca_change.".into()),
    }
}

fn allowance(given: u32) -> Result<u16, Refused> {
    let fits = u16::try_from(given);
    fits.map_err(|_| Refused::out_of_range("allowance", given, 0, u16::MAX))
}

type Read<T> = Result<T, DecodeError>;

/// Reads the price of a path. Of a view below EXPLAIN the rulings lack what that leaves out.
///
/// # Errors
/// Where something is missing or means nothing here.
pub fn priced_path(given: &v1::PricedPath) -> Read<PricedPath> {
    let exceeds_at = given.exceeds_at_step;
    Ok(PricedPath {
        rules: id(&given.rules_fingerprint, "rules_fingerprint")?,
        position: id(&given.position_id, "position_id")?,
        unit: word(given.unit, "unit")?,
        steps: each(&given.steps, "steps", ".", step)?,
        total: given.total,
        exceeds_at: exceeds_at
            .map(|at| number(at, "exceeds_at_step"))
            .transpose()?,
        prohibited: each(&given.prohibited, "prohibited", ".", prohibited)?,
        checks: each(&given.checks, "checks", ".", owed)?,
    })
}

fn step(given: &v1::PricedStep) -> Read<PricedStep> {
    let ruling = match given.answer.as_ref() {
        None => return Err(DecodeError::missing("answer")),
        Some(priced_step::Answer::Ruling(given)) => Ok(ruling(given).within(|| "ruling.".into())?),
        Some(priced_step::Answer::NotImplemented(given)) => {
            Err(missing_rule(given).within(|| "not_implemented.".into())?)
        }
    };
    let spent = |spent: &v1::Spent| Spent {
        place: place(spent.r#where.as_ref()),
        amount: spent.amount,
    };
    Ok(PricedStep {
        ruling,
        total_after: given.total_after,
        turn_not_judged: given.vca_change_not_judged,
        spent: given.spent.iter().map(spent).collect(),
    })
}

fn prohibited(given: &v1::ProhibitedStep) -> Read<ProhibitedStep> {
    Ok(ProhibitedStep {
        step: number(given.step, "step")?,
        by: each(&given.prohibited_by, "prohibited_by", ".", |by| {
            cited(&by.plugin_id, by.rule.as_ref())
        })?,
    })
}

fn owed(given: &v1::OwedCheck) -> Read<OwedCheck> {
    let owed = given.check.as_ref();
    let owed = owed.ok_or_else(|| DecodeError::missing("check"))?;
    Ok(OwedCheck {
        step: number(given.step, "step")?,
        check: check(owed).within(|| "check.".into())?,
    })
}

pub(super) fn missing_rule(given: &v1::MissingRule) -> Read<MissingRule> {
    Ok(MissingRule {
        by: cited(&given.plugin_id, given.rule.as_ref())?,
        place: place(given.r#where.as_ref()),
        text: words(given.message.as_ref()),
    })
}

/// Reads what an allowance reaches on a map with these hexes.
///
/// # Errors
/// Where something is missing, means nothing here or is not on the map.
pub fn reach(given: &v1::Reach, grid: &Grid) -> Read<Reach> {
    let hex_of = |name: &str, field: &str| known_hex(grid, name, field);
    let reached = |given: &v1::ReachedHex| {
        let came_from = Some(&*given.came_from).filter(|name| !name.is_empty());
        let came_from = came_from.map(|name| hex_of(name, "came_from"));
        Ok(Reached {
            cost: given.cost,
            hex: hex_of(&given.hex, "hex")?,
            came_from: came_from.transpose()?,
            checks: given.checks,
        })
    };
    let step = |given: &v1::UnknownStep| {
        Ok(UnknownStep {
            from: hex_of(&given.from_hex, "from_hex")?,
            to: hex_of(&given.to_hex, "to_hex")?,
            why: unpriced(given)?,
        })
    };
    let options = &given.contested_options;
    Ok(Reach {
        rules: id(&given.rules_fingerprint, "rules_fingerprint")?,
        position: id(&given.position_id, "position_id")?,
        unit: word(given.unit, "unit")?,
        hexes: each(&given.hexes, "hexes", ".", reached)?,
        unknown: each(&given.unknown, "unknown", ".", step)?,
        contested: each(options, "contested_options", ".", contested)?,
        not_covered: each(&given.not_covered, "not_covered", ".", missing_rule)?,
        ignored: given.ignored_layers.iter().map(ignored).collect(),
    })
}

fn unpriced(given: &v1::UnknownStep) -> Read<Unpriced> {
    match given.reason() {
        UnknownCostReason::NotImplemented => {
            let why = given.not_implemented.as_ref();
            let why = why.ok_or_else(|| DecodeError::missing("not_implemented"))?;
            let rule = missing_rule(why).within(|| "not_implemented.".into())?;
            Ok(Unpriced::NotImplemented(rule))
        }
        UnknownCostReason::NoCost => Ok(Unpriced::NoCost),
        UnknownCostReason::Negative => Ok(Unpriced::LessThanNothing),
        UnknownCostReason::Unspecified => Err(unknown(given.reason, "reason")),
    }
}

fn known_hex(grid: &Grid, name: &str, field: &str) -> Read<Hex> {
    let hex = grid.hex(name);
    hex.map_err(|error| DecodeError::new(field, error.to_string()))
}
