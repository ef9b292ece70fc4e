//! What a map file holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::board::Board;
use crate::change::Change;
use crate::field::LayerText;

/// What a map file holds, in the words of a scenario card.
///
/// A map comes of it in this order: the boards are laid; `layers` say what is printed on them;
/// each overlay covers what is printed where it lies; scenario rules change what is there then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFile {
    /// The version of this format: 1.
    #[serde(default = "current", skip_serializing_if = "is_current")]
    pub format: u32,
    /// A few words for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The boards, in the order in which they lend names to hexes.
    #[serde(rename = "board", default)]
    pub boards: Vec<Board>,
    /// What is printed on the boards, by layer.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub layers: BTreeMap<String, LayerText>,
    /// The overlays, in the order in which they are laid.
    #[serde(rename = "overlay", default, skip_serializing_if = "Vec::is_empty")]
    pub overlays: Vec<Overlay>,
    /// What scenario rules change, in order.
    #[serde(rename = "change", default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

impl Default for MapFile {
    /// One geomorphic board with nothing on it.
    fn default() -> Self {
        Self {
            format: MapFile::FORMAT,
            title: String::new(),
            boards: vec![Board::default()],
            layers: BTreeMap::new(),
            overlays: Vec::new(),
            changes: Vec::new(),
        }
    }
}

impl MapFile {
    /// The version of the format that this code reads and writes.
    pub const FORMAT: u32 = 1;

    /// The most overlays, and the most changes, of a map.
    pub const MOST_LISTED: usize = 1000;
}

fn current() -> u32 {
    MapFile::FORMAT
}

fn is_current(format: &u32) -> bool {
    *format == MapFile::FORMAT
}

/// An overlay as a scenario card places it: "D2 on P6-Q6".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overlay {
    /// Its id, as in `D2`.
    pub id: String,
    /// The hex under hex 1 of the overlay and the one under hex 2: adjacent, so that the overlay
    /// is turned as it must be.
    pub on: [String; 2],
    /// Whether it lies over another overlay, and what that means.
    #[serde(default, skip_serializing_if = "Over::is_nothing")]
    pub over: Over,
    /// Whether a scenario makes its dunes High.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub high: bool,
}

/// Whether an overlay may lie over another overlay, and what becomes of what lies below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    /// It lies over boards only, and hides what is printed there.
    #[default]
    Nothing,
    /// It may lie over other overlays, and hides what is below: `true` or `"hides"`.
    Hides,
    /// It may lie over anything, and what is below stays: `"adds"`.
    Adds,
}

impl Over {
    fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }
}

impl Serialize for Over {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing => to.serialize_bool(false),
            Self::Hides => to.serialize_bool(true),
            Self::Adds => to.serialize_str("adds"),
        }
    }
}

impl<'de> Deserialize<'de> for Over {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Word;
        impl de::Visitor<'_> for Word {
            type Value = Over;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("true, \"hides\" or \"adds\"")
            }

            fn visit_bool<E: de::Error>(self, over: bool) -> Result<Over, E> {
                Ok(if over { Over::Hides } else { Over::Nothing })
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Over, E> {
                match word {
                    "hides" => Ok(Over::Hides),
                    "adds" => Ok(Over::Adds),
                    _ => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
                }
            }
        }
        from.deserialize_any(Word)
    }
}
