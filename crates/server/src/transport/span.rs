//! A span for every request, and a line in the log when it is over.

use std::time::Instant;

use http::{HeaderMap, Request, Response};
use tonic::body::Body;
use tonic::{Code, Status};
use tracing::field::{Empty, display};
use tracing::{Instrument as _, Span};

use super::around::{Answers, Around, Next};
use super::body::{Hook, Hooked};
use super::connections::Peer;
use super::method::Method;

/// The span of a request, in its extensions. Handlers are within it already; they need it only to
/// say which ruling they gave.
#[derive(Clone, Debug)]
pub struct RequestSpan(Span);

impl RequestSpan {
    /// The span of a request. A request that did not come through the transport has none.
    #[must_use]
    pub fn of<T>(request: &tonic::Request<T>) -> Option<Self> {
        request.extensions().get().cloned()
    }

    /// Says which ruling was given.
    pub fn ruling(&self, ruling_id: &str) {
        self.0.record("ruling_id", ruling_id);
    }

    /// Says by which rules it was given.
    pub fn rules(&self, rules_fingerprint: &str) {
        self.0.record("rules", rules_fingerprint);
    }
}

/// The step that opens spans.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spans;

impl Around for Spans {
    async fn around<S: Answers>(
        &self,
        mut request: Request<Body>,
        next: Next<S>,
    ) -> Response<Body> {
        let method = Method::of(request.uri());
        let quiet = method.is_about_service();
        let span = tracing::info_span!(
            "rpc",
            service = method.service,
            method = method.name,
            peer = Empty,
            ruling_id = Empty,
            rules = Empty,
            code = Empty,
        );
        if let Some(Peer(peer)) = request.extensions().get() {
            span.record("peer", display(peer));
        }
        request.extensions_mut().insert(RequestSpan(span.clone()));
        let mut outcome = Outcome {
            span: span.clone(),
            start: Instant::now(),
            quiet,
            code: None,
        };
        let response = next.run(request).instrument(span).await;
        if response.headers().contains_key(Status::GRPC_STATUS) {
            outcome.read(response.headers());
            return response;
        }
        response.map(|body| Hooked::wrap(body, outcome))
    }
}

/// How a request ended. It is told when this is dropped, so that nothing goes untold: without a
/// code, the client went away.
struct Outcome {
    span: Span,
    start: Instant,
    quiet: bool,
    code: Option<Code>,
}

impl Outcome {
    fn read(&mut self, headers: &HeaderMap) {
        let code = headers.get(Status::GRPC_STATUS);
        self.code = code.map(|code| Code::from_bytes(code.as_bytes()));
    }
}

impl Hook for Outcome {
    fn trailers(&mut self, trailers: &mut HeaderMap) {
        self.read(trailers);
    }
}

impl Drop for Outcome {
    fn drop(&mut self) {
        let ms = self.start.elapsed().as_secs_f64() * 1e3;
        let _within = self.span.enter();
        match self.code {
            None => tracing::info!(ms, "given up by the client"),
            Some(code) => {
                self.span.record("code", display(format_args!("{code:?}")));
                match code {
                    Code::Internal | Code::Unknown | Code::DataLoss => {
                        tracing::error!(ms, ?code, "failed");
                    }
                    _ if self.quiet => tracing::debug!(ms, ?code, "answered"),
                    _ => tracing::info!(ms, ?code, "answered"),
                }
            }
        }
    }
}
