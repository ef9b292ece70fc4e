//! Folders, files and libraries that are refused, and why.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use alamein_plugin_host::{NativePlugin, PluginError, TARGET, libraries_held};
use serde_json::{Value, json};

use crate::support::{Built, Fixture, digest};

/// The reason and the message with which a fixture is refused.
fn refused(built: &Built) -> (&'static str, String) {
    let error = built.load().expect_err("it must be refused");
    (error.reason(), error.to_string())
}

/// Checks that a fixture is refused for this reason, with a message that holds this, and that
/// nothing of it was opened if `opened` says so.
fn check(built: &Built, reason: &str, message: &str) {
    let (found, text) = refused(built);
    assert_eq!(found, reason, "{text}");
    assert!(text.contains(message), "{message:?} is not in: {text}");
}

/// A library that its descriptor condemns.
fn check_library(defines: &[&str], reason: &str, message: &str) {
    check(&Fixture::with(defines).build(), reason, message);
}

/// A sidecar that is edited so.
fn check_sidecar(edit: impl FnOnce(&mut Value), reason: &str, message: &str) {
    let built = Fixture::new().build();
    built.edit(edit);
    check(&built, reason, message);
}

#[test]
fn a_sidecar_must_be_there_and_be_a_file() {
    let built = Fixture::new().build();
    let sidecar = built.path().join("plugin.json");
    fs::remove_file(&sidecar).expect("to remove it");
    check(
        &built,
        "MANIFEST_UNREADABLE",
        "plugin.json: cannot be read: No such file",
    );
    fs::create_dir(&sidecar).expect("a folder");
    check(&built, "MANIFEST_UNREADABLE", "it is no ordinary file");
    fs::remove_dir(&sidecar).expect("to remove it");
    let made = Command::new("mkfifo")
        .arg(&sidecar)
        .status()
        .expect("mkfifo");
    assert!(made.success());
    check(&built, "MANIFEST_UNREADABLE", "it is no ordinary file");

    let nowhere = NativePlugin::load(Path::new("/nowhere/at/all")).expect_err("there is none");
    assert_eq!(nowhere.reason(), "MANIFEST_UNREADABLE");
}

#[test]
fn a_sidecar_must_be_a_manifest() {
    let built = Fixture::new().build();
    let write = |text: &[u8]| fs::write(built.path().join("plugin.json"), text).expect("to write");
    write(b"{ not json");
    check(&built, "MANIFEST_INVALID", "line 1 column 3");
    write(b"\"\xff\"");
    check(&built, "MANIFEST_INVALID", "it is not UTF-8");
    write(&vec![b' '; (1 << 20) + 1]);
    check(
        &built,
        "MANIFEST_UNREADABLE",
        "it is longer than 1048576 bytes",
    );

    let invalid = |edit: fn(&mut Value), message| check_sidecar(edit, "MANIFEST_INVALID", message);
    invalid(
        |sidecar| sidecar["colour"] = "red".into(),
        "unknown field `colour`",
    );
    invalid(
        |sidecar| sidecar["artifact"] = Value::Null,
        "it has no artifact",
    );
    invalid(
        |sidecar| sidecar["manifest_version"] = 2.into(),
        "this host reads 1",
    );
    invalid(
        |sidecar| sidecar["id"] = "Fog".into(),
        "use lower-case letters",
    );
    invalid(
        |sidecar| sidecar["id"] = "f".repeat(300).into(),
        "longer than 256",
    );
    invalid(
        |sidecar| sidecar["artifact"]["sha256"] = "AB".into(),
        "64 lower-case",
    );
}

#[test]
fn a_library_lies_beside_its_sidecar() {
    for file in [
        "/etc/passwd",
        "../libfog.so",
        "sub/libfog.so",
        "..",
        ".",
        "",
        "a\\b",
        "a\0b",
    ] {
        let edit = |sidecar: &mut Value| sidecar["artifact"]["file"] = file.into();
        check_sidecar(edit, "UNSAFE_PATH", "the plain name of a file beside it");
    }
    let edit = |sidecar: &mut Value| sidecar["artifact"]["file"] = "libmist.so".into();
    check_sidecar(
        edit,
        "LIBRARY_UNREADABLE",
        "libmist.so cannot be read: No such file",
    );
}

