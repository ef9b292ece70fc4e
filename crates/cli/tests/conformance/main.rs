//! `alamein plugin check` on plugins that misbehave in one way each: the check that says so fails,
//! and no other. And on those that do not.

#![allow(clippy::unwrap_used)]

mod calls;
mod fixtures;
mod inspecting;
mod outside;
mod raw;
mod rogue;
mod schema;
mod well;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What `alamein plugin check` made of a plugin.
struct Checked {
    code: i32,
    report: Value,
    err: String,
}

impl Checked {
    /// Checks a plugin, with these options instead of its defaults.
    fn of(plugin: &Path, options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alamein"));
        command.args(["plugin", "check", "--json", "--time-limit", "60"]);
        command.arg(plugin);
        command.args(options.iter().map(|option| format!("--set={option}")));
        Self::run(&mut command)
    }

    /// The same where a call that does not come back is waited for no longer than this.
    fn in_seconds(seconds: u32, plugin: &Path, options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alamein"));
        command.args(["plugin", "check", "--json", "--time-limit"]);
        command.arg(seconds.to_string()).arg(plugin);
        command.args(options.iter().map(|option| format!("--set={option}")));
        Self::run(&mut command)
    }

    fn run(command: &mut Command) -> Self {
        command.env_remove("RUST_LOG");
        let output = command.output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        let report =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {err}"));
        Self {
            code: output.status.code().unwrap(),
            report,
            err,
        }
    }

    /// The checks that ended so.
    fn with(&self, verdict: &str) -> Vec<&str> {
        let checks = self.report["checks"].as_array().unwrap();
        let ended_so = checks.iter().filter(|check| check["verdict"] == verdict);
        ended_so
            .map(|check| check["name"].as_str().unwrap())
            .collect()
    }

    fn messages(&self, check: &str) -> String {
        let checks = self.report["checks"].as_array().unwrap();
        let check = checks.iter().find(|it| it["name"] == check).unwrap();
        let messages = check["messages"].as_array().unwrap().iter();
        messages
            .map(|message| message.as_str().unwrap())
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// That this check fails and no other, and says this.
    #[track_caller]
    fn fails(&self, what: &str, check: &str, says: &str) {
        let report = &self.report;
        assert_eq!(
            self.with("fail"),
            [check],
            "{what}: {report:#} {}",
            self.err
        );
        assert_eq!(self.code, 1, "{what}: {report:#}");
        let messages = self.messages(check);
        assert!(messages.contains(says), "{what}: {messages}");
    }

    /// That all is well.
    #[track_caller]
    fn passes(&self, what: &str) {
        assert_eq!(self.with("fail"), [""; 0], "{what}: {:#}", self.report);
        assert_eq!((self.code, self.report["failed"].as_u64()), (0, Some(0)));
    }
}
