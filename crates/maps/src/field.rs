//! Layers and their fields, as a map file has them: hexes and hexsides by name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use alamein_terrain::{Field, FieldKind, Layer};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::error::{Found, Path, Wrong};
use crate::names::{BoardNameError, BoardNames};

/// A layer as a map file has it. A plain list stands for its field `hexes` or `hexsides`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct LayerText {
    /// The fields, by name.
    pub fields: BTreeMap<String, FieldText>,
}

/// A field of a layer as a map file has it.
///
/// A list is of hexes, or of hexsides if its first name has a bar; a table is of numbers for hexes
/// or hexsides likewise. What that does not tell (an empty list of hexsides) is written with its
/// kind: `{ kind = "hexsides", values = [] }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldText {
    /// A set of hexes.
    Hexes(Vec<String>),
    /// A set of hexsides.
    Hexsides(Vec<String>),
    /// A number for each of some hexes.
    HexValues(BTreeMap<String, i64>),
    /// A number for each of some hexsides.
    HexsideValues(BTreeMap<String, i64>),
}

impl LayerText {
    /// The layer, with its names understood; those that make no sense are left out and noted.
    pub(crate) fn read(&self, names: &BoardNames, path: &Path, found: &mut Found) -> Layer {
        let mut layer = Layer::default();
        for (name, field) in &self.fields {
            let field = field.read(names, &path.key(name), found);
            layer.fields.insert(name.clone(), field);
        }
        layer
    }

    /// How a layer is written; a hex or hexside that is not on the map is an error.
    pub(crate) fn write(layer: &Layer, names: &BoardNames, path: &Path) -> Result<Self, Wrong> {
        let mut fields = BTreeMap::new();
        for (name, field) in &layer.fields {
            let text = FieldText::write(field, names);
            let text = text.ok_or_else(|| path.key(name).wrong("names a place off the map"))?;
            fields.insert(name.clone(), text);
        }
        Ok(Self { fields })
    }
}

impl FieldText {
    fn read(&self, names: &BoardNames, path: &Path, found: &mut Found) -> Field {
        let hex = |name: &str| names.hex(name);
        let hexside = |name: &str| names.hexside(name);
        match self {
            Self::Hexes(list) => Field::Hexes(set(list, hex, path, found)),
            Self::Hexsides(list) => Field::Hexsides(set(list, hexside, path, found)),
            Self::HexValues(table) => Field::HexValues(values(table, hex, path, found)),
            Self::HexsideValues(table) => Field::HexsideValues(values(table, hexside, path, found)),
        }
    }

    fn write(field: &Field, names: &BoardNames) -> Option<Self> {
        Some(match field {
            Field::Hexes(set) => Self::Hexes(
                set.iter()
                    .map(|hex| names.name(*hex))
                    .collect::<Option<_>>()?,
            ),
            Field::Hexsides(set) => {
                let name = |side: &_| names.hexside_name(*side);
                Self::Hexsides(set.iter().map(name).collect::<Option<_>>()?)
            }
            Field::HexValues(values) => {
                let entry = |(hex, value): (&_, &i64)| Some((names.name(*hex)?, *value));
                Self::HexValues(values.iter().map(entry).collect::<Option<_>>()?)
            }
            Field::HexsideValues(values) => {
                let entry = |(side, value): (&_, &i64)| Some((names.hexside_name(*side)?, *value));
                Self::HexsideValues(values.iter().map(entry).collect::<Option<_>>()?)
            }
        })
    }

    /// What it holds.
    #[must_use]
    pub fn kind(&self) -> FieldKind {
        match self {
            Self::Hexes(_) => FieldKind::Hexes,
            Self::Hexsides(_) => FieldKind::Hexsides,
            Self::HexValues(_) => FieldKind::HexValues,
            Self::HexsideValues(_) => FieldKind::HexsideValues,
        }
    }

    /// Whether its look tells its kind.
    pub(crate) fn is_plain(&self) -> bool {
        match self {
            Self::Hexes(_) | Self::HexValues(_) => true,
            Self::Hexsides(list) => !list.is_empty(),
            Self::HexsideValues(table) => !table.is_empty(),
        }
    }
}

fn set<T: Ord>(
    list: &[String],
    place: impl Fn(&str) -> Result<T, BoardNameError>,
    path: &Path,
    found: &mut Found,
) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    for (index, name) in list.iter().enumerate() {
        match place(name) {
            Ok(place) => {
                set.insert(place);
            }
            Err(error) => found.note(path.at(index).wrong(error.to_string())),
        }
    }
    set
}

