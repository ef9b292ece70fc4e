//! A service that answers with as many bytes as it is asked for: what a call costs that has nothing to
//! do, on the same tonic, with the same settings as anyone's first service.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::Ipv4Addr;
use std::task::{Context, Poll};

use anyhow::{Context as _, Result, anyhow};
use bytes::Bytes;
use http::Request;
use tonic::body::Body;
use tonic::server::{Grpc, NamedService, StreamingService, UnaryService};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Response, Status, Streaming};
use tonic_prost::ProstCodec;
use tower::Service;

use crate::output;
use crate::threads::threads;

/// What stands in front of the number of bytes to answer with, in the path of a call.
const UNARY: &str = "/alamein.bench.Echo/Unary";
/// The same for a stream.
const STREAM: &str = "/alamein.bench.Echo/Stream";

/// The path of a unary call that is answered with a message of so many bytes.
pub(super) fn unary(bytes: usize) -> String {
    format!("{UNARY}{bytes}")
}

/// The path of a stream of which each message is answered with one of so many bytes.
pub(super) fn stream(bytes: usize) -> String {
    format!("{STREAM}{bytes}")
}

/// A message for it of so many bytes.
pub(super) fn message(bytes: usize) -> Bytes {
    prost::Message::encode_to_vec(&payload(bytes)).into()
}

/// What a message of so many bytes carries: less what it takes to say how much it is.
fn payload(bytes: usize) -> Bytes {
    let around = [1usize, 2, 3, 4, 5].into_iter();
    // The tag, and the length as a varint of so many bytes.
    let mut fits = around.filter_map(|length| {
        let inside = bytes.checked_sub(1 + length)?;
        (prost::length_delimiter_len(inside) == length).then_some(inside)
    });
    // Of some numbers there is none; one less then.
    Bytes::from(vec![b'a'; fits.next().unwrap_or(bytes.saturating_sub(3))])
}

/// Serves on a free port of this machine, which it tells, until it is ended.
pub(super) fn serve() -> Result<()> {
    let runtime = threads(None)?;
    runtime.block_on(async {
        let incoming = TcpIncoming::bind((Ipv4Addr::LOCALHOST, 0).into())
            .map_err(|error| anyhow!("the echo listens nowhere: {error}"))?
            .with_nodelay(Some(true));
        let address = incoming.local_addr()?;
        output::line(&format!("listening address={address}"))?;
        let server = Server::builder().add_service(Echo);
        server
            .serve_with_incoming(incoming)
            .await
            .context("the echo ended")
    })
}

/// The service.
#[derive(Clone, Copy, Debug)]
struct Echo;

impl NamedService for Echo {
    const NAME: &'static str = "alamein.bench.Echo";
}

impl Service<Request<Body>> for Echo {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = futures::future::BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let path = request.uri().path();
        let bytes = |of: &str| path.strip_prefix(of)?.parse::<usize>().ok();
        let (unary, stream) = (bytes(UNARY), bytes(STREAM));
        Box::pin(async move {
            let mut grpc = Grpc::new(ProstCodec::<Bytes, Bytes>::default())
                .max_decoding_message_size(usize::MAX)
                .max_encoding_message_size(usize::MAX);
            Ok(match (unary, stream) {
                (Some(bytes), _) => grpc.unary(Says(payload(bytes)), request).await,
                (None, Some(bytes)) => grpc.streaming(Says(payload(bytes)), request).await,
                (None, None) => Status::unimplemented("it echoes").into_http(),
            })
        })
    }
}

/// Says the same to each message.
struct Says(Bytes);

impl UnaryService<Bytes> for Says {
    type Response = Bytes;
    type Future = Ready<Result<Response<Bytes>, Status>>;

    fn call(&mut self, _: tonic::Request<Bytes>) -> Self::Future {
        ready(Ok(Response::new(self.0.clone())))
    }
}

impl StreamingService<Bytes> for Says {
    type Response = Bytes;
    type ResponseStream = futures::stream::BoxStream<'static, Result<Bytes, Status>>;
    type Future = Ready<Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, request: tonic::Request<Streaming<Bytes>>) -> Self::Future {
        use futures::StreamExt as _;
        let says = self.0.clone();
        let answers = request
            .into_inner()
            .map(move |asked| asked.map(|_| says.clone()));
        ready(Ok(Response::new(answers.boxed())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_as_long_as_it_is_to_be() {
        // One of nothing has no bytes at all.
        for bytes in [3, 50, 129, 131, 500, 20_000, 3_000_000] {
            assert_eq!(message(bytes).len(), bytes);
        }
    }
}
