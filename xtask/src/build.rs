//! The `alamein` binary.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};

use alamein_plugin_build::{cargo, files};

use crate::Workspace;

/// Builds the `alamein` binary and copies it to `target/alamein/bin`, beside the plugins.
pub fn build_binary(workspace: &Workspace, release: bool) -> Result<PathBuf> {
    let mut command = cargo::command(&workspace.root);
    command.args(["build", "--package", "alamein-cli", "--bin", "alamein"]);
    if release {
        command.arg("--release");
    }
    let artifacts = cargo::build(&mut command)?;
    let executable = artifacts
        .iter()
        .find_map(|a| {
            a.executable
                .as_deref()
                .filter(|_| a.target.name == "alamein")
        })
        .context("cargo built no binary named alamein")?;
    let folder = workspace.target.join("alamein").join("bin");
    files::make_folder(&folder)?;
    let path = folder.join(executable.file_name().unwrap_or_default());
    files::place(&path, &fs::read(executable)?, true)?;
    Ok(path)
}
