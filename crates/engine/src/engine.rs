//! The engine: a ruleset, maps in memory, threads to work on.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use alamein_plugin_host::NativePlugin;
use alamein_terrain::{
    Adjudicated, Budget, Digest, FeatureError, GrazingPolicy, Line, MoveStep, Position, Problem,
    Question, Ruling, SetUp,
};
use futures::executor::block_on;
use lru::LruCache;
use tracing::{Instrument as _, Span};

use crate::config::{EngineConfig, Health};
use crate::error::{PrepareError, QuestionError, RulesetError};
use crate::metrics::EngineMetrics;
use crate::naming::{Names, SaidOfOne};
use crate::pool::{Patience, Pool};
use crate::prepared::{Prepared, PreparedMap};
use crate::resolve::{Job, Probes, Resolver};
use crate::rounds::{Rounds, Said};
use crate::ruleset::{Ruleset, RulesetConfig};

/// How many maps are kept ready.
const MAPS: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");

/// How many questions of a batch are judged at a time.
const TURN: usize = 64;

/// What is wanted of a batch beside its rulings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Where a line grazes, what the other grazing policies would give.
    pub other_policies: bool,
    /// Ask every plugin about everything, whatever it says concerns it. The rulings must be the
    /// same; tests make sure that they are.
    pub ask_everyone: bool,
    /// Until when.
    pub budget: Budget,
    /// Whether it may be turned away where it would wait too long for a thread, as the engine's
    /// configuration has it: whoever asks can ask again. Default false.
    pub sheds: bool,
    /// Whether each call of a plugin has a span of its own, for whoever follows this request. Default
    /// false: then it costs nothing.
    pub traced: bool,
}

impl Wanted {
    /// Whether it may be turned away before it has begun.
    pub(crate) fn patience(&self) -> Patience {
        if self.sheds {
            Patience::Sheds
        } else {
            Patience::Waits
        }
    }

    /// A span for what a request asks, if it is traced.
    pub(crate) fn span(&self, what: &'static str, questions: u64) -> Span {
        if self.traced {
            tracing::info_span!("judge", what, questions)
        } else {
            Span::none()
        }
    }
}

/// The rulings of a batch, in the order of its questions.
pub type Rulings = Vec<Result<Adjudicated, QuestionError>>;

/// What adjudication needs whatever the rules: threads, and room for maps that are ready.
///
/// Cheap to clone; clones share everything. Any number of [`Engine`]s may work on the same.
#[derive(Clone, Debug)]
pub struct Threads(Arc<Shared>);

impl Threads {
    /// Threads that work as is usual: see [`EngineConfig`].
    ///
    /// # Errors
    /// Where no threads can be had.
    pub fn new() -> std::io::Result<Self> {
        Self::with(EngineConfig::default())
    }

    /// Threads that work like this.
    ///
    /// # Errors
    /// Where no threads can be had.
    pub fn with(config: EngineConfig) -> std::io::Result<Self> {
        Ok(Self(Arc::new(Shared {
            maps: Mutex::new(LruCache::new(MAPS)),
            pool: Pool::new(config)?,
        })))
    }

    /// How they are. Those that a plugin does not give back are lost.
    #[must_use]
    pub fn health(&self) -> Health {
        self.0.pool.health()
    }

    /// How they work.
    #[must_use]
    pub fn config(&self) -> &EngineConfig {
        self.0.pool.config()
    }

    /// Builds a ruleset on one of these threads, and waits for it. A plugin that does not come back
    /// from making an instance is given up with its thread, as one that does not judge is. `builds`:
    /// see [`Ruleset::build_of_builds`].
    ///
    /// # Errors
    /// As [`Ruleset::build`], and where nothing came of it.
    pub fn build(
        &self,
        plugins: Vec<NativePlugin>,
        config: RulesetConfig,
        builds: bool,
    ) -> Result<Ruleset, RulesetError> {
        let build = move |_| {
            if builds {
                Ruleset::build_of_builds(&plugins, &config)
            } else {
                Ruleset::build(&plugins, &config)
            }
        };
        let built = block_on(self.0.pool.run(Budget::default(), Patience::Waits, build));
        built.unwrap_or_else(|broken| Err(RulesetError::NotBuilt(broken.into())))
    }

