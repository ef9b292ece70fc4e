//! A plugin, loaded or linked.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alamein_plugin_abi::{Descriptor, Host, Table};
use alamein_terrain::Manifest;

use crate::descriptor::{self, Checked};
use crate::error::PluginError;
use crate::feature::NativeFeature;
use crate::package::{Came, Package};
use crate::services;
use crate::sidecar::Sidecar;
use crate::stage;
use crate::trust::Trust;
use crate::vocabulary::Vocabulary;

/// Where a plugin came from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// From a library, opened while this process ran.
    Loaded {
        /// The library.
        library: PathBuf,
        /// Its SHA-256, in hexadecimal digits.
        sha256: String,
        /// Which of all libraries that this process opened it is, counted from 1.
        generation: u64,
    },
    /// It is part of this program.
    Linked,
}

/// A plugin that has been checked and can be called. Clones are the same plugin.
///
/// Nothing of it has been called yet but what the system calls when it opens a library:
/// [`instantiate`](Self::instantiate) is the first call.
#[derive(Clone)]
pub struct NativePlugin {
    held: Arc<Held>,
}

struct Held {
    manifest: Manifest,
    build_id: String,
    rules: Vec<String>,
    kinds: Vec<String>,
    table: Table,
    host: &'static Host,
    origin: Origin,
    trust: String,
    /// What it came in; nothing if it is linked.
    came: Option<Came>,
}

// SAFETY: what keeps it from being both is the pointer in the host's services, which is to a text
// that never changes and is never freed, and functions that may be called from anywhere.
unsafe impl Send for Held {}
// SAFETY: as above.
unsafe impl Sync for Held {}

impl NativePlugin {
    /// Loads the plugin of a folder that holds a `plugin.json` and the library of which it speaks.
    ///
    /// Each call loads anew: of two calls for one folder, each gives code and state of its own.
    ///
    /// # Errors
    /// Whatever is wrong with it, before any code of it runs if that can be told; see
    /// [`PluginError`].
    pub fn load(folder: &Path) -> Result<Self, PluginError> {
        Self::load_with(folder, &Trust::default())
    }

