//! Writing to standard output.
//!
//! `println!` ends the process with a panic where a reader such as `head` has seen enough; here
//! that is an error like others, which [`is_closed`] tells from them.

use std::io::{self, Write};

use anyhow::Result;

/// Writes a text as it is.
pub(crate) fn put(text: &str) -> Result<()> {
    put_bytes(text.as_bytes())
}

/// Writes what need not be text.
pub(crate) fn put_bytes(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// Writes a line.
pub(crate) fn line(text: &str) -> Result<()> {
    put(&format!("{text}\n"))
}

/// Whether an error says that nobody reads on.
pub(crate) fn is_closed(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
