//! What is fuzzed, as functions of bytes.
//!
//! A target takes any bytes and comes back; where a property does not hold it panics. `fuzz/` hands
//! them to libFuzzer, and `tests/corpus.rs` runs them over all that was ever found worth keeping, so
//! that what was once mended stays so on any toolchain.
//!
//! The properties are those that hold of whatever comes in: what is read writes back the same; two
//! ways of asking give one answer; what is refused is refused by name.

mod answers;
mod boards;
mod cases;
mod libraries;
mod manifests;
mod maps;
mod questions;
mod requests;
mod rulesets;
mod sayings;
mod seeds;
mod sights;
mod world;

use std::path::{Path, PathBuf};

/// A target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is that of its binary, its corpus and its dictionary.
    pub name: &'static str,
    /// What is done with the bytes.
    pub run: fn(&[u8]),
    /// What a corpus begins with, made of what there is in this repository.
    pub seeds: fn() -> anyhow::Result<Vec<Vec<u8>>>,
}

/// All of them.
pub const TARGETS: [Target; 11] = [
    target("requests", requests::run, seeds::requests),
    target("questions", questions::run, seeds::questions),
    target("changes", questions::changes, seeds::questions),
    target("answers", answers::run, seeds::answers),
    target("map_files", maps::run, seeds::map_files),
    target("boards", boards::run, seeds::boards),
    target("case_files", cases::run, seeds::case_files),
    target("ruleset_files", rulesets::run, seeds::ruleset_files),
    target("manifests", manifests::run, seeds::manifests),
    target("libraries", libraries::run, seeds::libraries),
    target("sayings", sayings::run, seeds::sayings),
];

const fn target(
    name: &'static str,
    run: fn(&[u8]),
    seeds: fn() -> anyhow::Result<Vec<Vec<u8>>>,
) -> Target {
    Target { name, run, seeds }
}

impl Target {
    /// The target of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        TARGETS.into_iter().find(|target| target.name == name)
    }

    /// Where its corpus is kept.
    #[must_use]
    pub fn corpus(&self) -> PathBuf {
        root().join("fuzz/corpus").join(self.name)
    }
}

/// Runs the target of a name.
///
/// # Panics
/// Where there is none, or a property does not hold.
pub fn run(name: &str, bytes: &[u8]) {
    match Target::find(name) {
        Some(target) => (target.run)(bytes),
        None => panic!("there is no target {name:?}"),
    }
}

/// The root of this repository.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here)
}

/// The first byte, which chooses, and the rest.
pub(crate) fn chosen(bytes: &[u8]) -> (u8, &[u8]) {
    match bytes {
        [first, rest @ ..] => (*first, rest),
        [] => (0, &[]),
    }
}
