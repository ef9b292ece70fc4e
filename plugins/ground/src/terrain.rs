//! Where there is scrub, hammada, a track or a road.

use std::collections::BTreeSet;

use alamein_plugin_sdk::prelude::*;

use crate::levels::{self, BaseLevels};

/// What a map shows underfoot.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The Base Level of each hex.
    pub levels: BaseLevels,
    scrub: HexMap<bool>,
    hammada: HexMap<bool>,
    sand: HexMap<bool>,
    deir: HexMap<bool>,
    tracks: HexsideSet,
    roads: HexsideSet,
}

/// What is drawn on a map.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Hexes with scrub.
    pub scrub: BTreeSet<Hex>,
    /// Hexes with hammada.
    pub hammada: BTreeSet<Hex>,
    /// Hexes with sand, which is no Open Ground where hammada is Accessible.
    pub sand: BTreeSet<Hex>,
    /// Deir hexes, which may give TEM.
    pub deir: BTreeSet<Hex>,
    /// Hexsides that a track crosses.
    pub tracks: BTreeSet<Hexside>,
    /// Hexsides that a road crosses.
    pub roads: BTreeSet<Hexside>,
}

impl Ground {
    /// What is drawn on a grid.
    #[must_use]
    pub fn new(grid: Grid, drawn: &Drawn, levels: BaseLevels) -> Self {
        let hexes = |drawn: &BTreeSet<Hex>| {
            let mut table = HexMap::new(grid, false);
            drawn.iter().for_each(|hex| table.set(*hex, true));
            table
        };
        let hexsides = |drawn: &BTreeSet<Hexside>| {
            let mut set = HexsideSet::new(grid);
            drawn.iter().for_each(|hexside| set.insert(*hexside));
            set
        };
        Self {
            levels,
            scrub: hexes(&drawn.scrub),
            hammada: hexes(&drawn.hammada),
            sand: hexes(&drawn.sand),
            deir: hexes(&drawn.deir),
            tracks: hexsides(&drawn.tracks),
            roads: hexsides(&drawn.roads),
        }
    }

    /// Scrub.
    #[must_use]
    pub fn is_scrub(&self, hex: Hex) -> bool {
        self.scrub[hex]
    }

    /// Hammada.
    #[must_use]
    pub fn is_hammada(&self, hex: Hex) -> bool {
        self.hammada[hex]
    }

    /// Sand.
    #[must_use]
    pub fn is_sand(&self, hex: Hex) -> bool {
        self.sand[hex]
    }

    /// A deir hex.
    #[must_use]
    pub fn is_deir_hex(&self, hex: Hex) -> bool {
        self.deir[hex]
    }

    /// Whether hammada is Accessible from this hex: whether a hex next to it is hammada.
    #[must_use]
    pub fn is_accessible_to_hammada(&self, hex: Hex) -> bool {
        hex.neighbours()
            .into_iter()
            .any(|next| self.is_hammada(next))
    }

    /// A track crosses this hexside.
    #[must_use]
    pub fn has_track(&self, hexside: Hexside) -> bool {
        self.tracks.contains(hexside)
    }

    /// A road crosses a hexside of this hex.
    #[must_use]
    pub fn is_on_road(&self, hex: Hex) -> bool {
        self.roads.touches(hex)
    }

    /// A road crosses this hexside.
    #[must_use]
    pub fn has_road(&self, hexside: Hexside) -> bool {
        self.roads.contains(hexside)
    }
}

/// Reads all of it off a map.
#[must_use]
pub fn read(map: &MapView<'_>) -> Ground {
    let hexes = |name: &str| -> BTreeSet<Hex> {
        let layer = map.layer(name).into_iter();
        layer.flat_map(|layer| layer.hexes("hexes")).collect()
    };
    let hexsides = |name: &str| -> BTreeSet<Hexside> {
        let layer = map.layer(name).into_iter();
        layer.flat_map(|layer| layer.hexsides("hexsides")).collect()
    };
    let drawn = Drawn {
        scrub: hexes("scrub"),
        hammada: hexes("hammada"),
        sand: hexes("sand"),
        deir: hexes("deir"),
        tracks: hexsides("track"),
        roads: hexsides("road"),
    };
    Ground::new(map.grid(), &drawn, levels::read(map))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn hex(name: &str) -> Hex {
        Grid::geomorphic().hex(name).unwrap()
    }

    pub(crate) fn hexside(name: &str) -> Hexside {
        Grid::geomorphic().hexside(name).unwrap()
    }

    /// Scrub at J4, hammada at J6, both at J8, sand at L6, a track on N4|N5, a road on P4|P5.
    pub(crate) fn ground() -> Ground {
        let hexes = |names: &[&str]| names.iter().map(|name| hex(name)).collect();
        let drawn = Drawn {
            scrub: hexes(&["J4", "J8"]),
            hammada: hexes(&["J6", "J8", "K6"]),
            sand: hexes(&["L6"]),
            tracks: BTreeSet::from([hexside("N4|N5")]),
            roads: BTreeSet::from([hexside("P4|P5")]),
            ..Drawn::default()
        };
        let grid = Grid::geomorphic();
        Ground::new(grid, &drawn, HexMap::new(grid, 0))
    }

    #[test]
    fn f3_31_every_hex_next_to_hammada_is_accessible_to_it() {
        assert!(ground().is_accessible_to_hammada(hex("J5")));
        assert!(ground().is_accessible_to_hammada(hex("L6")));
        assert!(!ground().is_accessible_to_hammada(hex("J4")));
    }
}
