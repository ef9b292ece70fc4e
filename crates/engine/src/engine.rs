//! The engine: a ruleset, maps in memory, threads to work on.

use std::sync::Arc;
use std::time::Instant;

use alamein_plugin_host::NativePlugin;
use alamein_terrain::{
    Adjudicated, Budget, FeatureError, GrazingPolicy, Line, MoveStep, Position, Problem, Question,
    Ruling, RulingIds, SetUp,
};
use futures::executor::block_on;
use futures::stream::{self, StreamExt as _};
use tracing::{Instrument as _, Span};

use crate::config::{EngineConfig, Health};
use crate::error::{PrepareError, QuestionError, RulesetError};
use crate::ledger::Ledger;
use crate::metrics::EngineMetrics;
use crate::naming::{Names, SaidOfOne};
use crate::pool::{Patience, Pool};
use crate::prepared::Prepared;
use crate::ready::Ready;
use crate::resolve::{Job, Probes, Resolver};
use crate::rounds::{Rounds, Said};
use crate::ruleset::{Ruleset, RulesetConfig};

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
    /// Verdicts alone: a ruling has no findings or observations, nor how its line ran, and takes much
    /// less to make. All else of it, its id included, is the same.
    pub verdicts_only: bool,
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
            ready: Ready::default(),
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
    pub(crate) ready: Ready,
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
    /// others: between its turns those who wait have theirs. All threads work on a long one.
    async fn in_turns(
        &self,
        ruleset: Arc<Ruleset>,
        position: Arc<Position>,
        questions: Vec<Question>,
        wanted: Wanted,
    ) -> Result<Rulings, PrepareError> {
        let pool = &self.shared.pool;
        let (mut budget, patience) = (wanted.budget, wanted.patience());
        if questions.len() > TURN {
            // The time is that of all turns together.
            let latest = Instant::now().checked_add(pool.config().budget);
            budget.deadline = budget.deadline.into_iter().chain(latest).min();
        }
        let mut judged = Vec::with_capacity(questions.len());
        let mut questions = questions.into_iter();
        let mut turns = std::iter::from_fn(|| {
            let turn: Vec<Question> = questions.by_ref().take(TURN).collect();
            (!turn.is_empty()).then_some(turn)
        });
        let judge = |turn: Vec<Question>, patience| {
            let (engine, ruleset) = (self.clone(), Arc::clone(&ruleset));
            let position = Arc::clone(&position);
            let work = move |budget| {
                let wanted = Wanted { budget, ..wanted };
                engine.adjudicate_here(&ruleset, position, &turn, wanted)
            };
            async move {
                let rulings = pool.run(budget, patience, work).await;
                rulings.unwrap_or_else(|broken| Err(broken.into()))
            }
        };
        judged.extend(judge(turns.next().unwrap_or_default(), patience).await?);
        // What has begun is seen through.
        let turns = turns.map(|turn| judge(turn, Patience::Waits));
        let mut turns = stream::iter(turns).buffered(pool.config().threads.max(1));
        while let Some(rulings) = turns.next().await {
            judged.extend(rulings?);
        }
        Ok(judged)
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
        let alone = |ruling| Adjudicated {
            ruling,
            other_policies: Vec::new(),
        };
        let mut answers: Rulings = self.rule_as(questions, alone, |it| &mut it.ruling).await;
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
        self.rule_as(questions, |ruling| ruling, |ruling| ruling)
            .await
    }

    /// The same, each ruling made into something that holds it.
    async fn rule_as<T>(
        &self,
        questions: &[Question],
        held: impl Fn(Ruling) -> T,
        ruling_in: impl Fn(&mut T) -> &mut Ruling,
    ) -> Vec<Result<T, QuestionError>> {
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
                    lines.push(line);
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
        let mut rounds = Rounds::new(self, &probes);
        rounds.los_only = self.wanted.verdicts_only;
        let said_of_lines = rounds.lines(&lines).await;
        let said_of_steps = rounds.steps(&steps).await;
        let said_of_setups = rounds.setups(&setups).await;
        let names = Names {
            ruleset: self.ruleset,
            prepared: self.prepared,
            probes: &probes,
            verdicts_only: self.wanted.verdicts_only,
        };
        let (rules, position) = (self.ruleset.fingerprint(), self.prepared.position.id());
        let mut ledger = Ledger::new(RulingIds::new(rules, position));
        let mut entries = Vec::with_capacity(questions.len());
        if let Ok(said) = &said_of_lines
            && !self.wanted.verdicts_only
        {
            let hexes = lines.iter().map(|line| line.trace.trace().touched().len());
            ledger.make_room(said.seen.seen.len(), said.found(), hexes.sum());
        }
        let ruling = |(question, asked): (&Question, Result<Asked, QuestionError>)| {
            let (said, ledger) = (said_of, &mut ledger);
            let (ruling, entry) = match asked? {
                Asked::Line(at) => {
                    names.line(question, &lines[at], &said(&said_of_lines, at)?, ledger)
                }
                Asked::Step(at) => {
                    names.step(question, &steps[at], &said(&said_of_steps, at)?, ledger)
                }
                Asked::SetUp(at) => {
                    names.setup(question, &setups[at], &said(&said_of_setups, at)?, ledger)
                }
            }?;
            entries.push(entry);
            Ok(held(ruling))
        };
        let mut rulings: Vec<_> = questions.iter().zip(where_to).map(ruling).collect();
        let closed = ledger.close();
        for (held, entry) in rulings.iter_mut().flatten().zip(entries) {
            closed.give(ruling_in(held), entry);
        }
        rulings
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
            findings: said.findings.of(at),
            replaced: said.replaced.of(at),
        }),
        Err(error) => Err(QuestionError::Feature(error.clone())),
    }
}
