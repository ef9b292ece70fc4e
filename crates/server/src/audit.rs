//! A log of who changed what, and of who was turned away.
//!
//! Each line is a JSON object. A request that would change something has two: `asked` before it is done,
//! and `done` with what came of it. The first is written before anything else happens: where it cannot be,
//! nothing is done, and the caller is told so. Whoever is turned away at the door has one line, `refused`.
//! Of these only so many are written in a second, for nobody may fill the disk by knocking; how many were
//! left out, the next one tells.

mod counts;
mod deed;
mod line;
mod refusals;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use alamein_proto::v1::ErrorReason;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Sender, channel};
use tokio::sync::oneshot;

pub(crate) use counts::Counts;
pub use deed::Deed;
pub(crate) use line::Line;

use crate::fault::Fault;
use crate::record::Ending;
use crate::reload::Renew;
use refusals::Refusals;
use writer::{Job, Writer};

/// How many lines may wait to be written.
const MOST_WAITING: usize = 4096;
/// How long a request waits for its line.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long it may take to look after the file.
const LOOKING: Duration = Duration::from_secs(2);

/// A log that is being written. Clones write the same.
#[derive(Clone, Debug)]
pub(crate) struct Audit(Arc<Queue>);

#[derive(Debug)]
struct Queue {
    waiting: Sender<Job>,
    counts: Arc<Counts>,
    /// Of callers that are known, whose refusals nobody else's may crowd out.
    known: Refusals,
    unknown: Refusals,
}

impl Audit {
    /// Begins a log, or goes on with one that is there; `-` is standard output. Only its owner may read it.
    ///
    /// # Errors
    /// A file that cannot be written to.
    pub(crate) fn to(path: &Path) -> std::io::Result<(Self, Ending)> {
        let counts = Arc::new(Counts::default());
        let writer = Writer::open(path, Arc::clone(&counts))?;
        let (waiting, jobs) = channel(MOST_WAITING);
        let thread = std::thread::Builder::new().name("audit".into());
        let thread = thread.spawn(move || writer.run(jobs))?;
        let end = waiting.clone();
        let ending = Ending::told(thread, move || {
            // A writer that is gone has come to its end.
            while let Err(TrySendError::Full(_)) = end.try_send(Job::End) {
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        let queue = Queue {
            waiting,
            counts,
            known: Refusals::of_known(),
            unknown: Refusals::of_unknown(),
        };
        Ok((Self(Arc::new(queue)), ending))
    }

    /// Writes down that something is asked that changes something, and waits until it is written.
    ///
    /// # Errors
    /// Where it cannot be written: what was asked must not be done.
    pub(crate) async fn asked(&self, line: Line) -> Result<(), Fault> {
        let (tell, told) = oneshot::channel();
        let job = Job::Asked(line.text("asked"), tell);
        let written = async {
            self.0.waiting.send(job).await.ok()?;
            told.await.ok()
        };
        match tokio::time::timeout(PATIENCE, written).await {
            Ok(Some(true)) => Ok(()),
            _ => Err(failed()),
        }
    }

    /// Writes down what came of it, soon.
    pub(crate) fn done(&self, line: Line) {
        self.soon(line.text("done"));
    }

    /// Writes down that somebody was turned away, soon, unless too many are.
    pub(crate) fn refused(&self, line: Line, known: bool) {
        let refusals = match known {
            true => &self.0.known,
            false => &self.0.unknown,
        };
        match refusals.next() {
            Some(before) => self.soon(line.with("left_out_before", before).text("refused")),
            None => self.0.counts.leave_out(),
        }
    }

    fn soon(&self, text: String) {
        if self.0.waiting.try_send(Job::Line(text)).is_err() {
            self.0.counts.lose("the audit log does not keep up");
        }
    }

    /// How it goes.
    pub(crate) fn counts(&self) -> &Counts {
        &self.0.counts
    }
}

/// The file is opened anew when somebody asks, or when there is no such file any more: it was moved away.
impl Renew for Audit {
    fn renew(&self, asked: bool) {
        let (tell, told) = std::sync::mpsc::channel();
        let sent = self.0.waiting.try_send(Job::Reopen { asked, tell });
        if sent.is_ok() && told.recv_timeout(LOOKING).is_ok() {
            return;
        }
        if !self.0.counts.stale.swap(true, Ordering::Relaxed) {
            tracing::error!("the audit log does not keep up, so nobody looked after its file");
        }
    }

    fn what(&self) -> &'static str {
        "audit"
    }

    fn is_stale(&self) -> bool {
        let Counts { failing, stale, .. } = &*self.0.counts;
        failing.load(Ordering::Relaxed) || stale.load(Ordering::Relaxed)
    }
}

fn failed() -> Fault {
    let text = "this server cannot write down that this was asked, so it was not done";
    Fault::new(ErrorReason::AuditFailed, text).retry_after(PATIENCE)
}

#[cfg(test)]
mod tests;
