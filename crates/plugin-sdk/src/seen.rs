//! What all plugins observed, as a plugin sees it in the rounds after.
#![allow(unsafe_code)]

use alamein_hex::{Hex, Hexside};
use alamein_plugin_abi as abi;

use crate::view::{List, hex};
use crate::{Kind, Rule};

/// A fact that some plugin observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// An obstacle to LOS.
    Obstacle {
        /// How far its top is above its hex's level, in half levels.
        height: i16,
        /// It fills the whole hex, hexsides and vertices included.
        inherent: bool,
    },
    /// A LOS Hindrance.
    Hindrance {
        /// What it adds.
        drm: i16,
    },
    /// Something noted.
    Mark {
        /// A number that goes with it.
        value: i32,
    },
    /// A part of a step's cost.
    Cost {
        /// MF or MP.
        amount: i16,
    },
    /// A check that a step owes.
    Check {
        /// The Final DR at which it fails.
        fails_at: i16,
    },
    /// A DRM to the checks of its kind.
    CheckDrm {
        /// The DRM.
        drm: i16,
    },
    /// Something newer than this SDK.
    Unknown,
}

/// An observation.
#[derive(Clone, Copy)]
pub struct SeenFact<'a> {
    index: u32,
    view: &'a abi::SeenObservation,
}

impl SeenFact<'_> {
    /// Its index, by which objections and findings name it.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// What was observed.
    #[must_use]
    pub fn fact(&self) -> Fact {
        let small = |value: i32| value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let inherent = self.view.flags & abi::SAID_INHERENT != 0;
        match self.view.fact {
            abi::FACT_OBSTACLE => Fact::Obstacle {
                height: small(self.view.value),
                inherent,
            },
            abi::FACT_HINDRANCE => Fact::Hindrance {
                drm: small(self.view.value),
            },
            abi::FACT_MARK => Fact::Mark {
                value: self.view.value,
            },
            abi::FACT_COT | abi::FACT_SURCHARGE | abi::FACT_REDUCTION => Fact::Cost {
                amount: small(self.view.value),
            },
            abi::FACT_CHECK => Fact::Check {
                fails_at: small(self.view.value),
            },
            abi::FACT_CHECK_DRM => Fact::CheckDrm {
                drm: small(self.view.value),
            },
            _ => Fact::Unknown,
        }
    }

    /// It is a Cost of Terrain, as against another part of a step's cost.
    #[must_use]
    pub fn is_cot(&self) -> bool {
        self.view.fact == abi::FACT_COT
    }

    /// It is a cost on top of the COT.
    #[must_use]
    pub fn is_surcharge(&self) -> bool {
        self.view.fact == abi::FACT_SURCHARGE
    }

    /// Its kind, if this plugin knows it.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        (self.view.kind != abi::NONE).then(|| Kind::from_index(self.view.kind))
    }

    /// The hex where it is, if it is in one.
    #[must_use]
    pub fn hex(&self) -> Option<Hex> {
        (self.view.place.tag == abi::PLACE_HEX).then(|| hex(self.view.place.a))
    }

    /// The hexside where it is, if it is on one.
    #[must_use]
    pub fn hexside(&self) -> Option<Hexside> {
        let place = self.view.place;
        (place.tag == abi::PLACE_HEXSIDE)
            .then(|| Hexside::between(hex(place.a), hex(place.b)))
            .flatten()
    }

    /// The counter that it is about.
    #[must_use]
    pub fn subject(&self) -> Option<u32> {
        (self.view.subject != abi::NONE).then_some(self.view.subject)
    }

    /// No objection has set it aside, and no rule replaces the one by which it was observed. Until
    /// the last round nothing else is set aside.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.view.flags & abi::SEEN_SET_ASIDE == 0
    }

    /// It is about a probe, so it never adds.
    #[must_use]
    pub fn is_hypothetical(&self) -> bool {
        self.view.flags & abi::SEEN_HYPOTHETICAL != 0
    }

    /// The rule by which this plugin itself observed it.
    #[must_use]
    pub fn own_rule(&self) -> Option<Rule> {
        (self.view.rule != abi::NONE).then(|| Rule::from_index(self.view.rule))
    }
}

/// All observations of a line or a step, in an order that is the same whichever plugins were asked
/// first, and the objections to them.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    observations: List<'a, abi::SeenObservation>,
    objections: List<'a, abi::SeenObjection>,
}

impl<'a> Seen<'a> {
    /// # Safety
    /// The view and all that it points to are valid for `'a`.
    pub(crate) unsafe fn new(view: &'a abi::SeenView) -> Self {
        // SAFETY: the caller says that both arrays are valid.
        unsafe {
            Self {
                observations: List::new(view.observations),
                objections: List::new(view.objections),
            }
        }
    }

    /// The observations.
    pub fn facts(&self) -> impl Iterator<Item = SeenFact<'a>> + 'a {
        let observations = self.observations;
        (0..observations.len()).filter_map(move |at| {
            Some(SeenFact {
                index: u32::try_from(at).ok()?,
                view: observations.get(at)?,
            })
        })
    }

    /// The Hindrances that stand and are really there.
    pub fn hindrances(&self) -> impl Iterator<Item = SeenFact<'a>> + 'a {
        self.facts().filter(|seen| {
            matches!(seen.fact(), Fact::Hindrance { .. })
                && seen.stands()
                && !seen.is_hypothetical()
        })
    }

    /// Whether this observation was set aside by a rule of this plugin, or by one that replaces it.
    #[must_use]
    pub fn set_aside_by(&self, seen: &SeenFact<'_>, rule: Rule) -> bool {
        let mut objections = self.objections.iter();
        objections.any(|held| held.observation == seen.index && held.rule == rule.index())
    }

    /// Whether this rule of the plugin, and no other of any plugin, set this observation aside.
    #[must_use]
    pub fn set_aside_only_by(&self, seen: &SeenFact<'_>, rule: Rule) -> bool {
        let mut objections = self
            .objections
            .iter()
            .filter(|held| held.observation == seen.index)
            .peekable();
        objections.peek().is_some() && objections.all(|held| held.rule == rule.index())
    }
}
