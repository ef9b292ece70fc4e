//! What the engine answers about many lines of sight: all that one sees, and all that anybody would.

use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use alamein_hex::Hex;
use alamein_terrain::{Budget, FieldOfView, FieldQuestion, PairsQuestion, Position, Sight};
use futures::executor::block_on;
use futures::stream::{self, FuturesOrdered, Stream, StreamExt as _};
use tracing::Instrument as _;

use crate::engine::{Batch, Engine, Wanted};
use crate::error::{PrepareError, QuestionError, SightError};
use crate::pool::Patience;
use crate::prepared::Prepared;
use crate::ruleset::Ruleset;
use crate::sights::{Fan, Sights, sights};

/// How many lines are judged at a time.
const TURN: usize = 256;

impl Engine {
    /// Finds what somebody sees: the LOS to an ordinary unit in each hex within a range.
    ///
    /// All of the engine's threads work on it, a few hundred lines at a time, so that others who ask
    /// have their share between.
    ///
    /// # Errors
    /// A viewer who cannot be asked about, a position that cannot be ruled on, a plugin that fails, a
    /// budget that is exhausted. That a rule which decides is not implemented is part of the answer.
    pub async fn field_of_view(
        &self,
        ruleset: Arc<Ruleset>,
        position: Arc<Position>,
        question: FieldQuestion,
        wanted: Wanted,
    ) -> Result<FieldOfView, SightError> {
        let mut looking = self.look(ruleset, position, question, wanted).await?;
        let mut sights = Vec::new();
        while let Some(more) = looking.judged().await? {
            sights.extend(more);
        }
        Ok(FieldOfView {
            sights,
            ..looking.rest()
        })
    }

    /// Begins to find what somebody sees, for whoever wants to hear of hexes as they are judged.
    ///
    /// # Errors
    /// As [`field_of_view`](Self::field_of_view).
    pub async fn look(
        &self,
        ruleset: Arc<Ruleset>,
        position: Arc<Position>,
        question: FieldQuestion,
        wanted: Wanted,
    ) -> Result<Looking, SightError> {
        let begun = self.begin(ruleset, position, question, wanted);
        let begun = begun.instrument(wanted.span("field", 1)).await;
        self.metrics().count_field(&begun);
        begun
    }

    async fn begin(
        &self,
        ruleset: Arc<Ruleset>,
        position: Arc<Position>,
        question: FieldQuestion,
        wanted: Wanted,
    ) -> Result<Looking, SightError> {
        let pool = &self.shared.pool;
        let mut budget = wanted.budget;
        // The time is that of all turns together.
        let latest = Instant::now().checked_add(pool.config().budget);
        budget.deadline = budget.deadline.into_iter().chain(latest).min();
        let engine = self.clone();
        let begin = move |budget| {
            let look = engine.make_ready(ruleset, position, &question, wanted)?;
            let first = look.turn(0..TURN, budget)?;
            Ok::<_, SightError>((Arc::new(look), first))
        };
        let begun = pool.run(budget, wanted.patience(), begin).await;
        let (look, first) = begun.map_err(PrepareError::from)??;
        Ok(Looking {
            look,
            first: Some(first),
            next: TURN,
            told: 0,
            turns: FuturesOrdered::new(),
            found: Sights::default(),
            budget,
        })
    }

    /// The same on this thread, which it keeps until it is done.
    ///
    /// # Errors
    /// As [`field_of_view`](Self::field_of_view).
    pub fn field_of_view_here(
        &self,
        ruleset: Arc<Ruleset>,
        position: Arc<Position>,
        question: &FieldQuestion,
        wanted: Wanted,
    ) -> Result<FieldOfView, SightError> {
        let look = self.make_ready(ruleset, position, question, wanted)?;
        let mut found = look.turn(0..TURN, wanted.budget)?;
        let mut sights = std::mem::take(&mut found.sights);
        for from in (TURN..look.hexes.len()).step_by(TURN) {
            let mut more = look.turn(from..from + TURN, wanted.budget)?;
            sights.append(&mut more.sights);
            found.add(more);
        }
        Ok(FieldOfView {
            sights: look.hexes.iter().copied().zip(sights).collect(),
            ..look.field(found)
        })
    }

    /// Finds what an ordinary unit in each hex of the map sees, one hex after another in the order of
    /// the grid. As many are worked on ahead as the engine has threads, and no more: whoever takes them
    /// sets the pace.
    ///
    /// A line is judged from either of its ends. That LOS is the same both ways holds of the rules of
    /// the game, and of plugins as far as these keep to it.
    ///
    /// # Errors
    /// As [`field_of_view`](Self::field_of_view), in the place of each hex.
    pub fn all_pairs(
        &self,
        ruleset: Arc<Ruleset>,
        position: Arc<Position>,
        question: PairsQuestion,
        wanted: Wanted,
    ) -> impl Stream<Item = Result<FieldOfView, SightError>> + Send + use<> {
        let engine = self.clone();
        let threads = self.shared.pool.config().threads.max(1);
        let hexes = position.map().grid.hexes();
        let look = move |hex| {
            let (engine, question) = (engine.clone(), question.from(hex));
            let (ruleset, position) = (Arc::clone(&ruleset), Arc::clone(&position));
            async move {
                let looked = engine.field_of_view(ruleset, position, question, wanted);
                looked.await
            }
        };
        stream::iter(hexes).map(look).buffered(threads)
    }

