//! Who is let in by a service: what a lock file lists, what is signed, what nobody else may change.

use std::fs::{self, Permissions};
use std::io::Cursor;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::Path;
use std::process::{Command, Output};

use alamein_tests::serving::binary;
use minisign::KeyPair;
use serde_json::json;

use crate::folders::Folder;
use crate::{Bad, check, fog};

/// Runs `alamein plugin lock`.
fn lock(folder: &Folder, flags: &[&str]) -> Output {
    let mut command = Command::new(binary().unwrap());
    command
        .args(["plugin", "lock"])
        .arg(folder.path())
        .args(flags);
    command.output().unwrap()
}

/// All plugins, locked.
fn locked() -> Folder {
    let folder = Folder::of_all();
    let output = lock(&folder, &[]);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("deir 0.1.0") && said.contains("plugins.lock"),
        "{said}"
    );
    folder
}

fn sign(plugin: &Path, pair: &KeyPair) {
    let sidecar = plugin.join("plugin.json");
    let bytes = Cursor::new(fs::read(&sidecar).unwrap());
    let signature = minisign::sign(Some(&pair.pk), &pair.sk, bytes, None, None).unwrap();
    fs::write(plugin.join("plugin.json.minisig"), signature.to_string()).unwrap();
}

/// All plugins, signed.
fn signed(pair: &KeyPair) -> Folder {
    let folder = Folder::of_all();
    for entry in fs::read_dir(folder.path()).unwrap() {
        sign(&entry.unwrap().path(), pair);
    }
    folder
}

fn pair() -> KeyPair {
    KeyPair::generate_unencrypted_keypair().unwrap()
}

fn refused(
    name: &'static str,
    folder: Folder,
    flags: &[String],
    (plugin, reason, says): (&str, &str, &str),
) -> Bad {
    let expected = json!({"plugin": plugin, "reason": reason, "says": says});
    Bad::with_flags(name, folder, flags, expected)
}

#[test]
fn what_differs_from_the_lock_file_is_refused_by_name() {
    let added = locked();
    fog::add(&added, &[]);
    let gone = locked();
    fs::remove_dir_all(gone.path().join("deir")).unwrap();
    let edited = locked();
    edited
        .plugin("deir")
        .edit(|manifest| manifest["title"] = "Another".into());
    let changed = locked();
    let deir = changed.plugin("deir");
    let mut bytes = fs::read(deir.library()).unwrap();
    bytes.push(0);
    deir.replace_and_agree(&bytes);
    let broken = locked();
    fs::write(broken.path().join("plugins.lock"), "plugins = 7").unwrap();
    let rows = [
        (
            "added",
            added,
            ("fog-bank", "NOT_LOCKED", "alamein plugin lock"),
        ),
        ("gone", gone, ("deir", "LOCKED_MISSING", "put it back")),
        (
            "edited",
            edited,
            ("deir", "LOCK_MISMATCH", "plugin.json's SHA-256"),
        ),
        (
            "changed",
            changed,
            ("deir", "LOCK_MISMATCH", "library's SHA-256"),
        ),
    ];
    let mut rows: Vec<Bad> = rows
        .into_iter()
        .map(|(name, folder, told)| refused(name, folder, &[], told))
        .collect();
    let expected = json!({"plugin": null, "reason": "", "says": "line 1: unknown field"});
    rows.push(Bad::new("broken", broken, expected));
    check("refused_plugins.py", rows);
}

#[test]
fn without_a_good_signature_nothing_is_let_in_where_there_are_keys() {
    let (pair, other) = (pair(), pair());
    let key = |pair: &KeyPair| format!("--trusted-key={}", pair.pk.to_base64());
    let half = signed(&pair);
    fs::remove_file(half.path().join("deir/plugin.json.minisig")).unwrap();
    let edited = signed(&pair);
    edited
        .plugin("deir")
        .edit(|manifest| manifest["title"] = "Another".into());
    let strange = signed(&pair);
    sign(&strange.path().join("deir"), &other);
    let unsigned = ("deir", "UNSIGNED", "--unsigned");
    let bad = |says| ("deir", "BAD_SIGNATURE", says);
    let flags = [key(&pair), "--unsigned".to_owned()];
    let rows = vec![
        refused("not signed", half, &flags[..1], unsigned),
        refused("edited since", edited, &flags, bad("does not fit")),
        refused(
            "a stranger's",
            strange,
            &flags,
            bad("none of the trusted keys"),
        ),
    ];
    check("refused_plugins.py", rows);
}

