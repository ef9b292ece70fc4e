//! `alamein plugin new`.

use std::path::{Path, PathBuf};

use alamein_plugin_build::{Sdk, Started, check_name, start};
use anyhow::Result;

use crate::args::PluginNew;
use crate::output;
use crate::paint::Paint;

pub(crate) fn run(new: &PluginNew) -> Result<()> {
    check_name(&new.name)?;
    let sdk = match &new.sdk {
        Some(name) => Sdk::named(name)?,
        None => Sdk::found_from(Path::new(".")),
    };
    let folder = new.dir.clone().unwrap_or_else(|| PathBuf::from(&new.name));
    let started = start(&new.name, &folder, &sdk)?;
    output::put(&told(&new.name, &started))
}

fn told(name: &str, started: &Started) -> String {
    let paint = Paint::of_terminal();
    let folder = started.folder.display();
    let mut text = format!("{} in {folder}:\n", paint.bold(name));
    for file in &started.files {
        text.push_str(&format!("  {file}\n"));
    }
    let found = match &started.sdk {
        Sdk::Folder(_) => "this clone",
        Sdk::Git(_) => "this repository, since there is no clone around (--sdk names one)",
    };
    text.push_str(&format!("The SDK comes from {found}: {}\n", started.sdk));
    text.push_str(&format!(
        "Next:\n  cd {folder}\n  alamein plugin test      build it, and replay its cases\n  \
         Then read src/lib.rs: the rule is in it.\n"
    ));
    text
}
