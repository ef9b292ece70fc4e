//! Which part of a map is drawn, and where on the canvas that puts it.

use alamein_hex::{Aim, Grid, Hex};

use crate::place::Cell;

/// How far apart two columns of hexes are.
const ACROSS: i32 = 7;

/// How far apart two hexes of one column are.
const DOWN: i32 = 4;

/// How many hexes are drawn at most: a dozen large boards.
const MOST: i32 = 10_000;

/// How finely a hex is divided by the coordinates of its vertices.
const FINE: i32 = 6;

/// A part of a map.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    grid: Grid,
    columns: (i32, i32),
    /// Half hexes down the map: row n of the first column is 2n, of the second 2n + 1.
    halves: (i32, i32),
}

impl Frame {
    /// The part around some hexes; the whole map if there are none.
    pub(crate) fn around(grid: &Grid, hexes: &[Hex], margin: u16) -> Self {
        let whole: Vec<Hex> = if hexes.is_empty() {
            grid.hexes().collect()
        } else {
            hexes.to_vec()
        };
        let span = |of: fn(Hex) -> i32| {
            let first = whole.iter().map(|hex| of(*hex)).min().unwrap_or_default();
            let last = whole.iter().map(|hex| of(*hex)).max().unwrap_or_default();
            (first, last)
        };
        let margin = i32::from(margin);
        let (first, last) = span(|hex| i32::from(hex.q));
        let (top, bottom) = span(half);
        let most = i32::from(grid.columns()) - 1;
        let lowest = 2 * i32::from(grid.rows()) + 1;
        Self {
            grid: *grid,
            columns: ((first - margin).max(0), (last + margin).min(most)),
            halves: ((top - 2 * margin).max(1), (bottom + 2 * margin).min(lowest)),
        }
    }

    /// Whether a hex is in it.
    pub(crate) fn shows(&self, hex: Hex) -> bool {
        let within = |(first, last): (i32, i32), at| (first..=last).contains(&at);
        self.grid.contains(hex)
            && within(self.columns, i32::from(hex.q))
            && within(self.halves, half(hex))
    }

    /// The hexes in it.
    pub(crate) fn hexes(&self) -> impl Iterator<Item = Hex> + '_ {
        self.grid.hexes().filter(|hex| self.shows(*hex))
    }

    /// How many columns of hexes it has, and how many hexes each has, about.
    pub(crate) fn size(&self) -> (i32, i32) {
        let columns = self.columns.1 - self.columns.0 + 1;
        (columns, (self.halves.1 - self.halves.0) / 2 + 1)
    }

    /// Whether it has more hexes than anybody could look at.
    pub(crate) fn is_too_large(&self) -> bool {
        let (across, down) = self.size();
        across * down > MOST
    }

    /// How many cells it is wide.
    pub(crate) fn width(&self) -> i32 {
        (self.columns.1 - self.columns.0 + 1) * ACROSS + 2
    }

    /// How many cells it is high.
    pub(crate) fn height(&self) -> i32 {
        (self.halves.1 - self.halves.0) * (DOWN / 2) + DOWN + 1
    }

    /// The cell at the upper left of a hex.
    pub(crate) fn corner(&self, hex: Hex) -> Cell {
        let across = (i32::from(hex.q) - self.columns.0) * ACROSS;
        let down = (half(hex) - self.halves.0) * (DOWN / 2);
        (across, down)
    }

    /// The point at which a line aims, in parts of a cell: see [`Frame::PARTS`].
    pub(crate) fn point(&self, aim: Aim) -> (i32, i32) {
        let (left, top) = self.corner(aim.hex);
        let centre = (
            left * Self::PARTS + 4 * Self::PARTS + Self::PARTS / 2,
            (top + 3) * Self::PARTS,
        );
        let Some(vertex) = aim.vertex() else {
            return centre;
        };
        let x = vertex.x() - FINE * i32::from(aim.hex.q);
        let y = vertex.y() - FINE * i32::from(aim.hex.r);
        (centre.0 + ACROSS * x, centre.1 + DOWN * y + DOWN / 2 * x)
    }

    /// Into how many parts a cell is divided.
    pub(crate) const PARTS: i32 = FINE;
}

/// How many half hexes down the map a hex is.
fn half(hex: Hex) -> i32 {
    // Half a hex for each column is in the axial coordinates already.
    let row = i32::from(hex.r) + i32::from(hex.q).div_euclid(2);
    2 * row + i32::from(hex.q).rem_euclid(2)
}
