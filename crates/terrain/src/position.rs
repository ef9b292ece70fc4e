//! Positions: a map and what stands on it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::canon::{Canon, CanonError, CanonReader, Digest};
use crate::counter::Counter;
use crate::map::{Environment, Map};

/// What the canonical form of a position begins with.
const DOMAIN: &str = "alamein/position/1";

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
        let mut position = Self {
            map,
            counters,
            environment,
            map_id,
            id: map_id,
        };
        position.id = position.canon().digest();
        Ok(position)
    }

    /// The canonical form, of which the id is a hash. It names the map by its id.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        self.canon().into_bytes()
    }

    fn canon(&self) -> Canon {
        let mut canon = Canon::new(DOMAIN);
        canon
            .put(self.map_id)
            .list(self.counters.iter())
            .int(self.environment.ec as u32);
        canon
    }

    /// The id of the map of a position, read from the position's canonical form.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn map_id_in(bytes: &[u8]) -> Result<Digest, CanonError> {
        CanonReader::new(bytes, DOMAIN)?.get()
    }

    /// Reads a position from its canonical form and the map that it names.
    ///
    /// # Errors
    /// Bytes that are none, or that name another map; a position that no client could have made.
    pub fn from_canonical(bytes: &[u8], map: Arc<Map>) -> Result<Self, CanonError> {
        let mut reader = CanonReader::new(bytes, DOMAIN)?;
        let map_id: Digest = reader.get()?;
        let counters = reader.get()?;
        let environment = Environment { ec: reader.get()? };
        reader.end()?;
        let read = Self::new(map, counters, environment);
        let position = read.map_err(|error| CanonError(error.to_string()))?;
        if position.map_id != map_id {
            return Err(CanonError(format!("they name the map {map_id}")));
        }
        Ok(position)
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

#[cfg(test)]
mod tests {
    use alamein_hex::{Grid, Hexside};

    use super::*;
    use crate::counter::{CounterClass, CounterFlags};
    use crate::map::{EnvironmentCondition, Field, Layer};

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
    fn a_position_is_read_back_from_its_canonical_form() {
        let mut map = Map::flat(Grid::geomorphic());
        let (hex, next) = (map.grid.hex("P6").unwrap(), map.grid.hex("P7").unwrap());
        let side = Hexside::between(hex, next).unwrap();
        map.base_level = -1;
        map.levels = [(hex, 2), (next, -1)].into();
        let fields = [
            ("a", Field::Hexes([hex, next].into())),
            ("b", Field::Hexsides([side].into())),
            ("c", Field::HexValues([(hex, i64::MIN)].into())),
            ("d", Field::HexsideValues([(side, 7)].into())),
        ];
        let fields = fields.map(|(name, field)| (name.to_owned(), field)).into();
        map.layers = [("x".to_owned(), Layer { fields })].into();
        let mut counter = Counter::new("b", CounterClass::Crew, hex);
        counter.side = Some("german".into());
        counter.aboard = Some("a".into());
        counter.height = -3;
        counter.flags = CounterFlags::EMPLACED.and(CounterFlags::UNARMORED);
        counter.attributes = [("sand.x".to_owned(), -5)].into();
        let truck = Counter::new("a", CounterClass::Truck, hex);
        let wet = Environment {
            ec: EnvironmentCondition::Wet,
        };
        let position = Position::new(Arc::new(map), vec![counter, truck], wet).unwrap();

        let map = Arc::new(Map::from_canonical(&position.map().canonical()).unwrap());
        assert_eq!(map.id(), position.map_id());
        let bytes = position.canonical();
        assert_eq!(Position::map_id_in(&bytes), Ok(map.id()));
        let read = Position::from_canonical(&bytes, Arc::clone(&map)).unwrap();
        assert_eq!(read.id(), position.id());
        assert_eq!(read.counters(), position.counters());
        assert_eq!(read.environment(), position.environment());

        for end in 0..bytes.len() {
            assert!(Position::from_canonical(&bytes[..end], Arc::clone(&map)).is_err());
        }
        let other = Arc::new(Map::flat(map.grid));
        assert!(
            Position::from_canonical(&bytes, other).is_err(),
            "of another map"
        );
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
