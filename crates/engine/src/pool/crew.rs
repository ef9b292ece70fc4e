//! The threads of a pool, and the watch over them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use alamein_plugin_host::{Stay, Whereabouts};
use alamein_terrain::Budget;

use super::queue::Queue;
use super::{Broken, GiveUp};
use crate::config::{EngineConfig, Health};

/// The threads of a pool.
#[derive(Debug)]
pub(super) struct Crew {
    config: EngineConfig,
    queue: Arc<Queue>,
    roll: Mutex<Roll>,
    /// Whether jobs are taken: what [`Health::fit`] says, without a lock.
    fit: AtomicBool,
}

/// Who is there.
#[derive(Debug, Default)]
struct Roll {
    at_work: Vec<Arc<Worker>>,
    health: Health,
    /// How many threads were ever started.
    started: usize,
}

/// A thread, as the watch sees it.
#[derive(Debug, Default)]
struct Worker {
    whereabouts: Whereabouts,
    hand: Mutex<Hand>,
}

/// What a thread does.
#[derive(Debug, Default)]
enum Hand {
    /// It waits.
    #[default]
    Free,
    /// It does a job.
    Busy(InHand),
    /// It is lost in a call of this plugin.
    Lost(String),
}

/// A job that is being done.
struct InHand {
    deadline: Instant,
    give_up: GiveUp,
    /// The call in which the watch saw it last, and when it first saw it there.
    seen: Option<(Stay, Instant)>,
}

impl std::fmt::Debug for InHand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InHand")
            .field("deadline", &self.deadline)
            .field("seen", &self.seen)
            .finish_non_exhaustive()
    }
}

impl Worker {
    fn hand(&self) -> MutexGuard<'_, Hand> {
        self.hand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The call that it is in, if that has lasted too long.
    fn overdue(&self, now: Instant, grace: Duration) -> Option<Stay> {
        let mut hand = self.hand();
        let Hand::Busy(job) = &mut *hand else {
            return None;
        };
        let stay = self.whereabouts.now();
        match (job.seen, stay) {
            (Some((before, since)), Some(stay)) if before == stay => {
                let late = now.saturating_duration_since(job.deadline);
                let lasts = now.saturating_duration_since(since);
                (late >= grace && lasts >= grace).then_some(stay)
            }
            _ => {
                job.seen = stay.map(|stay| (stay, now));
                None
            }
        }
    }
}

impl Crew {
    /// Starts the threads and the watch.
    pub(super) fn start(config: EngineConfig, queue: Arc<Queue>) -> std::io::Result<Arc<Self>> {
        let health = Health {
            cap: config.lost_threads.max(1),
            ..Health::default()
        };
        let roll = Roll {
            health,
            ..Roll::default()
        };
        let crew = Arc::new(Self {
            config,
            queue,
            roll: Mutex::new(roll),
            fit: AtomicBool::new(true),
        });
        let mut roll = crew.roll();
        while roll.at_work.len() < crew.wanted() {
            crew.add(&mut roll)?;
        }
        drop(roll);
        let (tick, watched) = (crew.tick(), Arc::downgrade(&crew));
        thread::Builder::new()
            .name("adjudicate-watch".to_owned())
            .spawn(move || {
                while let Some(crew) = watched.upgrade() {
                    crew.look(Instant::now());
                    drop(crew);
                    thread::sleep(tick);
                }
            })?;
        Ok(crew)
    }

    pub(super) fn config(&self) -> &EngineConfig {
        &self.config
    }

    pub(super) fn health(&self) -> Health {
        self.roll().count()
    }

    /// How the threads are, if they are too few to take jobs.
    pub(super) fn unfit(&self) -> Option<Health> {
        (!self.fit.load(Ordering::Acquire)).then(|| self.health())
    }

    fn roll(&self) -> MutexGuard<'_, Roll> {
        self.roll.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wanted(&self) -> usize {
        self.config.threads.max(1)
    }

    /// How often to look: often enough that `grace` is kept to about a tenth.
    fn tick(&self) -> Duration {
        let tick = self.config.grace / 10;
        tick.clamp(Duration::from_millis(5), Duration::from_millis(250))
    }

    /// Starts a thread.
    fn add(self: &Arc<Self>, roll: &mut Roll) -> std::io::Result<()> {
        let worker = Arc::new(Worker::default());
        let (crew, queue) = (Arc::downgrade(self), Arc::clone(&self.queue));
        let (budget, same) = (self.config.budget, Arc::clone(&worker));
        thread::Builder::new()
            .name(format!("adjudicate-{}", roll.started))
            .spawn(move || work(&crew, &queue, &same, budget))?;
        roll.started += 1;
        roll.at_work.push(worker);
        Ok(())
    }