#[test]
fn links_stay_within_the_folder() {
    let (built, other) = (Fixture::new().build(), Fixture::new().build());
    fs::remove_file(built.library()).expect("to remove it");
    symlink(other.library(), built.library()).expect("a link");
    check(
        &built,
        "UNSAFE_PATH",
        "libfog.so: is not safe to load: it leads out of its folder, to ",
    );

    fs::remove_file(built.library()).expect("to remove it");
    fs::create_dir(built.path().join("today")).expect("a folder");
    fs::copy(other.library(), built.path().join("today/lib")).expect("to copy");
    symlink("today/lib", built.library()).expect("a link");
    built.load().expect("a link within the folder is followed");

    let sidecar = built.path().join("plugin.json");
    fs::remove_file(&sidecar).expect("to remove it");
    symlink(other.path().join("plugin.json"), &sidecar).expect("a link");
    check(&built, "UNSAFE_PATH", "plugin.json: is not safe to load");
}

#[test]
fn what_anyone_may_write_to_is_refused() {
    let built = Fixture::new().build();
    let chmod = |path: &Path, mode| {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("chmod");
    };
    for (path, mode) in [
        (built.path().to_owned(), 0o700),
        (built.path().join("plugin.json"), 0o600),
        (built.library(), 0o600),
    ] {
        chmod(&path, mode | 0o002);
        check(&built, "UNSAFE_PATH", "anyone may write to it (mode");
        chmod(&path, mode);
    }
    built.load().expect("nothing is wrong any more");
}

#[test]
fn the_bytes_are_those_of_the_sidecar() {
    let built = Fixture::new().build();
    let mut bytes = fs::read(built.library()).expect("the library");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(built.library(), &bytes).expect("to write");
    check(&built, "DIGEST_MISMATCH", "has SHA-256 ");
    bytes.push(0);
    fs::write(built.library(), &bytes).expect("to write");
    check(
        &built,
        "DIGEST_MISMATCH",
        &format!("has size {}, ", bytes.len()),
    );
}

#[test]
fn a_library_is_for_this_machine() {
    let edit = |sidecar: &mut Value| sidecar["artifact"]["target"] = "pdp11-dec-unix".into();
    check_sidecar(
        edit,
        "WRONG_TARGET",
        "is built for \"pdp11-dec-unix\", and this host for",
    );
    check_library(&["TARGET=\"pdp11\""], "WRONG_TARGET", TARGET);
}

/// Puts other bytes in the library's place, with a sidecar that agrees.
fn replace(built: &Built, bytes: &[u8]) {
    fs::write(built.library(), bytes).expect("to write");
    built.edit(|sidecar| {
        sidecar["artifact"]["size"] = bytes.len().into();
        sidecar["artifact"]["sha256"] = digest(bytes).into();
    });
}

#[test]
fn what_is_no_library_is_not_opened() {
    let built = Fixture::new().build();
    let whole = fs::read(built.library()).expect("the library");
    replace(&built, b"#!/bin/sh\n");
    check(
        &built,
        "NOT_LOADABLE",
        "it does not begin with the letters ELF",
    );
    for length in [4, 17, 63, 64, 100, 600, whole.len() / 4, whole.len() / 2] {
        replace(&built, &whole[..length]);
        assert_eq!(
            refused(&built).0,
            "NOT_LOADABLE",
            "{length} bytes of {}",
            whole.len()
        );
    }
    let mut foreign = whole.clone();
    foreign[18] = 8;
    replace(&built, &foreign);
    check(&built, "NOT_LOADABLE", "it is for another machine");
    let mut program = whole.clone();
    program[16] = 2;
    replace(&built, &program);
    check(&built, "NOT_LOADABLE", "it is no shared library");
    replace(&built, &whole);
    built.load().expect("whole again");
}

