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
    /// Its packages.
    pub packages: Vec<Package>,
}

/// A package that lies in a folder of this machine.
#[derive(Debug, Deserialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its `Cargo.toml`.
    pub manifest_path: PathBuf,
    /// What it leans on.
    pub dependencies: Vec<Dependency>,
    /// Where it was fetched from; nothing if it lies on this machine.
    source: Option<String>,
}

/// What a package leans on.
#[derive(Debug, Deserialize)]
pub struct Dependency {
    /// The other package's name.
    pub name: String,
    /// `None` is an ordinary dependency; the others are `dev` and `build`.
    pub kind: Option<String>,
    /// Only a dependency of this house has a path.
    pub path: Option<PathBuf>,
}

impl Workspace {
    /// Asks cargo about the workspace whose root manifest lies in `root`.
    ///
    /// # Errors
    /// Where there is none, or none that cargo understands.
    pub fn read(root: &Path) -> Result<Self> {
        let mut command = cargo::command(root);
        command.args(["metadata", "--no-deps", "--format-version", "1"]);
        let metadata = cargo::stdout(&mut command)?;
        parse(&metadata)
    }

    /// The same with every package of other workspaces of this machine on which its own lean.
    /// Versions that no lock file holds yet are settled by this.
    ///
    /// # Errors
    /// As [`read`](Self::read), in cargo's own words; or where something cannot be found.
    pub fn read_with_dependencies(root: &Path) -> Result<Self> {
        let mut command = cargo::command(root);
        command.args(["metadata", "--format-version", "1"]);
        let metadata = cargo::quiet_stdout(&mut command)?;
        let mut workspace = parse(&metadata)?;
        workspace
            .packages
            .retain(|package| package.source.is_none());
        Ok(workspace)
    }

    /// The package that lies in a folder.
    #[must_use]
    pub fn package_in(&self, folder: &Path) -> Option<&Package> {
        self.packages.iter().find(|p| p.folder() == folder)
    }

    /// Where [`crate::build_plugins`] puts plugins unless told otherwise.
    #[must_use]
    pub fn plugin_dir(&self) -> PathBuf {
        self.target.join("alamein").join("plugins")
    }

    /// The packages under `plugins/`, by name, but for the house rules.
    #[must_use]
    pub fn plugins(&self) -> Vec<&Package> {
        self.packages_in(&self.root.join("plugins"))
    }

    /// The packages under `plugins/house-rules/`, by name. A house rule in C is no package.
    #[must_use]
    pub fn house_rules(&self) -> Vec<&Package> {
        self.packages_in(&self.house_rules_dir())
    }

    /// Where the sources of house rules lie.
    #[must_use]
    pub fn house_rules_dir(&self) -> PathBuf {
        self.root.join("plugins").join("house-rules")
    }

    /// Where [`crate::build_house_rules`] puts house rules unless told otherwise.
    #[must_use]
    pub fn built_house_rules_dir(&self) -> PathBuf {
        self.target.join("alamein").join("house-rules")
    }

    fn packages_in(&self, home: &Path) -> Vec<&Package> {
        let is_in = |package: &&Package| package.folder().parent() == Some(home);
        let mut found: Vec<_> = self.packages.iter().filter(is_in).collect();
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    }

    /// The folders of a package and of all in this house that it is built from.
    #[must_use]
    pub fn sources_of<'a>(&'a self, package: &'a Package) -> BTreeSet<&'a Path> {
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

fn parse(metadata: &[u8]) -> Result<Workspace> {
    serde_json::from_slice(metadata).context("cargo metadata printed something unknown")
}

impl Package {
    /// The folder of its `Cargo.toml`.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }
}

impl Dependency {
    /// Whether only its tests lean on it.
    #[must_use]
    pub fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}
