//! Packages: all that a plugin comes in, without a folder.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::digest::sha256;
use crate::error::PluginError;
use crate::limits::LIBRARY_BYTES;

/// All that a plugin comes in, without a folder: to be kept elsewhere, and loaded from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package<'a> {
    /// The text of its `plugin.json`, to the byte.
    pub manifest: Cow<'a, str>,
    /// The text of that file's signature, if it has one.
    pub signature: Option<Cow<'a, str>>,
    /// Its library.
    pub library: Cow<'a, [u8]>,
}

/// What a plugin came in, as far as it is remembered.
pub(crate) struct Came {
    pub(crate) manifest: String,
    pub(crate) signature: Option<String>,
    pub(crate) target: String,
    /// Where the library's bytes are that were opened, if they can still be read.
    pub(crate) staged: Option<PathBuf>,
}

impl Came {
    /// The package of a plugin, whose library lay in `file` and has this SHA-256.
    pub(crate) fn package(
        &self,
        plugin: &str,
        file: &Path,
        expected: &str,
    ) -> Result<Package<'static>, PluginError> {
        let from = self.staged.as_deref().unwrap_or(file);
        let (plugin, file) = (plugin.to_owned(), file.to_path_buf());
        let library = match read(from) {
            Ok(library) => library,
            Err(error) => {
                let why = error.to_string();
                return Err(PluginError::LibraryUnreadable { plugin, file, why });
            }
        };
        let found = sha256(&library);
        if found != expected {
            return Err(PluginError::DigestMismatch {
                plugin,
                file,
                what: "SHA-256",
                expected: expected.to_owned(),
                found,
            });
        }
        Ok(Package {
            manifest: self.manifest.clone().into(),
            signature: self.signature.clone().map(Into::into),
            library: library.into(),
        })
    }
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(LIBRARY_BYTES + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
