//! Walking folders, and putting files in their place.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
};

use anyhow::{Context, Result};

/// Folders that hold what tools made.
const MADE: [&str; 4] = ["target", "node_modules", "__pycache__", "dist"];

/// Every file under a folder, sorted, leaving out hidden ones and what tools made.
///
/// # Errors
/// Where one cannot be read.
pub fn under(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries.with_context(|| format!("cannot read {}", folder.display()))?,
        };
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') {
                continue;
            }
            let kind = entry.file_type()?;
            if kind.is_dir() && !MADE.contains(&name.as_ref()) {
                waiting.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A path below `root`, with `/` between its parts on every system.
#[must_use]
pub fn relative(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// Puts a file in its place in one step, so that nobody sees half of it and nobody who has the
/// old one mapped or running sees it change. A file that already says the same is left alone.
///
/// # Errors
/// Where it cannot be written.
pub fn place(path: &Path, contents: &[u8], executable: bool) -> Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    if fs::read(path).is_ok_and(|old| old == contents) {
        return Ok(());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_file_name(format!(".{name}.{}.{count}", process::id()));
    fs::write(&temporary, contents)
        .and_then(|()| set_mode(&temporary, if executable { 0o755 } else { 0o644 }))
        .and_then(|()| fs::rename(&temporary, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Makes a folder that only its owner may write to, as whoever loads plugins from it demands. One
/// that is there already keeps its mode.
///
/// # Errors
/// Where it cannot be made.
pub fn make_folder(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        make_folder(parent)?;
    }
    match fs::create_dir(path) {
        // Somebody else made it in the meantime.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made
            .and_then(|()| set_mode(path, 0o755))
            .with_context(|| format!("cannot make {}", path.display())),
    }
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}
