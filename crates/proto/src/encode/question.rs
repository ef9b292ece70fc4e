//! Questions.

use alamein_hex::Grid;
use alamein_terrain::{Ask, Counter, End, GrazingPolicy, Mover, Question, SetUp, SetUpPiece, Step};

use super::position::counter;
use crate::v1::{self, end, movement_question, question::Question as Asked, set_up_question};
use crate::words::Word;

/// The message of a question. It has no tag: that is the client's.
#[must_use]
pub fn question(question: &Question, grid: &Grid) -> v1::Question {
    v1::Question {
        tag: String::new(),
        question: Some(asked(&question.ask, grid)),
        options: options(
            question.policy,
            &question.probes,
            &question.ignore_layers,
            grid,
        ),
    }
}

/// The options of a question; nothing where it has none.
pub(crate) fn options(
    policy: Option<GrazingPolicy>,
    probes: &[Counter],
    ignore_layers: &[String],
    grid: &Grid,
) -> Option<v1::QuestionOptions> {
    let options = v1::QuestionOptions {
        grazing_policy: policy.map_or(0, Word::number),
        probes: probes.iter().map(|probe| counter(probe, grid)).collect(),
        ignore_layers: ignore_layers.to_vec(),
    };
    (options != v1::QuestionOptions::default()).then_some(options)
}

fn asked(ask: &Ask, grid: &Grid) -> Asked {
    match ask {
        Ask::LineOfSight { from, to } => Asked::LineOfSight(v1::LineOfSightQuestion {
            from: Some(end(from, grid)),
            to: Some(end(to, grid)),
        }),
        Ask::LineOfFire {
            from,
            to,
            attack,
            munition,
        } => Asked::LineOfFire(v1::LineOfFireQuestion {
            from: Some(end(from, grid)),
            to: Some(end(to, grid)),
            attack: attack.number(),
            munition: munition.number(),
        }),
        Ask::FireLane {
            mg,
            counter_hex,
            mover_hex,
            mover,
        } => Asked::FireLane(v1::FireLaneQuestion {
            mg: Some(end(mg, grid)),
            counter_hex: grid.label(*counter_hex),
            mover_hex: grid.label(*mover_hex),
            mover: mover.number(),
        }),
        Ask::Movement { mover, step, ec } => Asked::Movement(v1::MovementQuestion {
            mover: Some(moves(mover)),
            step: Some(match self::step(step, grid) {
                StepMessage::Entry(entry) => movement_question::Step::Entry(entry),
                StepMessage::VcaChange(turn) => movement_question::Step::VcaChange(turn),
            }),
            ec: ec.map_or(0, Word::number),
        }),
        Ask::SetUp(setup) => Asked::SetUp(set_up(setup, grid)),
    }
}

fn set_up(setup: &SetUp, grid: &Grid) -> v1::SetUpQuestion {
    use set_up_question::Piece;
    let piece = match setup.piece {
        SetUpPiece::Unit {
            class,
            concealment,
            beneath,
        } => Piece::Unit(v1::SetUpUnit {
            class: class.number(),
            concealment: concealment.number(),
            beneath: beneath.map_or(0, Word::number),
        }),
        SetUpPiece::Fortification(fortification) => Piece::Fortification(fortification.number()),
    };
    v1::SetUpQuestion {
        hex: grid.label(setup.hex),
        piece: Some(piece),
    }
}

pub(super) fn end(end: &End, grid: &Grid) -> v1::End {
    let (end, corner) = match end {
        End::Counter { id, corner } => (end::End::CounterId(id.clone()), *corner),
        End::Hex(aim) => (end::End::Hex(grid.label(aim.hex)), aim.corner),
    };
    v1::End {
        end: Some(end),
        corner: corner.map(u32::from),
    }
}

pub(crate) fn moves(mover: &Mover) -> v1::Mover {
    v1::Mover {
        class: mover.class.number(),
        ground_pressure: mover.ground_pressure.map_or(0, Word::number),
        weight_tons: mover.weight_kg.map(|kg| f64::from(kg) / 1000.0),
        british_built: mover.british_built,
        counter_id: String::new(),
    }
}

/// The message of a step. It stands in oneofs of several messages.
pub(crate) enum StepMessage {
    Entry(v1::Entry),
    VcaChange(v1::VcaChange),
}

pub(crate) fn step(step: &Step, grid: &Grid) -> StepMessage {
    match *step {
        Step::Enter { from, to, way } => StepMessage::Entry(v1::Entry {
            from_hex: grid.label(from),
            to_hex: grid.label(to),
            way: way.number(),
        }),
        Step::Turn {
            hex,
            entered_from,
            hexsides,
            way,
        } => StepMessage::VcaChange(v1::VcaChange {
            hex: grid.label(hex),
            entered_from: entered_from.map_or_else(String::new, |from| grid.label(from)),
            hexsides: hexsides.into(),
            way: way.number(),
        }),
    }
}
