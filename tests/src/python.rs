//! Runs the scripts of `tests/python`: clients that are not written in Rust.

use std::env;
use std::ffi::OsString;
use std::io::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Runs a script against a server, with something to read in JSON. Where no Python is there to run
/// it, says so and passes.
///
/// # Errors
/// Where the script fails.
pub fn run(script: &str, address: &str, input: &Value) -> Result<()> {
    let Some(python) = python() else {
        eprintln!("SKIPPED: set ALAMEIN_PYTHON to a Python with grpcio-tools to run {script}");
        return Ok(());
    };
    let file = xtask::root().join("tests/python").join(script);
    let mut child = Command::new(python)
        .arg(&file)
        .arg(address)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .spawn()
        .context("Python does not start")?;
    if let Some(mut stdin) = child.stdin.take() {
        // A script that does not read what it is given has closed its end by now.
        let _ = stdin.write_all(input.to_string().as_bytes());
    }
    let status = child.wait()?;
    ensure!(status.success(), "{script} failed: {status}");
    Ok(())
}

/// The Python to run scripts with, if there is one.
#[must_use]
pub fn python() -> Option<OsString> {
    env::var_os("ALAMEIN_PYTHON").filter(|python| !python.is_empty())
}
