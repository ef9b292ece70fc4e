//! The twelve ways to lay the hex plane onto itself.

use crate::{Aim, Direction, Hex, Hexside, Vertex};

/// A way to lay the hex plane onto itself that keeps hex (0, 0) in place: perhaps a mirror
/// image, then a turn.
///
/// The mirror swaps east and west. Turns go clockwise, by sixths.
///
/// ```
/// use alamein_hex::{Direction, Hex, Symmetry};
///
/// let turn = Symmetry::new(1, false);
/// assert_eq!(turn.direction(Direction::N), Direction::NE);
/// assert_eq!(turn.hex(Hex::new(2, -3)), Hex::new(2, -3).turned(1));
/// let mirror = Symmetry::new(0, true);
/// assert_eq!(mirror.direction(Direction::NE), Direction::NW);
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, Default)]
pub struct Symmetry {
    turns: u8,
    mirrored: bool,
}

impl Symmetry {
    /// The symmetry of that many sixths of a turn clockwise (counted round again from 6 on),
    /// after the mirror image if `mirrored`.
    #[must_use]
    pub const fn new(turns: u8, mirrored: bool) -> Symmetry {
        Symmetry {
            turns: turns % 6,
            mirrored,
        }
    }

    /// All twelve: the six turns, then the six turned mirror images.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        [false, true]
            .into_iter()
            .flat_map(|mirrored| (0..6).map(move |turns| Symmetry::new(turns, mirrored)))
    }

    /// How many sixths of a turn clockwise, 0 to 5.
    #[must_use]
    pub const fn turns(self) -> u8 {
        self.turns
    }

    /// Whether left and right are swapped.
    #[must_use]
    pub const fn mirrored(self) -> bool {
        self.mirrored
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        if self.mirrored {
            // A mirror image about any axis undoes itself.
            self
        } else {
            Symmetry::new(6 - self.turns, false)
        }
    }

    /// Where a hex, or an offset, goes.
    #[must_use]
    pub const fn hex(self, hex: Hex) -> Hex {
        let hex = if self.mirrored {
            Hex::new(hex.q.wrapping_neg(), hex.q.wrapping_add(hex.r))
        } else {
            hex
        };
        hex.turned(self.turns as i8)
    }

    /// Where a direction goes.
    #[must_use]
    pub const fn direction(self, direction: Direction) -> Direction {
        let index = direction.index() as i8;
        let mirrored = if self.mirrored { -index } else { index };
        Direction::N.turned(mirrored).turned(self.turns as i8)
    }

    /// Where a hexside goes.
    #[must_use]
    pub const fn hexside(self, hexside: Hexside) -> Hexside {
        let [hex, _] = hexside.hexes();
        Hexside::of(self.hex(hex), self.direction(hexside.direction()))
    }

    /// Where a vertex goes.
    #[must_use]
    pub fn vertex(self, vertex: Vertex) -> Vertex {
        let [(hex, corner), ..] = vertex.corners();
        Vertex::at(self.hex(hex), self.corner(corner))
    }

    /// Where an aim goes.
    #[must_use]
    pub fn aim(self, aim: Aim) -> Aim {
        Aim {
            hex: self.hex(aim.hex),
            corner: aim.corner.map(|corner| self.corner(corner)),
        }
    }

    /// Where a corner of a hex goes.
    const fn corner(self, corner: u8) -> u8 {
        let corner = corner % 6;
        // Corner k lies between hexsides k and k + 1, which the mirror makes -k and -k - 1.
        let mirrored = if self.mirrored { 5 - corner } else { corner };
        (mirrored + self.turns) % 6
    }
}
