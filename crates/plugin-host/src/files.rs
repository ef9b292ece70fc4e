//! Reading a plugin's files, with care.

use std::fs::{File, Metadata, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Why a file is not read.
pub(crate) enum Refusal {
    /// It is not safe to load.
    Unsafe(PathBuf, String),
    /// It cannot be read.
    Unreadable(PathBuf, String),
}

/// A folder, found and looked at.
pub(crate) struct Folder {
    path: PathBuf,
    /// Nobody else may have a hand in it.
    own: bool,
}

impl Folder {
    /// The folder at that path, which may be a link to it. If `own` is set nobody else may have a
    /// hand in it, nor in the folder above it, nor in what is read of it.
    pub(crate) fn open(path: &Path, own: bool) -> Result<Self, Refusal> {
        let unreadable =
            |error: std::io::Error| Refusal::Unreadable(path.into(), error.to_string());
        let real = path.canonicalize().map_err(unreadable)?;
        let metadata = real.metadata().map_err(unreadable)?;
        if !metadata.is_dir() {
            return Err(Refusal::Unreadable(path.into(), "it is no folder".into()));
        }
        kept(&real, &metadata, own)?;
        if let Some(above) = real.parent().filter(|_| own) {
            let metadata = above.metadata().map_err(unreadable)?;
            // Where it has the sticky bit, nobody renames what is another's.
            if metadata.permissions().mode() & 0o1000 == 0 {
                kept(above, &metadata, own)?;
            }
        }
        Ok(Self { path: real, own })
    }

    /// Where it is, links resolved.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a file of the folder whole. A link within the folder is followed, one out of it is
    /// not.
    pub(crate) fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, Refusal> {
        let path = self.path.join(name);
        let unreadable =
            |error: std::io::Error| Refusal::Unreadable(path.clone(), error.to_string());
        let real = path.canonicalize().map_err(unreadable)?;
        if !real.starts_with(&self.path) {
            let why = format!(
                "it leads out of its folder, to {}; put the file itself there",
                real.display()
            );
            return Err(Refusal::Unsafe(path, why));
        }
        // A pipe of this name must not hold us up: it is found out before anything is read.
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(flags)
            .open(&real);
        let file = file.map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        if !metadata.is_file() {
            return Err(Refusal::Unreadable(path, "it is no ordinary file".into()));
        }
        kept(&path, &metadata, self.own)?;
        read_bounded(file, limit)
            .map_err(unreadable)?
            .ok_or_else(|| Refusal::Unreadable(path, format!("it is longer than {limit} bytes")))
    }
}

/// The bytes of a file, or nothing if there are more than that.
fn read_bounded(file: File, limit: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// Refuses what anyone may write to; if it must be ours, also what another owns or a group may
/// write to.
fn kept(path: &Path, metadata: &Metadata, own: bool) -> Result<(), Refusal> {
    let mode = metadata.permissions().mode() & 0o7777;
    let (uid, gid) = (metadata.uid(), metadata.gid());
    // SAFETY: it only tells a number.
    let this = unsafe { libc::geteuid() };
    let why = if mode & 0o002 != 0 {
        format!("anyone may write to it (mode {mode:o}); run chmod o-w on it")
    } else if own && mode & 0o020 != 0 && gid != uid {
        format!("the group {gid} may write to it (mode {mode:o}); run chmod g-w on it")
    } else if own && uid != this && uid != 0 {
        format!(
            "it is user {uid}'s, and not user {this}'s, who runs this, nor root's; run chown on it"
        )
    } else {
        return Ok(());
    };
    Err(Refusal::Unsafe(path.into(), why))
}

/// Whether a name is that of a file beside another, and not a path.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', '\0'])
}
