//! Whom a line, a step or a set-up concerns, all features at once: a bit for each.

use std::sync::Arc;

use alamein_hex::{Grid, Hex};
use alamein_terrain::PreparedFeature;

/// What concerns the features of a ruleset on a map.
#[derive(Debug)]
pub(crate) struct Interests {
    grid: Grid,
    /// For each hex of the grid those whom it concerns.
    hexes: Vec<u64>,
    /// Those whom every line with a counter concerns.
    pub(crate) counters: u64,
    /// Those whom everything concerns.
    pub(crate) everything: u64,
}

impl Interests {
    /// What these features say concerns them; nothing if there are more features than bits.
    pub(crate) fn new(grid: Grid, features: &[Arc<dyn PreparedFeature>]) -> Option<Self> {
        if features.len() > u64::BITS as usize {
            return None;
        }
        let mut interests = Self {
            grid,
            hexes: vec![0; grid.len()],
            counters: 0,
            everything: 0,
        };
        for (at, feature) in features.iter().enumerate() {
            let (interest, bit) = (feature.interest(), 1_u64 << at);
            let flag = |set: bool| if set { bit } else { 0 };
            interests.counters |= flag(interest.counters);
            interests.everything |= flag(interest.everything);
            for (all, its) in interests.hexes.iter_mut().zip(&interest.hexes) {
                *all |= flag(*its);
            }
        }
        Some(interests)
    }

    /// Those whom a hex concerns.
    pub(crate) fn hex(&self, hex: Hex) -> u64 {
        let index = self.grid.index(hex);
        index
            .and_then(|index| self.hexes.get(index))
            .copied()
            .unwrap_or_default()
    }

    /// Those whom one of these hexes concerns.
    pub(crate) fn any(&self, hexes: impl Iterator<Item = Hex>) -> u64 {
        hexes.fold(0, |concerned, hex| concerned | self.hex(hex))
    }
}
