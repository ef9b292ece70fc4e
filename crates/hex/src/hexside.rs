//! A hexside: what two neighbouring hexes share.

use crate::{Direction, Hex, Vertex};

/// A hexside, the same value from whichever of its two hexes it was named.
///
/// ```
/// use alamein_hex::{Direction, Hex, Hexside};
///
/// let p6 = Hex::new(15, -1);
/// let p7 = p6.neighbour(Direction::S);
/// let side = Hexside::of(p6, Direction::S);
/// assert_eq!(side, Hexside::of(p7, Direction::N));
/// assert_eq!(side.beyond(p6), Some(p7));
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Hexside {
    hex: Hex,
    // Only N, NE or SE: with one of the two hexes picked so, each hexside has one value.
    direction: Direction,
}

impl Hexside {
    /// The hexside of that hex in that direction.
    #[must_use]
    #[inline]
    pub const fn of(hex: Hex, direction: Direction) -> Hexside {
        match direction {
            Direction::N | Direction::NE | Direction::SE => Hexside { hex, direction },
            Direction::S | Direction::SW | Direction::NW => Hexside {
                hex: hex.neighbour(direction),
                direction: direction.opposite(),
            },
        }
    }

    /// The hexside that two hexes share, or nothing if they are not neighbours.
    #[must_use]
    #[inline]
    pub fn between(one: Hex, other: Hex) -> Option<Hexside> {
        one.direction_to(other)
            .map(|direction| Hexside::of(one, direction))
    }

    /// The two hexes that share it; the second lies north, north-east or south-east of the
    /// first.
    #[must_use]
    #[inline]
    pub const fn hexes(self) -> [Hex; 2] {
        [self.hex, self.hex.neighbour(self.direction)]
    }

    /// The direction from the first of [`Hexside::hexes`] to the second: always `N`, `NE` or
    /// `SE`.
    #[must_use]
    #[inline]
    pub const fn direction(self) -> Direction {
        self.direction
    }

    /// The hex on the other side, seen from that hex; nothing if this is no hexside of it.
    #[must_use]
    #[inline]
    pub fn beyond(self, hex: Hex) -> Option<Hex> {
        let [one, other] = self.hexes();
        if hex == one {
            Some(other)
        } else if hex == other {
            Some(one)
        } else {
            None
        }
    }

    /// Whether this is one of the six hexsides of that hex.
    #[must_use]
    #[inline]
    pub fn touches(self, hex: Hex) -> bool {
        self.hexes().contains(&hex)
    }

    /// The two vertices at its ends; seen from the first of [`Hexside::hexes`], in clockwise
    /// order.
    #[must_use]
    #[inline]
    pub fn vertices(self) -> [Vertex; 2] {
        let side = self.direction.index();
        [
            Vertex::at(self.hex, (side + 5) % 6),
            Vertex::at(self.hex, side),
        ]
    }

    /// The same hexside on a map shifted by that offset.
    #[must_use]
    #[inline]
    pub fn shifted(self, by: Hex) -> Hexside {
        Hexside {
            hex: self.hex + by,
            direction: self.direction,
        }
    }
}
