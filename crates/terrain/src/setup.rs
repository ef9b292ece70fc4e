//! Set-ups: what a scenario puts into a hex before play.

use alamein_hex::Hex;
use serde::{Deserialize, Serialize};

use crate::canon::{Canon, Canonical};
use crate::counter::CounterClass;

/// A Fortification. The numbers are part of the plugin ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
pub enum Fortification {
    /// A foxhole.
    Foxhole = 1,
    /// A trench.
    Trench = 2,
    /// A pillbox.
    Pillbox = 3,
    /// A sangar.
    Sangar = 4,
    /// Wire.
    Wire = 5,
    /// Mines.
    Mines = 6,
}

impl Fortification {
    /// Every Fortification.
    pub const ALL: [Self; 6] = [
        Self::Foxhole,
        Self::Trench,
        Self::Pillbox,
        Self::Sangar,
        Self::Wire,
        Self::Mines,
    ];

    /// The one of this ABI number.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|one| *one as u32 == number)
    }

    /// Units may be beneath its counter.
    #[must_use]
    pub fn shelters(self) -> bool {
        !matches!(self, Self::Wire | Self::Mines)
    }

    /// The word for it, as in case files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Foxhole => "foxhole",
            Self::Trench => "trench",
            Self::Pillbox => "pillbox",
            Self::Sangar => "sangar",
            Self::Wire => "wire",
            Self::Mines => "mines",
        }
    }
}

/// What the enemy sees of a unit. The numbers are part of the plugin ABI.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
pub enum Concealment {
    /// The unit itself.
    #[default]
    Unconcealed = 0,
    /// A "?" counter.
    Concealed = 1,
    /// Nothing: it is off the map, and recorded.
    Hidden = 2,
}

impl Concealment {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Unconcealed, Self::Concealed, Self::Hidden];

    /// The word for it, as in case files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unconcealed => "unconcealed",
            Self::Concealed => "concealed",
            Self::Hidden => "hidden",
        }
    }
}

/// What sets up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetUpPiece {
    /// A unit. A Gun is one that its crew mans and that is not limbered.
    Unit {
        /// Its class.
        class: CounterClass,
        /// What the enemy sees of it.
        concealment: Concealment,
        /// The Fortification beneath whose counter it sets up.
        beneath: Option<Fortification>,
    },
    /// A Fortification.
    Fortification(Fortification),
}

impl SetUpPiece {
    /// A unit in plain view, beneath nothing.
    #[must_use]
    pub fn unit(class: CounterClass) -> Self {
        Self::Unit {
            class,
            concealment: Concealment::Unconcealed,
            beneath: None,
        }
    }
}

/// Something that sets up in a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetUp {
    /// What.
    pub piece: SetUpPiece,
    /// Where.
    pub hex: Hex,
}

// === Canonical forms ===

impl Canonical for SetUpPiece {
    fn write(&self, canon: &mut Canon) {
        match self {
            Self::Unit {
                class,
                concealment,
                beneath,
            } => canon
                .int(1)
                .int(*class as u32)
                .int(*concealment as u32)
                .option(beneath.map(|beneath| beneath as u32)),
            Self::Fortification(fortification) => canon.int(2).int(*fortification as u32),
        };
    }
}

impl Canonical for SetUp {
    fn write(&self, canon: &mut Canon) {
        canon.put(self.piece).put(self.hex);
    }
}
