//! What a plugin may say: which rules, kinds, counters, places and numbers make sense.

use std::ops::RangeInclusive;

use alamein_hex::{Grid, Hex, Hexside};
use alamein_plugin_abi as abi;
use alamein_plugin_abi::NONE;
use alamein_terrain::{Cites, CostPart, Effect, Fact, Place, SeenBatch};

use crate::feature::Instance;
use crate::limits::{CHECKS, COST, DRM, HEIGHT};
use crate::saying::copies;

/// What sayings are about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Matter {
    /// Lines.
    Lines,
    /// Steps.
    Steps,
    /// Set-ups.
    SetUps,
}

impl Matter {
    /// What to call one of them.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Lines => "line",
            Self::Steps => "step",
            Self::SetUps => "set-up",
        }
    }
}

/// What sayings are checked against.
pub(crate) struct Context<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) grid: Grid,
    pub(crate) matter: Matter,
    /// Which lines, steps or set-ups of the batch the plugin is asked about.
    pub(crate) ask: &'a [u32],
    /// How many counters there are, probes included.
    pub(crate) counters: usize,
    /// What has been seen, from the second round on.
    pub(crate) seen: Option<&'a SeenBatch>,
}

impl Context<'_> {
    /// A rule of the plugin.
    pub(crate) fn rule(&self, rule: u32) -> Result<u16, String> {
        let rules = self.instance.plugin.rules().len();
        match u16::try_from(rule) {
            Ok(index) if usize::from(index) < rules => Ok(index),
            _ => Err(format!("its rule is number {rule}, of {rules}")),
        }
    }

    /// A counter of the position, or none.
    pub(crate) fn subject(&self, subject: u32) -> Result<Option<u32>, String> {
        if subject == NONE {
            return Ok(None);
        }
        if (subject as usize) < self.counters {
            return Ok(Some(subject));
        }
        let counters = self.counters;
        Err(format!(
            "its subject is counter number {subject}, of {counters}"
        ))
    }

    /// The vocabulary's number of a kind of the plugin's.
    fn kind(&self, kind: u32) -> Result<u32, String> {
        let kinds = &self.instance.kinds;
        let unknown = || format!("its kind is number {kind}, of {}", kinds.len());
        kinds.shared(kind).ok_or_else(unknown)
    }

    /// An observation that was seen of a line, step or set-up of the batch.
    pub(crate) fn observation(&self, observation: u32, of: u32) -> Result<u32, String> {
        let seen = self.seen_of(of);
        if (observation as usize) < seen {
            return Ok(observation);
        }
        Err(format!(
            "it is about observation number {observation}, of {seen}"
        ))
    }

    fn seen_of(&self, of: u32) -> usize {
        self.seen.map_or(0, |seen| seen.of(of as usize).len())
    }

    /// Observations that a finding rests on.
    ///
    /// # Safety
    /// If it is not null, the array must be valid for reads.
    pub(crate) unsafe fn cites(&self, cites: &abi::Array, of: u32) -> Result<Cites, String> {
        let (count, seen) = (cites.len, self.seen_of(of));
        if count > seen {
            return Err(format!("it cites {count} observations, of {seen}"));
        }
        // SAFETY: as the caller says.
        let cited = unsafe { copies::<u32>(cites) };
        let cited = cited.map_err(|why| format!("its cites {why}"))?;
        cited.map(|cited| self.observation(cited, of)).collect()
    }

    /// Whether the manifest names an option for a rule, so that it may be contested.
    pub(crate) fn has_option(&self, rule: u16) -> bool {
        self.instance.contested.get(usize::from(rule)) == Some(&true)
    }

    /// A place: a hex on the map or next to it, or a hexside of a hex on the map.
    pub(crate) fn place(&self, place: &abi::PlaceView) -> Result<Place, String> {
        let hex = |hex: abi::HexCoord| Hex::new(hex.q, hex.r);
        let (a, b) = (hex(place.a), hex(place.b));
        let on_map = |hex: &Hex| self.grid.contains(*hex);
        let sides = || format!("{}|{}", self.grid.label(a), self.grid.label(b));
        match place.tag {
            abi::PLACE_WHOLE => Ok(Place::Whole),
            abi::PLACE_HEX if on_map(&a) || a.neighbours().iter().any(on_map) => Ok(Place::Hex(a)),
            abi::PLACE_HEX => Err(format!(
                "its place is {}, which is off the map",
                self.grid.label(a)
            )),
            abi::PLACE_HEXSIDE => match Hexside::between(a, b) {
                None => Err(format!("its place is {}, which are not adjacent", sides())),
                Some(side) if on_map(&a) || on_map(&b) => Ok(Place::Hexside(side)),
                Some(_) => Err(format!("its place is {}, which is off the map", sides())),
            },
            tag => Err(format!("its place has the unknown tag {tag}")),
        }
    }

    /// A fact, with nothing set that does not go with it.
    pub(crate) fn fact(&self, raw: &abi::Observation) -> Result<Fact, String> {
        let fact = match raw.fact {
            abi::FACT_OBSTACLE => Fact::Obstacle {
                kind: self.kind(raw.kind)?,
                height: within("its height", raw.value, -HEIGHT..=HEIGHT)?,
                inherent: raw.flags & abi::SAID_INHERENT != 0,
            },
            abi::FACT_HINDRANCE => Fact::Hindrance {
                kind: self.kind(raw.kind)?,
                drm: within("its DRM", raw.value, -DRM..=DRM)?,
            },
            abi::FACT_MARK => Fact::Mark {
                kind: self.kind(raw.kind)?,
                value: raw.value,
            },
            abi::FACT_COT => cost(CostPart::Cot, raw)?,
            abi::FACT_SURCHARGE => cost(CostPart::Surcharge, raw)?,
            abi::FACT_REDUCTION => {
                let floor = within("its floor", raw.floor, 0..=COST)?;
                cost(CostPart::Reduction { floor }, raw)?
            }
            abi::FACT_CHECK => Fact::Check {
                kind: self.kind(raw.kind)?,
                fails_at: within("the Final DR at which it fails", raw.value, -DRM..=DRM)?,
                times: small("the number of its DRs", raw.times, 1..=CHECKS)?,
                order: small("its order", raw.order, 0..=u8::MAX)?,
            },
            abi::FACT_CHECK_DRM => Fact::CheckDrm {
                kind: self.kind(raw.kind)?,
                drm: within("its DRM", raw.value, -DRM..=DRM)?,
            },
            fact => return Err(format!("it is the unknown fact {fact}")),
        };
        let allowed = match fact {
            Fact::Obstacle { .. } => abi::SAID_INHERENT | abi::SAID_NEEDS_LOS,
            _ => abi::SAID_NEEDS_LOS,
        };
        let (flags, what, matter) = (raw.flags, raw.fact, self.matter.name());
        match (self.matter, fact) {
            (of, fact) if !may_be_of(fact, of) => {
                Err(format!("it is the fact {what}, which no {matter} has"))
            }
            _ if flags & !allowed != 0 => Err(format!(
                "its flags are {flags:#x}, of which it may have {allowed:#x}"
            )),
            _ if raw.floor != 0 && raw.fact != abi::FACT_REDUCTION => {
                Err(format!("it is the fact {what}, which takes no floor"))
            }
            _ if (raw.times, raw.order) != (0, 0) && raw.fact != abi::FACT_CHECK => Err(format!(
                "it is the fact {what}, which takes no times and no order"
            )),
            _ => Ok(fact),
        }
    }

    /// An effect, with nothing set that does not go with it.
    pub(crate) fn effect(&self, raw: &abi::Finding) -> Result<Effect, String> {
        let value = || within("its value", raw.value, -DRM..=DRM);
        let effect = match raw.effect {
            abi::EFFECT_BLOCKS => Effect::Blocks,
            abi::EFFECT_TEM => Effect::Tem {
                group: self.kind(raw.kind)?,
                drm: value()?,
            },
            abi::EFFECT_HULL_DOWN => Effect::HullDown,
            abi::EFFECT_ON_LANE => Effect::OnLane,
            abi::EFFECT_IMMUNE => Effect::Immune,
            abi::EFFECT_OPEN_GROUND => Effect::OpenGround,
            abi::EFFECT_NOT_OPEN_GROUND => Effect::NotOpenGround,
            abi::EFFECT_HALVED => Effect::Halved,
            abi::EFFECT_MORALE_DRM => Effect::MoraleDrm { drm: value()? },
            abi::EFFECT_CAP => Effect::Cap { max: value()? },
            abi::EFFECT_LIMIT => Effect::Limit { at: value()? },
            abi::EFFECT_PROHIBITED => Effect::Prohibited,
            abi::EFFECT_ALLOWED => Effect::Allowed,
            abi::EFFECT_EMPLACED => Effect::Emplaced,
            abi::EFFECT_MAY_BE_UNEMPLACED => Effect::MayBeUnemplaced,
            abi::EFFECT_NOT_COVERED => Effect::NotCovered,
            abi::EFFECT_CONSIDERED => Effect::Considered,
            abi::EFFECT_CONTESTED => Effect::Contested,
            abi::EFFECT_NOT_IMPLEMENTED => Effect::NotImplemented,
            effect => return Err(format!("it is the unknown effect {effect}")),
        };
        let wrong = |what: &str| Err(format!("it is the effect {}, which {what}", raw.effect));
        let matter = self.matter.name();
        let takes_kind = matches!(effect, Effect::Tem { .. });
        match self.matter {
            of if !may_come_of(effect, of) => wrong(&format!("no {matter} has")),
            _ if raw.value != 0 && effect.value().is_none() => wrong("takes no value"),
            _ if raw.kind != NONE && !takes_kind => wrong("takes no kind"),
            _ => Ok(effect),
        }
    }
}

