//! How a request ended: told in the log, counted, and told to its client with the request's id.

use std::sync::Arc;
use std::time::{Duration, Instant};

use http::HeaderMap;
use opentelemetry::KeyValue;
use prost::Message as _;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;
use tracing::field::display;

use super::body::{Hook, trailers_of};
use super::lines::Lines;
use super::metrics::{ErrorSeen, MethodMetrics, known_reason};
use super::request_id::RequestId;
use super::span::RequestSpan;

/// How a request ended. It is told when this is dropped, so that nothing goes untold: without a
/// code, the client went away.
pub(crate) struct Outcome {
    pub(crate) of: RequestSpan,
    pub(crate) start: Instant,
    /// Whether it is about the service and no part of it.
    pub(crate) quiet: bool,
    /// How long it may take before it is told as slow; nothing if it may take as long as it likes.
    pub(crate) slow: Option<Duration>,
    pub(crate) lines: Arc<Lines>,
    pub(crate) metrics: Arc<MethodMetrics>,
    pub(crate) code: Option<Code>,
    pub(crate) error: ErrorSeen,
}

impl Outcome {
    /// Reads the status, and puts the request's id into the details of an error.
    pub(crate) fn read(&mut self, headers: &mut HeaderMap) {
        let code = headers.get(Status::GRPC_STATUS);
        self.code = code.map(|code| Code::from_bytes(code.as_bytes()));
        if matches!(self.code, None | Some(Code::Ok)) {
            return;
        }
        let Some(status) = Status::from_header_map(headers) else {
            return;
        };
        self.error = seen(&status);
        let details = with_id(&status, self.of.id());
        let told = Status::with_details(status.code(), status.message(), details);
        headers.extend(trailers_of(&told));
    }

    fn follow(&self) {
        let (code, reason) = (self.code, self.error.reason);
        self.of.trace().tell(|| {
            let number = code.unwrap_or(Code::Cancelled) as i64;
            [
                KeyValue::new("rpc.grpc.status_code", number),
                KeyValue::new("error.type", reason),
            ]
        });
        // The others are mistakes of who asks.
        let ours = matches!(
            code,
            Some(
                Code::Unknown
                    | Code::DeadlineExceeded
                    | Code::Unimplemented
                    | Code::Internal
                    | Code::Unavailable
                    | Code::DataLoss
            )
        );
        if ours && self.of.is_followed() {
            self.of.open().record("otel.status_code", "ERROR");
        }
    }

    /// Writes what was noted of it into its span.
    fn record(&self) {
        let span = self.of.open();
        self.of.noted(|noted| {
            if let Some(ruling) = &noted.ruling {
                span.record("ruling_id", ruling.to_string().as_str());
            }
            if let Some(rules) = &noted.rules {
                span.record("rules", rules.to_string().as_str());
            }
        });
        if let Some(code) = self.code {
            span.record("code", display(format_args!("{code:?}")));
            if code != Code::Ok {
                span.record("reason", self.error.reason);
            }
        }
    }

    /// Whether it has a line in the log: not if too many others that went well had theirs just now.
    fn is_told(&self, time: Duration) -> bool {
        let well = matches!(self.code, None | Some(Code::Ok));
        let slow = self.slow.is_some_and(|slow| time >= slow);
        if self.quiet || !well || slow {
            return true;
        }
        let passes = self.lines.passes(self.start + time);
        if passes {
            let left_out = self.lines.left_out();
            if left_out > 0 {
                tracing::info!(
                    left_out,
                    "more requests went well than are told (--log-requests)"
                );
            }
        }
        passes
    }

    fn log(&self, time: Duration) {
        let ms = time.as_secs_f64() * 1e3;
        let Some(code) = self.code else {
            tracing::info!(ms, "given up by the client");
            return;
        };
        match code {
            Code::Internal | Code::Unknown | Code::DataLoss => {
                tracing::error!(ms, ?code, "failed");
            }
            _ if self.slow.is_some_and(|slow| time >= slow) => {
                tracing::warn!(ms, ?code, "answered slowly");
            }
            _ if self.quiet => tracing::debug!(ms, ?code, "answered"),
            _ => tracing::info!(ms, ?code, "answered"),
        }
    }
}

impl Hook for Outcome {
    fn data(&mut self, bytes: usize) {
        self.metrics.response_bytes.inc_by(bytes as u64);
    }

    fn trailers(&mut self, trailers: &mut HeaderMap) {
        self.read(trailers);
    }
}

impl Drop for Outcome {
    fn drop(&mut self) {
        let time = self.start.elapsed();
        self.metrics.end(self.code, &self.error, time);
        self.follow();
        let told = self.is_told(time);
        if told || self.of.is_followed() {
            self.record();
        }
        if told {
            self.of.open().in_scope(|| self.log(time));
        }
    }
}

/// What is counted of an error.
fn seen(status: &Status) -> ErrorSeen {
    let details = status.get_error_details();
    match details.error_info() {
        None => ErrorSeen::default(),
        Some(info) => ErrorSeen {
            reason: known_reason(&info.reason),
            limit: info.metadata.get("limit").cloned(),
        },
    }
}

/// The details of an error, and the id of the request among them.
fn with_id(status: &Status, id: &RequestId) -> bytes::Bytes {
    let whole = tonic_types::Status::decode(status.details());
    let mut whole = whole.unwrap_or_default();
    whole.code = status.code().into();
    if whole.message.is_empty() {
        status.message().clone_into(&mut whole.message);
    }
    let mut details = whole.encode_to_vec();
    details.extend(request_info(id));
    details.into()
}

/// The id of a request as a detail, which comes after the others: it is a `google.rpc.Status` that has
/// nothing else.
pub(crate) fn request_info(id: &RequestId) -> Vec<u8> {
    let info = tonic_types::pb::RequestInfo {
        request_id: id.to_string(),
        serving_data: String::new(),
    };
    let only = tonic_types::Status {
        details: vec![prost_types::Any {
            type_url: "type.googleapis.com/google.rpc.RequestInfo".to_owned(),
            value: info.encode_to_vec(),
        }],
        ..tonic_types::Status::default()
    };
    only.encode_to_vec()
}
