//! A plugin that was loaded, and how many calls it is in.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use alamein_plugin_host::NativePlugin;
use semver::Version;

/// A plugin as it was loaded once. It stays in memory for as long as the process lives.
#[derive(Debug)]
pub struct Generation {
    plugin: NativePlugin,
    version: Version,
    number: u64,
    folder: Option<PathBuf>,
    in_flight: AtomicU64,
}

impl Generation {
    pub(crate) fn new(plugin: NativePlugin, number: u64, folder: Option<PathBuf>) -> Self {
        Self {
            version: plugin.manifest().semver(),
            plugin,
            number,
            folder,
            in_flight: AtomicU64::new(0),
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

    /// How many calls it is in: see [`Revision::enter`](crate::Revision::enter).
    #[must_use]
    pub fn calls_in_flight(&self) -> u64 {
        self.in_flight.load(Ordering::Relaxed)
    }

    pub(crate) fn version(&self) -> &Version {
        &self.version
    }

    /// What tells its build from others: the SHA-256, or the build id of what is linked.
    pub(crate) fn build(&self) -> &str {
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