#[test]
fn who_is_let_in_is_told_why() {
    let pair = pair();
    let key = pair.pk.to_box().unwrap().to_string();
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), &key).unwrap();
    let id: String = pair
        .pk
        .keynum()
        .iter()
        .rev()
        .map(|it| format!("{it:02X}"))
        .collect();
    let key = format!("--trusted-key={}", file.path().display());
    let mixed = signed(&pair);
    fs::remove_file(mixed.path().join("deir/plugin.json.minisig")).unwrap();
    assert!(lock(&mixed, &[]).status.success());
    let let_in = |name, folder, flags: &[String], deir: &str, sand: &str| {
        let expected = json!({"trust": {"deir": deir, "sand": sand}});
        Bad::with_flags(name, folder, flags, expected)
    };
    let elsewhere = locked();
    let by_name = elsewhere.path().join("by-name.lock");
    fs::rename(elsewhere.path().join("plugins.lock"), &by_name).unwrap();
    let by_name = format!("--lock={}", by_name.display());
    let (both, signed_by) = (format!("locked, signed by {id}"), format!("signed by {id}"));
    let loud = [key.clone(), "--unsigned".to_owned()];
    let rows = vec![
        let_in(
            "nothing asked",
            Folder::of_all(),
            &[],
            "unsigned",
            "unsigned",
        ),
        let_in("locked", locked(), &[], "locked", "locked"),
        let_in("by name", elsewhere, &[by_name], "locked", "locked"),
        let_in("signed", signed(&pair), &[key], &signed_by, &signed_by),
        let_in("some of them", mixed, &loud, "locked", &both),
    ];
    for row in &rows[..4] {
        assert!(
            !row.server.log().contains("--unsigned"),
            "{}",
            row.server.log()
        );
    }
    let loud = rows[4].server.log();
    assert!(
        loud.contains("plugins that nobody signed are let in"),
        "{loud}"
    );
    check("let_in.py", rows);
}

#[test]
fn a_service_loads_nothing_that_others_may_have_a_hand_in() {
    let folder = Folder::of_all();
    let deir = folder.path().join("deir");
    if chown(&deir, None, Some(54_321)).is_err() {
        eprintln!("SKIPPED: only root gives files away");
        return;
    }
    fs::set_permissions(&deir, Permissions::from_mode(0o775)).unwrap();
    let others = Folder::of_all();
    chown(others.path().join("deir/plugin.json"), Some(54_321), None).unwrap();
    let told = |says| ("deir", "UNSAFE_PATH", says);
    let rows = vec![
        refused("a group's", folder, &[], told("chmod g-w")),
        refused("another's", others, &[], told("user 54321's")),
    ];
    check("refused_plugins.py", rows);
}

#[test]
fn a_lock_can_be_checked_and_is_written_anew() {
    let folder = locked();
    let lines = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(lock(&folder, &["--check"]).status.success());
    fog::add(&folder, &[]);
    let output = lock(&folder, &["--check"]);
    assert!(
        !output.status.success() && lines(&output).contains("is not what"),
        "{output:?}"
    );
    assert!(lock(&folder, &[]).status.success());
    assert!(lock(&folder, &["--check"]).status.success());
    let text = fs::read_to_string(folder.path().join("plugins.lock")).unwrap();
    assert!(text.contains("fog-bank") && text.starts_with('#'), "{text}");
    folder.plugin("deir").replace(b"broken");
    let output = lock(&folder, &[]);
    assert!(
        !output.status.success() && lines(&output).contains("deir"),
        "{output:?}"
    );
}
