//! What was observed, found and considered.

use alamein_terrain::{
    CostPart, FoundEffect, FoundFact, Name, PlaceName, RuledFinding, RuledObservation,
};

use super::book::RuleBook;
use crate::v1::{self, Effect, ObservationKind, message_param::Value, place};

/// Writes sayings, with what the book knows of their rules.
pub(crate) struct Sayings<'a> {
    pub(crate) book: &'a RuleBook,
}

impl Sayings<'_> {
    pub(crate) fn observations(&self, observations: &[RuledObservation]) -> Vec<v1::Observation> {
        observations.iter().map(|it| self.observation(it)).collect()
    }

    pub(crate) fn findings(&self, findings: &[RuledFinding]) -> Vec<v1::Finding> {
        findings.iter().map(|it| self.finding(it)).collect()
    }

    pub(crate) fn considered(&self, considered: &[RuledFinding]) -> Vec<v1::Consideration> {
        considered.iter().map(|it| self.consideration(it)).collect()
    }

    fn observation(&self, of: &RuledObservation) -> v1::Observation {
        let fact = fact(&of.fact);
        v1::Observation {
            plugin_id: of.by.plugin.as_str().to_owned(),
            rule: Some(self.book.reference(&of.by)),
            r#where: place(&of.place),
            counter_id: name_of(of.subject.as_ref()),
            hypothetical: of.hypothetical,
            standing: of.set_aside_by.is_empty(),
            set_aside_by: self.set_aside(of),
            message: Some(self.book.message(
                &of.by,
                &of.place,
                of.subject.as_deref(),
                number(&of.fact),
                &of.text,
            )),
            ..fact
        }
    }

    fn set_aside(&self, of: &RuledObservation) -> Vec<v1::SetAside> {
        let by = of.set_aside_by.iter();
        by.map(|by| v1::SetAside {
            plugin_id: by.plugin.as_str().to_owned(),
            rule: Some(self.book.reference(by)),
            message: Some(self.book.objection(by, &of.place, of.subject.as_deref())),
        })
        .collect()
    }

    fn replaced(&self, found: &RuledFinding) -> Option<v1::SetAside> {
        let by = found.replaced_by.as_ref()?;
        Some(v1::SetAside {
            plugin_id: by.plugin.as_str().to_owned(),
            rule: Some(self.book.reference(by)),
            message: Some(
                self.book
                    .objection(by, &found.place, found.subject.as_deref()),
            ),
        })
    }

    fn finding(&self, found: &RuledFinding) -> v1::Finding {
        let (effect, value) = effect(&found.effect);
        v1::Finding {
            plugin_id: found.by.plugin.as_str().to_owned(),
            rule: Some(self.book.reference(&found.by)),
            effect: effect.into(),
            value,
            r#where: place(&found.place),
            counter_id: name_of(found.subject.as_ref()),
            standing: found.standing,
            cites: found.cites.to_vec(),
            message: Some(self.words(found, value)),
            group: match &found.effect {
                FoundEffect::Tem { group, .. } => group.as_str().to_owned(),
                _ => String::new(),
            },
            replaced_by: self.replaced(found),
        }
    }

    fn consideration(&self, found: &RuledFinding) -> v1::Consideration {
        v1::Consideration {
            plugin_id: found.by.plugin.as_str().to_owned(),
            rule: Some(self.book.reference(&found.by)),
            r#where: place(&found.place),
            counter_id: name_of(found.subject.as_ref()),
            why: Some(self.words(found, None)),
            cites: found.cites.to_vec(),
            standing: found.standing,
            replaced_by: self.replaced(found),
        }
    }

    fn words(&self, found: &RuledFinding, value: Option<i32>) -> v1::Message {
        let value = value.map(|value| Value::IntValue(value.into()));
        let subject = found.subject.as_deref();
        self.book
            .message(&found.by, &found.place, subject, value, &found.text)
    }
}

fn name_of(counter: Option<&Name>) -> String {
    counter
        .map(|name| name.as_str().to_owned())
        .unwrap_or_default()
}

