//! Questions: what a client asks about a position.

use alamein_hex::{Aim, Hex};
use serde::{Deserialize, Serialize};

use crate::canon::{Canon, Canonical};
use crate::counter::{Counter, CounterClass};
use crate::map::EnvironmentCondition;
use crate::setup::SetUp;

/// How a predicate combines the two nudged readings of a line that grazes a vertex or a hexside.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[repr(u32)]
pub enum GrazingPolicy {
    /// True if it is true on some reading.
    #[default]
    Either = 1,
    /// True if it is true on every reading.
    Both = 2,
    /// Never true of a line that grazes anywhere.
    NeitherIfGrazing = 3,
}

impl GrazingPolicy {
    /// Every policy.
    pub const ALL: [Self; 3] = [Self::Either, Self::Both, Self::NeitherIfGrazing];

    /// The name used in files and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Either => "EITHER",
            Self::Both => "BOTH",
            Self::NeitherIfGrazing => "NEITHER_IF_GRAZING",
        }
    }
}

/// How a shot travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
pub enum Attack {
    /// Direct Fire: all that traces a line of fire and is no mortar.
    Direct = 1,
    /// Fire of an on-map mortar, which is Indirect Fire that traces a LOS.
    Mortar = 2,
    /// Off-board artillery; the line is that of its observer.
    Oba = 3,
}

/// What a shot is made of, where terrain asks.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
pub enum Munition {
    /// Small arms, MG, AP and whatever else terrain makes no difference to; or it is not said.
    #[default]
    Other = 0,
    /// HE of ordnance, of a mortar or of OBA, resolved on the IFT.
    He = 1,
    /// A Bombardment.
    Bombardment = 2,
}

/// One end of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// A counter of the position (or a probe of the question), by id.
    Counter {
        /// Its id.
        id: String,
        /// The vertex of its hex to aim at (a unit in Bypass), or its hex's centre.
        corner: Option<u8>,
    },
    /// An ordinary unit in this hex: neither entrenched nor Emplaced, of no side.
    Hex(Aim),
}

/// Who moves through the hex that a Fire Lane crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
pub enum LaneMover {
    /// Infantry.
    Infantry = 1,
    /// Cavalry, with their Horses.
    Cavalry = 2,
    /// A vehicle.
    Vehicle = 3,
    /// Vulnerable PRC of a vehicle.
    VulnerablePrc = 4,
}

/// Ground pressure of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
pub enum GroundPressure {
    /// Low.
    Low = 1,
    /// Normal.
    Normal = 2,
    /// High.
    High = 3,
}

/// What moves, as far as terrain cares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mover {
    /// Its class.
    pub class: CounterClass,
    /// Its ground pressure, if it has one.
    pub ground_pressure: Option<GroundPressure>,
    /// Its weight in kilograms, if known.
    pub weight_kg: Option<u32>,
    /// Whether it was built in Britain.
    pub british_built: bool,
}

impl Mover {
    /// A mover of which only the class is known.
    #[must_use]
    pub fn new(class: CounterClass) -> Self {
        Self {
            class,
            ground_pressure: None,
            weight_kg: None,
            british_built: false,
        }
    }
}

/// What a step follows, whatever the map shows: the mover says so.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
pub enum Way {
    /// Nothing that it says; what the map shows counts.
    #[default]
    Open = 0,
    /// A track.
    Track = 1,
    /// A road.
    Road = 2,
}

/// One step of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// From one hex into an adjacent one.
    Enter {
        /// The hex it leaves.
        from: Hex,
        /// The hex it enters.
        to: Hex,
        /// What it follows.
        way: Way,
    },
    /// A change of VCA within a hex.
    Turn {
        /// The hex.
        hex: Hex,
        /// The hex from which it entered this one, if it matters and is known.
        entered_from: Option<Hex>,
        /// By how many hexsides it turns, 1 to 3.
        hexsides: u8,
        /// What it follows.
        way: Way,
    },
}

impl Step {
    /// A step over a hexside that follows nothing but what the map shows.
    #[must_use]
    pub fn enter(from: Hex, to: Hex) -> Self {
        Self::Enter {
            from,
            to,
            way: Way::Open,
        }
    }

    /// The hex in which the step begins.
    #[must_use]
    pub fn begins_in(&self) -> Hex {
        match self {
            Self::Enter { from, .. } => *from,
            Self::Turn { hex, .. } => *hex,
        }
    }

