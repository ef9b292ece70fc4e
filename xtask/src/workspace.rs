//! The workspace as cargo sees it.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::cargo;

/// What `cargo metadata` tells of a workspace: its members and what they lean on.
#[derive(Debug, Deserialize)]
pub struct Workspace {
    /// The folder of the root manifest.
    #[serde(rename = "workspace_root")]
    pub root: PathBuf,
    /// Where cargo builds.
    #[serde(rename = "target_directory")]
    pub target: PathBuf,
    pub(crate) packages: Vec<Package>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `None` is an ordinary dependency; the others are `dev` and `build`.
    pub(crate) kind: Option<String>,
    /// Only a dependency of this house has a path.
    pub(crate) path: Option<PathBuf>,
}

impl Workspace {
    /// Asks cargo about the workspace whose root manifest lies in `root`.
    pub fn read(root: &Path) -> Result<Self> {
        let mut command = cargo::command(root);
        command.args(["metadata", "--no-deps", "--format-version", "1"]);
        let metadata = cargo::stdout(&mut command)?;
        serde_json::from_slice(&metadata).context("cargo metadata printed something unknown")
    }

    /// Where [`crate::build_plugins`] puts plugins unless told otherwise.
    pub fn plugin_dir(&self) -> PathBuf {
        self.target.join("alamein").join("plugins")
    }

    /// The packages under `plugins/`, by name.
    pub(crate) fn plugins(&self) -> Vec<&Package> {
        let home = self.root.join("plugins");
        let mut plugins: Vec<_> = self
            .packages
            .iter()
            .filter(|p| p.manifest_path.starts_with(&home))
            .collect();
        plugins.sort_by(|a, b| a.name.cmp(&b.name));
        plugins
    }

    /// The folders of a package and of all in this house that it is built from.
    pub(crate) fn sources_of<'a>(&'a self, package: &'a Package) -> BTreeSet<&'a Path> {
        let mut folders = BTreeSet::from([package.folder()]);
        let mut waiting = vec![package];
        while let Some(next) = waiting.pop() {
            let built_from = next.dependencies.iter().filter(|d| !d.is_dev());
            for path in built_from.filter_map(|d| d.path.as_deref()) {
                if folders.insert(path) {
                    waiting.extend(self.packages.iter().find(|p| p.folder() == path));
                }
            }
        }
        folders
    }
}

impl Package {
    pub(crate) fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }
}

impl Dependency {
    pub(crate) fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}
