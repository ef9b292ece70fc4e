//! What keeps changes from being made.

use crate::counter::CounterClass;

/// A change that cannot be made. None of its list was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {fault}")]
pub struct ChangeError {
    /// Which change of the list.
    pub index: usize,
    /// The path of the field that is at fault: `changes[3].move.hex`.
    pub field: String,
    /// What is wrong.
    pub fault: ChangeFault,
}

/// What is wrong with a change, where the changes before it were made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeFault {
    /// A counter without an id.
    #[error("a counter needs an id")]
    NoId,
    /// A counter is placed whose id another has.
    #[error("a counter is called {id:?} already; give each its own id, or remove that one before")]
    Duplicate {
        /// The id.
        id: String,
    },
    /// A counter that is not there.
    #[error("there is no counter {id:?} in the position")]
    Unknown {
        /// The id.
        id: String,
    },
    /// A hex that the map does not have.
    #[error("hex {hex} is not on the map")]
    OffMap {
        /// The hex, as it would be called.
        hex: String,
    },
    /// A height above or below every hex.
    #[error("{height} half levels are out of bounds: they are -64 to 64")]
    Height {
        /// The height.
        height: i16,
    },
    /// A facing that no hex has.
    #[error("{facing} is no vertex of a hex: they are 0 to 5")]
    Facing {
        /// The facing.
        facing: u8,
    },
    /// A facing of a counter that has none.
    #[error("{id:?} is of class {class}, which has no facing: a vehicle, a wreck and a Gun have")]
    NoFacing {
        /// The counter.
        id: String,
        /// Its class.
        class: CounterClass,
    },
    /// What is to carry a counter is no vehicle, or not in its hex.
    #[error("{id:?} cannot be aboard {carrier:?}, which is no vehicle in its hex")]
    BadCarrier {
        /// The counter.
        id: String,
        /// What is to carry it.
        carrier: String,
    },
    /// It would be aboard itself, by way of others or not.
    #[error("{id:?} aboard {carrier:?} goes round in a ring")]
    Ring {
        /// The counter.
        id: String,
        /// What is to carry it.
        carrier: String,
    },
    /// It is aboard nothing.
    #[error("{id:?} is aboard nothing")]
    NotAboard {
        /// The counter.
        id: String,
    },
    /// Something is aboard what is removed or wrecked.
    #[error("{aboard:?} is still aboard {id:?}; move, dismount or remove it before")]
    StillAboard {
        /// The vehicle.
        id: String,
        /// The first that is aboard it.
        aboard: String,
    },
    /// A machine gun is removed that has a Fire Lane.
    #[error("{id:?} has a Fire Lane; lift it before")]
    HasFireLane {
        /// The machine gun.
        id: String,
    },
    /// A Fire Lane is lifted that is not there.
    #[error("{id:?} has no Fire Lane")]
    NoFireLane {
        /// The machine gun.
        id: String,
    },
    /// Something is wrecked that is no vehicle.
    #[error("{id:?} is of class {class}: only a vehicle can be wrecked")]
    NoVehicle {
        /// The counter.
        id: String,
        /// Its class.
        class: CounterClass,
    },
    /// The same flag is to be set and cleared.
    #[error("{flag} is to be set and cleared at once")]
    Contradiction {
        /// The counter.
        id: String,
        /// The flag's name.
        flag: &'static str,
    },
}
