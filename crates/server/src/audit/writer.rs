//! Who writes the log.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::sync::mpsc::Receiver;
use tokio::sync::oneshot;

use super::Counts;

/// How many bytes of lines may wait for the disk to have room.
const MOST_BEHIND: usize = 1 << 20;

/// What the writer is to do.
#[derive(Debug)]
pub(super) enum Job {
    /// Write a line, and tell whether it is written. One that is not is forgotten.
    Asked(String, oneshot::Sender<bool>),
    /// Write a line, now or as soon as it can be.
    Line(String),
    /// Open the file anew: because somebody asks, or only if it is another one by now.
    Reopen {
        asked: bool,
        tell: std::sync::mpsc::Sender<()>,
    },
    /// Write what waits by now, and no more.
    End,
}

/// Writes lines, on a thread of its own.
pub(super) struct Writer {
    path: PathBuf,
    to: To,
    counts: Arc<Counts>,
    /// Lines that are still to be written before anything else.
    behind: Vec<u8>,
    /// How many bytes of the first of them are in the file already.
    torn: usize,
}

/// Where it writes to.
enum To {
    Output(io::Stdout),
    /// A file, with its device and number.
    File(File, [u64; 2]),
}

impl Writer {
    pub(super) fn open(path: &Path, counts: Arc<Counts>) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            to: To::open(path)?,
            counts,
            behind: Vec::new(),
            torn: 0,
        })
    }

    /// Writes until nobody has anything more to write, or it is told that it is the end.
    pub(super) fn run(mut self, mut jobs: Receiver<Job>) {
        while let Some(job) = jobs.blocking_recv() {
            match job {
                Job::Asked(text, waits) => {
                    // Whoever waited may have given up.
                    let _ = waits.send(self.write(&text));
                }
                Job::Line(text) => self.write_sometime(&text),
                Job::Reopen { asked, tell } => {
                    self.look_after(asked);
                    let _ = tell.send(());
                }
                Job::End => jobs.close(),
            }
        }
        if !self.catch_up() {
            let (path, bytes) = (self.path.display(), self.behind.len());
            tracing::error!(%path, bytes, "the end of the audit log could not be written");
        }
    }

    /// Writes a line, and says whether all of it is written. If a part is, the rest is to follow.
    fn write(&mut self, text: &str) -> bool {
        if !self.catch_up() {
            return false;
        }
        self.behind.extend_from_slice(text.as_bytes());
        let written = self.catch_up();
        if !written && self.torn == 0 {
            self.behind.clear();
        }
        written
    }

    /// Writes a line, or keeps it until it can be.
    fn write_sometime(&mut self, text: &str) {
        let well = self.catch_up();
        if self.behind.len() + text.len() > MOST_BEHIND {
            self.counts.lose("the audit log cannot be written");
            return;
        }
        self.behind.extend_from_slice(text.as_bytes());
        if well {
            self.catch_up();
        }
    }

    /// Writes what is still to be written, as much as can be. Tells in the other log when it begins to
    /// fail, and when it is over.
    fn catch_up(&mut self) -> bool {
        if self.behind.is_empty() {
            return true;
        }
        let (written, error) = self.to.write(&self.behind[self.torn..]);
        let there = self.torn + written;
        let last = self.behind[..there].iter().rposition(|byte| *byte == b'\n');
        let whole = last.map_or(0, |at| at + 1);
        self.behind.drain(..whole);
        self.torn = there - whole;
        self.tell(error);
        self.behind.is_empty()
    }

    fn tell(&self, error: Option<io::Error>) {
        let was = self.counts.failing.swap(error.is_some(), Ordering::Relaxed);
        let path = self.path.display();
        match error {
            None if was => tracing::info!(%path, "the audit log can be written again"),
            None => {}
            Some(error) if was => tracing::debug!(%path, "{error}"),
            Some(error) => tracing::error!(
                %path,
                "the audit log cannot be written, so nothing is changed any more: {error}"
            ),
        }
    }

    /// Opens the file anew if it is to be. One that is gone or is another must not go on being written
    /// where nobody looks.
    fn look_after(&mut self, asked: bool) {
        if asked || self.to.is_elsewhere(&self.path) {
            self.reopen();
        } else {
            self.counts.stale.store(false, Ordering::Relaxed);
        }
        // So that it goes on by itself once there is room.
        self.catch_up();
    }

    fn reopen(&mut self) {
        let path = self.path.display();
        let opened = To::open(&self.path);
        let was = self.counts.stale.swap(opened.is_err(), Ordering::Relaxed);
        match opened {
            Ok(to) => {
                self.to = to;
                // Whoever reads the new file finds whole lines in it.
                self.torn = 0;
                tracing::info!(%path, "the audit log was opened anew");
            }
            Err(error) if was => tracing::debug!(%path, "{error}"),
            Err(error) => tracing::error!(
                %path,
                "the audit log cannot be opened anew and goes on where it was: {error}"
            ),
        }
    }
}

impl To {
    fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Output(io::stdout()));
        }
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).mode(0o600).open(path)?;
        let known = file.metadata()?;
        Ok(Self::File(file, [known.dev(), known.ino()]))
    }

    /// How many bytes could be written, and what kept it from more.
    fn write(&mut self, bytes: &[u8]) -> (usize, Option<io::Error>) {
        let mut written = 0;
        while written < bytes.len() {
            let once = match self {
                Self::Output(output) => whole(output, &bytes[written..]),
                Self::File(file, _) => file.write(&bytes[written..]),
            };
            match once {
                Ok(0) => return (written, Some(io::ErrorKind::WriteZero.into())),
                Ok(more) => written += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return (written, Some(error)),
            }
        }
        (written, None)
    }

    /// Whether the path leads to something else by now, or to nothing.
    fn is_elsewhere(&self, path: &Path) -> bool {
        let Self::File(_, [dev, ino]) = self else {
            return false;
        };
        let there = std::fs::metadata(path);
        there.map_or(true, |it| [it.dev(), it.ino()] != [*dev, *ino])
    }
}

/// Standard output has a buffer, which is to hold nothing back.
fn whole(output: &mut io::Stdout, bytes: &[u8]) -> io::Result<usize> {
    output.write_all(bytes)?;
    output.flush()?;
    Ok(bytes.len())
}
