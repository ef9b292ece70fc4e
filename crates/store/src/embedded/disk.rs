//! What lies between redb and its file.

use std::collections::BTreeMap;
use std::io;
use std::ops::Bound;
use std::sync::{Arc, Mutex, PoisonError};

use redb::backends::FileBackend;
use redb::{BackendError, StorageBackend};

/// What a disk refused to do first. redb tells it once and afterwards only that there was something.
#[derive(Clone, Debug, Default)]
pub(super) struct Trouble(Arc<Mutex<Option<Refused>>>);

/// What a disk refused to do.
#[derive(Clone, Debug)]
pub(super) struct Refused {
    /// What the system said.
    pub(super) what: String,
    /// Whether it was to confirm that all is written. What it then has, nobody knows any more.
    pub(super) sync: bool,
}

impl Trouble {
    /// The first thing that was refused.
    pub(super) fn first(&self) -> Option<Refused> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn note(&self, error: io::Error, sync: bool) -> io::Error {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let what = error.to_string();
        first.get_or_insert(Refused { what, sync });
        drop(first);
        error
    }
}

/// A file, and what it refused to do.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) file: FileBackend,
    pub(super) trouble: Trouble,
}

impl StorageBackend for Watched {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let read = self.file.read(offset, out);
        read.map_err(|error| self.trouble.note(error, false))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let set = self.file.set_len(len);
        set.map_err(|error| self.trouble.note(error, false))
    }

    fn sync_data(&self) -> io::Result<()> {
        let synced = self.file.sync_data();
        synced.map_err(|error| self.trouble.note(error, true))
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let written = self.file.write(offset, data);
        written.map_err(|error| self.trouble.note(error, false))
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_range(start, end)
    }

    fn try_lock_shared_range(
        &self,
        start: Bound<u64>,
        end: Bound<u64>,
    ) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.query_lock_range(start, end)
    }
}

/// How large a piece is that is remembered as written.
const PIECE: u64 = 4096;

/// A file that is read and never written: what is written stays in memory. So a file can be mended and
/// read that nobody may write, or for which there is no room.
///
/// Whoever opens it has locked the folder.
#[derive(Debug)]
pub(super) struct Overlaid {
    file: FileBackend,
    over: Mutex<Over>,
}

#[derive(Debug)]
struct Over {
    /// How long all of it is.
    len: u64,
    /// How much of the file is still to be seen.
    seen: u64,
    pieces: BTreeMap<u64, Vec<u8>>,
}

impl Overlaid {
    /// What lies over a file is nothing yet.
    pub(super) fn new(file: FileBackend) -> io::Result<Self> {
        let len = file.len()?;
        let over = Over {
            len,
            seen: len,
            pieces: BTreeMap::new(),
        };
        let over = Mutex::new(over);
        Ok(Self { file, over })
    }

    fn below(&self, over: &Over, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let seen = over.seen.saturating_sub(offset).min(out.len() as u64);
        let (seen, rest) = out.split_at_mut(seen as usize);
        rest.fill(0);
        if seen.is_empty() {
            return Ok(());
        }
        self.file.read(offset, seen)
    }
}

impl StorageBackend for Overlaid {
    fn len(&self) -> io::Result<u64> {
        let over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(over.len)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        let end = offset + out.len() as u64;
        if end > over.len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.below(&over, offset, out)?;
        let pieces = over.pieces.range(offset / PIECE..end.div_ceil(PIECE));
        for (number, piece) in pieces {
            let begin = number * PIECE;
            let (from, to) = (begin.max(offset), (begin + PIECE).min(end));
            let piece = &piece[(from - begin) as usize..(to - begin) as usize];
            out[(from - offset) as usize..(to - offset) as usize].copy_from_slice(piece);
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        over.len = len;
        over.seen = over.seen.min(len);
        let cut = over.pieces.split_off(&(len / PIECE));
        if let Some(piece) = cut.get(&(len / PIECE)) {
            let mut piece = piece.clone();
            piece[(len % PIECE) as usize..].fill(0);
            over.pieces.insert(len / PIECE, piece);
        }
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        let end = offset + data.len() as u64;
        for number in offset / PIECE..end.div_ceil(PIECE) {
            let begin = number * PIECE;
            let mut piece = match over.pieces.remove(&number) {
                Some(piece) => piece,
                None => {
                    let mut piece = vec![0; PIECE as usize];
                    self.below(&over, begin, &mut piece)?;
                    piece
                }
            };
            let (from, to) = (begin.max(offset), (begin + PIECE).min(end));
            piece[(from - begin) as usize..(to - begin) as usize]
                .copy_from_slice(&data[(from - offset) as usize..(to - offset) as usize]);
            over.pieces.insert(number, piece);
        }
        over.len = over.len.max(end);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Step {
        Write(u64, Vec<u8>),
        SetLen(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        let data = prop::collection::vec(any::<u8>(), 1..9000);
        prop_oneof![
            3 => (0..12_000_u64, data).prop_map(|(at, data)| Step::Write(at, data)),
            1 => (1..20_000_u64).prop_map(Step::SetLen),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_lies_over_a_file_reads_as_if_it_were_written(
            begin in prop::collection::vec(any::<u8>(), 0..10_000),
            steps in prop::collection::vec(step(), 0..12),
        ) {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&begin).unwrap();
            let untouched = file.try_clone().unwrap();
            let over = Overlaid::new(FileBackend::new(file).unwrap()).unwrap();
            let mut model = begin.clone();
            for step in steps {
                match step {
                    Step::Write(at, data) => {
                        let (at, end) = (at as usize, at as usize + data.len());
                        model.resize(model.len().max(end), 0);
                        model[at..end].copy_from_slice(&data);
                        over.write(at as u64, &data).unwrap();
                    }
                    Step::SetLen(len) => {
                        model.resize(len as usize, 0);
                        over.set_len(len).unwrap();
                    }
                }
                let mut read = vec![0; model.len()];
                prop_assert_eq!(over.len().unwrap(), model.len() as u64);
                over.read(0, &mut read).unwrap();
                prop_assert!(read == model);
                let (from, to) = (model.len() / 3, model.len() / 2);
                over.read(from as u64, &mut read[from..to]).unwrap();
                prop_assert!(read == model);
            }
            prop_assert_eq!(untouched.metadata().unwrap().len(), begin.len() as u64);
        }
    }
}
