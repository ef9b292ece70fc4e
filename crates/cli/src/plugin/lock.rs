//! `alamein plugin lock`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use alamein_plugin_host::{LOCK_FILE, Lock, Trust};
use anyhow::{Context, Result, anyhow, bail};

use super::shown;
use crate::args::{PluginLock, RuleArgs};
use crate::{output, plugins};

pub(crate) fn run(command: &PluginLock) -> Result<ExitCode> {
    let folder = folder(command)?;
    let trust = Trust::default();
    let mut lock = Lock::of_folder(&folder, &trust)?;
    let file = command
        .out
        .clone()
        .unwrap_or_else(|| folder.join(LOCK_FILE));
    let before = match file.symlink_metadata() {
        Err(_) => None,
        Ok(_) => Some(
            Lock::read(&file, &trust)
                .map_err(|why| anyhow!("{}: {why}; take it away to begin anew", file.display()))?,
        ),
    };
    if let Some(before) = &before {
        lock.keep_other_targets(before);
    }
    if command.check {
        return check(&file, before.as_ref(), &lock);
    }
    write(&file, &lock.to_string())?;
    for locked in lock.plugins() {
        let sha256 = locked.library_sha256.get(..12).unwrap_or_default();
        output::line(&format!("{} {}  {sha256}", locked.id, locked.version))?;
    }
    let (plugins, file) = (lock.plugins().len(), shown(&file));
    output::line(&format!("{plugins} plugins are locked in {file}"))?;
    Ok(ExitCode::SUCCESS)
}

fn folder(command: &PluginLock) -> Result<PathBuf> {
    let given = command.folder.clone();
    let usual = || std::env::var_os("ALAMEIN_PLUGIN_DIR").map(PathBuf::from);
    plugins::folder(&RuleArgs::of_folder(given.or_else(usual)))
}

fn check(file: &Path, before: Option<&Lock>, lock: &Lock) -> Result<ExitCode> {
    match before {
        Some(before) if before == lock => Ok(ExitCode::SUCCESS),
        Some(_) => bail!("{} is not what the plugins are", file.display()),
        None => bail!("there is no {}", file.display()),
    }
}

/// Writes the file whole, or not at all.
fn write(file: &Path, text: &str) -> Result<()> {
    let name = file.file_name().context("--out: it has no name")?;
    let beside = file.with_file_name(format!(".{}.new", name.to_string_lossy()));
    let written = std::fs::File::create(&beside)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())
                .and_then(|()| file.sync_all())
        })
        .and_then(|()| std::fs::rename(&beside, file));
    written.with_context(|| format!("{} cannot be written", file.display()))
}
