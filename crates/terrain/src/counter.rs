//! Counters: what stands on the map.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use alamein_hex::Hex;
use serde::{Deserialize, Serialize};

use crate::canon::{Canon, CanonError, CanonReader, Canonical, FromCanonical};

/// What kind of counter it is, as far as terrain cares. The numbers are part of the plugin ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
pub enum CounterClass {
    /// A full squad.
    Squad = 1,
    /// A half-squad.
    HalfSquad = 2,
    /// A leader or hero.
    Leader = 3,
    /// A crew on its own.
    Crew = 4,
    /// A Gun with the crew that mans it.
    Gun = 5,
    /// Cavalry.
    Cavalry = 6,
    /// A horse-drawn wagon.
    Wagon = 7,
    /// A motorcycle.
    Motorcycle = 8,
    /// An armored car.
    ArmoredCar = 9,
    /// A fully-tracked AFV.
    Tank = 10,
    /// A halftrack.
    Halftrack = 11,
    /// A truck or other unarmored wheeled vehicle.
    Truck = 12,
    /// The wreck of any vehicle.
    Wreck = 13,
}

/// The unit in which a counter's movement is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovementUnit {
    /// Movement Factors.
    Mf,
    /// Movement Points.
    Mp,
}

impl CounterClass {
    /// Every class.
    pub const ALL: [Self; 13] = [
        Self::Squad,
        Self::HalfSquad,
        Self::Leader,
        Self::Crew,
        Self::Gun,
        Self::Cavalry,
        Self::Wagon,
        Self::Motorcycle,
        Self::ArmoredCar,
        Self::Tank,
        Self::Halftrack,
        Self::Truck,
        Self::Wreck,
    ];

    /// The class of this ABI number.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|class| *class as u32 == number)
    }

    /// Infantry, the crew of a Gun included.
    #[must_use]
    pub fn is_infantry(self) -> bool {
        matches!(
            self,
            Self::Squad | Self::HalfSquad | Self::Leader | Self::Crew | Self::Gun
        )
    }

    /// A vehicle that is no wreck. A wagon is a vehicle too.
    #[must_use]
    pub fn is_vehicle(self) -> bool {
        matches!(
            self,
            Self::Wagon
                | Self::Motorcycle
                | Self::ArmoredCar
                | Self::Tank
                | Self::Halftrack
                | Self::Truck
        )
    }

    /// An armored fighting vehicle, unless its counter says that it is unarmored.
    #[must_use]
    pub fn is_armored(self) -> bool {
        matches!(self, Self::ArmoredCar | Self::Tank | Self::Halftrack)
    }

    /// Whether it has a facing: a vehicle with its VCA, a Gun with its CA, and what was a vehicle.
    #[must_use]
    pub fn has_facing(self) -> bool {
        self.is_vehicle() || matches!(self, Self::Gun | Self::Wreck)
    }

    /// Whether it spends MF or MP.
    #[must_use]
    pub fn movement_unit(self) -> MovementUnit {
        if self.is_vehicle() && self != Self::Wagon {
            MovementUnit::Mp
        } else {
            MovementUnit::Mf
        }
    }

    /// The name used in case files, such as `half_squad`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Squad => "squad",
            Self::HalfSquad => "half_squad",
            Self::Leader => "leader",
            Self::Crew => "crew",
            Self::Gun => "gun",
            Self::Cavalry => "cavalry",
            Self::Wagon => "wagon",
            Self::Motorcycle => "motorcycle",
            Self::ArmoredCar => "armored_car",
            Self::Tank => "tank",
            Self::Halftrack => "halftrack",
            Self::Truck => "truck",
            Self::Wreck => "wreck",
        }
    }
}

impl fmt::Display for CounterClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Facts about a counter that the players know and a service must not infer. The bits are part of
/// the plugin ABI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CounterFlags(u32);

impl CounterFlags {
    /// Infantry beneath an entrenchment counter (a foxhole or what acts as one).
    pub const ENTRENCHED: Self = Self(1 << 0);
    /// A Gun (and its manning crew) with Emplaced status.
    pub const EMPLACED: Self = Self(1 << 1);
    /// Crew Exposed, or Passengers or Riders that fire can reach: Vulnerable PRC.
    pub const CREW_EXPOSED: Self = Self(1 << 2);
    /// A burning wreck.
    pub const BURNING: Self = Self(1 << 3);
    /// A vehicle that fire at this moment would treat as moving, or as having just moved.
    pub const IN_MOTION: Self = Self(1 << 4);
    /// A vehicle without a crew.
    pub const ABANDONED: Self = Self(1 << 5);
    /// A vehicle that is entrenched or Dug-In.
    pub const DUG_IN: Self = Self(1 << 6);
    /// A vehicle whose class is armored, but which is not.
    pub const UNARMORED: Self = Self(1 << 7);

