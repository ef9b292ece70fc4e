//! A hex, or the step from one hex to another.

use std::ops::{Add, Neg, Sub};

use crate::{Direction, Hexside};

/// A hex in axial coordinates, or the offset between two.
///
/// `q` is the column, growing eastward; within a column `r` grows by one for each hex
/// southward. Hexes sort by column, then from north to south.
///
/// Sums and differences wrap at the ends of `i16`, so no coordinate makes this crate panic.
/// Every hex of every [`Grid`](crate::Grid), every offset between two of them, and every turn
/// or mirror image of those, lies far inside.
///
/// ```
/// use alamein_hex::{Direction, Hex};
///
/// let p6 = Hex::new(15, -1);
/// assert_eq!(p6.neighbour(Direction::NE), Hex::new(16, -2));
/// assert_eq!(p6.range(Hex::new(18, 1)), 5);
/// ```
#[repr(C)]
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, Default)]
pub struct Hex {
    /// The column, growing eastward.
    pub q: i16,
    /// Growing southward within a column.
    pub r: i16,
}

impl Hex {
    /// The hex at those axial coordinates.
    #[must_use]
    #[inline]
    pub const fn new(q: i16, r: i16) -> Hex {
        Hex { q, r }
    }

    /// The hex on the other side of the hexside in that direction.
    #[must_use]
    #[inline]
    pub const fn neighbour(self, direction: Direction) -> Hex {
        let step = direction.delta();
        Hex {
            q: self.q.wrapping_add(step.q),
            r: self.r.wrapping_add(step.r),
        }
    }

    /// The six neighbours, clockwise from the north one.
    #[must_use]
    #[inline]
    pub fn neighbours(self) -> [Hex; 6] {
        Direction::ALL.map(|direction| self.neighbour(direction))
    }

    /// The six hexsides, clockwise from the north one.
    #[must_use]
    #[inline]
    pub fn hexsides(self) -> [Hexside; 6] {
        Direction::ALL.map(|direction| Hexside::of(self, direction))
    }

    /// How many hexes away the other hex is: 0 for the same hex, 1 for a neighbour.
    ///
    /// Ranges beyond `u16` (which no map comes near) are given as `u16::MAX`.
    #[must_use]
    #[inline]
    pub fn range(self, other: Hex) -> u16 {
        let dq = i32::from(other.q) - i32::from(self.q);
        let dr = i32::from(other.r) - i32::from(self.r);
        let far = dq.abs().max(dr.abs()).max((dq + dr).abs());
        u16::try_from(far).unwrap_or(u16::MAX)
    }

    /// The direction in which the other hex lies, if it is a neighbour.
    ///
    /// ```
    /// use alamein_hex::{Direction, Hex};
    ///
    /// let here = Hex::new(0, 0);
    /// assert_eq!(here.direction_to(Hex::new(1, 0)), Some(Direction::SE));
    /// assert_eq!(here.direction_to(Hex::new(2, 0)), None);
    /// assert_eq!(here.direction_to(here), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn direction_to(self, other: Hex) -> Option<Direction> {
        let step = other - self;
        Direction::ALL
            .into_iter()
            .find(|direction| direction.delta() == step)
    }

    /// Whether the two hexes share a hexside. A hex is not adjacent to itself.
    #[must_use]
    #[inline]
    pub fn is_adjacent(self, other: Hex) -> bool {
        self.direction_to(other).is_some()
    }

    /// This offset after that many sixths of a full turn clockwise about hex (0, 0)
    /// (negative: anticlockwise).
    ///
    /// ```
    /// use alamein_hex::{Direction, Hex};
    ///
    /// assert_eq!(Direction::N.delta().turned(1), Direction::NE.delta());
    /// assert_eq!(Hex::new(3, 1).turned(6), Hex::new(3, 1));
    /// assert_eq!(Hex::new(3, 1).turned(-1), Hex::new(3, 1).turned(5));
    /// ```
    #[must_use]
    #[inline]
    pub const fn turned(self, turns: i8) -> Hex {
        let mut hex = self;
        let mut left = turns.rem_euclid(6);
        while left > 0 {
            hex = Hex {
                q: hex.r.wrapping_neg(),
                r: hex.q.wrapping_add(hex.r),
            };
            left -= 1;
        }
        hex
    }
}

impl Add for Hex {
    type Output = Hex;

    #[inline]
    fn add(self, other: Hex) -> Hex {
        Hex {
            q: self.q.wrapping_add(other.q),
            r: self.r.wrapping_add(other.r),
        }
    }
}

impl Sub for Hex {
    type Output = Hex;

    #[inline]
    fn sub(self, other: Hex) -> Hex {
        Hex {
            q: self.q.wrapping_sub(other.q),
            r: self.r.wrapping_sub(other.r),
        }
    }
}

impl Neg for Hex {
    type Output = Hex;

    #[inline]
    fn neg(self) -> Hex {
        Hex {
            q: self.q.wrapping_neg(),
            r: self.r.wrapping_neg(),
        }
    }
}
