//! Changes of positions.

use alamein_hex::Grid;
use alamein_terrain::{Change, ChangeError, ChangeFault, Counter, FireLane, OtherMap};

use super::basics::{chosen, hex, name, off_map, text};
use super::counter::{
    bad_carrier, counter, flags, height, no_facing, sides, unknown_counter, vertex,
};
use crate::refused::{Limits, Refused};
use crate::v1::{self, ErrorReason, change::Change as Given};
use crate::within::{Within, each};

/// Reads changes of a position on a map. Paths begin at the list: `changes[3].move.hex`.
///
/// # Errors
/// Where something is missing, not on the map, or not a change that there is. Whether they can be made
/// of a position, [`applied`] tells afterwards.
pub fn changes(given: &[v1::Change], grid: &Grid, limits: &Limits) -> Result<Vec<Change>, Refused> {
    if given.len() > limits.max_changes {
        let (count, most) = (given.len(), limits.max_changes);
        return Err(Refused::too_long("changes", count, "changes", most));
    }
    let reader = Reader { grid, limits };
    each(given, "changes", ".", |given| {
        let change = given.change.as_ref();
        let change = change.ok_or_else(|| Refused::missing("change"))?;
        let of = |name: &str| format!("{name}.");
        match change {
            Given::Place(it) => reader.place(it).within(|| of("place")),
            Given::Remove(it) => {
                let id = reader.id(&it.counter_id).within(|| of("remove"))?;
                Ok(Change::Remove { id })
            }
            Given::Move(it) => reader.moved(it).within(|| of("move")),
            Given::Board(it) => reader.board(it).within(|| of("board")),
            Given::Dismount(it) => {
                let id = reader.id(&it.counter_id).within(|| of("dismount"))?;
                Ok(Change::Dismount { id })
            }
            Given::Turn(it) => reader.turn(it).within(|| of("turn")),
            Given::Flags(it) => reader.flags(it).within(|| of("flags")),
            Given::Wreck(it) => {
                let id = reader.id(&it.counter_id).within(|| of("wreck"))?;
                let burning = it.burning;
                Ok(Change::Wreck { id, burning })
            }
            Given::Attribute(it) => reader.attribute(it).within(|| of("attribute")),
            Given::Side(it) => reader.side(it).within(|| of("side")),
            Given::KnownTo(it) => reader.known_to(it).within(|| of("known_to")),
            Given::LayFireLane(it) => reader.lay(it).within(|| of("lay_fire_lane")),
            Given::LiftFireLane(it) => {
                let mg = reader.id(&it.counter_id).within(|| of("lift_fire_lane"))?;
                Ok(Change::LiftFireLane { mg })
            }
            Given::Ec(ec) => Ok(Change::Ec(chosen(*ec, "ec")?)),
        }
    })
}

struct Reader<'a> {
    grid: &'a Grid,
    limits: &'a Limits,
}

