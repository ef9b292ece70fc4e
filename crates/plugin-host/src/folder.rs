//! Loading all plugins of a folder.

use std::path::{Path, PathBuf};

use crate::error::PluginError;
use crate::files::{Folder, Refusal};
use crate::plugin::NativePlugin;
use crate::sidecar;
use crate::trust::{Lock, Trust};

/// What became of the plugins of a folder. Those refused stay in it, so that they can be shown.
#[derive(Clone, Debug)]
pub struct FolderReport {
    /// The folder.
    pub folder: PathBuf,
    /// Its plugins, by the names of their folders.
    pub entries: Vec<FolderEntry>,
}

/// What became of one plugin.
#[derive(Clone, Debug)]
pub struct FolderEntry {
    /// The plugin's folder.
    pub folder: PathBuf,
    /// The plugin, or why it cannot be used.
    pub outcome: Result<NativePlugin, PluginError>,
}

impl FolderReport {
    /// The plugins that were loaded.
    pub fn loaded(&self) -> impl Iterator<Item = &NativePlugin> {
        self.entries
            .iter()
            .filter_map(|entry| entry.outcome.as_ref().ok())
    }

    /// What was refused, and why.
    pub fn refused(&self) -> impl Iterator<Item = (&Path, &PluginError)> {
        self.entries
            .iter()
            .filter_map(|entry| match &entry.outcome {
                Ok(_) => None,
                Err(error) => Some((entry.folder.as_path(), error)),
            })
    }
}

/// Loads the plugin of every folder within this one that has a `plugin.json`, in the order of
/// their names. Folders whose names begin with a dot are passed over.
///
/// One that cannot be used does not keep others from being loaded. If `folder` itself cannot be
/// read, or anyone may write to it, or its lock file makes no sense, that is the one entry.
#[must_use]
pub fn load_folder(folder: &Path) -> FolderReport {
    load_folder_with(folder, &Trust::default())
}

/// The same, letting in those that are trusted. A plugin that a lock file lists and that is not
/// there is an entry too.
#[must_use]
pub fn load_folder_with(folder: &Path, trust: &Trust) -> FolderReport {
    let found = plugins_of(folder, trust).and_then(|(real, folders)| {
        let lock = trust.lock_of(Some(&real))?;
        Ok((real, folders, lock))
    });
    let entries = match found {
        Ok((real, folders, lock)) => {
            let load = |found| load(&real, found, trust);
            let mut entries: Vec<FolderEntry> = folders.into_iter().map(load).collect();
            if let Some((file, lock)) = lock {
                entries.extend(missing(folder, &file, &lock, &entries));
            }
            entries
        }
        Err(error) => vec![FolderEntry {
            folder: folder.into(),
            outcome: Err(error),
        }],
    };
    FolderReport {
        folder: folder.into(),
        entries,
    }
}

/// What the lock file lists and is not there.
fn missing(folder: &Path, file: &Path, lock: &Lock, found: &[FolderEntry]) -> Vec<FolderEntry> {
    let is_there = |id: &str| {
        let its = |entry: &FolderEntry| match &entry.outcome {
            Ok(plugin) => plugin.id() == id,
            Err(error) => error.plugin() == Some(id) || entry.folder.ends_with(id),
        };
        found.iter().any(its)
    };
    let missing = lock.here().filter(|locked| !is_there(&locked.id));
    missing
        .map(|locked| FolderEntry {
            folder: folder.join(&locked.id),
            outcome: Err(PluginError::LockedMissing {
                plugin: locked.id.clone(),
                lock: file.into(),
            }),
        })
        .collect()
}

fn load(within: &Path, folder: PathBuf, trust: &Trust) -> FolderEntry {
    let outcome = match folder.canonicalize() {
        Ok(real) if !real.starts_with(within) => {
            let why = format!(
                "it leads to {}, which is not within {}",
                real.display(),
                within.display()
            );
            Err(PluginError::UnsafePath {
                file: folder.clone(),
                why,
            })
        }
        _ => NativePlugin::load_with(&folder, trust),
    };
    FolderEntry { folder, outcome }
}

/// The folder with links resolved, and the folders in it that hold a plugin, sorted.
pub(crate) fn plugins_of(
    folder: &Path,
    trust: &Trust,
) -> Result<(PathBuf, Vec<PathBuf>), PluginError> {
    let unreadable = |why: String| PluginError::FolderUnreadable {
        folder: folder.into(),
        why,
    };
    let real = Folder::open(folder, trust.own_files).map_err(|refusal| match refusal {
        Refusal::Unsafe(file, why) => PluginError::UnsafePath { file, why },
        Refusal::Unreadable(_, why) => unreadable(why),
    })?;
    let unreadable = |error: std::io::Error| unreadable(error.to_string());
    let mut folders = Vec::new();
    for entry in folder.read_dir().map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        // A manifest that is a broken link is a manifest: it is refused, not passed over.
        if !hidden && path.join(sidecar::FILE).symlink_metadata().is_ok() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok((real.path().into(), folders))
}
