//! What the engine answers about moves: the price of a path, and how far an allowance reaches.

use std::sync::Arc;

use alamein_terrain::{PathQuestion, Position, PricedPath, Reach, ReachQuestion};
use futures::executor::block_on;
use tracing::Instrument as _;

use crate::engine::{Batch, Engine, Wanted};
use crate::error::{MoveError, PrepareError};
use crate::path;
use crate::reach;
use crate::ruleset::Ruleset;

impl Engine {
    /// Prices a path, on one of the engine's own threads: rules on each of its steps as on a
    /// question of its own, and adds up.
    ///
    /// # Errors
    /// A path that is none, a step that cannot be asked about, a position that cannot be ruled on.
    /// That a step is forbidden, above the allowance or decided by a rule that is not implemented
    /// is part of the answer.
    pub async fn price_path(
        &self,
        ruleset: Arc<Ruleset>,
        position: Arc<Position>,
        question: PathQuestion,
        wanted: Wanted,
    ) -> Result<PricedPath, MoveError> {
        let engine = self.clone();
        let work = move |budget| {
            let wanted = Wanted { budget, ..wanted };
            engine.price_path_here(&ruleset, position, &question, wanted)
        };
        let priced = self.shared.pool.run(wanted.budget, wanted.patience(), work);
        let priced = priced.instrument(wanted.span("path", 1)).await;
        let priced = priced.unwrap_or_else(|broken| Err(PrepareError::from(broken).into()));
        self.metrics().count_move(&priced);
        priced
    }

    /// The same on this thread, which it keeps until it is done.
    ///
    /// # Errors
    /// As [`price_path`](Self::price_path).
    pub fn price_path_here(
        &self,
        ruleset: &Ruleset,
        position: Arc<Position>,
        question: &PathQuestion,
        wanted: Wanted,
    ) -> Result<PricedPath, MoveError> {
        block_on(async {
            let prepared = self.prepare(ruleset, position).await?;
            let batch = Batch {
                ruleset,
                prepared: &prepared,
                metrics: self.metrics(),
                wanted,
            };
            path::price(&batch, question).await
        })
    }

    /// Finds every hex that an allowance reaches, on one of the engine's own threads.
    ///
    /// Only terrain is judged, and no facing: see [`Reach`].
    ///
    /// # Errors
    /// A mover or a hex that cannot be asked about, a position that cannot be ruled on, a budget
    /// that is exhausted.
    pub async fn reachable(
        &self,
        ruleset: Arc<Ruleset>,
        position: Arc<Position>,
        question: ReachQuestion,
        wanted: Wanted,
    ) -> Result<Reach, MoveError> {
        let engine = self.clone();
        let work = move |budget| {
            let wanted = Wanted { budget, ..wanted };
            engine.reachable_here(&ruleset, position, &question, wanted)
        };
        let reached = self.shared.pool.run(wanted.budget, wanted.patience(), work);
        let reached = reached.instrument(wanted.span("reach", 1)).await;
        let reached = reached.unwrap_or_else(|broken| Err(PrepareError::from(broken).into()));
        self.metrics().count_move(&reached);
        reached
    }

    /// The same on this thread, which it keeps until it is done.
    ///
    /// # Errors
    /// As [`reachable`](Self::reachable).
    pub fn reachable_here(
        &self,
        ruleset: &Ruleset,
        position: Arc<Position>,
        question: &ReachQuestion,
        wanted: Wanted,
    ) -> Result<Reach, MoveError> {
        let prepared = block_on(self.prepare(ruleset, position))?;
        let batch = Batch {
            ruleset,
            prepared: &prepared,
            metrics: self.metrics(),
            wanted,
        };
        Ok(reach::reach(&batch, question)?)
    }
}
