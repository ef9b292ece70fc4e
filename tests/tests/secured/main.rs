//! A service that asks who calls, from outside: the command against it over TLS, tenants that see nothing of
//! each other, tokens that somebody else issues, and what is written down of who does what.
#![allow(clippy::unwrap_used)] // A test may.

mod audit;
mod commands;
mod jwt;
mod python;
mod tenants;
mod ways;

use std::fs;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use alamein_client::{Access, Client, Error, Settings, v1};
use alamein_hex::Grid;
use alamein_terrain::{Counter, CounterClass, Environment, Map, Position};
use alamein_tests::plugin_folder;
use alamein_tests::serving::{Server, binary};
use tempfile::TempDir;

/// A service with TLS and a file of tokens.
struct Secured {
    server: Server,
    folder: TempDir,
}

/// The tokens of its file: a name, the tenant, the scopes.
const TOKENS: [(&str, &str, &str); 3] = [
    (
        "club",
        "club",
        "adjudicate,maps:write,positions:write,games:write,rulesets:write",
    ),
    (
        "league",
        "league",
        "adjudicate,maps:write,positions:write,games:write,rulesets:write",
    ),
    ("asker", "club", "adjudicate"),
];

impl Secured {
    fn start() -> Self {
        Self::start_with(|_| Vec::new())
    }

    /// The same, with more flags, which may name files of its folder.
    fn start_with(flags: impl FnOnce(&TempDir) -> Vec<String>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        fs::write(at("cert.pem"), made.cert.pem()).unwrap();
        fs::write(at("key.pem"), made.signing_key.serialize_pem()).unwrap();
        fs::write(at("tokens.toml"), "").unwrap();
        let file = at("tokens.toml");
        for (name, tenant, scopes) in TOKENS {
            let new = [
                "token", "new", "--tenant", tenant, "--scope", scopes, "--file", &file,
            ];
            let made = alamein(&new, &[]);
            assert!(made.status.success(), "{made:?}");
            fs::write(at(name), made.stdout).unwrap();
        }
        let (cert, key) = (at("cert.pem"), at("key.pem"));
        let own = ["--tls-cert", &cert, "--tls-key", &key, "--tokens", &file];
        let mut all: Vec<String> = own.map(str::to_owned).into();
        all.extend(flags(&folder));
        let server = Server::start(plugin_folder().unwrap(), &all).unwrap();
        Self { server, folder }
    }

    fn url(&self) -> String {
        let (_, port) = self.server.address().rsplit_once(':').unwrap();
        format!("https://localhost:{port}")
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// The token of a name.
    fn token(&self, name: &str) -> String {
        fs::read_to_string(self.file(name))
            .unwrap()
            .trim()
            .to_owned()
    }

    async fn client(&self, name: &str) -> Client {
        self.bearing(&self.token(name), 60).await
    }

    /// A client that bears a token, and makes a call so many times at most.
    async fn bearing(&self, token: &str, tries: u32) -> Client {
        let settings = Settings {
            deadline: Duration::from_secs(60),
            tries,
            ..Settings::default()
        };
        let access = Access {
            token: Some(token.to_owned()),
            trusted: fs::read(self.file("cert.pem")).ok(),
            identity: None,
        };
        Client::connect_as(&self.url(), settings, &access)
            .await
            .unwrap()
    }
}

/// A position with a wreck; each number is another one.
fn position(number: u32) -> Position {
    let grid = Grid::geomorphic();
    let wreck = Counter::new(
        format!("wreck-{number}"),
        CounterClass::Wreck,
        grid.hex("Q7").unwrap(),
    );
    Position::new(
        Arc::new(Map::flat(grid)),
        vec![wreck],
        Environment::default(),
    )
    .unwrap()
}

/// Reads a position, as nobody in particular.
async fn read(client: &Client, id: &str) -> Result<(), Error> {
    let request = v1::GetPositionRequest {
        position_id: id.to_owned(),
        as_side: String::new(),
    };
    client.positions().get_position(request).await?;
    Ok(())
}

/// Waits until something is so.
async fn until(mut so: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !so().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(60), wait).await;
    waited.unwrap();
}

fn alamein(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(binary().unwrap());
    command
        .args(arguments)
        .env_remove("ALAMEIN_TOKEN")
        .envs(environment.iter().copied());
    command.output().unwrap()
}
