//! Requests that no message can be read from: INVALID_ARGUMENT with a reason and, where it is known,
//! the field.
//!
//! What tonic cannot read it answers with INTERNAL in its own words and without a reason, as if the
//! server had failed. No handler of this service does: whatever is INTERNAL
//! and has no reason comes from there, and is told from its words. A call that goes nowhere is
//! UNIMPLEMENTED, and gets its reason too.

use alamein_proto::v1::ErrorReason;
use http::{HeaderMap, Request, Response};
use tonic::body::Body;
use tonic::{Code, Status};

use super::around::{Answers, Around, Next};
use super::body::{Hook, trailers_of, unless_complete};
use super::method::Method;
use super::span::RequestSpan;
use crate::fault::Fault;

/// How prost begins what it says of bytes that are no message.
const NO_MESSAGE: &str = "failed to decode Protobuf message: ";

/// How tonic begins what it says of a body that holds no messages.
const NO_FRAMES: [&str; 6] = [
    OWN,
    "protocol error: received message with ",
    "Error decompressing: ",
    "Unexpected EOF decoding stream.",
    "Missing request message.",
    "tonic-web: ",
];

/// How this transport begins the same.
const OWN: &str = "no messages: ";

/// Says that a body holds no messages; the step then says the rest.
pub(crate) fn no_frames(what: &str) -> Status {
    Status::internal(format!("{OWN}{what}"))
}

/// How tonic begins what it says of a packing that it does not know.
const PACKED: &str = "Content is compressed with `";

const DETAILS: &str = "grpc-status-details-bin";

/// The step that gives such answers their code and reason.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Malformed;

impl Around for Malformed {
    async fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        let told = Told {
            of: request.extensions().get().cloned(),
            encoding: request.headers().get("grpc-encoding").cloned(),
        };
        let mut response = next.run(request).await;
        if response.headers().contains_key(Status::GRPC_STATUS) {
            told.mend(response.headers_mut());
            return response;
        }
        unless_complete(response, told)
    }
}

/// What the answer may have to tell of the request.
struct Told {
    of: Option<RequestSpan>,
    encoding: Option<http::HeaderValue>,
}

impl Hook for Told {
    fn trailers(&mut self, trailers: &mut HeaderMap) {
        self.mend(trailers);
    }
}

impl Told {
    fn mend(&self, headers: &mut HeaderMap) {
        if headers.contains_key(DETAILS) {
            return;
        }
        let code = headers
            .get(Status::GRPC_STATUS)
            .map(|code| Code::from_bytes(code.as_bytes()));
        if !matches!(code, Some(Code::Internal | Code::Unimplemented)) {
            return;
        }
        let Some(status) = Status::from_header_map(headers) else {
            return;
        };
        let fault = match status.code() {
            Code::Internal => self.internal(status.message()),
            _ => self.unimplemented(status.message()),
        };
        if let Some(fault) = fault {
            headers.extend(trailers_of(&fault.into()));
        }
    }

    /// What of the request no message could be read from; or else the server failed.
    fn internal(&self, words: &str) -> Option<Fault> {
        let wrong = if let Some(wrong) = words.strip_prefix(NO_MESSAGE) {
            Wrong::of_message(wrong)
        } else if NO_FRAMES.iter().any(|begin| words.starts_with(begin)) {
            Wrong {
                field: String::new(),
                what: words
                    .trim_start_matches(OWN)
                    .trim_start_matches("tonic-web: "),
            }
        } else {
            RequestSpan::within(self.of.as_ref(), || tracing::error!("{words}"));
            let text = "the server failed; its log says more";
            return Some(Fault::new(ErrorReason::Internal, text));
        };
        let method = self.method();
        let text = format!(
            "{method} got bytes that are no such message: {}",
            wrong.what
        );
        let fault = Fault::new(ErrorReason::MalformedMessage, text).with("method", method);
        Some(match &*wrong.field {
            "" => fault,
            field => fault.with("field", field).field(field, wrong.what),
        })
    }

