//! Changes: what makes one position out of another.
//!
//! A position never changes. [`Position::apply`] makes another one out of it, by a list of [`Change`]s,
//! all of them or none. [`diff`] finds the changes that lead from one position to another, and
//! [`changed`] what differs between the two.

mod apply;
mod canonical;
mod diff;
mod error;

pub use diff::{OtherMap, diff};
pub use error::{ChangeError, ChangeFault};

use std::collections::BTreeSet;

use alamein_hex::Hex;

use crate::counter::{Counter, CounterFlags};
use crate::map::EnvironmentCondition;
use crate::position::{FireLane, Position};

/// One change of a position.
///
/// It says what is so afterwards, not what happened: no rule of the game is asked whether it may be. A
/// change that says what is so already changes nothing and is no error.
///
/// ```
/// use std::sync::Arc;
/// use alamein_hex::Grid;
/// use alamein_terrain::{Change, Counter, CounterClass, Environment, Map, Position};
///
/// let map = Arc::new(Map::flat(Grid::geomorphic()));
/// let (here, there) = (map.grid.hex("P6").unwrap(), map.grid.hex("P7").unwrap());
/// let tank = Counter::new("tank", CounterClass::Tank, here);
/// let before = Position::new(map, vec![tank], Environment::default()).unwrap();
///
/// let moved = Change::Move {
///     id: "tank".into(),
///     hex: there,
///     height: None,
///     aboard: None,
/// };
/// let wrecked = Change::Wreck { id: "tank".into(), burning: true };
/// let (after, changed) = before.apply(&[moved, wrecked]).unwrap();
/// assert_eq!(after.counter("tank").unwrap().class, CounterClass::Wreck);
/// assert_eq!(changed.len(), 1);
/// assert_eq!(before.apply(&alamein_terrain::diff(&before, &after).unwrap()).unwrap().0, after);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A counter comes onto the map.
    Place(Counter),
    /// A counter leaves the map. Nothing may be aboard it, and no Fire Lane its own.
    Remove {
        /// The counter.
        id: String,
    },
    /// A counter stands elsewhere, with all that is aboard it. What it was aboard of it leaves.
    Move {
        /// The counter.
        id: String,
        /// The hex in which it then is.
        hex: Hex,
        /// How far it then stands above its hex, in half levels; as before, if it is not said.
        height: Option<i16>,
        /// The vehicle of that hex that it is then aboard of.
        aboard: Option<String>,
    },
    /// A counter goes aboard a vehicle of its hex, and leaves what it was aboard of.
    Board {
        /// The counter.
        id: String,
        /// The vehicle.
        carrier: String,
    },
    /// A counter leaves what it is aboard of, and stays in its hex.
    Dismount {
        /// The counter.
        id: String,
    },
    /// A vehicle, a wreck or a Gun then faces there.
    Turn {
        /// The counter.
        id: String,
        /// The vertex that it faces; nothing if it is not to be said any more.
        facing: Option<u8>,
    },
    /// A counter's posture or condition.
    Flags {
        /// The counter.
        id: String,
        /// What is then so of it.
        set: CounterFlags,
        /// What is then not so of it.
        clear: CounterFlags,
    },
    /// A vehicle is a wreck: of no side, with no flag but that it burns. Nothing may be aboard it.
    Wreck {
        /// The vehicle.
        id: String,
        /// Whether it burns.
        burning: bool,
    },
    /// An attribute in a plugin's namespace.
    Attribute {
        /// The counter.
        id: String,
        /// The attribute's name.
        name: String,
        /// Its value; nothing if the counter is to have it no more.
        value: Option<i64>,
    },
    /// A counter belongs to another side, as what is captured does.
    Side {
        /// The counter.
        id: String,
        /// The side; nothing for nobody's.
        side: Option<String>,
    },
    /// A counter is revealed or hidden.
    KnownTo {
        /// The counter.
        id: String,
        /// The sides that then know of it, beside its own. Empty: everybody does.
        sides: BTreeSet<String>,
    },
    /// A machine gun has a Fire Lane, in place of any that it had.
    LayFireLane(FireLane),
    /// A machine gun's Fire Lane is lifted.
    LiftFireLane {
        /// The machine gun.
        mg: String,
    },
    /// Other Environmental Conditions.
    Ec(EnvironmentCondition),
}

