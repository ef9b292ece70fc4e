//! The soak: plugins are swapped under load from two languages, and every single answer is checked
//! against the ruleset that it names, ruled in this process under that very fingerprint.
//!
//! It takes about a minute; `cargo xtask soak --minutes 30` takes as long as one likes.
#![allow(clippy::unwrap_used)] // A test may.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use alamein_client::{AdminClient, AdminSettings, Client, Settings, View};
use alamein_proto::encode::{self, RuleBook};
use alamein_proto::v1;
use alamein_terrain::Digest;
use alamein_tests::python;
use alamein_tests::stage::{CLUB, Expected, Shots, Stage, shots};
use alamein_tests::swapped::{ID, Swapped};
use serde_json::{Value, json};

/// How many builds there are to swap between.
const BUILDS: i16 = 12;
/// How many ask at once in Rust.
const ASKERS: usize = 2;
/// How long it takes, unless `ALAMEIN_SOAK_SECONDS` says otherwise.
const SECONDS: u64 = 30;
/// The most mappings, and the most KiB of memory, that a swap may cost.
const COSTS: (u64, u64) = (8, 1024);

/// What came of it.
#[derive(Debug, Default)]
struct Counts {
    swaps: AtomicU64,
    refused: AtomicU64,
    answers: AtomicU64,
}

