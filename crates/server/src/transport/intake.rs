//! How requests are read: their messages one by one, unpacked and counted before anything is made of
//! them.
//!
//! tonic would do it, but it counts each message alone. What all requests together hold, nobody but
//! the transport sees.

mod messages;
mod shapes;
mod unpack;

use std::time::Duration;

use alamein_proto::v1::ErrorReason;
use http::{HeaderMap, Request, Response};
use tonic::Status;
use tonic::body::Body;

use self::messages::{Messages, One};
use self::shapes::SHAPES;
use super::around::{Answers, Around, Next};
use super::body::{Hook, Whole, unless_complete};
use super::config::ServerConfig;
use super::connections::Connection;
use super::repeats::Message;
use super::share::{Short, Stock, Taken};
use crate::fault::Fault;

/// The step that reads requests.
#[derive(Clone, Debug)]
pub(crate) struct Intake(Allowed);

/// How much may be read.
#[derive(Clone, Debug)]
pub(crate) struct Allowed {
    /// Of one message, not packed.
    message: usize,
    /// How many in one stream.
    messages: u64,
    /// All that is being read and worked on.
    bytes: Stock,
    retry_after: Duration,
}

impl Intake {
    pub(crate) fn new(config: &ServerConfig) -> Self {
        Self(Allowed {
            message: config.max_request_bytes,
            messages: config.max_stream_messages,
            bytes: Stock::new(config.max_bytes_in_flight as u64),
            retry_after: config.retry_after,
        })
    }
}

impl Around for Intake {
    async fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        // A method that there is not is not read.
        let Some(shape) = SHAPES.get(request.uri().path()) else {
            return next.run(request).await;
        };
        let (mut parts, body) = request.into_parts();
        let gzip = match encoding(&mut parts.headers) {
            Ok(gzip) => gzip,
            Err(status) => return status.into_http(),
        };
        let held = Connection::of(&parts.extensions).bytes.clone();
        let messages = match Messages::new(body, shape, gzip, self.0.clone(), held) {
            Ok(messages) => messages,
            Err(status) => return status.into_http(),
        };
        if shape.streams {
            let request = Request::from_parts(parts, Body::new(messages));
            return next.run(request).await;
        }
        let (body, taken) = match messages.only().await {
            Err(status) => return status.into_http(),
            Ok(None) => (Body::empty(), None),
            Ok(Some(One { framed, taken })) => {
                Message::of(&framed).map(|message| parts.extensions.insert(message));
                let body = Whole {
                    message: Some(framed),
                    trailers: None,
                };
                (Body::new(body), Some(taken))
            }
        };
        let response = next.run(Request::from_parts(parts, body)).await;
        unless_complete(response, Kept(taken))
    }
}

/// Takes away how messages are packed, for they are handed on as they are. Whether it is gzip.
fn encoding(headers: &mut HeaderMap) -> Result<bool, Status> {
    let Some(encoding) = headers.remove("grpc-encoding") else {
        return Ok(false);
    };
    match encoding.as_bytes() {
        b"identity" => Ok(false),
        b"gzip" => Ok(true),
        other => {
            let other = String::from_utf8_lossy(other);
            let text = format!("messages packed by {other} are not read here; pack them by gzip");
            let fault = Fault::new(ErrorReason::EncodingUnknown, text).with("value", other);
            let mut status = Status::from(fault);
            let known = tonic::metadata::MetadataValue::from_static("gzip,identity");
            status.metadata_mut().insert("grpc-accept-encoding", known);
            Err(status)
        }
    }
}

impl Allowed {
    fn short(&self, short: Short, more: u64) -> Status {
        let max = self.bytes.max();
        let text = match short {
            Short::Empty => "the requests in hand take all the memory there is for them",
            Short::Share { .. } => "this connection has its share of the memory for requests",
        };
        let given = match short {
            Short::Empty => max - self.bytes.free() + more,
            Short::Share { held } => held + more,
        };
        Fault::new(
            ErrorReason::TooManyBytesInFlight,
            format!("{text}; try again shortly"),
        )
        .with("given", given)
        .with("max", max)
        .retry_after(self.retry_after)
        .into()
    }

    fn too_large(&self, given: usize) -> Status {
        let max = self.message;
        let text = format!("the request is too large: the limit is {max} bytes, unpacked");
        Fault::new(ErrorReason::MessageTooLarge, text)
            .with("given", given)
            .with("max", max)
            .into()
    }

    fn too_many_parts(&self, given: u64) -> Status {
        let max = self.bytes.max();
        let text = format!(
            "the request is of so many parts that it takes {given} bytes in memory: the limit is {max}"
        );
        Fault::new(ErrorReason::MessageTooLarge, text)
            .with("given", given)
            .with("max", max)
            .into()
    }

    fn too_many(&self) -> Status {
        let max = self.messages;
        let text = match max {
            1 => "the method takes one message, and here is another".to_owned(),
            _ => format!("a stream may have {max} messages, and here is another: open a new one"),
        };
        Fault::new(ErrorReason::StreamTooLong, text)
            .with("given", max.saturating_add(1))
            .with("max", max)
            .into()
    }
}

/// The bytes of a request, until it is answered.
struct Kept(#[allow(dead_code)] Option<Taken>);

impl Hook for Kept {}
