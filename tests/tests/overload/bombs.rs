//! Requests that are small on the wire and large behind it.

use bytes::Bytes;
use flate2::{Compress, Compression, FlushCompress};
use h2::SendStream;
use h2::client::{ResponseFuture, SendRequest};
use http::{HeaderMap, Request};
use tokio::net::TcpStream;

use crate::{memory, others_are_answered, serve};

const MIB: usize = 1 << 20;

/// A connection of HTTP/2 that sends whatever it is given.
async fn connect(address: &str) -> SendRequest<Bytes> {
    let stream = TcpStream::connect(address).await.unwrap();
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(async move {
        // It may well be cut.
        let _ = connection.await;
    });
    client
}

/// Sends a call of a method with these bytes, of which `missing` never come.
async fn send(
    client: &SendRequest<Bytes>,
    method: &str,
    packed: bool,
    message: &[u8],
    missing: usize,
) -> (ResponseFuture, SendStream<Bytes>) {
    let mut client = client.clone().ready().await.unwrap();
    let request = Request::post(format!("http://localhost/alamein.v1.{method}"))
        .header("te", "trailers")
        .header("content-type", "application/grpc")
        .header("grpc-encoding", if packed { "gzip" } else { "identity" });
    let (answer, mut body) = client
        .send_request(request.body(()).unwrap(), false)
        .unwrap();
    let mut framed = vec![u8::from(packed)];
    framed.extend(
        u32::try_from(message.len() + missing)
            .unwrap()
            .to_be_bytes(),
    );
    framed.extend(message);
    let mut rest = Bytes::from(framed);
    while !rest.is_empty() {
        body.reserve_capacity(rest.len().min(64 << 10));
        match std::future::poll_fn(|cx| body.poll_capacity(cx)).await {
            Some(Ok(room)) => {
                let piece = rest.split_to(room.min(rest.len()));
                let last = rest.is_empty() && missing == 0;
                if body.send_data(piece, last).is_err() {
                    break;
                }
            }
            // It was refused before all was sent.
            _ => break,
        }
    }
    (answer, body)
}

/// What an answer ends with.
async fn end(answer: ResponseFuture) -> HeaderMap {
    let answer = answer.await.unwrap();
    if answer.headers().contains_key("grpc-status") {
        return answer.headers().clone();
    }
    let mut body = answer.into_body();
    while let Some(data) = body.data().await {
        let length = data.unwrap().len();
        body.flow_control().release_capacity(length).unwrap();
    }
    body.trailers().await.unwrap().unwrap()
}

/// Calls a method with these bytes. Gives what the answer ends with.
async fn call(
    client: &SendRequest<Bytes>,
    method: &str,
    packed: bool,
    message: &[u8],
) -> HeaderMap {
    let (answer, _body) = send(client, method, packed, message, 0).await;
    end(answer).await
}

fn told(end: &HeaderMap) -> (&str, String) {
    let text = |name| end.get(name).map_or("", |value| value.to_str().unwrap());
    (
        text("grpc-status"),
        text("grpc-message").replace("%20", " "),
    )
}

/// Gzip of 4 MiB that makes more than 3 GiB: a block of zeros, a thousand times as long inflated, again
/// and again.
fn bomb() -> Vec<u8> {
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    let mut deflate = Compress::new(Compression::best(), false);
    let mut block = Vec::with_capacity(64 << 10);
    let zeros = vec![0; MIB];
    let done = deflate.compress_vec(&zeros, &mut block, FlushCompress::Full);
    done.unwrap();
    assert_eq!(deflate.total_in(), MIB as u64);
    assert!(block.len() < 1300, "{}", block.len());
    while packed.len() + block.len() < 4 * MIB {
        packed.extend(&block);
    }
    packed
}

#[tokio::test(flavor = "multi_thread")]
async fn gzip_is_inflated_no_further_than_a_request_may_be() {
    let server = serve(&[]).await;
    let before = memory(&server, "VmRSS");
    let (bomb, client) = (bomb(), connect(server.address()).await);
    assert!(bomb.len() > 4 * MIB - 2000);
    for _ in 0..4 {
        let method = "AdjudicationService/LineOfSight";
        let answer = call(&client, method, true, &bomb).await;
        let (status, text) = told(&answer);
        assert_eq!(status, "8", "{text}");
        assert!(
            text.contains("too large") && text.contains("4194304"),
            "{text}"
        );
    }
    others_are_answered(&server).await;
    let grown = memory(&server, "VmHWM") - before;
    assert!(grown < 64, "it took {grown} MiB");
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_are_counted_before_they_are_made() {
    let server = serve(&[]).await;
    let before = memory(&server, "VmRSS");
    // Two million questions of nothing, two bytes each: some hundred in memory.
    let many = [0x12, 0x00].repeat(2 * MIB - 8);
    let client = connect(server.address()).await;
    let method = "AdjudicationService/BatchAdjudicate";
    let answer = call(&client, method, false, &many).await;
    let (status, text) = told(&answer);
    assert_eq!(status, "8", "{text}");
    assert!(text.contains("so many parts"), "{text}");
    others_are_answered(&server).await;
    let grown = memory(&server, "VmHWM") - before;
    assert!(grown < 48, "it took {grown} MiB");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_requests_together_have_a_limit() {
    let server = serve(&[
        "--max-bytes-in-flight",
        "8388608",
        "--max-deadline",
        "12000",
    ])
    .await;
    let (one, other) = (
        connect(server.address()).await,
        connect(server.address()).await,
    );
    let method = "AdjudicationService/LineOfSight";
    let most = vec![0x7a; 4 * MIB - 100];
    // Of this the last byte never comes. What was taken of it is counted.
    let (waiting, _unfinished) = send(&one, method, false, &most, 1).await;
    let more = vec![0x7a; 3 * MIB];
    let answer = call(&other, method, false, &more).await;
    let (status, text) = told(&answer);
    assert_eq!(status, "8", "{text}");
    assert!(text.contains("memory"), "{text}");
    assert_eq!(told(&end(waiting).await).0, "4");
    // What it held is free again. That this is no message is told where it is read.
    let answer = call(&other, method, false, &more).await;
    assert_ne!(told(&answer).0, "8", "{answer:?}");
}
