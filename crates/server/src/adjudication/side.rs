//! Questions of a side, which may not know all.
//!
//! What such a question says is read, judged and told on the position as the side knows it. It is judged
//! again on the position as it is, and of that the side is told nothing but what `told` of the domain lets
//! through: what a side is told depends on what it knows and on the numbers of the true verdict alone.

use std::collections::BTreeSet;
use std::sync::Arc;

use alamein_engine::{MoveError, QuestionError, Rulings, Wanted};
use alamein_proto::v1::ErrorReason;
use alamein_terrain::{Adjudicated, Counter, Position, Question};

use super::Hearing;
use crate::fault::Fault;
use crate::refusal;
use crate::service::Service;

/// A side that asks.
pub(super) struct Side {
    name: String,
    /// The position as it is.
    truth: Arc<Position>,
}

/// What is ruled for a side.
pub(super) struct Told {
    /// What it is told.
    pub(super) adjudicated: Adjudicated,
    /// The true ruling.
    pub(super) truth: Adjudicated,
    /// Whether what is hidden makes a difference.
    pub(super) matters: bool,
}

/// The rulings on a position as it is, and whether it had to be changed for them.
pub(super) struct Truth {
    rulings: std::vec::IntoIter<Result<Adjudicated, QuestionError>>,
    /// Whether counters were called otherwise, so that nothing is to be written down.
    pub(super) renamed: bool,
}

impl Truth {
    /// What the side is told of the next question, by what was ruled on what it knows.
    pub(super) fn tell(&mut self, hearing: &Hearing<'_>, seen: Adjudicated) -> Result<Told, Fault> {
        match self.rulings.next() {
            Some(Ok(truth)) => {
                let (adjudicated, matters) = seen.told(&truth);
                Ok(Told {
                    adjudicated,
                    truth,
                    matters,
                })
            }
            Some(Err(QuestionError::OutOfTime)) => Err(hearing.context().late()),
            _ => Err(hidden()),
        }
    }

    /// Passes over a question that the side cannot ask.
    pub(super) fn skip(&mut self) {
        self.rulings.next();
    }
}

impl Side {
    /// The side that a request names, if it names one, and the position as this knows it.
    pub(super) fn of(
        name: &str,
        position: Arc<Position>,
        longest: usize,
    ) -> Result<(Option<Self>, Arc<Position>), Fault> {
        if name.is_empty() {
            return Ok((None, position));
        }
        check_side(name, longest)?;
        let seen = Arc::new(position.seen_by(name));
        let name = name.to_owned();
        let truth = position;
        Ok((Some(Self { name, truth }), seen))
    }

    /// The position as it is.
    pub(super) fn truth(&self) -> &Arc<Position> {
        &self.truth
    }

    /// The same with room for probes that are called as hidden counters are.
    fn with_room<'a>(&self, probes: impl Iterator<Item = &'a Counter>) -> Option<Arc<Position>> {
        let ids: BTreeSet<&str> = probes.map(|probe| probe.id.as_str()).collect();
        self.truth.with_room_for(&self.name, &ids).map(Arc::new)
    }

    /// The position to judge a move on that has these probes.
    pub(super) fn to_move_on(&self, probes: &[Counter]) -> Arc<Position> {
        let renamed = self.with_room(probes.iter());
        renamed.unwrap_or_else(|| Arc::clone(&self.truth))
    }
}

impl Service {
    /// Rules on the questions of a side on the position as it is.
    pub(super) async fn truth(
        &self,
        hearing: &Hearing<'_>,
        side: &Side,
        asked: Vec<Question>,
        wanted: Wanted,
    ) -> Result<Truth, Fault> {
        let room = side.with_room(asked.iter().flat_map(|question| &question.probes));
        let renamed = room.is_some();
        let position = room.unwrap_or_else(|| Arc::clone(side.truth()));
        let ruleset = Arc::clone(&hearing.ruleset);
        let engine = &hearing.rules.ready().engine;
        let ruled = engine.adjudicate(ruleset, position, asked, wanted).await;
        let rulings: Rulings = ruled.map_err(|_| hidden())?;
        Ok(Truth {
            rulings: rulings.into_iter(),
            renamed,
        })
    }
}

/// A side's name, if it is not too long for one.
pub(crate) fn check_side(name: &str, longest: usize) -> Result<(), Fault> {
    refusal::short("as_side", name, longest)
}

/// Why a side is not answered although it could be by what it knows. It must not be told more.
pub(crate) fn hidden() -> Fault {
    let text = "something that is hidden from this side keeps this from being answered to it";
    Fault::new(ErrorReason::Hidden, text)
}

impl Hearing<'_> {
    /// Why a side is told nothing of a move.
    pub(super) fn hidden_move(&self, error: &MoveError) -> Fault {
        match error {
            MoveError::Question(QuestionError::OutOfTime)
            | MoveError::Step {
                error: QuestionError::OutOfTime,
                ..
            } => self.context().late(),
            _ => hidden(),
        }
    }
}
