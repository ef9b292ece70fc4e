//! The manifest beside a library.

use std::path::{Path, PathBuf};

use alamein_terrain::{Artifact, Manifest};

use crate::TARGET;
use crate::digest::sha256;
use crate::error::PluginError;
use crate::files::{Folder, Refusal, is_plain};
use crate::limits::{LIBRARY_BYTES, MANIFEST_BYTES, NAME_BYTES};
use crate::package::Package;
use crate::trust::{Papers, Trust, Vouched};

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
    /// Its text, to the byte.
    pub(crate) text: String,
    /// The text of its signature, if it has one that is a text.
    pub(crate) signature: Option<String>,
    /// Why it is let in.
    pub(crate) vouched: Vouched,
    place: Place,
}

/// Where a manifest lies, and its library.
enum Place {
    /// In a folder.
    Folder(Folder),
    /// In no folder: how the package is called that they came in.
    Package(PathBuf),
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
    } = Sidecar::read_unvouched(folder, false)?;
    manifest.artifact = Some(artifact);
    Ok(manifest)
}

impl Sidecar {
    /// Reads the manifest of a folder, and checks that it may be let in.
    pub(crate) fn read(path: &Path, trust: &Trust) -> Result<Self, PluginError> {
        let sidecar = Self::read_unvouched(path, trust.own_files)?;
        let papers = match &sidecar.place {
            Place::Folder(folder) => trust.papers_in(&sidecar, folder)?,
            Place::Package(_) => return Ok(sidecar),
        };
        sidecar.vouch(trust, papers)
    }

    /// Reads the manifest of a package, and checks that it may be let in. Of folders, the lock files hold.
    pub(crate) fn of_package(
        package: &Package<'_>,
        called: &Path,
        trust: &Trust,
        folders: &[PathBuf],
    ) -> Result<Self, PluginError> {
        let place = Place::Package(called.to_path_buf());
        let bytes = package.manifest.as_bytes();
        if bytes.len() as u64 > MANIFEST_BYTES {
            let why = format!("it is longer than {MANIFEST_BYTES} bytes");
            let file = called.join(FILE);
            return Err(PluginError::ManifestUnreadable { file, why });
        }
        let sidecar = Self::of_bytes(bytes, &called.join(FILE), place)?;
        let signature = package.signature.as_ref();
        let papers = Papers {
            signature: signature.map(|text| text.as_bytes().to_vec()),
            file: called.join(format!("{FILE}.minisig")),
            locks: trust.locks_beside(folders)?,
        };
        sidecar.vouch(trust, papers)
    }

    fn vouch(mut self, trust: &Trust, papers: Papers) -> Result<Self, PluginError> {
        self.vouched = trust.vouch(&self, &papers)?;
        let text = papers.signature.map(String::from_utf8);
        self.signature = text.and_then(Result::ok);
        Ok(self)
    }

    /// Reads the manifest of a folder.
    pub(crate) fn read_unvouched(path: &Path, own_files: bool) -> Result<Self, PluginError> {
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
        Self::of_bytes(&bytes, &file, Place::Folder(folder))
    }

    fn of_bytes(bytes: &[u8], file: &Path, place: Place) -> Result<Self, PluginError> {
        let file = file.to_path_buf();
        let parsed = parse(bytes).map_err(|why| PluginError::ManifestInvalid {
            file: file.clone(),
            why,
        });
        let (manifest, artifact, text) = parsed?;
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
            sha256: sha256(bytes),
            text,
            signature: None,
            vouched: Vouched::default(),
            place,
        })
    }

    /// Where the library lies.
    pub(crate) fn library(&self) -> PathBuf {
        let folder = match &self.place {
            Place::Folder(folder) => folder.path(),
            Place::Package(called) => called,
        };
        folder.join(&self.artifact.file)
    }

    /// The library's bytes, which are those that the manifest speaks of. Those of a package are not read.
    pub(crate) fn read_library(&self) -> Result<Vec<u8>, PluginError> {
        let plugin = self.manifest.id.clone();
        let read = match &self.place {
            Place::Folder(folder) => folder.read(&self.artifact.file, LIBRARY_BYTES),
            Place::Package(called) => Err(Refusal::Unreadable(
                called.clone(),
                "it is in no folder".into(),
            )),
        };
        let bytes = read.map_err(|refusal| match refusal {
            Refusal::Unsafe(file, why) => PluginError::UnsafePath { file, why },
            Refusal::Unreadable(file, why) => PluginError::LibraryUnreadable {
                plugin: plugin.clone(),
                file,
                why,
            },
        })?;
        self.check_library(&bytes)?;
        Ok(bytes)
    }

    /// Checks that a library is the one that the manifest speaks of.
    pub(crate) fn check_library(&self, bytes: &[u8]) -> Result<(), PluginError> {
        let plugin = self.manifest.id.clone();
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
        let found = sha256(bytes);
        if found != self.artifact.sha256 {
            return differs("SHA-256", &self.artifact.sha256, &found);
        }
        Ok(())
    }
}

/// The manifest, its artifact, and its text.
fn parse(bytes: &[u8]) -> Result<(Manifest, Artifact, String), String> {
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
    Ok((manifest, artifact, text.to_owned()))
}
