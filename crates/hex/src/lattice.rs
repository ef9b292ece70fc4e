//! The whole-number plane in which lines are followed.
//!
//! Whether a line crosses a hexside does not change under an affine map, so the skewed axial
//! plane serves as well as the printed one. Scaled by six, every centre, vertex and hexside
//! midpoint is a whole number in it, and nothing ever needs rounding.

use crate::{Direction, Hex};

/// How many lattice steps the centres of neighbouring hexes are apart along an axis.
pub(crate) const SCALE: i32 = 6;

/// A point of the plane, `x` along `q` and `y` along `r`.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, Default)]
pub(crate) struct Point {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

impl Point {
    /// The centre dot of a hex.
    pub(crate) const fn centre(hex: Hex) -> Point {
        Point {
            x: SCALE * hex.q as i32,
            y: SCALE * hex.r as i32,
        }
    }

    /// The step from a hex's centre to its corner `k`, which lies between the hexsides `k` and
    /// `k + 1`. Numbers above 5 count round again.
    pub(crate) const fn to_corner(k: u8) -> Point {
        let before = Direction::ALL[(k % 6) as usize].delta();
        let after = Direction::ALL[((k + 1) % 6) as usize].delta();
        // A vertex is the centroid of the three hexes that meet in it.
        Point {
            x: SCALE / 3 * (before.q + after.q) as i32,
            y: SCALE / 3 * (before.r + after.r) as i32,
        }
    }

    /// The step from a hex's centre to its neighbour's.
    pub(crate) const fn to_neighbour(direction: Direction) -> Point {
        Point::centre(direction.delta())
    }

    /// This point moved by a step.
    pub(crate) const fn plus(self, step: Point) -> Point {
        Point {
            x: self.x + step.x,
            y: self.y + step.y,
        }
    }

    /// The step from another point to this one.
    pub(crate) const fn minus(self, from: Point) -> Point {
        Point {
            x: self.x - from.x,
            y: self.y - from.y,
        }
    }

    /// The cross product of two steps. Positive: the other points to the right (clockwise) of
    /// this one, for `q` and `r` go round the same way as right and down on the printed map.
    pub(crate) const fn cross(self, other: Point) -> i64 {
        self.x as i64 * other.y as i64 - self.y as i64 * other.x as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clockwise_is_to_the_right() {
        for (k, direction) in Direction::ALL.into_iter().enumerate() {
            let step = Point::to_neighbour(direction);
            let next = Point::to_neighbour(direction.turned(1));
            assert!(step.cross(next) > 0);
            assert!(next.cross(step) < 0);
            // The corner between two hexsides is right of the one and left of the other.
            let corner = Point::to_corner(k as u8);
            assert!(step.cross(corner) > 0 && next.cross(corner) < 0);
        }
    }

    #[test]
    fn a_corner_is_a_corner_of_both_neighbours_too() {
        for k in 0..6 {
            let from = |direction: u8| {
                let direction = Direction::ALL[usize::from(direction % 6)];
                Point::to_corner(k).minus(Point::to_neighbour(direction))
            };
            assert_eq!(from(k), Point::to_corner(k + 2));
            assert_eq!(from(k + 1), Point::to_corner(k + 4));
        }
    }
}
