//! A span for every request, and a line in the log when it is over.

use std::time::{Duration, Instant};

use http::{Request, Response};
use opentelemetry::KeyValue;
use tonic::Status;
use tonic::body::Body;
use tracing::field::{Empty, display};
use tracing::{Instrument as _, Span};

use super::around::{Answers, Around, Next};
use super::body::Hooked;
use super::connections::Peer;
use super::counted::Counted;
use super::method::Method;
use super::metrics::{ErrorSeen, TransportMetrics};
use super::outcome::Outcome;
use super::request_id::RequestId;
use super::table;
use super::trace::Trace;
use crate::auth::Caller;

/// How many rulings of a request are named to who follows its trace.
const NAMED: usize = 32;

/// The span of a request, in its extensions. Handlers are within it already; they need it only to
/// say which ruling they gave.
#[derive(Clone, Debug)]
pub struct RequestSpan {
    span: Span,
    trace: Trace,
}

impl RequestSpan {
    /// The span of a request. A request that did not come through the transport has none.
    #[must_use]
    pub fn of<T>(request: &tonic::Request<T>) -> Option<Self> {
        request.extensions().get().cloned()
    }

    /// Says which ruling was given.
    pub fn ruling(&self, ruling_id: &str) {
        self.span.record("ruling_id", ruling_id);
    }

    /// Says which rulings were given, to who follows the trace: a line of the log would be too long.
    pub fn rulings<I: ToString>(&self, ids: impl Iterator<Item = I>) {
        self.trace.tell(|| {
            let ids: Vec<String> = ids.take(NAMED).map(|id| id.to_string()).collect();
            [KeyValue::new("ruling_ids", ids.join(","))]
        });
    }

    /// Says by which rules it was given.
    pub fn rules(&self, rules_fingerprint: &str) {
        self.span.record("rules", rules_fingerprint);
    }

    /// The id of the trace that the request belongs to, if anybody gave it one.
    pub(crate) fn trace_id(&self) -> Option<String> {
        self.trace.id.clone()
    }

    /// Whether somebody follows the trace of the request.
    #[must_use]
    pub fn is_followed(&self) -> bool {
        self.trace.is_followed()
    }
}

/// The step that opens spans, counts requests and tells how they ended.
#[derive(Clone, Debug)]
pub(crate) struct Spans {
    pub(crate) metrics: TransportMetrics,
    /// From when on a request that is answered is told as slow.
    pub(crate) slow: Duration,
}

impl Around for Spans {
    async fn around<S: Answers>(
        &self,
        mut request: Request<Body>,
        next: Next<S>,
    ) -> Response<Body> {
        let start = Instant::now();
        let metrics = self.metrics.method(request.uri().path());
        metrics.start();
        let method = Method::of(request.uri());
        let quiet = method.is_about_service();
        let streams = table::known(request.uri().path()).is_none_or(|(_, it)| it.streams);
        let id = RequestId::given(request.headers());
        let span = span(method, quiet, &id);
        let trace = match quiet {
            true => Trace::default(),
            false => Trace::join(&span, request.headers()),
        };
        tell(&span, &trace, &request, method);
        let mut outcome = Outcome {
            span: span.clone(),
            trace: trace.clone(),
            id: id.clone(),
            start,
            quiet,
            slow: (!streams && !quiet).then_some(self.slow),
            metrics,
            code: None,
            error: ErrorSeen::default(),
        };
        let of = RequestSpan {
            span: span.clone(),
            trace,
        };
        request.extensions_mut().insert(of);
        request.extensions_mut().insert(id.clone());
        let bytes = outcome.metrics.request_bytes.clone();
        let request = request.map(|body| Counted::wrap(body, bytes));
        let mut response = next.run(request).instrument(span).await;
        id.put(response.headers_mut());
        if response.headers().contains_key(Status::GRPC_STATUS) {
            outcome.read(response.headers_mut());
            return response;
        }
        response.map(|body| Hooked::wrap(body, outcome))
    }
}

/// The span of a request. Those about the service are apart: nobody follows them.
fn span(method: Method<'_>, quiet: bool, id: &RequestId) -> Span {
    macro_rules! rpc {
        ($target:expr) => {
            tracing::info_span!(
                target: $target,
                "rpc",
                service = method.service,
                method = method.name,
                request_id = id.as_str(),
                trace_id = Empty,
                tenant = Empty,
                peer = Empty,
                ruling_id = Empty,
                rules = Empty,
                code = Empty,
                reason = Empty,
                otel.kind = "server",
                otel.status_code = Empty,
            )
        };
    }
    if quiet {
        rpc!("alamein_server::about_service")
    } else {
        rpc!("alamein_server::rpc")
    }
}

fn tell(span: &Span, trace: &Trace, request: &Request<Body>, method: Method<'_>) {
    if let Some(id) = &trace.id {
        span.record("trace_id", id.as_str());
    }
    if let Some(Peer(peer)) = request.extensions().get() {
        span.record("peer", display(peer));
    }
    trace.rename(|| format!("{}/{}", method.service, method.name));
    trace.tell(|| {
        [
            KeyValue::new("rpc.system", "grpc"),
            KeyValue::new("rpc.service", method.service.to_owned()),
            KeyValue::new("rpc.method", method.name.to_owned()),
        ]
    });
}

/// The step, behind those that ask who calls, that says whose request it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tenants;

impl Around for Tenants {
    async fn around<S: Answers>(&self, request: Request<Body>, next: Next<S>) -> Response<Body> {
        if let Some(span) = request.extensions().get::<RequestSpan>() {
            let caller = request.extensions().get::<Caller>();
            let tenant = caller.map_or("main", |caller| caller.tenant.as_str());
            span.span.record("tenant", tenant);
        }
        next.run(request).await
    }
}
