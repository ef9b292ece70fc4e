//! Case files: those of this repository, and others where a folder of them is given.
#![allow(clippy::unwrap_used)] // A test may.

use std::path::{Path, PathBuf};

use alamein_tests::{Tally, engine, known, linked_plugins, root, run_case};

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    let is_case = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".json") || name.ends_with(".json.gz")
    };
    files.retain(is_case);
    files.sort();
    files
}

fn run(folder: &Path) -> Tally {
    let plugins = linked_plugins().unwrap();
    let known = known(&engine(&plugins).unwrap());
    let mut tally = Tally::default();
    for file in files(folder) {
        let case = alamein_cases::load(&file, &known).unwrap();
        run_case(&plugins, &known, &case, &mut tally).unwrap();
    }
    tally
}

#[test]
fn the_cases_of_this_repository_pass() {
    let tally = run(&root().join("tests/cases"));
    assert!(tally.failed.is_empty(), "{}", tally.failed.join("\n"));
    assert!(tally.passed > 0);
}

#[test]
fn cases_from_elsewhere_do_not_fail() {
    let Some(folder) = std::env::var_os("ALAMEIN_CASES_DIR") else {
        eprintln!("SKIPPED: ALAMEIN_CASES_DIR is not set");
        return;
    };
    let tally = run(Path::new(&folder));
    let mut reasons = std::collections::BTreeMap::new();
    for (_, why) in &tally.skipped {
        *reasons.entry(why).or_insert(0) += 1;
    }
    eprintln!(
        "{} passed, {} skipped: {reasons:#?}",
        tally.passed,
        tally.skipped.len()
    );
    assert!(tally.failed.is_empty(), "{}", tally.failed.join("\n"));
}
