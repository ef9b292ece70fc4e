//! The message of a rule, taken apart once so that it is quickly filled in.

use std::fmt::Write as _;

/// A number that a message tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// As it is.
    Plain(i64),
    /// With its sign, `+` included.
    Signed(i64),
    /// Taken off.
    Less(i64),
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Place,
    Subject,
    Value,
}

/// A rule's message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Message {
    parts: Vec<Part>,
    /// How long it is without what is filled in.
    len: usize,
}

/// What stands in braces, and what it stands for.
const FILLED_IN: [(&str, Part); 3] = [
    ("{place}", Part::Place),
    ("{subject}", Part::Subject),
    ("{value}", Part::Value),
];

impl Message {
    /// Takes a message apart.
    pub(crate) fn new(message: &str) -> Self {
        let mut parts = Vec::new();
        let mut rest = message;
        while !rest.is_empty() {
            let first = FILLED_IN
                .iter()
                .filter_map(|(name, part)| Some((rest.find(name)?, name, part)))
                .min_by_key(|(at, _, _)| *at);
            let Some((at, name, part)) = first else {
                break;
            };
            let (before, after) = rest.split_at(at);
            if !before.is_empty() {
                parts.push(Part::Text(before.to_owned()));
            }
            parts.push(part.clone());
            rest = after.get(name.len()..).unwrap_or_default();
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        let len = |part: &Part| match part {
            Part::Text(text) => text.len(),
            _ => 0,
        };
        let len = parts.iter().map(len).sum();
        Self { parts, len }
    }

    /// Fills it in.
    pub(crate) fn filled(
        &self,
        place: &str,
        subject: Option<&str>,
        value: Option<Number>,
    ) -> String {
        let mut text = String::new();
        self.fill(&mut text, place, subject, value);
        text
    }

    /// The same, at the end of a text.
    pub(crate) fn fill(
        &self,
        text: &mut String,
        place: &str,
        subject: Option<&str>,
        value: Option<Number>,
    ) {
        let subject = subject.unwrap_or("the unit");
        // Whatever is filled in rarely takes more than these.
        text.reserve(self.len + place.len() + subject.len() + 8);
        for part in &self.parts {
            match part {
                Part::Text(plain) => text.push_str(plain),
                Part::Place => text.push_str(place),
                Part::Subject => text.push_str(subject),
                Part::Value => {
                    // Writing to a string does not fail.
                    let _ = match value {
                        Some(Number::Plain(value)) => write!(text, "{value}"),
                        Some(Number::Signed(value)) => write!(text, "{value:+}"),
                        Some(Number::Less(value)) => write!(text, "-{value}"),
                        None => Ok(()),
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_filled_in() {
        let message = Message::new("{subject} in {place}: {value} TEM, {place}");
        let filled = message.filled("P6", Some("H"), Some(Number::Signed(1)));
        assert_eq!(filled, "H in P6: +1 TEM, P6");
        assert_eq!(message.filled("P6", None, None), "the unit in P6:  TEM, P6");
        let less = Message::new("{value}").filled("", None, Some(Number::Less(2)));
        assert_eq!(less, "-2");
        assert_eq!(Message::new("plain").filled("P6", None, None), "plain");
        assert_eq!(Message::new("").filled("P6", None, None), "");
    }

    #[test]
    fn what_is_filled_in_is_not_filled_in_again() {
        let message = Message::new("{place} {value}");
        assert_eq!(
            message.filled("{value}", None, Some(Number::Plain(3))),
            "{value} 3"
        );
    }
}
