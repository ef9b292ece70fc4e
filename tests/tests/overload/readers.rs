//! Clients that ask and do not read.

use crate::raw::{INITIAL_WINDOW, Raw, call};
use crate::{memory, others_are_answered, serve};

const ASKED: &str = "RulesetService/GetRuleset";

/// Asks on many streams of a few connections without making room for any answer.
async fn without_room(window: u32) {
    let server = serve(&["--reader-timeout", "500", "--max-requests", "32"]).await;
    let before = memory(&server, "VmRSS");
    let address = server.address().to_owned();
    let ask = move || {
        let connect = |_| {
            let mut raw = Raw::greet(&address, &[(INITIAL_WINDOW, window)]);
            for at in 0..100 {
                assert!(raw.send(&call(2 * at + 1, ASKED, b"")));
            }
            raw
        };
        (0..4).map(connect).collect::<Vec<_>>()
    };
    let readers = tokio::task::spawn_blocking(ask).await.unwrap();
    // They have their share of the places, and no more.
    others_are_answered(&server).await;
    // Their answers are given up, and then their connections.
    let ended = move || {
        readers
            .into_iter()
            .map(|mut raw| raw.read_to_end().len())
            .sum()
    };
    let frames: usize = tokio::task::spawn_blocking(ended).await.unwrap();
    assert!(frames > 0);
    others_are_answered(&server).await;
    let grown = memory(&server, "VmHWM") - before;
    assert!(grown < 48, "it took {grown} MiB");
    assert!(
        server.log().contains("its connection is cut"),
        "{}",
        server.log()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_never_reads_loses_the_answers_and_then_the_connection() {
    without_room(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_reads_a_byte_and_no_more_does_too() {
    without_room(1).await;
}
