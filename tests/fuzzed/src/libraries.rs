//! Libraries that call themselves plugins, looked at and never opened.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use alamein_plugin_host::TARGET;
use alamein_plugin_kit::{describe, inspect};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

/// The plugin that the seeds are builds of.
pub(crate) const ID: &str = "midday-haze";

const FILE: &str = "library.so";

/// Bytes become a library, and are looked at as those of a plugin.
pub(crate) fn run(bytes: &[u8]) {
    match describe(bytes, ID) {
        Ok(described) => assert!(described.symbol.starts_with("alamein_plugin_")),
        Err(why) => assert!(!why.to_string().is_empty()),
    }
    // The whole of it, files included: what a host does before it opens anything.
    let folder = folder();
    let lay = || {
        fs::write(folder.join(FILE), bytes)?;
        fs::write(folder.join("plugin.json"), manifest(bytes))
    };
    if lay().is_err() {
        return;
    }
    match inspect(folder) {
        Ok(inspection) => {
            let refused = inspection.refusal.map(|error| error.to_string());
            assert!(refused.is_none_or(|why| !why.is_empty()));
        }
        Err(error) => panic!("{error}: manifest and library belong together"),
    }
}

/// A folder of this process's own, in memory where there is such.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let made = FOLDER.get_or_init(|| {
        let made = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        match made {
            Ok(made) => made,
            Err(error) => panic!("no folder: {error}"),
        }
    });
    made.path()
}

/// The manifest of the seeds' plugin, for a library of these bytes.
fn manifest(library: &[u8]) -> String {
    let sha256: String = Sha256::digest(library)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    serde_json::json!({
        "manifest_version": 1, "id": ID, "version": "0.1.0", "rules_revision": 1, "title": "",
        "rules": [{"id": "H1", "title": "", "message": ""}],
        "artifact": {"file": FILE, "size": library.len(), "sha256": sha256, "target": TARGET,
            "build_id": "fuzzed"},
    })
    .to_string()
}