    /// An engine that works on these threads.
    #[must_use]
    pub fn engine(&self, ruleset: Arc<Ruleset>) -> Engine {
        Engine {
            ruleset,
            shared: Arc::clone(&self.0),
        }
    }
}

/// Rules on questions.
///
/// Cheap to clone; clones share everything.
#[derive(Clone, Debug)]
pub struct Engine {
    ruleset: Arc<Ruleset>,
    pub(crate) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    /// By the ruleset's number: two of one fingerprint are made of instances of their own.
    maps: Mutex<LruCache<(u64, Digest), Arc<PreparedMap>>>,
    pub(crate) pool: Pool,
}

impl Engine {
    /// An engine with a ruleset, on threads of its own.
    ///
    /// # Errors
    /// Where no threads can be had.
    pub fn new(ruleset: Ruleset) -> std::io::Result<Self> {
        Ok(Threads::new()?.engine(Arc::new(ruleset)))
    }

    /// An engine with another ruleset, on the same threads.
    #[must_use]
    pub fn with(&self, ruleset: Arc<Ruleset>) -> Self {
        self.threads().engine(ruleset)
    }

    /// The threads that it works on.
    #[must_use]
    pub fn threads(&self) -> Threads {
        Threads(Arc::clone(&self.shared))
    }

    /// What its threads count.
    pub(crate) fn metrics(&self) -> &EngineMetrics {
        &self.shared.pool.config().metrics
    }

    /// Its ruleset.
    #[must_use]
    pub fn ruleset(&self) -> Arc<Ruleset> {
        Arc::clone(&self.ruleset)
    }

    /// Checks a position against the engine's ruleset, layers and attributes, and gives what is
    /// odd about its map.
    ///
    /// # Errors
    /// What is wrong with it, a layer included that no plugin owns and that is not to be ignored,
    /// or one to be ignored that a plugin owns.
    pub async fn check(
        &self,
        position: Arc<Position>,
        ignore_layers: Vec<String>,
    ) -> Result<Vec<Problem>, PrepareError> {
        let (engine, ruleset) = (self.clone(), self.ruleset());
        let check = move |_| {
            let owned = |layer: &String| Some((layer.clone(), ruleset.owner(layer)?));
            if let Some((layer, owner)) = ignore_layers.iter().find_map(owned) {
                let plugin = owner.manifest().id.clone();
                return Err(PrepareError::NotIgnorable { layer, plugin });
            }
            let prepared = block_on(engine.prepare(&ruleset, position))?;
            match prepared.map.unknown_layer(&ignore_layers) {
                Some(layer) => Err(PrepareError::UnknownLayer { layer }),
                None => Ok(prepared.map.warnings.clone()),
            }
        };
        let checked = self
            .shared
            .pool
            .run(Budget::default(), Patience::Waits, check)
            .await;
        checked.unwrap_or_else(|broken| Err(broken.into()))
    }

    /// Rules on questions about a position, on one of the engine's own threads.
    ///
    /// # Errors
    /// Where the position cannot be ruled on at all. What is wrong with one question is in its
    /// place among the rulings.
    pub async fn adjudicate(
        &self,
        ruleset: Arc<Ruleset>,
        position: Arc<Position>,
        questions: Vec<Question>,
        wanted: Wanted,
    ) -> Result<Rulings, PrepareError> {
        let asked = questions.len() as u64;
        let judged = self.in_turns(ruleset, position, questions, wanted);
        let judged = judged.instrument(wanted.span("batch", asked)).await;
        self.metrics().count_batch(asked, &judged);
        judged
    }

