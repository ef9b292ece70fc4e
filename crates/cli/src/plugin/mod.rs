//! `alamein plugin`: starting, building, testing and looking at plugins.

mod admin;
mod build;
mod check;
pub(crate) mod help;
mod inspect;
mod list;
mod lock;
mod new;
mod test;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use alamein_plugin_build::{BuildFolder, BuiltPlugin, MANIFEST, build_folder};
use alamein_terrain::Manifest;
use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::args::PluginCommand;

pub(crate) fn run(command: &PluginCommand) -> Result<ExitCode> {
    match command {
        PluginCommand::New(new) => new::run(new)?,
        PluginCommand::Build(build) => build::run(build)?,
        PluginCommand::Check(check) => return check::run(check),
        PluginCommand::Inspect(inspect) => return inspect::run(inspect),
        PluginCommand::TryPart(part) => alamein_plugin_kit::try_part(&part.arguments)?,
        PluginCommand::Test(test) => return test::run(test),
        PluginCommand::List(list) => return list::run(list),
        PluginCommand::Load(swap) => admin::load(swap)?,
        PluginCommand::Replace(swap) => admin::replace(swap)?,
        PluginCommand::Retire(retire) => admin::retire(retire)?,
        PluginCommand::Status(status) => admin::status(status)?,
        PluginCommand::Lock(lock) => return lock::run(lock),
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder of a built plugin: the one named, or what is now built of the sources in it.
fn built(named: &Path) -> Result<PathBuf> {
    ensure!(named.is_dir(), "{} is no folder", named.display());
    let file = named.join(MANIFEST);
    let text = std::fs::read_to_string(&file).with_context(|| {
        format!(
            "{} is no plugin's folder: {MANIFEST} cannot be read",
            named.display()
        )
    })?;
    // What is no JSON has no sources to be built of: whoever loads it says what is wrong.
    let is_built = serde_json::from_str::<Value>(&text)
        .map_or(true, |manifest| manifest.get("artifact").is_some());
    if is_built {
        return Ok(named.to_path_buf());
    }
    Ok(build_now(named, false, None)?.folder)
}

/// Builds a plugin, and says so to whoever waits; on a terminal cargo shows how far it is.
fn build_now(source: &Path, release: bool, out: Option<PathBuf>) -> Result<BuiltPlugin> {
    check_manifest(source)?;
    eprintln!("alamein: building {}", source.display());
    build_folder(&BuildFolder {
        source: source.to_path_buf(),
        release,
        out,
        quiet: !std::io::stderr().is_terminal(),
        target: alamein_plugin_host::TARGET.into(),
    })
}

/// What is wrong with the plugin.json of sources is told of that file, and before the compiler is
/// waited for; that it is not there, by whoever builds.
fn check_manifest(source: &Path) -> Result<()> {
    let file = source.join(MANIFEST);
    let Ok(text) = std::fs::read_to_string(&file) else {
        return Ok(());
    };
    Manifest::parse(&text).with_context(|| file.display().to_string())?;
    Ok(())
}

/// A path as short as it can be told from here.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let shorter = here
        .ok()
        .and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf));
    match shorter {
        Some(shorter) if shorter.as_os_str().is_empty() => ".".into(),
        Some(shorter) => shorter.display().to_string(),
        None => path.display().to_string(),
    }
}
