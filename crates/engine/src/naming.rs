//! What was said in numbers becomes a ruling in names.

use std::sync::Arc;

use alamein_hex::{Event, Hex, Hexside, Side, TraceRef};
use alamein_terrain::fold::{fold_line, fold_setup, fold_step, stands};
use alamein_terrain::{
    Ask, Cited, ContestedOption, CostPart, Crossed, Digest, Effect, Fact, Finding, FoundEffect,
    FoundFact, Grazing, GrazingPolicy, IgnoredLayer, LaneVerdict, Line, MissingRule, MoveStep,
    Objection, Place, PlaceName, Question, RuledFinding, RuledObservation, Ruling, Seen, SetUp,
    Verdict,
};
use serde_json::Value;

use crate::error::QuestionError;
use crate::prepared::Prepared;
use crate::resolve::Probes;
use crate::ruleset::Ruleset;
use crate::verdicts;

/// What was said of one line, step or set-up.
pub(crate) struct SaidOfOne<'a> {
    pub(crate) seen: &'a [Seen],
    pub(crate) objections: &'a [(u32, u16, Objection)],
    pub(crate) findings: &'a [(u16, Finding)],
    /// Findings by rules that are replaced. They do not count.
    pub(crate) replaced: &'a [(u16, Finding)],
}

/// Gives names to numbers.
pub(crate) struct Names<'a> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) prepared: &'a Prepared,
    pub(crate) probes: &'a Probes,
}

