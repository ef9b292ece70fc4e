//! How an engine works, and how its threads are.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use crate::metrics::EngineMetrics;

/// How an engine works: on how many threads, and how long a plugin may keep one.
///
/// A call of a plugin cannot be ended from outside. One that lasts longer than `grace`, and that is
/// not back `grace` after the time of what was asked was up, is given up: its thread is lost, another
/// takes its place, and the plugin's instance is out of use.
#[derive(Clone)]
pub struct EngineConfig {
    /// How many threads judge. Default: as many as the machine has cores.
    pub threads: usize,
    /// How long one request may be judged, where it does not say itself or says more. Plugins that
    /// ask are told when it is over. Default 10 s.
    pub budget: Duration,
    /// How long a call may go on after that before it is given up. Default 5 s.
    pub grace: Duration,
    /// How long a request that may be turned away waits for a thread: see [`Wanted::sheds`]. While the
    /// queue does not become empty, it is a tenth of that. Default: as long as it takes.
    ///
    /// [`Wanted::sheds`]: crate::Wanted::sheds
    pub longest_wait: Option<Duration>,
    /// At how many lost threads the engine stops judging: it cannot have more of them for ever.
    /// Default: twice the threads, and at least 4.
    pub lost_threads: usize,
    /// Which calls of plugins are made twice, to find one that does not answer the same: every
    /// first, every tenth. Default 0: none.
    pub verify_every: u32,
    /// What it counts.
    pub metrics: EngineMetrics,
    /// Is told whenever a thread was lost, or came back. It must not take long.
    pub on_health: Option<OnHealth>,
}

/// What is told of the threads, on a thread of the engine's.
pub type OnHealth = Arc<dyn Fn(&Health) + Send + Sync>;

impl Default for EngineConfig {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            threads,
            budget: Duration::from_secs(10),
            grace: Duration::from_secs(5),
            longest_wait: None,
            lost_threads: (2 * threads).max(4),
            verify_every: 0,
            metrics: EngineMetrics::default(),
            on_health: None,
        }
    }
}

impl fmt::Debug for EngineConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineConfig")
            .field("threads", &self.threads)
            .field("budget", &self.budget)
            .field("grace", &self.grace)
            .field("longest_wait", &self.longest_wait)
            .field("lost_threads", &self.lost_threads)
            .field("verify_every", &self.verify_every)
            .finish_non_exhaustive()
    }
}

/// How the threads of an engine are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// How many judge, or wait for something to judge.
    pub at_work: usize,
    /// How many are lost now, by the plugin that keeps them.
    pub lost: BTreeMap<String, usize>,
    /// At how many lost ones the engine stops judging.
    pub cap: usize,
    /// How many were ever lost.
    pub lost_ever: u64,
    /// How many of these came back.
    pub came_back: u64,
}

impl Health {
    /// How many are lost now.
    #[must_use]
    pub fn lost_now(&self) -> usize {
        self.lost.values().sum()
    }

    /// Whether the engine judges: fewer are lost than may be, and there are some.
    #[must_use]
    pub fn fit(&self) -> bool {
        self.lost_now() < self.cap && self.at_work > 0
    }
}
