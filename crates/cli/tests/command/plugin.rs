//! Starting, building, testing and listing plugins.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::{Ran, command, plugins};

/// Runs the command in a folder. What cargo builds there lies where the other tests' plugins do, so
/// that crates which are compiled already are not compiled again.
fn run_in(folder: &Path, line: &str) -> Ran {
    let target = xtask::Workspace::read(&xtask::root()).unwrap().target;
    let mut command = command(line);
    command.current_dir(folder).env("CARGO_TARGET_DIR", target);
    Ran::of(command.output().unwrap())
}

/// A plugin that was started and built.
fn started() -> &'static Path {
    static STARTED: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, plugin) = STARTED.get_or_init(|| {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let ran = run_in(folder.path(), "plugin new stony-wadi");
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.says("src/lib.rs")
            .says("The SDK comes from this clone: ");
        let plugin = folder.path().join("stony-wadi");
        let ran = run_in(&plugin, "plugin build");
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.says("stony-wadi in target/plugins/stony-wadi: the library")
            .says("1 case file")
            .says("alamein plugin test target/plugins/stony-wadi");
        (folder, plugin)
    });
    plugin
}

#[test]
fn a_new_plugin_builds_passes_its_cases_and_changes_a_ruling() {
    let plugin = started();
    let ran = run_in(plugin, "plugin test target/plugins/stony-wadi");
    assert_eq!((ran.code, &*ran.err), (0, ""), "{}", ran.out);
    ran.says("4 passed, 0 failed, 0 skipped");

    // Its option is heard.
    let ran = run_in(
        plugin,
        "plugin test target/plugins/stony-wadi --set stony-wadi.tem=2",
    );
    assert_eq!(ran.code, 1, "{}", ran.err);
    ran.says("stony_wadi_tem: expected 1, ruled 2")
        .says("total_drm: expected 1, ruled 2");

    // A value that it does not take is no fault of the case file.
    let ran = run_in(
        plugin,
        "plugin test target/plugins/stony-wadi --set stony-wadi.tem=much",
    );
    ran.complains("options.stony-wadi.tem: ");
    assert_eq!(ran.out, "");

    // Without it the same shot has no DRM.
    let case = plugin.join("cases/stony-wadi.json");
    let ran = run_in(plugin, &format!("check {} --json", case.display()));
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["unowned_layers"][0], "stony-wadi");

    let ran = run_in(plugin, "plugin list target/plugins --json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["plugins"][0]["state"], "ok");
    assert_eq!(report["plugins"][0]["id"], "stony-wadi");
}

#[test]
fn what_does_not_compile_is_told_in_the_compilers_words() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let ran = run_in(folder.path(), "plugin new broken");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let source = folder.path().join("broken/src/lib.rs");
    let text = fs::read_to_string(&source).unwrap();
    fs::write(&source, text.replace("line.to()", "line.two()")).unwrap();
    let ran = run_in(folder.path(), "plugin build broken");
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.contains("no method named `two`"), "{}", ran.err);
    assert!(ran.err.contains("src/lib.rs"), "{}", ran.err);
}

#[test]
fn where_manifest_and_code_differ_it_is_told_what_to_change() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let ran = run_in(folder.path(), "plugin new wadi");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let file = folder.path().join("wadi/plugin.json");
    let usual = fs::read_to_string(&file).unwrap();
    let change = |what: &str, to: Value| {
        let mut manifest: Value = serde_json::from_str(&usual).unwrap();
        *manifest.pointer_mut(what).unwrap() = to;
        fs::write(&file, manifest.to_string()).unwrap();
        run_in(folder.path(), "plugin test wadi")
    };
    change("/version", "0.2.0".into()).complains("Cargo.toml");
    change("/rules/0/id", "X9/other".into()).complains("the table of `rules!`");
    change("/rules/0/message", "{plaice}".into()).complains("did you mean {place}?");
}

#[test]
fn a_name_that_cannot_be_one_and_a_folder_that_is_there_are_told() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let new = |line: &str| run_in(folder.path(), &format!("plugin new {line}"));
    new("Deep_Deirs").complains("such as deep-deirs");
    new("self").complains("is a word of Rust");
    new("../up").complains("NAME: \"../up\"");
    new("wadi --sdk /nowhere").complains("--sdk /nowhere: there is no crates/plugin-sdk in it");
    fs::create_dir(folder.path().join("wadi")).unwrap();
    new("wadi").complains("wadi is there already; nothing is written over it");
    assert_eq!(fs::read_dir(folder.path().join("wadi")).unwrap().count(), 0);

    let ran = new("wadi --dir elsewhere --sdk https://example.org/alamein.git");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let manifest = fs::read_to_string(folder.path().join("elsewhere/Cargo.toml")).unwrap();
    let wanted = "alamein-plugin-sdk = { git = \"https://example.org/alamein.git\" }";
    assert!(manifest.contains(wanted), "{manifest}");
}

#[test]
fn folders_without_sources_are_told_with_what_they_lack() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let build = || run_in(folder.path(), "plugin build");
    build().complains("it has no plugin.json");
    let write = |id: &str| {
        let manifest = serde_json::json!({
            "manifest_version": 1, "id": id, "version": "0.1.0", "rules_revision": 1, "title": "X",
            "rules": [],
        });
        fs::write(folder.path().join("plugin.json"), manifest.to_string()).unwrap();
    };
    write("x");
    build().complains("has neither a Cargo.toml nor a file that ends in .c");
    // It is told of the file that is to be mended.
    write("X");
    build().complains("./plugin.json: id \"X\": use lower-case letters");
    run_in(folder.path(), "plugin test nowhere").complains("nowhere is no folder");
}

#[test]
fn a_plugin_that_is_refused_is_listed_with_the_reason() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let broken = folder.path().join("deir");
    fs::create_dir(&broken).unwrap();
    fs::copy(
        plugins().join("deir/plugin.json"),
        broken.join("plugin.json"),
    )
    .unwrap();
    let ran = run_in(folder.path(), "plugin list .");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    ran.says("deir  refused  LIBRARY_UNREADABLE")
        .says("0 ok, 1 refused in .");
}
