//! Bank hexes and bank hexsides (SB1).

use std::collections::BTreeSet;

use alamein_plugin_sdk::prelude::*;

/// The layer.
pub const LAYER: &str = "stony_bank";

/// The banks of a map.
#[derive(Clone, Debug)]
pub struct Banks {
    hexes: HexMap<bool>,
    hexsides: HexsideSet,
}

/// What is wrong with the drawing of a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A bank hexside of no bank hex.
    StrayHexside(Hexside),
    /// A bank hex without a bank hexside. It shelters nobody, but it may be drawn so.
    NoDrop(Hex),
}

impl Banks {
    /// Makes banks of what a map shows, and lists what is wrong with it.
    #[must_use]
    pub fn new(
        grid: Grid,
        hexes: &BTreeSet<Hex>,
        hexsides: &BTreeSet<Hexside>,
    ) -> (Self, Vec<Flaw>) {
        let mut banks = Self {
            hexes: HexMap::new(grid, false),
            hexsides: HexsideSet::new(grid),
        };
        hexes.iter().for_each(|hex| banks.hexes.set(*hex, true));
        for hexside in hexsides {
            banks.hexsides.insert(*hexside);
        }
        let stray = |side: &&Hexside| !side.hexes().iter().any(|hex| hexes.contains(hex));
        let mut flaws: Vec<Flaw> = hexsides
            .iter()
            .filter(stray)
            .map(|side| Flaw::StrayHexside(*side))
            .collect();
        let flat = hexes.iter().filter(|hex| !banks.hexsides.touches(**hex));
        flaws.extend(flat.map(|hex| Flaw::NoDrop(*hex)));
        (banks, flaws)
    }

    /// A bank hex.
    #[must_use]
    pub fn is_bank(&self, hex: Hex) -> bool {
        self.hexes[hex]
    }

    /// A hexside on which a bank drops off.
    #[must_use]
    pub fn drops_on(&self, hexside: Hexside) -> bool {
        self.hexsides.contains(hexside)
    }

    /// The hexside by which a LOS crosses the bank of a hex, if it does: into the hex or out of it.
    #[must_use]
    pub fn bank_crossed(
        &self,
        hex: Hex,
        mut course: impl Iterator<Item = Crossing>,
    ) -> Option<Hexside> {
        let over_bank = |crossing: &Crossing| {
            crossing.hexside().touches(hex) && self.drops_on(crossing.hexside())
        };
        course.find(over_bank).map(Crossing::hexside)
    }

    /// All bank hexes.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> {
        let banks = self.hexes.iter().filter(|(_, bank)| **bank);
        banks.map(|(hex, _)| hex)
    }
}

/// Reads the banks off a map.
pub fn read(map: &MapView<'_>, problems: &mut Problems) -> Banks {
    let layer = || map.layer(LAYER).into_iter();
    let hexes = layer().flat_map(|layer| layer.hexes("hexes")).collect();
    let hexsides = layer()
        .flat_map(|layer| layer.hexsides("hexsides"))
        .collect();
    let (banks, flaws) = Banks::new(map.grid(), &hexes, &hexsides);
    for flaw in flaws {
        match flaw {
            Flaw::StrayHexside(side) => problems.error(format!(
                "{}: a bank hexside belongs to a bank hex; list one of the two among `hexes`",
                map.hexside_name(side)
            )),
            Flaw::NoDrop(hex) => problems.warn(format!(
                "{}: a bank hex without a bank hexside shelters nobody",
                map.name(hex)
            )),
        }
    }
    banks
}

#[cfg(test)]
pub(crate) mod tests {
    use alamein_plugin_sdk::hex::trace_between;

    use super::*;

    pub(crate) fn hex(name: &str) -> Hex {
        Grid::geomorphic().hex(name).unwrap()
    }

    pub(crate) fn hexside(name: &str) -> Hexside {
        Grid::geomorphic().hexside(name).unwrap()
    }

    /// A bank that runs from H5 to J5 and drops off to the north.
    pub(crate) fn bank() -> Banks {
        let hexes = ["H5", "I6", "J5"].map(hex);
        let drops = ["H4|H5", "I5|I6", "J4|J5"].map(hexside);
        let (banks, flaws) = Banks::new(Grid::geomorphic(), &hexes.into(), &drops.into());
        assert_eq!(flaws, []);
        banks
    }

    /// The bank of a hex that the LOS between two hexes crosses.
    fn crossed(of: &str, from: &str, to: &str) -> Option<Hexside> {
        let trace = trace_between(hex(from), hex(to));
        let course: Vec<Crossing> = trace.crossings(Side::Left).collect();
        bank().bank_crossed(hex(of), course.into_iter())
    }

    #[test]
    fn sb1_a_bank_is_crossed_from_either_side() {
        assert_eq!(crossed("H5", "H2", "H5"), Some(hexside("H4|H5")));
        assert_eq!(crossed("H5", "H5", "H2"), Some(hexside("H4|H5")));
        assert_eq!(crossed("H5", "H2", "H8"), Some(hexside("H4|H5")));
    }

    #[test]
    fn sb1_from_behind_no_bank_is_crossed() {
        assert_eq!(crossed("H5", "H8", "H5"), None);
    }

    #[test]
    fn sb1_the_bank_of_another_hex_is_not_crossed() {
        assert_eq!(crossed("J5", "H2", "H5"), None);
    }

    #[test]
    fn sb1_what_is_drawn_wrongly_is_told() {
        let hexes = BTreeSet::from([hex("H5")]);
        let hexsides = BTreeSet::from([hexside("N4|N5")]);
        let (_, flaws) = Banks::new(Grid::geomorphic(), &hexes, &hexsides);
        assert_eq!(
            flaws,
            [
                Flaw::StrayHexside(hexside("N4|N5")),
                Flaw::NoDrop(hex("H5"))
            ]
        );
    }
}