impl Names<'_> {
    /// The ruling on a line.
    pub(crate) fn line(
        &self,
        question: &Question,
        line: &Line,
        said: &SaidOfOne<'_>,
    ) -> Result<Ruling, QuestionError> {
        self.refuse_what_is_not_implemented(said)?;
        let folded = fold_line(said.seen, said.findings);
        let los = self.los(line, said, &folded);
        let verdict = match &question.ask {
            Ask::LineOfFire { .. } => Verdict::LineOfFire(los, verdicts::tem(&folded)),
            Ask::FireLane { .. } => {
                let on_lane = folded.on_lane;
                // What is not on the lane has nothing to be immune to.
                let immune = on_lane && folded.immune;
                let attacked = on_lane && !immune;
                Verdict::FireLane(
                    los,
                    LaneVerdict {
                        on_lane,
                        immune,
                        attacked,
                    },
                )
            }
            _ => Verdict::LineOfSight(los),
        };
        let mut met = |hexes: &[bool]| {
            let mut touched = line.trace.touched();
            touched.any(|touch| self.is_in(hexes, touch.hex))
        };
        let ignored = self.ignored(&mut met);
        let grazing = self.grazing(line);
        Ok(self.ruling(question, line.policy, verdict, said, grazing, ignored))
    }

    /// The ruling on a step.
    pub(crate) fn step(
        &self,
        question: &Question,
        step: &MoveStep,
        said: &SaidOfOne<'_>,
    ) -> Result<Ruling, QuestionError> {
        self.refuse_what_is_not_implemented(said)?;
        let folded = fold_step(said.seen, said.findings);
        let verdict = Verdict::Movement(self.movement(step, said, &folded));
        let ignored = self.ignored_by_steps(&[(step.from, step.to)]);
        let policy = question.policy.unwrap_or(self.ruleset.policy());
        Ok(self.ruling(question, policy, verdict, said, Grazing::default(), ignored))
    }

    /// The ruling on a set-up.
    pub(crate) fn setup(
        &self,
        question: &Question,
        setup: &SetUp,
        said: &SaidOfOne<'_>,
    ) -> Result<Ruling, QuestionError> {
        self.refuse_what_is_not_implemented(said)?;
        let folded = fold_setup(said.seen, said.findings);
        let verdict = Verdict::SetUp(self.setup_verdict(said, &folded));
        let ignored = self.ignored(&mut |hexes| self.is_in(hexes, setup.hex));
        let policy = question.policy.unwrap_or(self.ruleset.policy());
        Ok(self.ruling(question, policy, verdict, said, Grazing::default(), ignored))
    }

    fn ruling(
        &self,
        question: &Question,
        policy: GrazingPolicy,
        verdict: Verdict,
        said: &SaidOfOne<'_>,
        grazing: Grazing,
        ignored: Vec<IgnoredLayer>,
    ) -> Ruling {
        let mut all: Vec<&(u16, Finding)> = said.findings.iter().chain(said.replaced).collect();
        all.sort_unstable();
        let named = |wanted: fn(Effect) -> bool| {
            let findings = all.iter().filter(move |(_, f)| wanted(f.effect));
            findings.filter_map(|(feature, finding)| self.finding(*feature, finding, said.seen))
        };
        let mut contested: Vec<ContestedOption> = said
            .findings
            .iter()
            .filter_map(|(f, finding)| self.contested(*f, finding))
            .collect();
        contested.sort();
        contested.dedup();
        Ruling {
            id: self.ruling_id(question),
            rules: self.ruleset.fingerprint(),
            position: self.prepared.position.id(),
            policy,
            verdict,
            observations: (0..said.seen.len())
                .map(|at| self.observation(at, said))
                .collect(),
            findings: named(|effect| !matches!(effect, Effect::Considered)).collect(),
            considered: named(|effect| matches!(effect, Effect::Considered)).collect(),
            contested,
            grazing,
            ignored,
        }
    }

    /// The id of a ruling hashes what it depends on.
    fn ruling_id(&self, question: &Question) -> Digest {
        let (rules, position) = (self.ruleset.fingerprint(), self.prepared.position.id());
        Ruling::id_of(rules, position, question)
    }

    fn refuse_what_is_not_implemented(&self, said: &SaidOfOne<'_>) -> Result<(), QuestionError> {
        match self.not_implemented(said) {
            Some(refusal) => Err(refusal.into()),
            None => Ok(()),
        }
    }

    /// The rule that would decide and is not implemented, if there is one.
    pub(crate) fn not_implemented(&self, said: &SaidOfOne<'_>) -> Option<MissingRule> {
        let refusal = said
            .findings
            .iter()
            .find(|(_, f)| f.effect == Effect::NotImplemented);
        refusal.map(|(feature, finding)| self.missing_rule(*feature, finding))
    }

    /// The rule that a finding says is not known here.
    pub(crate) fn missing_rule(&self, feature: u16, finding: &Finding) -> MissingRule {
        let (place, subject) = (finding.place, finding.subject);
        MissingRule {
            by: self.cite(feature, finding.rule),
            place: self.place(place),
            text: self.text(feature, finding.rule, place, subject, None),
        }
    }

    fn observation(&self, at: usize, said: &SaidOfOne<'_>) -> RuledObservation {
        let seen = &said.seen[at];
        let Seen {
            feature,
            observation,
            hypothetical,
            ..
        } = *seen;
        let against = said
            .objections
            .iter()
            .filter(|(_, _, o)| o.observation as usize == at);
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
        let value = match observation.fact {
            Fact::Obstacle { height: plain, .. }
            | Fact::Check {
                fails_at: plain, ..
            }
            | Fact::Cost {
                part: CostPart::Cot,
                amount: plain,
            } => Some(plain.to_string()),
            Fact::Hindrance { drm, .. } | Fact::CheckDrm { drm, .. } => Some(format!("{drm:+}")),
            Fact::Cost {
                part: CostPart::Surcharge,
                amount,
            } => Some(format!("{amount:+}")),
            Fact::Cost {
                part: CostPart::Reduction { .. },
                amount,
            } => Some(format!("-{amount}")),
            Fact::Mark { value, .. } => Some(value.to_string()),
        };
        let (place, subject) = (observation.place, observation.subject);
        RuledObservation {
            by: self.cite(feature, observation.rule),
            fact,
            place: self.place(place),
            subject: subject.map(|index| self.counter(index)),
            hypothetical,
            set_aside_by: against.map(|(_, by, o)| self.cite(*by, o.rule)).collect(),
            text: self.text(feature, observation.rule, place, subject, value),
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
        let value = finding.effect.value().map(|value| match finding.effect {
            Effect::Cap { .. } | Effect::Limit { .. } => value.to_string(),
            _ => format!("{value:+}"),
        });
        let (place, subject) = (finding.place, finding.subject);
        let replaced_by = self.ruleset.replacements().of((feature, finding.rule));
        Some(RuledFinding {
            by: self.cite(feature, finding.rule),
            place: self.place(place),
            subject: subject.map(|index| self.counter(index)),
            standing: replaced_by.is_none() && stands(finding, seen),
            replaced_by: replaced_by.map(|(by, rule)| self.cite(by, rule)),
            cites: finding.cites.clone(),
            text: self.text(feature, finding.rule, place, subject, value),
            effect,
        })
    }

    pub(crate) fn contested(&self, feature: u16, finding: &Finding) -> Option<ContestedOption> {
        if finding.effect != Effect::Contested {
            return None;
        }
        let member = self.ruleset.members().get(usize::from(feature))?;
        let (by, spec) = member.rule(finding.rule)?;
        let option = spec?.option.clone()?;
        let value = member
            .options
            .get(&option)
            .map_or_else(String::new, Value::to_string);
        let text = self.text(feature, finding.rule, finding.place, finding.subject, None);
        Some(ContestedOption {
            by: by.clone(),
            option,
            value,
            text,
        })
    }

    /// The layers ignored, and whether any of these steps meets them.
    pub(crate) fn ignored_by_steps(&self, steps: &[(Hex, Hex)]) -> Vec<IgnoredLayer> {
        // What lies next to a step may matter to it: ground that is Accessible to other ground.
        let near = |hex: Hex| std::iter::once(hex).chain(hex.neighbours());
        let mut met = |hexes: &[bool]| {
            let mut close = steps
                .iter()
                .flat_map(|step| near(step.0).chain(near(step.1)));
            close.any(|hex| self.is_in(hexes, hex))
        };
        self.ignored(&mut met)
    }

    fn ignored(&self, met: &mut dyn FnMut(&[bool]) -> bool) -> Vec<IgnoredLayer> {
        let unowned = self.prepared.map.unowned.iter();
        unowned
            .map(|(layer, hexes)| IgnoredLayer {
                layer: layer.clone(),
                met: met(hexes),
            })
            .collect()
    }

    fn is_in(&self, hexes: &[bool], hex: Hex) -> bool {
        let index = self.prepared.map.map.grid.index(hex);
        index
            .and_then(|index| hexes.get(index))
            .copied()
            .unwrap_or_default()
    }

    fn grazing(&self, line: &Line) -> Grazing {
        let grid = &self.prepared.map.map.grid;
        let label = |touch: alamein_hex::Touch| grid.label(touch.hex);
        let mut grazing = Grazing {
            grazes: line.trace.grazing(),
            touched: line.trace.touched().map(label).collect(),
            ..Grazing::default()
        };
        for event in line.trace.events() {
            match event {
                Event::Along(hexside) => grazing.along.push(self.hexside(hexside)),
                Event::Through(vertex) => {
                    let around = vertex.hexes().map(|hex| grid.label(hex));
                    grazing.through.push(around.join("/"));
                }
                Event::Enter(_) | Event::Cross(_) => {}
            }
        }
        if line.readings_on_map[0] {
            grazing.readings.push(self.reading(&line.trace, Side::Left));
        }
        if grazing.grazes && line.readings_on_map[1] {
            grazing
                .readings
                .push(self.reading(&line.trace, Side::Right));
        }
        grazing
    }

    fn reading(&self, trace: &TraceRef, side: Side) -> Vec<Crossed> {
        let grid = &self.prepared.map.map.grid;
        let crossed = |crossing: alamein_hex::Crossing| Crossed {
            from: grid.label(crossing.from),
            to: grid.label(crossing.to),
        };
        trace.crossings(side).map(crossed).collect()
    }

    pub(crate) fn cite(&self, feature: u16, rule: u16) -> Cited {
        let member = self.ruleset.members().get(usize::from(feature));
        match member.and_then(|member| member.rule(rule)) {
            Some((cited, _)) => cited.clone(),
            None => Cited {
                plugin: Arc::from("?"),
                rule: Arc::from("?"),
            },
        }
    }

    pub(crate) fn counter(&self, index: u32) -> String {
        let index = index as usize;
        let counters = self.prepared.position.counters();
        if let Some(counter) = counters.get(index) {
            return counter.id.clone();
        }
        let probe = index
            .checked_sub(counters.len())
            .and_then(|at| self.probes.names.get(at));
        probe.cloned().unwrap_or_default()
    }

    fn hexside(&self, hexside: Hexside) -> String {
        let grid = &self.prepared.map.map.grid;
        let both = || hexside.hexes().map(|hex| grid.label(hex)).join("|");
        grid.hexside_name(hexside).unwrap_or_else(both)
    }

    pub(crate) fn place(&self, place: Place) -> PlaceName {
        match place {
            Place::Whole => PlaceName::Whole,
            Place::Hex(hex) => PlaceName::Hex(self.prepared.map.map.grid.label(hex)),
            Place::Hexside(hexside) => PlaceName::Hexside(self.hexside(hexside)),
        }
    }

    /// The message of a rule with its place, counter and number filled in.
    fn text(
        &self,
        feature: u16,
        rule: u16,
        place: Place,
        subject: Option<u32>,
        value: Option<String>,
    ) -> String {
        let member = self.ruleset.members().get(usize::from(feature));
        let spec = member
            .and_then(|member| member.rule(rule))
            .and_then(|(_, spec)| spec);
        let Some(spec) = spec else {
            return String::new();
        };
        if !spec.message.contains('{') {
            return spec.message.clone();
        }
        let subject = subject.map_or_else(|| "the unit".to_owned(), |index| self.counter(index));
        spec.message
            .replace("{place}", self.place(place).name())
            .replace("{subject}", &subject)
            .replace("{value}", &value.unwrap_or_default())
    }
}
