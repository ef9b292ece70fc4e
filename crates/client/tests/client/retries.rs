//! When a call is tried again, and when it is given up.

use std::time::{Duration, Instant};

use alamein_client::{Error, ErrorReason, Settings, View};
use tonic::{Code, Status};

use crate::stub::{Trouble, position, quick, refusal, served, sight};

fn trouble(code: Code, reason: ErrorReason, retry_after: Option<Duration>) -> Trouble {
    Trouble::Status(refusal(code, reason, retry_after))
}

#[tokio::test]
async fn what_passes_is_tried_again() {
    let (stub, client) = served(quick()).await;
    stub.trouble([
        Trouble::Status(Status::unavailable("gone for a moment")),
        trouble(Code::Unavailable, ErrorReason::RulesetNotReady, None),
        trouble(
            Code::ResourceExhausted,
            ErrorReason::Overloaded,
            Some(Duration::from_millis(1)),
        ),
    ]);
    let answers = client
        .adjudicate(&position(), &[sight("tank")], View::Full)
        .await
        .unwrap();
    assert!(answers[0].is_ok());
    assert_eq!(stub.seen().len(), 4);
}

#[tokio::test]
async fn an_answer_that_breaks_off_on_its_way_is_asked_for_again() {
    let (stub, client) = served(quick()).await;
    // As tonic and proxies say it where the service behind them is lost after its answer began.
    stub.trouble([
        Trouble::Status(Status::internal("error reading a body from connection")),
        Trouble::Status(Status::unknown("stream closed")),
    ]);
    let answers = client
        .adjudicate(&position(), &[sight("tank")], View::Full)
        .await
        .unwrap();
    assert!(answers[0].is_ok());
    assert_eq!(stub.seen().len(), 3);
}

#[tokio::test]
async fn the_tries_have_an_end() {
    let (stub, client) = served(quick()).await;
    stub.trouble((0..9).map(|_| Trouble::Status(Status::unavailable("gone"))));
    let error = client
        .adjudicate(&position(), &[sight("tank")], View::Full)
        .await
        .unwrap_err();
    assert_eq!(error.remote().unwrap().code, Code::Unavailable);
    assert_eq!(stub.seen().len(), 4);
}

#[tokio::test]
async fn what_stays_is_not_tried_again() {
    let (stub, client) = served(quick()).await;
    let table = [
        (Code::InvalidArgument, ErrorReason::HexOffMap),
        (Code::ResourceExhausted, ErrorReason::StoreFull),
        (Code::ResourceExhausted, ErrorReason::MessageTooLarge),
        (Code::ResourceExhausted, ErrorReason::StreamTooLong),
        (Code::FailedPrecondition, ErrorReason::RulesetNotAvailable),
        (Code::Internal, ErrorReason::PluginFailed),
        (Code::DeadlineExceeded, ErrorReason::Deadline),
    ];
    for (code, reason) in table {
        stub.trouble([trouble(code, reason, None)]);
        let error = client
            .adjudicate(&position(), &[sight("tank")], View::Full)
            .await;
        let error = error.unwrap_err();
        assert_eq!(error.reason(), Some(reason));
        assert_eq!(error.remote().unwrap().code, code);
        assert_eq!(stub.seen().len(), 1, "{reason:?}");
    }
}

#[tokio::test]
async fn the_server_says_how_long_to_wait() {
    let (stub, client) = served(quick()).await;
    let asked = Duration::from_millis(150);
    stub.trouble([trouble(
        Code::ResourceExhausted,
        ErrorReason::Overloaded,
        Some(asked),
    )]);
    client
        .adjudicate(&position(), &[sight("tank")], View::Full)
        .await
        .unwrap();
    let seen = stub.seen();
    assert!(seen[1].at - seen[0].at >= asked);
}

#[tokio::test]
async fn a_wait_beyond_the_deadline_is_not_begun() {
    let (stub, client) = served(quick()).await;
    let asked = Duration::from_secs(3600);
    stub.trouble([trouble(
        Code::Unavailable,
        ErrorReason::ShuttingDown,
        Some(asked),
    )]);
    let started = Instant::now();
    let error = client
        .adjudicate(&position(), &[sight("tank")], View::Full)
        .await
        .unwrap_err();
    assert_eq!(error.remote().unwrap().retry_after, Some(asked));
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_deadline_holds_and_the_server_is_told_of_it() {
    let deadline = Duration::from_millis(300);
    let settings = Settings {
        deadline,
        ..quick()
    };
    let (stub, client) = served(settings).await;
    stub.trouble([Trouble::Slow]);
    let started = Instant::now();
    let error = client
        .adjudicate(&position(), &[sight("tank")], View::Full)
        .await
        .unwrap_err();
    assert!(
        matches!(error, Error::Deadline(after) if after == deadline),
        "{error:?}"
    );
    assert!(started.elapsed() >= deadline && started.elapsed() < Duration::from_secs(10));
    let seen = stub.seen();
    let timeout = seen[0].timeout.strip_suffix(['n', 'u', 'm']).unwrap();
    assert!(timeout.parse::<u64>().unwrap() > 0);
}

#[tokio::test]
async fn of_all_calls_only_a_part_is_tried_again() {
    let (stub, client) = served(quick()).await;
    let calls = 20;
    stub.trouble((0..1000).map(|_| Trouble::Status(Status::unavailable("gone"))));
    for _ in 0..calls {
        let asked = client
            .adjudicate(&position(), &[sight("tank")], View::Full)
            .await;
        assert_eq!(asked.unwrap_err().remote().unwrap().code, Code::Unavailable);
    }
    // Ten retries are in reserve, and each call but the first adds a fifth of one.
    assert_eq!(stub.seen().len(), calls + 10 + (calls - 1) / 5);
}
