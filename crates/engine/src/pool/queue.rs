//! The queue before the threads of a pool: in order, but what waited in vain is not done.
//!
//! A queue takes up bursts. One that is never empty takes up nothing: it only makes everybody wait. So
//! as long as it was empty not long ago, a job may wait for long; and else for a tenth of that, and
//! who comes too late is told at once to come back. (Facebook's "Fail at Scale" calls it controlled
//! delay.)

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Broken, Job};

/// By how much shorter jobs may wait in a queue that does not become empty.
const STANDING: u32 = 10;

/// Jobs that wait.
#[derive(Debug)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    come: Condvar,
    longest: Option<Duration>,
}

#[derive(Debug)]
struct Waiting {
    jobs: VecDeque<Job>,
    /// When there was last nothing in it.
    empty: Instant,
    /// How many threads wait for a job: where none does, none need be woken.
    idle: usize,
    closed: bool,
}

impl Queue {
    /// A queue in which what may be turned away waits for `longest` at most.
    pub(super) fn new(longest: Option<Duration>) -> Self {
        Self {
            waiting: Mutex::new(Waiting {
                jobs: VecDeque::new(),
                empty: Instant::now(),
                idle: 0,
                closed: false,
            }),
            come: Condvar::new(),
            longest,
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job. One that comes when the queue is closed is dropped.
    pub(super) fn add(&self, job: Job) {
        let mut waiting = self.waiting();
        if waiting.closed {
            drop(waiting);
            return;
        }
        if waiting.jobs.is_empty() {
            waiting.empty = Instant::now();
        }
        waiting.jobs.push_back(job);
        let idle = waiting.idle > 0;
        drop(waiting);
        if idle {
            self.come.notify_one();
        }
    }

    /// Takes the next job that is still of use, and waits for one; nothing once the queue is closed and
    /// empty. Those that are of none are told so.
    pub(super) fn take(&self) -> Option<Job> {
        let mut waiting = self.waiting();
        loop {
            let Some(job) = waiting.jobs.pop_front() else {
                if waiting.closed {
                    return None;
                }
                waiting.idle += 1;
                let come = self.come.wait(waiting);
                waiting = come.unwrap_or_else(PoisonError::into_inner);
                waiting.idle -= 1;
                continue;
            };
            let now = Instant::now();
            let vain = job.in_vain(now, self.may_wait(now, waiting.empty));
            if waiting.jobs.is_empty() {
                waiting.empty = now;
            }
            match vain {
                None => return Some(job),
                Some(why) => {
                    drop(waiting);
                    (job.give_up)(why);
                    waiting = self.waiting();
                }
            }
        }
    }

    /// How long a job may wait now.
    fn may_wait(&self, now: Instant, empty: Instant) -> Option<Duration> {
        let longest = self.longest?;
        let standing = now.saturating_duration_since(empty) > longest;
        Some(if standing {
            longest / STANDING
        } else {
            longest
        })
    }

    /// Takes out all that is of no use any more, wherever it stands: the threads may all be busy.
    pub(super) fn sweep(&self, now: Instant) {
        let mut waiting = self.waiting();
        let may_wait = self.may_wait(now, waiting.empty);
        let jobs = std::mem::take(&mut waiting.jobs);
        let mut vain = Vec::new();
        for job in jobs {
            match job.in_vain(now, may_wait) {
                None => waiting.jobs.push_back(job),
                Some(why) => vain.push((job, why)),
            }
        }
        drop(waiting);
        for (job, why) in vain {
            (job.give_up)(why);
        }
    }

    /// Takes out everything.
    pub(super) fn clear(&self) -> VecDeque<Job> {
        std::mem::take(&mut self.waiting().jobs)
    }

    /// Takes no more jobs.
    pub(super) fn close(&self) {
        self.waiting().closed = true;
        self.come.notify_all();
    }
}

impl Job {
    /// Why it is of no use to begin with this job, if it is not.
    fn in_vain(&self, now: Instant, may_wait: Option<Duration>) -> Option<Broken> {
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(Broken::Late);
        }
        let longest = may_wait.filter(|_| self.sheds)?;
        let waited = now.saturating_duration_since(self.since);
        (waited > longest).then_some(Broken::Waited { waited, longest })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const LONGEST: Duration = Duration::from_millis(400);

    type Told = Arc<Mutex<Vec<String>>>;

    fn job(told: &Told, since: Instant, deadline: Option<Instant>, sheds: bool) -> Job {
        let told = Arc::clone(told);
        Job {
            deadline,
            since,
            sheds,
            work: Box::new(|_| {}),
            give_up: Box::new(move |why| {
                let why = format!("{why:?}");
                let word = why.split([' ', '{']).next().unwrap_or_default();
                told.lock().unwrap().push(word.to_owned());
            }),
        }
    }

    fn ago(millis: u64) -> Instant {
        Instant::now() - Duration::from_millis(millis)
    }

    #[test]
    fn a_burst_waits_and_a_standing_queue_does_not() {
        let told = Told::default();
        let queue = Queue::new(Some(LONGEST));
        for _ in 0..2 {
            queue.add(job(&told, ago(200), None, true));
        }
        assert!(queue.take().is_some(), "it was empty not long ago");
        queue.waiting().empty = ago(1000);
        queue.add(job(&told, ago(10), None, true));
        assert!(
            queue.take().is_some_and(|job| job.since > ago(100)),
            "the fresh one"
        );
        assert_eq!(*told.lock().unwrap(), ["Waited"]);
        // It was empty just now, so that others may wait again.
        queue.add(job(&told, ago(200), None, true));
        assert!(queue.take().is_some());
    }

    #[test]
    fn what_has_begun_and_what_has_patience_is_not_turned_away() {
        let told = Told::default();
        let queue = Queue::new(Some(LONGEST));
        queue.add(job(&told, ago(10_000), None, false));
        queue.sweep(Instant::now());
        assert!(queue.take().is_some());
        let queue = Queue::new(None);
        queue.add(job(&told, ago(10_000), None, true));
        assert!(queue.take().is_some());
        assert!(told.lock().unwrap().is_empty());
    }

    #[test]
    fn what_is_too_late_is_not_begun() {
        let told = Told::default();
        let queue = Queue::new(None);
        queue.add(job(&told, ago(0), Some(ago(1)), false));
        queue.add(job(&told, ago(0), None, false));
        assert!(queue.take().is_some_and(|job| job.deadline.is_none()));
        queue.add(job(&told, ago(0), Some(ago(1)), false));
        queue.sweep(Instant::now());
        assert_eq!(*told.lock().unwrap(), ["Late", "Late"]);
        queue.close();
        assert!(queue.take().is_none());
    }
}
