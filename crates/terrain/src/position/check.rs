//! What a position must be.

use std::collections::{BTreeMap, BTreeSet};

use super::{FireLane, Position};
use crate::counter::{Counter, CounterClass};
use crate::map::Map;

/// Checks counters against a map; `field` paths name them by their place in the list.
pub(super) fn check_counters(map: &Map, counters: &[Counter]) -> Result<(), PositionError> {
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
        if !Counter::HEIGHTS.contains(&counter.height) {
            return Err(PositionError::Level {
                field: field("height"),
                level: counter.height,
            });
        }
        check_facing(counter, || field("facing"))?;
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

fn check_facing(counter: &Counter, field: impl Fn() -> String) -> Result<(), PositionError> {
    match counter.facing {
        Some(facing) if facing > 5 => {
            let field = field();
            Err(PositionError::Facing { field, facing })
        }
        Some(_) if !counter.class.has_facing() => {
            let (field, id, class) = (field(), counter.id.clone(), counter.class);
            Err(PositionError::NoFacing { field, id, class })
        }
        _ => Ok(()),
    }
}

pub(super) fn check_fire_lanes(on: &Position, lanes: &[FireLane]) -> Result<(), PositionError> {
    let mut mgs = BTreeSet::new();
    for (index, lane) in lanes.iter().enumerate() {
        let field = |name: &str| format!("fire_lanes[{index}].{name}");
        let id = lane.mg.clone();
        if on.counter(&lane.mg).is_none() {
            let field = field("mg");
            return Err(PositionError::UnknownMg { field, id });
        }
        if !mgs.insert(lane.mg.as_str()) {
            let field = field("mg");
            return Err(PositionError::SecondLane { field, id });
        }
        if !on.map.grid.contains(lane.hex) {
            let (field, hex) = (field("hex"), on.map.grid.label(lane.hex));
            return Err(PositionError::OffMap { field, hex });
        }
    }
    Ok(())
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
    /// A facing that no hex has.
    #[error("{field}: {facing} is no vertex of a hex: they are 0 to 5")]
    Facing {
        /// The field's path.
        field: String,
        /// The facing given.
        facing: u8,
    },
    /// A facing of a counter that has none.
    #[error(
        "{field}: {id:?} is of class {class}, which has no facing: a vehicle, a wreck and a Gun have"
    )]
    NoFacing {
        /// The field's path.
        field: String,
        /// The counter.
        id: String,
        /// Its class.
        class: CounterClass,
    },
    /// A Fire Lane of a machine gun that is not there.
    #[error("{field}: there is no counter {id:?} whose Fire Lane it could be")]
    UnknownMg {
        /// The field's path.
        field: String,
        /// The machine gun named.
        id: String,
    },
    /// A second Fire Lane of a machine gun.
    #[error("{field}: {id:?} has a Fire Lane already: a machine gun has one at most")]
    SecondLane {
        /// The field's path.
        field: String,
        /// The machine gun.
        id: String,
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
