//! Who is turned away, as a client in Python sees it.

use std::fs;
use std::io::Write as _;

use alamein_tests::python;
use serde_json::json;

use crate::{Secured, alamein};

/// Makes a token in the file of a service that has not started yet.
fn token(file: &str, more: &[&str]) -> String {
    let new = [
        "token",
        "new",
        "--tenant",
        "club",
        "--scope",
        "adjudicate",
        "--file",
        file,
    ];
    let made = alamein(&[&new[..], more].concat(), &[]);
    assert!(made.status.success(), "{made:?}");
    String::from_utf8(made.stdout).unwrap().trim().to_owned()
}

#[test]
fn who_is_turned_away_is_told_why_over_grpc_and_grpc_web() {
    let (mut once, mut late) = (String::new(), String::new());
    let mut secured = Secured::start_with(|folder| {
        let file = folder.path().join("tokens.toml").display().to_string();
        once = token(&file, &["--requests-per-second", "0.001", "--burst", "1"]);
        late = token(&file, &[]);
        // No command makes one that is past its time already.
        let mut tokens = fs::OpenOptions::new().append(true).open(&file).unwrap();
        writeln!(tokens, "\nexpires = 2020-01-01T00:00:00Z").unwrap();
        Vec::new()
    });
    let input = json!({
        "certificate": secured.file("cert.pem"),
        "tokens": {
            "asker": secured.token("asker"),
            "once": once,
            "late": late,
            "nobody": format!("alm_00000000_{}", "0".repeat(64)),
        },
    });
    python::run("turned_away.py", secured.server.address(), &input).unwrap();
    let log = secured.server.log();
    assert_eq!(secured.server.ended().unwrap(), None, "{log}");
    assert!(
        !log.contains(&once) && !log.contains(&late),
        "a token in the log"
    );
}
