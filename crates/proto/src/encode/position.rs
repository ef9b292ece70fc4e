//! Positions.

use alamein_hex::Grid;
use alamein_terrain::{Counter, FireLane, Position};

use super::map::map;
use crate::v1::{self, attribute::Value, position::MapSource};
use crate::words::{FLAGS, Word};

/// The message of a position. It carries its map, or with `map_by_id` only the map's id.
#[must_use]
pub fn position(position: &Position, map_by_id: bool) -> v1::Position {
    let on = position.map();
    let source = if map_by_id {
        MapSource::MapId(position.map_id().to_string())
    } else {
        MapSource::Map(map(on))
    };
    let counters = position.counters().iter();
    let lanes = position.fire_lanes().iter();
    v1::Position {
        map_source: Some(source),
        counters: counters.map(|it| counter(it, &on.grid)).collect(),
        environment: Some(v1::Environment {
            ec: position.environment().ec.number(),
        }),
        fire_lanes: lanes.map(|it| fire_lane(it, &on.grid)).collect(),
    }
}

pub(crate) fn fire_lane(lane: &FireLane, grid: &Grid) -> v1::PlacedFireLane {
    v1::PlacedFireLane {
        counter_id: lane.mg.clone(),
        hex: grid.label(lane.hex),
    }
}

pub(crate) fn counter(counter: &Counter, grid: &Grid) -> v1::Counter {
    let flags = FLAGS.iter().filter(|(_, flag)| counter.flags.has(*flag));
    let attribute = |(name, value): (&String, &i64)| v1::Attribute {
        name: name.clone(),
        value: Some(Value::IntValue(*value)),
    };
    v1::Counter {
        id: counter.id.clone(),
        class: counter.class.number(),
        hex: grid.label(counter.hex),
        side: counter.side.clone().unwrap_or_default(),
        aboard: counter.aboard.clone().unwrap_or_default(),
        height_half_levels: i32::from(counter.height),
        flags: flags.map(|(wire, _)| *wire as i32).collect(),
        attributes: counter.attributes.iter().map(attribute).collect(),
        facing: counter.facing.map(u32::from),
        known_to: counter.known_to.iter().cloned().collect(),
    }
}
