//! Running cargo and other tools, and reading what cargo says it built.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

/// A cargo command that runs in `root`.
#[must_use]
pub fn command(root: &Path) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root);
    // What cargo told this process of its own package would reach build scripts as if it had been set on
    // purpose, and each that looks at it would build anew, and all that stands on it.
    let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for name in names.filter(|name| is_of_a_package(name)) {
        command.env_remove(name);
    }
    command
}

fn is_of_a_package(variable: &str) -> bool {
    let of = ["CARGO_PKG_", "CARGO_MANIFEST_"];
    variable == "OUT_DIR" || of.iter().any(|prefix| variable.starts_with(prefix))
}

/// Runs a command that prints for people.
///
/// # Errors
/// An exit status other than 0, or a command that does not start.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| not_started(command))?;
    ensure!(status.success(), "{} failed ({status})", shown(command));
    Ok(())
}

/// Runs a command and returns what it printed; its error output goes to the terminal.
///
/// # Errors
/// As [`run`].
pub fn stdout(command: &mut Command) -> Result<Vec<u8>> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| not_started(command))?;
    ensure!(
        output.status.success(),
        "{} failed ({})",
        shown(command),
        output.status
    );
    Ok(output.stdout)
}

/// Runs a command and returns what it printed. Its error output is part of the error, if it fails,
/// and not shown otherwise.
///
/// # Errors
/// As [`run`].
pub fn quiet_stdout(command: &mut Command) -> Result<Vec<u8>> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| not_started(command))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!(
            "{} failed ({}):\n{}",
            shown(command),
            output.status,
            said.trim_end()
        );
    }
    Ok(output.stdout)
}

fn not_started(command: &Command) -> String {
    let shown = shown(command);
    if shown.starts_with("cargo") {
        format!("cannot start {shown}; install Rust from https://rustup.rs")
    } else {
        format!("cannot start {shown}")
    }
}

/// A tool from the path, or from where `.ci/run` installs its tools.
///
/// # Errors
/// Where it is in neither.
pub fn tool(root: &Path, name: &str, hint: &str) -> Result<PathBuf> {
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
///
/// # Errors
/// Where there is no rustc.
pub fn host() -> Result<String> {
    let version = stdout(Command::new("rustc").arg("-vV"))?;
    let version = String::from_utf8_lossy(&version);
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("`rustc -vV` names no host")
}

/// One thing that a `cargo build` made.
#[derive(Debug, Deserialize)]
pub struct Artifact {
    /// The package that it was made of.
    pub manifest_path: PathBuf,
    /// What was built.
    pub target: Target,
    /// The files made.
    pub filenames: Vec<PathBuf>,
    /// The program made, if it is one.
    pub executable: Option<PathBuf>,
}

/// A target of a package.
#[derive(Debug, Deserialize)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// What kinds of library it makes.
    pub crate_types: Vec<String>,
}

/// Runs a `cargo build`, rendering its diagnostics, and returns what it made.
///
/// # Errors
/// As [`run`].
pub fn build(command: &mut Command) -> Result<Vec<Artifact>> {
    command.arg("--message-format=json-render-diagnostics");
    made(&stdout(command)?)
}

/// The same without a word, unless it fails.
///
/// # Errors
/// As [`run`], with all that cargo said.
pub fn quiet_build(command: &mut Command) -> Result<Vec<Artifact>> {
    command.arg("--message-format=json-render-diagnostics");
    made(&quiet_stdout(command)?)
}

fn made(messages: &[u8]) -> Result<Vec<Artifact>> {
    let mut artifacts = Vec::new();
    for line in String::from_utf8_lossy(messages).lines() {
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
