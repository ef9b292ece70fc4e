//! Plugins written in Rust.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{
    BUILD_ID,
    cargo::{self, Artifact},
    files,
    layout::{digest_of, is_library},
    workspace::{Package, Workspace},
};

/// What cargo leaves out of what it builds optimised.
const STRIP: &str = "CARGO_PROFILE_RELEASE_STRIP";

/// How to have cargo build a plugin.
#[derive(Clone, Copy)]
pub(crate) struct Build<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) package: &'a Package,
    /// Optimised.
    pub(crate) release: bool,
    /// Only what fails is shown.
    pub(crate) quiet: bool,
}

impl Build<'_> {
    /// Builds the library and returns where cargo left it.
    pub(crate) fn compile(&self, build_id: &str) -> Result<PathBuf> {
        let (workspace, package) = (self.workspace, self.package);
        let mut command = cargo::command(&workspace.root);
        command.args(["build", "--package", &package.name, "--lib"]);
        command.arg("--target-dir").arg(self.target());
        if self.release {
            command.arg("--release");
            // A host reads all of a library as it starts, to know its digest, and most of one is debug
            // information: the standard library's, for the most part. Names of functions stay.
            if std::env::var_os(STRIP).is_none() {
                command.env(STRIP, "debuginfo");
            }
        }
        command.env(BUILD_ID, build_id);
        let artifacts = if self.quiet {
            cargo::quiet_build(&mut command)?
        } else {
            cargo::build(&mut command)?
        };
        let is_ours = |a: &&Artifact| {
            a.manifest_path == package.manifest_path
                && a.target.crate_types.iter().any(|kind| kind == "cdylib")
        };
        artifacts
            .iter()
            .find(is_ours)
            .and_then(|a| a.filenames.iter().find(|f| is_library(f)))
            .cloned()
            .with_context(|| {
                let manifest = package.manifest_path.display();
                format!("no cdylib; {manifest} needs\n[lib]\ncrate-type = [\"cdylib\", \"rlib\"]")
            })
    }

    /// Where cargo builds plugins: apart from everything else, so that an ordinary build and this one
    /// do not undo each other's work.
    fn target(&self) -> PathBuf {
        self.workspace.target.join("alamein").join("build")
    }

    /// A digest of all that the plugin is built from: its own files, those of each crate on this
    /// machine that it leans on, and the manifest and locked versions of the whole workspace.
    pub(crate) fn id(&self) -> Result<String> {
        let root: &Path = &self.workspace.root;
        let mut sources = vec![root.join("Cargo.toml"), root.join("Cargo.lock")];
        for folder in self.workspace.sources_of(self.package) {
            sources.extend(files::under(folder)?);
        }
        sources.sort();
        sources.dedup();
        digest_of(&sources, root)
    }
}
