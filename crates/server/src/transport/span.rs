//! A span for every request, and a line in the log when it is over.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use alamein_terrain::Digest;
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
use super::lines::Lines;
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
    noted: Arc<Mutex<Noted>>,
}

/// What is noted of a request while it is worked on, to be told with its end.
#[derive(Debug, Default)]
pub(crate) struct Noted {
    pub(crate) ruling: Option<Digest>,
    pub(crate) rules: Option<Digest>,
}

impl RequestSpan {
    /// The span of a request. A request that did not come through the transport has none.
    #[must_use]
    pub fn of<T>(request: &tonic::Request<T>) -> Option<Self> {
        request.extensions().get().cloned()
    }

    /// Says which ruling was given.
    pub fn ruling(&self, ruling: Digest) {
        self.note(|noted| noted.ruling = Some(ruling));
    }

    /// Says which rulings were given, to who follows the trace: a line of the log would be too long.
    pub fn rulings<I: ToString>(&self, ids: impl Iterator<Item = I>) {
        self.trace.tell(|| {
            let ids: Vec<String> = ids.take(NAMED).map(|id| id.to_string()).collect();
            [KeyValue::new("ruling_ids", ids.join(","))]
        });
    }

    /// Says by which rules it was given.
    pub fn rules(&self, fingerprint: Digest) {
        self.note(|noted| noted.rules = Some(fingerprint));
    }

    fn note(&self, note: impl FnOnce(&mut Noted)) {
        note(&mut self.noted.lock().unwrap_or_else(PoisonError::into_inner));
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
    /// How many that went well are told in the log.
    pub(crate) lines: Arc<Lines>,
}

impl Around for Spans {
    async fn around<S: Answers>(
        &self,
        mut request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        let start = Instant::now();
        let metrics = self.metrics.method(request.uri().path());
        metrics.start();
        let method = Method::of(request.uri());
        let quiet = method.is_about_service();
        let streams = table::known(request.uri().path()).is_none_or(|(_, it)| it.streams);
        let id = RequestId::given(request.headers());
        let peer = request.extensions().get::<Peer>();
        let span = span(method, quiet, &id, peer);
        let trace = match quiet {
            true => Trace::default(),
            false => Trace::join(&span, request.headers()),
        };
        tell(&span, &trace, method);
        let noted = Arc::default();
        let mut outcome = Outcome {
            span: span.clone(),
            trace: trace.clone(),
            id: id.clone(),
            start,
            quiet,
            slow: (!streams && !quiet).then_some(self.slow),
            lines: Arc::clone(&self.lines),
            noted: Arc::clone(&noted),
            metrics,
            code: None,
            error: ErrorSeen::default(),
        };
        let of = RequestSpan {
            span: span.clone(),
            trace,
            noted,
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
fn span(method: Method<'_>, quiet: bool, id: &RequestId, peer: Option<&Peer>) -> Span {
    let peer = peer.map(|Peer(peer)| display(peer));
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
                peer,
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

fn tell(span: &Span, trace: &Trace, method: Method<'_>) {
    if let Some(id) = &trace.id {
        span.record("trace_id", id.as_str());
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
    async fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        if let Some(span) = request.extensions().get::<RequestSpan>() {
            let caller = request.extensions().get::<Caller>();
            let tenant = caller.map_or("main", |caller| caller.tenant.as_str());
            span.span.record("tenant", tenant);
        }
        next.run(request).await
    }
}
