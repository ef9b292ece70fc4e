//! Floods of frames.

use std::time::Duration;

use crate::raw::{
    CONTINUATION, END_HEADERS, GOAWAY, HEADERS, INITIAL_WINDOW, PING, RST_STREAM, Raw, SETTINGS,
    call, field, frame, head,
};
use crate::{memory, others_are_answered, serve};

const ASKED: &str = "RulesetService/GetRuleset";

/// Sends frames until the connection is ended or they are all sent, on a thread of its own.
async fn flood(
    address: String,
    frames: u32,
    one: impl Fn(u32) -> Vec<u8> + Send + 'static,
) -> (u32, Vec<u8>) {
    let send = move || {
        let mut raw = Raw::greet(&address, &[]);
        let mut sent = 0;
        while sent < frames && raw.send(&one(sent)) {
            sent += 1;
        }
        if sent == frames {
            // Nobody ended it: the answers would go on.
            return (sent, Vec::new());
        }
        (sent, raw.read_to_end())
    };
    tokio::task::spawn_blocking(send).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn rapid_resets_cost_the_connection_and_nobody_else() {
    let server = serve(&[]).await;
    let before = memory(&server, "VmRSS");
    const STREAMS: u32 = 50_000;
    let one = |at| {
        let stream = 2 * at + 1;
        let mut bytes = call(stream, ASKED, b"");
        bytes.extend(frame(RST_STREAM, 0, stream, &8_u32.to_be_bytes()));
        bytes
    };
    let address = server.address().to_owned();
    let attack = tokio::spawn(flood(address, STREAMS, one));
    let took = others_are_answered(&server).await;
    let (sent, _) = attack.await.unwrap();
    assert!(sent < STREAMS, "the connection should have been ended");
    assert!(took < Duration::from_secs(20), "{took:?}");
    others_are_answered(&server).await;
    let grown = memory(&server, "VmHWM") - before;
    assert!(grown < 64, "it took {grown} MiB");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_without_end_costs_the_connection() {
    let server = serve(&[]).await;
    let before = memory(&server, "VmRSS");
    // 16 KiB each, and 1 GiB of them: they would never end.
    const FRAMES: u32 = 1 << 16;
    let piece = field("x-more", &"y".repeat(16_000));
    let one = move |at| match at {
        0 => frame(HEADERS, 0, 1, &head(ASKED)),
        _ => frame(CONTINUATION, 0, 1, &piece),
    };
    let (sent, _) = flood(server.address().to_owned(), FRAMES, one).await;
    // What the sockets hold goes out before the end is seen.
    assert!(sent < 1000, "{sent} frames were taken");
    // And empty ones, of which there could be more still.
    let one = |at| match at {
        0 => frame(HEADERS, 0, 1, &head(ASKED)),
        _ => frame(CONTINUATION, 0, 1, b""),
    };
    let (sent, _) = flood(server.address().to_owned(), 4_000_000, one).await;
    assert!(sent < 2_000_000, "{sent} empty frames were taken");
    others_are_answered(&server).await;
    let grown = memory(&server, "VmHWM") - before;
    assert!(grown < 64, "it took {grown} MiB");
}

#[tokio::test(flavor = "multi_thread")]
async fn huge_heads_are_refused() {
    let server = serve(&["--max-header-bytes", "16384"]).await;
    let before = memory(&server, "VmRSS");
    let address = server.address().to_owned();
    let attack = move || {
        for _ in 0..20 {
            let mut raw = Raw::greet(&address, &[]);
            let mut block = head(ASKED);
            for _ in 0..10 {
                block.extend(field("x-more", &"y".repeat(10_000)));
            }
            let mut pieces = block.chunks(16_000).peekable();
            let mut bytes = frame(HEADERS, 1, 1, pieces.next().unwrap());
            while let Some(piece) = pieces.next() {
                let last = if pieces.peek().is_none() {
                    END_HEADERS
                } else {
                    0
                };
                bytes.extend(frame(CONTINUATION, last, 1, piece));
            }
            raw.send(&bytes);
            // Either the stream is refused, with a head of its own, or the connection.
            let refused = std::iter::from_fn(|| raw.read());
            let mut kinds = refused.map(|frame| frame.kind);
            assert!(kinds.any(|kind| [HEADERS, RST_STREAM, GOAWAY].contains(&kind)));
        }
    };
    tokio::task::spawn_blocking(attack).await.unwrap();
    others_are_answered(&server).await;
    let grown = memory(&server, "VmHWM") - before;
    assert!(grown < 32, "it took {grown} MiB");
}

#[tokio::test(flavor = "multi_thread")]
async fn floods_of_pings_and_settings_take_no_memory() {
    let server = serve(&[]).await;
    let before = memory(&server, "VmRSS");
    let mut settings = INITIAL_WINDOW.to_be_bytes().to_vec();
    settings.extend(70_000_u32.to_be_bytes());
    let kinds = [(PING, vec![7; 8]), (SETTINGS, settings)];
    for (kind, payload) in kinds {
        let address = server.address().to_owned();
        // Who sends this does not read what it is answered.
        let attack = std::thread::spawn(move || {
            let mut raw = Raw::greet(&address, &[]);
            raw.no_patience();
            let many = frame(kind, 0, 0, &payload).repeat(1000);
            (0..300).take_while(|_| raw.try_send(&many)).count()
        });
        others_are_answered(&server).await;
        let sent = tokio::task::spawn_blocking(|| attack.join().unwrap())
            .await
            .unwrap();
        assert!(sent > 0);
        others_are_answered(&server).await;
    }
    let grown = memory(&server, "VmHWM") - before;
    assert!(grown < 48, "it took {grown} MiB");
}
