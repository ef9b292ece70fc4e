//! Threads that adjudicate. They are not tokio's: a plugin's code is synchronous and may be slow,
//! and a request makes one hop to them and one back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crossbeam_channel::{Sender, unbounded};
use futures::channel::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// A fixed number of threads that take jobs in order. They end when the pool is dropped.
#[derive(Debug)]
pub(crate) struct Pool {
    jobs: Sender<Job>,
}

impl Pool {
    pub(crate) fn new(threads: usize) -> std::io::Result<Self> {
        let (jobs, queue) = unbounded::<Job>();
        for number in 0..threads.max(1) {
            let queue = queue.clone();
            thread::Builder::new()
                .name(format!("adjudicate-{number}"))
                .spawn(move || {
                    for job in queue {
                        // A job that panics answers by dropping its sender; the thread goes on.
                        let _ = catch_unwind(AssertUnwindSafe(job));
                    }
                })?;
        }
        Ok(Self { jobs })
    }

    /// Runs a job on one of the threads; `None` if it panicked or the pool is gone.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        let job = Box::new(move || {
            // Nobody waits any more: the caller gave up, before the job began or during it.
            if !answer.is_canceled() {
                let _ = answer.send(job());
            }
        });
        self.jobs.send(job).ok()?;
        answered.await.ok()
    }
}
