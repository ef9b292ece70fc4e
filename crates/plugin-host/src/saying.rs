//! What a plugin says, checked and turned into what the host knows.

use alamein_hex::{Grid, Hex, Hexside};
use alamein_plugin_abi as abi;
use alamein_plugin_abi::{NONE, PlaceView};
use alamein_terrain::{CostPart, Effect, Fact, Finding, Objection, Observation, Place, SeenBatch};

use crate::feature::Instance;
use crate::limits::{COST, DRM, HEIGHT};

/// What sayings are about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Matter {
    /// Lines.
    Lines,
    /// Steps.
    Steps,
}

/// What sayings are checked against.
pub(crate) struct Context<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) grid: Grid,
    pub(crate) matter: Matter,
    /// Which lines or steps of the batch the plugin is asked about.
    pub(crate) ask: &'a [u32],
    /// How many counters there are, probes included.
    pub(crate) counters: usize,
    /// What has been seen, from the second round on.
    pub(crate) seen: Option<&'a SeenBatch>,
}

/// Something that a plugin may say.
pub(crate) trait Saying: Sized {
    /// As it crosses.
    type Raw: Copy;
    /// What to call it.
    const NAME: &'static str;

    /// Which of the lines or steps asked about it is said of.
    fn of(raw: &Self::Raw) -> u32;

    /// Checks it, and that it may be said of this line or step of the batch.
    ///
    /// # Safety
    /// What `raw` points to must be valid for reads as the ABI says.
    unsafe fn read(raw: &Self::Raw, of: u32, context: &Context<'_>) -> Result<Self, String>;

    /// How many sayings it counts for.
    fn weight(&self) -> usize {
        1
    }
}

impl Saying for Observation {
    type Raw = abi::Observation;
    const NAME: &'static str = "observation";

    fn of(raw: &Self::Raw) -> u32 {
        raw.of
    }

    unsafe fn read(raw: &Self::Raw, _: u32, context: &Context<'_>) -> Result<Self, String> {
        let rule = context.rule(raw.rule)?;
        let subject = context.subject(raw.subject)?;
        let place = context.place(&raw.place)?;
        let fact = context.fact(raw)?;
        let needs_los = raw.flags & abi::SAID_NEEDS_LOS != 0;
        if needs_los && !(matches!(place, Place::Hex(_)) && context.matter == Matter::Lines) {
            return Err("it needs LOS, and is not in a hex on a line".into());
        }
        Ok(Self {
            rule,
            place,
            subject,
            fact,
            needs_los,
        })
    }
}

impl Saying for Objection {
    type Raw = abi::Objection;
    const NAME: &'static str = "objection";

    fn of(raw: &Self::Raw) -> u32 {
        raw.of
    }

    unsafe fn read(raw: &Self::Raw, of: u32, context: &Context<'_>) -> Result<Self, String> {
        let rule = context.rule(raw.rule)?;
        let observation = context.observation(raw.observation, of)?;
        Ok(Self { observation, rule })
    }
}

impl Saying for Finding {
    type Raw = abi::Finding;
    const NAME: &'static str = "finding";

    fn of(raw: &Self::Raw) -> u32 {
        raw.of
    }

    unsafe fn read(raw: &Self::Raw, of: u32, context: &Context<'_>) -> Result<Self, String> {
        let rule = context.rule(raw.rule)?;
        let effect = context.effect(raw)?;
        let unnamed =
            |rule: &u16| context.instance.contested.get(usize::from(*rule)) != Some(&true);
        if effect == Effect::Contested && unnamed(&rule) {
            return Err("it turned on an option, and the manifest names none for its rule".into());
        }
        // SAFETY: as the caller says.
        let cites = unsafe { context.cites(&raw.cites, of) }?;
        let place = context.place(&raw.place)?;
        let subject = context.subject(raw.subject)?;
        Ok(Self {
            rule,
            place,
            subject,
            effect,
            cites,
        })
    }

    fn weight(&self) -> usize {
        1 + self.cites.len()
    }
}

impl Context<'_> {
    fn rule(&self, rule: u32) -> Result<u16, String> {
        let rules = self.instance.plugin.rules().len();
        match u16::try_from(rule) {
            Ok(index) if usize::from(index) < rules => Ok(index),
            _ => Err(format!("its rule is number {rule}, of {rules}")),
        }
    }

