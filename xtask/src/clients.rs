//! What is written in other languages: the clients with their examples, and the page. Each is generated anew,
//! checked and tried on a service of this build.
//!
//! What that means for one is in its folder's `ci.sh`. It is given the command and its plugins, and ends by
//! saying how many of its tests held: `python: 31 passed, 0 failed`.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;

use crate::{BuildPlugins, Workspace, build_binary, build_plugins, test::Tally};

/// The environment variable that names the `alamein` command.
const BINARY: &str = "ALAMEIN_BIN";
/// The environment variable that names the folder of its plugins.
const PLUGINS: &str = "ALAMEIN_PLUGINS";

/// Something that calls the service, and is written in another language than this house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Abroad {
    /// `clients/python`.
    Python,
    /// `clients/typescript`.
    Typescript,
    /// `clients/go`.
    Go,
    /// `clients/java`.
    Java,
    /// `web`: the page.
    Web,
}

impl Abroad {
    /// What its closing line begins with.
    fn name(self) -> &'static str {
        match self {
            Abroad::Python => "python",
            Abroad::Typescript => "typescript",
            Abroad::Go => "go",
            Abroad::Java => "java",
            Abroad::Web => "web",
        }
    }

    /// Where it is, from the workspace's root.
    fn folder(self) -> PathBuf {
        match self {
            Abroad::Web => "web".into(),
            client => Path::new("clients").join(client.name()),
        }
    }

    /// The file that says which version the client is, and what stands before and after it: there for the
    /// first time in the file.
    fn version(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Abroad::Python => ("pyproject.toml", "\nversion = \"", "\""),
            Abroad::Typescript | Abroad::Web => ("package.json", "\"version\": \"", "\""),
            Abroad::Go => ("alamein/client.go", "\nconst Version = \"", "\""),
            Abroad::Java => ("pom.xml", "<version>", "</version>"),
        }
    }
}

/// Builds the command and the plugins, then runs the checks of these, or of all that there are. One that
/// fails does not keep the next from running. The outcome is told apart from the count.
pub fn clients(workspace: &Workspace, chosen: &[Abroad]) -> Result<(Tally, Result<()>)> {
    let chosen = match chosen {
        [] => Abroad::value_variants(),
        chosen => chosen,
    };
    let mut tally = Tally::default();
    let binary = build_binary(workspace, false)?;
    build_plugins(workspace, &BuildPlugins::default())?;

    let mut failed = Vec::new();
    for one in chosen {
        let (name, folder) = (one.name(), workspace.root.join(one.folder()));
        println!("--> {name}");
        let mut checks = Command::new("bash");
        checks
            .arg(folder.join("ci.sh"))
            .current_dir(&folder)
            .env(BINARY, &binary)
            .env(PLUGINS, workspace.plugin_dir());
        let outcome = same_version(&folder, *one).and_then(|()| run(&mut checks, name, &mut tally));
        if let Err(error) = outcome {
            println!("{name}: {error:#}");
            failed.push(name);
        }
    }
    let outcome = match failed.is_empty() {
        true => Ok(()),
        false => Err(anyhow::anyhow!("they fail: {}", failed.join(", "))),
    };
    Ok((tally, outcome))
}

/// Runs the checks of one and adds what their closing line counts.
fn run(checks: &mut Command, name: &str, tally: &mut Tally) -> Result<()> {
    let mut child = checks
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start bash")?;
    let mut counted = None;
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            counted = closing(name, &line).or(counted);
        }
    }
    let status = child.wait()?;
    if let Some(counted) = counted {
        tally.passed += counted.passed;
        tally.failed += counted.failed;
    }
    ensure!(status.success(), "ci.sh failed ({status})");
    match counted {
        None => bail!("ci.sh did not say `{name}: N passed, M failed`"),
        Some(Tally { passed: 0, .. }) => bail!("no test ran"),
        Some(Tally { failed: 0, .. }) => Ok(()),
        Some(Tally { failed, .. }) => bail!("{failed} tests failed, and ci.sh hid it"),
    }
}

/// What a closing line counts: `python: 31 passed, 0 failed`.
fn closing(name: &str, line: &str) -> Option<Tally> {
    let counts = line.trim().strip_prefix(name)?.strip_prefix(": ")?;
    let (passed, failed) = counts.split_once(" passed, ")?;
    Some(Tally {
        passed: passed.parse().ok()?,
        failed: failed.strip_suffix(" failed")?.parse().ok()?,
        skipped: 0,
    })
}

/// Checks that a client has the workspace's version, which this very crate has too.
fn same_version(folder: &Path, one: Abroad) -> Result<()> {
    let (file, before, after) = one.version();
    let path = folder.join(file);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let theirs = text
        .split_once(before)
        .and_then(|(_, rest)| rest.split_once(after));
    let (theirs, _) = theirs.with_context(|| {
        let before = before.trim_start();
        format!("{file} does not say the version: `{before}...{after}`")
    })?;
    let ours = env!("CARGO_PKG_VERSION");
    ensure!(
        theirs == ours,
        "{file} says version {theirs}, and the workspace is {ours}: make them the same"
    );
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test may.
mod tests {
    use super::*;

    #[test]
    fn only_the_closing_line_of_the_language_counts() {
        let counted = closing("python", "python: 31 passed, 2 failed").unwrap();
        assert_eq!((counted.passed, counted.failed), (31, 2));
        for line in [
            "go: 31 passed, 2 failed",
            "python: 31 passed",
            "31 passed, 2 failed",
            "python: many passed, 2 failed",
        ] {
            assert_eq!(closing("python", line), None, "{line}");
        }
    }

    #[test]
    fn what_a_script_says_and_how_it_ends_must_both_be_good() {
        let run = |script: &str| {
            let mut tally = Tally::default();
            let outcome = run(Command::new("bash").args(["-c", script]), "go", &mut tally);
            (tally.passed, outcome.is_ok())
        };
        assert_eq!(run("echo 'go: 3 passed, 0 failed'"), (3, true));
        assert_eq!(run("echo 'go: 3 passed, 0 failed'; exit 1"), (3, false));
        assert_eq!(run("echo 'go: 3 passed, 1 failed'"), (3, false));
        assert_eq!(run("echo 'go: 0 passed, 0 failed'"), (0, false));
        assert_eq!(run("echo fine"), (0, false));
    }

    #[test]
    fn versions_are_read_and_compared() {
        let folder = tempfile::tempdir().unwrap();
        let says = |language: Abroad, text: String| {
            let file = folder.path().join(language.version().0);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
            same_version(folder.path(), language)
        };
        let ours = env!("CARGO_PKG_VERSION");
        let files = [
            (Abroad::Python, "[project]\nname = \"a\"\nversion = \"@\"\n"),
            (Abroad::Typescript, "{\"name\": \"a\", \"version\": \"@\"}"),
            (Abroad::Go, "package alamein\n\nconst Version = \"@\"\n"),
            (Abroad::Java, "<project><version>@</version></project>"),
        ];
        for (language, file) in files {
            assert!(says(language, file.replace('@', ours)).is_ok(), "{file}");
            let other = says(language, file.replace('@', "9.9.9")).unwrap_err();
            assert!(other.to_string().contains("9.9.9"), "{other}");
            assert!(says(language, "nothing".into()).is_err(), "{file}");
        }
    }
}
