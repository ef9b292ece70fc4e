//! The worked example that is part of this program.

/// Its case file.
pub(crate) const TEXT: &str = include_str!("../../../tests/cases/f4-example.json");

/// How to call it in messages.
pub(crate) const NAME: &str = "the example";
