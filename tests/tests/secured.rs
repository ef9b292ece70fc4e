//! A service that asks who calls, from outside: the command against it over TLS, and tenants that see
//! nothing of each other.
#![allow(clippy::unwrap_used)] // A test may.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use alamein_client::{Access, Client, Error, RemoteError, Settings, v1};
use alamein_hex::{Aim, Grid};
use alamein_proto::encode;
use alamein_terrain::{Ask, Counter, CounterClass, End, Environment, Map, Position, Question};
use alamein_tests::plugin_folder;
use alamein_tests::serving::{Server, binary};
use tempfile::TempDir;

/// A service with TLS and a file of tokens.
struct Secured {
    server: Server,
    folder: TempDir,
}

impl Secured {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        fs::write(at("cert.pem"), made.cert.pem()).unwrap();
        fs::write(at("key.pem"), made.signing_key.serialize_pem()).unwrap();
        fs::write(at("tokens.toml"), "").unwrap();
        for (name, tenant, scopes) in [
            ("club", "club", "adjudicate,maps:write,positions:write"),
            ("league", "league", "adjudicate,maps:write,positions:write"),
            ("asker", "club", "adjudicate"),
        ] {
            let made = alamein(
                &[
                    "token",
                    "new",
                    "--tenant",
                    tenant,
                    "--scope",
                    scopes,
                    "--file",
                    &at("tokens.toml"),
                ],
                &[],
            );
            assert!(made.status.success(), "{made:?}");
            fs::write(at(name), made.stdout).unwrap();
        }
        let (cert, key, tokens) = (at("cert.pem"), at("key.pem"), at("tokens.toml"));
        let flags = ["--tls-cert", &cert, "--tls-key", &key, "--tokens", &tokens];
        let server = Server::start(plugin_folder().unwrap(), &flags).unwrap();
        Self { server, folder }
    }

    fn url(&self) -> String {
        let (_, port) = self.server.address().rsplit_once(':').unwrap();
        format!("https://localhost:{port}")
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    async fn client(&self, token: &str) -> Client {
        let settings = Settings {
            deadline: Duration::from_secs(60),
            tries: 60,
            ..Settings::default()
        };
        let access = Access {
            token: fs::read_to_string(self.file(token)).ok(),
            trusted: fs::read(self.file("cert.pem")).ok(),
            identity: None,
        };
        Client::connect_as(&self.url(), settings, &access)
            .await
            .unwrap()
    }
}

fn alamein(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(binary().unwrap());
    command
        .args(arguments)
        .env_remove("ALAMEIN_TOKEN")
        .envs(environment.iter().copied());
    command.output().unwrap()
}

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

/// What a refusal tells, with the id that was asked for taken out.
fn told(error: Error, id: &str) -> (i32, String, String, BTreeSet<String>, usize) {
    let RemoteError {
        code,
        reason,
        message,
        metadata,
        fields,
        ..
    } = error.remote().unwrap().clone();
    assert_eq!(code, tonic::Code::NotFound, "{message}");
    let keys = metadata.into_keys().collect();
    (
        code as i32,
        format!("{reason:?}"),
        message.replace(id, "ID"),
        keys,
        fields.len(),
    )
}

/// Asks for something by its id.
async fn ask_for(client: &Client, what: &str, id: &str) -> Result<(), Error> {
    let id = id.to_owned();
    let line = |position_id: String| {
        let grid = Grid::geomorphic();
        let [from, to] = ["P6", "S8"].map(|hex| End::Hex(Aim::centre(grid.hex(hex).unwrap())));
        let question = Question::new(Ask::LineOfSight { from, to });
        v1::BatchAdjudicateRequest {
            subject: Some(v1::Subject {
                subject: Some(v1::subject::Subject::PositionId(position_id)),
            }),
            questions: vec![encode::question(&question, &grid)],
            ..Default::default()
        }
    };
    match what {
        "map" => client
            .maps()
            .get_map(v1::GetMapRequest { map_id: id })
            .await
            .map(drop)?,
        "position" => client
            .positions()
            .get_position(v1::GetPositionRequest {
                position_id: id,
                as_side: String::new(),
            })
            .await
            .map(drop)?,
        _ => client
            .adjudication()
            .batch_adjudicate(line(id))
            .await
            .map(drop)?,
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_tenant_keeps_is_as_what_never_was() {
    let secured = Secured::start();
    let (club, league) = (secured.client("club").await, secured.client("league").await);
    club.ruleset().await.unwrap();
    let grid = Grid::geomorphic();
    let wreck = Counter::new("wreck", CounterClass::Wreck, grid.hex("Q7").unwrap());
    let map = Arc::new(Map::flat(grid));
    let position = Position::new(map, vec![wreck], Environment::default()).unwrap();
    club.create_position(&position).await.unwrap();
    let ids = [
        position.map_id().to_string(),
        position.id().to_string(),
        position.id().to_string(),
    ];
    let never = "0".repeat(64);
    for (what, id) in ["map", "position", "question"].into_iter().zip(&ids) {
        ask_for(&club, what, id).await.unwrap();
        let others = ask_for(&league, what, id).await.unwrap_err();
        let nobodys = ask_for(&league, what, &never).await.unwrap_err();
        assert_eq!(told(others, id), told(nobodys, &never), "{what}");
    }
    let list = |client: Client| async move {
        let answer = client
            .maps()
            .list_maps(v1::ListMapsRequest::default())
            .await;
        answer.unwrap().into_inner().maps.len()
    };
    assert_eq!(
        (list(club.clone()).await, list(league.clone()).await),
        (1, 0)
    );

    // The same content is kept by each for itself, as if nobody had kept it before.
    let request = v1::CreatePositionRequest {
        position: Some(encode::position(&position, false)),
        ..Default::default()
    };
    for created in [true, false] {
        let kept = league
            .positions()
            .create_position(request.clone())
            .await
            .unwrap()
            .into_inner();
        assert_eq!((kept.created, &kept.position_id), (created, &ids[1]));
    }
    ask_for(&league, "question", &ids[2]).await.unwrap();

    let asker = secured.client("asker").await;
    ask_for(&asker, "position", &ids[1]).await.unwrap();
    let refused = asker.create_position(&position).await.unwrap_err();
    assert_eq!(
        refused.reason(),
        Some(alamein_client::ErrorReason::ScopeMissing)
    );
    assert_eq!(
        refused.remote().unwrap().metadata["scope"],
        "positions:write"
    );
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
