//! A board of a map, as a map file has it.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A board: its size, its names, and how it lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Board {
    /// What it is called, as in `25`. The board of a map of one may go without a name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// How many columns it has; 33 if left out.
    pub columns: u16,
    /// How many rows its first column has; 10 if left out.
    pub rows: u16,
    /// The letters of its first column: A, C, E..; `A` if left out.
    #[serde(skip_serializing_if = "is_a")]
    pub first_column: String,
    /// The number of the first row of its first column; 1 if left out.
    #[serde(skip_serializing_if = "is_one")]
    pub first_row: u16,
    /// Whether only half of it is in play, and which as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half: Option<Half>,
    /// Whether it lies upside down.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub turned: bool,
    /// Where it lies. Left out: right of the board before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Lies>,
    /// The Base Level of every hex that `levels` does not name.
    #[serde(skip_serializing_if = "is_ground")]
    pub base_level: i16,
    /// Base Levels that differ, by the names printed on this board.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub levels: BTreeMap<String, i16>,
}

impl Default for Board {
    fn default() -> Self {
        Self {
            name: String::new(),
            columns: 33,
            rows: 10,
            first_column: "A".to_owned(),
            first_row: 1,
            half: None,
            turned: false,
            at: None,
            base_level: 0,
            levels: BTreeMap::new(),
        }
    }
}

fn is_a(letters: &str) -> bool {
    letters == "A"
}

fn is_one(row: &u16) -> bool {
    *row == 1
}

fn is_ground(level: &i16) -> bool {
    *level == 0
}

/// Half of a board, as printed (before it is turned). The column or row of the cut is on both
/// halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Half {
    /// Columns A to Q of a geomorphic board.
    West,
    /// Columns Q to GG of a geomorphic board.
    East,
    /// Rows 0 to 5 of a geomorphic board.
    North,
    /// Rows 5 to 10 of a geomorphic board.
    South,
}

/// Where a board lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lies {
    /// So many columns east and rows south: `[32, 10]`.
    At([i16; 2]),
    /// Beside another board, edge to edge: `"right of 25"`.
    Beside(Side, String),
}

/// A side of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// East.
    Right,
    /// West.
    Left,
    /// North.
    Above,
    /// South.
    Below,
}

impl Side {
    const WORDS: [(Side, &'static str); 4] = [
        (Side::Right, "right of "),
        (Side::Left, "left of "),
        (Side::Above, "above "),
        (Side::Below, "below "),
    ];
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = Self::WORDS.iter().find(|(side, _)| side == self);
        f.write_str(word.map_or("", |(_, word)| word.trim_end()))
    }
}

impl Serialize for Lies {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::At(place) => place.serialize(to),
            Self::Beside(side, board) => to.collect_str(&format_args!("{side} {board}")),
        }
    }
}

impl<'de> Deserialize<'de> for Lies {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Place;
        impl<'de> de::Visitor<'de> for Place {
            type Value = Lies;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(
                    "\"right of 25\" (or left of, above, below), or columns east and rows south \
                     as in [32, 10]",
                )
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Lies, E> {
                let beside = |(side, word): &(Side, &str)| {
                    let board = text.strip_prefix(word)?;
                    Some(Lies::Beside(*side, board.trim().to_owned()))
                };
                let lies = Side::WORDS.iter().find_map(beside);
                lies.ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, items: A) -> Result<Lies, A::Error> {
                let items = de::value::SeqAccessDeserializer::new(items);
                Ok(Lies::At(Deserialize::deserialize(items)?))
            }
        }
        from.deserialize_any(Place)
    }
}
