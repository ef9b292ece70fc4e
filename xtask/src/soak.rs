//! The soak: plugins swapped under load, for as long as one likes.

use alamein_plugin_build::cargo;
use anyhow::Result;

use crate::Workspace;

/// Runs the soak for so many minutes.
pub fn soak(workspace: &Workspace, minutes: u64, release: bool) -> Result<()> {
    let mut test = cargo::command(&workspace.root);
    test.args(["test", "-p", "alamein-tests", "--test", "soak"]);
    if release {
        test.arg("--release");
    }
    let seconds = minutes.saturating_mul(60);
    test.env("ALAMEIN_SOAK_SECONDS", seconds.to_string());
    cargo::run(test.args(["--", "--nocapture"]))
}
