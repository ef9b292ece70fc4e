//! `alamein map`: making, checking, showing and converting maps.

mod check;
mod convert;
pub(crate) mod files;
mod import;
mod new;
mod overlays;
mod show;

use std::fs::OpenOptions;
use std::io::Write;
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

/// Writes a picture into a file, whatever was there, or to the terminal if that is `-`.
pub(crate) fn draw(picture: &[u8], file: Option<&Path>) -> Result<()> {
    put(picture, file, |file| std::fs::write(file, picture))
}

/// Writes a map into a file that is not there yet, or to the terminal if that is `-` or not given.
/// Somebody's map is not written over.
fn write(text: &str, file: Option<&Path>) -> Result<()> {
    put(text.as_bytes(), file, |file| {
        let mut file = OpenOptions::new().write(true).create_new(true).open(file)?;
        file.write_all(text.as_bytes())
    })
}

fn put(
    bytes: &[u8],
    file: Option<&Path>,
    write: impl FnOnce(&Path) -> std::io::Result<()>,
) -> Result<()> {
    match file.filter(|file| *file != Path::new("-")) {
        None => output::put_bytes(bytes),
        Some(file) => {
            let name = file.display();
            write(file).with_context(|| format!("{name} cannot be written"))?;
            eprintln!("written: {name}");
            Ok(())
        }
    }
}
