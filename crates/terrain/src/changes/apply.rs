//! Making changes.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Grid, Hex};

use super::{Change, ChangeError, ChangeFault, Changed, changed};
use crate::counter::{Counter, CounterClass, CounterFlags};
use crate::map::Environment;
use crate::position::{FireLane, Position};

/// The field at fault, from the change's own, and what is wrong with it.
type Fault = (&'static str, ChangeFault);

impl Position {
    /// The position after these changes, made one after the other, and what differs.
    ///
    /// # Errors
    /// The first change that cannot be made, where those before it were.
    pub fn apply(&self, changes: &[Change]) -> Result<(Self, Vec<Changed>), ChangeError> {
        let mut scene = Scene::of(self);
        for (index, change) in changes.iter().enumerate() {
            scene.make(change).map_err(|(field, fault)| {
                let path = format!("changes[{index}].{}", change.name());
                let field = match field {
                    "" => path,
                    field => format!("{path}.{field}"),
                };
                ChangeError {
                    index,
                    field,
                    fault,
                }
            })?;
        }
        let after = scene.position(self);
        let changed = changed(self, &after);
        Ok((after, changed))
    }
}

/// A position while it changes. It is sound after each change.
#[derive(Debug)]
pub(super) struct Scene {
    grid: Grid,
    pub(super) counters: BTreeMap<String, Counter>,
    /// Who is aboard what: the vehicle, then what it carries.
    aboard: BTreeSet<(String, String)>,
    pub(super) fire_lanes: BTreeMap<String, Hex>,
    environment: Environment,
}

impl Scene {
    pub(super) fn of(position: &Position) -> Self {
        let counters = position.counters().iter();
        let lanes = position.fire_lanes().iter();
        Self {
            grid: position.map().grid,
            aboard: counters
                .clone()
                .filter_map(|it| Some((it.aboard.clone()?, it.id.clone())))
                .collect(),
            counters: counters.map(|it| (it.id.clone(), it.clone())).collect(),
            fire_lanes: lanes.map(|lane| (lane.mg.clone(), lane.hex)).collect(),
            environment: position.environment(),
        }
    }

    fn position(self, on: &Position) -> Position {
        let lanes = self.fire_lanes.into_iter();
        let lanes = lanes.map(|(mg, hex)| FireLane { mg, hex }).collect();
        on.beside(
            self.counters.into_values().collect(),
            lanes,
            self.environment,
        )
    }

    pub(super) fn make(&mut self, change: &Change) -> Result<(), Fault> {
        match change {
            Change::Place(counter) => self.place(counter),
            Change::Remove { id } => self.remove(id),
            Change::Move {
                id,
                hex,
                height,
                aboard,
            } => self.move_to(id, *hex, *height, aboard.as_deref()),
            Change::Board { id, carrier } => self.board(id, carrier),
            Change::Dismount { id } => self.dismount(id),
            Change::Turn { id, facing } => self.turn(id, *facing),
            Change::Flags { id, set, clear } => self.flag(id, *set, *clear),
            Change::Wreck { id, burning } => self.wreck(id, *burning),
            Change::Attribute { id, name, value } => {
                let attributes = &mut self.counter(id)?.attributes;
                match value {
                    Some(value) => attributes.insert(name.clone(), *value),
                    None => attributes.remove(name),
                };
                Ok(())
            }
            Change::Side { id, side } => {
                self.counter(id)?.side.clone_from(side);
                Ok(())
            }
            Change::KnownTo { id, sides } => {
                self.counter(id)?.known_to.clone_from(sides);
                Ok(())
            }
            Change::LayFireLane(FireLane { mg, hex }) => {
                self.counter(mg)?;
                self.on_map(*hex, "hex")?;
                self.fire_lanes.insert(mg.clone(), *hex);
                Ok(())
            }
            Change::LiftFireLane { mg } => {
                self.counter(mg)?;
                let lifted = self.fire_lanes.remove(mg);
                let fault = || ("counter_id", ChangeFault::NoFireLane { id: mg.clone() });
                lifted.map(|_| ()).ok_or_else(fault)
            }
            Change::Ec(ec) => {
                self.environment.ec = *ec;
                Ok(())
            }
        }
    }

    fn place(&mut self, counter: &Counter) -> Result<(), Fault> {
        let id = counter.id.clone();
        if id.is_empty() {
            return Err(("counter.id", ChangeFault::NoId));
        }
        if self.counters.contains_key(&id) {
            return Err(("counter.id", ChangeFault::Duplicate { id }));
        }
        self.on_map(counter.hex, "counter.hex")?;
        in_bounds(counter.height, "counter.height")?;
        may_face(counter, counter.facing, "counter.facing")?;
        if let Some(carrier) = &counter.aboard {
            self.carries(carrier, counter, "counter.aboard")?;
        }
        self.put(counter.clone());
        Ok(())
    }

    /// Puts a counter where it says, in place of what it was.
    fn put(&mut self, counter: Counter) {
        let id = counter.id.clone();
        if let Some(carrier) = &counter.aboard {
            self.aboard.insert((carrier.clone(), id.clone()));
        }
        let before = self.counters.insert(id.clone(), counter);
        let left = before.and_then(|before| before.aboard);
        let carrier = self.counters.get(&id).and_then(|it| it.aboard.clone());
        if let Some(left) = left.filter(|left| Some(left) != carrier.as_ref()) {
            self.aboard.remove(&(left, id));
        }
    }

    /// What is aboard a vehicle itself.
    fn aboard<'a>(&'a self, carrier: &'a str) -> impl Iterator<Item = &'a String> {
        let from = (carrier.to_owned(), String::new());
        let pairs = self.aboard.range(from..);
        pairs
            .take_while(move |(vehicle, _)| vehicle == carrier)
            .map(|(_, id)| id)
    }

    fn remove(&mut self, id: &str) -> Result<(), Fault> {
        self.counter(id)?;
        self.nobody_aboard(id)?;
        if self.fire_lanes.contains_key(id) {
            return Err(("counter_id", ChangeFault::HasFireLane { id: id.into() }));
        }
        let gone = self.counters.remove(id);
        if let Some(carrier) = gone.and_then(|gone| gone.aboard) {
            self.aboard.remove(&(carrier, id.to_owned()));
        }
        Ok(())
    }

    fn move_to(
        &mut self,
        id: &str,
        hex: Hex,
        height: Option<i16>,
        aboard: Option<&str>,
    ) -> Result<(), Fault> {
        let mut moved = self.counter(id)?.clone();
        self.on_map(hex, "hex")?;
        moved.hex = hex;
        moved.height = height.unwrap_or(moved.height);
        in_bounds(moved.height, "height")?;
        moved.aboard = aboard.map(str::to_owned);
        if let Some(carrier) = aboard {
            self.goes_aboard(carrier, &moved, "aboard")?;
        }
        self.put(moved);
        let mut carriers = vec![id.to_owned()];
        while let Some(carrier) = carriers.pop() {
            let with: Vec<String> = self.aboard(&carrier).cloned().collect();
            for id in with {
                self.counter(&id)?.hex = hex;
                carriers.push(id);
            }
        }
        Ok(())
    }

    fn board(&mut self, id: &str, carrier: &str) -> Result<(), Fault> {
        let mut counter = self.counter(id)?.clone();
        self.goes_aboard(carrier, &counter, "carrier_id")?;
        counter.aboard = Some(carrier.into());
        self.put(counter);
        Ok(())
    }

    fn dismount(&mut self, id: &str) -> Result<(), Fault> {
        let mut counter = self.counter(id)?.clone();
        if counter.aboard.take().is_none() {
            return Err(("counter_id", ChangeFault::NotAboard { id: id.into() }));
        }
        self.put(counter);
        Ok(())
    }

    fn turn(&mut self, id: &str, facing: Option<u8>) -> Result<(), Fault> {
        let counter = self.counter(id)?;
        may_face(counter, facing, "facing")?;
        counter.facing = facing;
        Ok(())
    }

    fn flag(&mut self, id: &str, set: CounterFlags, clear: CounterFlags) -> Result<(), Fault> {
        let counter = self.counter(id)?;
        if let Some(flag) = set.common(clear).names().next() {
            let id = id.to_owned();
            return Err(("clear", ChangeFault::Contradiction { id, flag }));
        }
        counter.flags = counter.flags.without(clear).and(set);
        Ok(())
    }

    fn wreck(&mut self, id: &str, burning: bool) -> Result<(), Fault> {
        let class = self.counter(id)?.class;
        if !class.is_vehicle() {
            let id = id.to_owned();
            return Err(("counter_id", ChangeFault::NoVehicle { id, class }));
        }
        self.nobody_aboard(id)?;
        let counter = self.counter(id)?;
        counter.class = CounterClass::Wreck;
        counter.side = None;
        counter.flags = match burning {
            true => CounterFlags::BURNING,
            false => CounterFlags::none(),
        };
        Ok(())
    }

    fn counter(&mut self, id: &str) -> Result<&mut Counter, Fault> {
        let found = self.counters.get_mut(id);
        found.ok_or_else(|| ("counter_id", ChangeFault::Unknown { id: id.into() }))
    }

    fn on_map(&self, hex: Hex, field: &'static str) -> Result<(), Fault> {
        if self.grid.contains(hex) {
            return Ok(());
        }
        let hex = self.grid.label(hex);
        Err((field, ChangeFault::OffMap { hex }))
    }

    fn nobody_aboard(&self, id: &str) -> Result<(), Fault> {
        match self.aboard(id).next() {
            None => Ok(()),
            Some(aboard) => {
                let (id, aboard) = (id.to_owned(), aboard.clone());
                Err(("counter_id", ChangeFault::StillAboard { id, aboard }))
            }
        }
    }

    /// Checks that a carrier is there and can carry a counter.
    fn carries(&self, carrier: &str, counter: &Counter, field: &'static str) -> Result<(), Fault> {
        match self.counters.get(carrier) {
            None => Err((field, ChangeFault::Unknown { id: carrier.into() })),
            Some(found) if found.class.is_vehicle() && found.hex == counter.hex => Ok(()),
            Some(_) => {
                let (id, carrier) = (counter.id.clone(), carrier.to_owned());
                Err((field, ChangeFault::BadCarrier { id, carrier }))
            }
        }
    }

    /// The same of a counter that is there, which may carry others.
    fn goes_aboard(
        &self,
        carrier: &str,
        counter: &Counter,
        field: &'static str,
    ) -> Result<(), Fault> {
        let mut at = Some(carrier);
        while let Some(id) = at {
            if id == counter.id {
                let (id, carrier) = (counter.id.clone(), carrier.to_owned());
                return Err((field, ChangeFault::Ring { id, carrier }));
            }
            at = self.counters.get(id).and_then(|it| it.aboard.as_deref());
        }
        self.carries(carrier, counter, field)
    }
}

fn in_bounds(height: i16, field: &'static str) -> Result<(), Fault> {
    match Counter::HEIGHTS.contains(&height) {
        true => Ok(()),
        false => Err((field, ChangeFault::Height { height })),
    }
}

fn may_face(counter: &Counter, facing: Option<u8>, field: &'static str) -> Result<(), Fault> {
    match facing {
        Some(facing) if facing > 5 => Err((field, ChangeFault::Facing { facing })),
        Some(_) if !counter.class.has_facing() => {
            let (id, class) = (counter.id.clone(), counter.class);
            Err((field, ChangeFault::NoFacing { id, class }))
        }
        _ => Ok(()),
    }
}
