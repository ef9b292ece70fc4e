//! Maps and their layers.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Grid, Hex, Hexside};
use serde::{Deserialize, Serialize};

use crate::canon::{Canon, CanonError, CanonReader, Canonical, Digest, FromCanonical};
use crate::manifest::FieldKind;
use crate::position::PositionError;

/// What the canonical form of a map begins with.
const DOMAIN: &str = "alamein/map/1";

/// One field of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A set of hexes.
    Hexes(BTreeSet<Hex>),
    /// A set of hexsides.
    Hexsides(BTreeSet<Hexside>),
    /// A number for each of some hexes.
    HexValues(BTreeMap<Hex, i64>),
    /// A number for each of some hexsides.
    HexsideValues(BTreeMap<Hexside, i64>),
}

impl Field {
    /// What it holds, in the words of manifests.
    #[must_use]
    pub fn kind(&self) -> FieldKind {
        match self {
            Self::Hexes(_) => FieldKind::Hexes,
            Self::Hexsides(_) => FieldKind::Hexsides,
            Self::HexValues(_) => FieldKind::HexValues,
            Self::HexsideValues(_) => FieldKind::HexsideValues,
        }
    }

    /// Every hex that the field speaks of, both hexes of a hexside included.
    pub fn hexes(&self) -> Box<dyn Iterator<Item = Hex> + '_> {
        match self {
            Self::Hexes(set) => Box::new(set.iter().copied()),
            Self::Hexsides(set) => Box::new(set.iter().flat_map(|side| side.hexes())),
            Self::HexValues(values) => Box::new(values.keys().copied()),
            Self::HexsideValues(values) => Box::new(values.keys().flat_map(|side| side.hexes())),
        }
    }
}

/// What one plugin owns of a map: named fields of hexes and hexsides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// The fields, by name.
    pub fields: BTreeMap<String, Field>,
}

/// A map: a grid, levels and layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// Which hexes there are.
    pub grid: Grid,
    /// The Base Level of every hex that `levels` does not name, in full levels.
    pub base_level: i16,
    /// Base Levels that differ, in full levels.
    pub levels: BTreeMap<Hex, i16>,
    /// What the plugins own, by name.
    pub layers: BTreeMap<String, Layer>,
}

impl Map {
    /// The lowest and highest Base Level that a hex may have.
    pub const LEVELS: std::ops::RangeInclusive<i16> = -16..=64;

    /// A flat map at level 0 with nothing on it.
    #[must_use]
    pub fn flat(grid: Grid) -> Self {
        Self {
            grid,
            base_level: 0,
            levels: BTreeMap::new(),
            layers: BTreeMap::new(),
        }
    }

    /// The Base Level of a hex, in full levels.
    #[must_use]
    pub fn level(&self, hex: Hex) -> i16 {
        self.levels.get(&hex).copied().unwrap_or(self.base_level)
    }

    /// Checks that every hex named is on the grid and every level within bounds.
    ///
    /// # Errors
    /// The first thing that is wrong, with its path.
    pub fn check(&self) -> Result<(), PositionError> {
        let bad_level = |level: &i16| !Self::LEVELS.contains(level);
        if bad_level(&self.base_level) {
            return Err(PositionError::Level {
                field: "map.base_level".into(),
                level: self.base_level,
            });
        }
        for (hex, level) in &self.levels {
            self.on_map(*hex, || "map.levels".into())?;
            if bad_level(level) {
                let field = format!("map.levels[{}]", self.grid.label(*hex));
                return Err(PositionError::Level {
                    field,
                    level: *level,
                });
            }
        }
        for (layer_name, layer) in &self.layers {
            for (name, field) in &layer.fields {
                let path = || format!("map.layers[{layer_name}].{name}");
                match field {
                    // A hexside on the map's edge has one hex on the map.
                    Field::Hexsides(_) | Field::HexsideValues(_) => {
                        let hexes: Vec<Hex> = field.hexes().collect();
                        for pair in hexes.chunks(2) {
                            if !pair.iter().any(|hex| self.grid.contains(*hex)) {
                                self.on_map(pair[0], path)?;
                            }
                        }
                    }
                    _ => field.hexes().try_for_each(|hex| self.on_map(hex, path))?,
                }
            }
        }
        Ok(())
    }

