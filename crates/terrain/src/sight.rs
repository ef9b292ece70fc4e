//! Lines of sight by the many: all that one unit sees, in a byte or two for each hex.
//!
//! Each sight is the verdict on a question of its own, of a LOS to an ordinary unit in a hex, without its
//! grounds. What is here is what a player shades a map with.

use alamein_hex::{Grid, Hex};

use crate::canon::Digest;
use crate::counter::Counter;
use crate::moves::MissingRule;
use crate::question::{Ask, End, GrazingPolicy, Question};
use crate::ruling::{ContestedOption, IgnoredLayer, LosResult, LosVerdict};

/// What comes of a line of sight.
///
/// ```
/// use alamein_terrain::Sight;
///
/// assert_eq!(Sight::Hindered(2).to_byte(), 66);
/// assert_eq!(Sight::from_byte(66), Some(Sight::Hindered(2)));
/// assert_eq!(Sight::from_byte(0), None); // nobody asked
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sight {
    /// Nothing is in the way.
    Clear,
    /// Hindrances are, of this total DRM; 255 stands for more too.
    Hindered(u8),
    /// Terrain blocks it, whatever else Hinders.
    BlockedByTerrain,
    /// There are so many Hindrances that they block it, of this total DRM; 255 stands for more too.
    BlockedByHindrances(u8),
    /// A rule decides that is not implemented: nobody can say.
    NotImplemented,
}

impl Sight {
    /// The byte of a hex that was not asked about.
    pub const NOT_ASKED: u8 = 0;

    /// The most Hindrance DRM that a byte tells apart where there is a LOS.
    pub const MOST_HINDERED: u8 = 63;

    /// The most Hindrance DRM that a byte tells apart where Hindrances block.
    pub const MOST_BLOCKED: u8 = 127;

    /// Its byte in packed form:
    ///
    /// | byte | what |
    /// |---|---|
    /// | 0 | not asked about |
    /// | 1 | clear |
    /// | 2 | blocked by terrain |
    /// | 3 | a rule decides that is not implemented |
    /// | 65 to 127 | hindered by the byte less 64; 127 by 63 or more |
    /// | 128 to 255 | blocked by Hindrances of the byte less 128; 255 of 127 or more |
    #[must_use]
    pub fn to_byte(self) -> u8 {
        match self {
            Self::Clear => 1,
            Self::BlockedByTerrain => 2,
            Self::NotImplemented => 3,
            Self::Hindered(drm) => 64 + drm.clamp(1, Self::MOST_HINDERED),
            Self::BlockedByHindrances(drm) => 128 + drm.min(Self::MOST_BLOCKED),
        }
    }

    /// What a byte means, as [`to_byte`](Self::to_byte) has it; nothing for a hex that was not asked
    /// about, and for a byte that means nothing.
    #[must_use]
    pub fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            1 => Some(Self::Clear),
            2 => Some(Self::BlockedByTerrain),
            3 => Some(Self::NotImplemented),
            65..=127 => Some(Self::Hindered(byte - 64)),
            128.. => Some(Self::BlockedByHindrances(byte - 128)),
            _ => None,
        }
    }

    /// A LOS that Hindrances of this total, 0 or more, are in the way of, and that is or is not blocked.
    #[must_use]
    pub fn of(result: LosResult, hindrance: Option<i16>) -> Self {
        let drm = |drm: i16| u8::try_from(drm.max(0)).unwrap_or(u8::MAX);
        match (result, hindrance) {
            (LosResult::Clear, _) => Self::Clear,
            (LosResult::Hindered, hindrance) => Self::Hindered(drm(hindrance.unwrap_or_default())),
            (LosResult::Blocked, None) => Self::BlockedByTerrain,
            (LosResult::Blocked, Some(hindrance)) => Self::BlockedByHindrances(drm(hindrance)),
        }
    }

    /// Whether there is no LOS.
    #[must_use]
    pub fn is_blocked(self) -> bool {
        matches!(self, Self::BlockedByTerrain | Self::BlockedByHindrances(_))
    }

    /// The total Hindrance DRM; `None` where terrain blocks, and where nobody can say.
    #[must_use]
    pub fn hindrance(self) -> Option<u8> {
        match self {
            Self::Clear => Some(0),
            Self::Hindered(drm) | Self::BlockedByHindrances(drm) => Some(drm),
            Self::BlockedByTerrain | Self::NotImplemented => None,
        }
    }
}

impl From<&LosVerdict> for Sight {
    fn from(los: &LosVerdict) -> Self {
        Self::of(los.result, los.hindrance)
    }
}

/// What does this one see?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldQuestion {
    /// Who looks.
    pub from: End,
    /// To which range, in hexes; `None` is the whole map.
    pub range: Option<u16>,
    /// The grazing policy, where the players agreed on another than the ruleset's.
    pub policy: Option<GrazingPolicy>,
    /// Counters that are not there.
    pub probes: Vec<Counter>,
    /// Layers that may be on the map though no plugin owns them.
    pub ignore_layers: Vec<String>,
}

impl FieldQuestion {
    /// The plain question about the whole map, with no exceptions.
    #[must_use]
    pub fn new(from: End) -> Self {
        Self {
            from,
            range: None,
            policy: None,
            probes: Vec::new(),
            ignore_layers: Vec::new(),
        }
    }

