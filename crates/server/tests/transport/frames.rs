//! Bodies that hold no messages, over HTTP/2 as any gRPC client speaks it.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, Request};
use http_body::{Body as _, Frame};
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;
use tower::{Service as _, ServiceExt as _};

use crate::{config, start};

const METHOD: &str = "alamein.v1.AdjudicationService/LineOfSight";

/// A body of these bytes.
struct Whole(Option<Bytes>);

impl http_body::Body for Whole {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// How a call of a method with this body ends.
async fn end_of(channel: &Channel, method: &str, encoding: &str, body: &[u8]) -> Status {
    let mut request = Request::post(format!("http://here/{method}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers");
    if !encoding.is_empty() {
        request = request.header("grpc-encoding", encoding);
    }
    let body = Body::new(Whole(Some(Bytes::copy_from_slice(body))));
    let mut channel = channel.clone();
    let channel = channel.ready().await.unwrap();
    let response = channel.call(request.body(body).unwrap()).await.unwrap();
    let (head, mut body) = response.into_parts();
    let mut headers: HeaderMap = head.headers;
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        if let Ok(trailers) = frame.unwrap().into_trailers() {
            headers.extend(trailers);
        }
    }
    Status::from_header_map(&headers).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_hold_no_messages_are_the_clients_fault() {
    let server = start(config()).await;
    let url = format!("http://{}", server.address);
    let channel = Channel::from_shared(url).unwrap().connect().await.unwrap();
    let rows: [(&str, &str, &[u8]); 8] = [
        ("nothing", "", b""),
        ("half a frame's head", "", b"\0\0\0"),
        ("less than the frame says", "", b"\0\0\0\0\x64abc"),
        ("packed, and not said how", "", b"\x01\0\0\0\0"),
        ("packed as nobody packs", "", b"\x02\0\0\0\0"),
        ("not what it says it is", "gzip", b"\x01\0\0\0\x03abc"),
        ("no message", "", b"\0\0\0\0\x01\x0a"),
        (
            "a good message, and the beginning of another",
            "",
            b"\0\0\0\0\0\0\0",
        ),
    ];
    for (what, encoding, body) in rows {
        let status = end_of(&channel, METHOD, encoding, body).await;
        assert_eq!(status.code(), Code::InvalidArgument, "{what}: {status}");
        let details = status.get_error_details();
        let info = details.error_info().unwrap();
        assert_eq!(info.reason, "MALFORMED_MESSAGE", "{what}");
        assert_eq!(info.metadata["method"], METHOD, "{what}");
    }

    let status = end_of(&channel, METHOD, "br", b"\x01\0\0\0\0").await;
    assert_eq!(status.code(), Code::Unimplemented, "{status}");
    let accepted = status.metadata().get("grpc-accept-encoding").unwrap();
    assert!(
        accepted.to_str().unwrap().starts_with("gzip"),
        "{accepted:?}"
    );
    let details = status.get_error_details();
    let info = details.error_info().unwrap();
    assert_eq!(info.reason, "ENCODING_UNKNOWN");
    assert_eq!(info.metadata["value"], "br");

    let status = end_of(&channel, "alamein.v1.Nowhere/Nothing", "", b"\0\0\0\0\0").await;
    assert_eq!(status.code(), Code::Unimplemented, "{status}");
    let details = status.get_error_details();
    assert_eq!(details.error_info().unwrap().reason, "UNKNOWN_METHOD");

    // The connection is none the worse for it.
    let status = end_of(&channel, METHOD, "", b"\0\0\0\0\0").await;
    assert_eq!(status.code(), Code::Ok, "{status}");
    drop(channel);
    server.stop().await;
}
