//! A record of every question that was judged, for `compare` to read.
//!
//! Each question is a line, and each line a case file: the position, the question, the answer, the
//! fingerprint of the rules. Lines are written on a thread of their own. Where that does not keep up,
//! or the disk is full, lines are dropped and counted; no request waits for it.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use alamein_cases::{Export, Exported};
use alamein_terrain::{Adjudicated, Position, Question};

use crate::rules::Ready;

/// How many requests may wait to be written.
const MOST_WAITING: usize = 1024;
/// How many bytes they may take, about.
const MOST_BYTES: usize = 64 << 20;
/// How often what was dropped is told.
const TELL: Duration = Duration::from_secs(10);

/// A record that is being written. Clones write the same. It is whole once all are dropped, and the
/// [`Ending`] was waited for.
#[derive(Clone, Debug)]
pub struct Record(Arc<Queue>);

#[derive(Debug)]
struct Queue {
    waiting: SyncSender<Judged>,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    /// About how many bytes wait.
    bytes: AtomicUsize,
    dropped: AtomicU64,
}

/// What a request asked and was answered.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) ready: Arc<Ready>,
    pub(crate) position: Arc<Position>,
    pub(crate) answers: Vec<(Question, Adjudicated)>,
}

/// The end of a record.
pub struct Ending {
    writer: Mutex<Option<JoinHandle<()>>>,
    /// Tells the writer that it is the end, where it does not see that by itself.
    tell: Box<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ending").finish_non_exhaustive()
    }
}

impl Ending {
    /// That of what a thread writes until nobody has anything for it any more.
    pub(crate) fn of(thread: JoinHandle<()>) -> Self {
        Self::told(thread, || {})
    }

    /// That of what a thread writes until it is told that it is the end.
    pub(crate) fn told(thread: JoinHandle<()>, tell: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            writer: Mutex::new(Some(thread)),
            tell: Box::new(tell),
        }
    }

    /// Waits until everything is written, after all clones of the record are gone. An audit log, which
    /// others look after as long as the process lives, writes what there is by now.
    pub fn wait(&self) {
        (self.tell)();
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(writer) = writer.take() {
            // A writer that panicked has said so.
            let _ = writer.join();
        }
    }
}

impl Record {
    /// Begins a record, or goes on with one that is there. Only its owner may read it: positions may
    /// hold what is hidden from players.
    ///
    /// # Errors
    /// A file that cannot be written to.
    pub fn to(path: &Path) -> std::io::Result<(Self, Ending)> {
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).mode(0o600).open(path)?;
        let (waiting, queue) = sync_channel(MOST_WAITING);
        let counts = Arc::new(Counts::default());
        let scribe = Scribe {
            path: path.to_owned(),
            file: BufWriter::new(file),
            counts: Arc::clone(&counts),
            lines: 0,
            failed: 0,
            told: (Instant::now(), 0),
        };
        let writer = std::thread::Builder::new()
            .name("record".into())
            .spawn(move || scribe.run(&queue))?;
        let queue = Queue { waiting, counts };
        Ok((Self(Arc::new(queue)), Ending::of(writer)))
    }

    /// Writes down what was judged, soon; or drops and counts it, if there is no room.
    pub(crate) fn note(&self, judged: Judged) {
        let Queue { waiting, counts } = &*self.0;
        let (lines, bytes) = (judged.answers.len() as u64, judged.bytes());
        if lines == 0 {
            return;
        }
        let before = counts.bytes.fetch_add(bytes, Ordering::Relaxed);
        // What is alone too large for the room may come in when there is nothing else.
        let room = before == 0 || before + bytes <= MOST_BYTES;
        if !room || waiting.try_send(judged).is_err() {
            counts.bytes.fetch_sub(bytes, Ordering::Relaxed);
            counts.dropped.fetch_add(lines, Ordering::Relaxed);
        }
    }
}

impl Judged {
    /// About how much memory it holds.
    fn bytes(&self) -> usize {
        let map = self.position.map();
        let hexes = usize::from(map.grid.columns()) * usize::from(map.grid.rows());
        hexes * 8 + self.position.counters().len() * 256 + self.answers.len() * 2048
    }
}

/// Who writes.
struct Scribe {
    path: PathBuf,
    file: BufWriter<File>,
    counts: Arc<Counts>,
    lines: u64,
    failed: u64,
    /// When it was last told how many were dropped, and how many these were.
    told: (Instant, u64),
}

impl Scribe {
    fn run(mut self, queue: &Receiver<Judged>) {
        loop {
            match queue.recv_timeout(Duration::from_millis(200)) {
                Ok(judged) => {
                    let bytes = judged.bytes();
                    self.write(&judged);
                    self.counts.bytes.fetch_sub(bytes, Ordering::Relaxed);
                }
                // Nothing comes just now: what is there can be read.
                Err(RecvTimeoutError::Timeout) => self.flush(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.told.0.elapsed() >= TELL {
                self.tell();
            }
        }
        self.flush();
        self.tell();
        let (path, lines, dropped) = (self.path.display(), self.lines, self.lost());
        tracing::info!(%path, lines, dropped, "the record is closed");
    }

    fn write(&mut self, judged: &Judged) {
        let Judged {
            ready,
            position,
            answers,
        } = judged;
        for (question, ruled) in answers {
            let id = ruled.ruling.id.to_string();
            let exported = Exported {
                id: &id,
                question,
                ruled,
            };
            let export = Export {
                id: &id,
                position,
                rulings: &[exported],
                settings: &ready.settings,
                fingerprint: ruled.ruling.rules,
            };
            let line = alamein_cases::write_line(&export, &ready.known);
            match self.file.write_all(line.as_bytes()) {
                Ok(()) => self.lines += 1,
                Err(error) => self.fail(&error),
            }
        }
    }

    fn flush(&mut self) {
        if let Err(error) = self.file.flush() {
            self.fail(&error);
        }
    }

    fn fail(&mut self, error: &std::io::Error) {
        if self.failed == 0 {
            tracing::error!(path = %self.path.display(), "the record cannot be written: {error}");
        }
        self.failed += 1;
    }

    fn lost(&self) -> u64 {
        self.counts.dropped.load(Ordering::Relaxed) + self.failed
    }

    /// Says how many were dropped, if more were since it was last said.
    fn tell(&mut self) {
        let lost = self.lost();
        let new = lost - self.told.1;
        if new > 0 {
            let path = self.path.display();
            tracing::warn!(%path, dropped = lost, new, "the record does not keep up");
        }
        self.told = (Instant::now(), lost);
    }
}
