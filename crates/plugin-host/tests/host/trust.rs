//! Who is let in: by whose files they are, by a lock file, by signatures.

use std::fs::{self, Permissions};
use std::io::Cursor;
use std::os::unix::fs::{PermissionsExt, chown};

use alamein_plugin_host::{
    LOCK_FILE, Lock, NativePlugin, PluginError, Trust, TrustedKey, load_folder_with,
};
use minisign::KeyPair;
use tempfile::TempDir;

use crate::support::Fixture;

/// A folder of plugins with the fixture in it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    build(&folder, &Fixture::new());
    folder
}

fn build(folder: &TempDir, fixture: &Fixture) {
    let plugin = folder.path().join("fog-bank");
    fs::create_dir_all(&plugin).expect("a folder");
    fixture.build_in(&plugin);
}

fn load(folder: &TempDir, trust: &Trust) -> Result<NativePlugin, PluginError> {
    NativePlugin::load_with(&folder.path().join("fog-bank"), trust)
}

fn reason(folder: &TempDir, trust: &Trust) -> &'static str {
    load(folder, trust).map_or_else(|error| error.reason(), |_| "loaded")
}

fn lock(folder: &TempDir) -> Lock {
    let lock = Lock::of_folder(folder.path(), &Trust::default()).expect("a lock");
    fs::write(folder.path().join(LOCK_FILE), lock.to_string()).expect("it is written");
    lock
}

/// What becomes of each plugin of a folder, by its folder's name.
fn outcomes(folder: &TempDir) -> Vec<(String, &'static str)> {
    let report = load_folder_with(folder.path(), &Trust::default());
    let outcome = |entry: &alamein_plugin_host::FolderEntry| {
        let name = entry.folder.file_name().unwrap_or_default();
        let outcome = entry.outcome.as_ref();
        let word = outcome.map_or_else(|error| error.reason(), |_| "loaded");
        (name.to_string_lossy().into_owned(), word)
    };
    report.entries.iter().map(outcome).collect()
}

#[test]
fn what_a_lock_lists_is_let_in_as_it_is_listed() {
    let folder = folder();
    assert_eq!(
        load(&folder, &Trust::default()).expect("a plugin").trust(),
        "unsigned"
    );
    let locked = lock(&folder);
    assert_eq!(Lock::parse(&locked.to_string()), Ok(locked.clone()));
    let plugin = load(&folder, &Trust::default()).expect("a plugin");
    assert_eq!(plugin.trust(), "locked");
    assert_eq!(plugin.digest(), Some(&*locked.plugins()[0].library_sha256));

    // Another build of it, whole in itself.
    build(&folder, &Fixture::with(&["VALUE=7"]));
    let error = load(&folder, &Trust::default()).expect_err("it is another");
    assert_eq!(
        (error.reason(), error.plugin()),
        ("LOCK_MISMATCH", Some("fog-bank"))
    );
    let text = error.to_string();
    assert!(
        text.contains("library's SHA-256") && text.contains("alamein plugin lock"),
        "{text}"
    );
    lock(&folder);
    assert_eq!(reason(&folder, &Trust::default()), "loaded");
}

#[test]
fn a_lock_holds_the_manifest_too() {
    let folder = folder();
    lock(&folder);
    let sidecar = folder.path().join("fog-bank/plugin.json");
    let text = fs::read_to_string(&sidecar).expect("a manifest");
    fs::write(&sidecar, text + "\n").expect("it is written");
    let error = load(&folder, &Trust::default()).expect_err("it is another");
    assert!(
        error.to_string().contains("plugin.json's SHA-256"),
        "{error}"
    );

    let mut older = Fixture::with(&["VERSION=\"1.2.2\""]);
    older.manifest["version"] = "1.2.2".into();
    older.sidecar["version"] = "1.2.2".into();
    build(&folder, &older);
    let error = load(&folder, &Trust::default()).expect_err("it is older");
    let text = error.to_string();
    assert!(
        text.contains("version is 1.2.2") && text.contains("says 1.2.3"),
        "{text}"
    );
}

