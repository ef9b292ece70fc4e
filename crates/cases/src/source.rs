//! From a file to its text.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::error::CaseError;

/// How long a case file may be, unpacked. A crowded map of the largest size stays far below.
pub(crate) const MOST: u64 = 64 * 1024 * 1024;

/// How a file compressed with gzip begins.
pub(crate) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads the text of a file, plain or compressed with gzip, whatever its name.
///
/// # Errors
/// A file that cannot be read, is too long or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, CaseError> {
    let name = path.display().to_string();
    let unreadable = |why: String| CaseError::Unreadable {
        file: name.clone(),
        why,
    };
    let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let mut reader = BufReader::new(file);
    let mut start = Vec::new();
    let io = |error: std::io::Error| unreadable(error.to_string());
    reader
        .by_ref()
        .take(GZIP.len() as u64)
        .read_to_end(&mut start)
        .map_err(io)?;
    let whole = start.as_slice().chain(reader);
    let bytes = if start == GZIP {
        bounded(MultiGzDecoder::new(whole))
    } else {
        bounded(whole)
    };
    let bytes = bytes.map_err(io)?.ok_or_else(|| CaseError::TooLong {
        file: name.clone(),
        most: MOST,
    })?;
    String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".into()))
}

/// Everything that a reader gives, or nothing if that is too much.
fn bounded(reader: impl Read) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(MOST + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= MOST).then_some(bytes))
}
