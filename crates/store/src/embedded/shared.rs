//! The file as all threads see it, and how it comes back when a disk has refused something.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use redb::{Database, ReadableDatabase as _};
use tokio::sync::broadcast;

use super::failed::Failed;
use super::folder::{Folder, Opened};
use super::tables::{Reading, Tables};
use crate::error::StoreError;
use crate::refs::RefName;
use crate::tenant::Tenant;

/// How many moves may be told before a receiver lags.
const MOVES: usize = 1024;
/// How long after a failure to write nothing is tried again.
const REST: Duration = Duration::from_secs(1);
/// How much room there must be beside that for what is written.
const SPARE: usize = 1 << 20;

/// The file as all threads see it.
#[derive(Debug)]
pub(super) struct Shared {
    folder: Folder,
    state: RwLock<State>,
    pub(super) moves: broadcast::Sender<(Tenant, RefName)>,
}

#[derive(Debug)]
struct State {
    /// How often the file has been opened.
    generation: u64,
    file: File,
}

#[derive(Debug)]
enum File {
    /// It is read and written.
    Open(Opened),
    /// It is read alone.
    ReadOnly(Opened, Why),
    /// Nothing can be done with it.
    Closed(StoreError),
}

/// Why nothing is written.
#[derive(Debug)]
struct Why {
    error: StoreError,
    /// When writing is tried again; never, if it is none.
    again: Option<Instant>,
}

impl Shared {
    pub(super) fn open(folder: Folder) -> Result<Self, StoreError> {
        let at = folder.file().display().to_string();
        let file = contained(|| folder.open());
        let file = match file.map_err(|failed| failed.told(&at)) {
            Ok(opened) => File::Open(opened),
            Err(error @ StoreError::CannotWrite { .. }) => to_read(&folder, error, false)?,
            Err(error) => return Err(error),
        };
        if let File::ReadOnly(_, why) = &file {
            tracing::warn!(
                "what is kept is read and nothing new is kept: {}",
                why.error
            );
        }
        let generation = 0;
        Ok(Self {
            folder,
            state: RwLock::new(State { generation, file }),
            moves: broadcast::Sender::new(MOVES),
        })
    }

    /// Where the file is.
    fn at(&self) -> String {
        self.folder.file().display().to_string()
    }

    fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads. What fails since something else had failed before is read again.
    pub(super) fn read<T>(
        &self,
        read: impl Fn(&Reading<'_>) -> Result<T, Failed>,
    ) -> Result<T, StoreError> {
        let once = |database: &Database| read(&Reading(&database.begin_read()?));
        let (generation, outcome) = self.with(&once)?;
        let failed = match outcome {
            Ok(read) => return Ok(read),
            Err(failed) => failed,
        };
        if !failed.is_over() {
            return Err(failed.told(&self.at()));
        }
        self.reopen(generation);
        if !failed.is_stale() {
            return Err(failed.told(&self.at()));
        }
        let (_, outcome) = self.with(&once)?;
        outcome.map_err(|failed| failed.told(&self.at()))
    }

    fn with<T>(
        &self,
        read: &impl Fn(&Database) -> Result<T, Failed>,
    ) -> Result<(u64, Result<T, Failed>), StoreError> {
        let state = self.state();
        match &state.file {
            File::Open(opened) | File::ReadOnly(opened, _) => {
                let read = contained(|| read(&opened.database));
                Ok((state.generation, read))
            }
            File::Closed(error) => Err(error.clone()),
        }
    }

    /// Sees to it that something can be written, of about so many bytes.
    pub(super) fn make_ready(&self, bytes: usize) -> Result<(), StoreError> {
        let state = self.state();
        let why = match &state.file {
            File::Open(_) => return Ok(()),
            File::Closed(error) => return Err(error.clone()),
            File::ReadOnly(_, why) => why,
        };
        if why.again.is_none_or(|again| again > Instant::now()) {
            return Err(why.error.clone());
        }
        let (generation, error) = (state.generation, why.error.clone());
        drop(state);
        if self
            .folder
            .has_room(bytes.saturating_mul(2) + SPARE)
            .is_err()
        {
            self.rest(generation);
            return Err(error);
        }
        self.reopen(generation);
        match &self.state().file {
            File::Open(_) => Ok(()),
            File::ReadOnly(_, why) => Err(why.error.clone()),
            File::Closed(error) => Err(error.clone()),
        }
    }

    fn rest(&self, generation: u64) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if state.generation == generation
            && let File::ReadOnly(_, why) = &mut state.file
        {
            why.again = why.again.map(|_| Instant::now() + REST);
        }
    }

