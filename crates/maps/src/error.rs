//! What is wrong with a map file, and where.

pub use alamein_fields::FieldError as MapError;
pub(crate) use alamein_fields::{Found, Path, Step, Wrong};
