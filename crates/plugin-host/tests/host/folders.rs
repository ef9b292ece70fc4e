//! Folders of plugins.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use alamein_plugin_host::{FolderReport, load_folder};

use crate::support::Fixture;

/// What became of each plugin, by its folder's name.
fn outcomes(report: &FolderReport) -> Vec<(String, &'static str)> {
    let outcome = |entry: &alamein_plugin_host::FolderEntry| {
        let name = entry
            .folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        (
            name,
            entry
                .outcome
                .as_ref()
                .map_or_else(|error| error.reason(), |_| "loaded"),
        )
    };
    report.entries.iter().map(outcome).collect()
}

#[test]
fn one_bad_plugin_keeps_no_other_out() {
    let (folder, elsewhere) = (tempfile::tempdir().expect("one"), Fixture::new().build());
    for name in ["b-good", "a-good", "d-abort", ".hidden", "no-plugin"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    Fixture::new().build_in(&folder.path().join("b-good"));
    Fixture::new().build_in(&folder.path().join("a-good"));
    Fixture::with(&["PANIC=2"]).build_in(&folder.path().join("d-abort"));
    Fixture::new().build_in(&folder.path().join(".hidden"));
    symlink(elsewhere.path(), folder.path().join("c-away")).expect("a link");
    symlink("a-good", folder.path().join("e-link")).expect("a link");
    fs::create_dir(folder.path().join("f-broken")).expect("a folder");
    symlink("nowhere", folder.path().join("f-broken/plugin.json")).expect("a link");
    fs::write(folder.path().join("notes.txt"), "").expect("a file");

    let report = load_folder(folder.path());
    let expected = [
        ("a-good", "loaded"),
        ("b-good", "loaded"),
        ("c-away", "UNSAFE_PATH"),
        ("d-abort", "PANIC_ABORT"),
        ("e-link", "loaded"),
        ("f-broken", "MANIFEST_UNREADABLE"),
    ];
    assert_eq!(
        outcomes(&report),
        expected.map(|(name, outcome)| (name.to_owned(), outcome))
    );
    assert_eq!(report.loaded().count(), 3);
    let (refused, error) = report.refused().next().expect("the third");
    assert_eq!(refused, folder.path().join("c-away"));
    assert!(error.to_string().contains("is not within"), "{error}");
}

#[test]
fn a_folder_that_cannot_be_read_says_so() {
    let report = load_folder("/nowhere/at/all".as_ref());
    assert_eq!(outcomes(&report), [("all".to_owned(), "FOLDER_UNREADABLE")]);
    let (folder, error) = report.refused().next().expect("one");
    assert_eq!(folder, report.folder);
    assert!(
        error
            .to_string()
            .starts_with("/nowhere/at/all: cannot be read as a folder")
    );
}

#[test]
fn a_folder_that_anyone_may_write_to_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).expect("chmod");
    let report = load_folder(folder.path());
    let reasons: Vec<_> = report.refused().map(|(_, error)| error.reason()).collect();
    assert_eq!(reasons, ["UNSAFE_PATH"]);
}
