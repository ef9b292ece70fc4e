//! `alamein.toml`: how a service is configured, and `alamein config`.
//!
//! The flags of `alamein serve` are the one source of what can be configured. The file's keys, the
//! names in the environment, `config init`, and the pages in `docs/` are all made of them.

mod check;
mod fault;
mod file;
mod layers;
mod options;
mod show;
mod written;

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::FromArgMatches as _;

use crate::args::{Cli, Command, ConfigCommand, ConfigInit};
use crate::output;
pub(crate) use check::{odd, warnings};
pub(crate) use fault::Fault;
pub(crate) use layers::{Configured, Sources, environment};
#[cfg(test)]
pub(crate) use options::shown;

/// The command line of this process, and of a service where each part of its configuration was said.
///
/// # Errors
/// The status to end with, once it is told why.
pub(crate) fn command_line() -> Result<(Cli, Sources), ExitCode> {
    let line: Vec<OsString> = std::env::args_os().collect();
    let serves = line.get(1).is_some_and(|word| word == options::SERVE);
    if serves {
        let flags = line.get(2..).unwrap_or_default();
        let Configured { serve, sources } =
            Configured::of(flags, &environment).map_err(layers::Unfit::tell)?;
        let command = Command::Serve(serve);
        return Ok((Cli { command }, sources));
    }
    let matches = options::shown().get_matches_from(line);
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    Ok((cli, Sources::default()))
}

/// A configuration with all that is wrong with it, as far as that can be seen before a service is
/// started. If there is one in spite of that, it is made of the rest.
///
/// # Errors
/// The status to end with, where the flags make no sense.
pub(crate) fn survey(
    file: Option<&Path>,
    flags: &[String],
) -> Result<(Option<Configured>, Vec<Fault>), ExitCode> {
    let flags = layers::with_file(file, flags);
    let surveyed = Configured::survey(&flags, &environment);
    let (configured, mut faults) = surveyed.map_err(layers::Unfit::tell)?;
    if let Some(Configured { serve, sources }) = &configured {
        faults.extend(check::beyond(serve, sources));
    }
    Ok((configured, faults))
}

/// Runs `alamein config`.
pub(crate) fn run(command: &ConfigCommand) -> Result<ExitCode> {
    match command {
        ConfigCommand::Check(check) => return check::run(check),
        ConfigCommand::Show(show) => return show::run(show),
        ConfigCommand::Init(init) => write(init)?,
        ConfigCommand::Reference => output::put(&written::reference(&options::all()))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn write(init: &ConfigInit) -> Result<()> {
    let text = written::example(&options::all());
    let Some(path) = &init.file else {
        return output::put(&text);
    };
    // Nothing is written over what is there.
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.with_context(|| format!("{} cannot be written", path.display()))
}
