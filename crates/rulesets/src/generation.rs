//! A plugin that was loaded, and how many calls it is in.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use alamein_plugin_host::NativePlugin;
use semver::Version;

use crate::golden;

/// A plugin as it was loaded once. It stays in memory for as long as the process lives.
#[derive(Debug)]
pub struct Generation {
    plugin: NativePlugin,
    version: Version,
    number: u64,
    folder: Option<PathBuf>,
    /// Its own cases, of one that came in a package: the names of their files, and their texts.
    packed: Option<Vec<(String, String)>>,
    /// Whether these were checked.
    checked: AtomicBool,
    in_flight: AtomicU64,
}

impl Generation {
    pub(crate) fn new(plugin: NativePlugin, number: u64, folder: Option<PathBuf>) -> Self {
        Self {
            version: plugin.manifest().semver(),
            plugin,
            number,
            folder,
            packed: None,
            checked: AtomicBool::new(false),
            in_flight: AtomicU64::new(0),
        }
    }

    /// One that came in a package, with its own cases.
    pub(crate) fn packed(plugin: NativePlugin, number: u64, cases: Vec<(String, String)>) -> Self {
        Self {
            packed: Some(cases),
            ..Self::new(plugin, number, None)
        }
    }

    /// The plugin.
    #[must_use]
    pub fn plugin(&self) -> &NativePlugin {
        &self.plugin
    }

    /// Which of all that the registry took in it is, counted from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The folder that it was loaded from.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether it came in a package, out of no folder: see [`Registry::remake`](crate::Registry::remake).
    #[must_use]
    pub fn is_packed(&self) -> bool {
        self.packed.is_some()
    }

    /// Its own cases, by the names of their files, sorted; those that can be read and are texts.
    #[must_use]
    pub fn cases(&self) -> Vec<(String, String)> {
        let cases = golden::cases(self).into_iter();
        cases
            .filter_map(|(name, text)| Some((name, text.ok()?)))
            .collect()
    }

    /// Whether it came in a package and its cases were not checked yet.
    pub(crate) fn is_unchecked(&self) -> bool {
        self.is_packed() && !self.checked.load(Ordering::Relaxed)
    }

    pub(crate) fn note_checked(&self) {
        self.checked.store(true, Ordering::Relaxed);
    }

    pub(crate) fn packed_cases(&self) -> Option<&[(String, String)]> {
        self.packed.as_deref()
    }

    /// How many calls it is in: see [`Revision::enter`](crate::Revision::enter).
    #[must_use]
    pub fn calls_in_flight(&self) -> u64 {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// What tells its build from others: the SHA-256 of its library, or the build id of what is linked.
    #[must_use]
    pub fn build(&self) -> &str {
        build_of(&self.plugin)
    }

    pub(crate) fn entered(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn left(&self) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

fn build_of(plugin: &NativePlugin) -> &str {
    plugin.digest().unwrap_or_else(|| plugin.build_id())
}

/// How a loaded plugin is called: by its id, and if that is not enough, by more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginRef {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: Option<Version>,
    /// The SHA-256 of its library.
    pub sha256: Option<String>,
}

impl PluginRef {
    /// Every version of this id.
    #[must_use]
    pub fn of(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            ..Self::default()
        }
    }

    pub(crate) fn means(&self, generation: &Generation) -> bool {
        let version = self.version.as_ref();
        let sha256 = self.sha256.as_deref();
        self.id == generation.plugin.id()
            && version.is_none_or(|version| *version == generation.version)
            && sha256.is_none_or(|sha256| generation.plugin.digest() == Some(sha256))
    }
}

impl fmt::Display for PluginRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)?;
        if let Some(version) = &self.version {
            write!(f, " {version}")?;
        }
        if let Some(sha256) = &self.sha256 {
            write!(f, " of build {sha256}")?;
        }
        Ok(())
    }
}
