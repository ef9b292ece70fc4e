//! What holds when a service is asked for more than it can do, however fast it is.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use alamein_client::{Client, ErrorReason, Settings, View};
use alamein_tests::serving::binary;
use serde_json::Value;

use crate::{PATIENCE, example, memory, others_are_answered, serve};

/// Runs `alamein load` and gives what it tells.
async fn load(arguments: Vec<String>) -> Value {
    let run = move || {
        let output = Command::new(binary().unwrap())
            .arg("load")
            .args(arguments)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn too_much_is_turned_away_and_what_is_let_in_is_answered_in_time() {
    let server = serve(&[
        "--threads",
        "1",
        "--max-requests",
        "16",
        "--max-wait",
        "500",
    ])
    .await;
    others_are_answered(&server).await;
    let before = memory(&server, "VmRSS");
    // A call of 256 questions takes a thread for much more than 5 ms: this is too much for any machine.
    let command = format!(
        "--server http://{} --rate 200 --for 4 --questions 256 --deadline 10000 --pid {} --json",
        server.address(),
        server.pid()
    );
    let told = load(command.split(' ').map(str::to_owned).collect()).await;
    let beyond = &told["beyond"];
    let count = |what: &str| beyond[what].as_u64().unwrap();
    assert!(count("turned_away") > 0, "{beyond:#}");
    assert!(count("answered") > 0, "{beyond:#}");
    assert_eq!((count("failed"), count("late")), (0, 0), "{beyond:#}");
    let grown = (count("memory_bytes") >> 20).saturating_sub(before);
    assert!(grown < 96, "it took {grown} MiB: {beyond:#}");
    others_are_answered(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_whole_and_costs_no_line_of_the_log() {
    let server = serve(&["--threads", "1", "--max-requests", "1", "--budget", "60s"]).await;
    let (position, questions) = example();
    let long: Vec<_> = questions.iter().cycle().take(10_000).cloned().collect();
    let url = format!("http://{}", server.address());
    let settings = Settings {
        tries: 1,
        deadline: PATIENCE,
        ..Settings::default()
    };
    // The batch comes again until it finds the place free.
    let patient = Settings {
        tries: u32::MAX,
        ..settings
    };
    let (busy, other) = (
        Client::connect_with(&url, patient).await.unwrap(),
        Client::connect_with(&url, settings).await.unwrap(),
    );
    let asked = Arc::clone(&position);
    let batch = tokio::spawn(async move {
        busy.adjudicate(&*asked, &long, View::Verdict)
            .await
            .map(drop)
    });
    let ask = async || {
        let answer = other.adjudicate(&*position, &questions[..1], View::Full);
        answer.await.map(drop)
    };
    let mut refused = 0;
    while !batch.is_finished() && refused < 300 {
        let Err(error) = ask().await else { continue };
        refused += 1;
        assert_eq!(error.reason(), Some(ErrorReason::Overloaded), "{error}");
        let remote = error.remote().unwrap();
        assert_eq!(remote.retry_after, Some(Duration::from_millis(200)));
        assert_eq!(remote.metadata["max"], "1");
    }
    assert!(refused > 0, "the batch was over at once");
    batch.await.unwrap().unwrap();
    ask().await.unwrap();
    let log = server.log();
    assert!(log.contains("requests are turned away"), "{log}");
    assert!(
        log.matches("Overloaded").count() + log.matches("OVERLOADED").count() < 10,
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_crowd_that_stands_some_are_turned_away_although_there_are_places() {
    let minute = "60s";
    let server = serve(&[
        "--threads",
        "1",
        "--max-standing",
        "2",
        "--budget",
        minute,
        "--max-deadline",
        minute,
        "--max-wait",
        minute,
    ])
    .await;
    let (position, questions) = example();
    let long: Vec<_> = questions.iter().cycle().take(1_000).cloned().collect();
    let long = Arc::new(long);
    let url = format!("http://{}", server.address());
    let settings = Settings {
        tries: 1,
        deadline: PATIENCE,
        ..Settings::default()
    };
    let mut crowd = Vec::new();
    for _ in 0..8 {
        let client = Client::connect_with(&url, settings).await.unwrap();
        let (position, long) = (Arc::clone(&position), Arc::clone(&long));
        crowd.push(tokio::spawn(async move {
            // Again and again, so that there is a crowd for as long as it is looked at.
            loop {
                drop(client.adjudicate(&*position, &long, View::Verdict).await);
            }
        }));
    }
    let other = Client::connect_with(&url, settings).await.unwrap();
    let ask = async || {
        let answer = other.adjudicate(&*position, &questions[..1], View::Full);
        answer.await.map(drop)
    };
    let refused = async {
        loop {
            let Err(error) = ask().await else { continue };
            assert_eq!(error.reason(), Some(ErrorReason::Overloaded), "{error}");
            return error.remote().unwrap().metadata["max"].clone();
        }
    };
    let max = tokio::time::timeout(PATIENCE, refused).await.unwrap();
    assert_eq!(max, "2");
    crowd.iter().for_each(tokio::task::JoinHandle::abort);
    others_are_answered(&server).await;
}