#[test]
fn what_a_lock_does_not_list_and_what_is_missing_is_told() {
    let folder = folder();
    let other = TempDir::new().expect("a folder");
    build(&other, &Fixture::new());
    lock(&folder);
    fs::rename(
        folder.path().join("fog-bank"),
        folder.path().join("elsewhere"),
    )
    .expect("moved");
    assert_eq!(
        outcomes(&folder),
        [("elsewhere".to_owned(), "loaded")],
        "its id counts"
    );
    fs::remove_dir_all(folder.path().join("elsewhere")).expect("it is gone");
    assert_eq!(
        outcomes(&folder),
        [("fog-bank".to_owned(), "LOCKED_MISSING")]
    );

    // A lock of which nothing is for this plugin; one given by name holds, not that beside it.
    lock(&other);
    let empty = folder.path().join("empty.lock");
    fs::write(&empty, "version = 1\n").expect("it is written");
    let by_name = Trust {
        lock: Some(empty),
        ..Trust::default()
    };
    assert_eq!(reason(&other, &by_name), "NOT_LOCKED");
    assert_eq!(reason(&other, &Trust::default()), "loaded");
}

#[test]
fn a_lock_that_is_none_lets_nothing_in() {
    let folder = folder();
    let file = folder.path().join(LOCK_FILE);
    for text in [
        "version = 2\n",
        "plugins",
        "version = 1\nfoo = 2\n",
        "version = 1\n[[plugin]]\n",
    ] {
        fs::write(&file, text).expect("it is written");
        assert_eq!(reason(&folder, &Trust::default()), "LOCK_INVALID", "{text}");
        let outcomes = outcomes(&folder);
        assert!(matches!(&*outcomes, [(_, "LOCK_INVALID")]), "{outcomes:?}");
    }
    fs::write(&file, lock(&folder).to_string()).expect("it is written");
    fs::set_permissions(&file, Permissions::from_mode(0o666)).expect("it is mine");
    let error = load(&folder, &Trust::default()).expect_err("anyone may write to it");
    assert!(error.to_string().contains("chmod o-w"), "{error}");
    fs::remove_file(&file).expect("it is gone");
    std::os::unix::fs::symlink("nowhere", &file).expect("a link");
    assert_eq!(reason(&folder, &Trust::default()), "LOCK_INVALID");
}

#[test]
fn entries_for_other_targets_are_kept_and_do_not_count() {
    let folder = folder();
    let mut locked = lock(&folder);
    let elsewhere = locked
        .to_string()
        .replace(alamein_plugin_host::TARGET, "z80-unknown-none");
    let other = Lock::parse(&elsewhere).expect("a lock");
    fs::write(folder.path().join(LOCK_FILE), &elsewhere).expect("it is written");
    assert_eq!(reason(&folder, &Trust::default()), "NOT_LOCKED");
    locked.keep_other_targets(&other);
    assert_eq!(locked.plugins().len(), 2);
    fs::write(folder.path().join(LOCK_FILE), locked.to_string()).expect("it is written");
    assert_eq!(outcomes(&folder), [("fog-bank".to_owned(), "loaded")]);
}

fn key(pair: &KeyPair) -> TrustedKey {
    let file = pair.pk.to_box().expect("a key").to_string();
    TrustedKey::parse(&file).expect("a key")
}

fn sign(folder: &TempDir, pair: &KeyPair) {
    let sidecar = folder.path().join("fog-bank/plugin.json");
    let bytes = fs::read(&sidecar).expect("a manifest");
    let signature = minisign::sign(
        Some(&pair.pk),
        &pair.sk,
        Cursor::new(bytes),
        Some("it"),
        None,
    );
    let text = signature.expect("a signature").to_string();
    fs::write(sidecar.with_extension("json.minisig"), text).expect("it is written");
}

#[test]
fn with_keys_only_what_they_signed_is_let_in() {
    let (pair, other) = (pair(), pair());
    let trust = |unsigned| Trust {
        keys: vec![key(&other), key(&pair)],
        unsigned,
        ..Trust::default()
    };
    let folder = folder();
    let error = load(&folder, &trust(false)).expect_err("it is not signed");
    assert_eq!(error.reason(), "UNSIGNED");
    assert!(error.to_string().contains("plugin.json.minisig"), "{error}");
    assert_eq!(
        load(&folder, &trust(true)).expect("allowed").trust(),
        "unsigned"
    );

    sign(&folder, &pair);
    let plugin = load(&folder, &trust(false)).expect("it is signed");
    assert_eq!(plugin.trust(), format!("signed by {}", key(&pair).id()));
    lock(&folder);
    let both = load(&folder, &trust(false)).expect("it is signed");
    assert_eq!(
        both.trust(),
        format!("locked, signed by {}", key(&pair).id())
    );
    fs::remove_file(folder.path().join(LOCK_FILE)).expect("it is gone");

    // Somebody else's signature, and one of another build: --unsigned is no help.
    let strangers = Trust {
        keys: vec![key(&other)],
        unsigned: true,
        ..Trust::default()
    };
    let error = load(&folder, &strangers).expect_err("a stranger signed it");
    assert_eq!(error.reason(), "BAD_SIGNATURE");
    assert!(error.to_string().contains(key(&other).id()), "{error}");
    build(&folder, &Fixture::with(&["VALUE=7"]));
    assert_eq!(reason(&folder, &trust(true)), "BAD_SIGNATURE");
    fs::write(
        folder.path().join("fog-bank/plugin.json.minisig"),
        "nothing",
    )
    .expect("written");
    assert_eq!(reason(&folder, &trust(true)), "BAD_SIGNATURE");
}

