//! Three replicas over one PostgreSQL, with Envoy in front: killed one after another, started again, and
//! rolled to other rules, under load. No call fails after the client's retries, no answer differs from the
//! one in this process, and nothing that was acknowledged is lost.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use alamein_client::v1::{self, advance_game_request::Next, create_game_request::Start};
use alamein_client::{Client, Settings, View};
use alamein_engine::{Ruleset, Wanted};
use alamein_hex::Grid;
use alamein_proto::encode;
use alamein_terrain::{Adjudicated, Counter, CounterClass, Digest, Environment, Map, Position};
use alamein_tests::envoy::{Envoy, free_ports};
use alamein_tests::postgres::Postgres;
use alamein_tests::serving::Server;
use alamein_tests::stage::{Shots, shots};
use alamein_tests::{engine, linked_plugins, plugin_folder};
use tokio::sync::Mutex;

/// How often all three are killed, each once, unless `ALAMEIN_REPLICA_ROUNDS` says otherwise.
const ROUNDS: usize = 1;

/// What the rolled replicas judge by.
const OTHER: [&str; 2] = ["--policy", "NEITHER_IF_GRAZING"];

struct Cluster {
    postgres: Postgres,
    ports: [u16; 3],
    replicas: Vec<Option<Server>>,
    flags: Vec<String>,
}

impl Cluster {
    fn start(postgres: Postgres) -> Self {
        let mut cluster = Self {
            postgres,
            ports: free_ports().unwrap(),
            replicas: vec![None, None, None],
            flags: Vec::new(),
        };
        for at in 0..3 {
            cluster.start_replica(at);
        }
        cluster
    }

    fn start_replica(&mut self, at: usize) {
        let url = self.postgres.url("postgres");
        let mut flags = vec!["--store", &url, "--lame-duck", "2s", "--drain", "20s"];
        flags.extend(self.flags.iter().map(String::as_str));
        let address = format!("127.0.0.1:{}", self.ports[at]);
        let server = Server::start_at(&address, plugin_folder().unwrap(), &flags).unwrap();
        self.replicas[at] = Some(server);
    }

    fn url(&self, at: usize) -> String {
        format!("http://127.0.0.1:{}", self.ports[at])
    }

    /// Ends one with SIGKILL, in the middle of whatever it does.
    fn kill(&mut self, at: usize) {
        drop(self.replicas[at].take());
    }

    /// Asks one to stop in order.
    fn stop(&mut self, at: usize) {
        let mut server = self.replicas[at].take().unwrap();
        let status = server.stop().unwrap();
        assert!(status.success(), "{status}: {}", server.log());
    }
}

/// A client that has the patience of a game server: it tries again.
async fn client(url: &str) -> Client {
    let settings = Settings {
        deadline: Duration::from_secs(60),
        tries: 60,
        ..Settings::default()
    };
    Client::connect_with(url, settings).await.unwrap()
}

