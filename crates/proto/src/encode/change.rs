//! Changes of positions, and what differs between two.

use alamein_hex::Grid;
use alamein_terrain::{Change, Changed, CounterFlags, EnvironmentCondition, FireLane};

use super::position::{counter, fire_lane};
use crate::v1::{self, change::Change as Given, difference::Difference};
use crate::words::{FLAGS, Word};

/// The message of a change of a position on such a map.
#[must_use]
pub fn change(change: &Change, grid: &Grid) -> v1::Change {
    let counter_id = change.counter().unwrap_or_default().to_owned();
    let change = match change {
        Change::Place(placed) => {
            let counter = Some(counter(placed, grid));
            Given::Place(v1::PlaceChange { counter })
        }
        Change::Remove { .. } => Given::Remove(v1::RemoveChange { counter_id }),
        Change::Move {
            hex,
            height,
            aboard,
            ..
        } => Given::Move(v1::MoveChange {
            counter_id,
            hex: grid.label(*hex),
            height_half_levels: height.map(i32::from),
            aboard: aboard.clone().unwrap_or_default(),
        }),
        Change::Board { carrier, .. } => Given::Board(v1::BoardChange {
            counter_id,
            carrier_id: carrier.clone(),
        }),
        Change::Dismount { .. } => Given::Dismount(v1::DismountChange { counter_id }),
        Change::Turn { facing, .. } => {
            let facing = facing.map(u32::from);
            Given::Turn(v1::TurnChange { counter_id, facing })
        }
        Change::Flags { set, clear, .. } => Given::Flags(v1::FlagsChange {
            counter_id,
            set: flags(*set),
            clear: flags(*clear),
        }),
        Change::Wreck { burning, .. } => {
            let burning = *burning;
            Given::Wreck(v1::WreckChange {
                counter_id,
                burning,
            })
        }
        Change::Attribute { name, value, .. } => Given::Attribute(v1::AttributeChange {
            counter_id,
            name: name.clone(),
            value: *value,
        }),
        Change::Side { side, .. } => {
            let side = side.clone().unwrap_or_default();
            Given::Side(v1::SideChange { counter_id, side })
        }
        Change::KnownTo { sides, .. } => {
            let sides = sides.iter().cloned().collect();
            Given::KnownTo(v1::KnownToChange { counter_id, sides })
        }
        Change::LayFireLane(FireLane { hex, .. }) => {
            let hex = grid.label(*hex);
            Given::LayFireLane(v1::LayFireLaneChange { counter_id, hex })
        }
        Change::LiftFireLane { .. } => Given::LiftFireLane(v1::LiftFireLaneChange { counter_id }),
        Change::Ec(ec) => Given::Ec(ec.number()),
    };
    v1::Change {
        change: Some(change),
    }
}

/// The message of what differs between two positions on such a map.
#[must_use]
pub fn difference(changed: &Changed, grid: &Grid) -> v1::Difference {
    let difference = match changed {
        Changed::Counter { before, after } => Difference::Counter(v1::CounterDifference {
            before: before.as_ref().map(|it| counter(it, grid)),
            after: after.as_ref().map(|it| counter(it, grid)),
        }),
        Changed::FireLane { before, after } => Difference::FireLane(v1::FireLaneDifference {
            before: before.as_ref().map(|it| fire_lane(it, grid)),
            after: after.as_ref().map(|it| fire_lane(it, grid)),
        }),
        Changed::Ec { before, after } => {
            let environment = |ec: EnvironmentCondition| Some(v1::Environment { ec: ec.number() });
            Difference::Environment(v1::EnvironmentDifference {
                before: environment(*before),
                after: environment(*after),
            })
        }
    };
    v1::Difference {
        difference: Some(difference),
    }
}

fn flags(flags: CounterFlags) -> Vec<i32> {
    let set = FLAGS.iter().filter(|(_, flag)| flags.has(*flag));
    set.map(|(wire, _)| *wire as i32).collect()
}
