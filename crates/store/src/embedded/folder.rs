//! The folder of a store: its lock, its file, and how that is opened.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use redb::backends::FileBackend;
use redb::{Builder, Database, ReadableDatabase as _, StorageBackend, TableDefinition};

use super::disk::{Overlaid, Trouble, Watched};
use super::failed::Failed;
use crate::error::StoreError;

/// The file that has all.
const FILE: &str = "alamein.redb";
/// A file that is being made. It gets its name when it is whole.
const NEW: &str = "alamein.redb.new";
/// The file that whoever uses the folder has locked.
const LOCK: &str = "lock";
/// A file that is written to find out whether there is room.
const PROBE: &str = "probe";

/// The number of the form in which things are kept. Whoever changes the form gives it another, and says
/// here how to come from the one before.
const FORMAT: u64 = 1;
/// What is told of the file as a whole.
const ABOUT: TableDefinition<'_, &str, u64> = TableDefinition::new("about");

/// A folder that nobody else uses meanwhile.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    cache: usize,
    check: bool,
    _lock: Option<File>,
}

/// A file that is open.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) database: Database,
    pub(super) trouble: Trouble,
}

impl Folder {
    /// Makes the folder where it is not there, and takes it for this process.
    pub(super) fn take(path: &Path, cache: usize, check: bool) -> Result<Self, StoreError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
        made.map_err(|error| cannot_open(path, &error))?;
        let lock = lock(&path.join(LOCK)).map_err(|what| StoreError::Settings {
            what: format!(
                "{} {what}; stop it, or give this one a folder of its own with --store",
                path.display()
            ),
        })?;
        let (path, _lock) = (path.to_path_buf(), lock);
        Ok(Self {
            path,
            cache,
            check,
            _lock,
        })
    }

    /// Where the file is, for messages.
    pub(super) fn file(&self) -> PathBuf {
        self.path.join(FILE)
    }

    /// Opens the file to be read and written. One that is not there is made.
    pub(super) fn open(&self) -> Result<Opened, Failed> {
        let file = self.file();
        if !file.try_exists()? {
            self.make()?;
        }
        let opened = self.open_file(&file, false)?;
        check_format(&opened.database)?;
        Ok(opened)
    }

    /// Opens the file to be read; what would have to be written to mend it stays in memory.
    pub(super) fn open_to_read(&self) -> Result<Opened, Failed> {
        let file = OpenOptions::new().read(true).open(self.file())?;
        let file = FileBackend::new(file).map_err(redb::Error::from)?;
        let opened = self.open_in(Overlaid::new(file)?, Trouble::default())?;
        check_format(&opened.database)?;
        Ok(opened)
    }

    /// Whether there is room for so many bytes more.
    pub(super) fn has_room(&self, bytes: usize) -> io::Result<()> {
        let path = self.path.join(PROBE);
        let write = || -> io::Result<()> {
            let mut file = private().create(true).truncate(true).open(&path)?;
            // Zeros might take up no room on some disks.
            let piece: Vec<u8> = (0..1 << 16).map(|at: u32| ((at * 31) >> 3) as u8).collect();
            for _ in 0..=bytes.div_ceil(piece.len()) {
                file.write_all(&piece)?;
            }
            file.sync_data()
        };
        let written = write();
        // One that cannot be removed is written over next time.
        let _ = std::fs::remove_file(&path);
        written
    }

    /// Makes the file under another name first, so that it is whole or is not there.
    fn make(&self) -> Result<(), Failed> {
        let new = self.path.join(NEW);
        if new.try_exists()? {
            std::fs::remove_file(&new)?;
        }
        let opened = self.open_file(&new, true)?;
        let begin = opened.database.begin_write()?;
        begin.open_table(ABOUT)?.insert("format", FORMAT)?;
        super::tables::make(&begin)?;
        begin.commit()?;
        opened.database.close().map_err(redb::Error::from)?;
        std::fs::rename(&new, self.file())?;
        Ok(File::open(&self.path)?.sync_all()?)
    }

    fn open_file(&self, file: &Path, make: bool) -> Result<Opened, Failed> {
        let trouble = Trouble::default();
        let file = private().create(make).open(file)?;
        let file = FileBackend::new(file).map_err(redb::Error::from)?;
        let watched = Watched {
            file,
            trouble: trouble.clone(),
        };
        self.open_in(watched, trouble)
    }

    fn open_in(&self, file: impl StorageBackend, trouble: Trouble) -> Result<Opened, Failed> {
        let database = Builder::new()
            .set_cache_size(self.cache)
            .set_check_integrity_on_open(self.check)
            .create_with_backend(file)
            .map_err(redb::Error::from)?;
        Ok(Opened { database, trouble })
    }
}

