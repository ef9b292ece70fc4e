//! Watching developers' folders: what is built is loaded.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use alamein_plugin_host::{PluginError, read_manifest};
use alamein_rulesets::{Registry, RegistryError};
use notify_debouncer_mini::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, DebouncedEvent, Debouncer, new_debouncer};

use super::{Folders, tell};
use crate::rules::Rules;

/// How long a folder must be quiet before what changed in it is looked at.
const QUIET: Duration = Duration::from_millis(300);
/// How often it is looked whether the watch is to end.
const TICK: Duration = Duration::from_millis(500);

/// Watches the folders that hold plugins' folders, until `stop` says so. Whatever comes of a change
/// is told in the log; what cannot be loaded changes nothing.
///
/// # Errors
/// A folder that cannot be watched.
pub(crate) fn watch(
    rules: Rules,
    folders: Folders,
    stop: impl Fn() -> bool + Send + 'static,
) -> Result<(), notify_debouncer_mini::notify::Error> {
    let (tell, changes) = channel();
    let mut watcher = new_debouncer(QUIET, tell)?;
    let mut real = Vec::new();
    for folder in &folders.0 {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        watcher.watcher().watch(&folder, RecursiveMode::Recursive)?;
        tracing::info!(folder = %folder.display(), "watching for builds of plugins");
        real.push(folder);
    }
    let watch = Watch {
        rules,
        roots: real,
        folders,
        _watcher: watcher,
    };
    let run = move || watch.run(&changes, stop);
    std::thread::Builder::new()
        .name("watch".into())
        .spawn(run)
        .map_err(notify_debouncer_mini::notify::Error::io)?;
    Ok(())
}

struct Watch {
    rules: Rules,
    /// The folders that are watched, with links resolved: events come by these paths.
    roots: Vec<PathBuf>,
    folders: Folders,
    _watcher: Debouncer<RecommendedWatcher>,
}

impl Watch {
    fn run(self, changes: &Receiver<DebounceEventResult>, stop: impl Fn() -> bool) {
        // What was half written. It is looked at once more, even if nothing more is told of it.
        let mut again = BTreeSet::new();
        loop {
            match changes.recv_timeout(TICK) {
                _ if stop() => return,
                Ok(Ok(events)) => {
                    let changed = self.plugins(&events).into_iter();
                    again = changed.filter(|folder| !self.is_done(folder)).collect();
                }
                Ok(Err(error)) => {
                    tracing::warn!("a folder of plugins cannot be watched: {error}");
                }
                Err(RecvTimeoutError::Timeout) => {
                    for folder in std::mem::take(&mut again) {
                        self.is_done(&folder);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// The plugins' folders in which something changed.
    fn plugins(&self, events: &[DebouncedEvent]) -> BTreeSet<PathBuf> {
        let of = |event: &DebouncedEvent| {
            let within = self
                .roots
                .iter()
                .find_map(|folder| Some((folder, event.path.strip_prefix(folder).ok()?)));
            let (folder, path) = within?;
            let name = path.components().next()?;
            let hidden = name.as_os_str().to_string_lossy().starts_with('.');
            (!hidden).then(|| folder.join(name))
        };
        let found = events.iter().filter_map(of);
        found.filter(|folder| is_plugin(folder)).collect()
    }

    /// Loads what was built, if it is new. Says whether that is done with: what is half written is
    /// not.
    fn is_done(&self, folder: &Path) -> bool {
        let Ok(registry) = self.rules.registry() else {
            return false;
        };
        let shown = folder.display();
        let real = match self.folders.find(&folder.to_string_lossy()) {
            Ok(real) => real,
            Err(fault) => {
                let status = tonic::Status::from(fault);
                tracing::warn!(folder = %shown, "a build is not taken: {}", status.message());
                return true;
            }
        };
        match bring_in(registry, &real) {
            Ok(()) => true,
            Err(error) if is_half_written(&error) => {
                tracing::info!(folder = %shown, "a build is not whole yet: {error}");
                false
            }
            Err(error) => {
                let reason = error.reason();
                tracing::warn!(folder = %shown, reason, "a build is not taken: {error}");
                true
            }
        }
    }
}

fn is_plugin(folder: &Path) -> bool {
    folder.join("plugin.json").is_file()
}

/// Loads the plugin of a folder, or nothing if that very build is the newest that is loaded.
fn bring_in(registry: &Registry, folder: &Path) -> Result<(), RegistryError> {
    let manifest = read_manifest(folder)?;
    let sha256 = manifest.artifact.as_ref().map(|it| it.sha256.as_str());
    let snapshot = registry.snapshot();
    let newest = snapshot
        .plugins()
        .filter(|generation| generation.plugin().id() == manifest.id)
        .last();
    let loaded = match newest {
        Some(newest) if newest.plugin().digest() == sha256 => return Ok(()),
        Some(_) => registry.replace(&manifest.id, folder)?,
        None => registry.load(folder)?,
    };
    tell(&loaded, "taken from a watched folder");
    Ok(())
}

/// Whether an error is what a build looks like that is being written.
fn is_half_written(error: &RegistryError) -> bool {
    matches!(
        error,
        RegistryError::Plugin(
            PluginError::DigestMismatch { .. }
                | PluginError::ManifestUnreadable { .. }
                | PluginError::ManifestInvalid { .. }
                | PluginError::LibraryUnreadable { .. }
        )
    )
}
