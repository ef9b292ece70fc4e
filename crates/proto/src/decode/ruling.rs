//! Rulings. What an EXPLAIN view holds is the whole ruling: nothing is lost on the way.

use alamein_terrain::{
    Adjudicated, Cited, ContestedOption, CostPart, Crossed, Digest, FoundEffect, FoundFact,
    Grazing, IgnoredLayer, Name, Part, PlaceName, RuledFinding, RuledObservation, Ruling,
};

use super::verdict::verdict;
use crate::v1::{self, Effect, ObservationKind, place};
use crate::within::{At, Within, each};
use crate::words::Word;

/// A ruling that makes no sense: the server that sent it is of another version, or broken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct DecodeError {
    /// The path of the field.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

impl DecodeError {
    pub(crate) fn new(field: &str, message: impl Into<String>) -> Self {
        Self {
            field: field.to_owned(),
            message: message.into(),
        }
    }

    pub(crate) fn missing(field: &str) -> Self {
        Self::new(field, "is missing")
    }
}

impl At for DecodeError {
    fn at(mut self, prefix: &str) -> Self {
        self.field.insert_str(0, prefix);
        self
    }
}

type Result<T> = std::result::Result<T, DecodeError>;

/// Reads a ruling, and what the other grazing policies would give if it says so.
///
/// # Errors
/// As [`ruling`](ruling()).
pub fn adjudicated(given: &v1::Ruling) -> Result<Adjudicated> {
    let other = |other: &v1::PolicyAlternative| {
        let policy = word(other.policy, "policy")?;
        let given = other.ruling.as_ref();
        let given = given.ok_or_else(|| DecodeError::missing("ruling"))?;
        Ok((policy, ruling(given).within(|| "ruling.".into())?))
    };
    Ok(Adjudicated {
        ruling: ruling(given)?,
        other_policies: each(&given.other_policies, "other_policies", ".", other)?,
    })
}

/// Reads a ruling. Of a view below EXPLAIN what that leaves out is empty, and the
/// [canonical form](Ruling::canonical) is not the server's.
///
/// # Errors
/// Where something is missing or means nothing here.
pub fn ruling(given: &v1::Ruling) -> Result<Ruling> {
    let verdict_of = given.verdict.as_ref();
    let verdict_of = verdict_of.ok_or_else(|| DecodeError::missing("verdict"))?;
    Ok(Ruling {
        id: id(&given.ruling_id, "ruling_id")?,
        rules: id(&given.rules_fingerprint, "rules_fingerprint")?,
        position: id(&given.position_id, "position_id")?,
        policy: word(given.grazing_policy, "grazing_policy")?,
        verdict: verdict(verdict_of).within(|| "verdict.".into())?,
        observations: each(&given.observations, "observations", ".", observation)?.into(),
        findings: each(&given.findings, "findings", ".", finding)?.into(),
        considered: each(&given.considered, "considered", ".", consideration)?.into(),
        contested: each(
            &given.contested_options,
            "contested_options",
            ".",
            contested,
        )?,
        grazing: given.trace.as_ref().map(grazing).unwrap_or_default(),
        ignored: given.ignored_layers.iter().map(ignored).collect(),
    })
}

