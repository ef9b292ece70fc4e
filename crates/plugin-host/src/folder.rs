//! Loading all plugins of a folder.

use std::path::{Path, PathBuf};

use crate::error::PluginError;
use crate::files::{Folder, Refusal};
use crate::plugin::NativePlugin;
use crate::sidecar;

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
/// read, or anyone may write to it, that is the one entry.
#[must_use]
pub fn load_folder(folder: &Path) -> FolderReport {
    let entries = match plugins_of(folder) {
        Ok((real, folders)) => folders
            .into_iter()
            .map(|found| load(&real, found))
            .collect(),
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

fn load(within: &Path, folder: PathBuf) -> FolderEntry {
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
        _ => NativePlugin::load(&folder),
    };
    FolderEntry { folder, outcome }
}

/// The folder with links resolved, and the folders in it that hold a plugin, sorted.
fn plugins_of(folder: &Path) -> Result<(PathBuf, Vec<PathBuf>), PluginError> {
    let unreadable = |why: String| PluginError::FolderUnreadable {
        folder: folder.into(),
        why,
    };
    let real = Folder::open(folder).map_err(|refusal| match refusal {
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
