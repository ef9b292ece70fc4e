//! How long connections last.

use std::time::{Duration, Instant};

use crate::raw::{END_HEADERS, END_STREAM, HEADERS, Raw, call, frame, head};
use crate::{others_are_answered, serve};

const SOON: Duration = Duration::from_secs(20);
const ASKED: &str = "RulesetService/GetRuleset";

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_say_what_it_wants_is_gone_soon() {
    let server = serve(&["--handshake-timeout", "500"]).await;
    let address = server.address().to_owned();
    let connect = move || {
        for words in [
            &b""[..],
            b"P",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"POST / HTTP/1.1\r\nx-half: ",
        ] {
            let mut raw = Raw::silent(&address);
            assert!(raw.send(words));
            assert!(raw.ended_within(SOON), "{words:?}");
        }
        // Who has greeted may take its time to ask.
        let mut raw = Raw::greet(&address, &[]);
        assert!(!raw.ended_within(Duration::from_secs(2)));
    };
    tokio::task::spawn_blocking(connect).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_is_ended_and_one_at_work_is_not() {
    // This client answers no PING, which a server waits for before it goes: its grace is short.
    let server = serve(&["--idle-timeout", "500", "--connection-grace", "500"]).await;
    let address = server.address().to_owned();
    let connect = move || {
        let mut watching = Raw::greet(&address, &[]);
        watching.send(&call(1, "/grpc.health.v1.Health/Watch", b""));
        let mut idle = Raw::greet(&address, &[]);
        // Its answer is short: it needs no room made for it.
        idle.send(&call(1, "MapService/ListMaps", b""));
        assert!(idle.ended_within(SOON));
        assert!(!watching.ended_within(Duration::from_secs(1)));
    };
    tokio::task::spawn_blocking(connect).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_connection_has_its_grace_and_then_is_cut() {
    let flags = ["--max-connection-age", "300", "--connection-grace", "600"];
    let server = serve(&flags).await;
    let address = server.address().to_owned();
    let connect = move || {
        let mut watching = Raw::greet(&address, &[]);
        watching.send(&call(1, "/grpc.health.v1.Health/Watch", b""));
        let start = Instant::now();
        assert!(watching.ended_within(SOON));
        assert!(
            start.elapsed() > Duration::from_millis(500),
            "{:?}",
            start.elapsed()
        );
    };
    tokio::task::spawn_blocking(connect).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_does_not_come_takes_no_place() {
    let server = serve(&["--max-requests", "1", "--max-deadline", "3000"]).await;
    let mut raw = Raw::greet(server.address(), &[]);
    for stream in 0..20 {
        raw.send(&frame(HEADERS, END_HEADERS, 2 * stream + 1, &head(ASKED)));
    }
    others_are_answered(&server).await;
    // They are told in the end that they are too late: a head, which is an end too.
    let told = move || {
        let frames = std::iter::from_fn(|| raw.read());
        let heads = frames.filter(|frame| frame.kind == HEADERS && frame.flags & END_STREAM != 0);
        heads.take(20).count()
    };
    assert_eq!(tokio::task::spawn_blocking(told).await.unwrap(), 20);
}
