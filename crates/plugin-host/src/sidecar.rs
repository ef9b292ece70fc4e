//! The manifest beside a library.

use std::path::{Path, PathBuf};

use alamein_terrain::{Artifact, Manifest};

use crate::TARGET;
use crate::digest::sha256;
use crate::error::PluginError;
use crate::files::{Folder, Refusal, is_plain};
use crate::limits::{LIBRARY_BYTES, MANIFEST_BYTES, NAME_BYTES};
use crate::trust::{Trust, Vouched};

/// The manifest's file name.
pub(crate) const FILE: &str = "plugin.json";

/// A manifest and where it lies, read and checked before any code of the plugin runs.
pub(crate) struct Sidecar {
    /// The manifest without its artifact.
    pub(crate) manifest: Manifest,
    /// What the library must be.
    pub(crate) artifact: Artifact,
    /// The SHA-256 of the manifest's bytes.
    pub(crate) sha256: String,
    /// Why it is let in.
    pub(crate) vouched: Vouched,
    folder: Folder,
}

/// Reads the manifest of a plugin's folder, artifact included, and opens no library. Whether it is
/// trusted is not asked.
///
/// # Errors
/// Whatever keeps the plugin from being loaded, as far as its manifest tells.
pub fn read_manifest(folder: &Path) -> Result<Manifest, PluginError> {
    let Sidecar {
        mut manifest,
        artifact,
        ..
    } = Sidecar::read_unvouched(folder, false)?.0;
    manifest.artifact = Some(artifact);
    Ok(manifest)
}

impl Sidecar {
    /// Reads the manifest of a folder, and checks that it may be let in.
    pub(crate) fn read(path: &Path, trust: &Trust) -> Result<Self, PluginError> {
        let (mut sidecar, bytes) = Self::read_unvouched(path, trust.own_files)?;
        sidecar.vouched = trust.vouch(&sidecar, &sidecar.folder, &bytes)?;
        Ok(sidecar)
    }

    /// Reads the manifest of a folder; the bytes are what it was read from.
    pub(crate) fn read_unvouched(
        path: &Path,
        own_files: bool,
    ) -> Result<(Self, Vec<u8>), PluginError> {
        let file = path.join(FILE);
        let unreadable = |refusal| match refusal {
            Refusal::Unsafe(file, why) => PluginError::UnsafePath { file, why },
            Refusal::Unreadable(_, why) => PluginError::ManifestUnreadable {
                file: file.clone(),
                why,
            },
        };
        let folder = Folder::open(path, own_files).map_err(unreadable)?;
        let bytes = folder.read(FILE, MANIFEST_BYTES).map_err(unreadable)?;
        let (manifest, artifact) = parse(&bytes).map_err(|why| PluginError::ManifestInvalid {
            file: file.clone(),
            why,
        })?;
        if !is_plain(&artifact.file) {
            let why = format!(
                "its artifact's file is {:?}; it must be the plain name of a file beside it",
                artifact.file
            );
            return Err(PluginError::UnsafePath { file, why });
        }
        if artifact.target != TARGET {
            let (plugin, target) = (manifest.id, artifact.target);
            return Err(PluginError::WrongTarget {
                plugin,
                target,
                host: TARGET,
            });
        }
        let sidecar = Self {
            manifest,
            artifact,
            sha256: sha256(&bytes),
            vouched: Vouched::default(),
            folder,
        };
        Ok((sidecar, bytes))
    }

    /// Where the library lies.
    pub(crate) fn library(&self) -> PathBuf {
        self.folder.path().join(&self.artifact.file)
    }

    /// The library's bytes, which are those that the manifest speaks of.
    pub(crate) fn read_library(&self) -> Result<Vec<u8>, PluginError> {
        let plugin = self.manifest.id.clone();
        let read = self.folder.read(&self.artifact.file, LIBRARY_BYTES);
        let bytes = read.map_err(|refusal| match refusal {
            Refusal::Unsafe(file, why) => PluginError::UnsafePath { file, why },
            Refusal::Unreadable(file, why) => PluginError::LibraryUnreadable {
                plugin: plugin.clone(),
                file,
                why,
            },
        })?;
        let differs = |what, expected: &dyn ToString, found: &dyn ToString| {
            let (expected, found) = (expected.to_string(), found.to_string());
            let (plugin, file) = (plugin.clone(), self.library());
            Err(PluginError::DigestMismatch {
                plugin,
                file,
                what,
                expected,
                found,
            })
        };
        if bytes.len() as u64 != self.artifact.size {
            return differs("size", &self.artifact.size, &bytes.len());
        }
        let found = sha256(&bytes);
        if found != self.artifact.sha256 {
            return differs("SHA-256", &self.artifact.sha256, &found);
        }
        Ok(bytes)
    }
}

/// The manifest and its artifact.
fn parse(bytes: &[u8]) -> Result<(Manifest, Artifact), String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut manifest = Manifest::parse(text).map_err(|error| error.to_string())?;
    let Some(artifact) = manifest.artifact.take() else {
        return Err("it has no artifact, which says what the library is".into());
    };
    if manifest.id.len() > NAME_BYTES {
        return Err(format!("its id is longer than {NAME_BYTES} bytes"));
    }
    let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    if artifact.sha256.len() != 64 || !artifact.sha256.chars().all(is_hex) {
        return Err("artifact.sha256 is not 64 lower-case hexadecimal digits".into());
    }
    Ok((manifest, artifact))
}
