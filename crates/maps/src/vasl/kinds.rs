//! The kinds of terrain that VASL's boards are painted with.

use std::sync::LazyLock;

/// A kind of terrain on VASL's boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerrainKind {
    /// Its code in `LOSData`. Names are not unique; codes are.
    pub code: u8,
    /// Its name.
    pub name: &'static str,
    pub(super) building: bool,
    pub(super) market: bool,
    pub(super) depression: bool,
    pub(super) inherent: bool,
    pub(super) hexside: bool,
}

/// The codes that something here depends on.
pub(super) mod code {
    pub(crate) const OPEN_GROUND: u8 = 0;
    pub(crate) const DIRT_ROAD: u8 = 65;
    pub(crate) const PAVED_ROAD: u8 = 66;
    pub(crate) const SCRUB: u8 = 100;
    pub(crate) const HAMMADA: u8 = 101;
    pub(crate) const DEIR: u8 = 102;
    pub(crate) const DEIR_LIP: u8 = 103;
    pub(crate) const HILLOCK: u8 = 105;
    pub(crate) const HILLOCK_SUMMIT: u8 = 106;
    pub(crate) const SAND: u8 = 107;
    pub(crate) const DUNE_CREST_LOW: u8 = 109;
    pub(crate) const DUNE_CREST_HIGH: u8 = 110;
    pub(crate) const TRACK: u8 = 112;
    /// Scrub again: the table has it twice.
    pub(crate) const MORE_SCRUB: u8 = 121;
}

/// The kinds by code.
static KINDS: LazyLock<Vec<Option<TerrainKind>>> = LazyLock::new(|| {
    let mut kinds = vec![None; 256];
    for kind in include_str!("../../catalogue/vasl-terrain.txt")
        .lines()
        .filter_map(parse)
    {
        if let Some(place) = kinds.get_mut(usize::from(kind.code)) {
            *place = Some(kind);
        }
    }
    kinds
});

fn parse(line: &'static str) -> Option<TerrainKind> {
    let mut parts = line.split('|').map(str::trim);
    let code = parts.next()?.parse().ok()?;
    let words = parts.next()?;
    let has = |word: &str| words.split_whitespace().any(|w| w == word);
    Some(TerrainKind {
        code,
        name: parts.next()?,
        building: has("building"),
        market: has("market"),
        depression: has("depression"),
        inherent: has("inherent"),
        hexside: has("hexside"),
    })
}

impl TerrainKind {
    /// The kind of that code, if there is one.
    #[must_use]
    pub fn of_code(code: u8) -> Option<&'static TerrainKind> {
        KINDS.get(usize::from(code))?.as_ref()
    }

    /// Whether a layer of the map holds all that matters of it. What is not modelled is listed by
    /// [`VaslBoard::unmodelled`](super::VaslBoard::unmodelled).
    #[must_use]
    pub fn is_modelled(&self) -> bool {
        matches!(
            self.code,
            code::OPEN_GROUND
                | code::DIRT_ROAD
                | code::PAVED_ROAD
                | code::SCRUB
                | code::MORE_SCRUB
                | code::HAMMADA
                | code::DEIR
                | code::DEIR_LIP
                | code::HILLOCK
                | code::HILLOCK_SUMMIT
                | code::SAND
                | code::DUNE_CREST_LOW
                | code::DUNE_CREST_HIGH
                | code::TRACK
        )
    }
}
