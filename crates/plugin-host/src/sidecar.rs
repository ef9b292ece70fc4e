//! The manifest beside a library.

use std::path::{Path, PathBuf};

use alamein_terrain::{Artifact, Manifest};
use sha2::{Digest, Sha256};

use crate::TARGET;
use crate::error::PluginError;
use crate::files::{Folder, Refusal, is_plain};
use crate::limits::{LIBRARY_BYTES, MANIFEST_BYTES, NAME_BYTES};

/// The manifest's file name.
pub(crate) const FILE: &str = "plugin.json";

/// A manifest and where it lies, read and checked before any code of the plugin runs.
pub(crate) struct Sidecar {
    /// The manifest without its artifact.
    pub(crate) manifest: Manifest,
    /// What the library must be.
    pub(crate) artifact: Artifact,
    folder: Folder,
}

/// Reads the manifest of a plugin's folder, artifact included, and opens no library.
///
/// # Errors
/// Whatever keeps the plugin from being loaded, as far as its manifest tells.
pub fn read_manifest(folder: &Path) -> Result<Manifest, PluginError> {
    let Sidecar {
        mut manifest,
        artifact,
        ..
    } = Sidecar::read(folder)?;
    manifest.artifact = Some(artifact);
    Ok(manifest)
}

impl Sidecar {
    /// Reads the manifest of a folder.
    pub(crate) fn read(path: &Path) -> Result<Self, PluginError> {
        let file = path.join(FILE);
        let unreadable = |refusal| match refusal {
            Refusal::Unsafe(file, why) => PluginError::UnsafePath { file, why },
            Refusal::Unreadable(_, why) => PluginError::ManifestUnreadable {
                file: file.clone(),
                why,
            },
        };
        let folder = Folder::open(path).map_err(unreadable)?;
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
        Ok(Self {
            manifest,
            artifact,
            folder,
        })
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
        let found = digest(&bytes);
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

/// The SHA-256, in hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
