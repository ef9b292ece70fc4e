//! A span for every request, and a line in the log when it is over.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use alamein_store::Tenant;
use alamein_terrain::Digest;
use http::uri::PathAndQuery;
use http::{Request, Response};
use opentelemetry::KeyValue;
use tonic::Status;
use tonic::body::Body;
use tracing::field::{Empty, display};
use tracing::{Instrument as _, Span};

use super::around::{Answers, Around, Next};
use super::body::Hooked;
use super::connections::Connection;
use super::counted::Counted;
use super::lines::Lines;
use super::method::{Method, is_about_service};
use super::metrics::{ErrorSeen, TransportMetrics};
use super::outcome::Outcome;
use super::request_id::RequestId;
use super::table::{self, Known};
use super::trace::Trace;
use crate::auth::Caller;

/// How many rulings of a request are named to who follows its trace.
const NAMED: usize = 32;

/// The span of a request, in its extensions. Handlers are within it already; they need it only to
/// say which ruling they gave.
///
/// It is opened by the first who tells something within it. Of a request whose trace nobody follows, that is
/// answered as another was before, and that has no line in the log, nothing is ever told: to write its fields
/// down would be in vain, and costs more than many a ruling.
#[derive(Clone, Debug)]
pub struct RequestSpan(Arc<Asked>);

/// What is known of a request from its beginning, and what becomes known.
#[derive(Debug)]
struct Asked {
    path: Option<PathAndQuery>,
    known: Option<&'static Known>,
    id: RequestId,
    peer: Option<Arc<str>>,
    trace: Trace,
    tenant: OnceLock<Tenant>,
    noted: Mutex<Noted>,
    span: OnceLock<Span>,
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

    /// The span of a request that just came, opened only where somebody may want to see all of it: where its
    /// headers name a trace, and where all are `followed`.
    fn begin(request: &Request<Body>, followed: bool) -> Self {
        let mut asked = Asked {
            path: request.uri().path_and_query().cloned(),
            known: table::known(request.uri().path()),
            id: RequestId::given(request.headers()),
            peer: Connection::peer(request.extensions()),
            trace: Trace::default(),
            tenant: OnceLock::new(),
            noted: Mutex::default(),
            span: OnceLock::new(),
        };
        let quiet = is_about_service(request.uri().path());
        if !quiet && (followed || Trace::is_named(request.headers())) {
            let span = asked.open();
            asked.trace = Trace::join(&span, request.headers());
            asked.tell(&span);
            asked.span = span.into();
        }
        Self(Arc::new(asked))
    }

    /// Says which ruling was given.
    pub fn ruling(&self, ruling: Digest) {
        self.noted(|noted| noted.ruling = Some(ruling));
    }

    /// Says which rulings were given, to who follows the trace: a line of the log would be too long.
    pub fn rulings<I: ToString>(&self, ids: impl Iterator<Item = I>) {
        self.0.trace.tell(|| {
            let ids: Vec<String> = ids.take(NAMED).map(|id| id.to_string()).collect();
            [KeyValue::new("ruling_ids", ids.join(","))]
        });
    }

    /// Says by which rules it was given.
    pub fn rules(&self, fingerprint: Digest) {
        self.noted(|noted| noted.rules = Some(fingerprint));
    }

    /// Does something with what is noted of the request.
    pub(crate) fn noted<T>(&self, with: impl FnOnce(&mut Noted) -> T) -> T {
        with(&mut self.0.noted.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The trace that the request belongs to.
    pub(crate) fn trace(&self) -> &Trace {
        &self.0.trace
    }

    /// The id of the trace that the request belongs to, if anybody gave it one.
    pub(crate) fn trace_id(&self) -> Option<String> {
        self.0.trace.id.clone()
    }

    /// Whether somebody follows the trace of the request.
    #[must_use]
    pub fn is_followed(&self) -> bool {
        self.0.trace.is_followed()
    }

    /// The id of the request.
    pub(crate) fn id(&self) -> &RequestId {
        &self.0.id
    }

    /// The path of the method that it calls.
    pub(crate) fn path(&self) -> &str {
        self.0.path()
    }

    /// The method that it calls, if there is such a method.
    pub(crate) fn known(&self) -> Option<&'static Known> {
        self.0.known
    }

    /// The span itself, open.
    pub(crate) fn open(&self) -> &Span {
        self.0.span.get_or_init(|| self.0.open())
    }

    /// Tells something within the span of a request, if it has one.
    pub(crate) fn within<T>(span: Option<&Self>, tell: impl FnOnce() -> T) -> T {
        match span {
            Some(of) => of.open().in_scope(tell),
            None => tell(),
        }
    }

    fn is_for(&self, tenant: &Tenant) {
        if let Some(span) = self.0.span.get() {
            span.record("tenant", tenant.as_str());
        }
        // Whose request it is does not change.
        let _ = self.0.tenant.set(tenant.clone());
    }
}

impl Asked {
    fn path(&self) -> &str {
        self.path.as_ref().map_or("", PathAndQuery::path)
    }

    /// Opens the span. Those about the service are apart: nobody follows them.
    fn open(&self) -> Span {
        let method = Method::of(self.path());
        let peer = self.peer.as_ref().map(display);
        let tenant = self.tenant.get().map(Tenant::as_str);
        macro_rules! rpc {
            ($target:expr) => {
                tracing::info_span!(
                    target: $target,
                    parent: None,
                    "rpc",
                    service = method.service,
                    method = method.name,
                    request_id = self.id.as_str(),
                    trace_id = Empty,
                    tenant,
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
        if is_about_service(self.path()) {
            rpc!("alamein_server::about_service")
        } else {
            rpc!("alamein_server::rpc")
        }
    }

    /// Tells what is known of the request to who follows its trace.
    fn tell(&self, span: &Span) {
        let (method, trace) = (Method::of(self.path()), &self.trace);
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
}

/// The step that begins spans, counts requests and tells how they ended.
#[derive(Clone, Debug)]
pub(crate) struct Spans {
    pub(crate) metrics: TransportMetrics,
    /// Whether any request may be followed, and not only those whose headers name a trace.
    pub(crate) followed: bool,
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
        let of = RequestSpan::begin(&request, self.followed);
        let metrics = self.metrics.method(of.known());
        metrics.start();
        let quiet = is_about_service(request.uri().path());
        let streams = of.known().is_none_or(|it| it.streams);
        request.extensions_mut().insert(of.clone());
        let bytes = metrics.request_bytes.clone();
        let mut outcome = Outcome {
            of,
            start,
            quiet,
            slow: (!streams && !quiet).then_some(self.slow),
            lines: Arc::clone(&self.lines),
            metrics,
            code: None,
            error: ErrorSeen::default(),
        };
        let request = request.map(|body| Counted::wrap(body, bytes));
        let mut response = next.run(request).await;
        outcome.of.id().put(response.headers_mut());
        if response.headers().contains_key(Status::GRPC_STATUS) {
            outcome.read(response.headers_mut());
            return response;
        }
        response.map(|body| Hooked::wrap(body, outcome))
    }
}

/// The step in front of the handlers: they are within the span of their request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within;

impl Around for Within {
    async fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        let span = match request.extensions().get::<RequestSpan>() {
            Some(of) => of.open().clone(),
            None => Span::none(),
        };
        next.run(request).instrument(span).await
    }
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
        let known = request.extensions();
        if let Some((of, caller)) = known.get::<RequestSpan>().zip(known.get::<Caller>()) {
            of.is_for(&caller.tenant);
        }
        next.run(request).await
    }
}
