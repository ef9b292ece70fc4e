//! A plugin that is read and checked, and not opened.

use std::path::{Path, PathBuf};

use alamein_terrain::{Artifact, Manifest};

use crate::elf;
use crate::error::PluginError;
use crate::sidecar::Sidecar;

/// The manifest and the library of a folder, read as a host reads them. Nothing of the plugin runs.
pub struct Unopened {
    sidecar: Sidecar,
    bytes: Vec<u8>,
}

impl Unopened {
    /// Reads the plugin of a folder. Whether it is trusted is not asked.
    ///
    /// # Errors
    /// Whatever is wrong with its files; see [`PluginError`].
    pub fn read(folder: &Path) -> Result<Self, PluginError> {
        let sidecar = Sidecar::read_unvouched(folder, false)?;
        let bytes = sidecar.read_library()?;
        Ok(Self { sidecar, bytes })
    }

    /// Checks that the library is one for this machine, as far as a look can tell.
    ///
    /// # Errors
    /// Where it is not.
    pub fn check(&self) -> Result<(), PluginError> {
        elf::check(&self.bytes).map_err(|why| PluginError::NotLoadable {
            plugin: self.sidecar.manifest.id.clone(),
            file: self.sidecar.library(),
            why,
        })
    }

    /// What the plugin says of itself, without its artifact.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.sidecar.manifest
    }

    /// What the manifest says of the library.
    #[must_use]
    pub fn artifact(&self) -> &Artifact {
        &self.sidecar.artifact
    }

    /// Where the library lies.
    #[must_use]
    pub fn library(&self) -> PathBuf {
        self.sidecar.library()
    }

    /// The library, which is the one of which the manifest speaks.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
