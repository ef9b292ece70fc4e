//! The changes that lead from one position to another.

use std::collections::{BTreeMap, BTreeSet};

use super::Change;
use super::apply::Scene;
use crate::canon::Digest;
use crate::counter::{Counter, CounterClass, CounterFlags};
use crate::position::{FireLane, Position};

/// Two positions of which no changes make one of the other: they are on different maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the positions are on different maps, {before} and {after}; no change changes the map")]
pub struct OtherMap {
    /// The map of the first.
    pub before: Digest,
    /// The map of the second.
    pub after: Digest,
}

/// The changes that make `b` of `a`: one and the same list for the same two positions, and none of it
/// can be left out.
///
/// What is aboard a vehicle moves with it. A counter whose class is another is removed and placed anew,
/// but for a vehicle that is a wreck.
///
/// # Errors
/// Positions on different maps.
pub fn diff(a: &Position, b: &Position) -> Result<Vec<Change>, OtherMap> {
    let (before, after) = (a.map_id(), b.map_id());
    if before != after {
        return Err(OtherMap { before, after });
    }
    let mut plan = Plan::new(a, b);
    plan.lift_fire_lanes();
    plan.clear_the_way();
    plan.place_and_move();
    plan.remove();
    plan.change_in_place();
    plan.lay_fire_lanes();
    if a.environment() != b.environment() {
        plan.add(Change::Ec(b.environment().ec));
    }
    Ok(plan.changes)
}

/// A list of changes in the making.
struct Plan<'a> {
    a: &'a Position,
    b: &'a Position,
    /// `a` after the changes so far.
    scene: Scene,
    /// Those that leave before others come: replaced ones, and what leaves with them.
    early: BTreeSet<&'a str>,
    changes: Vec<Change>,
}

/// What becomes of a counter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stays,
    Wrecked,
    Gone,
    Replaced,
}

impl<'a> Plan<'a> {
    fn new(a: &'a Position, b: &'a Position) -> Self {
        let mut plan = Self {
            a,
            b,
            scene: Scene::of(a),
            early: BTreeSet::new(),
            changes: Vec::new(),
        };
        for counter in carriers_first(a) {
            let carrier = counter.aboard.as_deref();
            let with = carrier.is_some_and(|carrier| plan.early.contains(carrier));
            match plan.fate(counter) {
                Fate::Gone if !with => {}
                Fate::Gone | Fate::Replaced => {
                    plan.early.insert(&counter.id);
                }
                Fate::Stays | Fate::Wrecked => {}
            }
        }
        plan
    }

    fn fate(&self, counter: &Counter) -> Fate {
        match self.b.counter(&counter.id) {
            None => Fate::Gone,
            Some(then) if then.class == counter.class => Fate::Stays,
            Some(then) if counter.class.is_vehicle() && then.class == CounterClass::Wreck => {
                Fate::Wrecked
            }
            Some(_) => Fate::Replaced,
        }
    }

    fn add(&mut self, change: Change) {
        let made = self.scene.make(&change);
        debug_assert!(made.is_ok(), "{change:?}: {made:?}");
        self.changes.push(change);
    }

    fn lift_fire_lanes(&mut self) {
        for lane in self.a.fire_lanes() {
            let stays = self.b.fire_lane(&lane.mg).is_some();
            if !stays || self.early.contains(lane.mg.as_str()) {
                let mg = lane.mg.clone();
                self.add(Change::LiftFireLane { mg });
            }
        }
    }

    /// Takes away what others come in place of.
    fn clear_the_way(&mut self) {
        for counter in self.a.counters() {
            let carrier = counter.aboard.as_deref();
            let loses = carrier.is_some_and(|carrier| self.early.contains(carrier));
            if loses && !self.early.contains(counter.id.as_str()) {
                let id = counter.id.clone();
                self.add(Change::Dismount { id });
            }
        }
        for counter in carriers_first(self.a).into_iter().rev() {
            if self.early.contains(counter.id.as_str()) {
                let id = counter.id.clone();
                self.add(Change::Remove { id });
            }
        }
    }

