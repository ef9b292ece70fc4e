//! The rounds: every feature observes, objects and judges, and in each round all see the same.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use alamein_terrain::fold::{Clash, stands, unite_findings, unite_objections, unite_observations};
use alamein_terrain::{
    Again, AttributeFact, Budget, CounterFacts, Effect, EndFacts, FeatureError, Finding, Interest,
    Line, MoveStep, Objection, Observation, Place, Seen, SeenBatch, SetUp,
};

use crate::asked::{Asked, To};
use crate::calls::Calls;
use crate::engine::{Batch, Wanted};
use crate::prepared::{Prepared, number};
use crate::resolve::{Probes, bare_line, counter_facts};
use crate::restating;
use crate::ruleset::Ruleset;

/// All that was said of the lines, steps or set-ups of a batch.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) seen: SeenBatch,
    pub(crate) findings: Vec<Vec<(u16, Finding)>>,
    /// Findings by rules that are replaced: they are told, and do not count.
    pub(crate) replaced: Vec<Vec<(u16, Finding)>>,
}

/// A batch in hand: the position, the probes, and whom to ask.
pub(crate) struct Rounds<'a> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) prepared: &'a Prepared,
    pub(crate) probes: &'a Probes,
    pub(crate) budget: Budget,
    /// Ask every feature about everything, whatever concerns it. The answers must be the same.
    pub(crate) ask_everyone: bool,
    /// The counters of the position, then the probes.
    pub(crate) counters: Vec<CounterFacts>,
    /// The attributes of both.
    pub(crate) attributes: Vec<AttributeFact>,
    /// The names of these.
    pub(crate) attribute_names: Vec<String>,
    calls: Calls<'a>,
}

impl<'a> Rounds<'a> {
    pub(crate) fn new(batch: &Batch<'a>, probes: &'a Probes) -> Self {
        let Batch {
            ruleset,
            prepared,
            metrics,
            wanted,
        } = *batch;
        let Wanted {
            budget,
            ask_everyone,
            traced,
            ..
        } = wanted;
        let counters = prepared.counters.iter().chain(&probes.facts);
        let attributes = prepared.attributes.iter().chain(&probes.attributes);
        let names = prepared.attribute_names.iter();
        Self {
            ruleset,
            prepared,
            probes,
            budget,
            ask_everyone,
            counters: counters.copied().collect(),
            attributes: attributes.copied().collect(),
            attribute_names: names.chain(&probes.attribute_names).cloned().collect(),
            calls: Calls::new(ruleset, metrics, traced),
        }
    }

    /// Rules on lines.
    pub(crate) async fn lines(&self, lines: &[Line]) -> Result<Said, FeatureError> {
        let ask = self.whom_to_ask(lines);
        let mut seen = self.observe(lines, &ask).await?;
        let within = Box::pin(self.rule_within(lines, &seen)).await?;
        let mut findings = self
            .settle(lines, &ask, &mut seen, within.objections)
            .await?;
        for (line, refusal) in within.refusals {
            findings[line].push(refusal);
        }
        self.said(seen, findings)
    }

    /// Rules on steps.
    pub(crate) async fn steps(&self, steps: &[MoveStep]) -> Result<Said, FeatureError> {
        self.plain(steps).await
    }

    /// Rules on set-ups.
    pub(crate) async fn setups(&self, setups: &[SetUp]) -> Result<Said, FeatureError> {
        self.plain(setups).await
    }

    /// Rules on what has no lines within.
    async fn plain<A: Asked>(&self, asked: &[A]) -> Result<Said, FeatureError> {
        let ask = self.whom_to_ask(asked);
        let mut seen = self.observe(asked, &ask).await?;
        let findings = self.settle(asked, &ask, &mut seen, Vec::new()).await?;
        self.said(seen, findings)
    }

    /// What was said, with what does not count set apart.
    fn said(
        &self,
        seen: SeenBatch,
        findings: Vec<Vec<(u16, Finding)>>,
    ) -> Result<Said, FeatureError> {
        let counts = |(feature, finding): &(u16, Finding)| {
            let replaced = self.is_replaced(*feature, finding.rule);
            self.calls.found(*feature, replaced);
            !replaced
        };
        let split = |findings: Vec<(u16, Finding)>| findings.into_iter().partition(counts);
        let (findings, replaced) = findings.into_iter().map(split).unzip();
        Ok(Said {
            seen,
            findings: self.unite(findings)?,
            replaced: self.unite(replaced)?,
        })
    }

    fn is_replaced(&self, feature: u16, rule: u16) -> bool {
        self.ruleset.replacements().of((feature, rule)).is_some()
    }

    /// Round 1.
    async fn observe<A: Asked>(
        &self,
        asked: &[A],
        ask: &[Vec<u32>],
    ) -> Result<SeenBatch, FeatureError> {
        let mut observed = vec![Vec::new(); asked.len()];
        for (feature, to) in self.those_asked(asked, ask) {
            let (of, call) = (to.ask.len(), A::observe(to));
            for spoken in self.calls.make(feature, "observe", of, call).await? {
                let of = spoken.of as usize;
                if asked.get(of).is_some_and(|asked| asked.wants(&spoken.said)) {
                    observed[of].extend(self.seen_again(feature, spoken.said)?);
                }
            }
        }
        self.seen_batch(observed)
    }