fn seconds() -> u64 {
    let set = std::env::var("ALAMEIN_SOAK_SECONDS").ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(SECONDS)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_answer_is_the_one_of_the_ruleset_that_it_names() {
    let (builds, shots) = (Swapped::new().unwrap(), shots().unwrap());
    let folders: Vec<PathBuf> = (0..BUILDS)
        .map(|turn| builds.build(&format!("1.0.{turn}"), turn).unwrap())
        .collect();
    let mut expected = Expected::of(shots.clone()).unwrap();
    let fingerprints: Vec<Digest> = folders
        .iter()
        .map(|folder| expected.add(folder).unwrap())
        .collect();
    let different: BTreeSet<_> = fingerprints.iter().collect();
    assert_eq!(different.len(), folders.len());
    let bad = builds
        .build_with("9.0.0", 99, |it| it["requires"] = json!({"deir": "^9"}))
        .unwrap();

    let stage = Stage::start(&folders[0], &["--max-libraries", "1000000"]).unwrap();
    let asker = client(&stage).await;
    let pin = fingerprints[0];
    assert_eq!(asker.ruleset().await.unwrap().fingerprint, pin.to_string());
    // Only now: what lies there as the service starts is loaded at once.
    for (turn, folder) in folders.iter().enumerate() {
        stage.lay(&format!("build-{turn}"), folder).unwrap();
    }
    stage.lay("bad", &bad).unwrap();
    let before = held(stage.server.pid());

    let (expected, counts) = (Arc::new(expected), Arc::new(Counts::default()));
    let over = Arc::new(AtomicBool::new(false));
    let mut asking = Vec::new();
    for number in 0..ASKERS {
        let (expected, over, counts) = (expected.clone(), over.clone(), counts.clone());
        let (asker, shots) = (asker.clone(), shots.clone());
        asking.push(tokio::spawn(async move {
            while !over.load(Ordering::Acquire) {
                ask(&asker, &shots, &expected, number, pin).await;
                counts.answers.fetch_add(1, Ordering::Relaxed);
            }
        }));
    }
    let python = Python::start(&stage, &plan(&stage, &shots, &expected, pin));
    swap(&stage, &counts).await;
    over.store(true, Ordering::Release);
    for task in asking {
        task.await.unwrap();
    }
    let of_python = python.map(Python::end);

    let swaps = counts.swaps.load(Ordering::Relaxed);
    let refused = counts.refused.load(Ordering::Relaxed);
    let answers = counts.answers.load(Ordering::Relaxed);
    let after = held(stage.server.pid());
    let each = (
        after.0.saturating_sub(before.0) / swaps.max(1),
        after.1.saturating_sub(before.1) / swaps.max(1),
    );
    println!(
        "soak: {} s, {swaps} swaps, {refused} refused; {answers} batches of {} checked in Rust, {} in \
         Python; a swap costs {} mappings and {} KiB",
        seconds(),
        shots.questions.len(),
        of_python
            .as_ref()
            .map_or("none".into(), ToString::to_string),
        each.0,
        each.1
    );
    assert!(swaps >= 10 && refused >= 1, "{counts:?}");
    assert!(answers >= swaps, "{counts:?}");
    assert!(of_python.is_none_or(|batches| batches > 0));
    assert!(
        each.0 <= COSTS.0 && each.1 <= COSTS.1,
        "{before:?} {after:?}"
    );
    // At the end as at the beginning.
    ask(&asker, &shots, &expected, 0, pin).await;
    ask(&asker, &shots, &expected, 1, pin).await;
}

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

/// Asks by the name, or every other time by the pin, and checks the answer.
async fn ask(client: &Client, shots: &Shots, expected: &Expected, number: usize, pin: Digest) {
    let by_pin = number % 2 == 1;
    let client = match by_pin {
        true => client.clone().with_ruleset(pin.to_string()),
        false => client.clone(),
    };
    let answers = client.adjudicate(&*shots.position, &shots.questions, View::Explain);
    let answers = answers.await.unwrap().into_iter();
    let answers: Vec<_> = answers.map(Result::unwrap).collect();
    let named = expected.check(&answers).unwrap();
    assert!(!by_pin || named == pin, "a pin does not move");
}

/// Swaps one build for the next until the time is up; and tries one that must be refused.
async fn swap(stage: &Stage, counts: &Counts) {
    let admin = stage.admin();
    let admin = AdminClient::connect(&admin, AdminSettings::default());
    let admin = admin.await.unwrap();
    let end = Instant::now() + Duration::from_secs(seconds());
    for turn in 1_u64.. {
        if Instant::now() >= end {
            return;
        }
        let name = format!("build-{}", turn % u64::try_from(BUILDS).unwrap());
        let swapped = admin.replace(&name, Some(ID)).await.unwrap();
        assert_eq!(swapped.rulesets.len(), 1, "{swapped:?}");
        counts.swaps.fetch_add(1, Ordering::Relaxed);
        if turn % 5 == 0 {
            admin.replace("bad", Some(ID)).await.unwrap_err();
            counts.refused.fetch_add(1, Ordering::Relaxed);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// How many mappings a process has, and how many KiB of memory.
fn held(pid: u32) -> (u64, u64) {
    let read = |what: &str| std::fs::read_to_string(format!("/proc/{pid}/{what}")).unwrap();
    let status = read("status");
    let rss = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let rss = rss.unwrap().trim().trim_end_matches(" kB");
    (read("maps").lines().count() as u64, rss.parse().unwrap())
}

/// The hexadecimal form of a message.
fn hex(message: &impl prost::Message) -> String {
    let bytes = message.encode_to_vec();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What the client in Python is to ask, and what it must be answered by each ruleset.
fn plan(stage: &Stage, shots: &Shots, expected: &Expected, pin: Digest) -> Value {
    let grid = shots.position.map().grid;
    let questions = shots.questions.iter();
    let request = v1::BatchAdjudicateRequest {
        subject: Some(v1::Subject {
            subject: Some(v1::subject::Subject::Position(encode::position(
                &shots.position,
                false,
            ))),
        }),
        questions: questions.map(|it| encode::question(it, &grid)).collect(),
        view: View::Full.into(),
        ..Default::default()
    };
    let answers = |fingerprint: Digest| {
        let by = expected.by(fingerprint).unwrap();
        let book = RuleBook::new(by.ruleset.members().iter().map(|it| it.manifest()));
        let rulings = by.rulings.iter().zip(&shots.questions);
        let told = rulings.map(|(ruling, question)| {
            hex(&encode::ruling(ruling, question, &grid, &book, View::Full))
        });
        told.collect::<Vec<_>>()
    };
    let expected: serde_json::Map<String, Value> = expected
        .fingerprints()
        .map(|it| (it.to_string(), json!(answers(it))))
        .collect();
    json!({
        "address": stage.server.address(),
        "request": hex(&request),
        "rulesets": [CLUB, pin.to_string()],
        "pin": pin.to_string(),
        "expected": expected,
    })
}

/// The client in Python, which asks until it is told to stop.
struct Python(Child);

impl Python {
    fn start(_: &Stage, plan: &Value) -> Option<Self> {
        let Some(python) = python::python() else {
            eprintln!(
                "SKIPPED: set ALAMEIN_PYTHON to a Python with grpcio-tools to soak from two languages"
            );
            return None;
        };
        let script = alamein_tests::root().join("tests/python/soak.py");
        let mut child = Command::new(python)
            .arg(script)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.as_mut().unwrap();
        writeln!(input, "{plan}").unwrap();
        Some(Self(child))
    }

    /// Has it stop, and gives how many batches it has checked.
    fn end(mut self) -> u64 {
        // What it waits for is the end of what it reads.
        drop(self.0.stdin.take());
        let output = BufReader::new(self.0.stdout.take().unwrap());
        let lines: Vec<String> = output.lines().map(Result::unwrap).collect();
        let status = self.0.wait().unwrap();
        assert!(status.success(), "soak.py failed: {status}: {lines:?}");
        let last = lines.last().unwrap();
        let count = last.strip_prefix("checked ").unwrap();
        count.parse().unwrap()
    }
}
