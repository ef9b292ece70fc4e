//! A line of the log.

use serde_json::{Map, Value};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// What a line tells, all but its time and its kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line(Map<String, Value>);

impl Line {
    /// Adds a field, unless there is nothing in it.
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        if !value.is_null() && value != "" && value != 0 {
            self.0.insert(key.to_owned(), value);
        }
        self
    }

    /// All of it, with its end.
    pub(super) fn text(self, event: &str) -> String {
        let now = OffsetDateTime::now_utc();
        let now = now.format(&Rfc3339).unwrap_or_default();
        let line = Value::Object(self.with("event", event).with("time", now).0);
        format!("{line}\n")
    }
}