    /// Makes ready to look.
    fn make_ready(
        &self,
        ruleset: Arc<Ruleset>,
        position: Arc<Position>,
        question: &FieldQuestion,
        wanted: Wanted,
    ) -> Result<Look, SightError> {
        let prepared = block_on(self.prepare(&ruleset, position))?;
        let fan = Fan::of(question, &ruleset, &prepared)?;
        let viewer = fan.from.hex;
        let in_range = |hex: &Hex| {
            question
                .range
                .is_none_or(|range| viewer.range(*hex) <= range)
        };
        let hexes = prepared.map.map.grid.hexes().filter(in_range).collect();
        Ok(Look {
            engine: self.clone(),
            ruleset,
            prepared,
            fan,
            hexes,
            wanted,
        })
    }
}

/// A turn that is being judged.
type Turn = Pin<Box<dyn Future<Output = Result<Sights, SightError>> + Send>>;

/// A field of view on its way: what comes of hexes as they are judged, in the order of the grid.
///
/// No more than the engine's threads have at hand is judged ahead: whoever takes it sets the pace.
pub struct Looking {
    look: Arc<Look>,
    /// The first turn, until it is told.
    first: Option<Sights>,
    /// Where the next turn begins.
    next: usize,
    /// How many hexes are told.
    told: usize,
    turns: FuturesOrdered<Turn>,
    /// What came of all turns that are told, but for the sights.
    found: Sights,
    budget: Budget,
}

impl std::fmt::Debug for Looking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Looking")
            .field("hexes", &self.hexes())
            .field("told", &self.told)
            .finish_non_exhaustive()
    }
}

impl Looking {
    /// How many hexes there will be.
    #[must_use]
    pub fn hexes(&self) -> usize {
        self.look.hexes.len()
    }

    /// What is known before the end: whose view it is, of what, by which rules. It has no sights.
    #[must_use]
    pub fn head(&self) -> FieldOfView {
        self.look.field(Sights::default())
    }

    /// The next hexes that are judged; nothing after the last.
    ///
    /// # Errors
    /// A plugin that fails, a budget that is exhausted.
    pub async fn judged(&mut self) -> Result<Option<Vec<(Hex, Sight)>>, SightError> {
        self.go_on();
        let turn = match self.first.take() {
            Some(first) => Ok(Some(first)),
            None => self.turns.next().await.transpose(),
        };
        self.look.engine.metrics().count_field(&turn);
        let Some(mut more) = turn? else {
            return Ok(None);
        };
        let sights = std::mem::take(&mut more.sights);
        self.found.add(more);
        let hexes = self.look.hexes.iter().skip(self.told).copied();
        self.told += sights.len();
        Ok(Some(hexes.zip(sights).collect()))
    }

    /// Has as many turns judged as there are threads.
    fn go_on(&mut self) {
        let threads = self.look.engine.shared.pool.config().threads;
        while self.turns.len() < threads && self.next < self.hexes() {
            let (look, from) = (Arc::clone(&self.look), self.next);
            let (engine, budget) = (look.engine.clone(), self.budget);
            let turn = move |budget| look.turn(from..from + TURN, budget);
            self.turns.push_back(Box::pin(async move {
                // What has begun is seen through.
                let judged = engine.shared.pool.run(budget, Patience::Waits, turn).await;
                Ok(judged.map_err(PrepareError::from)??)
            }));
            self.next += TURN;
        }
    }

    /// What came of all hexes that were told: all but the sights.
    #[must_use]
    pub fn rest(self) -> FieldOfView {
        self.look.field(self.found)
    }
}

/// Somebody's view, made ready to be judged in turns.
struct Look {
    engine: Engine,
    ruleset: Arc<Ruleset>,
    prepared: Arc<Prepared>,
    fan: Fan,
    /// The hexes in range, in the order of the grid.
    hexes: Vec<Hex>,
    wanted: Wanted,
}

impl Look {
    /// Judges the lines to some of the hexes, as many of these as there are.
    fn turn(&self, of: Range<usize>, budget: Budget) -> Result<Sights, QuestionError> {
        if budget.exhausted() {
            return Err(QuestionError::OutOfTime);
        }
        let end = of.end.min(self.hexes.len());
        let hexes = self.hexes.get(of.start..end).unwrap_or_default();
        let batch = Batch {
            ruleset: &self.ruleset,
            prepared: &self.prepared,
            metrics: self.engine.metrics(),
            wanted: Wanted {
                budget,
                ..self.wanted
            },
        };
        sights(&batch, &self.fan, hexes)
    }

    /// The answer of all turns, but for the sights.
    fn field(&self, found: Sights) -> FieldOfView {
        FieldOfView {
            rules: self.ruleset.fingerprint(),
            position: self.prepared.position.id(),
            policy: self.fan.policy,
            grid: self.prepared.map.map.grid,
            viewer: self.fan.from.hex,
            sights: Vec::new(),
            contested: found.contested,
            not_implemented: found.not_implemented,
            not_covered: found.not_covered,
            ignored: found.ignored,
        }
    }
}
