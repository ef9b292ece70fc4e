//! Plugins that are not let in: there are no rules to judge by then.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};

use serde_json::json;

use crate::folders::{Folder, Plugin};
use crate::{Bad, Server, check, fog};

/// What a client must be told: the plugin's id, the reason, and a part of the message.
fn refused(name: &'static str, folder: Folder, plugin: &str, reason: &str, says: &str) -> Bad {
    let expected = json!({"plugin": plugin, "reason": reason, "says": says});
    Bad::new(name, folder, expected)
}

/// All, with one of them changed.
fn changed(change: impl FnOnce(&Plugin)) -> Folder {
    let folder = Folder::of_all();
    change(&folder.plugin("deir"));
    folder
}

/// All and the fog, built with these macros.
fn foggy(defines: &[&str]) -> Folder {
    let folder = Folder::of_all();
    fog::add(&folder, defines);
    folder
}

#[test]
fn a_library_that_is_not_the_one_of_its_sidecar() {
    let missing = changed(|deir| fs::remove_file(deir.library()).unwrap());
    let short = changed(|deir| {
        let bytes = fs::read(deir.library()).unwrap();
        deir.replace(&bytes[..bytes.len() / 2]);
    });
    let other = changed(|deir| {
        let mut bytes = fs::read(deir.library()).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        deir.replace(&bytes);
    });
    let renamed = changed(|deir| deir.edit(|it| it["artifact"]["file"] = "../deir.so".into()));
    check(
        "refused_plugins.py",
        vec![
            refused(
                "missing",
                missing,
                "deir",
                "LIBRARY_UNREADABLE",
                "No such file",
            ),
            refused("half of it", short, "deir", "DIGEST_MISMATCH", "has size"),
            refused(
                "a bit is another",
                other,
                "deir",
                "DIGEST_MISMATCH",
                "has SHA-256",
            ),
            refused("elsewhere", renamed, "deir", "UNSAFE_PATH", "plain name"),
        ],
    );
}

#[test]
fn a_library_that_is_none() {
    // Half of it would do for judging: the rest tells debuggers where they are.
    let cut = changed(|deir| {
        let bytes = fs::read(deir.library()).unwrap();
        deir.replace_and_agree(&bytes[..bytes.len() / 10]);
    });
    let head = changed(|deir| {
        let bytes = fs::read(deir.library()).unwrap();
        deir.replace_and_agree(&bytes[..100]);
    });
    let empty = changed(|deir| deir.replace_and_agree(b""));
    // The same noise each time.
    let mut number = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 24) as u8
    })
    .take(100_000)
    .collect();
    let noise = changed(|deir| deir.replace_and_agree(&noise));
    let script = changed(|deir| deir.replace_and_agree(b"#!/bin/sh\nexit 0\n"));
    let undefined = foggy(&["UNDEFINED=1"]);
    check(
        "refused_plugins.py",
        vec![
            refused("cut short", cut, "deir", "NOT_LOADABLE", "cannot be loaded"),
            refused(
                "a head alone",
                head,
                "deir",
                "NOT_LOADABLE",
                "cannot be loaded",
            ),
            refused("empty", empty, "deir", "NOT_LOADABLE", "cannot be loaded"),
            refused("noise", noise, "deir", "NOT_LOADABLE", "cannot be loaded"),
            refused(
                "a script",
                script,
                "deir",
                "NOT_LOADABLE",
                "cannot be loaded",
            ),
            refused(
                "without a function it needs",
                undefined,
                "fog-bank",
                "NOT_LOADABLE",
                "nobody_has_this",
            ),
        ],
    );
}

#[test]
fn a_sidecar_that_is_none() {
    let write = |text: &'static [u8]| changed(|deir| fs::write(deir.sidecar(), text).unwrap());
    let edit = |edit: fn(&mut serde_json::Value)| changed(|deir| deir.edit(edit));
    check(
        "refused_plugins.py",
        vec![
            refused(
                "not JSON",
                write(b"{ not json"),
                "deir",
                "MANIFEST_INVALID",
                "line 1",
            ),
            refused(
                "not UTF-8",
                write(b"\"\xff\""),
                "deir",
                "MANIFEST_INVALID",
                "UTF-8",
            ),
            refused(
                "empty",
                write(b""),
                "deir",
                "MANIFEST_INVALID",
                "plugin.json",
            ),
            refused(
                "with an unknown field",
                edit(|it| it["colour"] = "red".into()),
                "deir",
                "MANIFEST_INVALID",
                "colour",
            ),
            refused(
                "of another version",
                edit(|it| it["manifest_version"] = 2.into()),
                "deir",
                "MANIFEST_INVALID",
                "this host reads 1",
            ),
            refused(
                "for another machine",
                edit(|it| it["artifact"]["target"] = "pdp11".into()),
                "deir",
                "WRONG_TARGET",
                "is built for \"pdp11\"",
            ),
            refused(
                "that says another version than the library",
                edit(|it| it["version"] = "9.9.9".into()),
                "deir",
                "MISMATCH",
                "9.9.9",
            ),
            refused(
                "that says other rules than the library",
                edit(|it| it["rules"][0]["title"] = "Nothing".into()),
                "deir",
                "MISMATCH",
                "build it again",
            ),
        ],
    );
}

