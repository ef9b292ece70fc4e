//! Positions.

use std::sync::Arc;

use alamein_hex::Grid;
use alamein_terrain::{Digest, Environment, FireLane, Map, Position, PositionError};

use super::basics::{IdOf, digest, hex, name, off_map, optional};
use super::counter::{bad_carrier, counters, no_facing, unknown_counter};
use super::map::map;
use crate::refused::{Limits, Refused};
use crate::v1::{self, ErrorReason, position::MapSource};
use crate::within::{Within, each};

/// Reads a position. `known_map` finds the maps that positions name by their ids.
///
/// # Errors
/// Where the map cannot be read or is not known, or a counter is off it, twice or aboard
/// something that cannot carry it.
pub fn position(
    position: &v1::Position,
    limits: &Limits,
    known_map: &dyn Fn(Digest) -> Option<Arc<Map>>,
) -> Result<Position, Refused> {
    // Before anything is made of them.
    let count = position.counters.len();
    if count > limits.max_counters {
        return Err(Refused::too_long(
            "counters",
            count,
            "counters",
            limits.max_counters,
        ));
    }
    let map = match &position.map_source {
        None => return Err(Refused::missing("map")),
        Some(MapSource::Map(given)) => Arc::new(map(given, limits).within(|| "map.".into())?),
        Some(MapSource::MapId(id)) => {
            let known = known_map(digest(id, "map_id", IdOf::Map)?);
            known.ok_or_else(|| IdOf::Map.unknown(id, "map_id"))?
        }
    };
    let grid = map.grid;
    let counters = counters(&position.counters, "counters", &grid, |_| None, limits)?;
    let ec = position
        .environment
        .as_ref()
        .map_or(Ok(None), |environment| {
            optional(environment.ec, "environment.ec")
        })?;
    let environment = Environment {
        ec: ec.unwrap_or_default(),
    };
    let lanes = fire_lanes(&position.fire_lanes, &grid, limits)?;
    Position::new(map, counters, environment)
        .and_then(|position| position.with_fire_lanes(lanes))
        .map_err(|error| refusal(error, &grid))
}

fn fire_lanes(
    given: &[v1::PlacedFireLane],
    grid: &Grid,
    limits: &Limits,
) -> Result<Vec<FireLane>, Refused> {
    // Each counter has one at most.
    if given.len() > limits.max_counters {
        let (count, most) = (given.len(), limits.max_counters);
        return Err(Refused::too_long("fire_lanes", count, "Fire Lanes", most));
    }
    each(given, "fire_lanes", ".", |lane| {
        Ok(FireLane {
            mg: name(&lane.counter_id, "counter_id", limits)?.to_owned(),
            hex: hex(grid, &lane.hex, "hex")?,
        })
    })
}

/// What a position itself objects to, in the words of the API.
fn refusal(error: PositionError, grid: &Grid) -> Refused {
    let message = error.to_string();
    match error {
        PositionError::OffMap { field, hex } => off_map(grid, &hex, &path(&field), message),
        PositionError::Duplicate { field, id } => {
            Refused::new(ErrorReason::DuplicateCounter, &path(&field), message).with("counter", id)
        }
        PositionError::NoId { field } => Refused::missing(&path(&field)),
        PositionError::Level { field, level } if field.ends_with("height") => {
            Refused::out_of_range(&path(&field), level, -64, 64)
        }
        PositionError::Level { field, level } => {
            let (least, most) = (Map::LEVELS.start(), Map::LEVELS.end());
            Refused::out_of_range(&path(&field), level, least, most)
        }
        PositionError::Facing { field, facing } => {
            Refused::out_of_range(&path(&field), facing, 0, 5)
        }
        PositionError::NoFacing { field, id, class } => no_facing(&path(&field), &id, class),
        PositionError::UnknownMg { field, id } => unknown_counter(&id).at(&path(&field)),
        PositionError::SecondLane { field, id } => {
            Refused::new(ErrorReason::DuplicateCounter, &path(&field), message).with("counter", id)
        }
        PositionError::UnknownCarrier { field, carrier } => {
            unknown_counter(&carrier).at(&path(&field))
        }
        PositionError::BadCarrier { field, id, carrier }
        | PositionError::Ring { field, id, carrier } => bad_carrier(&path(&field), &id, &carrier),
    }
}

/// The API's path of a field that the domain names.
fn path(field: &str) -> String {
    if let Some(counter) = field.strip_suffix(".height") {
        return format!("{counter}.height_half_levels");
    }
    match field.strip_suffix(".mg") {
        Some(lane) => format!("{lane}.counter_id"),
        None => field.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use alamein_terrain::CounterClass;

    use super::*;

    #[test]
    fn what_a_position_objects_to_has_the_apis_words() {
        let grid = Grid::geomorphic();
        let at = |name: &str| format!("counters[1].{name}");
        let (id, carrier) = ("a".to_owned(), "b".to_owned());
        let table = [
            (
                PositionError::OffMap {
                    field: at("hex"),
                    hex: "A11".into(),
                },
                (ErrorReason::HexOffMap, at("hex")),
            ),
            (
                PositionError::Duplicate {
                    field: at("id"),
                    id: id.clone(),
                },
                (ErrorReason::DuplicateCounter, at("id")),
            ),
            (
                PositionError::NoId { field: at("id") },
                (ErrorReason::MissingField, at("id")),
            ),
            (
                PositionError::Level {
                    field: at("height"),
                    level: 99,
                },
                (ErrorReason::OutOfRange, at("height_half_levels")),
            ),
            (
                PositionError::Level {
                    field: "map.base_level".into(),
                    level: 99,
                },
                (ErrorReason::OutOfRange, "map.base_level".into()),
            ),
            (
                PositionError::Facing {
                    field: at("facing"),
                    facing: 6,
                },
                (ErrorReason::OutOfRange, at("facing")),
            ),
            (
                PositionError::NoFacing {
                    field: at("facing"),
                    id: id.clone(),
                    class: CounterClass::Squad,
                },
                (ErrorReason::FacingInvalid, at("facing")),
            ),
            (
                PositionError::UnknownMg {
                    field: "fire_lanes[1].mg".into(),
                    id: id.clone(),
                },
                (
                    ErrorReason::UnknownCounter,
                    "fire_lanes[1].counter_id".into(),
                ),
            ),
            (
                PositionError::SecondLane {
                    field: "fire_lanes[1].mg".into(),
                    id: id.clone(),
                },
                (
                    ErrorReason::DuplicateCounter,
                    "fire_lanes[1].counter_id".into(),
                ),
            ),
            (
                PositionError::UnknownCarrier {
                    field: at("aboard"),
                    carrier: carrier.clone(),
                },
                (ErrorReason::UnknownCounter, at("aboard")),
            ),
            (
                PositionError::BadCarrier {
                    field: at("aboard"),
                    id,
                    carrier,
                },
                (ErrorReason::CounterInvalid, at("aboard")),
            ),
        ];
        for (error, expected) in table {
            let refused = refusal(error, &grid);
            assert_eq!((refused.reason, refused.field), expected);
        }
    }
}