/// Waits until a replica judges.
async fn ready(url: &str) {
    let start = Instant::now();
    loop {
        if let Ok(client) = Client::connect(url).await
            && client.ruleset().await.is_ok()
        {
            return;
        }
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "{url} is not ready"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// What is asked all the time, and what must be answered.
#[derive(Clone)]
struct Asked {
    shots: Shots,
    rules: Digest,
    expected: Arc<Vec<Adjudicated>>,
}

impl Asked {
    fn new() -> Self {
        let engine = engine(&linked_plugins().unwrap()).unwrap();
        let shots = shots().unwrap();
        let ruleset: Arc<Ruleset> = engine.ruleset();
        let position = Arc::clone(&shots.position);
        let wanted = Wanted {
            other_policies: true,
            ..Wanted::default()
        };
        let ruled = engine.adjudicate_here(&ruleset, position, &shots.questions, wanted);
        let ruled = ruled.unwrap().into_iter().map(Result::unwrap);
        Self {
            rules: ruleset.fingerprint(),
            expected: Arc::new(ruled.collect()),
            shots,
        }
    }

    /// Asks until it is over; every answer must be the one of this process.
    async fn ask(self, client: Client, over: Arc<AtomicBool>, count: Arc<AtomicU64>) {
        let client = client.with_rules(self.rules);
        while !over.load(Ordering::Acquire) {
            let position = &*self.shots.position;
            let answers = client.adjudicate(position, &self.shots.questions, View::Explain);
            let answers: Vec<_> = answers
                .await
                .unwrap()
                .into_iter()
                .map(Result::unwrap)
                .collect();
            assert_eq!(answers, *self.expected);
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A position that differs from all others by its number.
fn position(number: u64) -> Position {
    let map = Map::flat(Grid::new(8, 10).unwrap());
    let hex = map.grid.hex("C4").unwrap();
    let squad = Counter::new(format!("squad-{number}"), CounterClass::Squad, hex);
    Position::new(Arc::new(map), vec![squad], Environment::default()).unwrap()
}

/// What was acknowledged.
#[derive(Default)]
struct Kept {
    positions: Mutex<Vec<Digest>>,
    entries: Mutex<Vec<v1::GameEntry>>,
}

/// Advances a game until it is over; each position that it comes to is new.
async fn play(client: Client, rules: Digest, kept: Arc<Kept>, over: Arc<AtomicBool>) {
    let begin = v1::CreateGameRequest {
        game_id: "game".into(),
        start: Some(Start::Position(encode::position(&position(0), false))),
        ruleset: rules.to_string(),
        request_id: "begin".into(),
        ..v1::CreateGameRequest::default()
    };
    let begun = client.call(&begin, |request| {
        let mut stub = client.games();
        async move { stub.create_game(request).await }
    });
    let mut game = begun.await.unwrap().game.unwrap();
    let mut number = 0;
    while !over.load(Ordering::Acquire) {
        number += 1;
        let next = position(number);
        let id = client.create_position(&next).await.unwrap().id;
        kept.positions.lock().await.push(id);
        let advance = v1::AdvanceGameRequest {
            game_id: "game".into(),
            etag: game.etag.clone(),
            next: Some(Next::PositionId(id.to_string())),
            request_id: format!("advance-{number}"),
            ..v1::AdvanceGameRequest::default()
        };
        let advanced = client.call(&advance, |request| {
            let mut stub = client.games();
            async move { stub.advance_game(request).await }
        });
        game = advanced.await.unwrap().game.unwrap();
        kept.entries.lock().await.push(game.head.clone().unwrap());
    }
}

/// Sees every entry of the game once and in order, whichever replica tells of it.
async fn watch(client: Client, seen: Arc<Mutex<Vec<v1::GameEntry>>>) {
    loop {
        let after_number = seen.lock().await.last().map_or(0, |entry| entry.number);
        let request = v1::WatchGameRequest {
            game_id: "game".into(),
            after_number,
            as_side: String::new(),
        };
        // A stream that breaks off is gone on with.
        if let Ok(stream) = client.games().watch_game(request).await {
            let mut stream = stream.into_inner();
            while let Ok(Some(message)) = stream.message().await {
                seen.lock().await.push(message.entry.unwrap());
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Every entry of the game, and every position, as a replica has them.
async fn has_all(client: &Client, kept: &Kept) -> Vec<v1::GameEntry> {
    let mut entries = Vec::new();
    let mut page_token = String::new();
    loop {
        let list = v1::ListEntriesRequest {
            game_id: "game".into(),
            page_size: 100,
            page_token,
            ..v1::ListEntriesRequest::default()
        };
        let page = client.call(&list, |request| {
            let mut stub = client.games();
            async move { stub.list_entries(request).await }
        });
        let page = page.await.unwrap();
        entries.extend(page.entries);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    for entry in kept.entries.lock().await.iter() {
        let there = &entries[usize::try_from(entry.number).unwrap() - 1];
        assert_eq!(there, entry);
    }
    for id in kept.positions.lock().await.iter() {
        let get = v1::GetPositionRequest {
            position_id: id.to_string(),
            ..v1::GetPositionRequest::default()
        };
        let got = client.call(&get, |request| {
            let mut stub = client.positions();
            async move { stub.get_position(request).await }
        });
        assert!(got.await.unwrap().position.is_some());
    }
    entries
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn replicas_are_killed_and_rolled_and_nothing_is_lost() {
    let Some(postgres) = tokio::task::block_in_place(Postgres::start).unwrap() else {
        return;
    };
    let mut cluster = tokio::task::block_in_place(|| Cluster::start(postgres));
    let Some(envoy) = tokio::task::block_in_place(|| Envoy::start(cluster.ports)).unwrap() else {
        return;
    };
    for at in 0..3 {
        ready(&cluster.url(at)).await;
    }
    ready(&envoy.url()).await;

    let (over, asked) = (Arc::new(AtomicBool::new(false)), Asked::new());
    let (answers, kept) = (Arc::new(AtomicU64::new(0)), Arc::new(Kept::default()));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let mut tasks = Vec::new();
    for _ in 0..2 {
        let asking = asked.clone();
        let asking = asking.ask(client(&envoy.url()).await, over.clone(), answers.clone());
        tasks.push(tokio::spawn(asking));
    }
    let playing = play(
        client(&envoy.url()).await,
        asked.rules,
        kept.clone(),
        over.clone(),
    );
    tasks.push(tokio::spawn(playing));
    let watching = tokio::spawn(watch(client(&envoy.url()).await, seen.clone()));

    let rounds = std::env::var("ALAMEIN_REPLICA_ROUNDS").ok();
    let rounds = rounds.and_then(|text| text.parse().ok()).unwrap_or(ROUNDS);
    for at in (0..3).cycle().take(3 * rounds) {
        cluster.kill(at);
        more(&answers).await;
        tokio::task::block_in_place(|| cluster.start_replica(at));
        ready(&cluster.url(at)).await;
        more(&answers).await;
    }
    // Each is rolled to other rules; who pinned the old ones goes on by them.
    cluster.flags = OTHER.map(str::to_owned).to_vec();
    for at in 0..3 {
        tokio::task::block_in_place(|| {
            cluster.stop(at);
            cluster.start_replica(at);
        });
        ready(&cluster.url(at)).await;
        more(&answers).await;
    }
    let other = client(&envoy.url()).await.ruleset().await.unwrap();
    assert_ne!(
        other.fingerprint,
        asked.rules.to_string(),
        "they were rolled"
    );
    more(&answers).await;

    over.store(true, Ordering::Release);
    for task in tasks {
        task.await.unwrap();
    }
    let mut histories = Vec::new();
    for at in 0..3 {
        let client = client(&cluster.url(at)).await;
        histories.push(has_all(&client, &kept).await);
    }
    let history = histories.pop().unwrap();
    assert!(histories.iter().all(|other| *other == history));
    let start = Instant::now();
    while *seen.lock().await != history {
        let late = start.elapsed() > Duration::from_secs(60);
        assert!(!late, "{} of {}", seen.lock().await.len(), history.len());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    watching.abort();
    println!(
        "replicas: {} batches checked, {} entries of a game, {} kills, 3 rolled",
        answers.load(Ordering::Relaxed),
        history.len(),
        3 * rounds
    );
    assert!(history.len() > 3);
}

/// Waits until some more was answered.
async fn more(answers: &AtomicU64) {
    let (before, start) = (answers.load(Ordering::Relaxed), Instant::now());
    while answers.load(Ordering::Relaxed) < before + 4 {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "nothing is answered"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
