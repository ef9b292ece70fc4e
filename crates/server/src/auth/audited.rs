//! The step that writes down what changes something, before and after.

use http::{HeaderMap, Request, Response};
use tonic::Status;
use tonic::body::Body;
use tonic_types::StatusExt as _;
use tracing::{Instrument as _, Span};

use super::caller::Caller;
use super::guard::Guard;
use crate::audit::{Audit, Deed, Line};
use crate::transport::{Answers, Around, Connection, Hook, Hooked, Next, RequestSpan, code_name};

/// The step behind a guard that writes down what it lets in.
#[derive(Clone, Debug)]
pub(crate) struct Audits(pub(crate) Guard);

impl Around for Audits {
    async fn around<S: Answers>(
        &self,
        mut request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        let Some(audit) = self.0.audit(request.uri().path()) else {
            return next.run(request).await;
        };
        let deed = Deed::default();
        let mut done = Done {
            audit: audit.clone(),
            line: line(&request, request.extensions().get()),
            deed: deed.clone(),
            status: None,
        };
        let span = request.extensions().get().map(RequestSpan::open).cloned();
        let asked = audit.asked(done.line.clone());
        if let Err(fault) = asked.instrument(span.unwrap_or_else(Span::none)).await {
            let status = Status::from(fault);
            done.status = Some(status.clone());
            return status.into_http();
        }
        request.extensions_mut().insert(deed);
        let response = next.run(request).await;
        if response.headers().contains_key(Status::GRPC_STATUS) {
            done.status = Status::from_header_map(response.headers());
            return response;
        }
        response.map(|body| Hooked::wrap(body, done))
    }
}

/// What came of a request. It is written when this is dropped, whatever happens.
struct Done {
    audit: Audit,
    line: Line,
    deed: Deed,
    status: Option<Status>,
}

impl Hook for Done {
    fn trailers(&mut self, trailers: &mut HeaderMap) {
        self.status = Status::from_header_map(trailers);
    }
}

impl Drop for Done {
    fn drop(&mut self) {
        let line = std::mem::take(&mut self.line).with("what", self.deed.told());
        self.audit.done(outcome(line, self.status.as_ref()));
    }
}

/// What is known of a request before anything is done.
pub(super) fn line(request: &Request<Body>, caller: Option<&Caller>) -> Line {
    let known = request.extensions();
    let peer = Connection::peer(known).map(|peer| peer.to_string());
    let of = known.get::<RequestSpan>();
    let id = of.map(|of| of.id().as_str().to_owned());
    let trace = of.and_then(RequestSpan::trace_id);
    Line::default()
        .with("tenant", caller.map(|it| it.tenant.as_str()))
        .with("token", caller.map(|it| &*it.token))
        .with("peer", peer)
        .with("method", request.uri().path().trim_start_matches('/'))
        .with("request_id", id)
        .with("trace_id", trace)
}

/// A line with what came of it: the name of a gRPC code and a reason, and of what was given up `CUT_OFF`.
pub(super) fn outcome(line: Line, status: Option<&Status>) -> Line {
    let Some(status) = status else {
        return line.with("code", "CUT_OFF");
    };
    let info = status.get_details_error_info();
    line.with("code", code_name(status.code()))
        .with("reason", info.map(|info| info.reason))
}
