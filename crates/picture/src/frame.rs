//! Which part of a map is drawn.

use alamein_hex::{Grid, Hex};

/// A part of a map.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    grid: Grid,
    columns: (i32, i32),
    /// Half hexes down the map: row n of the first column is 2n, of the second 2n + 1.
    halves: (i32, i32),
}

/// More hexes than a picture may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a picture of {across} by {down} hexes would be too large; choose a part of the map")]
pub struct TooLarge {
    /// How many columns of hexes.
    pub across: u32,
    /// How many hexes in a column, about.
    pub down: u32,
}

impl TooLarge {
    /// How many hexes are drawn at most: a dozen large boards.
    pub const MOST: u32 = 10_000;
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

    /// How many columns of hexes it has, and how many half hexes it goes down between the first
    /// and the last centre.
    pub(crate) fn size(&self) -> (i32, i32) {
        (
            self.columns.1 - self.columns.0 + 1,
            self.halves.1 - self.halves.0,
        )
    }

    /// Where a hex is: so many columns to the right and half hexes down.
    pub(crate) fn steps(&self, hex: Hex) -> (i32, i32) {
        (i32::from(hex.q) - self.columns.0, half(hex) - self.halves.0)
    }

    /// That it has no more hexes than anybody could look at.
    pub(crate) fn check(&self) -> Result<(), TooLarge> {
        let (across, halves) = self.size();
        let (across, down) = (across.unsigned_abs(), halves.unsigned_abs() / 2 + 1);
        match across * down {
            ..=TooLarge::MOST => Ok(()),
            _ => Err(TooLarge { across, down }),
        }
    }
}

/// How many half hexes down the map a hex is.
fn half(hex: Hex) -> i32 {
    // Half a hex for each column is in the axial coordinates already.
    let row = i32::from(hex.r) + i32::from(hex.q).div_euclid(2);
    2 * row + i32::from(hex.q).rem_euclid(2)
}
