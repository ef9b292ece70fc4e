//! Running the tests, and counting them.

use std::{
    ffi::OsString,
    fmt,
    io::{BufRead, BufReader},
    process::Stdio,
};

use anyhow::{Context, Result, ensure};

use alamein_plugin_build::cargo;

use crate::{BuildPlugins, PLUGIN_DIR, Workspace, build_plugins};

/// How many tests ran, over all the test binaries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests that held.
    pub passed: u64,
    /// Tests that did not.
    pub failed: u64,
    /// Tests that were ignored.
    pub skipped: u64,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        )
    }
}

impl Tally {
    /// Adds what a line of a test binary's output says, if it closes a run.
    fn add(&mut self, line: &str) {
        let Some(counts) = line.strip_prefix("test result: ") else {
            return;
        };
        // `ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s`
        let counts = counts.split_once(". ").map_or(counts, |(_, counts)| counts);
        for count in counts.split("; ") {
            let Some((number, what)) = count.split_once(' ') else {
                continue;
            };
            let Ok(number) = number.parse::<u64>() else {
                continue;
            };
            match what {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.skipped += number,
                _ => {}
            }
        }
    }
}

/// Builds the plugins, then runs `cargo test` with these arguments on top and with
/// `ALAMEIN_PLUGIN_DIR` set. The outcome is told apart from the count: a test binary may die
/// without closing its run.
pub fn test(workspace: &Workspace, arguments: &[OsString]) -> Result<(Tally, Result<()>)> {
    let before_dashes = || arguments.iter().take_while(|word| *word != "--");
    let has = |words: &[&str]| {
        before_dashes().any(|given| words.iter().any(|word| begins_with_flag(given, word)))
    };
    let release = has(&["--release", "-r"]);
    build_plugins(
        workspace,
        &BuildPlugins {
            release,
            ..BuildPlugins::default()
        },
    )?;

    let mut command = cargo::command(&workspace.root);
    command.arg("test");
    if !has(&["--package", "-p", "--workspace"]) {
        command.arg("--workspace");
    }
    if !has(&["--no-fail-fast"]) {
        command.arg("--no-fail-fast");
    }
    command
        .args(arguments)
        .env(PLUGIN_DIR, workspace.plugin_dir())
        .stdout(Stdio::piped());

    let mut child = command.spawn().context("cannot start cargo test")?;
    let mut tally = Tally::default();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            tally.add(&line);
        }
    }
    let status = child.wait()?;
    let outcome = || {
        ensure!(status.success(), "cargo test failed ({status})");
        Ok(())
    };
    Ok((tally, outcome()))
}

/// Whether a word is this flag, with or without a value of its own (`-pfoo`, `--package=foo`).
fn begins_with_flag(given: &OsString, flag: &str) -> bool {
    let given = given.to_string_lossy();
    match given.strip_prefix(flag) {
        None => false,
        Some(rest) if flag.starts_with("--") => rest.is_empty() || rest.starts_with('='),
        Some(rest) => rest.is_empty() || flag == "-p",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_adds_closing_lines_and_nothing_else() {
        let mut tally = Tally::default();
        for line in [
            "running 4 tests",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s",
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "a test said: 9 passed; 9 failed",
        ] {
            tally.add(line);
        }
        assert_eq!(
            tally,
            Tally {
                passed: 4,
                failed: 2,
                skipped: 1
            }
        );
        assert_eq!(tally.to_string(), "4 passed, 2 failed, 1 skipped");
    }

    #[test]
    fn flags_are_known_with_and_without_a_value() {
        let is = |given: &str, flag| begins_with_flag(&OsString::from(given), flag);
        assert!(is("-p", "-p") && is("-pfoo", "-p"));
        assert!(is("--package", "--package") && is("--package=foo", "--package"));
        assert!(!is("--packages", "--package") && !is("-rx", "-r"));
    }
}
