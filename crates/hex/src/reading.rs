//! A line nudged to one side, which crosses only the insides of hexsides.

use std::sync::Arc;

use crate::{Hex, Hexside};

/// The side to which a line is nudged, as seen looking along it on the printed map.
#[repr(u8)]
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Side {
    /// To the left.
    Left = 0,
    /// To the right.
    Right = 1,
}

impl Side {
    /// Both, left then right, as the readings of a trace are ordered.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// The other side.
    #[must_use]
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    /// The bit that stands for this side in [`Touch::readings`](crate::Touch::readings).
    #[must_use]
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The line passes from one hex into the next over the hexside they share.
///
/// Every bit pattern is a valid value, so that an array of these can be lent to a plugin as it
/// stands.
#[repr(C)]
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Crossing {
    /// The hex it leaves.
    pub from: Hex,
    /// The hex it enters.
    pub to: Hex,
}

impl Crossing {
    /// The hexside that is crossed.
    ///
    /// # Panics
    ///
    /// If the two hexes are not neighbours; those of a trace always are.
    #[must_use]
    #[inline]
    pub fn hexside(self) -> Hexside {
        match Hexside::between(self.from, self.to) {
            Some(side) => side,
            None => panic!(
                "no hexside between {:?} and {:?}: they are not adjacent",
                self.from, self.to
            ),
        }
    }

    /// The same hexside crossed the other way.
    #[must_use]
    #[inline]
    pub const fn reversed(self) -> Crossing {
        Crossing {
            from: self.to,
            to: self.from,
        }
    }

    /// The same crossing on a map shifted by that offset.
    #[must_use]
    #[inline]
    pub fn shifted(self, by: Hex) -> Crossing {
        Crossing {
            from: self.from + by,
            to: self.to + by,
        }
    }
}

/// A nudged reading of a line: the hexes through whose insides it runs once it is shifted by
/// an infinitesimal step to one side, and the hexsides it crosses between them.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct Reading {
    start: Option<Hex>,
    // Shared by both readings of a line that does not graze.
    crossings: Arc<[Crossing]>,
}

impl Reading {
    #[inline]
    pub(crate) fn new(start: Option<Hex>, crossings: Vec<Crossing>) -> Reading {
        Reading {
            start,
            crossings: crossings.into(),
        }
    }

    /// The crossings, in order from the trace's `from`.
    #[must_use]
    #[inline]
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// The first hex it runs through: that of the aim, or for an aim at a vertex the one just
    /// ahead of the vertex, which may be another than the aim's. Nothing only where both aims
    /// are at one vertex, so that there is no line.
    #[must_use]
    #[inline]
    pub fn start(&self) -> Option<Hex> {
        self.start
    }

    /// The last hex it runs through.
    #[must_use]
    #[inline]
    pub fn end(&self) -> Option<Hex> {
        match self.crossings.last() {
            Some(crossing) => Some(crossing.to),
            None => self.start,
        }
    }

    /// The hexes it runs through, in order, each once.
    #[inline]
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + '_ {
        let entered = self.crossings.iter().map(|crossing| crossing.to);
        self.start.into_iter().chain(entered)
    }
}
