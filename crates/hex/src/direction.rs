//! The six ways out of a hex.

use crate::Hex;

/// One of the six ways from a hex to its neighbour, and so one of its six hexsides.
///
/// Hexes have flat tops, so north is a hexside. Directions go clockwise from north, and
/// [`Direction::index`] numbers them 0 to 5 in that order.
///
/// ```
/// use alamein_hex::{Direction, Hex};
///
/// assert_eq!(Direction::N.delta(), Hex::new(0, -1));
/// assert_eq!(Direction::N.turned(2), Direction::SE);
/// assert_eq!(Direction::SE.opposite(), Direction::NW);
/// ```
#[repr(u8)]
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Direction {
    /// North: the same column, one row up.
    N = 0,
    /// North-east.
    NE = 1,
    /// South-east.
    SE = 2,
    /// South: the same column, one row down.
    S = 3,
    /// South-west.
    SW = 4,
    /// North-west.
    NW = 5,
}

impl Direction {
    /// All six, clockwise from north.
    pub const ALL: [Direction; 6] = [
        Direction::N,
        Direction::NE,
        Direction::SE,
        Direction::S,
        Direction::SW,
        Direction::NW,
    ];

    /// The number of this direction, 0 (north) to 5 (north-west), clockwise.
    #[must_use]
    #[inline]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The direction of that number, or nothing for a number above 5.
    ///
    /// ```
    /// use alamein_hex::Direction;
    ///
    /// assert_eq!(Direction::from_index(3), Some(Direction::S));
    /// assert_eq!(Direction::from_index(6), None);
    /// ```
    #[must_use]
    #[inline]
    pub const fn from_index(index: u8) -> Option<Direction> {
        match index {
            0 => Some(Direction::N),
            1 => Some(Direction::NE),
            2 => Some(Direction::SE),
            3 => Some(Direction::S),
            4 => Some(Direction::SW),
            5 => Some(Direction::NW),
            _ => None,
        }
    }

    /// The direction that points back.
    #[must_use]
    #[inline]
    pub const fn opposite(self) -> Direction {
        self.turned(3)
    }

    /// This direction after that many sixths of a full turn clockwise (negative:
    /// anticlockwise).
    #[must_use]
    #[inline]
    pub const fn turned(self, turns: i8) -> Direction {
        Direction::ALL[(self as i16 + turns as i16).rem_euclid(6) as usize]
    }

    /// The step from a hex to its neighbour in this direction.
    #[must_use]
    #[inline]
    pub const fn delta(self) -> Hex {
        match self {
            Direction::N => Hex::new(0, -1),
            Direction::NE => Hex::new(1, -1),
            Direction::SE => Hex::new(1, 0),
            Direction::S => Hex::new(0, 1),
            Direction::SW => Hex::new(-1, 1),
            Direction::NW => Hex::new(-1, 0),
        }
    }

    /// How this direction is written: `N`, `NE`, `SE`, `S`, `SW` or `NW`.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Direction::N => "N",
            Direction::NE => "NE",
            Direction::SE => "SE",
            Direction::S => "S",
            Direction::SW => "SW",
            Direction::NW => "NW",
        }
    }

    /// The direction written so, in upper or lower case.
    ///
    /// ```
    /// use alamein_hex::Direction;
    ///
    /// assert_eq!(Direction::from_name("sw"), Some(Direction::SW));
    /// assert_eq!(Direction::from_name("E"), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn from_name(name: &str) -> Option<Direction> {
        Direction::ALL
            .into_iter()
            .find(|direction| direction.name().eq_ignore_ascii_case(name))
    }
}

impl std::fmt::Display for Direction {
    #[inline]
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
