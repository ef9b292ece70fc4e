//! A plugin that was built against the ABI as it was at first is still loaded, and its rulings are
//! what they always were.
#![allow(clippy::unwrap_used)] // A test may.

use alamein_plugin_build::{BuildFolder, build_folder};
use alamein_plugin_host::{NativePlugin, TARGET};
use alamein_tests::{Tally, engine, known, linked_plugins, root, run_case};
use tempfile::TempDir;

/// The plugin, built with the header of its time, and loaded.
fn wells() -> NativePlugin {
    let out = TempDir::new().unwrap();
    let built = build_folder(&BuildFolder {
        source: root().join("tests/old-abi/wells"),
        out: Some(out.path().to_path_buf()),
        target: TARGET.to_owned(),
        ..BuildFolder::default()
    });
    NativePlugin::load(&built.unwrap().folder).unwrap()
}

/// Runs its cases on these plugins.
fn run(plugins: &[NativePlugin]) -> Tally {
    let known = known(&engine(plugins).unwrap());
    let file = root().join("tests/old-abi/wells/cases/wells.json");
    let case = alamein_cases::load(&file, &known).unwrap();
    let mut tally = Tally::default();
    run_case(plugins, &known, &case, &mut tally).unwrap();
    tally
}

#[test]
fn its_rulings_are_what_they_were() {
    let mut plugins = linked_plugins().unwrap();
    plugins.push(wells());
    let tally = run(&plugins);
    assert!(tally.failed.is_empty(), "{}", tally.failed.join("\n"));
    assert!(tally.skipped.is_empty(), "{:?}", tally.skipped);
    assert_eq!(tally.passed, 10);
}

#[test]
fn its_header_says_what_it_said() {
    let file = root().join("tests/old-abi/wells/alamein-1.0.h");
    let header = std::fs::read(file).unwrap();
    let digest = <sha2::Sha256 as sha2::Digest>::digest(&header);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        digest, "2fafe53b54f8f49503dcb396022c2fe4e6dba3e166fae131965b0a6368e4e668",
        "the header of an ABI that plugins were built with never changes"
    );
}