#[test]
fn the_system_says_why_it_opens_no_library() {
    // A function that nobody has: bound when it is opened, not when it is called.
    let (reason, text) = refused(&Fixture::with(&["UNDEFINED"]).build());
    assert_eq!(reason, "NOT_LOADABLE");
    assert!(text.contains("undefined symbol: nobody_has_this"), "{text}");
    assert!(
        text.contains("libfog.so") && !text.contains("/alamein-"),
        "{text}"
    );
}

#[test]
fn a_descriptor_must_be_there_and_be_one() {
    let symbol = "exports no alamein_plugin_fog_bank";
    check_library(&["SYMBOL=alamein_plugin_mist"], "NO_DESCRIPTOR", symbol);
    check_library(
        &["MAGIC=0x1234"],
        "NOT_A_PLUGIN",
        "begins with 0x0000000000001234",
    );
    check_library(
        &["MAJOR=2"],
        "WRONG_ABI",
        "speaks ABI 2.0, and this host 1.0 to 1.2; use a newer",
    );
    check_library(&["MAJOR=0"], "WRONG_ABI", "build it with a newer SDK");
    check_library(&["MINOR=3"], "WRONG_ABI", "speaks ABI 1.3");
    check_library(
        &["SIZE=24"],
        "BAD_DESCRIPTOR",
        "it has 24 bytes, of at least",
    );
    check_library(&["RESERVED=1"], "BAD_DESCRIPTOR", "`reserved` is not zero");
    check_library(
        &["PANIC=2"],
        "PANIC_ABORT",
        "build it with panic = \"unwind\"",
    );
    check_library(
        &["PANIC=9"],
        "BAD_DESCRIPTOR",
        "panic strategy 9 is unknown",
    );
}

#[test]
fn a_longer_descriptor_and_table_are_taken() {
    let fixture = Fixture::with(&["SIZE=4096", "TABLE_SIZE=4096"]);
    fixture.build().load().expect("only what is known is read");
}

#[test]
fn a_library_is_the_one_of_its_sidecar() {
    check_library(
        &["ID=\"mist\""],
        "MISMATCH",
        "has id mist, and its plugin.json fog-bank",
    );
    check_library(
        &["VERSION=\"9.0.0\""],
        "MISMATCH",
        "has version 9.0.0, and its plugin.json 1.2.3",
    );
    check_library(&["BUILD_ID=\"other\""], "MISMATCH", "has build id other");
    let mut fixture = Fixture::new();
    fixture.manifest["rules_revision"] = 2.into();
    check(
        &fixture.build(),
        "MISMATCH",
        "in its manifest \"rules_revision\": 2, and its plugin.json 1",
    );
    let mut fixture = Fixture::new();
    let artifact = json!({"file": "", "size": 0, "sha256": "", "target": "", "build_id": ""});
    fixture.manifest["artifact"] = artifact;
    check(
        &fixture.build(),
        "BAD_DESCRIPTOR",
        "the manifest within it has an artifact",
    );
    let mut fixture = Fixture::new();
    fixture.manifest["id"] = "".into();
    check(
        &fixture.build(),
        "BAD_DESCRIPTOR",
        "its manifest is none: id",
    );
}

#[test]
fn its_texts_are_texts() {
    check_library(&["ID=\"\""], "BAD_DESCRIPTOR", "its id is empty");
    check_library(
        &["VERSION=\"\\xff\""],
        "BAD_DESCRIPTOR",
        "its version is not UTF-8",
    );
    check_library(
        &["MANIFEST_BYTES={0,5}"],
        "BAD_DESCRIPTOR",
        "is a null pointer to 5 bytes",
    );
    let huge = "MANIFEST_BYTES={(const uint8_t *)1, ~(size_t)0}";
    check_library(
        &[huge],
        "BAD_DESCRIPTOR",
        "its manifest is 18446744073709551615 bytes long",
    );
}

