//! The command: it asks a secured service, and makes and revokes tokens.

use std::fs;
use std::path::Path;

use crate::{Secured, alamein};

#[tokio::test(flavor = "multi_thread")]
async fn the_command_asks_a_secured_service_by_file_and_by_environment() {
    let secured = Secured::start();
    secured.client("club").await.ruleset().await.unwrap();
    let (url, ca, asker) = (
        secured.url(),
        secured.file("cert.pem"),
        secured.file("asker"),
    );
    let ask = |more: &[&str], environment: &[(&str, &str)]| {
        let question = [
            "fire",
            "H",
            "K",
            "--example",
            "--server",
            &url,
            "--tls-ca",
            &ca,
        ];
        alamein(&[&question[..], more].concat(), environment)
    };
    let by_file = ask(&["--token-file", &asker], &[]);
    assert!(by_file.status.success(), "{by_file:?}");
    let token = fs::read_to_string(&asker).unwrap();
    let by_environment = ask(&[], &[("ALAMEIN_TOKEN", token.trim())]);
    assert_eq!(by_file.stdout, by_environment.stdout, "{by_environment:?}");

    let without = ask(&[], &[]);
    let told = String::from_utf8_lossy(&without.stderr).into_owned();
    assert!(
        !without.status.success() && told.contains("CREDENTIALS_MISSING"),
        "{told}"
    );
    let wrong = ask(&[], &[("ALAMEIN_TOKEN", "alm_no")]);
    let told = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(
        !wrong.status.success() && told.contains("TOKEN_INVALID"),
        "{told}"
    );
    let log = secured.server.log();
    let (_, secret) = token.trim().rsplit_once('_').unwrap();
    assert!(!log.contains(secret), "a secret in the log");
}

#[test]
fn a_token_is_made_listed_and_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens.toml").display().to_string();
    let run = |arguments: &[&str]| {
        let ran = alamein(&[arguments, &["--file", &file]].concat(), &[]);
        let text = [&ran.stdout[..], &ran.stderr].concat();
        (ran.status.success(), String::from_utf8(text).unwrap())
    };
    let (made, told) = run(&[
        "token",
        "new",
        "--tenant",
        "club",
        "--scope",
        "adjudicate",
        "--expires",
        "1h",
    ]);
    assert!(made, "{told}");
    let id = told
        .split_once("alm_")
        .unwrap()
        .1
        .get(..8)
        .unwrap()
        .to_owned();
    let (listed, told) = run(&["token", "list"]);
    assert!(
        listed && told.contains(&id) && told.contains("adjudicate"),
        "{told}"
    );
    let (listed, told) = run(&["token", "list", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert!(
        listed && told[0]["tenant"] == "club" && told[0]["expired"] == false,
        "{told}"
    );
    for wrong in [
        &[
            "token",
            "new",
            "--tenant",
            "The Club",
            "--scope",
            "adjudicate",
        ][..],
        &["token", "new", "--tenant", "club", "--scope", "everything"],
        &[
            "token",
            "new",
            "--tenant",
            "club",
            "--scope",
            "adjudicate",
            "--expires",
            "soon",
        ],
        &["token", "revoke", "00000000"],
    ] {
        assert!(!run(wrong).0, "{wrong:?}");
    }
    let (revoked, told) = run(&["token", "revoke", &id]);
    assert!(revoked, "{told}");
    assert!(!fs::read_to_string(Path::new(&file)).unwrap().contains(&id));
}