    /// Every flag with the name that case files use.
    pub const NAMED: [(&'static str, Self); 8] = [
        ("entrenched", Self::ENTRENCHED),
        ("emplaced", Self::EMPLACED),
        ("crew_exposed", Self::CREW_EXPOSED),
        ("burning", Self::BURNING),
        ("in_motion", Self::IN_MOTION),
        ("abandoned", Self::ABANDONED),
        ("dug_in", Self::DUG_IN),
        ("unarmored", Self::UNARMORED),
    ];

    /// No flag.
    #[must_use]
    pub const fn none() -> Self {
        Self(0)
    }

    /// The bits, as the ABI carries them.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Flags from bits; bits without a meaning are dropped.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & 0xff)
    }

    /// Whether all of these flags are set.
    #[must_use]
    pub const fn has(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// These flags and those.
    #[must_use]
    pub const fn and(self, flags: Self) -> Self {
        Self(self.0 | flags.0)
    }

    /// These flags without those.
    #[must_use]
    pub const fn without(self, flags: Self) -> Self {
        Self(self.0 & !flags.0)
    }

    /// The flags that both have.
    #[must_use]
    pub const fn common(self, flags: Self) -> Self {
        Self(self.0 & flags.0)
    }

    /// The names of the flags that are set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMED
            .into_iter()
            .filter(move |(_, flag)| self.has(*flag))
            .map(|(name, _)| name)
    }
}

/// A counter on the map.
///
/// ```
/// use alamein_hex::Grid;
/// use alamein_terrain::{Counter, CounterClass};
/// let grid = Grid::geomorphic();
/// let tank = Counter::new("A", CounterClass::Tank, grid.hex("R6").unwrap());
/// assert!(tank.is_afv());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name, unique in its position.
    pub id: String,
    /// What it is.
    pub class: CounterClass,
    /// Where it is.
    pub hex: Hex,
    /// Whose it is; a wreck is nobody's.
    pub side: Option<String>,
    /// The vehicle that carries it, which makes it PRC.
    pub aboard: Option<String>,
    /// How far it stands above its hex's own level, in half levels (2 = the first upper level).
    pub height: i16,
    /// The vertex of its hex to which its VCA or CA points, 0 to 5 as those of a hex are counted
    /// (clockwise, 0 between the hexsides N and NE); nothing if it is not said. Only a vehicle, a wreck
    /// and a Gun have one.
    pub facing: Option<u8>,
    /// What else the players say of it.
    pub flags: CounterFlags,
    /// Attributes in a plugin's namespace, such as `quicksand.depth`.
    pub attributes: BTreeMap<String, i64>,
    /// The sides that know of it, beside its own. Empty: everybody does.
    pub known_to: BTreeSet<String>,
}

impl Counter {
    /// How far a counter may stand above or below its hex, in half levels.
    pub const HEIGHTS: std::ops::RangeInclusive<i16> = -64..=64;

    /// A counter of no side, with nothing special about it.
    #[must_use]
    pub fn new(id: impl Into<String>, class: CounterClass, hex: Hex) -> Self {
        Self {
            id: id.into(),
            class,
            hex,
            side: None,
            aboard: None,
            height: 0,
            facing: None,
            flags: CounterFlags::none(),
            attributes: BTreeMap::new(),
            known_to: BTreeSet::new(),
        }
    }

    /// An armored fighting vehicle (a wreck is none).
    #[must_use]
    pub fn is_afv(&self) -> bool {
        self.class.is_armored() && !self.flags.has(CounterFlags::UNARMORED)
    }
}

impl Canonical for Counter {
    fn write(&self, canon: &mut Canon) {
        canon
            .text(&self.id)
            .int(self.class as u32)
            .put(self.hex)
            .option(self.side.as_ref())
            .option(self.aboard.as_ref())
            .int(self.height)
            .option(self.facing)
            .int(self.flags.bits())
            .list(self.attributes.iter())
            .list(self.known_to.iter());
    }
}

impl FromCanonical for Counter {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        Ok(Self {
            id: reader.get()?,
            class: reader.get()?,
            hex: reader.get()?,
            side: reader.get()?,
            aboard: reader.get()?,
            height: reader.get()?,
            facing: reader.get()?,
            flags: CounterFlags::from_bits(reader.get()?),
            attributes: reader.get()?,
            known_to: reader.get()?,
        })
    }
}

impl FromCanonical for CounterClass {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        let number = reader.get()?;
        let class = Self::from_number(number);
        class.ok_or_else(|| CanonError(format!("no counter is of class {number}")))
    }
}
