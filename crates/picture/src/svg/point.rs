//! Where on the picture a hex, its vertices and a line are. All in whole tenths of a unit, so that
//! nothing is ever rounded in one way here and in another there.
//!
//! A hex is 60 units wide and 52 high: flat sides of 30, slanted ones 15 across and 26 down. That
//! is a regular hex to within a thousandth.

use std::fmt;

use alamein_hex::{Aim, Hex, Hexside, Vertex};

use crate::frame::Frame;

/// A length in tenths of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tenths(pub(super) i32);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, tenth) = (self.0.unsigned_abs() / 10, self.0.unsigned_abs() % 10);
        match tenth {
            0 => write!(f, "{sign}{whole}"),
            _ => write!(f, "{sign}{whole}.{tenth}"),
        }
    }
}

/// A point, in tenths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Point {
    pub(super) const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// This point moved.
    pub(super) const fn by(self, x: i32, y: i32) -> Self {
        Self::new(self.x + x, self.y + y)
    }

    /// The point that lies so many parts of `of` on the way to another.
    pub(super) const fn towards(self, to: Self, parts: i32, of: i32) -> Self {
        Self::new(
            self.x + (to.x - self.x) * parts / of,
            self.y + (to.y - self.y) * parts / of,
        )
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Tenths(self.x), Tenths(self.y))
    }
}

/// Half a hex's width; also the length of a hexside.
const HALF_WIDTH: i32 = 300;
/// Half a hex's height.
pub(super) const HALF_HEIGHT: i32 = 260;
/// How far apart two columns of hexes are.
const ACROSS: i32 = 450;
/// Into how many steps the lattice of vertices divides a hex.
const FINE: i32 = 6;

/// Where the hexes of a frame are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout<'a> {
    frame: &'a Frame,
    /// The upper left corner of the map.
    corner: Point,
}

impl<'a> Layout<'a> {
    pub(super) fn new(frame: &'a Frame, corner: Point) -> Self {
        Self { frame, corner }
    }

    /// How wide and high the map is.
    pub(super) fn size(&self) -> (i32, i32) {
        let (columns, halves) = self.frame.size();
        (
            ACROSS * (columns - 1) + 2 * HALF_WIDTH,
            HALF_HEIGHT * (halves + 2),
        )
    }

    /// Whether a hex is seen.
    pub(super) fn shows(&self, hex: Hex) -> bool {
        self.frame.shows(hex)
    }

    /// The centre of a hex.
    pub(super) fn centre(&self, hex: Hex) -> Point {
        let (across, down) = self.frame.steps(hex);
        let x = HALF_WIDTH + ACROSS * across;
        self.corner.by(x, HALF_HEIGHT * (down + 1))
    }

    /// A vertex, which is one of this hex.
    fn vertex(&self, vertex: Vertex, hex: Hex) -> Point {
        let x = vertex.x() - FINE * i32::from(hex.q);
        let y = vertex.y() - FINE * i32::from(hex.r);
        // Halfway down a hex is three steps of the lattice, and each step across is half a one down.
        let (across, down) = (ACROSS * x / FINE, HALF_HEIGHT * (2 * y + x) / FINE);
        self.centre(hex).by(across, down)
    }

    /// A vertex.
    pub(super) fn corner(&self, vertex: Vertex) -> Point {
        self.vertex(vertex, vertex.hexes()[0])
    }

    /// Where a line begins or ends.
    pub(super) fn aim(&self, aim: Aim) -> Point {
        match aim.vertex() {
            Some(vertex) => self.vertex(vertex, aim.hex),
            None => self.centre(aim.hex),
        }
    }

    /// The ends of a hexside.
    pub(super) fn ends(&self, side: Hexside) -> [Point; 2] {
        let [hex, _] = side.hexes();
        side.vertices().map(|vertex| self.vertex(vertex, hex))
    }

    /// Where a line crosses a hexside, to the nearest tenth.
    pub(super) fn crossing(&self, (from, to): (Point, Point), side: Hexside) -> Point {
        let [start, end] = self.ends(side);
        let step = |from: Point, to: Point| (i64::from(to.x - from.x), i64::from(to.y - from.y));
        let cross = |a: (i64, i64), b: (i64, i64)| a.0 * b.1 - a.1 * b.0;
        let (line, along) = (step(from, to), step(start, end));
        let (whole, part) = (cross(along, line), cross(step(start, from), line));
        let (whole, part) = (whole * whole.signum(), part * whole.signum());
        if whole == 0 {
            return start.towards(end, 1, 2);
        }
        let share = |along: i64| {
            let nearest = (2 * along * part + whole).div_euclid(2 * whole);
            i32::try_from(nearest).unwrap_or_default()
        };
        start.by(share(along.0), share(along.1))
    }
}

/// The outline of a hex, scaled to so many hundredths of its size.
pub(super) fn outline(centre: Point, hundredths: i32) -> String {
    let half = HALF_WIDTH * hundredths / 100;
    let (slant, down) = (half / 2, HALF_HEIGHT * hundredths / 100);
    let (slant, down, half) = (Tenths(slant), Tenths(down), half);
    let start = centre.by(half, 0);
    let side = Tenths(half);
    format!("M{start}l-{slant} {down}h-{side}l-{slant}-{down} {slant}-{down}h{side}z")
}

#[cfg(test)]
mod tests {
    use alamein_hex::{Event, Grid, trace_between};

    use super::*;

    #[test]
    fn a_line_crosses_hexsides_where_they_are() {
        let grid = Grid::new(12, 9).unwrap();
        let frame = Frame::around(&grid, &[], 0);
        let layout = Layout::new(&frame, Point::new(17, 23));
        let from = grid.hex("B4").unwrap();
        for to in grid.hexes().filter(|to| *to != from) {
            let ends = (layout.centre(from), layout.centre(to));
            for event in trace_between(from, to).events() {
                let Event::Cross(side) = event else { continue };
                let at = layout.crossing(ends, side);
                let [start, end] = layout.ends(side);
                // The distance of a point from a line, times the line's length.
                let off = |from: Point, to: Point| {
                    let (x, y) = (i64::from(to.x - from.x), i64::from(to.y - from.y));
                    (x * i64::from(at.y - from.y) - y * i64::from(at.x - from.x)).abs()
                };
                let length = |from: Point, to: Point| {
                    i64::from((to.x - from.x).abs() + (to.y - from.y).abs())
                };
                assert!(off(start, end) <= length(start, end), "{event:?} {at}");
                assert!(
                    off(ends.0, ends.1) <= length(ends.0, ends.1),
                    "{event:?} {at}"
                );
            }
        }
    }

    #[test]
    fn tenths_are_written_without_noise() {
        let text = |tenths| Tenths(tenths).to_string();
        assert_eq!(
            [-25, -5, 0, 7, 10, 123].map(text),
            ["-2.5", "-0.5", "0", "0.7", "1", "12.3"]
        );
    }

    #[test]
    fn neighbours_share_their_vertices() {
        let grid = Grid::new(4, 4).unwrap();
        let frame = Frame::around(&grid, &[], 0);
        let layout = Layout::new(&frame, Point::default());
        for hex in grid.hexes() {
            for side in hex.hexsides() {
                for vertex in side.vertices() {
                    for other in vertex.hexes() {
                        assert_eq!(layout.corner(vertex), layout.vertex(vertex, other));
                    }
                }
            }
        }
    }
}
