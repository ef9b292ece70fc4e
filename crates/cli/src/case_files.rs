//! Which files are meant where case files are named, and folders of them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// How the names of case files end.
pub(crate) const CASES: &[&str] = &[".json", ".json.gz"];

/// How the names of case files end, and of what `alamein serve --record` writes.
pub(crate) const CASES_AND_RECORDS: &[&str] = &[".json", ".json.gz", ".jsonl", ".jsonl.gz"];

/// The files named, and those in the folders named whose names end so, in the order of their names.
pub(crate) fn found(named: &[PathBuf], ends: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            let before = files.len();
            in_folder(path, ends, &mut files)?;
            if files.len() == before {
                eprintln!(
                    "alamein: warning: there is no case file in {}",
                    path.display()
                );
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// A link to a file is followed, one to a folder is not, for it may lead round in a circle. What is no
/// ordinary file, such as a pipe that nobody writes to, is passed over.
fn in_folder(folder: &Path, ends: &[&str], files: &mut Vec<PathBuf>) -> Result<()> {
    let unreadable = || format!("{}: cannot be read", folder.display());
    let mut entries = Vec::new();
    for entry in folder.read_dir().with_context(unreadable)? {
        let entry = entry.with_context(unreadable)?;
        let is_folder = entry.file_type().with_context(unreadable)?.is_dir();
        entries.push((entry.path(), is_folder));
    }
    entries.sort();
    for (path, is_folder) in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_meant = ends.iter().any(|end| name.ends_with(end));
        if is_folder && !name.starts_with('.') {
            in_folder(&path, ends, files)?;
        } else if is_meant && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}
