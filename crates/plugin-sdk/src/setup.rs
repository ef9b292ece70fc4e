//! Set-ups, as a plugin sees them.

use alamein_hex::Hex;
use alamein_plugin_abi as abi;
use alamein_terrain::{Concealment, CounterClass, EnvironmentCondition, Fortification};

use crate::Counter;
use crate::line::{Surroundings, condition};
use crate::view::hex;

/// Something that a scenario's set-up puts into a hex: a unit, or a Fortification.
#[derive(Clone, Copy)]
pub struct SetUp<'a> {
    view: &'a abi::SetUpView,
    around: Surroundings<'a>,
}

impl<'a> SetUp<'a> {
    pub(crate) fn new(view: &'a abi::SetUpView, around: Surroundings<'a>) -> Self {
        Self { view, around }
    }

    /// The hex.
    #[must_use]
    pub fn hex(&self) -> Hex {
        hex(self.view.hex)
    }

    /// The class of the unit that sets up; nothing for a Fortification.
    #[must_use]
    pub fn class(&self) -> Option<CounterClass> {
        CounterClass::from_number(self.view.class)
    }

    /// A Gun sets up, manned by its crew and not limbered.
    #[must_use]
    pub fn is_gun(&self) -> bool {
        self.class() == Some(CounterClass::Gun)
    }

    /// The Fortification that sets up; nothing for a unit.
    #[must_use]
    pub fn fortification(&self) -> Option<Fortification> {
        Fortification::from_number(self.view.fortification)
    }

    /// The Fortification beneath whose counter a unit sets up.
    #[must_use]
    pub fn beneath(&self) -> Option<Fortification> {
        Fortification::from_number(self.view.beneath)
    }

    /// The Fortification that is in the hex by this set-up: the one that sets up, or the one beneath
    /// which a unit does.
    #[must_use]
    pub fn fortifies_with(&self) -> Option<Fortification> {
        self.fortification().or_else(|| self.beneath())
    }

    /// What the enemy sees of a unit.
    #[must_use]
    pub fn concealment(&self) -> Concealment {
        match self.view.concealment {
            abi::CONCEALMENT_CONCEALED => Concealment::Concealed,
            abi::CONCEALMENT_HIDDEN => Concealment::Hidden,
            _ => Concealment::Unconcealed,
        }
    }

    /// Concealed or hidden.
    #[must_use]
    pub fn is_out_of_sight(&self) -> bool {
        self.concealment() != Concealment::Unconcealed
    }

    /// Environmental Conditions.
    #[must_use]
    pub fn ec(&self) -> EnvironmentCondition {
        condition(self.around.ec)
    }

    /// The level of units that stand in a hex, in half levels.
    #[must_use]
    pub fn level_of(&self, hex: Hex) -> i16 {
        self.around.level(hex)
    }

    /// The counters that are in its hex already, probes included.
    pub fn counters(&self) -> impl Iterator<Item = Counter<'a>> + 'a {
        let (around, hex) = (self.around, self.hex());
        let all = (0..).map_while(move |index| around.counter(index));
        all.filter(move |counter| counter.hex() == hex)
    }
}