    fn on_map(&self, hex: Hex, field: impl Fn() -> String) -> Result<(), PositionError> {
        if self.grid.contains(hex) {
            return Ok(());
        }
        Err(PositionError::OffMap {
            field: field(),
            hex: self.grid.label(hex),
        })
    }

    /// The id of the map: a hash of its content.
    #[must_use]
    pub fn id(&self) -> Digest {
        self.canon().digest()
    }

    /// The canonical form, of which the id is a hash.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        self.canon().into_bytes()
    }

    fn canon(&self) -> Canon {
        let mut canon = Canon::new(DOMAIN);
        canon.put(self);
        canon
    }

    /// Reads a map from its canonical form.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn from_canonical(bytes: &[u8]) -> Result<Self, CanonError> {
        let mut reader = CanonReader::new(bytes, DOMAIN)?;
        let map = Self {
            grid: reader.get()?,
            base_level: reader.get()?,
            levels: reader.get()?,
            layers: reader.get()?,
        };
        reader.end()?;
        Ok(map)
    }
}

/// Moisture and the like.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
pub enum EnvironmentCondition {
    /// Dry.
    #[default]
    Dry = 1,
    /// Moist.
    Moist = 2,
    /// Wet.
    Wet = 3,
    /// Mud.
    Mud = 4,
    /// Snow.
    Snow = 5,
}

/// Conditions that hold over the whole map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// Environmental Conditions (EC).
    pub ec: EnvironmentCondition,
}

impl EnvironmentCondition {
    /// Every condition.
    pub const ALL: [Self; 5] = [Self::Dry, Self::Moist, Self::Wet, Self::Mud, Self::Snow];
}

// === Canonical forms ===

impl Canonical for Field {
    fn write(&self, canon: &mut Canon) {
        match self {
            Self::Hexes(set) => canon.int(1).list(set.iter()),
            Self::Hexsides(set) => canon.int(2).list(set.iter()),
            Self::HexValues(values) => canon.int(3).list(values.iter()),
            Self::HexsideValues(values) => canon.int(4).list(values.iter()),
        };
    }
}

impl Canonical for Layer {
    fn write(&self, canon: &mut Canon) {
        canon.list(self.fields.iter());
    }
}

impl Canonical for Map {
    fn write(&self, canon: &mut Canon) {
        // A level that says what the base level says already means nothing.
        let levels: Vec<_> = self
            .levels
            .iter()
            .filter(|(_, level)| **level != self.base_level)
            .collect();
        canon
            .int(self.grid.columns())
            .int(self.grid.rows())
            .int(self.base_level)
            .list(levels.into_iter())
            .list(self.layers.iter());
    }
}

impl FromCanonical for Field {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        match reader.get::<i64>()? {
            1 => reader.get().map(Self::Hexes),
            2 => reader.get().map(Self::Hexsides),
            3 => reader.get().map(Self::HexValues),
            4 => reader.get().map(Self::HexsideValues),
            other => Err(CanonError(format!("no field is of kind {other}"))),
        }
    }
}

impl FromCanonical for Layer {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        let fields = reader.get()?;
        Ok(Self { fields })
    }
}

impl FromCanonical for Grid {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        let (columns, rows) = (reader.get()?, reader.get()?);
        Self::new(columns, rows).map_err(|error| CanonError(error.to_string()))
    }
}

impl FromCanonical for EnvironmentCondition {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        let number: u32 = reader.get()?;
        let mut all = Self::ALL.into_iter();
        let found = all.find(|condition| *condition as u32 == number);
        found.ok_or_else(|| CanonError(format!("no Environment Condition has number {number}")))
    }
}
