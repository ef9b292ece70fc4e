//! A plugin of which a test builds one version after the other, each with a number of its own in its
//! code.

use std::fs;
use std::path::{Path, PathBuf};

use alamein_plugin_build::{BuildFolder, build_folder};
use anyhow::Result;
use serde_json::{Value, json};
use tempfile::TempDir;
use xtask::Workspace;

use crate::root;

/// Its id.
pub const ID: &str = "swapped";

/// Where its versions are built.
#[derive(Debug)]
pub struct Swapped(TempDir);

impl Swapped {
    /// A folder for builds, gone once it is dropped.
    ///
    /// # Errors
    /// Where there can be none.
    pub fn new() -> Result<Self> {
        Ok(Self(temporary()?))
    }

    /// A build that gives so much TEM, in a folder of its own.
    ///
    /// # Errors
    /// Where it does not build.
    pub fn build(&self, version: &str, value: i16) -> Result<PathBuf> {
        self.build_with(version, value, |_| {})
    }

    /// The same, with what its manifest says changed.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_with(
        &self,
        version: &str,
        value: i16,
        change: impl FnOnce(&mut Value),
    ) -> Result<PathBuf> {
        let name = fs::read_dir(self.0.path())?.count();
        let work = self.0.path().join(name.to_string());
        let source = work.join("source");
        fs::create_dir_all(&source)?;
        fs::copy(
            root().join("tests/swapped/plugin.c"),
            source.join("plugin.c"),
        )?;
        fs::write(source.join("value.h"), format!("#define VALUE {value}\n"))?;
        let mut manifest = json!({
            "manifest_version": 1, "id": ID, "version": version, "rules_revision": 1,
            "title": "Swapped", "requires": {"deir": "*"},
            "rules": [{"id": "H1/tem", "title": "", "message": "", "replaces": ["F4.5/tem"]}],
        });
        change(&mut manifest);
        fs::write(source.join("plugin.json"), manifest.to_string())?;
        let built = build_folder(&BuildFolder {
            source,
            out: Some(work.join("built")),
            target: alamein_plugin_host::TARGET.into(),
            ..BuildFolder::default()
        });
        Ok(built?.folder)
    }
}

/// Puts a case beside a built plugin: that a shot in the open has this TEM.
///
/// # Errors
/// Where it cannot be written.
pub fn add_case(folder: &Path, total_drm: i16) -> Result<()> {
    let case = json!({
        "id": "own-case", "map": {"columns": 12, "rows": 10},
        "counters": [], "questions": [{
            "id": "open", "kind": "line_of_fire", "from": "C3", "to": "F3", "attack": "direct",
            "expect": {"total_drm": total_drm},
        }],
    });
    fs::create_dir_all(folder.join("cases"))?;
    fs::write(folder.join("cases/own.json"), case.to_string())?;
    Ok(())
}

/// A folder that is gone once it is dropped, beside what cargo builds: libraries can be loaded there.
///
/// # Errors
/// Where there can be none.
pub fn temporary() -> Result<TempDir> {
    let target = Workspace::read(&root())?.target;
    let folder = target.join("tmp");
    fs::create_dir_all(&folder)?;
    Ok(tempfile::tempdir_in(folder)?)
}
