//! Every target over all that was ever found worth keeping, and over what it began with. What once
//! failed and was mended stays mended.

#![allow(clippy::unwrap_used)] // A test may.

use std::fs;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use alamein_fuzzed::{TARGETS, Target};

/// How long one input may take, in a build that is not optimised, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(20);

/// How large a corpus may grow before somebody has to look at it, in bytes.
const ALL: u64 = 1 << 20;

fn inputs(target: &Target) -> Vec<PathBuf> {
    let folder = target.corpus();
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; `cargo xtask fuzz --seed` makes it",
            folder.display()
        )
    });
    let mut inputs: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    inputs.sort();
    inputs
}

fn over_its_corpus(name: &str) {
    let target = Target::find(name).unwrap();
    let inputs = inputs(&target);
    assert!(!inputs.is_empty(), "{name} has an empty corpus");
    let mut failed = Vec::new();
    for input in inputs {
        let bytes = fs::read(&input).unwrap();
        let start = Instant::now();
        let held = catch_unwind(|| (target.run)(&bytes)).is_ok();
        let took = start.elapsed();
        if !held || took > PATIENCE {
            failed.push(format!("{} ({took:?})", input.display()));
        }
    }
    assert!(failed.is_empty(), "{name} fails on {failed:#?}");
}

macro_rules! tests {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                over_its_corpus(stringify!($name));
            }
        )*

        #[test]
        fn every_target_is_tested() {
            let tested = [$(stringify!($name)),*];
            assert_eq!(TARGETS.map(|target| target.name), tested);
        }
    };
}

tests! {
    requests questions changes answers map_files boards case_files ruleset_files manifests libraries sayings
}

#[test]
fn every_target_has_a_binary() {
    for target in TARGETS {
        let fuzz = target.corpus().ancestors().nth(2).unwrap().to_owned();
        let binary = fuzz.join("targets").join(format!("{}.rs", target.name));
        let text = fs::read_to_string(&binary).unwrap();
        assert!(
            text.contains(&format!("{:?}", target.name)),
            "{}",
            binary.display()
        );
        let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
        assert!(
            manifest.contains(&format!("name = {:?}", target.name)),
            "{}",
            target.name
        );
    }
}

#[test]
fn the_corpora_stay_small() {
    let sizes = TARGETS.iter().flat_map(|target| {
        let inputs = inputs(target).into_iter();
        inputs.map(|input| fs::metadata(input).unwrap().len())
    });
    let all: u64 = sizes.sum();
    assert!(
        all <= ALL,
        "{all} bytes; `cargo xtask fuzz --seed` makes them smaller"
    );
}
