//! Writing SVG: elements in order, everything that comes from outside escaped.

use std::fmt::{Display, Write};

/// An attribute: its name and value.
pub(super) type Attribute<'a> = (&'a str, &'a dyn Display);

/// A text of elements, being written.
#[derive(Debug, Default)]
pub(super) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

impl Xml {
    /// Opens an element that holds others.
    pub(super) fn open(&mut self, name: &'static str, attributes: &[Attribute<'_>]) {
        self.start(name, attributes);
        self.text.push_str(">\n");
        self.open.push(name);
    }

    /// Closes the element that was opened last.
    pub(super) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.indent();
            self.push(format_args!("</{name}>\n"));
        }
    }

    /// Writes an element that holds nothing.
    pub(super) fn put(&mut self, name: &'static str, attributes: &[Attribute<'_>]) {
        self.start(name, attributes);
        self.text.push_str("/>\n");
    }

    /// Writes a path that is only a stroke.
    pub(super) fn stroke(&mut self, path: &str, ink: &str, width: &str) {
        let attributes: [Attribute<'_>; 3] =
            [("d", &path), ("stroke", &ink), ("stroke-width", &width)];
        self.put("path", &attributes);
    }

    /// Writes an element that holds words.
    pub(super) fn say(&mut self, name: &'static str, attributes: &[Attribute<'_>], words: &str) {
        self.start(name, attributes);
        let words = escaped(words);
        self.push(format_args!(">{words}</{name}>\n"));
    }

    /// The text.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn start(&mut self, name: &'static str, attributes: &[Attribute<'_>]) {
        self.indent();
        self.push(format_args!("<{name}"));
        for (name, value) in attributes {
            let value = escaped(&value.to_string());
            self.push(format_args!(" {name}=\"{value}\""));
        }
    }

    fn indent(&mut self) {
        for _ in &self.open {
            self.text.push(' ');
        }
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(text);
    }
}

/// A text as it may stand between tags or in quotes. What XML cannot hold becomes a mark.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter if letter.is_control() => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}
