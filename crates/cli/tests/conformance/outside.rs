//! What can be told of a plugin without running anything of it.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use crate::Checked;
use crate::fixtures::Plugin;

#[track_caller]
fn fails(what: &str, plugin: &Plugin, check: &str, says: &str) {
    let checked = Checked::of(plugin.path(), &[]);
    checked.fails(what, check, says);
    let others = checked.with("pass");
    assert!(
        others.is_empty(),
        "{what}: nothing else was tried: {others:?}"
    );
}

#[test]
fn files() {
    let plugin = Plugin::raw(&[]);
    fs::remove_file(plugin.library()).unwrap();
    fails("no library", &plugin, "files", "No such file");

    let plugin = Plugin::raw(&[]);
    fs::write(plugin.library(), "another").unwrap();
    fails("another library", &plugin, "files", "has size 7");

    let plugin = Plugin::raw(&[]);
    fs::set_permissions(plugin.library(), Permissions::from_mode(0o666)).unwrap();
    fails("a library for all to write", &plugin, "files", "chmod o-w");

    let plugin = Plugin::raw(&[]).edit(|it| it["artifact"]["target"] = json!("pdp11"));
    fails(
        "another machine",
        &plugin,
        "files",
        "is built for \"pdp11\"",
    );
}

#[test]
fn manifests() {
    let plugin = Plugin::raw(&[]).edit(|it| it["colour"] = json!("red"));
    fails("an unknown member", &plugin, "manifest", "colour");
    let plugin = Plugin::raw(&[]).edit(|it| it["rules"][0]["title"] = json!(7));
    fails(
        "a number for a text",
        &plugin,
        "manifest",
        "rules.0.title: 7",
    );
    let plugin = Plugin::raw(&[]).edit(|it| {
        let rule = it["rules"][0].clone();
        it["rules"].as_array_mut().unwrap().push(rule);
    });
    fails("a rule twice", &plugin, "manifest", "stands there twice");
    let plugin = Plugin::raw(&[]);
    fs::write(plugin.path().join("plugin.json"), "{ no JSON").unwrap();
    fails("no JSON", &plugin, "manifest", "it is no JSON");
}

#[test]
fn options_that_do_not_fit_themselves() {
    let options = |schema| Plugin::with_manifest(|it| it["options"]["properties"]["loud"] = schema);
    let plugin = options(json!({"type": "boolean", "default": 3}));
    fails("another type", &plugin, "options", "options.loud");
    let plugin = options(json!({"type": "no such type", "default": 3}));
    fails("no schema", &plugin, "options", "is no JSON Schema");
}

#[test]
fn descriptors() {
    for (defines, says) in [
        (["MAGIC=1"], "which is no descriptor"),
        (["SIZE=16"], "16 bytes"),
        (["PANIC=ALAMEIN_PANIC_ABORT"], "panic = \"abort\""),
        (["PANIC=9"], "panic strategy 9"),
        (["RESERVED=1"], "`reserved`"),
        (["TABLE_SIZE=8"], "table of functions has 8 bytes"),
        (["JUDGE=NULL"], "function number 8"),
        (
            ["SYMBOL=alamein_plugin_other"],
            "exports no alamein_plugin_raw",
        ),
    ] {
        fails(defines[0], &Plugin::raw(&defines), "descriptor", says);
    }
}

#[test]
fn another_abi() {
    for (define, says) in [
        ("MAJOR=2", "speaks ABI 2."),
        ("MAJOR=0", "speaks ABI 0."),
        ("MINOR=(ALAMEIN_ABI_MINOR+1)", "use a newer host"),
    ] {
        fails(define, &Plugin::raw(&[define]), "abi", says);
    }
}

#[test]
fn a_library_of_another_manifest() {
    for (define, says) in [
        ("ID=\"other\"", "other"),
        ("VERSION=\"9.9.9\"", "9.9.9"),
        ("RULE=\"X2.2/other\"", "another table of rules"),
    ] {
        fails(define, &Plugin::raw(&[define]), "same-manifest", says);
    }
    let plugin = Plugin::raw(&[]).edit(|it| it["title"] = json!("Another"));
    fails(
        "another title beside it",
        &plugin,
        "same-manifest",
        "manifest",
    );
    let plugin = Plugin::raw(&[]).edit(|it| it["artifact"]["build_id"] = json!("another"));
    fails("another build id", &plugin, "same-manifest", "build id");
}

#[test]
fn a_library_that_is_none() {
    let plugin = Plugin::raw(&[]).patch(|bytes| bytes.truncate(100));
    fails("a head alone", &plugin, "loads", "cut short");
    let plugin = Plugin::raw(&[]).patch(|bytes| bytes[..4].copy_from_slice(b"#!/b"));
    fails("a script", &plugin, "loads", "letters ELF");
}
