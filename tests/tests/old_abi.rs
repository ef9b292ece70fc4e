//! A plugin that was built against the ABI as it was at first is still loaded, and its rulings are
//! what they always were.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;

use alamein_engine::Wanted;
use alamein_plugin_build::{BuildFolder, build_folder};
use alamein_plugin_host::{NativePlugin, TARGET};
use alamein_terrain::{Ask, CounterClass, Fortification, Question, SetUp, SetUpPiece, Verdict};
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

/// Set-ups came with ABI 1.1. In a deep well no vehicle may be, but of what sets up there its ABI
/// knows nothing: it is not asked, not even where everybody is.
#[test]
fn it_has_no_say_in_set_ups() {
    let mut plugins = linked_plugins().unwrap();
    plugins.push(wells());
    let engine = engine(&plugins).unwrap();
    let file = root().join("tests/old-abi/wells/cases/wells.json");
    let case = alamein_cases::load(&file, &known(&engine)).unwrap();
    let hex = case.position.map().grid.hex("N5").unwrap();
    let setup = |piece| Question::new(Ask::SetUp(SetUp { piece, hex }));
    let questions = [
        setup(SetUpPiece::unit(CounterClass::Tank)),
        setup(SetUpPiece::unit(CounterClass::Gun)),
        setup(SetUpPiece::Fortification(Fortification::Wire)),
    ];
    for ask_everyone in [false, true] {
        let wanted = Wanted {
            ask_everyone,
            ..Wanted::default()
        };
        let position = Arc::clone(&case.position);
        let ruleset = engine.ruleset();
        let rulings = engine.adjudicate_here(&ruleset, position, &questions, wanted);
        for ruled in rulings.unwrap() {
            let ruling = ruled.unwrap().ruling;
            let Verdict::SetUp(verdict) = &ruling.verdict else {
                panic!("{ruling:?}")
            };
            assert_eq!(verdict.allowed, Some(true), "{ruling:?}");
            let observed = ruling.observations.iter().map(|observed| &observed.by);
            let found = ruling.findings.iter().map(|found| &found.by);
            assert!(observed.chain(found).all(|by| &*by.plugin != "wells"));
        }
    }
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
