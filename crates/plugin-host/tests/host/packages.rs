//! What a plugin comes in when it lies in no folder: the same checks.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use alamein_plugin_host::{LOCK_FILE, Lock, NativePlugin, Package, PluginError, Trust, TrustedKey};
use minisign::KeyPair;
use tempfile::TempDir;

use crate::support::Fixture;

/// A plugin of a folder, and its folder of plugins.
fn plugin(fixture: &Fixture) -> (TempDir, NativePlugin) {
    let folder = tempfile::tempdir().expect("a folder");
    let within = folder.path().join("fog-bank");
    fs::create_dir(&within).expect("a folder");
    fixture.build_in(&within);
    let plugin = NativePlugin::load(&within).expect("a plugin");
    (folder, plugin)
}

fn packed(plugin: &NativePlugin) -> Package<'static> {
    plugin.package().expect("it is read").expect("it is loaded")
}

fn load(
    package: &Package<'_>,
    trust: &Trust,
    folders: &[PathBuf],
) -> Result<NativePlugin, PluginError> {
    NativePlugin::of_package(package, Path::new("store:fog"), trust, folders)
}

#[test]
fn a_package_gives_the_plugin_that_was_opened() {
    let (folder, first) = plugin(&Fixture::new());
    // Whatever becomes of the folder meanwhile.
    fs::remove_dir_all(folder.path().join("fog-bank")).expect("it is gone");
    let package = packed(&first);
    let again = load(&package, &Trust::default(), &[]).expect("a plugin");
    assert_eq!(again.digest(), first.digest());
    assert_eq!(again.manifest(), first.manifest());
    assert_eq!(packed(&again), package);
    assert_eq!(again.target(), alamein_plugin_host::TARGET);
}

#[test]
fn what_is_not_whole_or_not_for_this_machine_is_refused() {
    let (_folder, first) = plugin(&Fixture::new());
    let package = packed(&first);
    let reason = |package: &Package<'_>| {
        let error = load(package, &Trust::default(), &[]).expect_err("it is refused");
        let text = error.to_string();
        let named = text.contains("fog-bank") || text.contains("store:fog");
        assert!(named, "{text}");
        error.reason()
    };
    let mut other = package.clone();
    other.library.to_mut()[100] ^= 1;
    assert_eq!(reason(&other), "DIGEST_MISMATCH");
    other.library.to_mut().truncate(1000);
    assert_eq!(reason(&other), "DIGEST_MISMATCH");
    let changed = |from: &str, to: &str| Package {
        manifest: Cow::Owned(package.manifest.replace(from, to)),
        ..package.clone()
    };
    let target = changed(alamein_plugin_host::TARGET, "z80-unknown-none");
    assert_eq!(reason(&target), "WRONG_TARGET");
    assert_eq!(reason(&changed("1.2.3", "1.2.4")), "MISMATCH");
    assert_eq!(reason(&changed("libfog.so", "../libfog.so")), "UNSAFE_PATH");
    assert_eq!(reason(&changed("{", "[")), "MANIFEST_INVALID");
}

#[test]
fn the_lock_of_any_folder_of_plugins_holds() {
    let (folder, first) = plugin(&Fixture::new());
    let mut older = Fixture::with(&["VERSION=\"1.2.2\""]);
    older.manifest["version"] = "1.2.2".into();
    older.sidecar["version"] = "1.2.2".into();
    let (elsewhere, second) = plugin(&older);
    let empty = tempfile::tempdir().expect("a folder");
    let locked = Lock::of_folder(folder.path(), &Trust::default()).expect("a lock");
    let file = folder.path().join(LOCK_FILE);
    fs::write(&file, locked.to_string()).expect("it is written");
    let folders = [empty.path().to_path_buf(), folder.path().to_path_buf()];
    let trust = Trust::default();
    let fine = load(&packed(&first), &trust, &folders).expect("it is listed");
    assert_eq!(fine.trust(), "locked");
    let error = load(&packed(&second), &trust, &folders).expect_err("it is not");
    assert_eq!(error.reason(), "LOCK_MISMATCH");

    // An older version may be listed beside the one that is in the folder.
    let older = Lock::of_folder(elsewhere.path(), &trust).expect("a lock");
    let listed = older.to_string();
    let (_, entry) = listed.split_once("[[plugin]]").expect("an entry");
    let both = format!("{locked}\n[[plugin]]{entry}");
    fs::write(&file, both).expect("it is written");
    assert!(load(&packed(&second), &trust, &folders).is_ok());
    assert!(NativePlugin::load(&folder.path().join("fog-bank")).is_ok());
    // One that is given by name holds for all.
    let none = folder.path().join("none.lock");
    fs::write(&none, "version = 1\n").expect("it is written");
    let by_name = Trust {
        lock: Some(none),
        ..Trust::default()
    };
    let error = load(&packed(&first), &by_name, &[]).expect_err("it is not listed");
    assert_eq!(error.reason(), "NOT_LOCKED");
}

#[test]
fn a_signature_goes_with_it() {
    let pair = KeyPair::generate_unencrypted_keypair().expect("a pair of keys");
    let key = TrustedKey::parse(&pair.pk.to_box().expect("a key").to_string()).expect("a key");
    let trust = Trust {
        keys: vec![key],
        ..Trust::default()
    };
    let (folder, first) = plugin(&Fixture::new());
    let unsigned = packed(&first);
    let error = load(&unsigned, &trust, &[]).expect_err("it is not signed");
    assert_eq!(error.reason(), "UNSIGNED");
    let text = unsigned.manifest.as_bytes().to_vec();
    let signature = minisign::sign(
        Some(&pair.pk),
        &pair.sk,
        std::io::Cursor::new(text),
        None,
        None,
    );
    let signature = signature.expect("a signature").to_string();
    let within = folder.path().join("fog-bank");
    fs::write(within.join("plugin.json.minisig"), &signature).expect("it is written");
    // It is taken along, even by who trusts no keys.
    let signed = packed(&NativePlugin::load(&within).expect("a plugin"));
    assert_eq!(signed.signature.as_deref(), Some(&*signature));
    assert!(load(&signed, &trust, &[]).is_ok());
    let forged = Package {
        manifest: Cow::Owned(format!("{}\n", signed.manifest)),
        ..signed
    };
    let error = load(&forged, &trust, &[]).expect_err("it is another manifest");
    assert_eq!(error.reason(), "BAD_SIGNATURE");
}
