//! The plugin in C that the host's own tests use, built to misbehave over the ABI.

use std::fs;
use std::path::Path;
use std::process::Command;

use alamein_plugin_host::TARGET;
use serde_json::{Value, json};

use crate::folders::{Folder, write_sidecar};

const LIBRARY: &str = "libfog.so";

/// Adds it to a folder, built with these macros: `NAME=value`.
pub(crate) fn add(folder: &Folder, defines: &[&str]) {
    add_with(folder, defines, &manifest());
}

/// The same with a manifest of its own.
pub(crate) fn add_with(folder: &Folder, defines: &[&str], manifest: &Value) {
    let plugin = folder.path().join("fog-bank");
    fs::create_dir(&plugin).unwrap();
    compile(&plugin.join(LIBRARY), defines, manifest);
    write_sidecar(&plugin, LIBRARY, manifest.clone());
}

/// What it says of itself.
pub(crate) fn manifest() -> Value {
    let rule = |id: &str| json!({"id": id, "title": id, "message": "Fog."});
    json!({
        "manifest_version": 1, "id": "fog-bank", "version": "1.2.3", "rules_revision": 1,
        "title": "Fog", "rules": [rule("X1/drm"), rule("X2/thin"), rule("X3/judge")],
        "layers": [{"name": "fog", "fields": [{"name": "hexes", "kind": "hexes"}]}],
    })
}

fn compile(library: &Path, defines: &[&str], manifest: &Value) {
    let source = xtask::root().join("crates/plugin-host/tests/fixtures/fog.c");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut command = Command::new(&compiler);
    command
        .args(["-shared", "-fPIC", "-O1", "-w", "-o"])
        .arg(library);
    for define in defines {
        command.arg(format!("-D{define}"));
    }
    command.arg(format!("-DTARGET={TARGET:?}"));
    command.arg(format!("-DMANIFEST={:?}", manifest.to_string()));
    let output = command.arg(&source).output();
    let output = output.unwrap_or_else(|error| panic!("these tests need {compiler}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} failed:\n{said}");
}
