//! Where on the canvas a hex and its hexsides are.
//!
//! ```text
//!   _____          the hexside in the north
//!  / P6* \         the name
//! / . . . \        the marks of its layers, and the line on its way through the centre
//! \ . D . /        its counters
//!  \_____/
//! ```

use alamein_hex::{Direction, Hex, Hexside};

use crate::frame::Frame;

/// A cell: column and row.
pub(crate) type Cell = (i32, i32);

/// Where a hex is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    left: i32,
    top: i32,
}

impl Place {
    /// How many letters fit into its widest rows.
    pub(crate) const WIDE: i32 = 7;

    pub(crate) fn of(hex: Hex, frame: &Frame) -> Self {
        let (left, top) = frame.corner(hex);
        Self { left, top }
    }

    /// The rows within its outline, each with its columns.
    pub(crate) fn inside(self) -> [(i32, std::ops::Range<i32>); 3] {
        let Self { left, top } = self;
        [
            (top + 1, left + 2..left + 7),
            (top + 2, left + 1..left + 8),
            (top + 3, left + 1..left + 8),
        ]
    }

    /// The middle of its name.
    pub(crate) fn name_at(self) -> Cell {
        (self.left + 4, self.top + 1)
    }

    /// The first cell of the upper of its two wide rows.
    pub(crate) fn marks_row(self) -> Cell {
        (self.left + 1, self.top + 2)
    }
}

/// The cells of a hexside, each with the letter that draws it.
pub(crate) fn cells_of(side: Hexside, frame: &Frame) -> Vec<(Cell, char)> {
    let [hex, _] = side.hexes();
    let (left, top) = frame.corner(hex);
    match side.direction() {
        Direction::NE => vec![((left + 7, top + 1), '\\'), ((left + 8, top + 2), '\\')],
        Direction::SE => vec![((left + 8, top + 3), '/'), ((left + 7, top + 4), '/')],
        // Of the other directions a hexside only ever gives the north.
        _ => (2..7).map(|column| ((left + column, top), '_')).collect(),
    }
}