#[test]
fn its_rules_are_those_of_its_manifest() {
    let rules = "RULES=TEXT(\"X1/drm\"), TEXT(\"X2/thin\")";
    check_library(
        &[rules],
        "MISMATCH",
        "of \"X3/judge\", the library has it not",
    );
    let rules = "RULES=TEXT(\"X1/drm\"), TEXT(\"X2/thin\"), TEXT(\"X3/judge\"), TEXT(\"X4\")";
    check_library(&[rules], "MISMATCH", "of \"X4\", the library has it");
    check_library(
        &["RULE_COUNT=100000"],
        "BAD_DESCRIPTOR",
        "its rules: there are 100000, of at most",
    );
    check_library(
        &["RULE_TABLE=NULL"],
        "BAD_DESCRIPTOR",
        "its rules: 3 names lie at 0x0",
    );
}

#[test]
fn its_kinds_are_names() {
    let bad = |define: &str, message: &str| check_library(&[define], "BAD_DESCRIPTOR", message);
    bad(
        "KINDS=TEXT(\"fog\"), TEXT(\"fog\")",
        "its kinds: \"fog\" stands there twice",
    );
    bad(
        "KINDS=TEXT(\"fog\"), TEXT(\"\")",
        "its kinds: number 1 is empty",
    );
    bad("KINDS=TEXT(\"\\xfe\")", "its kinds: number 0 is not UTF-8");
    bad(
        "KINDS={NULL, 3}",
        "its kinds: number 0 is a null pointer to 3 bytes",
    );
    bad(
        "KIND_TABLE=(const void *)3",
        "its kinds: 2 names lie at 0x3",
    );
    Fixture::with(&["KIND_COUNT=0", "KIND_TABLE=NULL"])
        .build()
        .load()
        .expect("it may have none");
}

#[test]
fn its_functions_are_there() {
    let bad = |define: &str, message: &str| check_library(&[define], "BAD_DESCRIPTOR", message);
    bad("TABLE=NULL", "its functions lie at 0x0");
    bad("TABLE=(const void *)12", "its functions lie at 0xc");
    bad(
        "TABLE_SIZE=88",
        "its table of functions has 88 bytes, of at least 96",
    );
    bad("JUDGE_LINES=NULL", "function number 8 of its table is null");
}

#[test]
fn code_that_was_loaded_before_is_refused() {
    // A "unique" symbol is one for the whole process, so that the second load finds the first's.
    let built = Fixture::with(&["UNIQUE"]).build();
    built.load().expect("the first");
    check(
        &built,
        "STALE_CODE",
        "code that was loaded before; restart this process",
    );
}

#[test]
fn nothing_stays_behind_on_the_disk() {
    let built = Fixture::new().build();
    let plugin = built.load().expect("a plugin");
    let maps = fs::read_to_string("/proc/self/maps").expect("the maps");
    let digest = plugin.digest().expect("a digest");
    let line = maps
        .lines()
        .find(|line| line.contains(digest))
        .expect("it is mapped");
    assert!(line.ends_with("(deleted)"), "{line}");
    assert!(libraries_held() > 0);
}

#[test]
fn errors_name_the_plugin() {
    let error = Fixture::with(&["PANIC=2"])
        .build()
        .load()
        .expect_err("it aborts");
    assert_eq!(
        error,
        PluginError::PanicAbort {
            plugin: "fog-bank".into()
        }
    );
    assert_eq!(error.plugin(), Some("fog-bank"));
}

/// Where the test below puts the folder of a plugin for itself in another process.
const CHILD: &str = "ALAMEIN_TEST_FOLDER";

#[test]
#[cfg(target_os = "linux")]
fn a_library_needs_no_place_to_be_opened_from() {
    if let Some(folder) = std::env::var_os(CHILD) {
        NativePlugin::load(Path::new(&folder)).expect("a plugin");
        return;
    }
    let built = Fixture::new().build();
    let this = "loading::a_library_needs_no_place_to_be_opened_from";
    let mut child = Command::new(std::env::current_exe().expect("this program"));
    child
        .args(["--exact", this])
        .env(CHILD, built.path())
        .env("TMPDIR", "/nowhere/at/all");
    let output = child.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}