    /// Rounds 2 and 3: objections to what was seen, beside those there are already, and findings.
    async fn settle<A: Asked>(
        &self,
        asked: &[A],
        ask: &[Vec<u32>],
        seen: &mut SeenBatch,
        mut objections: Vec<(u32, u16, Objection)>,
    ) -> Result<Vec<Vec<(u16, Finding)>>, FeatureError> {
        if !seen.seen.is_empty() {
            for (feature, to) in self.those_asked(asked, ask) {
                let (of, call) = (to.ask.len(), A::object(to, seen));
                let said = self.calls.make(feature, "object", of, call).await?;
                let counts = said.into_iter();
                let counts = counts.filter(|spoken| !self.is_replaced(feature, spoken.said.rule));
                objections.extend(counts.map(|spoken| (spoken.of, feature, spoken.said)));
            }
            objections.extend(self.replacing(seen));
        }
        set_aside(seen, objections, asked.len());
        let mut findings = vec![Vec::new(); asked.len()];
        let (restating, replacements) = (self.ruleset.restating(), self.ruleset.replacements());
        for (feature, to) in self.those_asked(asked, ask) {
            let (of, call) = (to.ask.len(), A::judge(to, seen));
            for spoken in self.calls.make(feature, "judge", of, call).await? {
                if let Some(of) = findings.get_mut(spoken.of as usize) {
                    of.extend(restating.finding(replacements, feature, &spoken.said));
                    of.push((feature, spoken.said));
                }
            }
        }
        Ok(findings)
    }

    /// An observation; and once more with another number, where its rule is replaced with one.
    fn seen_again(&self, feature: u16, said: Observation) -> Result<Vec<Seen>, FeatureError> {
        let replacements = self.ruleset.replacements();
        let again = self.ruleset.restating();
        let again = again.observation(replacements, feature, said);
        let again =
            again.map_err(|(rule, why)| restating::rubbish(self.ruleset.members(), rule, &why))?;
        let mut first = self.seen(feature, said);
        let Some((by, again)) = again else {
            return Ok(vec![first]);
        };
        first.again = Again::Said;
        let second = Seen {
            again: Again::Of((feature, said.rule)),
            ..self.seen(by, again)
        };
        Ok(vec![first, second])
    }

    /// What is observed by a rule that is replaced is set aside by the rule that replaces it.
    fn replacing(&self, seen: &SeenBatch) -> Vec<(u32, u16, Objection)> {
        let replacements = self.ruleset.replacements();
        let mut objections = Vec::new();
        for line in 0..seen.of.len() {
            for (at, seen) in seen.of(line).iter().enumerate() {
                if let Some((by, rule)) = replacements.of((seen.feature, seen.observation.rule)) {
                    let observation = number(at);
                    objections.push((number(line), by, Objection { observation, rule }));
                }
            }
        }
        objections
    }

    /// For each feature the questions that concern it.
    fn whom_to_ask<A: Asked>(&self, asked: &[A]) -> Vec<Vec<u32>> {
        let ask = |interest: &Interest| {
            let everything = self.ask_everyone || interest.everything;
            let concerned = |at: &usize| everything || asked[*at].concerns(self, interest);
            (0..asked.len()).filter(concerned).map(number).collect()
        };
        let features = self.prepared.map.features.iter();
        features.map(|feature| ask(feature.interest())).collect()
    }