#[test]
fn a_library_of_another_host() {
    let major = |number: u32| foggy(&[&format!("MAJOR={number}")]);
    let swapped = changed(|deir| {
        let hillock = Plugin::of(deir.folder().with_file_name("hillock"));
        deir.replace_and_agree(&fs::read(hillock.library()).unwrap());
    });
    let fog = |name, defines: &[&str], reason, says| {
        refused(name, foggy(defines), "fog-bank", reason, says)
    };
    check(
        "refused_plugins.py",
        vec![
            refused(
                "a later ABI",
                major(2),
                "fog-bank",
                "WRONG_ABI",
                "speaks ABI 2.0",
            ),
            refused(
                "an ABI before the first",
                major(0),
                "fog-bank",
                "WRONG_ABI",
                "speaks ABI 0.0",
            ),
            refused(
                "the library of another plugin",
                swapped,
                "deir",
                "NO_DESCRIPTOR",
                "exports no",
            ),
            fog(
                "panics that end the process",
                &["PANIC=2"],
                "PANIC_ABORT",
                "panic = \"abort\"",
            ),
            fog(
                "panics of no known kind",
                &["PANIC=9"],
                "BAD_DESCRIPTOR",
                "malformed",
            ),
            fog(
                "no magic number",
                &["MAGIC=1"],
                "NOT_A_PLUGIN",
                "no descriptor",
            ),
            fog("another id", &["ID=\"mist\""], "MISMATCH", "mist"),
            fog(
                "a function that is null",
                &["JUDGE_LINES=NULL"],
                "BAD_DESCRIPTOR",
                "malformed",
            ),
        ],
    );
}

#[test]
fn a_file_that_others_may_change() {
    let open = |mode: u32| {
        changed(|deir| {
            fs::set_permissions(deir.folder(), Permissions::from_mode(mode)).unwrap();
        })
    };
    let linked = changed(|deir| {
        let library = deir.library();
        let elsewhere = deir.folder().with_file_name(".elsewhere");
        fs::rename(&library, &elsewhere).unwrap();
        symlink(&elsewhere, &library).unwrap();
    });
    check(
        "refused_plugins.py",
        vec![
            refused(
                "a folder for all",
                open(0o777),
                "deir",
                "UNSAFE_PATH",
                "chmod o-w",
            ),
            refused(
                "a link out of the folder",
                linked,
                "deir",
                "UNSAFE_PATH",
                "leads out",
            ),
        ],
    );
}

#[test]
fn a_plugin_that_cannot_be_made() {
    let rogue = |name, how: &str, reason: &str, says: &str| {
        let expected = json!({"plugin": "rogue", "reason": reason, "says": says, "active": true});
        let options = [("at", "create"), ("how", how)];
        Bad::with_options(name, Folder::with_the_rogue(), &options, expected)
    };
    check(
        "refused_plugins.py",
        vec![
            rogue(
                "it refuses",
                "refuse",
                "NOT_CREATED",
                "does not like its options",
            ),
            rogue(
                "it panics",
                "panic",
                "CREATE_FAILED",
                "the rogue panics in create",
            ),
        ],
    );
}

#[test]
fn plugins_that_clash() {
    let twins = Folder::of_all();
    twins.add(twins.plugin("deir").folder(), "another-deir");
    let layers = Folder::of_all();
    let mut manifest = fog::manifest();
    manifest["layers"][0]["name"] = "deir".into();
    fog::add_with(&layers, &[], &manifest);
    let clash = |name, folder, plugin: &str, says: &str, refusal: &str| {
        let mut expected = json!({"plugin": plugin, "reason": "", "says": says, "clash": true});
        expected["refusal"] = refusal.into();
        Bad::new(name, folder, expected)
    };
    check(
        "refused_plugins.py",
        vec![
            clash(
                "two of one id",
                twins,
                "deir",
                "plugin deir is there twice",
                "PLUGIN_REFUSED",
            ),
            clash(
                "two that own one layer",
                layers,
                "deir",
                "both own the layer \"deir\"",
                "RULESET_CONFLICT",
            ),
        ],
    );
}

#[test]
fn a_folder_without_plugins() {
    let says = "there are no plugins in";
    let expected = json!({"plugin": null, "reason": "", "says": says});
    check(
        "refused_plugins.py",
        vec![Bad::new("empty", Folder::empty(), expected)],
    );
}

#[test]
fn a_folder_that_is_none() {
    let folder = Folder::empty();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for path in [folder.path().join("nowhere"), file] {
        let none: [&str; 0] = [];
        let error = Server::start(&path, &none).unwrap_err().to_string();
        let says = format!("{} is no folder", path.display());
        assert!(error.contains(&says), "{error}");
    }
}