    /// The same, if it is trusted: see [`Trust`]. All that is checked is checked on the bytes that
    /// are then opened; whoever changes the files meanwhile changes nothing.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_with(folder: &Path, trust: &Trust) -> Result<Self, PluginError> {
        let sidecar = Sidecar::read(folder, trust)?;
        let bytes = sidecar.read_library()?;
        Self::open(sidecar, &bytes)
    }

    /// Loads the plugin of a package, with all the checks that one of a folder must pass; `called` is how
    /// the package is called in messages. It lies in no folder, so its files are nobody's; a lock file that
    /// holds for any of these folders of plugins must list it. A lock file may list several versions of a
    /// plugin for this.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn of_package(
        package: &Package<'_>,
        called: &Path,
        trust: &Trust,
        folders: &[PathBuf],
    ) -> Result<Self, PluginError> {
        let sidecar = Sidecar::of_package(package, called, trust, folders)?;
        sidecar.check_library(&package.library)?;
        Self::open(sidecar, &package.library)
    }

    fn open(sidecar: Sidecar, bytes: &[u8]) -> Result<Self, PluginError> {
        let opened = stage::open(&sidecar, bytes)?;
        // SAFETY: the library exports this as its descriptor and is never unloaded. That what it
        // points to is as it says cannot be checked: the library is trusted.
        let checked = unsafe { descriptor::check(opened.descriptor, Some(&sidecar)) }?;
        let origin = Origin::Loaded {
            library: sidecar.library(),
            sha256: sidecar.artifact.sha256,
            generation: opened.generation,
        };
        let came = Came {
            manifest: sidecar.text,
            signature: sidecar.signature,
            target: sidecar.artifact.target,
            staged: opened.kept,
        };
        let trust = sidecar.vouched.to_string();
        Ok(Self::new(checked, origin, trust, Some(came)))
    }

    /// The plugin of a descriptor that is part of this program. It is called through the same
    /// table as one that was loaded, so that both answer the same.
    ///
    /// # Errors
    /// Whatever is wrong with its descriptor; see [`PluginError`].
    pub fn linked(descriptor: &'static Descriptor) -> Result<Self, PluginError> {
        stage::note(descriptor);
        // SAFETY: it is a constant of this program.
        let checked = unsafe { descriptor::check(descriptor, None) }?;
        let trust = "linked".to_owned();
        Ok(Self::new(checked, Origin::Linked, trust, None))
    }

    fn new(checked: Checked, origin: Origin, trust: String, came: Option<Came>) -> Self {
        let Checked {
            manifest,
            build_id,
            rules,
            kinds,
            table,
        } = checked;
        let host = services::host(&manifest.id);
        Self {
            held: Arc::new(Held {
                manifest,
                build_id,
                rules,
                kinds,
                table,
                host,
                origin,
                trust,
                came,
            }),
        }
    }

    /// Makes an instance: the plugin's rules with these options. `options` is an object with every
    /// option set (see [`Manifest::options_with`]), which the caller has checked. `index` is the
    /// feature's place in its ruleset, by which [`Seen`](alamein_terrain::Seen) names it.
    ///
    /// # Errors
    /// Where the plugin fails, or `kinds` was made without it.
    pub fn instantiate(
        &self,
        options: serde_json::Value,
        kinds: &Vocabulary,
        index: u16,
    ) -> Result<NativeFeature, PluginError> {
        NativeFeature::create(self, &options, kinds, index)
    }

    /// What it says of itself. The artifact, by which a loaded one differs from a linked one, is
    /// left out: see [`origin`](Self::origin).
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.held.manifest
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.held.manifest.id
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.held.manifest.version
    }

    /// The SHA-256 of its library in hexadecimal digits; nothing if it is linked.
    #[must_use]
    pub fn digest(&self) -> Option<&str> {
        match &self.held.origin {
            Origin::Loaded { sha256, .. } => Some(sha256),
            Origin::Linked => None,
        }
    }

    /// The text that tells builds of it apart.
    #[must_use]
    pub fn build_id(&self) -> &str {
        &self.held.build_id
    }

    /// The kinds that it speaks of, in its own order.
    #[must_use]
    pub fn kinds(&self) -> &[String] {
        &self.held.kinds
    }

    /// The ids of its rules, in the order by which its sayings name them.
    #[must_use]
    pub fn rules(&self) -> &[String] {
        &self.held.rules
    }

    /// Where it came from.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.held.origin
    }

    /// Why it was let in, in a word or two: `locked`, `signed by 0123456789ABCDEF`, both of them,
    /// `unsigned`, or `linked`.
    #[must_use]
    pub fn trust(&self) -> &str {
        &self.held.trust
    }

    /// The target triple that it was built for, which is this host's.
    #[must_use]
    pub fn target(&self) -> &str {
        let came = self.held.came.as_ref();
        came.map_or(crate::TARGET, |came| &came.target)
    }

    /// All that it came in, to the byte, for another process to load it from; nothing if it is linked.
    ///
    /// # Errors
    /// Where its library cannot be read any more, or is not what it was.
    pub fn package(&self) -> Result<Option<Package<'static>>, PluginError> {
        let (came, origin) = (self.held.came.as_ref(), &self.held.origin);
        let (
            Some(came),
            Origin::Loaded {
                library, sha256, ..
            },
        ) = (came, origin)
        else {
            return Ok(None);
        };
        came.package(self.id(), library, sha256).map(Some)
    }

    /// Its functions.
    pub(crate) fn table(&self) -> &Table {
        &self.held.table
    }

    /// What the host does for it.
    pub(crate) fn host(&self) -> &'static Host {
        self.held.host
    }
}

impl fmt::Debug for NativePlugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NativePlugin")
            .field("id", &self.id())
            .field("version", &self.version())
            .field("origin", &self.held.origin)
            .finish_non_exhaustive()
    }
}
