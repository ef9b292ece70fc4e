//! The log as JSON: a line an object, flat, so that a line of a request has the request's id, trace,
//! tenant and method at its top.

use std::fmt;
use std::io::Write as _;
use std::time::SystemTime;

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

use super::Forgiving;
use super::text::is_shown;

/// Writes every event as a line of JSON to standard error.
pub(super) struct Json;

/// The fields of a span.
struct OfSpan(Map<String, Value>);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Json {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields(Map::new());
        attributes.record(&mut fields);
        span.extensions_mut().insert(OfSpan(fields.0));
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields(Map::new());
        values.record(&mut fields);
        if let Some(OfSpan(kept)) = span.extensions_mut().get_mut() {
            kept.extend(fields.0);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields(Map::new());
        let mut spans = Vec::new();
        for span in context.event_scope(event).into_iter().flatten() {
            spans.push(span.name());
            if let Some(OfSpan(of)) = span.extensions().get() {
                // What is nearer to the event comes first.
                for (name, value) in of {
                    let known = fields.0.contains_key(name);
                    if !known {
                        fields.0.insert(name.clone(), value.clone());
                    }
                }
            }
        }
        event.record(&mut fields);
        spans.reverse();
        let metadata = event.metadata();
        let time = humantime::format_rfc3339_micros(SystemTime::now());
        let mut line = fields.0;
        let mut put = |name: &str, value: String| {
            line.insert(name.to_owned(), Value::String(value));
        };
        put("timestamp", time.to_string());
        put("level", metadata.level().to_string());
        put("target", metadata.target().to_owned());
        if !spans.is_empty() {
            put("spans", spans.join("/"));
        }
        let mut line = Value::Object(line).to_string();
        line.push('\n');
        // One call for the whole line: lines of several threads must not mingle.
        let _ = Forgiving(std::io::stderr()).write_all(line.as_bytes());
    }
}

struct Fields(Map<String, Value>);

impl Fields {
    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        if is_shown(field) {
            self.0.insert(field.name().to_owned(), value.into());
        }
    }
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}"));
    }
}
