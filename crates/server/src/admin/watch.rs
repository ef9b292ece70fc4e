//! Watching developers' folders: what is built is loaded.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use alamein_plugin_host::{PluginError, read_manifest};
use alamein_rulesets::{Registry, RegistryError};
use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _, recommended_watcher};

use super::{Folders, tell};
use crate::rules::Rules;
use crate::running::Background;

/// How long a folder must be quiet before what changed in it is looked at.
const QUIET: Duration = Duration::from_millis(300);
/// How many changes are waited out: a folder that is never quiet is looked at all the same.
const MOST_CHANGES: usize = 1000;
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
    parts: Background,
    stop: impl Fn() -> bool + Send + 'static,
) -> Result<(), notify::Error> {
    let (tell, changes) = channel();
    let mut watcher = recommended_watcher(move |event: notify::Result<Event>| {
        // Whoever looks at a build opens its files, which is an event too: without this, a build that
        // is not taken would be looked at for ever.
        if event.as_ref().map_or(true, is_change) {
            // The receiver is gone when the watch has ended.
            let _ = tell.send(event);
        }
    })?;
    let mut real = Vec::new();
    for folder in &folders.0 {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        watcher.watch(&folder, RecursiveMode::Recursive)?;
        tracing::info!(folder = %folder.display(), "watching for builds of plugins");
        real.push(folder);
    }
    let watch = Watch {
        rules,
        roots: real,
        folders,
        _watcher: watcher,
    };
    let run = move || parts.on_thread("watch of plugins' folders", || watch.run(&changes, stop));
    std::thread::Builder::new()
        .name("watch".into())
        .spawn(run)
        .map_err(notify::Error::io)?;
    Ok(())
}

/// Whether something was written, made, moved or removed, as against looked at.
fn is_change(event: &Event) -> bool {
    match event.kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

struct Watch {
    rules: Rules,
    /// The folders that are watched, with links resolved: events come by these paths.
    roots: Vec<PathBuf>,
    folders: Folders,
    _watcher: RecommendedWatcher,
}

impl Watch {
    fn run(self, changes: &Receiver<notify::Result<Event>>, stop: impl Fn() -> bool) {
        // What was half written. It is looked at once more, even if nothing more is told of it.
        let mut again = BTreeSet::new();
        loop {
            match changes.recv_timeout(TICK) {
                _ if stop() => return,
                Ok(first) => {
                    let changed = self.settled(first, changes).into_iter();
                    again = changed.filter(|folder| !self.is_done(folder)).collect();
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

    /// The plugins' folders in which something changed, once all is quiet: the files of one build are
    /// told of one by one.
    fn settled(
        &self,
        first: notify::Result<Event>,
        changes: &Receiver<notify::Result<Event>>,
    ) -> BTreeSet<PathBuf> {
        let mut changed = BTreeSet::new();
        let rest = std::iter::from_fn(|| changes.recv_timeout(QUIET).ok());
        for event in std::iter::once(first).chain(rest).take(MOST_CHANGES) {
            match event {
                Ok(event) => changed.extend(event.paths.iter().filter_map(|it| self.folder_of(it))),
                Err(error) => {
                    tracing::warn!("a folder of plugins cannot be watched: {error}");
                }
            }
        }
        changed.retain(|folder| is_plugin(folder));
        changed
    }

    /// The folder of its plugin, of what lies in a folder that is watched. Hidden folders are builds that
    /// are being made.
    fn folder_of(&self, path: &Path) -> Option<PathBuf> {
        let mut roots = self.roots.iter();
        let (root, path) = roots.find_map(|root| Some((root, path.strip_prefix(root).ok()?)))?;
        let name = path.components().next()?;
        let hidden = name.as_os_str().to_string_lossy().starts_with('.');
        (!hidden).then(|| root.join(name))
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
            Ok(()) => {
                self.rules.try_again();
                true
            }
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

#[cfg(test)]
mod tests {
    use notify::event::{CreateKind, ModifyKind, RemoveKind};

    use super::*;

    #[test]
    fn who_looks_at_a_build_changes_nothing() {
        let written = AccessKind::Close(AccessMode::Write);
        for (kind, change) in [
            (EventKind::Access(AccessKind::Open(AccessMode::Any)), false),
            (EventKind::Access(AccessKind::Read), false),
            (EventKind::Access(written), true),
            (EventKind::Create(CreateKind::File), true),
            (EventKind::Modify(ModifyKind::Any), true),
            (EventKind::Remove(RemoveKind::File), true),
        ] {
            assert_eq!(is_change(&Event::new(kind)), change, "{kind:?}");
        }
    }
}