fn values<T: Ord>(
    table: &BTreeMap<String, i64>,
    place: impl Fn(&str) -> Result<T, BoardNameError>,
    path: &Path,
    found: &mut Found,
) -> BTreeMap<T, i64> {
    let mut values = BTreeMap::new();
    for (name, value) in table {
        let path = || path.key(name);
        match place(name) {
            Ok(place) => {
                let other = values.insert(place, *value);
                if other.is_some_and(|other| other != *value) {
                    let what = "has another number under another of its names; keep one";
                    found.note(path().wrong(what));
                }
            }
            Err(error) => found.note(path().wrong(error.to_string())),
        }
    }
    values
}

// === How it is written ===

impl Serialize for FieldText {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !self.is_plain() {
            let mut typed = to.serialize_map(Some(2))?;
            typed.serialize_entry("kind", &self.kind())?;
            match self {
                Self::Hexes(list) | Self::Hexsides(list) => typed.serialize_entry("values", list),
                Self::HexValues(table) | Self::HexsideValues(table) => {
                    typed.serialize_entry("values", table)
                }
            }?;
            return typed.end();
        }
        match self {
            Self::Hexes(list) | Self::Hexsides(list) => list.serialize(to),
            Self::HexValues(table) | Self::HexsideValues(table) => table.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for LayerText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Whole;
        impl<'de> de::Visitor<'de> for Whole {
            type Value = LayerText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of hexes or hexsides, or a table of such lists by field")
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, items: A) -> Result<LayerText, A::Error> {
                let field = FieldText::of_list(names_of(items)?);
                let name = match field {
                    FieldText::Hexsides(_) => "hexsides",
                    _ => "hexes",
                };
                let fields = [(name.to_owned(), field)].into();
                Ok(LayerText { fields })
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<LayerText, A::Error> {
                let fields = Deserialize::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(LayerText { fields })
            }
        }
        from.deserialize_any(Whole)
    }
}

impl<'de> Deserialize<'de> for FieldText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Whole;
        impl<'de> de::Visitor<'de> for Whole {
            type Value = FieldText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of hexes or hexsides, or a table of numbers for them")
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, items: A) -> Result<FieldText, A::Error> {
                Ok(FieldText::of_list(names_of(items)?))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<FieldText, A::Error> {
                let mut table = BTreeMap::new();
                let (mut kind, mut content) = (None, None);
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "kind" => kind = Some(map.next_value::<FieldKind>()?),
                        "values" => content = Some(map.next_value::<Content>()?),
                        _ => {
                            table.insert(key, map.next_value::<i64>()?);
                        }
                    }
                }
                match (kind, content) {
                    (None, None) => Ok(FieldText::of_table(table)),
                    (Some(kind), Some(content)) if table.is_empty() => content.of_kind(kind),
                    _ => Err(de::Error::custom(
                        "a field written with its kind has `kind` and `values` and no more",
                    )),
                }
            }
        }
        from.deserialize_any(Whole)
    }
}

/// The values of a field that is written with its kind.
enum Content {
    List(Vec<String>),
    Table(BTreeMap<String, i64>),
}

impl Content {
    fn of_kind<E: de::Error>(self, kind: FieldKind) -> Result<FieldText, E> {
        match (kind, self) {
            (FieldKind::Hexes, Self::List(list)) => Ok(FieldText::Hexes(list)),
            (FieldKind::Hexsides, Self::List(list)) => Ok(FieldText::Hexsides(list)),
            (FieldKind::HexValues, Self::Table(table)) => Ok(FieldText::HexValues(table)),
            (FieldKind::HexsideValues, Self::Table(table)) => Ok(FieldText::HexsideValues(table)),
            (kind, _) => Err(E::custom(format!("values do not fit: the kind is {kind}"))),
        }
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Whole;
        impl<'de> de::Visitor<'de> for Whole {
            type Value = Content;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of names or a table of numbers")
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, items: A) -> Result<Content, A::Error> {
                names_of(items).map(Content::List)
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Content, A::Error> {
                let table = Deserialize::deserialize(de::value::MapAccessDeserializer::new(map));
                table.map(Content::Table)
            }
        }
        from.deserialize_any(Whole)
    }
}

fn names_of<'de, A: de::SeqAccess<'de>>(items: A) -> Result<Vec<String>, A::Error> {
    Deserialize::deserialize(de::value::SeqAccessDeserializer::new(items))
}

fn is_hexside(name: &str) -> bool {
    name.contains('|')
}

impl FieldText {
    fn of_list(list: Vec<String>) -> Self {
        match list.first() {
            Some(first) if is_hexside(first) => Self::Hexsides(list),
            _ => Self::Hexes(list),
        }
    }

    fn of_table(table: BTreeMap<String, i64>) -> Self {
        match table.keys().next() {
            Some(first) if is_hexside(first) => Self::HexsideValues(table),
            _ => Self::HexValues(table),
        }
    }
}