fn observation(given: &v1::Observation) -> Result<RuledObservation> {
    let set_aside = |by: &v1::SetAside| cited(&by.plugin_id, by.rule.as_ref());
    Ok(RuledObservation {
        by: cited(&given.plugin_id, given.rule.as_ref())?,
        fact: fact(given)?,
        place: place(given.r#where.as_ref()),
        subject: subject(&given.counter_id),
        hypothetical: given.hypothetical,
        set_aside_by: each(&given.set_aside_by, "set_aside_by", ".", set_aside)?.into(),
        text: words(given.message.as_ref()).into(),
    })
}

fn fact(given: &v1::Observation) -> Result<FoundFact> {
    let kind = Name::new(&given.name);
    let value = || given.value.ok_or_else(|| DecodeError::missing("value"));
    let small = || number(value()?, "value");
    match given.kind() {
        ObservationKind::Obstacle => {
            let height = given.height_half_levels;
            let height = height.ok_or_else(|| DecodeError::missing("height_half_levels"))?;
            Ok(FoundFact::Obstacle {
                kind,
                height: number(height, "height_half_levels")?,
                inherent: given.inherent,
            })
        }
        ObservationKind::Hindrance => Ok(FoundFact::Hindrance {
            kind,
            drm: small()?,
        }),
        ObservationKind::Feature => Ok(FoundFact::Mark {
            kind,
            value: value()?,
        }),
        ObservationKind::Cost => Ok(FoundFact::Cost {
            part: cost_part(given.cost_part, given.floor, "cost_part")?,
            amount: small()?,
        }),
        ObservationKind::Check => Ok(FoundFact::Check {
            kind,
            fails_at: small()?,
            times: number(given.times, "times")?,
            order: number(given.order, "order")?,
        }),
        ObservationKind::CheckDrm => Ok(FoundFact::CheckDrm {
            kind,
            drm: small()?,
        }),
        ObservationKind::Unspecified => Err(unknown(given.kind, "kind")),
    }
}

fn replaced(by: Option<&v1::SetAside>) -> Result<Option<Cited>> {
    by.map(|by| cited(&by.plugin_id, by.rule.as_ref()))
        .transpose()
}

fn finding(given: &v1::Finding) -> Result<RuledFinding> {
    Ok(RuledFinding {
        by: cited(&given.plugin_id, given.rule.as_ref())?,
        effect: effect(given)?,
        place: place(given.r#where.as_ref()),
        subject: subject(&given.counter_id),
        standing: given.standing,
        replaced_by: replaced(given.replaced_by.as_ref())?,
        cites: given.cites.as_slice().into(),
        text: words(given.message.as_ref()).into(),
    })
}

fn effect(given: &v1::Finding) -> Result<FoundEffect> {
    let value = || {
        let value = given.value.ok_or_else(|| DecodeError::missing("value"))?;
        number(value, "value")
    };
    Ok(match given.effect() {
        Effect::Blocks => FoundEffect::Blocks,
        Effect::Tem => FoundEffect::Tem {
            group: given.group.as_str().into(),
            drm: value()?,
        },
        Effect::HullDown => FoundEffect::HullDown,
        Effect::OnLane => FoundEffect::OnLane,
        Effect::Immune => FoundEffect::Immune,
        Effect::OpenGround => FoundEffect::OpenGround,
        Effect::NotOpenGround => FoundEffect::NotOpenGround,
        Effect::HindranceCap => FoundEffect::Cap { max: value()? },
        Effect::HindranceLimit => FoundEffect::Limit { at: value()? },
        Effect::Halved => FoundEffect::Halved,
        Effect::MoraleDrm => FoundEffect::MoraleDrm { drm: value()? },
        Effect::Prohibited => FoundEffect::Prohibited,
        Effect::Allowed => FoundEffect::Allowed,
        Effect::Emplaced => FoundEffect::Emplaced,
        Effect::MayBeUnemplaced => FoundEffect::MayBeUnemplaced,
        Effect::NotCovered => FoundEffect::NotCovered,
        Effect::Unspecified => return Err(unknown(given.effect, "effect")),
    })
}

fn consideration(given: &v1::Consideration) -> Result<RuledFinding> {
    Ok(RuledFinding {
        by: cited(&given.plugin_id, given.rule.as_ref())?,
        effect: FoundEffect::Considered,
        place: place(given.r#where.as_ref()),
        subject: subject(&given.counter_id),
        standing: given.standing,
        replaced_by: replaced(given.replaced_by.as_ref())?,
        cites: given.cites.as_slice().into(),
        text: words(given.why.as_ref()).into(),
    })
}

pub(crate) fn contested(given: &v1::ContestedOption) -> Result<ContestedOption> {
    Ok(ContestedOption {
        by: cited(&given.plugin_id, given.rule.as_ref())?,
        option: given.option.clone(),
        value: given.value_json.clone(),
        text: words(given.message.as_ref()),
    })
}

fn grazing(given: &v1::LineTrace) -> Grazing {
    let crossed = |crossing: &v1::Crossing| Crossed {
        from: Name::new(&crossing.from_hex),
        to: Name::new(&crossing.to_hex),
    };
    let reading = |reading: &v1::LineReading| reading.crossings.iter().map(crossed).collect();
    Grazing {
        grazes: given.grazing,
        touched: names(&given.hexes),
        along: names(&given.along),
        through: names(&given.vertices),
        readings: given.readings.iter().map(reading).collect(),
    }
}

pub(crate) fn names(given: &[String]) -> Part<Name> {
    given.iter().map(Name::new).collect()
}

pub(crate) fn ignored(given: &v1::IgnoredLayer) -> IgnoredLayer {
    IgnoredLayer {
        layer: Name::new(&given.layer),
        met: given.met,
    }
}

pub(crate) fn id(text: &str, field: &str) -> Result<Digest> {
    text.parse()
        .map_err(|why: &str| DecodeError::new(field, why))
}

pub(crate) fn word<W: Word>(number: i32, field: &str) -> Result<W> {
    W::of_number(number).ok_or_else(|| unknown(number, field))
}

pub(crate) fn unknown(number: i32, field: &str) -> DecodeError {
    DecodeError::new(field, format!("{number} means nothing here"))
}

/// A number in the size that the domain has for it.
pub(crate) fn number<W, D>(number: W, field: &str) -> Result<D>
where
    W: Copy + std::fmt::Display,
    D: TryFrom<W>,
{
    D::try_from(number).map_err(|_| DecodeError::new(field, format!("{number} is out of range")))
}

pub(crate) fn optional_number(given: Option<i32>, field: &str) -> Result<Option<i16>> {
    given.map(|given| number(given, field)).transpose()
}

pub(crate) fn cited(plugin: &str, rule: Option<&v1::RuleRef>) -> Result<Cited> {
    let rule = rule.ok_or_else(|| DecodeError::missing("rule"))?;
    Ok(Cited {
        plugin: plugin.into(),
        rule: rule.id.as_str().into(),
    })
}

pub(crate) fn cost_part(part: i32, floor: Option<i32>, field: &str) -> Result<CostPart> {
    match v1::CostPart::try_from(part) {
        Ok(v1::CostPart::Cot) => Ok(CostPart::Cot),
        Ok(v1::CostPart::Surcharge) => Ok(CostPart::Surcharge),
        Ok(v1::CostPart::Reduction) => {
            let floor = floor.ok_or_else(|| DecodeError::missing("floor"))?;
            Ok(CostPart::Reduction {
                floor: number(floor, "floor")?,
            })
        }
        _ => Err(unknown(part, field)),
    }
}

pub(crate) fn place(given: Option<&v1::Place>) -> PlaceName {
    match given.and_then(|place| place.place.as_ref()) {
        None => PlaceName::Whole,
        Some(place::Place::Hex(name)) => PlaceName::Hex(name.into()),
        Some(place::Place::Hexside(name)) => PlaceName::Hexside(name.into()),
    }
}

fn subject(id: &str) -> Option<Name> {
    (!id.is_empty()).then(|| id.into())
}

pub(crate) fn words(message: Option<&v1::Message>) -> String {
    message
        .map(|message| message.text.clone())
        .unwrap_or_default()
}