    /// Rules on a few questions at a time, so that a long batch does not keep the threads from all
    /// others: between two turns those who wait have theirs.
    async fn in_turns(
        &self,
        ruleset: Arc<Ruleset>,
        position: Arc<Position>,
        questions: Vec<Question>,
        wanted: Wanted,
    ) -> Result<Rulings, PrepareError> {
        let pool = &self.shared.pool;
        let mut judged = Vec::with_capacity(questions.len());
        let (mut budget, mut patience) = (wanted.budget, wanted.patience());
        if questions.len() > TURN {
            // The time is that of all turns together.
            let latest = Instant::now().checked_add(pool.config().budget);
            budget.deadline = budget.deadline.into_iter().chain(latest).min();
        }
        let mut questions = questions.into_iter();
        loop {
            let turn: Vec<Question> = questions.by_ref().take(TURN).collect();
            let (engine, ruleset) = (self.clone(), Arc::clone(&ruleset));
            let position = Arc::clone(&position);
            let work = move |budget| {
                let wanted = Wanted { budget, ..wanted };
                engine.adjudicate_here(&ruleset, position, &turn, wanted)
            };
            let rulings = pool.run(budget, patience, work).await;
            judged.extend(rulings.unwrap_or_else(|broken| Err(broken.into()))?);
            if questions.len() == 0 {
                return Ok(judged);
            }
            // What has begun is seen through.
            patience = Patience::Waits;
        }
    }

    /// The same on this thread, which it keeps until it is done. Nobody watches it: a plugin that
    /// does not come back keeps it for ever.
    ///
    /// # Errors
    /// As [`adjudicate`](Self::adjudicate).
    pub fn adjudicate_here(
        &self,
        ruleset: &Ruleset,
        position: Arc<Position>,
        questions: &[Question],
        wanted: Wanted,
    ) -> Result<Rulings, PrepareError> {
        block_on(async {
            let prepared = self.prepare(ruleset, position).await?;
            let batch = Batch {
                ruleset,
                prepared: &prepared,
                metrics: self.metrics(),
                wanted,
            };
            Ok(batch.adjudicate(questions).await)
        })
    }

    pub(crate) async fn prepare(
        &self,
        ruleset: &Ruleset,
        position: Arc<Position>,
    ) -> Result<Prepared, PrepareError> {
        let map = self.prepare_map(ruleset, &position).await?;
        Prepared::new(ruleset, map, position)
    }

    async fn prepare_map(
        &self,
        ruleset: &Ruleset,
        position: &Position,
    ) -> Result<Arc<PreparedMap>, PrepareError> {
        let key = (ruleset.number(), position.map_id());
        let maps = || {
            self.shared
                .maps
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(prepared) = maps().get(&key) {
            return Ok(Arc::clone(prepared));
        }
        let verify = self.shared.pool.config().verify_every;
        let span = tracing::info_span!("prepare_map", hexes = position.map().grid.len());
        let prepared = PreparedMap::new(ruleset, Arc::clone(position.map()), verify);
        let prepared = Arc::new(prepared.instrument(span).await?);
        // What has to make room is dropped when the lock is free again.
        let _gone = maps().push(key, Arc::clone(&prepared));
        Ok(prepared)
    }
}

/// A batch of questions about one position, under one ruleset.
pub(crate) struct Batch<'a> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) prepared: &'a Prepared,
    pub(crate) metrics: &'a EngineMetrics,
    pub(crate) wanted: Wanted,
}