impl Change {
    /// What it is called: `place`, `move`..., as in the paths of errors.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Place(_) => "place",
            Self::Remove { .. } => "remove",
            Self::Move { .. } => "move",
            Self::Board { .. } => "board",
            Self::Dismount { .. } => "dismount",
            Self::Turn { .. } => "turn",
            Self::Flags { .. } => "flags",
            Self::Wreck { .. } => "wreck",
            Self::Attribute { .. } => "attribute",
            Self::Side { .. } => "side",
            Self::KnownTo { .. } => "known_to",
            Self::LayFireLane(_) => "lay_fire_lane",
            Self::LiftFireLane { .. } => "lift_fire_lane",
            Self::Ec(_) => "ec",
        }
    }

    /// The counter that it is about, if it is about one.
    #[must_use]
    pub fn counter(&self) -> Option<&str> {
        match self {
            Self::Place(counter) => Some(&counter.id),
            Self::Remove { id }
            | Self::Move { id, .. }
            | Self::Board { id, .. }
            | Self::Dismount { id }
            | Self::Turn { id, .. }
            | Self::Flags { id, .. }
            | Self::Wreck { id, .. }
            | Self::Attribute { id, .. }
            | Self::Side { id, .. }
            | Self::KnownTo { id, .. }
            | Self::LayFireLane(FireLane { mg: id, .. })
            | Self::LiftFireLane { mg: id } => Some(id),
            Self::Ec(_) => None,
        }
    }
}

/// What differs between two positions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)] // Nearly all of a list are counters.
pub enum Changed {
    /// A counter.
    Counter {
        /// As it was, if it was there.
        before: Option<Counter>,
        /// As it is, if it is there.
        after: Option<Counter>,
    },
    /// A machine gun's Fire Lane.
    FireLane {
        /// As it was, if it was there.
        before: Option<FireLane>,
        /// As it is, if it is there.
        after: Option<FireLane>,
    },
    /// The Environmental Conditions.
    Ec {
        /// As they were.
        before: EnvironmentCondition,
        /// As they are.
        after: EnvironmentCondition,
    },
}

/// What differs between two positions: counters by their ids, then Fire Lanes by their machine guns'
/// ids, then the conditions.
#[must_use]
pub fn changed(a: &Position, b: &Position) -> Vec<Changed> {
    let counters = sides(a.counters(), b.counters(), |counter| &counter.id);
    let lanes = sides(a.fire_lanes(), b.fire_lanes(), |lane| &lane.mg);
    let counters = counters.map(|(before, after)| Changed::Counter { before, after });
    let lanes = lanes.map(|(before, after)| Changed::FireLane { before, after });
    let (before, after) = (a.environment().ec, b.environment().ec);
    let ec = (before != after).then_some(Changed::Ec { before, after });
    counters.chain(lanes).chain(ec).collect()
}

/// The items of two lists, both sorted by a key, that are not the same in both.
fn sides<'a, T: Clone + PartialEq>(
    a: &'a [T],
    b: &'a [T],
    key: impl Fn(&T) -> &String,
) -> impl Iterator<Item = (Option<T>, Option<T>)> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut pairs = Vec::new();
    loop {
        let (first, second) = match (a.peek(), b.peek()) {
            (None, None) => break,
            (Some(one), Some(other)) if key(one) == key(other) => (a.next(), b.next()),
            (Some(one), Some(other)) if key(one) > key(other) => (None, b.next()),
            (Some(_), _) => (a.next(), None),
            (None, Some(_)) => (None, b.next()),
        };
        if first != second {
            pairs.push((first.cloned(), second.cloned()));
        }
    }
    pairs.into_iter()
}