fn pair() -> KeyPair {
    KeyPair::generate_unencrypted_keypair().expect("a pair of keys")
}

#[test]
fn a_library_that_the_signed_manifest_does_not_speak_of_is_refused() {
    let (pair, folder) = (pair(), folder());
    sign(&folder, &pair);
    let library = folder.path().join("fog-bank/libfog.so");
    let mut bytes = fs::read(&library).expect("a library");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&library, bytes).expect("it is written");
    let trust = Trust {
        keys: vec![key(&pair)],
        ..Trust::default()
    };
    assert_eq!(reason(&folder, &trust), "DIGEST_MISMATCH");
}

#[test]
fn a_key_is_a_line_or_a_file_of_minisigns() {
    let pair = pair();
    let base64 = pair.pk.to_base64();
    assert_eq!(TrustedKey::parse(&base64), Ok(key(&pair)));
    let file = pair.pk.to_box().expect("a key").to_string();
    assert!(file.contains(key(&pair).id()), "{file} shows another id");
    for bad in [
        "",
        "untrusted comment: none",
        "RWQ",
        "not base64!",
        &format!("{base64}\n{base64}"),
    ] {
        assert!(TrustedKey::parse(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn what_others_may_have_a_hand_in_is_not_ones_own() {
    let own = Trust {
        own_files: true,
        ..Trust::default()
    };
    let folder = folder();
    assert_eq!(reason(&folder, &own), "loaded");
    let plugin = folder.path().join("fog-bank");
    if chown(&plugin, None, Some(54_321)).is_err() {
        eprintln!("SKIPPED: only root gives files away");
        return;
    }
    let paths = [
        plugin.join("plugin.json"),
        plugin.join("libfog.so"),
        plugin.clone(),
        folder.path().to_path_buf(),
    ];
    for path in &paths {
        let mode = fs::metadata(path).expect("it is there").permissions();
        chown(path, None, Some(54_321)).expect("I am root");
        fs::set_permissions(path, Permissions::from_mode(mode.mode() | 0o020)).expect("mine");
        let error = load(&folder, &own).expect_err("a group may write to it");
        assert_eq!(error.reason(), "UNSAFE_PATH", "{}", path.display());
        assert!(error.to_string().contains("chmod g-w"), "{error}");
        assert_eq!(reason(&folder, &Trust::default()), "loaded");
        // The owner's own group.
        chown(path, None, Some(0)).expect("I am root");
        assert_eq!(reason(&folder, &own), "loaded");
        chown(path, Some(54_321), None).expect("I am root");
        fs::set_permissions(path, mode).expect("I am root");
        let error = load(&folder, &own).expect_err("it is another's");
        assert!(error.to_string().contains("user 54321's"), "{error}");
        chown(path, Some(0), None).expect("I am root");
    }
}

#[test]
fn whoever_changes_the_files_meanwhile_changes_nothing() {
    let (folder, other) = (folder(), folder());
    build(&other, &Fixture::with(&["VALUE=7"]));
    lock(&folder);
    let paths = |folder: &TempDir| folder.path().join("fog-bank/libfog.so");
    let (library, others) = (paths(&folder), paths(&other));
    let (good, bad) = (
        fs::read(&library).expect("one"),
        fs::read(&others).expect("other"),
    );
    let digest = Lock::of_folder(folder.path(), &Trust::default()).expect("a lock");
    let done = std::sync::atomic::AtomicBool::new(false);
    let (mut loaded, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let beside = library.with_extension("new");
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                for bytes in [&bad, &good] {
                    fs::write(&beside, bytes).expect("it is written");
                    fs::rename(&beside, &library).expect("it is renamed");
                }
            }
        });
        for _ in 0..200 {
            match load(&folder, &Trust::default()) {
                Ok(plugin) => {
                    assert_eq!(plugin.digest(), Some(&*digest.plugins()[0].library_sha256));
                    loaded += 1;
                }
                Err(error) => {
                    assert_eq!(error.reason(), "DIGEST_MISMATCH", "{error}");
                    refused += 1;
                }
            }
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert!(
        loaded > 0 && refused > 0,
        "{loaded} loaded, {refused} refused"
    );
}