impl Reader<'_> {
    fn id(&self, id: &str) -> Result<String, Refused> {
        Ok(name(id, "counter_id", self.limits)?.to_owned())
    }

    fn place(&self, given: &v1::PlaceChange) -> Result<Change, Refused> {
        let placed = given.counter.as_ref();
        let placed = placed.ok_or_else(|| Refused::missing("counter"))?;
        let placed = counter(placed, self.grid, self.limits).within(|| "counter.".into());
        Ok(Change::Place(placed?))
    }

    fn moved(&self, given: &v1::MoveChange) -> Result<Change, Refused> {
        let aboard = text(&given.aboard, "aboard", self.limits)?;
        Ok(Change::Move {
            id: self.id(&given.counter_id)?,
            hex: hex(self.grid, &given.hex, "hex")?,
            height: given.height_half_levels.map(height).transpose()?,
            aboard: (!aboard.is_empty()).then(|| aboard.to_owned()),
        })
    }

    fn board(&self, given: &v1::BoardChange) -> Result<Change, Refused> {
        let carrier = name(&given.carrier_id, "carrier_id", self.limits)?;
        Ok(Change::Board {
            id: self.id(&given.counter_id)?,
            carrier: carrier.to_owned(),
        })
    }

    fn turn(&self, given: &v1::TurnChange) -> Result<Change, Refused> {
        let facing = given.facing.map(|facing| vertex(facing, "facing"));
        Ok(Change::Turn {
            id: self.id(&given.counter_id)?,
            facing: facing.transpose()?,
        })
    }

    fn flags(&self, given: &v1::FlagsChange) -> Result<Change, Refused> {
        Ok(Change::Flags {
            id: self.id(&given.counter_id)?,
            set: flags(&given.set, "set")?,
            clear: flags(&given.clear, "clear")?,
        })
    }

    fn attribute(&self, given: &v1::AttributeChange) -> Result<Change, Refused> {
        Ok(Change::Attribute {
            id: self.id(&given.counter_id)?,
            name: name(&given.name, "name", self.limits)?.to_owned(),
            value: given.value,
        })
    }

    fn side(&self, given: &v1::SideChange) -> Result<Change, Refused> {
        let side = text(&given.side, "side", self.limits)?;
        Ok(Change::Side {
            id: self.id(&given.counter_id)?,
            side: (!side.is_empty()).then(|| side.to_owned()),
        })
    }

    fn known_to(&self, given: &v1::KnownToChange) -> Result<Change, Refused> {
        Ok(Change::KnownTo {
            id: self.id(&given.counter_id)?,
            sides: sides(&given.sides, "sides", self.limits)?,
        })
    }

    fn lay(&self, given: &v1::LayFireLaneChange) -> Result<Change, Refused> {
        Ok(Change::LayFireLane(FireLane {
            mg: self.id(&given.counter_id)?,
            hex: hex(self.grid, &given.hex, "hex")?,
        }))
    }
}

/// Why changes cannot be made of a position, in the words of the API.
#[must_use]
pub fn applied(error: ChangeError, grid: &Grid) -> Refused {
    let (field, message) = (path(&error.field), error.fault.to_string());
    let field = field.as_str();
    let invalid = |id: String| {
        Refused::new(ErrorReason::ChangeInvalid, field, &*message)
            .with("counter", id)
            .with("change", error.index)
    };
    match error.fault {
        ChangeFault::NoId => Refused::missing(field),
        ChangeFault::Duplicate { id } => {
            Refused::new(ErrorReason::DuplicateCounter, field, message).with("counter", id)
        }
        ChangeFault::Unknown { id } => unknown_counter(&id).at(field),
        ChangeFault::OffMap { hex } => off_map(grid, &hex, field, message),
        ChangeFault::Height { height } => {
            let (least, most) = (Counter::HEIGHTS.start(), Counter::HEIGHTS.end());
            Refused::out_of_range(field, height, least, most)
        }
        ChangeFault::Facing { facing } => Refused::out_of_range(field, facing, 0, 5),
        ChangeFault::NoFacing { id, class } => no_facing(field, &id, class),
        ChangeFault::BadCarrier { id, carrier } | ChangeFault::Ring { id, carrier } => {
            bad_carrier(field, &id, &carrier)
        }
        ChangeFault::NotAboard { id }
        | ChangeFault::StillAboard { id, .. }
        | ChangeFault::HasFireLane { id }
        | ChangeFault::NoFireLane { id }
        | ChangeFault::NoVehicle { id, .. }
        | ChangeFault::Contradiction { id, .. } => invalid(id),
    }
}

/// Why no changes lead from one position to another, in the words of the API.
#[must_use]
pub fn other_map(error: &OtherMap, field: &str) -> Refused {
    Refused::new(ErrorReason::MapsDiffer, field, error.to_string())
        .with("before", error.before)
        .with("after", error.after)
}

/// The API's path of a field that the domain names.
fn path(field: &str) -> String {
    match field.strip_suffix(".height") {
        Some(change) => format!("{change}.height_half_levels"),
        None => field.to_owned(),
    }
}