    /// The question of the LOS to one hex by itself.
    #[must_use]
    pub fn question(&self, to: Hex) -> Question {
        Question {
            ask: Ask::LineOfSight {
                from: self.from.clone(),
                to: End::Hex(to.into()),
            },
            policy: self.policy,
            probes: self.probes.clone(),
            ignore_layers: self.ignore_layers.clone(),
        }
    }
}

/// What does an ordinary unit in each hex see? A [`FieldQuestion`] for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairsQuestion {
    /// To which range, in hexes; `None` is the whole map.
    pub range: Option<u16>,
    /// The grazing policy, where the players agreed on another than the ruleset's.
    pub policy: Option<GrazingPolicy>,
    /// Layers that may be on the map though no plugin owns them.
    pub ignore_layers: Vec<String>,
}

impl PairsQuestion {
    /// The question of what is seen from one hex.
    #[must_use]
    pub fn from(&self, hex: Hex) -> FieldQuestion {
        FieldQuestion {
            from: End::Hex(hex.into()),
            range: self.range,
            policy: self.policy,
            probes: Vec::new(),
            ignore_layers: self.ignore_layers.clone(),
        }
    }
}

/// What somebody sees: the LOS to an ordinary unit in each hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldOfView {
    /// The fingerprint of the rules.
    pub rules: Digest,
    /// The id of the position.
    pub position: Digest,
    /// The grazing policy that held.
    pub policy: GrazingPolicy,
    /// The hexes that there are.
    pub grid: Grid,
    /// The hex of who looks.
    pub viewer: Hex,
    /// The hexes that were asked about, the viewer's own among them, in the order of the grid.
    pub sights: Vec<(Hex, Sight)>,
    /// The contested options on which some of them turned, each once, of the first place at which it
    /// mattered.
    pub contested: Vec<ContestedOption>,
    /// The rules that decide some of them and are not implemented; each once, for the first place.
    pub not_implemented: Vec<MissingRule>,
    /// The rules that apply to some of them and are left out of account, since no plugin covers them;
    /// each once, for the first place.
    pub not_covered: Vec<MissingRule>,
    /// The layers ignored, and whether a line meets them.
    pub ignored: Vec<IgnoredLayer>,
}

impl FieldOfView {
    /// The sight of a hex, if it was asked about.
    #[must_use]
    pub fn sight(&self, hex: Hex) -> Option<Sight> {
        // The order of the grid is that of hexes.
        let at = self.sights.binary_search_by_key(&hex, |(hex, _)| *hex);
        at.ok()
            .and_then(|at| self.sights.get(at))
            .map(|(_, sight)| *sight)
    }

    /// A byte for each hex of the map, in the order of the grid: see [`Sight::to_byte`].
    #[must_use]
    pub fn packed(&self) -> Vec<u8> {
        let mut bytes = vec![Sight::NOT_ASKED; self.grid.len()];
        for (hex, sight) in &self.sights {
            if let Some(byte) = self.grid.index(*hex).and_then(|at| bytes.get_mut(at)) {
                *byte = sight.to_byte();
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_says_what_a_sight_is() {
        let mut known = Vec::new();
        for byte in 0..=u8::MAX {
            let Some(sight) = Sight::from_byte(byte) else {
                continue;
            };
            assert_eq!(sight.to_byte(), byte, "{sight:?}");
            assert!(!known.contains(&sight), "{sight:?}");
            known.push(sight);
        }
        assert_eq!(known.len(), 3 + 63 + 128);
        // What is too much for a byte is the most that it says.
        assert_eq!(Sight::Hindered(200).to_byte(), 127);
        assert_eq!(Sight::BlockedByHindrances(200).to_byte(), 255);
    }

    #[test]
    fn a_sight_is_what_a_verdict_says() {
        let of = |result, hindrance| Sight::of(result, hindrance);
        assert_eq!(of(LosResult::Clear, Some(0)), Sight::Clear);
        assert_eq!(of(LosResult::Hindered, Some(3)), Sight::Hindered(3));
        assert_eq!(of(LosResult::Hindered, Some(999)), Sight::Hindered(255));
        assert_eq!(of(LosResult::Blocked, None), Sight::BlockedByTerrain);
        let blocked = of(LosResult::Blocked, Some(6));
        assert_eq!(blocked, Sight::BlockedByHindrances(6));
        assert_eq!(std::mem::size_of::<Option<Sight>>(), 2);
    }

    #[test]
    fn a_side_is_told_no_more_than_it_may() {
        use Sight::{BlockedByHindrances, BlockedByTerrain, Clear, Hindered, NotImplemented};
        assert_eq!(Clear.told(Hindered(1)), Hindered(1));
        assert_eq!(
            Hindered(1).told(BlockedByHindrances(6)),
            BlockedByHindrances(6)
        );
        assert_eq!(
            BlockedByTerrain.told(BlockedByHindrances(6)),
            BlockedByTerrain
        );
        assert_eq!(
            BlockedByHindrances(6).told(BlockedByHindrances(7)),
            BlockedByHindrances(6)
        );
        assert_eq!(NotImplemented.told(Clear), NotImplemented);
        assert_eq!(Clear.told(NotImplemented), NotImplemented);
    }
}
