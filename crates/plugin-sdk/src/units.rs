//! The ends of lines and the counters on them, as a plugin sees them.
#![allow(unsafe_code)]

use alamein_hex::Hex;
use alamein_plugin_abi as abi;
use alamein_terrain::{CounterClass, CounterFlags, LaneMover};

use crate::line::Surroundings;
use crate::view::{hex, text};

/// An end of a line: the unit there, or an ordinary one.
#[derive(Clone, Copy)]
pub struct End<'a> {
    pub(crate) view: &'a abi::EndView,
}

impl End<'_> {
    /// Its hex.
    #[must_use]
    #[inline]
    pub fn hex(&self) -> Hex {
        hex(self.view.hex)
    }

    /// Its level in half levels.
    #[must_use]
    #[inline]
    pub fn level(&self) -> i16 {
        self.view.level
    }

    /// What it is.
    #[must_use]
    #[inline]
    pub fn class(&self) -> CounterClass {
        CounterClass::from_number(self.view.class).unwrap_or(CounterClass::Squad)
    }

    /// The counter's index; nothing for an ordinary unit.
    #[must_use]
    #[inline]
    pub fn counter(&self) -> Option<u32> {
        (self.view.counter != abi::NONE).then_some(self.view.counter)
    }

    /// Its side, as a number; nothing if it is of no side.
    #[must_use]
    #[inline]
    pub fn side(&self) -> Option<u32> {
        (self.view.side != 0).then_some(self.view.side)
    }

    /// Beneath an entrenchment.
    #[must_use]
    #[inline]
    pub fn is_entrenched(&self) -> bool {
        self.has(CounterFlags::ENTRENCHED)
    }

    /// An Emplaced Gun.
    #[must_use]
    #[inline]
    pub fn is_emplaced(&self) -> bool {
        self.has(CounterFlags::EMPLACED)
    }

    /// A Dug-In vehicle.
    #[must_use]
    #[inline]
    pub fn is_dug_in(&self) -> bool {
        self.has(CounterFlags::DUG_IN)
    }

    /// Carried by a vehicle.
    #[must_use]
    #[inline]
    pub fn is_prc(&self) -> bool {
        self.view.aboard != 0
    }

    /// An armored fighting vehicle, no wreck.
    #[must_use]
    #[inline]
    pub fn is_afv(&self) -> bool {
        self.class().is_armored() && !self.has(CounterFlags::UNARMORED)
    }

    /// Infantry on the ground, the crew of a Gun included.
    #[must_use]
    #[inline]
    pub fn is_infantry(&self) -> bool {
        self.class().is_infantry() && !self.is_prc()
    }

    #[inline]
    fn has(&self, flag: CounterFlags) -> bool {
        CounterFlags::from_bits(self.view.flags).has(flag)
    }
}

/// What is asked of a Fire Lane.
#[derive(Clone, Copy)]
pub struct Lane<'a> {
    pub(crate) hex: Hex,
    pub(crate) mover: LaneMover,
    pub(crate) probe: Option<Counter<'a>>,
}

impl<'a> Lane<'a> {
    /// The hex in which something moves.
    #[must_use]
    #[inline]
    pub fn hex(&self) -> Hex {
        self.hex
    }

    /// What moves there.
    #[must_use]
    #[inline]
    pub fn mover(&self) -> LaneMover {
        self.mover
    }

    /// A hypothetical wreck in that hex: what is observed of it tells whether a wreck there would
    /// Hinder the lane.
    #[must_use]
    #[inline]
    pub fn probe(&self) -> Option<Counter<'a>> {
        self.probe
    }
}

/// A counter.
#[derive(Clone, Copy)]
pub struct Counter<'a> {
    pub(crate) index: u32,
    pub(crate) view: &'a abi::CounterView,
    pub(crate) around: Surroundings<'a>,
}

impl Counter<'_> {
    /// Its index, by which sayings name it.
    #[must_use]
    #[inline]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Where it is.
    #[must_use]
    #[inline]
    pub fn hex(&self) -> Hex {
        hex(self.view.hex)
    }

    /// What it is.
    #[must_use]
    #[inline]
    pub fn class(&self) -> CounterClass {
        CounterClass::from_number(self.view.class).unwrap_or(CounterClass::Squad)
    }

    /// Its level in half levels.
    #[must_use]
    #[inline]
    pub fn level(&self) -> i16 {
        self.view.level
    }

    /// Its side, as a number; nothing if it is of no side.
    #[must_use]
    #[inline]
    pub fn side(&self) -> Option<u32> {
        (self.view.side != 0).then_some(self.view.side)
    }

    /// It is not really there: it is asked about.
    #[must_use]
    #[inline]
    pub fn is_probe(&self) -> bool {
        self.view.probe != 0
    }

    /// An armored fighting vehicle, no wreck.
    #[must_use]
    #[inline]
    pub fn is_afv(&self) -> bool {
        self.class().is_armored() && !self.has(CounterFlags::UNARMORED)
    }

    /// A wreck.
    #[must_use]
    #[inline]
    pub fn is_wreck(&self) -> bool {
        self.class() == CounterClass::Wreck
    }

    /// On fire.
    #[must_use]
    #[inline]
    pub fn is_burning(&self) -> bool {
        self.has(CounterFlags::BURNING)
    }

    /// Fire at this moment would treat it as moving, or as having just moved.
    #[must_use]
    #[inline]
    pub fn is_in_motion(&self) -> bool {
        self.has(CounterFlags::IN_MOTION)
    }

    /// Without a crew.
    #[must_use]
    #[inline]
    pub fn is_abandoned(&self) -> bool {
        self.has(CounterFlags::ABANDONED)
    }

    /// Entrenched or Dug-In.
    #[must_use]
    #[inline]
    pub fn is_dug_in(&self) -> bool {
        self.has(CounterFlags::DUG_IN) || self.has(CounterFlags::ENTRENCHED)
    }

    /// An attribute that a plugin declares, by its full name: `plugin.name`.
    #[must_use]
    #[inline]
    pub fn attribute(&self, name: &str) -> Option<i64> {
        let names = self.around.attribute_names;
        // SAFETY: the batch is valid, and this array holds texts.
        let named = |bytes: &abi::Bytes| unsafe { text(*bytes) } == name;
        let wanted = u32::try_from(names.iter().position(named)?).ok()?;
        let mut attributes = self.around.attributes.iter();
        let held = attributes.find(|held| held.counter == self.index && held.name == wanted)?;
        Some(held.value)
    }

    #[inline]
    fn has(&self, flag: CounterFlags) -> bool {
        CounterFlags::from_bits(self.view.flags).has(flag)
    }
}
