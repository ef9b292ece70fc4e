//! Steps of a move, as a plugin sees them.

use alamein_hex::{Hex, Hexside};
use alamein_plugin_abi as abi;
use alamein_terrain::{CounterClass, EnvironmentCondition, GroundPressure, MovementUnit, Way};

use crate::line::{Surroundings, condition};
use crate::view::hex;

/// A step from one hex into an adjacent one.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    view: &'a abi::StepView,
    around: Surroundings<'a>,
}

impl<'a> Step<'a> {
    pub(crate) fn new(view: &'a abi::StepView, around: Surroundings<'a>) -> Self {
        Self { view, around }
    }

    /// The hex it leaves.
    #[must_use]
    pub fn from(&self) -> Hex {
        hex(self.view.from)
    }

    /// The hex it enters.
    #[must_use]
    pub fn to(&self) -> Hex {
        hex(self.view.to)
    }

    /// By how many hexsides it changes VCA, without leaving its hex; nothing for a step into the
    /// next.
    #[must_use]
    pub fn turns_by(&self) -> Option<u8> {
        let hexsides = u8::try_from(self.view.hexsides).unwrap_or(u8::MAX);
        (self.view.kind == abi::STEP_TURN).then_some(hexsides)
    }

    /// The hexside over which the mover came into the hex where the step ends: the one that this
    /// step crosses, or for a change of VCA the one by which it had entered, if that is known.
    #[must_use]
    pub fn entered_over(&self) -> Option<Hexside> {
        match self.turns_by() {
            None => self.hexside(),
            Some(_) if self.view.entered_known != 0 => {
                Hexside::between(hex(self.view.entered_from), self.to())
            }
            Some(_) => None,
        }
    }

    /// What it follows, by what the mover says.
    #[must_use]
    pub fn way(&self) -> Way {
        match self.view.way {
            1 => Way::Track,
            2 => Way::Road,
            _ => Way::Open,
        }
    }

    /// The hexside that it crosses; nothing for a change of VCA.
    #[must_use]
    pub fn hexside(&self) -> Option<Hexside> {
        Hexside::between(self.from(), self.to())
    }

    /// What moves.
    #[must_use]
    pub fn class(&self) -> CounterClass {
        CounterClass::from_number(self.view.class).unwrap_or(CounterClass::Squad)
    }

    /// It spends MP rather than MF.
    #[must_use]
    pub fn spends_mp(&self) -> bool {
        self.class().movement_unit() == MovementUnit::Mp
    }

    /// Its ground pressure, if it has one.
    #[must_use]
    pub fn ground_pressure(&self) -> Option<GroundPressure> {
        match self.view.ground_pressure {
            1 => Some(GroundPressure::Low),
            2 => Some(GroundPressure::Normal),
            3 => Some(GroundPressure::High),
            _ => None,
        }
    }

    /// Its weight in kilograms, if known.
    #[must_use]
    pub fn weight_kg(&self) -> Option<u32> {
        (self.view.weight_kg != 0).then_some(self.view.weight_kg)
    }

    /// Built in Britain.
    #[must_use]
    pub fn is_british_built(&self) -> bool {
        self.view.british_built != 0
    }

    /// Environmental Conditions.
    #[must_use]
    pub fn ec(&self) -> EnvironmentCondition {
        condition(self.view.ec)
    }

    /// The level of units that stand in a hex, in half levels.
    #[must_use]
    pub fn level_of(&self, hex: Hex) -> i16 {
        self.around.level(hex)
    }
}