    /// The hex in which the step ends.
    #[must_use]
    pub fn ends_in(&self) -> Hex {
        match self {
            Self::Enter { to, .. } => *to,
            Self::Turn { hex, .. } => *hex,
        }
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Do these two see each other?
    LineOfSight {
        /// One end.
        from: End,
        /// The other.
        to: End,
    },
    /// What does the terrain do to this shot?
    LineOfFire {
        /// The firer.
        from: End,
        /// The target.
        to: End,
        /// How the shot travels.
        attack: Attack,
        /// What it is made of.
        munition: Munition,
    },
    /// Does this Fire Lane attack a mover in that hex?
    FireLane {
        /// The machine gun.
        mg: End,
        /// The hex that holds the Fire Lane counter.
        counter_hex: Hex,
        /// The hex in which something moves.
        mover_hex: Hex,
        /// What moves there.
        mover: LaneMover,
    },
    /// What does this step cost?
    Movement {
        /// Who moves.
        mover: Mover,
        /// The step.
        step: Step,
        /// Environmental Conditions, where they differ from the position's.
        ec: Option<EnvironmentCondition>,
    },
    /// May this set up there, and is it Emplaced?
    SetUp(SetUp),
}

/// A question about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub ask: Ask,
    /// The grazing policy, where the players agreed on another than the ruleset's.
    pub policy: Option<GrazingPolicy>,
    /// Counters that are not there: what is observed of them is shown and never added.
    pub probes: Vec<Counter>,
    /// Layers that may be on the map though no plugin owns them.
    pub ignore_layers: Vec<String>,
}

impl Question {
    /// The plain question, with no exceptions.
    #[must_use]
    pub fn new(ask: Ask) -> Self {
        Self {
            ask,
            policy: None,
            probes: Vec::new(),
            ignore_layers: Vec::new(),
        }
    }
}

// === Canonical forms ===

impl Canonical for End {
    fn write(&self, canon: &mut Canon) {
        match self {
            Self::Counter { id, corner } => canon.int(1).text(id).option(*corner),
            Self::Hex(aim) => canon.int(2).put(aim.hex).option(aim.corner),
        };
    }
}

impl Canonical for Mover {
    fn write(&self, canon: &mut Canon) {
        canon
            .int(self.class as u32)
            .option(self.ground_pressure.map(|pressure| pressure as u32))
            .option(self.weight_kg)
            .put(self.british_built);
    }
}

impl Canonical for Step {
    fn write(&self, canon: &mut Canon) {
        match self {
            Self::Enter { from, to, way } => canon.int(1).put(from).put(to).int(*way as u32),
            Self::Turn {
                hex,
                entered_from,
                hexsides,
                way,
            } => canon
                .int(2)
                .put(hex)
                .option(entered_from.as_ref())
                .int(*hexsides)
                .int(*way as u32),
        };
    }
}

impl Canonical for Ask {
    fn write(&self, canon: &mut Canon) {
        match self {
            Self::LineOfSight { from, to } => canon.int(1).put(from).put(to),
            Self::LineOfFire {
                from,
                to,
                attack,
                munition,
            } => canon
                .int(2)
                .put(from)
                .put(to)
                .int(*attack as u32)
                .int(*munition as u32),
            Self::FireLane {
                mg,
                counter_hex,
                mover_hex,
                mover,
            } => canon
                .int(3)
                .put(mg)
                .put(counter_hex)
                .put(mover_hex)
                .int(*mover as u32),
            Self::Movement { mover, step, ec } => canon
                .int(4)
                .put(mover)
                .put(step)
                .option(ec.map(|ec| ec as u32)),
            Self::SetUp(setup) => canon.int(5).put(setup),
        };
    }
}

impl Canonical for Question {
    fn write(&self, canon: &mut Canon) {
        // Probes and ignored layers are sets: how the client ordered them means nothing.
        let mut probes: Vec<&Counter> = self.probes.iter().collect();
        probes.sort_by(|a, b| a.id.cmp(&b.id));
        let mut ignored: Vec<&String> = self.ignore_layers.iter().collect();
        ignored.sort();
        ignored.dedup();
        canon
            .text("alamein/question/2")
            .put(&self.ask)
            .option(self.policy.map(|policy| policy as u32))
            .list(probes.into_iter())
            .list(ignored.into_iter());
    }
}