impl Batch<'_> {
    async fn adjudicate(&self, questions: &[Question]) -> Rulings {
        let rulings = self.rule(questions).await;
        let mut answers: Rulings = rulings
            .into_iter()
            .map(|ruling| {
                ruling.map(|ruling| Adjudicated {
                    ruling,
                    other_policies: Vec::new(),
                })
            })
            .collect();
        if self.wanted.other_policies {
            self.add_other_policies(questions, &mut answers).await;
        }
        answers
    }

    /// Rules again under the other policies, where a line grazes.
    async fn add_other_policies(&self, questions: &[Question], answers: &mut Rulings) {
        let mut again: Vec<(usize, GrazingPolicy, Question)> = Vec::new();
        for (at, (question, answer)) in questions.iter().zip(answers.iter()).enumerate() {
            let Ok(answer) = answer else { continue };
            let held = answer.ruling.policy;
            if !answer.ruling.grazing.grazes {
                continue;
            }
            for policy in GrazingPolicy::ALL
                .into_iter()
                .filter(|policy| *policy != held)
            {
                again.push((
                    at,
                    policy,
                    Question {
                        policy: Some(policy),
                        ..question.clone()
                    },
                ));
            }
        }
        let asked: Vec<Question> = again
            .iter()
            .map(|(_, _, question)| question.clone())
            .collect();
        for ((at, policy, _), ruling) in again.into_iter().zip(self.rule(&asked).await) {
            match (ruling, &mut answers[at]) {
                (Ok(ruling), Ok(answer)) => answer.other_policies.push((policy, ruling)),
                // A ruling is not given with a part of it left out.
                (Err(error), answer) => *answer = Err(error),
                (Ok(_), Err(_)) => {}
            }
        }
    }

    pub(crate) async fn rule(&self, questions: &[Question]) -> Vec<Result<Ruling, QuestionError>> {
        let mut resolver = Resolver {
            ruleset: self.ruleset,
            prepared: self.prepared,
            probes: Probes::default(),
        };
        let mut lines: Vec<Line> = Vec::new();
        let mut steps: Vec<MoveStep> = Vec::new();
        let mut setups: Vec<SetUp> = Vec::new();
        let mut where_to = Vec::new();
        for question in questions {
            where_to.push(match resolver.resolve(question) {
                Err(error) => Err(error),
                Ok(Job::Line(line)) => {
                    lines.push(*line);
                    Ok(Asked::Line(lines.len() - 1))
                }
                Ok(Job::Step(step)) => {
                    steps.push(step);
                    Ok(Asked::Step(steps.len() - 1))
                }
                Ok(Job::SetUp(setup)) => {
                    setups.push(setup);
                    Ok(Asked::SetUp(setups.len() - 1))
                }
            });
        }
        let probes = resolver.probes;
        let rounds = Rounds::new(self, &probes);
        let said_of_lines = rounds.lines(&lines).await;
        let said_of_steps = rounds.steps(&steps).await;
        let said_of_setups = rounds.setups(&setups).await;
        let names = Names {
            ruleset: self.ruleset,
            prepared: self.prepared,
            probes: &probes,
        };
        let ruling = |(question, asked): (&Question, Result<Asked, QuestionError>)| match asked? {
            Asked::Line(at) => names.line(question, &lines[at], &said_of(&said_of_lines, at)?),
            Asked::Step(at) => names.step(question, &steps[at], &said_of(&said_of_steps, at)?),
            Asked::SetUp(at) => names.setup(question, &setups[at], &said_of(&said_of_setups, at)?),
        };
        questions.iter().zip(where_to).map(ruling).collect()
    }
}

/// Where in its batch a question went.
enum Asked {
    Line(usize),
    Step(usize),
    SetUp(usize),
}

pub(crate) fn said_of(
    said: &Result<Said, FeatureError>,
    at: usize,
) -> Result<SaidOfOne<'_>, QuestionError> {
    match said {
        Ok(said) => Ok(SaidOfOne {
            seen: said.seen.of(at),
            objections: said.seen.objections_of(at),
            findings: said.findings.get(at).map(Vec::as_slice).unwrap_or_default(),
            replaced: said.replaced.get(at).map(Vec::as_slice).unwrap_or_default(),
        }),
        Err(error) => Err(QuestionError::Feature(error.clone())),
    }
}
