//! What many messages hold: words, names, hexes, ids.

use alamein_hex::{Grid, Hex, Hexside, NameError};
use alamein_terrain::Digest;

use crate::refused::{Limits, Refused, cut};
use crate::v1::ErrorReason;
use crate::words::Word;

/// What an id is the id of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdOf {
    /// A map.
    Map,
    /// A position.
    Position,
    /// The rules of a ruleset: their fingerprint.
    Rules,
}

impl IdOf {
    /// The refusal of an id that nothing here has.
    #[must_use]
    pub fn unknown(self, text: &str, field: &str) -> Refused {
        let (reason, key, message) = match self {
            Self::Map => (
                ErrorReason::MapNotFound,
                "map_id",
                "no such map is kept here; create it again, or carry it in the position",
            ),
            Self::Position => (
                ErrorReason::PositionNotFound,
                "position_id",
                "no such position is kept here; create it again, or carry it in the request",
            ),
            Self::Rules => (
                ErrorReason::RulesetNotAvailable,
                "rules_fingerprint",
                "this server does not judge by these rules; see RulesetService for those it has",
            ),
        };
        Refused::new(reason, field, message).with(key, cut(text))
    }
}

/// Reads an id. What is no id at all is an id that nothing has.
///
/// # Errors
/// Where there is none, or none that could be.
pub fn digest(text: &str, field: &str, of: IdOf) -> Result<Digest, Refused> {
    if text.is_empty() {
        return Err(Refused::missing(field));
    }
    text.parse().map_err(|_| of.unknown(text, field))
}

/// Reads a word that must be chosen.
pub(crate) fn chosen<W: Word>(number: i32, field: &str) -> Result<W, Refused> {
    optional(number, field)?.ok_or_else(|| Refused::missing(field))
}

/// Reads a word that may be left open.
pub(crate) fn optional<W: Word>(number: i32, field: &str) -> Result<Option<W>, Refused> {
    if number == 0 {
        return Ok(None);
    }
    let word = W::of_number(number);
    word.map(Some).ok_or_else(|| unknown_word(number, field))
}

/// A number that is no value of a field's enum.
#[must_use]
pub fn unknown_word(number: i32, field: &str) -> Refused {
    let message = format!("{number} means nothing here");
    Refused::new(ErrorReason::UnknownEnumValue, field, message).with("value", number)
}

/// Reads a name that may be empty.
pub(crate) fn text<'a>(text: &'a str, field: &str, limits: &Limits) -> Result<&'a str, Refused> {
    if text.len() > limits.max_text {
        return Err(Refused::too_long(
            field,
            text.len(),
            "bytes",
            limits.max_text,
        ));
    }
    Ok(text)
}

/// Reads a name that must be there.
pub(crate) fn name<'a>(name: &'a str, field: &str, limits: &Limits) -> Result<&'a str, Refused> {
    if name.is_empty() {
        return Err(Refused::missing(field));
    }
    text(name, field, limits)
}

/// Reads a hex of a map.
pub(crate) fn hex(grid: &Grid, name: &str, field: &str) -> Result<Hex, Refused> {
    grid.hex(name).map_err(|error| match &error {
        NameError::Empty => Refused::missing(field),
        NameError::NoSuchColumn { text, .. } | NameError::NoSuchRow { text, .. } => {
            off_map(grid, text, field, error.to_string())
        }
        _ => {
            Refused::new(ErrorReason::UnknownHex, field, error.to_string()).with("value", cut(name))
        }
    })
}

/// Reads a hexside of a map.
pub(crate) fn hexside(grid: &Grid, name: &str, field: &str) -> Result<Hexside, Refused> {
    grid.hexside(name).map_err(|error| match &error {
        NameError::Empty if name.is_empty() => Refused::missing(field),
        NameError::NoSuchColumn { text, .. } | NameError::NoSuchRow { text, .. } => {
            off_map(grid, text, field, error.to_string())
        }
        _ => Refused::new(ErrorReason::UnknownHexside, field, error.to_string())
            .with("value", cut(name)),
    })
}

/// The refusal of a hex that the map has not.
pub(crate) fn off_map(grid: &Grid, hex: &str, field: &str, message: String) -> Refused {
    Refused::new(ErrorReason::HexOffMap, field, message)
        .with("hex", hex)
        .with("columns", grid.columns())
        .with("rows", grid.rows())
}