    /// Gives up what has lasted too long, and sees that there are threads.
    fn look(self: &Arc<Self>, now: Instant) {
        let mut roll = self.roll();
        let overdue: Vec<(Arc<Worker>, Stay)> = roll
            .at_work
            .iter()
            .filter_map(|worker| {
                let stay = worker.overdue(now, self.config.grace)?;
                Some((Arc::clone(worker), stay))
            })
            .collect();
        let changed = !overdue.is_empty();
        for (worker, stay) in overdue {
            give_up(&mut roll, &worker, stay);
        }
        while roll.at_work.len() < self.wanted() && roll.health.lost_now() < roll.health.cap {
            if let Err(error) = self.add(&mut roll) {
                tracing::error!("no thread to take a lost one's place: {error}");
                break;
            }
        }
        let threads = self.take_stock(roll, changed);
        self.queue.sweep(now);
        if !threads.fit() {
            // They would wait for threads that do not come.
            for job in self.queue.clear() {
                (job.give_up)(Broken::NoThreads(threads.clone()));
            }
        }
    }

    /// Notes whether jobs can be taken, and tells whoever wants to know.
    fn take_stock(&self, roll: MutexGuard<'_, Roll>, changed: bool) -> Health {
        let threads = roll.count();
        let was_fit = self.fit.swap(threads.fit(), Ordering::AcqRel);
        drop(roll);
        if was_fit && !threads.fit() {
            let (lost, plugins) = (threads.lost_now(), &threads.lost);
            tracing::error!(
                lost,
                ?plugins,
                "too many threads are lost: nothing is judged"
            );
        }
        if let Some(tell) = self.config.on_health.as_ref().filter(|_| changed) {
            tell(&threads);
        }
        threads
    }

    /// A thread that was lost has come back. Whether there is work for it.
    fn came_back(&self, worker: &Arc<Worker>, plugin: &str) -> bool {
        let mut roll = self.roll();
        if let Some(lost) = roll.health.lost.get_mut(plugin) {
            *lost = lost.saturating_sub(1);
        }
        roll.health.lost.retain(|_, lost| *lost > 0);
        roll.health.came_back += 1;
        let stays = roll.at_work.len() < self.wanted();
        if stays {
            roll.at_work.push(Arc::clone(worker));
        }
        tracing::warn!(plugin, "a thread that was lost has come back");
        self.take_stock(roll, true);
        stays
    }
}

impl Roll {
    fn count(&self) -> Health {
        Health {
            at_work: self.at_work.len(),
            ..self.health.clone()
        }
    }
}

/// Gives up a call, its thread and its instance, unless it came back this moment.
fn give_up(roll: &mut Roll, worker: &Arc<Worker>, stay: Stay) {
    let mut hand = worker.hand();
    if worker.whereabouts.now() != Some(stay) {
        return;
    }
    let error = stay.give_up();
    let plugin = error.as_ref().map_or("", |error| error.plugin()).to_owned();
    let Hand::Busy(job) = std::mem::replace(&mut *hand, Hand::Lost(plugin.clone())) else {
        return;
    };
    drop(hand);
    if let Some(error) = &error {
        tracing::error!(plugin, "{error}; its thread is lost");
    }
    roll.at_work.retain(|at_work| !Arc::ptr_eq(at_work, worker));
    *roll.health.lost.entry(plugin).or_default() += 1;
    roll.health.lost_ever += 1;
    (job.give_up)(error.map_or(Broken::Stopped, Broken::Lost));
}

/// What a thread does, until the pool is gone or another has taken its place.
fn work(crew: &Weak<Crew>, queue: &Queue, worker: &Arc<Worker>, budget: Duration) {
    while let Some(job) = queue.take() {
        let longest = Instant::now() + budget;
        let deadline = job
            .deadline
            .map_or(longest, |deadline| deadline.min(longest));
        *worker.hand() = Hand::Busy(InHand {
            deadline,
            give_up: job.give_up,
            seen: None,
        });
        let budget = Budget {
            deadline: Some(deadline),
        };
        let work = job.work;
        // A job that panics answers by dropping its sender; the thread goes on.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            worker.whereabouts.watch(|| work(budget));
        }));
        let hand = std::mem::take(&mut *worker.hand());
        if let Hand::Lost(plugin) = hand {
            let crew = crew.upgrade();
            if !crew.is_some_and(|crew| crew.came_back(worker, &plugin)) {
                return;
            }
        }
    }
}
