//! The lock file: which plugins there are to be, to the byte.

use std::fmt;
use std::path::{Path, PathBuf};

use alamein_terrain::{Artifact, Manifest};
use serde::{Deserialize, Serialize};

use super::Trust;
use crate::TARGET;
use crate::error::PluginError;
use crate::files::{Folder, Refusal};
use crate::folder;
use crate::sidecar::Sidecar;

/// What the lock file of a folder of plugins is called.
pub const LOCK_FILE: &str = "plugins.lock";
/// The longest lock file, in bytes.
const LOCK_BYTES: u64 = 1 << 20;
/// What a lock file begins with.
const HEAD: &str = "\
# Which plugins may be loaded, to the byte. Written by `alamein plugin lock`, which writes it anew
# when plugins were added, changed or taken out on purpose. Whatever differs from it is refused.
";

/// Which plugins there are to be.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    version: u32,
    /// The plugins, sorted by id and target.
    #[serde(default, rename = "plugin")]
    plugins: Vec<Locked>,
}

/// A plugin of a lock file.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    /// Its id.
    pub id: String,
    /// What it is built for. There may be an entry for each target.
    pub target: String,
    /// Its version.
    pub version: String,
    /// The SHA-256 of its library, in hexadecimal digits.
    pub library_sha256: String,
    /// The SHA-256 of its `plugin.json`.
    pub manifest_sha256: String,
}

/// Why a folder's plugins cannot be locked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LockError {
    /// Plugins that would not be loaded.
    #[error("{}", .0.iter().map(|(_, error)| error.to_string()).collect::<Vec<_>>().join("; "))]
    Refused(Vec<(PathBuf, PluginError)>),
    /// Two plugins of one id.
    #[error("two plugins are called {0:?}: leave one out")]
    Twice(String),
    /// No plugins at all.
    #[error("there are no plugins in {}", .0.display())]
    NoPlugins(PathBuf),
}

impl Lock {
    /// The plugins of a folder as they are now. None of their code runs.
    ///
    /// # Errors
    /// Plugins whose files make no sense, and two of one id.
    pub fn of_folder(folder: &Path, trust: &Trust) -> Result<Self, LockError> {
        let folders = folder::plugins_of(folder, trust)
            .map_err(|error| LockError::Refused(vec![(folder.into(), error)]))?;
        let (mut plugins, mut refused) = (Vec::new(), Vec::new());
        for path in folders.1 {
            match Locked::of(&path, trust) {
                Ok(locked) => plugins.push(locked),
                Err(error) => refused.push((path, error)),
            }
        }
        if !refused.is_empty() {
            return Err(LockError::Refused(refused));
        }
        plugins.sort();
        if let Some(pair) = plugins.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(LockError::Twice(pair[0].id.clone()));
        }
        if plugins.is_empty() {
            return Err(LockError::NoPlugins(folder.into()));
        }
        Ok(Self {
            version: 1,
            plugins,
        })
    }

    /// Reads a lock file, with the care that a plugin's files are read with.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(file: &Path, trust: &Trust) -> Result<Self, String> {
        let (folder, name) = (
            file.parent(),
            file.file_name().and_then(|name| name.to_str()),
        );
        let folder = folder
            .filter(|it| !it.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let why = |refusal| match refusal {
            Refusal::Unsafe(file, why) | Refusal::Unreadable(file, why) => {
                format!("{}: {why}", file.display())
            }
        };
        let folder = Folder::open(folder, trust.own_files).map_err(why)?;
        let bytes = folder
            .read(name.ok_or("it has no name")?, LOCK_BYTES)
            .map_err(why)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        Self::parse(text)
    }

    /// Reads the text of a lock file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let lock: Self = toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = 1 + before.unwrap_or_default().matches('\n').count();
            format!("line {line}: {}", error.message())
        })?;
        if lock.version != 1 {
            let version = lock.version;
            return Err(format!(
                "its version is {version}, and this program knows 1"
            ));
        }
        Ok(lock)
    }

    /// Its plugins.
    #[must_use]
    pub fn plugins(&self) -> &[Locked] {
        &self.plugins
    }

    /// Takes over from another what is for other targets.
    pub fn keep_other_targets(&mut self, other: &Self) {
        let others = other
            .plugins
            .iter()
            .filter(|locked| locked.target != TARGET);
        self.plugins.extend(others.cloned());
        self.plugins.sort();
    }

    /// What is for this target.
    pub(crate) fn here(&self) -> impl Iterator<Item = &Locked> {
        self.plugins.iter().filter(|locked| locked.target == TARGET)
    }

    /// Checks a plugin, whose library has been checked against its artifact, or will be.
    pub(crate) fn check(
        &self,
        lock: &Path,
        manifest: &Manifest,
        artifact: &Artifact,
        manifest_sha256: &str,
    ) -> Result<(), PluginError> {
        let (plugin, lock) = (manifest.id.clone(), lock.to_path_buf());
        let differs = |locked: &Locked| {
            let rows = [
                ("version", &locked.version, &*manifest.version),
                (
                    "library's SHA-256",
                    &locked.library_sha256,
                    &artifact.sha256,
                ),
                (
                    "plugin.json's SHA-256",
                    &locked.manifest_sha256,
                    manifest_sha256,
                ),
            ];
            let mut rows = rows.into_iter();
            let differs = rows.find(|(_, expected, found)| expected != found);
            differs.map(|(what, expected, found)| (what, expected.clone(), found))
        };
        // There may be older versions beside the one that is in a folder: see `NativePlugin::of_package`.
        let mut its = self.here().filter(|locked| locked.id == plugin);
        let Some(first) = its.next() else {
            return Err(PluginError::NotLocked { plugin, lock });
        };
        match differs(first) {
            None => Ok(()),
            Some(_) if its.any(|other| differs(other).is_none()) => Ok(()),
            Some((what, expected, found)) => Err(PluginError::LockMismatch {
                plugin,
                lock,
                what,
                expected,
                found: found.to_owned(),
            }),
        }
    }
}

impl Locked {
    fn of(folder: &Path, trust: &Trust) -> Result<Self, PluginError> {
        let sidecar = Sidecar::read_unvouched(folder, trust.own_files)?;
        sidecar.read_library()?;
        Ok(Self {
            id: sidecar.manifest.id,
            target: sidecar.artifact.target,
            version: sidecar.manifest.version,
            library_sha256: sidecar.artifact.sha256,
            manifest_sha256: sidecar.sha256,
        })
    }
}

impl fmt::Display for Lock {
    /// The text of the lock file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = toml::to_string(self).map_err(|_| fmt::Error)?;
        write!(f, "{HEAD}{text}")
    }
}