fn check_format(database: &Database) -> Result<(), Failed> {
    let begin = database.begin_read()?;
    let format = begin.open_table(ABOUT)?.get("format")?;
    match format.map(|format| format.value()) {
        Some(FORMAT) => Ok(()),
        Some(newer) if newer > FORMAT => Err(Failed::Told(StoreError::Version {
            what: format!(
                "its form is {newer}, and this version reads {FORMAT} at most; run the version that wrote it, \
                 or a newer one"
            ),
        })),
        other => Err(Failed::Told(StoreError::Damaged {
            at: "about".into(),
            what: format!("its form is {other:?}, which there never was"),
        })),
    }
}

/// How the store's files are opened: for nobody else to read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o600);
    options
}

/// Locks a folder by this file in it. Where it cannot be made nobody can write there at all.
fn lock(path: &Path) -> Result<Option<File>, String> {
    let made = private().create(true).truncate(false).open(path);
    let writes = made.is_ok();
    let Ok(mut file) = made.or_else(|_| File::open(path)) else {
        return Ok(None);
    };
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            // Who it is helps, and is not needed.
            let _ = file.read_to_string(&mut holder);
            return Err(format!("is in use by {}", name_of(holder.trim())));
        }
        Err(TryLockError::Error(error)) => return Err(format!("cannot be locked: {error}")),
    }
    if writes {
        let mut tell = || -> io::Result<()> {
            file.set_len(0)?;
            file.rewind()?;
            write!(file, "{}", std::process::id())
        };
        // The lock holds without it; a full disk must not keep a store from being read.
        let _ = tell();
    }
    Ok(Some(file))
}

fn name_of(holder: &str) -> String {
    match holder.parse::<u32>() {
        Ok(pid) => format!("process {pid}"),
        Err(_) => "another process".into(),
    }
}

fn cannot_open(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Settings {
        what: format!(
            "{}: {error}; name another folder with --store",
            path.display()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_format(number: u64) -> (tempfile::TempDir, Folder) {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::take(dir.path(), 1 << 20, true).unwrap();
        let opened = folder.open().unwrap();
        let begin = opened.database.begin_write().unwrap();
        begin
            .open_table(ABOUT)
            .unwrap()
            .insert("format", number)
            .unwrap();
        begin.commit().unwrap();
        (dir, folder)
    }

    #[test]
    fn a_newer_form_is_refused_and_told() {
        let (_dir, folder) = with_format(FORMAT + 1);
        for opened in [folder.open(), folder.open_to_read()] {
            let Err(Failed::Told(error @ StoreError::Version { .. })) = opened else {
                panic!("{opened:?}");
            };
            assert!(
                error
                    .to_string()
                    .contains("its form is 2, and this version reads 1"),
                "{error}"
            );
        }
        let (_dir, folder) = with_format(0);
        assert!(matches!(
            folder.open(),
            Err(Failed::Told(StoreError::Damaged { .. }))
        ));
    }

    #[test]
    fn what_was_not_wholly_made_is_made_anew() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(NEW), b"half of").unwrap();
        let folder = Folder::take(dir.path(), 1 << 20, true).unwrap();
        folder.open().unwrap();
        assert!(!dir.path().join(NEW).exists());
    }
}
