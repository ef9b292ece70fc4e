//! Dense tables over a grid, for what a plugin keeps of a map.

use alamein_hex::{Grid, Hex, Hexside};

/// A value for each hex of a grid.
///
/// ```
/// use alamein_plugin_sdk::{HexMap, hex::Grid};
/// let grid = Grid::geomorphic();
/// let p6 = grid.hex("P6").unwrap();
/// let mut deir = HexMap::new(grid, 0_u16);
/// deir.set(p6, 1);
/// assert_eq!((deir[p6], deir[grid.hex("P7").unwrap()]), (1, 0));
/// ```
#[derive(Clone, Debug)]
pub struct HexMap<T> {
    grid: Grid,
    values: Vec<T>,
    off_map: T,
}

impl<T: Clone> HexMap<T> {
    /// The same value for every hex. A hex off the map always has it.
    #[inline]
    pub fn new(grid: Grid, value: T) -> Self {
        Self {
            values: vec![value.clone(); grid.len()],
            grid,
            off_map: value,
        }
    }

    /// Sets the value of a hex; one off the map stays as it is.
    #[inline]
    pub fn set(&mut self, hex: Hex, value: T) {
        if let Some(slot) = self
            .grid
            .index(hex)
            .and_then(|index| self.values.get_mut(index))
        {
            *slot = value;
        }
    }

    /// The hexes with their values.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Hex, &T)> {
        self.grid.hexes().zip(&self.values)
    }
}

impl<T> std::ops::Index<Hex> for HexMap<T> {
    type Output = T;

    #[inline]
    fn index(&self, hex: Hex) -> &T {
        let value = self
            .grid
            .index(hex)
            .and_then(|index| self.values.get(index));
        value.unwrap_or(&self.off_map)
    }
}

/// A set of hexsides of a grid.
#[derive(Clone, Debug)]
pub struct HexsideSet {
    /// A bit for each direction; a hexside between two hexes is set in both.
    sides: HexMap<u8>,
}

impl HexsideSet {
    /// No hexside.
    #[must_use]
    #[inline]
    pub fn new(grid: Grid) -> Self {
        Self {
            sides: HexMap::new(grid, 0),
        }
    }

    /// Adds a hexside.
    #[inline]
    pub fn insert(&mut self, hexside: Hexside) {
        let [one, other] = hexside.hexes();
        for (hex, beyond) in [(one, other), (other, one)] {
            if let Some(direction) = hex.direction_to(beyond) {
                self.sides
                    .set(hex, self.sides[hex] | 1 << direction.index());
            }
        }
    }

    /// Whether the hexside is in the set.
    #[must_use]
    #[inline]
    pub fn contains(&self, hexside: Hexside) -> bool {
        let [one, other] = hexside.hexes();
        let bit = |hex: Hex, beyond: Hex| {
            hex.direction_to(beyond)
                .is_some_and(|d| self.sides[hex] & (1 << d.index()) != 0)
        };
        bit(one, other) || bit(other, one)
    }

    /// Whether any hexside of this hex is in the set.
    #[must_use]
    #[inline]
    pub fn touches(&self, hex: Hex) -> bool {
        self.sides[hex] != 0
    }
}
