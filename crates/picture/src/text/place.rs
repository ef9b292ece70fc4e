//! Where on the canvas a hex and its hexsides are.
//!
//! ```text
//!   _____          the hexside in the north
//!  / P6* \         the name
//! / . . . \        the marks of its layers, and the line on its way through the centre
//! \ . D . /        its counters
//!  \_____/
//! ```

use alamein_hex::{Aim, Direction, Hex, Hexside};

use crate::frame::Frame;

/// A cell: column and row.
pub(super) type Cell = (i32, i32);

/// How far apart two columns of hexes are.
const ACROSS: i32 = 7;

/// How far apart two hexes of one column are.
const DOWN: i32 = 4;

/// Into how many parts a cell is divided, as a hex is by the coordinates of its vertices.
pub(super) const PARTS: i32 = 6;

/// How many cells a picture is wide and high.
pub(super) fn size(frame: &Frame) -> (i32, i32) {
    let (columns, halves) = frame.size();
    (columns * ACROSS + 2, halves * (DOWN / 2) + DOWN + 1)
}

/// The cell at the upper left of a hex.
fn corner(hex: Hex, frame: &Frame) -> Cell {
    let (across, down) = frame.steps(hex);
    (across * ACROSS, down * (DOWN / 2))
}

/// The point at which a line aims, in [`PARTS`] of a cell.
pub(super) fn point(aim: Aim, frame: &Frame) -> (i32, i32) {
    let (left, top) = corner(aim.hex, frame);
    let centre = (left * PARTS + 4 * PARTS + PARTS / 2, (top + 3) * PARTS);
    let Some(vertex) = aim.vertex() else {
        return centre;
    };
    let x = vertex.x() - PARTS * i32::from(aim.hex.q);
    let y = vertex.y() - PARTS * i32::from(aim.hex.r);
    (centre.0 + ACROSS * x, centre.1 + DOWN * y + DOWN / 2 * x)
}

/// Where a hex is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    left: i32,
    top: i32,
}

impl Place {
    /// How many letters fit into its widest rows.
    pub(super) const WIDE: i32 = 7;

    pub(super) fn of(hex: Hex, frame: &Frame) -> Self {
        let (left, top) = corner(hex, frame);
        Self { left, top }
    }

    /// The rows within its outline, each with its columns.
    pub(super) fn inside(self) -> [(i32, std::ops::Range<i32>); 3] {
        let Self { left, top } = self;
        [
            (top + 1, left + 2..left + 7),
            (top + 2, left + 1..left + 8),
            (top + 3, left + 1..left + 8),
        ]
    }

    /// The middle of its name.
    pub(super) fn name_at(self) -> Cell {
        (self.left + 4, self.top + 1)
    }

    /// The first cell of the upper of its two wide rows.
    pub(super) fn marks_row(self) -> Cell {
        (self.left + 1, self.top + 2)
    }
}

/// The cells of a hexside, each with the letter that draws it.
pub(super) fn cells_of(side: Hexside, frame: &Frame) -> Vec<(Cell, char)> {
    let [hex, _] = side.hexes();
    let (left, top) = corner(hex, frame);
    match side.direction() {
        Direction::NE => vec![((left + 7, top + 1), '\\'), ((left + 8, top + 2), '\\')],
        Direction::SE => vec![((left + 8, top + 3), '/'), ((left + 7, top + 4), '/')],
        // Of the other directions a hexside only ever gives the north.
        _ => (2..7).map(|column| ((left + column, top), '_')).collect(),
    }
}