fn cost(part: CostPart, raw: &abi::Observation) -> Result<Fact, String> {
    if raw.kind != NONE {
        return Err(format!("it is the fact {}, which takes no kind", raw.fact));
    }
    let amount = within("its cost", raw.value, 0..=COST)?;
    Ok(Fact::Cost { part, amount })
}

/// Whether a fact may be observed there.
fn may_be_of(fact: Fact, matter: Matter) -> bool {
    match fact {
        Fact::Mark { .. } => true,
        Fact::Obstacle { .. } | Fact::Hindrance { .. } => matter == Matter::Lines,
        Fact::Cost { .. } | Fact::Check { .. } | Fact::CheckDrm { .. } => matter == Matter::Steps,
    }
}

/// Whether an effect may be found there.
fn may_come_of(effect: Effect, matter: Matter) -> bool {
    match effect {
        Effect::NotCovered | Effect::Considered | Effect::Contested | Effect::NotImplemented => {
            true
        }
        Effect::Prohibited => matter != Matter::Lines,
        Effect::Allowed | Effect::Emplaced | Effect::MayBeUnemplaced => matter == Matter::SetUps,
        Effect::Blocks
        | Effect::Tem { .. }
        | Effect::HullDown
        | Effect::OnLane
        | Effect::Immune
        | Effect::OpenGround
        | Effect::NotOpenGround
        | Effect::Halved
        | Effect::MoraleDrm { .. }
        | Effect::Cap { .. }
        | Effect::Limit { .. } => matter == Matter::Lines,
    }
}

/// A small number that must be within bounds.
fn small(what: &str, value: u32, bounds: RangeInclusive<u8>) -> Result<u8, String> {
    let (least, most) = (*bounds.start(), *bounds.end());
    match u8::try_from(value) {
        Ok(small) if bounds.contains(&small) => Ok(small),
        _ => Err(format!("{what} is {value}, not {least} to {most}")),
    }
}

/// A number that must be within bounds, which fit an `i16`.
fn within(what: &str, value: i32, bounds: RangeInclusive<i32>) -> Result<i16, String> {
    let (least, most) = (*bounds.start(), *bounds.end());
    match i16::try_from(value) {
        Ok(small) if bounds.contains(&value) => Ok(small),
        _ => Err(format!("{what} is {value}, not {least} to {most}")),
    }
}
