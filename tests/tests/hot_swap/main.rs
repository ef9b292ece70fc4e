//! Plugins are replaced while the service runs: the command itself, with real builds, over gRPC.
#![allow(clippy::unwrap_used)] // A test may.

mod again;
mod failures;
mod guarded;
mod load;
mod pins;
mod stalled;
mod watching;

use std::time::Duration;

use alamein_client::{AdminClient, AdminSettings, Client, Error, ErrorReason, Settings, View};
use alamein_terrain::{Adjudicated, Verdict};
use alamein_tests::stage::{CLUB, Shots, Stage};

/// A client of a stage's club that has patience with a debug build. The rules are loaded.
async fn client(stage: &Stage) -> Client {
    let settings = Settings {
        deadline: Duration::from_secs(60),
        tries: u32::MAX,
        ..Settings::default()
    };
    let url = format!("http://{}", stage.server.address());
    let client = Client::connect_with(&url, settings).await.unwrap();
    let client = client.with_ruleset(CLUB);
    client.ruleset().await.unwrap();
    client
}

async fn admin(stage: &Stage) -> AdminClient {
    let settings = AdminSettings::default();
    AdminClient::connect(&stage.admin(), settings)
        .await
        .unwrap()
}

/// What a client gets for the shots.
async fn ask(client: &Client, shots: &Shots) -> Vec<Adjudicated> {
    try_to_ask(client, shots).await.unwrap()
}

async fn try_to_ask(client: &Client, shots: &Shots) -> Result<Vec<Adjudicated>, Error> {
    let answers = client
        .adjudicate(&*shots.position, &shots.questions, View::Explain)
        .await?;
    answers.into_iter().collect()
}

/// The TEM of the first shot: the number in the code that gave it.
fn tem(rulings: &[Adjudicated]) -> i16 {
    match &rulings[0].ruling.verdict {
        Verdict::LineOfFire(_, tem) => tem.tem.unwrap(),
        _ => unreachable!("it is a shot"),
    }
}

fn reason(error: &Error) -> ErrorReason {
    error.reason().unwrap_or_else(|| panic!("{error}"))
}
