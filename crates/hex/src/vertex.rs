//! A vertex: the point where three hexes meet.

use crate::lattice::{Point, SCALE};
use crate::{Hex, Hexside};

/// A vertex, the same value from whichever of its three hexes it was named.
///
/// It is held as an exact point of the axial plane scaled by six: the centre of hex (q, r) is
/// (6q, 6r), and its corner `k` lies at that plus twice the sum of the steps in the directions
/// `k` and `k + 1`. Corners count clockwise: 0 is the north-east one, between the hexsides N
/// and NE; then 1 E, 2 SE, 3 SW, 4 W, 5 NW.
///
/// ```
/// use alamein_hex::{Hex, Vertex};
///
/// let east = Vertex::of(Hex::new(0, 0), 1).unwrap();
/// assert_eq!(Some(east), Vertex::of(Hex::new(1, 0), 5));
/// assert_eq!((east.x(), east.y()), (4, -2));
/// assert_eq!(east.hexes(), [Hex::new(0, 0), Hex::new(1, -1), Hex::new(1, 0)]);
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Vertex {
    // Never any lattice point but a vertex; the constructors see to that.
    x: i32,
    y: i32,
}

impl Vertex {
    /// The vertex at that corner of a hex, 0 to 5; nothing for a number above 5.
    #[must_use]
    #[inline]
    pub fn of(hex: Hex, corner: u8) -> Option<Vertex> {
        (corner < 6).then(|| Vertex::at(hex, corner))
    }

    /// The vertex at that corner; numbers above 5 count round again.
    #[inline]
    pub(crate) fn at(hex: Hex, corner: u8) -> Vertex {
        Vertex::from_point(Point::centre(hex).plus(Point::to_corner(corner % 6)))
    }

    /// The vertex at a point known to be one.
    #[inline]
    pub(crate) fn from_point(point: Point) -> Vertex {
        Vertex {
            x: point.x,
            y: point.y,
        }
    }

    /// This vertex as a point of the lattice.
    #[inline]
    pub(crate) fn point(self) -> Point {
        Point {
            x: self.x,
            y: self.y,
        }
    }

    /// The first lattice coordinate, along `q`, in sixths of a hex.
    #[must_use]
    #[inline]
    pub const fn x(self) -> i32 {
        self.x
    }

    /// The second lattice coordinate, along `r`, in sixths of a hex.
    #[must_use]
    #[inline]
    pub const fn y(self) -> i32 {
        self.y
    }

    /// The three hexes that meet here, sorted.
    #[must_use]
    #[inline]
    pub fn hexes(self) -> [Hex; 3] {
        let mut hexes = self.corners().map(|(hex, _)| hex);
        hexes.sort_unstable();
        hexes
    }

    /// The three hexsides that meet here, sorted.
    #[must_use]
    #[inline]
    pub fn hexsides(self) -> [Hexside; 3] {
        // Corner k of a hex is where its hexside k ends: of the three hexes, each gives one.
        let mut sides = self.corners().map(|(hex, corner)| {
            let direction = crate::Direction::ALL[usize::from(corner)];
            Hexside::of(hex, direction)
        });
        sides.sort_unstable();
        sides
    }

    /// The same vertex on a map shifted by that offset.
    #[must_use]
    #[inline]
    pub fn shifted(self, by: Hex) -> Vertex {
        Vertex::from_point(self.point().plus(Point::centre(by)))
    }

    /// The three hexes that meet here, each with the number of this corner of it.
    pub(crate) fn corners(self) -> [(Hex, u8); 3] {
        // Two kinds of vertex alternate round a hex: three hexes meet at their corners 0, 2, 4,
        // or at their corners 1, 3, 5.
        let kind: [u8; 3] = if self.x.rem_euclid(SCALE) == 2 {
            [0, 2, 4]
        } else {
            [1, 3, 5]
        };
        kind.map(|corner| {
            let centre = self.point().minus(Point::to_corner(corner));
            // Wraps as `Hex` arithmetic does, for vertices at the very ends of i16.
            let hex = Hex::new((centre.x / SCALE) as i16, (centre.y / SCALE) as i16);
            (hex, corner)
        })
    }
}
