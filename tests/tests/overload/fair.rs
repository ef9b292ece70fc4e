//! Long batches beside short questions.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use alamein_client::{ErrorReason, View};

use crate::{client, example, serve};

/// How many questions the long batches have.
const LONG: usize = 4_000;

#[tokio::test(flavor = "multi_thread")]
async fn long_batches_do_not_keep_others_from_being_answered() {
    let flags = [
        "--threads",
        "1",
        "--budget",
        "60000",
        "--max-deadline",
        "60000",
    ];
    let server = serve(&flags).await;
    let (position, questions) = example();
    let long: Arc<Vec<_>> = Arc::new(questions.iter().cycle().take(LONG).cloned().collect());
    let running = Arc::new(AtomicUsize::new(2));
    let start = Instant::now();
    let mut batches = Vec::new();
    for _ in 0..2 {
        let (client, position) = (client(&server).await, Arc::clone(&position));
        let (long, running) = (Arc::clone(&long), Arc::clone(&running));
        batches.push(tokio::spawn(async move {
            let answers = client.adjudicate(&*position, &long, View::Verdict).await;
            running.fetch_sub(1, Ordering::Relaxed);
            assert_eq!(answers.unwrap().len(), LONG);
        }));
    }
    let client = client(&server).await;
    let (mut most, mut answered) = (Duration::ZERO, 0);
    while running.load(Ordering::Relaxed) > 0 {
        let asked = Instant::now();
        let answers = client
            .adjudicate(&*position, &questions[..1], View::Verdict)
            .await;
        answers.unwrap().remove(0).unwrap();
        most = most.max(asked.elapsed());
        answered += 1;
    }
    for batch in batches {
        batch.await.unwrap();
    }
    let took = start.elapsed();
    // With the thread to themselves, the batches would leave room for one or two.
    assert!(answered >= 8, "{answered} were answered in {took:?}");
    assert!(most < took / 2, "one waited {most:?} of {took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_weighs_as_much_as_its_questions() {
    let server = serve(&["--max-requests", "8", "--threads", "1"]).await;
    let (position, questions) = example();
    let long: Vec<_> = questions.iter().cycle().take(1_000).cloned().collect();
    let settings = alamein_client::Settings {
        tries: 1,
        ..alamein_client::Settings::default()
    };
    let url = format!("http://{}", server.address());
    let mut calls = Vec::new();
    for _ in 0..6 {
        let client = alamein_client::Client::connect_with(&url, settings)
            .await
            .unwrap();
        let (position, long) = (Arc::clone(&position), long.clone());
        calls.push(tokio::spawn(async move {
            client
                .adjudicate(&*position, &long, View::Verdict)
                .await
                .map(drop)
        }));
    }
    let mut turned_away = 0;
    for call in calls {
        let Err(error) = call.await.unwrap() else {
            continue;
        };
        let reasons = [
            ErrorReason::Overloaded,
            ErrorReason::ConnectionOverloaded,
            ErrorReason::WaitedTooLong,
        ];
        assert!(reasons.contains(&error.reason().unwrap()), "{error}");
        assert!(error.remote().unwrap().retry_after.is_some());
        turned_away += 1;
    }
    // Each takes half of the places beside its own: there is room for one or two.
    assert!(turned_away >= 3, "{turned_away} of 6");
}
