//! Sand hexes (7.1), Dune Crests and High Dunes (7.5).
//!
//! Sand Dunes are sand. Which of them are High Dunes a map says; all others are Low.

use std::collections::BTreeSet;

use alamein_plugin_sdk::prelude::*;

/// The sand of a map.
#[derive(Clone, Debug)]
pub struct Sands {
    sand: HexMap<bool>,
    crests: HexsideSet,
    high_dunes: HexMap<bool>,
    hammada: HexMap<bool>,
    base_levels: HexMap<i16>,
}

/// What a map shows of sand, and beside it.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Every sand hex, dunes included.
    pub sand: BTreeSet<Hex>,
    /// The Dune Crests.
    pub crests: BTreeSet<Hexside>,
    /// The sand hexes that are High Dunes.
    pub high_dunes: BTreeSet<Hex>,
    /// Hammada, which counts as no Open Ground here (F3).
    pub hammada: BTreeSet<Hex>,
}

impl Drawn {
    fn of(map: &MapView<'_>) -> Self {
        let hexes = |name: &str| -> BTreeSet<Hex> {
            let layer = map.layer(name).into_iter();
            layer.flat_map(|layer| layer.hexes("hexes")).collect()
        };
        let crests = map.layer("dune_crest").into_iter();
        Self {
            sand: hexes("sand"),
            crests: crests
                .flat_map(|layer| layer.hexsides("hexsides"))
                .collect(),
            high_dunes: hexes("high_dune"),
            hammada: hexes("hammada"),
        }
    }
}

impl Sands {
    /// The sand that is drawn on a grid, at these Base Levels.
    #[must_use]
    pub fn new(grid: Grid, drawn: &Drawn, base_level: impl Fn(Hex) -> i16) -> Self {
        let table = |hexes: &BTreeSet<Hex>| {
            let mut table = HexMap::new(grid, false);
            hexes.iter().for_each(|hex| table.set(*hex, true));
            table
        };
        let mut crests = HexsideSet::new(grid);
        drawn.crests.iter().for_each(|side| crests.insert(*side));
        let mut base_levels = HexMap::new(grid, 0);
        for hex in grid.hexes() {
            base_levels.set(hex, base_level(hex));
        }
        Self {
            sand: table(&drawn.sand),
            crests,
            high_dunes: table(&(&drawn.high_dunes & &drawn.sand)),
            hammada: table(&drawn.hammada),
            base_levels,
        }
    }

    /// A sand hex; dunes are sand.
    #[must_use]
    pub fn is_sand(&self, hex: Hex) -> bool {
        self.sand[hex]
    }

    /// A Dune Crest. It forms part of both hexes that share it.
    #[must_use]
    pub fn is_crest(&self, hexside: Hexside) -> bool {
        self.crests.contains(hexside)
    }

    /// Whether any hexside of this hex is a Dune Crest.
    #[must_use]
    pub fn has_crest(&self, hex: Hex) -> bool {
        self.crests.touches(hex)
    }

    /// A High Dune.
    #[must_use]
    pub fn is_high_dune(&self, hex: Hex) -> bool {
        self.high_dunes[hex]
    }

    /// Hammada, which is Open Ground but for what concerns Sand Bog (F3).
    #[must_use]
    pub fn is_hammada(&self, hex: Hex) -> bool {
        self.hammada[hex]
    }

    /// Whether a sand hex is Accessible from this hex: one that Infantry next to it could enter in
    /// the Advance Phase, over a Dune Crest or Lip Hexside too, or to another level.
    #[must_use]
    pub fn is_accessible_to_sand(&self, hex: Hex) -> bool {
        hex.neighbours().into_iter().any(|next| self.is_sand(next))
    }

    /// The level on which a Dune Crest stands, in half levels: that of the higher of its hexes.
    #[must_use]
    pub fn crest_base(&self, crest: Hexside) -> i16 {
        let [one, other] = crest.hexes().map(|hex| self.base_levels[hex]);
        one.max(other).saturating_mul(2)
    }

    /// The hexes in which sand or a Dune Crest may matter.
    pub fn concerned(&self) -> impl Iterator<Item = Hex> {
        let concerned = |hex: &Hex| {
            self.is_sand(*hex) || self.is_accessible_to_sand(*hex) || self.has_crest(*hex)
        };
        self.sand.iter().map(|(hex, _)| hex).filter(concerned)
    }
}

/// Reads the sand off a map, and says what of it makes no sense.
pub fn read(map: &MapView<'_>, problems: &mut Problems) -> Sands {
    let drawn = Drawn::of(map);
    for hex in drawn.high_dunes.difference(&drawn.sand) {
        problems.warn(format!(
            "high_dune.hexes: {} is not among sand.hexes; dunes are sand, so it is no High Dune",
            map.name(*hex)
        ));
    }
    let bare = |side: &&Hexside| !side.hexes().iter().any(|hex| drawn.sand.contains(hex));
    for crest in drawn.crests.iter().filter(bare) {
        problems.warn(format!(
            "dune_crest.hexsides: there is no sand on either side of {}",
            map.hexside_name(*crest)
        ));
    }
    Sands::new(map.grid(), &drawn, |hex| map.base_level(hex))
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

    pub(crate) fn hexside(name: &str) -> Hexside {
        grid().hexside(name).unwrap()
    }

    /// Sand in some hexes, Dune Crests on some hexsides, hammada in some hexes. C3 is the one hex of
    /// Level 1.
    pub(crate) fn sands(sand: &str, crests: &str, hammada: &str) -> Sands {
        let hexes = |names: &str| names.split_whitespace().map(hex).collect();
        let drawn = Drawn {
            sand: hexes(sand),
            crests: crests.split_whitespace().map(hexside).collect(),
            hammada: hexes(hammada),
            ..Drawn::default()
        };
        Sands::new(grid(), &drawn, |at| i16::from(at == hex("C3")))
    }

    #[test]
    fn f7_31_every_hex_next_to_sand_is_accessible_to_it() {
        let sands = sands("J4", "J3|J4", "");
        for next in ["J3", "J5", "I4", "I5", "K4", "K5"] {
            let beside = sands.is_accessible_to_sand(hex(next));
            assert_eq!(beside, hex(next).is_adjacent(hex("J4")), "{next}");
        }
        assert!(sands.is_accessible_to_sand(hex("J3")), "over a Dune Crest");
        assert!(!sands.is_accessible_to_sand(hex("J2")));
        assert!(
            !sands.is_accessible_to_sand(hex("J4")),
            "not from sand alone"
        );
    }

    #[test]
    fn f7_5_a_dune_crest_is_part_of_both_its_hexes() {
        let sands = sands("J4", "J3|J4", "");
        assert!(sands.is_crest(hexside("J3|J4")));
        assert!(sands.has_crest(hex("J3")) && sands.has_crest(hex("J4")));
        assert!(!sands.has_crest(hex("K4")));
    }

    #[test]
    fn f7_5_a_dune_crest_stands_on_the_higher_of_its_hexes() {
        let sands = sands("C2 C3 J4", "C2|C3 J3|J4", "");
        assert_eq!(sands.crest_base(hexside("J3|J4")), 0);
        assert_eq!(sands.crest_base(hexside("C2|C3")), 2);
    }

    #[test]
    fn f7_sand_concerns_its_hexes_and_those_next_to_it() {
        let sands = sands("J4", "", "");
        assert_eq!(sands.concerned().count(), 7);
    }
}
