//! Running cargo and other tools, and reading what cargo says it built.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

/// A cargo command that runs in `root`.
pub(crate) fn command(root: &Path) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root);
    command
}

/// Runs a command that prints for people; an exit status other than 0 is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    ensure!(status.success(), "{} failed ({status})", shown(command));
    Ok(())
}

/// Runs a command and returns what it printed; its error output goes to the terminal.
pub(crate) fn stdout(command: &mut Command) -> Result<Vec<u8>> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    ensure!(
        output.status.success(),
        "{} failed ({})",
        shown(command),
        output.status
    );
    Ok(output.stdout)
}

/// A tool from the path, or from where `.ci/run` installs its tools.
pub(crate) fn tool(root: &Path, name: &str, hint: &str) -> Result<PathBuf> {
    let installed = root.join("target/ci-venv/bin");
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path).chain([installed]) {
        let candidate = folder.join(name);
        if candidate.is_file() {
            return Ok(candidate);
        }
    }
    bail!("{name} is not installed: {hint}, or let `.ci/run` install it")
}

/// The triple that rustc builds for when it is told nothing.
pub(crate) fn host() -> Result<String> {
    let version = stdout(Command::new("rustc").arg("-vV"))?;
    let version = String::from_utf8_lossy(&version);
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("`rustc -vV` names no host")
}

/// One thing that a `cargo build` made.
#[derive(Debug, Deserialize)]
pub(crate) struct Artifact {
    pub(crate) manifest_path: PathBuf,
    pub(crate) target: Target,
    pub(crate) filenames: Vec<PathBuf>,
    pub(crate) executable: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) crate_types: Vec<String>,
}

/// Runs a `cargo build`, rendering its diagnostics, and returns what it made.
pub(crate) fn build(command: &mut Command) -> Result<Vec<Artifact>> {
    command.arg("--message-format=json-render-diagnostics");
    let messages = stdout(command)?;
    let mut artifacts = Vec::new();
    for line in String::from_utf8_lossy(&messages).lines() {
        let message: serde_json::Value =
            serde_json::from_str(line).with_context(|| format!("not a cargo message: {line}"))?;
        if message["reason"] == "compiler-artifact" {
            artifacts.push(serde_json::from_value(message)?);
        }
    }
    Ok(artifacts)
}

/// A command as a person would type it.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_stem().unwrap_or(program.as_os_str());
    let words = std::iter::once(name).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
