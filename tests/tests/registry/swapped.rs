//! A plugin of which a test builds one version after the other, each with a number of its own in its
//! code.

use std::fs;
use std::path::{Path, PathBuf};

use alamein_plugin_build::{BuildFolder, build_folder};
use alamein_tests::root;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Its id.
pub(crate) const ID: &str = "swapped";

/// Where its versions are built.
pub(crate) struct Swapped(TempDir);

impl Swapped {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    /// A build that gives so much TEM, in a folder of its own.
    pub(crate) fn build(&self, version: &str, value: i16) -> PathBuf {
        self.build_with(version, value, |_| {})
    }

    /// The same, with what its manifest says changed.
    pub(crate) fn build_with(
        &self,
        version: &str,
        value: i16,
        change: impl FnOnce(&mut Value),
    ) -> PathBuf {
        let name = fs::read_dir(self.0.path()).unwrap().count();
        let work = self.0.path().join(name.to_string());
        let source = work.join("source");
        fs::create_dir_all(&source).unwrap();
        fs::copy(
            root().join("tests/swapped/plugin.c"),
            source.join("plugin.c"),
        )
        .unwrap();
        fs::write(source.join("value.h"), format!("#define VALUE {value}\n")).unwrap();
        let mut manifest = json!({
            "manifest_version": 1, "id": ID, "version": version, "rules_revision": 1,
            "title": "Swapped", "requires": {"deir": "*"},
            "rules": [{"id": "H1/tem", "title": "", "message": "", "replaces": ["F4.5/tem"]}],
        });
        change(&mut manifest);
        fs::write(source.join("plugin.json"), manifest.to_string()).unwrap();
        let built = build_folder(&BuildFolder {
            source,
            out: Some(work.join("built")),
            target: alamein_plugin_host::TARGET.into(),
            ..BuildFolder::default()
        });
        built.unwrap().folder
    }
}

/// Puts a case beside a built plugin: that a shot in the open has this TEM.
pub(crate) fn add_case(folder: &Path, total_drm: i16) {
    let case = json!({
        "id": "own-case", "map": {"columns": 12, "rows": 10},
        "counters": [], "questions": [{
            "id": "open", "kind": "line_of_fire", "from": "C3", "to": "F3", "attack": "direct",
            "expect": {"total_drm": total_drm},
        }],
    });
    fs::create_dir_all(folder.join("cases")).unwrap();
    fs::write(folder.join("cases/own.json"), case.to_string()).unwrap();
}
