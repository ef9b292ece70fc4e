//! Maps, their layers, and positions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use alamein_hex::{Grid, Hex, Hexside};
use serde::{Deserialize, Serialize};

use crate::canon::{Canon, Canonical, Digest};
use crate::counter::Counter;
use crate::manifest::FieldKind;

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
        Canon::new("alamein/map/1").put(self).digest()
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

/// An immutable snapshot: a map and the counters on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    map: Arc<Map>,
    counters: Vec<Counter>,
    environment: Environment,
    map_id: Digest,
    id: Digest,
}

impl Position {
    /// A position, checked.
    ///
    /// # Errors
    /// A counter off the map, twice, with no name, or aboard something that cannot carry it; a map
    /// that does not [`check`](Map::check).
    pub fn new(
        map: Arc<Map>,
        mut counters: Vec<Counter>,
        environment: Environment,
    ) -> Result<Self, PositionError> {
        map.check()?;
        check_counters(&map, &counters)?;
        counters.sort_by(|a, b| a.id.cmp(&b.id));
        let map_id = map.id();
        let id = Canon::new("alamein/position/1")
            .put(map_id)
            .list(counters.iter())
            .int(environment.ec as u32)
            .digest();
        Ok(Self {
            map,
            counters,
            environment,
            map_id,
            id,
        })
    }

    /// The map.
    #[must_use]
    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// The id of the map.
    #[must_use]
    pub fn map_id(&self) -> Digest {
        self.map_id
    }

    /// The counters, by id.
    #[must_use]
    pub fn counters(&self) -> &[Counter] {
        &self.counters
    }

    /// The counter of this id.
    #[must_use]
    pub fn counter(&self, id: &str) -> Option<&Counter> {
        let at = self
            .counters
            .binary_search_by(|counter| counter.id.as_str().cmp(id))
            .ok()?;
        self.counters.get(at)
    }

    /// The conditions.
    #[must_use]
    pub fn environment(&self) -> Environment {
        self.environment
    }

    /// The id: a hash of the content. The same content has the same id everywhere.
    #[must_use]
    pub fn id(&self) -> Digest {
        self.id
    }
}

/// Checks counters against a map; `field` paths name them by their place in the list.
pub(crate) fn check_counters(map: &Map, counters: &[Counter]) -> Result<(), PositionError> {
    let mut classes = BTreeMap::new();
    for (index, counter) in counters.iter().enumerate() {
        let field = |name: &str| format!("counters[{index}].{name}");
        if counter.id.is_empty() {
            return Err(PositionError::NoId { field: field("id") });
        }
        if !map.grid.contains(counter.hex) {
            let hex = map.grid.label(counter.hex);
            return Err(PositionError::OffMap {
                field: field("hex"),
                hex,
            });
        }
        if !(-64..=64).contains(&counter.height) {
            return Err(PositionError::Level {
                field: field("height"),
                level: counter.height,
            });
        }
        if classes
            .insert(counter.id.as_str(), (counter.class, counter.hex))
            .is_some()
        {
            return Err(PositionError::Duplicate {
                field: field("id"),
                id: counter.id.clone(),
            });
        }
    }
    for (index, counter) in counters.iter().enumerate() {
        let Some(carrier) = &counter.aboard else {
            continue;
        };
        let field = format!("counters[{index}].aboard");
        let (id, carrier) = (counter.id.clone(), carrier.clone());
        match classes.get(carrier.as_str()) {
            None => return Err(PositionError::UnknownCarrier { field, carrier }),
            Some((class, hex)) if !class.is_vehicle() || *hex != counter.hex => {
                return Err(PositionError::BadCarrier { field, id, carrier });
            }
            Some(_) => {}
        }
    }
    match aboard_in_a_ring(counters) {
        None => Ok(()),
        Some(index) => {
            let counter = &counters[index];
            let (id, carrier) = (
                counter.id.clone(),
                counter.aboard.clone().unwrap_or_default(),
            );
            let field = format!("counters[{index}].aboard");
            Err(PositionError::Ring { field, id, carrier })
        }
    }
}

