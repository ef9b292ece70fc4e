//! Files that people write, in TOML or in JSON of the same shape: where in them something is, and
//! what is wrong there.
//!
//! A [`FieldError`] names the field by its [`Path`], the line where that is known, and says what to
//! do. All that is wrong is told at once, as far as anybody will read: see [`Found`]. A [`Tree`] is a
//! file that was read so far that each value knows its line; what its fields mean is for others.

mod path;
mod tree;

pub use path::{FieldError, Found, Path, Step, Wrong};
pub use tree::{Tree, Value};

/// The line on which a byte of a text lies, counted from 1. Who asks for many takes [`Lines`].
#[must_use]
pub fn line_at(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().iter().take(byte);
    before.filter(|byte| **byte == b'\n').count() + 1
}

/// Where the lines of a text end, so that to find the line of each of its values takes no longer the
/// longer the text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines(Vec<usize>);

impl Lines {
    /// The lines of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self(ends.map(|(at, _)| at).collect())
    }

    /// The line on which a byte lies, counted from 1.
    #[must_use]
    pub fn at(&self, byte: usize) -> usize {
        self.0.partition_point(|end| *end < byte) + 1
    }
}
