//! Clients that give up what they asked for, as they do whose time is up.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use h2::Reason;
use h2::client::{ResponseFuture, SendRequest};
use http::Request;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::{PATIENCE, others_are_answered, serve};

/// An empty message.
const EMPTY: &[u8] = &[0; 5];

/// A connection, and what becomes of it.
async fn connect(address: &str) -> (SendRequest<Bytes>, JoinHandle<()>) {
    let stream = TcpStream::connect(address).await.unwrap();
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    let ended = tokio::spawn(async move {
        // How it ended says the last call.
        let _ = connection.await;
    });
    (client, ended)
}

/// Asks for something. Gives the answer, and what gives it up.
async fn ask(client: &SendRequest<Bytes>) -> (ResponseFuture, h2::SendStream<Bytes>) {
    let mut client = client.clone().ready().await.unwrap();
    let request = Request::post("http://localhost/alamein.v1.RulesetService/GetRuleset")
        .header("te", "trailers")
        .header("content-type", "application/grpc")
        .body(())
        .unwrap();
    let (answer, mut body) = client.send_request(request, false).unwrap();
    body.send_data(Bytes::from_static(EMPTY), true).unwrap();
    (answer, body)
}

#[tokio::test(flavor = "multi_thread")]
async fn who_gives_up_many_calls_and_waits_for_some_keeps_the_connection() {
    let server = serve(&["--threads", "1"]).await;
    let (client, ended) = connect(server.address()).await;
    for _ in 0..40 {
        let mut given_up = Vec::new();
        for _ in 0..100 {
            given_up.push(ask(&client).await);
        }
        for (_, call) in &mut given_up {
            call.send_reset(Reason::CANCEL);
        }
        drop(given_up);
        let (answer, _call) = ask(&client).await;
        assert_eq!(answer.await.unwrap().status(), 200);
    }
    assert!(!ended.is_finished());
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_whose_time_is_up_take_nothing_with_them() {
    let server = serve(&["--threads", "1", "--max-requests", "8"]).await;
    let (client, ended) = connect(server.address()).await;
    // Fewer than a connection may have open: this client may begin one before it says that it gave another up.
    let open = Arc::new(Semaphore::new(50));
    let mut calls = Vec::new();
    for at in 0..2_000_u64 {
        let one = Arc::clone(&open).acquire_owned().await.unwrap();
        let (answer, mut call) = ask(&client).await;
        let time = match at % 20 {
            0 => PATIENCE,
            short => Duration::from_micros(100 * short),
        };
        calls.push(tokio::spawn(async move {
            match tokio::time::timeout(time, answer).await {
                // A refusal is an answer.
                Ok(answer) => assert_eq!(answer.unwrap().status(), 200),
                Err(_) => {
                    assert!(time < PATIENCE, "no answer");
                    call.send_reset(Reason::CANCEL);
                }
            }
            drop(one);
        }));
    }
    let mut failed = 0;
    for call in calls {
        failed += u32::from(call.await.is_err());
    }
    assert_eq!(failed, 0, "{}", server.log());
    assert!(!ended.is_finished());
    others_are_answered(&server).await;
}