/// The first counter that is aboard itself, by way of others or not.
#[must_use]
pub fn aboard_in_a_ring(counters: &[Counter]) -> Option<usize> {
    let aboard: BTreeMap<&str, &str> = counters
        .iter()
        .filter_map(|counter| Some((counter.id.as_str(), counter.aboard.as_deref()?)))
        .collect();
    let mut sound: BTreeSet<&str> = BTreeSet::new();
    counters.iter().position(|counter| {
        let mut way: BTreeSet<&str> = BTreeSet::new();
        let mut at = counter.id.as_str();
        while let Some(carrier) = aboard.get(at).filter(|_| !sound.contains(at)) {
            if !way.insert(at) {
                return true;
            }
            at = carrier;
        }
        sound.append(&mut way);
        false
    })
}

/// What is wrong with a position. Each says the field's path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A hex that the map does not have.
    #[error("{field}: hex {hex} is not on the map")]
    OffMap {
        /// The field's path.
        field: String,
        /// The hex, as it would be called.
        hex: String,
    },
    /// Two counters of one id.
    #[error("{field}: two counters are called {id:?}; give each its own id")]
    Duplicate {
        /// The field's path.
        field: String,
        /// The id.
        id: String,
    },
    /// A counter without an id.
    #[error("{field}: a counter needs an id")]
    NoId {
        /// The field's path.
        field: String,
    },
    /// A level outside of what any map has.
    #[error("{field}: {level} is out of bounds")]
    Level {
        /// The field's path.
        field: String,
        /// The level given.
        level: i16,
    },
    /// Aboard a counter that is not there.
    #[error("{field}: there is no counter {carrier:?} to be aboard of")]
    UnknownCarrier {
        /// The field's path.
        field: String,
        /// The carrier named.
        carrier: String,
    },
    /// Aboard itself, by way of others or not.
    #[error("{field}: {id:?} aboard {carrier:?} goes round in a ring")]
    Ring {
        /// The field's path.
        field: String,
        /// The counter.
        id: String,
        /// The carrier named.
        carrier: String,
    },
    /// Aboard a counter that cannot carry it.
    #[error("{field}: {id:?} cannot be aboard {carrier:?}, which is no vehicle in its hex")]
    BadCarrier {
        /// The field's path.
        field: String,
        /// The counter.
        id: String,
        /// The carrier named.
        carrier: String,
    },
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::CounterClass;

    fn position(aboard: &[(&str, Option<&str>)]) -> Result<Position, PositionError> {
        let map = Map::flat(Grid::geomorphic());
        let hex = map.grid.hex("P6").unwrap();
        let counter = |(id, carrier): &(&str, Option<&str>)| {
            let mut counter = Counter::new(*id, CounterClass::Truck, hex);
            counter.aboard = carrier.map(str::to_owned);
            counter
        };
        let counters = aboard.iter().map(counter).collect();
        Position::new(Arc::new(map), counters, Environment::default())
    }

    #[test]
    fn a_chain_of_carriers_ends() {
        assert!(position(&[("a", Some("b")), ("b", Some("c")), ("c", None)]).is_ok());
    }

    #[test]
    fn nothing_is_aboard_itself_by_any_way() {
        let rings: [&[(&str, Option<&str>)]; 3] = [
            &[("a", Some("a"))],
            &[("a", Some("b")), ("b", Some("a"))],
            &[
                ("x", None),
                ("a", Some("b")),
                ("b", Some("c")),
                ("c", Some("b")),
            ],
        ];
        for ring in rings {
            let refused = position(ring);
            assert!(
                matches!(refused, Err(PositionError::Ring { .. })),
                "{refused:?}"
            );
        }
    }
}