/// The part of an observation that its fact fills.
fn fact(fact: &FoundFact) -> v1::Observation {
    let empty = v1::Observation::default();
    match fact {
        FoundFact::Obstacle {
            kind,
            height,
            inherent,
        } => v1::Observation {
            kind: ObservationKind::Obstacle.into(),
            name: kind.as_str().to_owned(),
            height_half_levels: Some((*height).into()),
            inherent: *inherent,
            ..empty
        },
        FoundFact::Hindrance { kind, drm } => v1::Observation {
            kind: ObservationKind::Hindrance.into(),
            name: kind.as_str().to_owned(),
            value: Some((*drm).into()),
            ..empty
        },
        FoundFact::Mark { kind, value } => v1::Observation {
            kind: ObservationKind::Feature.into(),
            name: kind.as_str().to_owned(),
            value: Some(*value),
            ..empty
        },
        FoundFact::Check {
            kind,
            fails_at,
            times,
            order,
        } => v1::Observation {
            kind: ObservationKind::Check.into(),
            name: kind.as_str().to_owned(),
            value: Some((*fails_at).into()),
            times: (*times).into(),
            order: (*order).into(),
            ..empty
        },
        FoundFact::CheckDrm { kind, drm } => v1::Observation {
            kind: ObservationKind::CheckDrm.into(),
            name: kind.as_str().to_owned(),
            value: Some((*drm).into()),
            ..empty
        },
        FoundFact::Cost { part, amount } => {
            let (cost_part, floor) = cost_part(*part);
            v1::Observation {
                kind: ObservationKind::Cost.into(),
                value: Some((*amount).into()),
                cost_part: cost_part.into(),
                floor,
                ..empty
            }
        }
    }
}

/// The number of a fact that its words name.
fn number(fact: &FoundFact) -> Option<Value> {
    match fact {
        FoundFact::Obstacle { height, .. } => Some(Value::HalfLevels((*height).into())),
        FoundFact::Hindrance { drm, .. } => Some(Value::IntValue((*drm).into())),
        FoundFact::Cost { amount, .. } => Some(Value::IntValue((*amount).into())),
        FoundFact::Check { fails_at, .. } => Some(Value::IntValue((*fails_at).into())),
        FoundFact::CheckDrm { drm, .. } => Some(Value::IntValue((*drm).into())),
        FoundFact::Mark { .. } => None,
    }
}

fn effect(effect: &FoundEffect) -> (Effect, Option<i32>) {
    match effect {
        FoundEffect::Blocks => (Effect::Blocks, None),
        FoundEffect::Tem { drm, .. } => (Effect::Tem, Some((*drm).into())),
        FoundEffect::HullDown => (Effect::HullDown, None),
        FoundEffect::OnLane => (Effect::OnLane, None),
        FoundEffect::Immune => (Effect::Immune, None),
        FoundEffect::OpenGround => (Effect::OpenGround, None),
        FoundEffect::NotOpenGround => (Effect::NotOpenGround, None),
        FoundEffect::Cap { max } => (Effect::HindranceCap, Some((*max).into())),
        FoundEffect::Limit { at } => (Effect::HindranceLimit, Some((*at).into())),
        FoundEffect::Halved => (Effect::Halved, None),
        FoundEffect::MoraleDrm { drm } => (Effect::MoraleDrm, Some((*drm).into())),
        FoundEffect::Prohibited => (Effect::Prohibited, None),
        FoundEffect::Allowed => (Effect::Allowed, None),
        FoundEffect::Emplaced => (Effect::Emplaced, None),
        FoundEffect::MayBeUnemplaced => (Effect::MayBeUnemplaced, None),
        FoundEffect::NotCovered => (Effect::NotCovered, None),
        // What was considered has a message of its own.
        FoundEffect::Considered => (Effect::Unspecified, None),
    }
}

pub(crate) fn cost_part(part: CostPart) -> (v1::CostPart, Option<i32>) {
    match part {
        CostPart::Cot => (v1::CostPart::Cot, None),
        CostPart::Surcharge => (v1::CostPart::Surcharge, None),
        CostPart::Reduction { floor } => (v1::CostPart::Reduction, Some(floor.into())),
    }
}

pub(crate) fn place(place: &PlaceName) -> Option<v1::Place> {
    let place = match place {
        PlaceName::Whole => return None,
        PlaceName::Hex(name) => place::Place::Hex(name.as_str().to_owned()),
        PlaceName::Hexside(name) => place::Place::Hexside(name.as_str().to_owned()),
    };
    Some(v1::Place { place: Some(place) })
}
