//! What is wrong with a message.

use crate::v1::ErrorReason;
use crate::within::At;

/// A message is refused: why, and for which of its fields.
///
/// ```
/// use alamein_proto::decode::{self, IdOf};
/// let refused = decode::digest("7P", "position_id", IdOf::Position).unwrap_err();
/// let refused = refused.at("subject.");
/// assert_eq!(refused.reason.as_str_name(), "ERROR_REASON_POSITION_NOT_FOUND");
/// assert_eq!(refused.field, "subject.position_id");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct Refused {
    /// Why.
    pub reason: ErrorReason,
    /// The path of the field, from the message that was read: `counters[3].hex`.
    pub field: String,
    /// What is wrong and what to do, in words. It does not name the field.
    pub message: String,
    /// What goes with the reason, as `errors.proto` tells.
    pub metadata: Vec<(&'static str, String)>,
}

/// The key under which some reasons give the field's path a second time.
const FIELD: &str = "field";
/// The same, of a field of a ruleset.
pub(crate) const PATH: &str = "path";

impl Refused {
    /// A refusal of a field.
    pub(crate) fn new(reason: ErrorReason, field: &str, message: impl Into<String>) -> Self {
        use ErrorReason as R;
        let refused = Self {
            reason,
            field: field.to_owned(),
            message: message.into(),
            metadata: Vec::new(),
        };
        match reason {
            R::MissingField
            | R::UnknownEnumValue
            | R::NotANumber
            | R::OutOfRange
            | R::TooLong
            | R::RuleNotImplemented => refused.with(FIELD, field),
            _ => refused,
        }
    }

    /// Adds to what goes with the reason.
    pub(crate) fn with(mut self, key: &'static str, value: impl ToString) -> Self {
        self.metadata.push((key, value.to_string()));
        self
    }

    /// A required field that is not there.
    pub(crate) fn missing(field: &str) -> Self {
        Self::new(ErrorReason::MissingField, field, "is required")
    }

    /// A number that is out of its range.
    pub fn out_of_range(
        field: &str,
        value: impl ToString,
        least: impl ToString,
        most: impl ToString,
    ) -> Self {
        let (value, least, most) = (value.to_string(), least.to_string(), most.to_string());
        let message = format!("{value} is out of range: it may be {least} to {most}");
        Self::new(ErrorReason::OutOfRange, field, message)
            .with("value", value)
            .with("min", least)
            .with("max", most)
    }

    /// A text or list that has more of something, such as `bytes`, than it may.
    #[must_use]
    pub fn too_long(field: &str, length: usize, of: &str, most: usize) -> Self {
        let message = format!("has {length} {of}; this server allows {most}");
        Self::new(ErrorReason::TooLong, field, message).with("max", most)
    }

    /// Puts a prefix before the field's path, dot included: `subject.position.`.
    #[must_use]
    pub fn at(mut self, prefix: &str) -> Self {
        self.field.insert_str(0, prefix);
        for (key, value) in &mut self.metadata {
            if [FIELD, PATH].contains(key) {
                value.insert_str(0, prefix);
            }
        }
        self
    }
}

impl At for Refused {
    fn at(self, prefix: &str) -> Self {
        Self::at(self, prefix)
    }
}

/// How much a message may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Hexes of a map.
    pub max_hexes: usize,
    /// Counters of a position.
    pub max_counters: usize,
    /// Changes of a position at once.
    pub max_changes: usize,
    /// Steps of a path.
    pub max_steps: usize,
    /// Probes of a question.
    pub max_probes: usize,
    /// Bytes of a name: of a counter, a side, a layer, an attribute, a tag.
    pub max_text: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_hexes: 65_536,
            max_counters: 4_096,
            max_changes: 1_000,
            max_steps: 1_000,
            max_probes: 64,
            max_text: 256,
        }
    }
}

/// A text cut to a length that fits a message whatever a caller sends.
pub(crate) fn cut(text: &str) -> String {
    const LONGEST: usize = 64;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
