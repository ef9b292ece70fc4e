//! House rules beside the plugins that come with Alamein: each changes the rulings that it is about,
//! and no other.
#![allow(clippy::unwrap_used)] // A test may.

mod deeper_deirs;
mod example;
mod midday_haze;
mod no_lip_hd;
mod stony_bank;

use std::path::{Path, PathBuf};

use alamein_plugin_host::NativePlugin;
use alamein_terrain::{Ruling, TemVerdict, Verdict};
use alamein_tests::{Tally, engine, house_rules_folder, known, linked_plugins, root, run_case};

/// The plugins that come with Alamein, and a house rule.
fn with(rule: &NativePlugin) -> Vec<NativePlugin> {
    let mut plugins = linked_plugins().unwrap();
    plugins.push(rule.clone());
    plugins
}

/// Where the sources of a house rule lie.
fn sources(id: &str) -> PathBuf {
    root().join("plugins/house-rules").join(id)
}

/// A house rule, built and loaded.
fn loaded(id: &str) -> NativePlugin {
    NativePlugin::load(&house_rules_folder().unwrap().join(id)).unwrap()
}

/// The case files of a folder, put to these plugins.
fn run_cases(folder: &Path, plugins: &[NativePlugin]) -> Tally {
    let known = known(&engine(plugins).unwrap());
    let mut tally = Tally::default();
    for entry in std::fs::read_dir(folder).unwrap() {
        let case = alamein_cases::load(&entry.unwrap().path(), &known).unwrap();
        run_case(plugins, &known, &case, &mut tally).unwrap();
    }
    tally
}

/// Checks that a house rule gives the answers of its cases.
fn check_cases(rule: &NativePlugin) {
    let tally = run_cases(&sources(rule.id()).join("cases"), &with(rule));
    assert!(tally.failed.is_empty(), "{}", tally.failed.join("\n"));
    assert!(tally.skipped.is_empty(), "{:?}", tally.skipped);
    assert!(tally.passed > 0, "no case of {}", rule.id());
}

/// What a ruling says for the target of a shot.
fn shot(ruling: &Ruling) -> &TemVerdict {
    match &ruling.verdict {
        Verdict::LineOfFire(_, tem) => tem,
        verdict => panic!("it is no shot: {verdict:?}"),
    }
}
