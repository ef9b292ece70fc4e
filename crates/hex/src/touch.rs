//! How a line touches a hex.

use crate::{Hex, Side};

/// How a line touches a hex, the closest way first.
#[repr(u8)]
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Contact {
    /// An aiming point belongs to the hex.
    End = 0,
    /// The line runs through the hex's inside.
    Through = 1,
    /// The line runs along a hexside of the hex, and nowhere through its inside.
    Along = 2,
    /// The line meets the hex at a vertex only.
    Vertex = 3,
}

impl Contact {
    /// The contact of that number, or nothing for a number above 3.
    #[must_use]
    #[inline]
    pub const fn from_index(index: u8) -> Option<Contact> {
        match index {
            0 => Some(Contact::End),
            1 => Some(Contact::Through),
            2 => Some(Contact::Along),
            3 => Some(Contact::Vertex),
            _ => None,
        }
    }

    /// The number of this contact, 0 (end) to 3 (vertex).
    #[must_use]
    #[inline]
    pub const fn index(self) -> u8 {
        self as u8
    }
}

/// One hex that a line touches.
///
/// Every bit pattern is a valid value, so that an array of these can be lent to a plugin as it
/// stands.
#[repr(C)]
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Touch {
    /// The hex.
    pub hex: Hex,
    /// How it is touched, as the number of a [`Contact`]; see [`Touch::contact`].
    pub contact: u8,
    /// Which nudged readings run through the hex: bit 0 the left one, bit 1 the right one; see
    /// [`Touch::is_on`].
    pub readings: u8,
}

impl Touch {
    /// How the hex is touched. A number that stands for no contact, which no trace holds, is
    /// taken for the slightest, a vertex.
    #[must_use]
    #[inline]
    pub const fn contact(self) -> Contact {
        match Contact::from_index(self.contact) {
            Some(contact) => contact,
            None => Contact::Vertex,
        }
    }

    /// Whether that nudged reading runs through the hex.
    #[must_use]
    #[inline]
    pub const fn is_on(self, side: Side) -> bool {
        self.readings & side.bit() != 0
    }

    /// The same touch on a map shifted by that offset.
    #[must_use]
    #[inline]
    pub fn shifted(self, by: Hex) -> Touch {
        Touch {
            hex: self.hex + by,
            ..self
        }
    }
}
