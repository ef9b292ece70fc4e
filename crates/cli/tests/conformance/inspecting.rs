//! `alamein plugin inspect`.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::fixtures::Plugin;

fn inspect(plugin: &Path) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alamein"));
    let output = command
        .args(["plugin", "inspect", "--json"])
        .arg(plugin)
        .output()
        .unwrap();
    let report = serde_json::from_slice(&output.stdout).unwrap();
    (output.status.code().unwrap(), report)
}

#[test]
fn the_descriptor_is_read_and_nothing_runs() {
    // Its constructor would end the process.
    let plugin = Plugin::raw(&["CONSTRUCTOR=abort()"]);
    let (code, report) = inspect(plugin.path());
    assert_eq!(code, 0, "{report:#}");
    let descriptor = &report["descriptor"];
    assert_eq!(descriptor["symbol"], "alamein_plugin_raw");
    assert_eq!(descriptor["rules"], json!(["X2.1/said"]));
    assert_eq!(descriptor["kinds"], json!(["raw"]));
    assert_eq!(descriptor["panic_strategy"], 3);
    assert_eq!(descriptor["build_id"], report["artifact"]["build_id"]);
    assert_eq!(report["accepted"], true);
}

#[test]
fn a_rust_plugin_is_read_as_a_host_would_read_it() {
    let folder = xtask::Workspace::read(&xtask::root()).unwrap();
    xtask::build_plugins(&folder, &xtask::BuildPlugins::default()).unwrap();
    let plugin = folder.plugin_dir().join("deir");
    let loaded = alamein_plugin_host::NativePlugin::load(&plugin).unwrap();
    let (code, report) = inspect(&plugin);
    assert_eq!(code, 0, "{report:#}");
    let descriptor = &report["descriptor"];
    assert_eq!(descriptor["rules"], json!(loaded.rules()));
    assert_eq!(descriptor["kinds"], json!(loaded.kinds()));
    assert_eq!(descriptor["build_id"], loaded.build_id());
    assert_eq!(descriptor["target"], alamein_plugin_host::TARGET);
}

#[test]
fn why_a_host_would_refuse_it_is_told() {
    let plugin = Plugin::raw(&["MAJOR=2"]);
    let (code, report) = inspect(plugin.path());
    assert_eq!(
        (code, &report["refusal"]["reason"]),
        (1, &json!("WRONG_ABI"))
    );
    let plugin = Plugin::raw(&["RULE=\"X9.9/other\""]);
    let (code, report) = inspect(plugin.path());
    assert_eq!(
        (code, &report["refusal"]["reason"]),
        (1, &json!("MISMATCH"))
    );
}
