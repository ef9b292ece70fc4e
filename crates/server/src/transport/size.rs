//! Messages that are too large: RESOURCE_EXHAUSTED with a reason, as other gRPC servers answer.
//!
//! The limits themselves are tonic's to keep (see [`Limited`](super::Limited)). It answers
//! OUT_OF_RANGE, or gives no reason; no handler of this service does either.

use alamein_proto::v1::ErrorReason;
use http::{HeaderMap, Request, Response};
use tonic::body::Body;
use tonic::{Code, Status};

use super::around::{Answers, Around, Next};
use super::body::{Hook, Hooked, trailers_of};
use super::limited::MessageLimits;
use crate::fault::Fault;

/// The step that gives such answers their reason.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes(pub(crate) MessageLimits);

impl Around for Sizes {
    async fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        let mut response = next.run(request).await;
        if response.headers().contains_key(Status::GRPC_STATUS) {
            self.mend(response.headers_mut());
            return response;
        }
        let sizes = *self;
        response.map(|body| Hooked::wrap(body, sizes))
    }
}

impl Sizes {
    fn mend(self, headers: &mut HeaderMap) {
        let code = headers
            .get(Status::GRPC_STATUS)
            .map(|code| Code::from_bytes(code.as_bytes()));
        let of_size = matches!(code, Some(Code::OutOfRange | Code::ResourceExhausted));
        if !of_size || headers.contains_key("grpc-status-details-bin") {
            return;
        }
        let message = headers
            .get(Status::GRPC_MESSAGE)
            .map(http::HeaderValue::as_bytes);
        let answer = message.is_some_and(|text| text.windows(7).any(|word| word == b"encoded"));
        let (what, max) = if answer {
            ("answer", self.0.max_response_bytes)
        } else {
            ("request", self.0.max_request_bytes)
        };
        let text = format!("the {what} is too large: the limit is {max} bytes");
        let given = message.and_then(found).unwrap_or_default();
        let fault = Fault::new(ErrorReason::MessageTooLarge, text)
            .with("given", given)
            .with("max", max);
        headers.extend(trailers_of(&fault.into()));
    }
}

/// How many bytes tonic says that it found: `found 5242885 bytes`, percent-encoded.
fn found(message: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(message).ok()?.replace("%20", " ");
    let (_, rest) = text.split_once("found ")?;
    rest.split(' ').next()?.parse().ok()
}

impl Hook for Sizes {
    fn trailers(&mut self, trailers: &mut HeaderMap) {
        self.mend(trailers);
    }
}
