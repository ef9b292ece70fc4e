//! Where the SDK is.

use std::{
    env, fmt,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};

/// Where the SDK's crate lies in a clone of this repository.
const CRATE: &str = "crates/plugin-sdk";

/// Where a plugin's `Cargo.toml` finds the SDK.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sdk {
    /// In this folder.
    Folder(PathBuf),
    /// In a git repository.
    Git(String),
}

impl Sdk {
    /// What somebody names: the URL of a git repository, a clone of it, or the SDK's folder in one.
    ///
    /// # Errors
    /// Where it is a folder without the SDK.
    pub fn named(name: &str) -> Result<Self> {
        if name.contains("://") || name.starts_with("git@") {
            return Ok(Self::Git(name.to_owned()));
        }
        let given = Path::new(name);
        for folder in [given.join(CRATE), given.to_path_buf()] {
            if is_sdk(&folder) {
                return Ok(Self::Folder(folder.canonicalize()?));
            }
        }
        bail!(
            "--sdk {name}: there is no {CRATE} in it; name a clone of Alamein's repository, or its URL"
        );
    }

    /// The one of the clone in which a folder lies, or this program; else that of the repository.
    #[must_use]
    pub fn found_from(folder: &Path) -> Self {
        match clone_around(folder) {
            Some(root) => Self::Folder(root.join(CRATE)),
            None => Self::Git(env!("CARGO_PKG_REPOSITORY").to_owned()),
        }
    }

    /// What stands behind `alamein-plugin-sdk =` in a `Cargo.toml`.
    #[must_use]
    pub fn dependency(&self) -> String {
        match self {
            Self::Folder(folder) => format!("{{ path = {:?} }}", folder.display().to_string()),
            Self::Git(url) => format!("{{ git = {url:?} }}"),
        }
    }

    /// The versions with which the SDK is known to work, where they are at hand.
    pub(crate) fn lock(&self) -> Option<PathBuf> {
        let Self::Folder(folder) = self else {
            return None;
        };
        let lock = folder.ancestors().nth(2)?.join("Cargo.lock");
        lock.is_file().then_some(lock)
    }
}

impl fmt::Display for Sdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Git(url) => f.write_str(url),
        }
    }
}

fn is_sdk(folder: &Path) -> bool {
    folder.ends_with("plugin-sdk") && folder.join("Cargo.toml").is_file()
}

/// The clone in which a folder lies, or else this program.
fn clone_around(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok();
    let program = env::current_exe().ok();
    let holds = |place: &&Path| is_sdk(&place.join(CRATE));
    [folder, program]
        .iter()
        .flatten()
        .find_map(|start| start.ancestors().find(holds).map(Path::to_path_buf))
}
