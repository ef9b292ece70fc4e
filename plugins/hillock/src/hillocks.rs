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
        Self {
            hillock_of,
            base_levels,
        }
    }

    /// The hillock to which a hex belongs.
    #[must_use]
    pub fn hillock_of(&self, hex: Hex) -> Option<u32> {
        self.hillock_of[hex]
    }

    /// Every hillock hex.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> {
        self.hillock_of
            .iter()
            .filter(|(_, hillock)| hillock.is_some())
            .map(|(hex, _)| hex)
    }

    /// Whether a step ascends onto a hillock: from a hex that is no hillock, at the same Base Level.
    #[must_use]
    pub fn ascends(&self, from: Hex, to: Hex) -> bool {
        let onto = self.hillock_of(from).is_none() && self.hillock_of(to).is_some();
        onto && self.base_levels[from] == self.base_levels[to]
    }
}

/// Reads the hillocks off a map.
#[must_use]
pub fn read(map: &MapView<'_>, problems: &mut Problems) -> Hillocks {
    let field = |name: &str| -> BTreeSet<Hex> {
        map.layer("hillock")
            .map(|layer| layer.hexes(name).collect())
            .unwrap_or_default()
    };
    let (hexes, summit) = (field("hexes"), field("summit"));
    for hex in summit.difference(&hexes) {
        problems.error(format!(
            "hillock.summit: {} is not among hillock.hexes",
            map.name(*hex)
        ));
    }
    if !summit.is_empty() {
        problems.warn("hillock.summit: what a Summit does is not implemented; it has no effect");
    }
    Hillocks::new(map.grid(), &hexes, |hex| map.base_level(hex))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn hex(name: &str) -> Hex {
        Grid::geomorphic().hex(name).unwrap()
    }

    pub(crate) fn hillocks(hexes: &str) -> Hillocks {
        let grid = Grid::geomorphic();
        let hexes = hexes.split(' ').map(hex).collect();
        // C3 is the one hex of Level 1.
        Hillocks::new(grid, &hexes, |at| i16::from(at == hex("C3")))
    }

    #[test]
    fn f6_hexes_that_touch_are_one_hillock() {
        let two = hillocks("J4 J5 K5 N4");
        assert_eq!(two.hillock_of(hex("J4")), two.hillock_of(hex("K5")));
        assert_ne!(two.hillock_of(hex("J4")), two.hillock_of(hex("N4")));
        assert_eq!(two.hillock_of(hex("A1")), None);
    }

    #[test]
    fn f6_only_a_step_up_from_the_ground_ascends() {
        let hillock = hillocks("J4 J5 C3");
        assert!(hillock.ascends(hex("J3"), hex("J4")));
        assert!(!hillock.ascends(hex("J4"), hex("J5")), "along the hillock");
        assert!(!hillock.ascends(hex("J4"), hex("J3")), "down");
        assert!(
            !hillock.ascends(hex("C2"), hex("C3")),
            "to another Base Level"
        );
    }
}