    /// Writes in one transaction. What was written is on the disk, or nothing is.
    pub(super) fn write(
        &self,
        work: &mut dyn FnMut(&mut Tables<'_>) -> Result<(), Failed>,
    ) -> Result<(), StoreError> {
        let (generation, outcome) = self.write_once(work)?;
        let failed = match outcome {
            Ok(()) => return Ok(()),
            Err(failed) => failed,
        };
        if failed.is_over() {
            self.reopen(generation);
        }
        if failed.is_stale() {
            let (_, outcome) = self.write_once(work)?;
            return outcome.map_err(|failed| failed.told(&self.at()));
        }
        Err(failed.told(&self.at()))
    }

    fn write_once(
        &self,
        work: &mut dyn FnMut(&mut Tables<'_>) -> Result<(), Failed>,
    ) -> Result<(u64, Result<(), Failed>), StoreError> {
        let state = self.state();
        let database = match &state.file {
            File::Open(opened) => &opened.database,
            File::ReadOnly(_, why) => return Err(why.error.clone()),
            File::Closed(error) => return Err(error.clone()),
        };
        let outcome = contained(|| commit(database, work));
        let outcome = outcome.map(|moved| {
            for it in moved {
                // That nobody listens is fine.
                let _ = self.moves.send(it);
            }
        });
        Ok((state.generation, outcome))
    }

    /// Closes the file.
    pub(super) fn close(&self) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.generation += 1;
        let closed = File::Closed(StoreError::Unavailable {
            what: "it is closed".into(),
            retry_after: REST,
        });
        let before = std::mem::replace(&mut state.file, closed);
        let _ = contained(|| {
            drop(before);
            Ok(())
        });
    }

    /// Opens the file anew, unless somebody has done so since.
    fn reopen(&self, generation: u64) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if state.generation != generation {
            return;
        }
        state.generation += 1;
        let closed = File::Closed(StoreError::Unavailable {
            what: "it is being opened again".into(),
            retry_after: REST,
        });
        let before = std::mem::replace(&mut state.file, closed);
        let refused = match &before {
            File::Open(opened) => opened.trouble.first(),
            File::ReadOnly(..) | File::Closed(_) => None,
        };
        // It must be let go before it can be had again.
        let _ = contained(|| {
            drop(before);
            Ok(())
        });
        state.file = self.open_again(refused.map(|it| (it.what, it.sync)));
    }

    fn open_again(&self, refused: Option<(String, bool)>) -> File {
        let at = self.at();
        if let Some((what, true)) = refused {
            let what = format!(
                "{at}: the disk did not confirm what was written: {what}; look after the disk, then start the \
                 service again"
            );
            let error = StoreError::CannotWrite { what };
            tracing::error!("{error}");
            return to_read(&self.folder, error, true).unwrap_or_else(File::Closed);
        }
        let opened = contained(|| self.folder.open()).map_err(|failed| failed.told(&at));
        match opened {
            Ok(opened) => {
                tracing::info!("{at} is open again");
                File::Open(opened)
            }
            Err(error @ StoreError::CannotWrite { .. }) => {
                tracing::error!("{error}");
                to_read(&self.folder, error, false).unwrap_or_else(File::Closed)
            }
            Err(error) => {
                tracing::error!("{error}");
                File::Closed(error)
            }
        }
    }
}

/// The file, to be read alone for this reason; for good, or until it can be written again.
fn to_read(folder: &Folder, error: StoreError, for_good: bool) -> Result<File, StoreError> {
    match contained(|| folder.open_to_read()) {
        Ok(opened) => {
            let again = (!for_good).then(|| Instant::now() + REST);
            Ok(File::ReadOnly(opened, Why { error, again }))
        }
        // What cannot be read either is told as what went wrong first.
        Err(_) => Err(error),
    }
}

fn commit(
    database: &Database,
    work: &mut dyn FnMut(&mut Tables<'_>) -> Result<(), Failed>,
) -> Result<Vec<(Tenant, RefName)>, Failed> {
    let begin = database.begin_write()?;
    let mut tables = Tables::open(&begin)?;
    work(&mut tables)?;
    let (written, moved) = (tables.written, std::mem::take(&mut tables.moved));
    drop(tables);
    if written {
        begin.commit()?;
    } else {
        begin.abort()?;
    }
    Ok(moved)
}

/// Does something with redb. A damaged file may make it panic, and that ends nothing else.
fn contained<T>(work: impl FnOnce() -> Result<T, Failed>) -> Result<T, Failed> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Failed::Panicked(
            text.unwrap_or_else(|| "it cannot be read".into()),
        ))
    })
}