    /// The features that are asked anything, with what they are asked.
    fn those_asked<'b, A: Asked>(
        &'b self,
        asked: &'b [A],
        ask: &'b [Vec<u32>],
    ) -> impl Iterator<Item = (u16, To<'b, A>)> {
        let features = self.prepared.map.features.iter().zip(ask).enumerate();
        let features = features.filter(|(_, (_, ask))| !ask.is_empty());
        features.map(move |(at, (feature, ask))| {
            let to = To {
                feature: &**feature,
                rounds: self,
                asked,
                ask,
            };
            (u16::try_from(at).unwrap_or(u16::MAX), to)
        })
    }

    /// Rules on the lines within lines: an observation that needs LOS from both ends is objected to
    /// where there is none, by the rule that asked for it.
    async fn rule_within(&self, lines: &[Line], seen: &SeenBatch) -> Result<Within, FeatureError> {
        let mut sights = Vec::new();
        let mut wanted = Vec::new();
        for (at, line) in lines
            .iter()
            .enumerate()
            .filter(|(_, line)| !line.obstacles_only)
        {
            for (index, seen) in seen.of(at).iter().enumerate() {
                if !seen.observation.needs_los || !seen.standing {
                    continue;
                }
                let Some(target) = self.end_at(&seen.observation) else {
                    continue;
                };
                for end in [line.from, line.to] {
                    let mut sight = bare_line(self.prepared, end, target, line.policy);
                    sight.obstacles_only = true;
                    sights.push(sight);
                    wanted.push((at, index, seen));
                }
            }
        }
        let mut within = Within::default();
        if sights.is_empty() {
            return Ok(within);
        }
        let said = self.lines(&sights).await?;
        for (at, (line, index, seen)) in wanted.into_iter().enumerate() {
            for (feature, finding) in said.findings.get(at).into_iter().flatten() {
                match finding.effect {
                    Effect::Blocks if stands(finding, said.seen.of(at)) => {
                        let (observation, rule) = (number(index), seen.observation.rule);
                        let objection = Objection { observation, rule };
                        within
                            .objections
                            .push((number(line), seen.feature, objection));
                    }
                    // What cannot be ruled on within cannot be ruled on without.
                    Effect::NotImplemented => {
                        let refusal = Finding {
                            cites: Vec::new(),
                            ..finding.clone()
                        };
                        within.refusals.push((line, (*feature, refusal)));
                    }
                    _ => {}
                }
            }
        }
        Ok(within)
    }

    /// The end of a line that runs to what was observed.
    fn end_at(&self, observation: &Observation) -> Option<EndFacts> {
        let counter = observation
            .subject
            .map(|index| (index, counter_facts(self.prepared, self.probes, index)));
        let hex = match (counter, observation.place) {
            (Some((_, facts)), _) => facts.hex,
            (None, Place::Hex(hex)) => hex,
            (None, _) => return None,
        };
        Some(EndFacts {
            hex,
            corner: None,
            counter: counter.map(|(index, _)| index),
            level: counter.map_or_else(|| self.prepared.map.level(hex), |(_, facts)| facts.level),
            class: counter.map_or(alamein_terrain::CounterClass::Squad, |(_, facts)| {
                facts.class
            }),
            flags: alamein_terrain::CounterFlags::none(),
            side: 0,
            aboard: false,
        })
    }

    pub(crate) fn concerns_hex(&self, interest: &Interest, hex: alamein_hex::Hex) -> bool {
        let index = self.prepared.map.map.grid.index(hex);
        index
            .and_then(|index| interest.hexes.get(index))
            .copied()
            .unwrap_or_default()
    }

    fn seen(&self, feature: u16, observation: Observation) -> Seen {
        let subject = observation
            .subject
            .and_then(|index| self.counters.get(index as usize));
        let hypothetical = subject.is_some_and(|counter| counter.probe);
        Seen {
            feature,
            observation,
            hypothetical,
            standing: !self.is_replaced(feature, observation.rule),
            again: Again::No,
        }
    }

    fn seen_batch(&self, observed: Vec<Vec<Seen>>) -> Result<SeenBatch, FeatureError> {
        let mut batch = SeenBatch {
            replacements: Arc::clone(self.ruleset.replacements()),
            ..SeenBatch::default()
        };
        for seen in observed {
            let from = batch.seen.len();
            batch
                .seen
                .extend(unite_observations(seen).map_err(|clash| self.rubbish(clash))?);
            batch.of.push(from..batch.seen.len());
        }
        Ok(batch)
    }

    fn unite(
        &self,
        findings: Vec<Vec<(u16, Finding)>>,
    ) -> Result<Vec<Vec<(u16, Finding)>>, FeatureError> {
        let unite = |findings| unite_findings(findings).map_err(|clash| self.rubbish(clash));
        findings.into_iter().map(unite).collect()
    }

    /// A plugin that says two different things by one rule of one place and subject.
    fn rubbish(&self, clash: Clash) -> FeatureError {
        let member = self.ruleset.members().get(usize::from(clash.feature));
        let rule = member.and_then(|member| member.rule(clash.rule));
        let rule = rule.map_or("?", |(cited, _)| &cited.rule);
        FeatureError::Rubbish {
            plugin: member
                .map_or("?", |member| &member.manifest().id)
                .to_owned(),
            message: format!("it says two different things by rule {rule} of one place"),
        }
    }
}

/// What came of the lines within lines.
#[derive(Debug, Default)]
struct Within {
    objections: Vec<(u32, u16, Objection)>,
    refusals: Vec<(usize, (u16, Finding))>,
}

/// Sorts the objections by line, and marks what they set aside.
fn set_aside(batch: &mut SeenBatch, objections: Vec<(u32, u16, Objection)>, count: usize) {
    let mut by_line: BTreeMap<u32, Vec<(u16, Objection)>> = BTreeMap::new();
    for (line, feature, objection) in objections {
        by_line.entry(line).or_default().push((feature, objection));
    }
    for line in 0..count {
        let from = batch.objections.len();
        let said = by_line.remove(&number(line)).unwrap_or_default();
        let of: Range<usize> = batch.of.get(line).cloned().unwrap_or(0..0);
        for (feature, objection) in unite_objections(said) {
            if let Some(seen) = batch.seen[of.clone()].get_mut(objection.observation as usize) {
                seen.standing = false;
                batch.objections.push((number(line), feature, objection));
            }
        }
        batch.objections_of.push(from..batch.objections.len());
    }
}
