//! How hexes are written, and what can be wrong with what was written.

use std::fmt::{self, Write as _};

/// Why a text does not name a hex or hexside of a grid.
///
/// Each message says what is wrong and, where that helps, what the map does hold.
///
/// ```
/// use alamein_hex::Grid;
///
/// let error = Grid::geomorphic().hex("K11").unwrap_err();
/// assert_eq!(error.to_string(), "K11 is off the map: column K has rows 1 to 10");
/// ```
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
#[non_exhaustive]
pub enum NameError {
    /// There is no text.
    Empty,
    /// The text is not a column and a row.
    NotAHex {
        /// What was written, shortened if long.
        text: String,
    },
    /// The map has no such column.
    NoSuchColumn {
        /// What was written, shortened if long.
        text: String,
        /// The column asked for.
        column: String,
        /// The map's last column.
        last: String,
    },
    /// The column has no such row.
    NoSuchRow {
        /// What was written, shortened if long.
        text: String,
        /// The column asked for.
        column: String,
        /// The first row of that column.
        first: u16,
        /// The last row of that column.
        last: u16,
    },
    /// The text is neither two hexes nor a hex and a direction with `|` between.
    NotAHexside {
        /// What was written, shortened if long.
        text: String,
    },
    /// The two hexes share no hexside.
    NotAdjacent {
        /// The first hex.
        one: String,
        /// The second hex.
        other: String,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Empty => f.write_str("a hex is missing: its name is empty"),
            NameError::NotAHex { text } => write!(
                f,
                "{text:?} is not a hex: a hex is a column (A to Z, then AA, BB, CC..) and a row, \
                 as in K5"
            ),
            NameError::NoSuchColumn { text, column, last } => write!(
                f,
                "{text} is off the map: there is no column {column}, the columns are A to {last}"
            ),
            NameError::NoSuchRow {
                text,
                column,
                first,
                last,
            } => write!(
                f,
                "{text} is off the map: column {column} has rows {first} to {last}"
            ),
            NameError::NotAHexside { text } => write!(
                f,
                "{text:?} is not a hexside: a hexside is two neighbouring hexes as in P6|P7, or a \
                 hex and a direction (N, NE, SE, S, SW, NW) as in A1|N"
            ),
            NameError::NotAdjacent { one, other } if one == other => {
                write!(f, "{one}|{other} is not a hexside: it names one hex twice")
            }
            NameError::NotAdjacent { one, other } => write!(
                f,
                "{one}|{other} is not a hexside: {one} and {other} are not adjacent"
            ),
        }
    }
}

impl std::error::Error for NameError {}

/// What was written, cut to a length that fits a message whatever a caller sends.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 24;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The letters of a column: A to Z, then AA to ZZ, then AAA.
pub(crate) fn column_letters(column: u16) -> String {
    let mut letters = String::new();
    put_letters(column, &mut letters);
    letters
}

fn put_letters(column: u16, name: &mut String) {
    let letter = char::from(b'A' + (column % 26) as u8);
    for _ in 0..=column / 26 {
        name.push(letter);
    }
}

/// How a column and a row are written: a ruling writes dozens, so it takes no more memory than the name.
pub(crate) fn written(column: u16, row: u16) -> String {
    // As many letters as most maps need, and any row.
    let mut name = String::with_capacity(8);
    put_letters(column, &mut name);
    // A String takes whatever is written.
    let _ = write!(name, "{row}");
    name
}

/// A hex name taken apart: its column's number (`usize::MAX` if beyond counting) and letters, as they were
/// written, and its row (nothing if beyond counting).
pub(crate) struct Parts<'a> {
    pub(crate) column: usize,
    pub(crate) letters: &'a str,
    pub(crate) row: Option<u16>,
}

/// Takes a hex name apart, without asking whether the map holds it. Nothing if it is not made
/// like a hex name.
pub(crate) fn parts(text: &str) -> Option<Parts<'_>> {
    let digits_at = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (letters, digits) = text.split_at(digits_at);
    let first = letters.bytes().next()?.to_ascii_uppercase();
    if !letters.bytes().all(|b| b.to_ascii_uppercase() == first) {
        return None;
    }
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // One hex, one name: "A01" would be a second spelling of A1.
    if digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    Some(Parts {
        column: usize::from(first - b'A') + 26 * (letters.len() - 1),
        letters,
        row: digits.parse().ok(),
    })
}
