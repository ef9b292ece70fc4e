//! The log for people.

use std::fmt;

use tracing::field::{Field, Visit};
use tracing_subscriber::field::{RecordFields, VisitOutput as _};
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::{DefaultVisitor, Writer};

/// Whether a field is for people: others are for those who follow traces.
pub(super) fn is_shown(field: &Field) -> bool {
    !field.name().starts_with("otel.")
}

/// Writes fields as is usual, but for those that are not for people.
pub(super) struct Fields;

impl<'writer> FormatFields<'writer> for Fields {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'writer>, fields: R) -> fmt::Result {
        let mut shown = Shown(DefaultVisitor::new(writer, true));
        fields.record(&mut shown);
        shown.0.finish()
    }
}

struct Shown<'a>(DefaultVisitor<'a>);

impl Visit for Shown<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if is_shown(field) {
            self.0.record_str(field, value);
        }
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        if is_shown(field) {
            self.0.record_error(field, value);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if is_shown(field) {
            self.0.record_debug(field, value);
        }
    }
}
