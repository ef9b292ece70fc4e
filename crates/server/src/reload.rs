//! Files that are read again when they change, while the service runs.
//!
//! They are looked at once a second and on SIGHUP, rather than watched: what Kubernetes mounts changes by
//! way of a symbolic link far above the file. What cannot be read again is told in the log, and the last
//! good state of it stays in force.

use std::fmt;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use tokio::sync::watch;

use crate::running::Reloads;

/// How often files are looked at.
const EVERY: Duration = Duration::from_secs(1);

/// Something that can be read again.
pub(crate) trait Renew: Send + Sync {
    /// Reads it again, if its files changed or somebody asked.
    fn renew(&self, asked: bool);

    /// What it is, in a word.
    fn what(&self) -> &'static str;

    /// Whether its files could not be read the last time.
    fn is_stale(&self) -> bool;
}

type Read<T> = Box<dyn Fn() -> Result<T, String> + Send + Sync>;

/// What was read from files, and is read again when they change.
pub(crate) struct Reloaded<T> {
    what: &'static str,
    files: Vec<PathBuf>,
    read: Read<T>,
    now: ArcSwap<T>,
    /// What the files were like when they were last read, well or ill.
    seen: Mutex<Vec<Stamp>>,
    stale: AtomicBool,
    changed: watch::Sender<()>,
}

impl<T: Send + Sync + 'static> Reloaded<T> {
    /// Reads something for the first time.
    ///
    /// # Errors
    /// What reading gives.
    pub(crate) fn open<E: fmt::Display>(
        what: &'static str,
        files: Vec<PathBuf>,
        read: impl Fn() -> Result<T, E> + Send + Sync + 'static,
    ) -> Result<Self, E> {
        // Before they are read: what changes while they are is then read again.
        let seen = stamps(&files);
        let first = read()?;
        Ok(Self {
            what,
            files,
            now: ArcSwap::from_pointee(first),
            read: Box::new(move || read().map_err(|error| error.to_string())),
            seen: Mutex::new(seen),
            stale: AtomicBool::new(false),
            changed: watch::Sender::new(()),
        })
    }

    /// The last good state.
    pub(crate) fn now(&self) -> Arc<T> {
        self.now.load_full()
    }

    /// The same, which tells of changes where others tell of theirs.
    pub(crate) fn telling(self, changed: watch::Sender<()>) -> Self {
        Self { changed, ..self }
    }
}

impl<T: Send + Sync + 'static> Renew for Reloaded<T> {
    fn renew(&self, asked: bool) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = stamps(&self.files);
        if !asked && *seen == stamps {
            return;
        }
        *seen = stamps;
        let what = self.what;
        match (self.read)() {
            Ok(new) => {
                self.now.store(Arc::new(new));
                self.stale.store(false, Ordering::Relaxed);
                self.changed.send_replace(());
                tracing::info!(what, "read again, and in force");
            }
            Err(error) => {
                self.stale.store(true, Ordering::Relaxed);
                tracing::error!(
                    what,
                    "cannot be read again, so the last good one stays in force: {error}"
                );
            }
        }
    }

    fn what(&self) -> &'static str {
        self.what
    }

    fn is_stale(&self) -> bool {
        self.stale.load(Ordering::Relaxed)
    }
}

impl<T> fmt::Debug for Reloaded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nothing of what it holds: much of it is secret.
        let files = ("files", &self.files);
        f.debug_struct(self.what)
            .field(files.0, files.1)
            .finish_non_exhaustive()
    }
}

/// What tells one state of a file from another. A file that is not there has none.
type Stamp = Option<[i64; 7]>;

fn stamps(files: &[PathBuf]) -> Vec<Stamp> {
    let stamp = |file: &PathBuf| {
        let it = std::fs::metadata(file).ok()?;
        let inode = [
            it.dev().cast_signed(),
            it.ino().cast_signed(),
            it.len().cast_signed(),
        ];
        let [dev, ino, len] = inode;
        Some([
            dev,
            ino,
            len,
            it.mtime(),
            it.mtime_nsec(),
            it.ctime(),
            it.ctime_nsec(),
        ])
    };
    files.iter().map(stamp).collect()
}

/// Keeps things read again until their service ends.
pub(crate) async fn keep_fresh(all: Vec<Arc<dyn Renew>>, until: impl Future<Output = ()>) {
    let mut until = std::pin::pin!(until);
    loop {
        tokio::select! {
            () = until.as_mut() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
        let all = all.clone();
        let read = move || all.iter().for_each(|it| it.renew(false));
        if let Err(error) = tokio::task::spawn_blocking(read).await {
            tracing::error!("files could not be read again: {error}");
        }
    }
}

/// Has things read again when somebody asks for it.
pub(crate) fn when_asked(all: &[Arc<dyn Renew>], reloads: &Reloads) {
    for it in all {
        let it = Arc::clone(it);
        reloads.add(it.what(), move || {
            it.renew(true);
            match it.is_stale() {
                true => Err("its files cannot be read, for the reason above".into()),
                false => Ok("from its files".into()),
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_again_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("number");
        std::fs::write(&file, "1").unwrap();
        let of = file.clone();
        let read = move || {
            std::fs::read_to_string(&of)
                .unwrap_or_default()
                .parse::<u32>()
        };
        let (tell, changes) = watch::channel(());
        let number = Reloaded::open("number", vec![file.clone()], read);
        let number = number.unwrap().telling(tell);
        let after = |text: &str| {
            std::fs::write(&file, text).unwrap();
            number.renew(false);
            (*number.now(), number.is_stale())
        };
        assert_eq!(after("23"), (23, false));
        assert!(changes.has_changed().unwrap());
        assert_eq!(after("not"), (23, true));
        assert_eq!(after("1234"), (1234, false));
        std::fs::remove_file(&file).unwrap();
        number.renew(false);
        assert_eq!((*number.now(), number.is_stale()), (1234, true));
    }

    #[test]
    fn nothing_is_read_while_nothing_changes_unless_somebody_asks() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let reads = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let count = Arc::clone(&reads);
        let read = move || Ok::<_, String>(count.fetch_add(1, Ordering::Relaxed));
        let it = Reloaded::open("it", vec![file], read).unwrap();
        it.renew(false);
        it.renew(false);
        assert_eq!(reads.load(Ordering::Relaxed), 1);
        it.renew(true);
        assert_eq!(*it.now(), 1);
    }
}
