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

/// What somebody else wrote, for a line of a text: it can neither begin a line nor steer a terminal.
pub(crate) fn said(text: &str) -> String {
    // What turns the direction of writing round makes a text look like another one.
    let steers =
        |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = text.chars().map(|c| match steers(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    });
    shown.collect()
}

/// How many letters a line of the terminal has.
pub(crate) fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stdout());
    let columns = size.map_or(0, |size| usize::from(size.ws_col));
    // A terminal that does not know says 0.
    if columns == 0 { 80 } else { columns }
}

/// A text in lines of at most so many letters, where its words allow.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
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

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn what_others_wrote_forges_no_line_and_steers_no_terminal() {
        assert_eq!(said("ann\n   9  advanced"), "ann\\n   9  advanced");
        assert_eq!(said("\u{1b}[2J\u{202e}x"), "\\u{1b}[2J\\u{202e}x");
        assert_eq!(said("Überfall, 3 Runden"), "Überfall, 3 Runden");
    }
}
