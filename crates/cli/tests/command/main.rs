//! The `alamein` command, run as people run it.

#![allow(clippy::unwrap_used)]

mod asking;
mod checking;
mod configuring;
mod games;
mod mapping;
mod measuring;
mod moving;
mod plugin;
mod positions;
mod rulesets;
mod seeing;
mod serving;
mod setting_up;
mod showing;

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The built plugins.
fn plugins() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| match std::env::var_os("ALAMEIN_PLUGIN_DIR") {
        Some(folder) => folder.into(),
        None => {
            let workspace = xtask::Workspace::read(&xtask::root()).unwrap();
            xtask::build_plugins(&workspace, &xtask::BuildPlugins::default()).unwrap();
            workspace.plugin_dir()
        }
    })
}

/// What a run of the command left.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The first line, of a run that went well.
    #[track_caller]
    fn verdict(&self) -> &str {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.out.lines().next().unwrap()
    }

    /// That it is an error which says this.
    #[track_caller]
    fn complains(&self, of: &str) {
        assert_eq!(self.code, 2, "{}{}", self.out, self.err);
        assert!(self.err.starts_with("alamein: "), "{}", self.err);
        assert!(self.err.contains(of), "{}", self.err);
    }

    /// That a service does not start, since its configuration is wrong in this.
    #[track_caller]
    fn is_misconfigured(&self, of: &str) {
        assert_eq!(self.code, 78, "{}{}", self.out, self.err);
        assert!(self.err.contains(of), "{}", self.err);
    }

    /// That the command was given in a way that makes no sense.
    #[track_caller]
    fn tells_usage(&self) {
        assert_eq!(self.code, 2, "{}{}", self.out, self.err);
        assert!(self.err.contains("Usage: alamein "), "{}", self.err);
    }

    /// The same, of a value that a flag does not take.
    #[track_caller]
    fn tells_usage_of(&self, flag: &str) {
        assert_eq!(self.code, 2, "{}{}", self.out, self.err);
        assert!(self.err.contains(&format!("for '{flag}")), "{}", self.err);
    }

    /// That it wrote this.
    #[track_caller]
    fn says(&self, text: &str) -> &Self {
        assert!(self.out.contains(text), "{}{}", self.out, self.err);
        self
    }

    /// The same, wherever its lines break and however wide its columns are.
    #[track_caller]
    fn tells(&self, text: &str) -> &Self {
        let words: Vec<&str> = self.out.split_whitespace().collect();
        assert!(words.join(" ").contains(text), "{}{}", self.out, self.err);
        self
    }
}

/// The command, not yet run.
fn command(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alamein"));
    command.args(line.split_whitespace());
    command.env_remove("RUST_LOG");
    command.env("ALAMEIN_PLUGIN_DIR", plugins());
    // Services run beside each other, and beside whatever this user keeps.
    command.env("ALAMEIN_STORE", "memory");
    command
}

/// Runs the command; the line is split at spaces.
fn run(line: &str) -> Ran {
    Ran::of(command(line).output().unwrap())
}
