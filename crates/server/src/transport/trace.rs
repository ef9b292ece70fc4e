//! The trace that a request belongs to.

use http::HeaderMap;
use opentelemetry::propagation::Extractor;
use opentelemetry::trace::{SpanContext, TraceContextExt as _};
use opentelemetry::{Context, KeyValue, global};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}

/// What is known of the trace of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    /// Its id, if anybody gave it one.
    pub(crate) id: Option<String>,
    /// The request's span as those know it who follow the trace, if anybody does.
    followed: Option<Context>,
}

impl Trace {
    /// Whether the headers of a request name a trace. Most name none, and then nothing has to be read.
    pub(crate) fn is_named(headers: &HeaderMap) -> bool {
        headers.contains_key("traceparent")
    }

    /// Puts a request's span into the trace that its headers name. It must not have been entered.
    pub(crate) fn join(span: &Span, headers: &HeaderMap) -> Self {
        let above = Self::is_named(headers)
            .then(|| global::get_text_map_propagator(|it| it.extract(&Headers(headers))));
        let theirs = above.as_ref().map(|it| it.span().span_context().clone());
        let theirs = theirs.filter(SpanContext::is_valid);
        if let Some(above) = above.filter(|_| theirs.is_some()) {
            // Without anybody who follows traces there is nothing to join.
            let _ = span.set_parent(above);
        }
        let ours = span.context();
        let known = ours.span().span_context().clone();
        let valid = Some(&known).filter(|it| it.is_valid()).or(theirs.as_ref());
        Self {
            id: valid.map(|it: &SpanContext| it.trace_id().to_string()),
            followed: (known.is_valid() && known.is_sampled()).then_some(ours),
        }
    }

    /// Whether somebody follows it.
    pub(crate) fn is_followed(&self) -> bool {
        self.followed.is_some()
    }

    /// Gives the request's span another name.
    pub(crate) fn rename(&self, name: impl FnOnce() -> String) {
        if let Some(context) = &self.followed {
            context.span().update_name(name());
        }
    }

    /// Tells something of the request to those who follow it, and to nobody else.
    pub(crate) fn tell<const N: usize>(&self, what: impl FnOnce() -> [KeyValue; N]) {
        if let Some(context) = &self.followed {
            context.span().set_attributes(what());
        }
    }
}
