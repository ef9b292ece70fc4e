//! From a VASL board to a map.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Direction, Hex, Hexside};
use alamein_terrain::{Field, Map};

use super::kinds::{TerrainKind, code};
use super::{CREST_LINE, VaslBoard, VaslError, VaslHex};
use crate::error::MapError;
use crate::file::MapFile;

/// How many pixels of a terrain may stray over the edge of a hex that has none of it. A picture of
/// scrub or hammada, the smallest there are, has hundreds.
const MOST_STRAY: u32 = 16;

impl VaslBoard {
    /// The map of this board: Base Levels, and a layer for each kind of terrain that has one.
    ///
    /// Layers without a hex are left out. A hex is scrub, hammada, sand or deir if it shows any, but
    /// for a few stray pixels at its edge, and hillock if VASL takes it for one, for a hillock fills its hex. A hexside is one
    /// of a road or track if that meets it in the middle from both sides. Lip Hexsides are not drawn:
    /// they follow from where a deir ends.
    ///
    /// # Errors
    /// Levels that no map has.
    pub fn to_map(&self) -> Result<Map, VaslError> {
        let mut map = Map::flat(self.grid);
        for hex in self.hexes.iter().filter(|hex| hex.base_level != 0) {
            map.levels.insert(hex.hex, i16::from(hex.base_level));
        }
        let scrub = self.showing(&[code::SCRUB, code::MORE_SCRUB]);
        let deir = self.showing(&[code::DEIR, code::DEIR_LIP]);
        let crests = [code::DUNE_CREST_LOW, code::DUNE_CREST_HIGH];
        let high = self.along(&[code::DUNE_CREST_HIGH]);
        let on_map = |hex: &Hex| self.grid.contains(*hex);
        let high_dunes: BTreeSet<Hex> = high.iter().flat_map(|side| side.hexes()).collect();
        for (layer, field, hexes) in [
            ("scrub", "hexes", scrub),
            ("hammada", "hexes", self.showing(&[code::HAMMADA])),
            ("sand", "hexes", self.showing(&[code::SAND])),
            ("deir", "hexes", deir),
            (
                "hillock",
                "hexes",
                self.being(&[code::HILLOCK, code::HILLOCK_SUMMIT]),
            ),
            ("hillock", "summit", self.being(&[code::HILLOCK_SUMMIT])),
            (
                "high_dune",
                "hexes",
                high_dunes.into_iter().filter(on_map).collect(),
            ),
        ] {
            put(&mut map, layer, field, Field::Hexes(hexes));
        }
        for (layer, hexsides) in [
            ("dune_crest", self.along(&crests)),
            ("track", self.over(&[code::TRACK])),
            ("road", self.over(&[code::DIRT_ROAD, code::PAVED_ROAD])),
        ] {
            put(&mut map, layer, "hexsides", Field::Hexsides(hexsides));
        }
        map.check()
            .map_err(|error| VaslError::geometry(error.to_string()))?;
        Ok(map)
    }

    /// The map file of this board, with the names that are printed on it.
    ///
    /// # Errors
    /// Levels that no map has.
    pub fn to_file(&self) -> Result<MapFile, VaslError> {
        let map = self.to_map()?;
        let wrong = |error: MapError| VaslError::geometry(error.to_string());
        MapFile::from_map_on(&map, vec![self.board.clone()]).map_err(wrong)
    }

    /// What there is in each hex that no layer holds, by name: a line that meets such a hex cannot
    /// be judged from the map alone. A hex has one level on the map; if it shows another too, but for a
    /// few stray pixels, it has a [`CREST_LINE`], which a line may pass on either side.
    #[must_use]
    pub fn unmodelled(&self) -> BTreeMap<Hex, BTreeSet<&'static str>> {
        let mut found: BTreeMap<Hex, BTreeSet<&'static str>> = BTreeMap::new();
        let mut note = |hex: Hex, what: &'static str| {
            if self.grid.contains(hex) {
                found.entry(hex).or_default().insert(what);
            }
        };
        for hex in &self.hexes {
            let shown = hex.shows.keys();
            let shown = shown.filter_map(|code| TerrainKind::of_code(*code));
            let kinds = shown.chain([hex.terrain]).chain(hex.depression);
            for kind in kinds.filter(|kind| !kind.is_modelled()) {
                note(hex.hex, kind.name);
            }
            let at_levels = hex.levels.values().filter(|pixels| **pixels > MOST_STRAY);
            if at_levels.count() > 1 {
                note(hex.hex, CREST_LINE);
            }
            let listed = [
                (&hex.slopes, "slope"),
                (&hex.embankments, "railway embankment"),
            ];
            for (sides, what) in listed {
                for side in sides {
                    note(hex.hex, what);
                    note(hex.hex.neighbour(*side), what);
                }
            }
        }
        for (side, kind) in self.hexsides.iter().filter(|(_, kind)| !kind.is_modelled()) {
            for hex in side.hexes() {
                note(hex, kind.name);
            }
        }
        found
    }

    /// The hexes that show such terrain.
    fn showing(&self, codes: &[u8]) -> BTreeSet<Hex> {
        let shows = |hex: &&VaslHex| {
            let pixels = codes.iter().filter_map(|code| hex.shows.get(code));
            pixels.sum::<u32>() > MOST_STRAY
        };
        self.hexes.iter().filter(shows).map(|hex| hex.hex).collect()
    }

    /// The hexes that are such terrain as a whole.
    fn being(&self, codes: &[u8]) -> BTreeSet<Hex> {
        let is = |hex: &&VaslHex| codes.contains(&hex.terrain.code);
        self.hexes.iter().filter(is).map(|hex| hex.hex).collect()
    }

    /// The hexsides along which such terrain runs.
    fn along(&self, codes: &[u8]) -> BTreeSet<Hexside> {
        let runs = |(_, kind): &(&Hexside, &&TerrainKind)| codes.contains(&kind.code);
        self.hexsides
            .iter()
            .filter(runs)
            .map(|(side, _)| *side)
            .collect()
    }

    /// The hexsides over which such terrain goes from hex to hex, or off the board.
    fn over(&self, codes: &[u8]) -> BTreeSet<Hexside> {
        let mut hexsides = BTreeSet::new();
        for hex in &self.hexes {
            for direction in Direction::ALL {
                let beyond = self.hex(hex.hex.neighbour(direction));
                let there = beyond.is_none_or(|hex| hex.meets(direction.opposite(), codes));
                if hex.meets(direction, codes) && there {
                    hexsides.insert(Hexside::of(hex.hex, direction));
                }
            }
        }
        hexsides
    }
}

impl VaslHex {
    /// Whether such terrain lies at the middle of a hexside.
    fn meets(&self, direction: Direction, codes: &[u8]) -> bool {
        let edge = self.edges.get(usize::from(direction.index()));
        edge.copied()
            .flatten()
            .is_some_and(|kind| codes.contains(&kind.code))
    }
}

fn put(map: &mut Map, layer: &str, field: &str, content: Field) {
    if content.hexes().next().is_some() {
        let layer = map.layers.entry(layer.to_owned()).or_default();
        layer.fields.insert(field.to_owned(), content);
    }
}
