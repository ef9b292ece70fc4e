//! The two members of a board, out of its folder or archive.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use super::{
    LOS_DATA, METADATA, MOST_ARCHIVE, MOST_LOS_DATA, MOST_MEMBERS, MOST_METADATA, VaslError,
};

/// How an entry of an archive's directory begins.
const ENTRY: &[u8] = b"PK\x01\x02";

/// The two members of a board, as they are stored.
pub(super) struct Members {
    pub(super) los_data: Vec<u8>,
    pub(super) metadata: Vec<u8>,
}

/// Reads the members from a folder.
pub(super) fn of_folder(folder: &Path) -> Result<Members, VaslError> {
    let member = |name: &'static str, most: u64| {
        let path = folder.join(name);
        if !path.is_file() {
            return Err(VaslError::NoMember { member: name });
        }
        of_file(&path, name, most)
    };
    Ok(Members {
        los_data: member(LOS_DATA, MOST_LOS_DATA)?,
        metadata: member(METADATA, MOST_METADATA)?,
    })
}

/// Reads the members from an archive.
pub(super) fn of_archive(path: &Path) -> Result<Members, VaslError> {
    if !path.is_file() {
        return Err(VaslError::Unreadable {
            file: path.display().to_string(),
            why: "there is no such file or folder".into(),
        });
    }
    of_bytes(&of_file(path, "the archive", MOST_ARCHIVE)?)
}

/// Reads the members from the bytes of an archive.
pub(super) fn of_bytes(archive: &[u8]) -> Result<Members, VaslError> {
    // The directory is read as a whole, wherever it is found: this bounds what it can hold.
    let entries = archive.windows(ENTRY.len()).filter(|at| *at == ENTRY);
    if entries.count() > MOST_MEMBERS {
        return Err(VaslError::TooLarge {
            what: "the archive's directory",
            most: MOST_MEMBERS as u64,
            unit: "members",
        });
    }
    let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(|error| damaged(&error))?;
    let mut member = |name: &'static str, most: u64| {
        let member = archive.by_name(name).map_err(|error| match error {
            ZipError::FileNotFound => VaslError::NoMember { member: name },
            error => damaged(&error),
        })?;
        bounded(member, most).map_err(|error| match error {
            Some(error) => VaslError::Archive {
                why: format!("{name} cannot be unpacked: {error}"),
            },
            None => too_large(name, most),
        })
    };
    Ok(Members {
        los_data: member(LOS_DATA, MOST_LOS_DATA)?,
        metadata: member(METADATA, MOST_METADATA)?,
    })
}

fn damaged(error: &ZipError) -> VaslError {
    VaslError::Archive {
        why: error.to_string(),
    }
}

fn of_file(path: &Path, what: &'static str, most: u64) -> Result<Vec<u8>, VaslError> {
    let unreadable = |error: std::io::Error| VaslError::Unreadable {
        file: path.display().to_string(),
        why: error.to_string(),
    };
    let file = File::open(path).map_err(unreadable)?;
    bounded(file, most).map_err(|error| match error {
        Some(error) => unreadable(error),
        None => too_large(what, most),
    })
}

fn too_large(what: &'static str, most: u64) -> VaslError {
    VaslError::TooLarge {
        what,
        most,
        unit: "bytes",
    }
}

/// All that a reader gives; no error if that is too much.
fn bounded(reader: impl Read, most: u64) -> Result<Vec<u8>, Option<std::io::Error>> {
    let mut bytes = Vec::new();
    reader
        .take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(Some)?;
    if bytes.len() as u64 > most {
        Err(None)
    } else {
        Ok(bytes)
    }
}