    /// Brings all to where they are, vehicles before what is aboard them.
    fn place_and_move(&mut self) {
        for then in carriers_first(self.b) {
            match self.scene.counters.get(&then.id) {
                None => self.add(Change::Place(then.clone())),
                Some(now) => {
                    if let Some(change) = movement(now, then) {
                        self.add(change);
                    }
                }
            }
        }
    }

    fn remove(&mut self) {
        for counter in carriers_first(self.a).into_iter().rev() {
            let gone = self.fate(counter) == Fate::Gone;
            if gone && !self.early.contains(counter.id.as_str()) {
                let id = counter.id.clone();
                self.add(Change::Remove { id });
            }
        }
    }

    fn change_in_place(&mut self) {
        for then in self.b.counters() {
            let was = self.a.counter(&then.id);
            if was.is_some_and(|was| self.fate(was) == Fate::Wrecked) {
                let (id, burning) = (then.id.clone(), then.flags.has(CounterFlags::BURNING));
                self.add(Change::Wreck { id, burning });
            }
            let Some(now) = self.scene.counters.get(&then.id) else {
                continue;
            };
            for change in in_place(now, then) {
                self.add(change);
            }
        }
    }

    fn lay_fire_lanes(&mut self) {
        for lane in self.b.fire_lanes() {
            if self.scene.fire_lanes.get(&lane.mg) != Some(&lane.hex) {
                let FireLane { mg, hex } = lane.clone();
                self.add(Change::LayFireLane(FireLane { mg, hex }));
            }
        }
    }
}

/// The counters of a position, each after what it is aboard of; else by their ids.
fn carriers_first(position: &Position) -> Vec<&Counter> {
    let mut depths: BTreeMap<&str, usize> = BTreeMap::new();
    for counter in position.counters() {
        let mut way = Vec::new();
        let mut at = Some(counter);
        while let Some(counter) = at.filter(|it| !depths.contains_key(it.id.as_str())) {
            way.push(counter);
            let carrier = counter.aboard.as_deref();
            at = carrier.and_then(|carrier| position.counter(carrier));
        }
        let above = at.and_then(|it| depths.get(it.id.as_str()));
        let first = above.map_or(0, |above| above + 1);
        for (depth, counter) in (first..).zip(way.into_iter().rev()) {
            depths.insert(&counter.id, depth);
        }
    }
    let mut counters: Vec<&Counter> = position.counters().iter().collect();
    counters.sort_by_key(|counter| depths.get(counter.id.as_str()));
    counters
}

/// The change that brings a counter to where it is to be.
fn movement(now: &Counter, then: &Counter) -> Option<Change> {
    let id = then.id.clone();
    let (here, as_high) = (now.hex == then.hex, now.height == then.height);
    let stays = now.aboard == then.aboard;
    match &then.aboard {
        _ if here && as_high && stays => None,
        Some(carrier) if here && as_high => Some(Change::Board {
            id,
            carrier: carrier.clone(),
        }),
        None if here && as_high => Some(Change::Dismount { id }),
        aboard => Some(Change::Move {
            id,
            hex: then.hex,
            height: (!as_high).then_some(then.height),
            aboard: aboard.clone(),
        }),
    }
}

/// The changes of a counter that do not move it.
fn in_place(now: &Counter, then: &Counter) -> Vec<Change> {
    let id = || then.id.clone();
    let mut changes = Vec::new();
    if now.side != then.side {
        let (id, side) = (id(), then.side.clone());
        changes.push(Change::Side { id, side });
    }
    if now.facing != then.facing {
        let (id, facing) = (id(), then.facing);
        changes.push(Change::Turn { id, facing });
    }
    if now.flags != then.flags {
        changes.push(Change::Flags {
            id: id(),
            set: then.flags.without(now.flags),
            clear: now.flags.without(then.flags),
        });
    }
    let names: BTreeSet<&String> = now
        .attributes
        .keys()
        .chain(then.attributes.keys())
        .collect();
    for name in names {
        let value = then.attributes.get(name).copied();
        if now.attributes.get(name).copied() != value {
            let (id, name) = (id(), name.clone());
            changes.push(Change::Attribute { id, name, value });
        }
    }
    if now.known_to != then.known_to {
        let (id, sides) = (id(), then.known_to.clone());
        changes.push(Change::KnownTo { id, sides });
    }
    changes
}
