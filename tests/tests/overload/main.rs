//! What a service does with those who ask too much of it, too fast, too slowly or in bad faith: it goes
//! on answering all others, in bounded memory.
#![allow(clippy::unwrap_used)] // A test may.

mod bombs;
mod fair;
mod files;
mod floods;
mod giving_up;
mod late;
mod laws;
mod raw;
mod readers;
mod times;

use std::sync::Arc;
use std::time::{Duration, Instant};

use alamein_client::{Client, Settings, View};
use alamein_terrain::{Position, Question};
use alamein_tests::serving::Server;
use alamein_tests::{linked_plugins, plugin_folder};

/// How long anything may take that must happen some time.
const PATIENCE: Duration = Duration::from_secs(40);

/// A server with the plugins, which judges.
async fn serve(flags: &[&str]) -> Server {
    let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    let start = move || Server::start(plugin_folder()?, &flags);
    let server = tokio::task::spawn_blocking(start).await.unwrap().unwrap();
    client(&server).await.ruleset().await.unwrap();
    server
}

/// A client that tries until the rules are loaded.
async fn client(server: &Server) -> Client {
    let settings = Settings {
        deadline: PATIENCE,
        tries: u32::MAX,
        ..Settings::default()
    };
    let url = format!("http://{}", server.address());
    Client::connect_with(&url, settings).await.unwrap()
}

/// The example's position and questions.
fn example() -> (Arc<Position>, Vec<Question>) {
    let engine = alamein_tests::engine(&linked_plugins().unwrap()).unwrap();
    let file = alamein_tests::root().join("tests/cases/f4-example.json");
    let case = alamein_cases::load(&file, &alamein_tests::known(&engine)).unwrap();
    let asked = case.questions.iter().filter_map(|it| match &it.asked {
        alamein_cases::Asked::Question(asked) => Some((**asked).clone()),
        _ => None,
    });
    (case.position, asked.collect())
}

/// Whether a newcomer is answered as ever. Gives how long it took.
async fn others_are_answered(server: &Server) -> Duration {
    let (position, questions) = example();
    let start = Instant::now();
    let client = client(server).await;
    let answers = client
        .adjudicate(&*position, &questions[..1], View::Full)
        .await;
    assert!(answers.unwrap()[0].is_ok());
    start.elapsed()
}

/// A figure of a process in MiB: `VmRSS` is the memory that it has, `VmHWM` the most it ever had.
fn memory(server: &Server, figure: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(figure));
    let kib = line
        .unwrap()
        .trim_start_matches(':')
        .trim()
        .trim_end_matches(" kB");
    kib.trim().parse::<u64>().unwrap() / 1024
}