    /// A method or a packing that there is not here.
    fn unimplemented(&self, words: &str) -> Option<Fault> {
        let method = self.method();
        if words.starts_with(PACKED) {
            let encoding = self.encoding.as_ref().map(http::HeaderValue::as_bytes);
            let encoding = String::from_utf8_lossy(encoding.unwrap_or_default()).into_owned();
            let words =
                format!("messages packed by {encoding} are not read here; pack them by gzip");
            return Some(Fault::new(ErrorReason::EncodingUnknown, words).with("value", encoding));
        }
        // So tonic says of a method that there is not. Whoever says more means something else.
        let text = format!("there is no method {method} here");
        let fault = Fault::new(ErrorReason::UnknownMethod, text).with("method", method);
        words.is_empty().then_some(fault)
    }

    fn method(&self) -> String {
        let path = self.of.as_ref().map_or("", RequestSpan::path);
        let Method { service, name } = Method::of(path);
        format!("{service}/{name}")
    }
}

/// What is wrong with the bytes of a message.
#[derive(Debug, PartialEq, Eq)]
struct Wrong<'a> {
    /// The path of the field, without the places in lists, which nobody says. Empty for the whole.
    field: String,
    what: &'a str,
}

impl<'a> Wrong<'a> {
    /// Reads `Position.counters: Subject.position: invalid varint`: what lies deepest comes first.
    fn of_message(mut words: &'a str) -> Self {
        let mut path: Vec<&str> = Vec::new();
        while let Some((at, rest)) = words.split_once(": ") {
            let Some((message, field)) = at.split_once('.') else {
                break;
            };
            let is_name = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let field = field.trim_start_matches("r#");
            if !is_name(message) || !is_name(field) {
                break;
            }
            path.push(field);
            words = rest;
        }
        path.reverse();
        Self {
            field: path.join("."),
            what: words,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_read_off_the_words() {
        let told = "Position.r#type: LineOfSightRequest.subject: invalid wire type: X (expected Y)";
        let wrong = Wrong::of_message(told);
        assert_eq!(
            (&*wrong.field, wrong.what),
            ("subject.type", "invalid wire type: X (expected Y)")
        );
        let whole = Wrong::of_message("invalid tag value: 0");
        assert_eq!((&*whole.field, whole.what), ("", "invalid tag value: 0"));
    }

    #[test]
    fn what_prost_says_is_known() {
        use alamein_proto::v1::{AdjudicateRequest, LineOfSightRequest};
        use prost::Message as _;
        // Field 1, a message of one byte, which is the tag of a field that does not follow.
        let error = LineOfSightRequest::decode(&[0x0a, 1, 0x0a][..]).unwrap_err();
        let error = error.to_string();
        let wrong = Wrong::of_message(error.strip_prefix(NO_MESSAGE).unwrap());
        assert_eq!(wrong.field, "subject.subject", "{error}");
        // Field 1 of field 1 of a message that has both: a text of one byte that is none.
        let (context, text) = (
            AdjudicateRequest::decode(&[0x0a, 3, 0x2a, 1, 0xff][..]),
            "context.",
        );
        let error = context.unwrap_err().to_string();
        let wrong = Wrong::of_message(error.strip_prefix(NO_MESSAGE).unwrap());
        assert!(wrong.field.starts_with(text), "{error}");
    }

    #[test]
    fn what_is_no_fault_of_the_request_stays_the_servers() {
        let told = Told {
            of: None,
            encoding: None,
        };
        let mend = |status: Status| {
            let mut headers = HeaderMap::new();
            status.add_header(&mut headers).unwrap();
            told.mend(&mut headers);
            Status::from_header_map(&headers).unwrap()
        };
        let failed = mend(Status::internal("Error encoding: a secret"));
        assert_eq!(failed.code(), Code::Internal);
        assert!(!failed.message().contains("secret"), "{failed}");
        assert!(!failed.details().is_empty(), "{failed}");
        let known: Status = Fault::new(ErrorReason::PluginFailed, "plugin x failed").into();
        assert_eq!(mend(known.clone()).message(), known.message());
        let other = Status::unimplemented("not yet");
        assert!(mend(other).details().is_empty());
    }
}
