//! Threads that adjudicate. They are not tokio's: a plugin's code is synchronous and may be slow,
//! and a request makes one hop to them and one back.
//!
//! A plugin may also never come back. So each thread says in which call it is, and another thread,
//! the watch, looks at them all from time to time: a call that takes too long is given up, with its
//! thread and its instance, and whoever waits is told.

mod crew;
mod queue;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use alamein_terrain::{Budget, FeatureError};
use futures::channel::oneshot;

use crate::config::{EngineConfig, Health};
use crate::error::PrepareError;
use crate::metrics::EngineMetrics;
use crew::Crew;
use queue::Queue;

/// Why nothing came of a job.
#[derive(Clone, Debug)]
pub(crate) enum Broken {
    /// It panicked, or the pool is gone.
    Stopped,
    /// It was in a call of a plugin that did not come back.
    Lost(FeatureError),
    /// There are no threads to do it: they are lost.
    NoThreads(Health),
    /// It waited for a thread until its time was up.
    Late,
    /// It waited longer for a thread than it may.
    Waited {
        /// How long it waited.
        waited: Duration,
        /// How long it may.
        longest: Duration,
    },
}

impl From<Broken> for PrepareError {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Stopped => Self::Stopped,
            Broken::Lost(error) => Self::Feature(error),
            Broken::Late => Self::OutOfTime,
            Broken::Waited { waited, longest } => Self::Waited { waited, longest },
            Broken::NoThreads(Health { lost, .. }) => Self::NoThreads {
                plugins: lost.into_keys().collect(),
            },
        }
    }
}

/// Whether something may be turned away where it would wait too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// It may: whoever asks can come back.
    Sheds,
    /// It may not: it has begun, or nobody could ask again.
    Waits,
}

/// Something to do, and whom to tell if it cannot be.
pub(crate) struct Job {
    deadline: Option<Instant>,
    /// Since when it waits.
    since: Instant,
    sheds: bool,
    work: Box<dyn FnOnce(Budget) + Send>,
    give_up: GiveUp,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job")
            .field("deadline", &self.deadline)
            .field("since", &self.since)
            .finish_non_exhaustive()
    }
}

type GiveUp = Box<dyn FnOnce(Broken) + Send>;

/// Threads that take jobs in order. They end when the pool is dropped.
#[derive(Debug)]
pub(crate) struct Pool {
    queue: Arc<Queue>,
    crew: Arc<Crew>,
}

impl Pool {
    pub(crate) fn new(config: EngineConfig) -> std::io::Result<Self> {
        let queue = Arc::new(Queue::new(config.longest_wait));
        let crew = Crew::start(config, Arc::clone(&queue))?;
        Ok(Self { queue, crew })
    }

    /// Runs a job on one of the threads, which is told how long it may take: as long as asked, but
    /// no longer than the configuration says.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        budget: Budget,
        patience: Patience,
        job: impl FnOnce(Budget) -> T + Send + 'static,
    ) -> Result<T, Broken> {
        if let Some(health) = self.crew.unfit() {
            return Err(Broken::NoThreads(health));
        }
        let (answer, answered) = oneshot::channel();
        let answer = Arc::new(Mutex::new(Some(answer)));
        let take =
            |answer: &Answer<T>| answer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let to = Arc::clone(&answer);
        let (span, metrics) = (tracing::Span::current(), self.config().metrics.clone());
        let wait = Wait::begin(metrics);
        let since = wait.since;
        let work = move |budget| {
            drop(wait);
            let waits = |answer: &Option<oneshot::Sender<_>>| {
                answer.as_ref().is_some_and(|answer| !answer.is_canceled())
            };
            // Nobody waits any more: the caller gave up, before the job began or during it.
            if !waits(&to.lock().unwrap_or_else(PoisonError::into_inner)) {
                return;
            }
            // What is logged meanwhile is logged within the request.
            let done = span.in_scope(|| job(budget));
            // If the job was given up meanwhile, nobody wants what came of it.
            if let Some(answer) = take(&to) {
                let _ = answer.send(Ok(done));
            }
        };
        let give_up = move |broken| {
            if let Some(answer) = take(&answer) {
                let _ = answer.send(Err(broken));
            }
        };
        let job = Job {
            deadline: budget.deadline,
            since,
            sheds: patience == Patience::Sheds,
            work: Box::new(work),
            give_up: Box::new(give_up),
        };
        self.queue.add(job);
        answered.await.unwrap_or(Err(Broken::Stopped))
    }

    /// How its threads are.
    pub(crate) fn health(&self) -> Health {
        self.crew.health()
    }

    /// How it works.
    pub(crate) fn config(&self) -> &EngineConfig {
        self.crew.config()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.queue.close();
    }
}

/// A wait for a thread, counted however it ends.
struct Wait {
    metrics: EngineMetrics,
    since: Instant,
}

impl Wait {
    fn begin(metrics: EngineMetrics) -> Self {
        metrics.waits();
        let since = Instant::now();
        Self { metrics, since }
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.metrics.waited(self.since.elapsed());
    }
}

/// Where to send what came of a job; nothing once something was sent.
type Answer<T> = Mutex<Option<oneshot::Sender<Result<T, Broken>>>>;
