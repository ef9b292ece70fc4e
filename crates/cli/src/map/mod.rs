//! `alamein map`: making, checking, showing and converting maps.

mod check;
mod convert;
pub(crate) mod files;
mod import;
mod new;
mod overlays;
mod show;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::args::{MapCommand, RuleArgs};
use crate::bench::Bench;
use crate::facts::Facts;
use crate::{output, plugins};

pub(crate) use check::Problem;

pub(crate) fn run(command: &MapCommand) -> Result<ExitCode> {
    match command {
        MapCommand::New(new) => new::run(new)?,
        MapCommand::Check(check) => return check::run(check),
        MapCommand::Show(show) => show::run(show)?,
        MapCommand::Convert(convert) => convert::run(convert)?,
        MapCommand::Import(import) => import::run(import)?,
        MapCommand::Overlays(overlays) => overlays::run(overlays)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Whoever knows the rules, if there is anyone: a map can be looked at without.
fn bench(rules: &RuleArgs) -> Result<Option<Bench>> {
    let wanted = rules.plugins.is_some() || rules.server.is_some();
    if !wanted && plugins::folder(rules).is_err() {
        return Ok(None);
    }
    Bench::open(rules).map(Some)
}

/// What the manifests say, if there are any.
fn facts(bench: Option<&Bench>) -> Facts {
    bench.map_or_else(Facts::default, |bench| bench.facts().clone())
}

/// Writes a text into a file, or to the terminal if that is `-` or not given.
fn write(text: &str, file: Option<&Path>) -> Result<()> {
    match file.filter(|file| *file != Path::new("-")) {
        None => output::put(text),
        Some(file) => {
            std::fs::write(file, text).with_context(|| file.display().to_string())?;
            eprintln!("written: {}", file.display());
            Ok(())
        }
    }
}
