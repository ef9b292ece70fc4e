//! Bad plugins, as a client of the service meets them: each is named, none is silently left out,
//! and the service stays up.
#![allow(clippy::unwrap_used)] // A test may.

mod counted;
mod failing;
mod fog;
mod folders;
mod lost;
mod quirks;
mod refused;
mod trusted;

use alamein_tests::python;
use alamein_tests::serving::Server;
use folders::Folder;
use serde_json::Value;

/// A server on a folder with a bad plugin, and what a client must find.
struct Bad {
    name: &'static str,
    server: Server,
    expected: Value,
    /// It is gone once the server is.
    _folder: Folder,
}

impl Bad {
    fn new(name: &'static str, folder: Folder, expected: Value) -> Self {
        Self::with_options(name, folder, &[], expected)
    }

    /// The same with options of the rogue.
    fn with_options(
        name: &'static str,
        folder: Folder,
        options: &[(&str, &str)],
        expected: Value,
    ) -> Self {
        let set = |(option, value): &(&str, &str)| format!("--set=rogue.{option}={value}");
        let flags: Vec<String> = options.iter().map(set).collect();
        Self::with_flags(name, folder, &flags, expected)
    }

    /// The same with any flags.
    fn with_flags(name: &'static str, folder: Folder, flags: &[String], expected: Value) -> Self {
        // A plugin that is slow on purpose is waited for, however many wait with it.
        let patient = ["--max-wait=10m", "--max-standing=256"].map(str::to_owned);
        let flags: Vec<String> = flags.iter().cloned().chain(patient).collect();
        Self {
            name,
            server: Server::start(folder.path(), &flags).unwrap(),
            expected,
            _folder: folder,
        }
    }
}

/// Runs a script on several servers, and checks that they are still there.
fn check(script: &str, mut bad: Vec<Bad>) {
    let plan: Vec<Value> = bad
        .iter()
        .map(|bad| {
            let mut row = bad.expected.clone();
            row["name"] = bad.name.into();
            row["address"] = bad.server.address().into();
            row
        })
        .collect();
    python::run(script, "-", &Value::from(plan)).unwrap();
    for bad in &mut bad {
        let ended = bad.server.ended().unwrap();
        assert_eq!(ended, None, "{}: {}", bad.name, bad.server.log());
        if let Some(logged) = bad.expected["logged"]
            .as_str()
            .filter(|_| python::python().is_some())
        {
            assert!(
                bad.server.log().contains(logged),
                "{logged}: {}",
                bad.server.log()
            );
        }
    }
}