    fn subject(&self, subject: u32) -> Result<Option<u32>, String> {
        if subject == NONE {
            return Ok(None);
        }
        if (subject as usize) < self.counters {
            return Ok(Some(subject));
        }
        Err(format!(
            "its subject is counter number {subject}, of {}",
            self.counters
        ))
    }

    fn kind(&self, kind: u32) -> Result<u32, String> {
        let kinds = &self.instance.kinds;
        kinds
            .shared(kind)
            .ok_or_else(|| format!("its kind is number {kind}, of {}", kinds.len()))
    }

    fn observation(&self, observation: u32, of: u32) -> Result<u32, String> {
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

    /// # Safety
    /// As for [`Saying::read`].
    unsafe fn cites(&self, cites: &abi::Array, of: u32) -> Result<Vec<u32>, String> {
        let seen = self.seen_of(of);
        if cites.len > seen {
            return Err(format!("it cites {} observations, of {seen}", cites.len));
        }
        // SAFETY: as the caller says.
        let cited = unsafe { copies::<u32>(cites) }.map_err(|why| format!("its cites {why}"))?;
        cited.map(|cited| self.observation(cited, of)).collect()
    }

    fn place(&self, place: &PlaceView) -> Result<Place, String> {
        let hex = |hex: abi::HexCoord| Hex::new(hex.q, hex.r);
        let (a, b) = (hex(place.a), hex(place.b));
        match place.tag {
            abi::PLACE_WHOLE => Ok(Place::Whole),
            abi::PLACE_HEX => {
                let on_map = |hex: &Hex| self.grid.contains(*hex);
                if on_map(&a) || a.neighbours().iter().any(on_map) {
                    return Ok(Place::Hex(a));
                }
                Err(format!(
                    "its place is {}, which is off the map",
                    self.grid.label(a)
                ))
            }
            abi::PLACE_HEXSIDE => {
                let (one, other) = (self.grid.label(a), self.grid.label(b));
                let Some(side) = Hexside::between(a, b) else {
                    return Err(format!(
                        "its place is {one}|{other}, which are not adjacent"
                    ));
                };
                if !self.grid.contains(a) && !self.grid.contains(b) {
                    return Err(format!("its place is {one}|{other}, which is off the map"));
                }
                Ok(Place::Hexside(side))
            }
            tag => Err(format!("its place has the unknown tag {tag}")),
        }
    }

    fn fact(&self, raw: &abi::Observation) -> Result<Fact, String> {
        let is_cost = matches!(
            raw.fact,
            abi::FACT_COT | abi::FACT_SURCHARGE | abi::FACT_REDUCTION
        );
        let is_sight = matches!(raw.fact, abi::FACT_OBSTACLE | abi::FACT_HINDRANCE);
        match self.matter {
            Matter::Lines if is_cost => return Err("it is a cost, of a line".into()),
            Matter::Steps if is_sight => {
                return Err("it is an obstacle or a Hindrance, of a step".into());
            }
            _ => {}
        }
        let allowed = match raw.fact {
            abi::FACT_OBSTACLE => abi::SAID_INHERENT | abi::SAID_NEEDS_LOS,
            _ => abi::SAID_NEEDS_LOS,
        };
        if raw.flags & !allowed != 0 {
            return Err(format!(
                "its flags are {:#x}, of which it may have {allowed:#x}",
                raw.flags
            ));
        }
        if is_cost && raw.kind != NONE {
            return Err("it is a cost, and has a kind".into());
        }
        if raw.fact != abi::FACT_REDUCTION && raw.floor != 0 {
            return Err("it has a floor, and is no reduction".into());
        }
        let cost = |part| {
            let amount = within("its cost", raw.value, 0..=COST)?;
            Ok(Fact::Cost { part, amount })
        };
        match raw.fact {
            abi::FACT_OBSTACLE => Ok(Fact::Obstacle {
                kind: self.kind(raw.kind)?,
                height: within("its height", raw.value, -HEIGHT..=HEIGHT)?,
                inherent: raw.flags & abi::SAID_INHERENT != 0,
            }),
            abi::FACT_HINDRANCE => Ok(Fact::Hindrance {
                kind: self.kind(raw.kind)?,
                drm: within("its DRM", raw.value, -DRM..=DRM)?,
            }),
            abi::FACT_MARK => Ok(Fact::Mark {
                kind: self.kind(raw.kind)?,
                value: raw.value,
            }),
            abi::FACT_COT => cost(CostPart::Cot),
            abi::FACT_SURCHARGE => cost(CostPart::Surcharge),
            abi::FACT_REDUCTION => cost(CostPart::Reduction {
                floor: within("its floor", raw.floor, 0..=COST)?,
            }),
            fact => Err(format!("it is the unknown fact {fact}")),
        }
    }

    fn effect(&self, raw: &abi::Finding) -> Result<Effect, String> {
        let has_value = matches!(
            raw.effect,
            abi::EFFECT_TEM | abi::EFFECT_CAP | abi::EFFECT_LIMIT
        );
        if !has_value && raw.value != 0 {
            return Err(format!(
                "it is the effect {}, which takes no value",
                raw.effect
            ));
        }
        if raw.effect != abi::EFFECT_TEM && raw.kind != NONE {
            return Err(format!(
                "it is the effect {}, which takes no kind",
                raw.effect
            ));
        }
        let drm = || within("its value", raw.value, -DRM..=DRM);
        let effect = match raw.effect {
            abi::EFFECT_BLOCKS => Effect::Blocks,
            abi::EFFECT_TEM => Effect::Tem {
                group: self.kind(raw.kind)?,
                drm: drm()?,
            },
            abi::EFFECT_HULL_DOWN => Effect::HullDown,
            abi::EFFECT_ON_LANE => Effect::OnLane,
            abi::EFFECT_IMMUNE => Effect::Immune,
            abi::EFFECT_OPEN_GROUND => Effect::OpenGround,
            abi::EFFECT_NOT_OPEN_GROUND => Effect::NotOpenGround,
            abi::EFFECT_CAP => Effect::Cap { max: drm()? },
            abi::EFFECT_LIMIT => Effect::Limit { at: drm()? },
            abi::EFFECT_PROHIBITED => Effect::Prohibited,
            abi::EFFECT_NOT_COVERED => Effect::NotCovered,
            abi::EFFECT_CONSIDERED => Effect::Considered,
            abi::EFFECT_CONTESTED => Effect::Contested,
            abi::EFFECT_NOT_IMPLEMENTED => Effect::NotImplemented,
            effect => return Err(format!("it is the unknown effect {effect}")),
        };
        let fits = match effect {
            Effect::NotCovered
            | Effect::Considered
            | Effect::Contested
            | Effect::NotImplemented => true,
            Effect::Prohibited => self.matter == Matter::Steps,
            _ => self.matter == Matter::Lines,
        };
        if !fits {
            let of = if self.matter == Matter::Lines {
                "line"
            } else {
                "step"
            };
            return Err(format!(
                "it is the effect {}, which no {of} has",
                raw.effect
            ));
        }
        Ok(effect)
    }
}

/// A number that must be within bounds, which fit an `i16`.
fn within(what: &str, value: i32, bounds: std::ops::RangeInclusive<i32>) -> Result<i16, String> {
    let (least, most) = (*bounds.start(), *bounds.end());
    match i16::try_from(value) {
        Ok(small) if bounds.contains(&value) => Ok(small),
        _ => Err(format!("{what} is {value}, not {least} to {most}")),
    }
}

/// Copies of the elements of an array, which need not be aligned.
///
/// # Safety
/// If it is not null, the array must be valid for reads for as long as the iterator is used.
pub(crate) unsafe fn copies<T: Copy>(
    array: &abi::Array,
) -> Result<impl Iterator<Item = T> + use<T>, String> {
    let abi::Array { ptr, len, stride } = *array;
    if len > 0 && ptr.is_null() {
        return Err(format!("are a null pointer to {len}"));
    }
    if len > 0 && stride < size_of::<T>() {
        return Err(format!(
            "are {stride} bytes apart, and at least {} long",
            size_of::<T>()
        ));
    }
    if len
        .checked_mul(stride)
        .is_none_or(|bytes| isize::try_from(bytes).is_err())
    {
        return Err(format!(
            "are {len} of {stride} bytes, which no memory holds"
        ));
    }
    // SAFETY: within the array, which is valid as the caller says.
    let copy = move |index| unsafe { ptr.byte_add(index * stride).cast::<T>().read_unaligned() };
    Ok((0..len).map(copy))
}
