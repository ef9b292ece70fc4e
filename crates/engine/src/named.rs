//! What was said of a line, a step or a set-up, in names.

use alamein_terrain::fold::stands;
use alamein_terrain::{
    CostPart, Effect, Fact, Finding, FoundEffect, FoundFact, Part, PlaceName, RuledFinding,
    RuledObservation, Seen, Text,
};
use smallvec::SmallVec;

use crate::ledger::{Ledger, Span};
use crate::message::Number;
use crate::naming::{Names, SaidOfOne};

impl Names<'_> {
    /// Names the observations.
    pub(crate) fn observations(&self, said: &SaidOfOne<'_>, ledger: &mut Ledger) -> Span {
        let Ledger {
            observations,
            observations_tell,
            cited,
            texts,
            ..
        } = ledger;
        observations.add(said.seen.iter().enumerate().map(|(at, seen)| {
            let named = self.observation(seen);
            let against = said.objections.iter();
            let against = against.filter(|(_, _, it)| it.observation as usize == at);
            let aside = cited.add(against.map(|(_, by, it)| self.cite(*by, it.rule)));
            let by = (seen.feature, seen.observation.rule);
            let value = number_of(seen.observation.fact);
            let subject = named.subject.as_deref();
            let text = self.tell(texts, by, &named.place, subject, Some(value));
            observations_tell.push((text, aside));
            named
        }))
    }

    /// Names the findings with such effects, those by rules that are replaced among them.
    pub(crate) fn findings(
        &self,
        said: &SaidOfOne<'_>,
        wanted: impl Fn(Effect) -> bool,
        ledger: &mut Ledger,
    ) -> Span {
        let wanted = |found: &&(u16, Finding)| wanted(found.1.effect);
        let mut all: SmallVec<[&(u16, Finding); 16]> =
            said.findings.iter().filter(wanted).collect();
        if !said.replaced.is_empty() {
            all.extend(said.replaced.iter().filter(wanted));
            all.sort_unstable();
        }
        let Ledger {
            findings,
            findings_tell,
            texts,
            ..
        } = ledger;
        findings.add(all.into_iter().filter_map(|(feature, finding)| {
            let named = self.finding(*feature, finding, said.seen)?;
            let by = (*feature, finding.rule);
            let (value, subject) = (value_of(finding.effect), named.subject.as_deref());
            findings_tell.push(self.tell(texts, by, &named.place, subject, value));
            Some(named)
        }))
    }

    /// Adds the message of a rule with its place, counter and number filled in, and tells where it is.
    fn tell(
        &self,
        texts: &mut String,
        (feature, rule): (u16, u16),
        place: &PlaceName,
        subject: Option<&str>,
        value: Option<Number>,
    ) -> Span {
        let from = texts.len();
        if let Some(message) = self.message(feature, rule) {
            message.fill(texts, place.name(), subject, value);
        }
        from..texts.len()
    }

    fn observation(&self, seen: &Seen) -> RuledObservation {
        let Seen {
            feature,
            observation,
            hypothetical,
            ..
        } = *seen;
        let fact = match observation.fact {
            Fact::Obstacle {
                kind,
                height,
                inherent,
            } => FoundFact::Obstacle {
                kind: self.ruleset.kind(kind),
                height,
                inherent,
            },
            Fact::Hindrance { kind, drm } => FoundFact::Hindrance {
                kind: self.ruleset.kind(kind),
                drm,
            },
            Fact::Mark { kind, value } => FoundFact::Mark {
                kind: self.ruleset.kind(kind),
                value,
            },
            Fact::Check {
                kind,
                fails_at,
                times,
                order,
            } => FoundFact::Check {
                kind: self.ruleset.kind(kind),
                fails_at,
                times,
                order,
            },
            Fact::CheckDrm { kind, drm } => FoundFact::CheckDrm {
                kind: self.ruleset.kind(kind),
                drm,
            },
            Fact::Cost { part, amount } => FoundFact::Cost { part, amount },
        };
        RuledObservation {
            by: self.cite(feature, observation.rule),
            fact,
            place: self.place(observation.place),
            subject: observation.subject.map(|index| self.counter(index).clone()),
            hypothetical,
            set_aside_by: Part::default(),
            text: Text::default(),
        }
    }

    fn finding(&self, feature: u16, finding: &Finding, seen: &[Seen]) -> Option<RuledFinding> {
        let effect = match finding.effect {
            Effect::Blocks => FoundEffect::Blocks,
            Effect::Tem { group, drm } => FoundEffect::Tem {
                group: self.ruleset.kind(group),
                drm,
            },
            Effect::HullDown => FoundEffect::HullDown,
            Effect::OnLane => FoundEffect::OnLane,
            Effect::Immune => FoundEffect::Immune,
            Effect::OpenGround => FoundEffect::OpenGround,
            Effect::NotOpenGround => FoundEffect::NotOpenGround,
            Effect::Halved => FoundEffect::Halved,
            Effect::MoraleDrm { drm } => FoundEffect::MoraleDrm { drm },
            Effect::Cap { max } => FoundEffect::Cap { max },
            Effect::Limit { at } => FoundEffect::Limit { at },
            Effect::Prohibited => FoundEffect::Prohibited,
            Effect::Allowed => FoundEffect::Allowed,
            Effect::Emplaced => FoundEffect::Emplaced,
            Effect::MayBeUnemplaced => FoundEffect::MayBeUnemplaced,
            Effect::NotCovered => FoundEffect::NotCovered,
            Effect::Considered => FoundEffect::Considered,
            Effect::Contested | Effect::NotImplemented => return None,
        };
        let replaced_by = self.ruleset.replacements().of((feature, finding.rule));
        Some(RuledFinding {
            by: self.cite(feature, finding.rule),
            place: self.place(finding.place),
            subject: finding.subject.map(|index| self.counter(index).clone()),
            standing: replaced_by.is_none() && stands(finding, seen),
            replaced_by: replaced_by.map(|(by, rule)| self.cite(by, rule)),
            cites: finding.cites.clone(),
            text: Text::default(),
            effect,
        })
    }
}

/// The number that an observation tells.
fn number_of(fact: Fact) -> Number {
    match fact {
        Fact::Obstacle { height: plain, .. }
        | Fact::Check {
            fails_at: plain, ..
        }
        | Fact::Cost {
            part: CostPart::Cot,
            amount: plain,
        } => Number::Plain(plain.into()),
        Fact::Hindrance { drm: signed, .. }
        | Fact::CheckDrm { drm: signed, .. }
        | Fact::Cost {
            part: CostPart::Surcharge,
            amount: signed,
        } => Number::Signed(signed.into()),
        Fact::Cost {
            part: CostPart::Reduction { .. },
            amount,
        } => Number::Less(amount.into()),
        Fact::Mark { value, .. } => Number::Plain(value.into()),
    }
}

/// The number that a finding tells.
fn value_of(effect: Effect) -> Option<Number> {
    effect.value().map(|value| match effect {
        Effect::Cap { .. } | Effect::Limit { .. } => Number::Plain(value.into()),
        _ => Number::Signed(value.into()),
    })
}
