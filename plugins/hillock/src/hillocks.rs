//! Hillock hexes, and which of them make one hillock (F6).
//!
//! A hillock is a set of hillock hexes that touch, whatever overlays they came from. It stands half
//! a level above the Base Level for LOS, and for what asks whether units are higher or at the same
//! elevation; for everything else it is at the Base Level.

use std::collections::BTreeSet;

use alamein_plugin_sdk::prelude::*;

/// The hillocks of a map.
#[derive(Clone, Debug)]
pub struct Hillocks {
    /// The number of each hillock hex's hillock.
    hillock_of: HexMap<Option<u32>>,
    /// The Base Level of each hex, in full levels.
    base_levels: HexMap<i16>,
    /// Hexes whose own terrain may be TEM beside that of a hillock next to them.
    with_cover: HexMap<bool>,
    /// Summit hexes.
    summits: HexMap<bool>,
    /// There is a Summit somewhere.
    any_summit: bool,
    /// All hillock hexes are at one Base Level.
    at_one_level: bool,
}

impl Hillocks {
    /// Numbers the hillocks that these hexes make.
    #[must_use]
    pub fn new(grid: Grid, hexes: &BTreeSet<Hex>, base_level: impl Fn(Hex) -> i16) -> Self {
        let mut hillock_of: HexMap<Option<u32>> = HexMap::new(grid, None);
        for (number, start) in (1..).zip(hexes) {
            let mut next = vec![*start];
            while let Some(hex) = next.pop() {
                if hexes.contains(&hex) && hillock_of[hex].is_none() {
                    hillock_of.set(hex, Some(number));
                    next.extend(hex.neighbours());
                }
            }
        }
        let mut base_levels = HexMap::new(grid, 0);
        grid.hexes()
            .for_each(|hex| base_levels.set(hex, base_level(hex)));
        let levels: BTreeSet<i16> = hexes.iter().map(|hex| base_level(*hex)).collect();
        Self {
            any_summit: false,
            at_one_level: levels.len() < 2,
            hillock_of,
            base_levels,
            with_cover: HexMap::new(grid, false),
            summits: HexMap::new(grid, false),
        }
    }

    /// The same with Summit hexes.
    #[must_use]
    pub fn with_summits(mut self, hexes: impl IntoIterator<Item = Hex>) -> Self {
        for hex in hexes {
            self.summits.set(hex, true);
            self.any_summit = true;
        }
        self
    }

    /// The same with hexes whose own terrain may be TEM.
    #[must_use]
    pub fn with_cover(mut self, hexes: impl IntoIterator<Item = Hex>) -> Self {
        for hex in hexes {
            self.with_cover.set(hex, true);
        }
        self
    }

    /// The hillock to which a hex belongs.
    #[must_use]
    pub fn hillock_of(&self, hex: Hex) -> Option<u32> {
        self.hillock_of[hex]
    }

    /// The same, of a hex at this Base Level only.
    #[must_use]
    pub fn hillock_at(&self, hex: Hex, base_level: i16) -> Option<u32> {
        self.hillock_of(hex)
            .filter(|_| self.base_level(hex) == base_level)
    }

    /// The Base Level of a hex, in full levels.
    #[must_use]
    pub fn base_level(&self, hex: Hex) -> i16 {
        self.base_levels[hex]
    }

    /// Whether the terrain of a hex may be TEM for a unit there, besides a hillock next to it.
    #[must_use]
    pub fn has_cover(&self, hex: Hex) -> bool {
        self.with_cover[hex]
    }

    /// Whether a hex is a Summit hex. What that does is not known here.
    #[must_use]
    pub fn is_summit(&self, hex: Hex) -> bool {
        self.summits[hex]
    }

    /// Whether there is a Summit hex anywhere.
    #[must_use]
    pub fn has_summit(&self) -> bool {
        self.any_summit
    }

    /// Whether all hillock hexes are at one Base Level.
    #[must_use]
    pub fn are_at_one_level(&self) -> bool {
        self.at_one_level
    }

    /// Every hillock hex.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> {
        self.hillock_of
            .iter()
            .filter(|(_, hillock)| hillock.is_some())
            .map(|(hex, _)| hex)
    }
}

/// Reads the hillocks off a map.
#[must_use]
pub fn read(map: &MapView<'_>, problems: &mut Problems) -> Hillocks {
    let field = |layer: &str, field: &str| -> BTreeSet<Hex> {
        let layer = map.layer(layer);
        layer
            .map(|layer| layer.hexes(field).collect())
            .unwrap_or_default()
    };
    let (hexes, summit) = (field("hillock", "hexes"), field("hillock", "summit"));
    for hex in summit.difference(&hexes) {
        problems.error(format!(
            "hillock.summit: {} is not among hillock.hexes",
            map.name(*hex)
        ));
    }
    if !summit.is_empty() {
        problems.warn(
            "hillock.summit: what a Summit does is not known here; its hexes are ruled as other \
             hillock hexes, and rulings that meet one say so",
        );
    }
    Hillocks::new(map.grid(), &hexes, |hex| map.base_level(hex))
        .with_cover(field("deir", "hexes"))
        .with_summits(summit)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn grid() -> Grid {
        Grid::geomorphic()
    }

    pub(crate) fn hex(name: &str) -> Hex {
        grid().hex(name).unwrap()
    }

    pub(crate) fn hillocks(hexes: &str) -> Hillocks {
        let hexes = hexes.split(' ').map(hex).collect();
        // C3 is the one hex of Level 1.
        Hillocks::new(grid(), &hexes, |at| i16::from(at == hex("C3")))
    }

    #[test]
    fn f6_hexes_that_touch_are_one_hillock() {
        let two = hillocks("J4 J5 K5 N4");
        assert_eq!(two.hillock_of(hex("J4")), two.hillock_of(hex("K5")));
        assert_ne!(two.hillock_of(hex("J4")), two.hillock_of(hex("N4")));
        assert_eq!(two.hillock_of(hex("A1")), None);
    }

    #[test]
    fn f6_a_hillock_is_told_by_its_base_level_too() {
        let hill = hillocks("C2 C3");
        assert_eq!(hill.hillock_of(hex("C2")), hill.hillock_of(hex("C3")));
        assert_eq!(hill.hillock_at(hex("C3"), 0), None);
        assert_eq!(hill.hillock_at(hex("C3"), 1), hill.hillock_of(hex("C2")));
    }
}
