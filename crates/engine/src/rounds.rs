//! The rounds: every feature observes, objects and judges, and in each round all see the same.

use std::collections::BTreeMap;
use std::ops::Range;

use alamein_terrain::fold::{Clash, stands, unite_findings, unite_objections, unite_observations};
use alamein_terrain::{
    Budget, CounterFacts, Effect, EndFacts, FeatureError, Finding, Interest, Line, LineBatch,
    MoveStep, Objection, Observation, Place, Purpose, Seen, SeenBatch, Spoken, StepBatch,
};

use crate::prepared::{Prepared, number};
use crate::resolve::{Probes, bare_line, counter_facts};
use crate::ruleset::Ruleset;

/// All that was said of the lines or steps of a batch.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) seen: SeenBatch,
    pub(crate) findings: Vec<Vec<(u16, Finding)>>,
}

/// A batch in hand: the position, the probes, and whom to ask.
pub(crate) struct Rounds<'a> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) prepared: &'a Prepared,
    pub(crate) probes: &'a Probes,
    pub(crate) budget: Budget,
    /// Ask every feature about everything, whatever concerns it. The answers must be the same.
    pub(crate) ask_everyone: bool,
    counters: Vec<CounterFacts>,
}

impl<'a> Rounds<'a> {
    pub(crate) fn new(
        ruleset: &'a Ruleset,
        prepared: &'a Prepared,
        probes: &'a Probes,
        budget: Budget,
        ask_everyone: bool,
    ) -> Self {
        let counters = prepared
            .counters
            .iter()
            .chain(&probes.facts)
            .copied()
            .collect();
        Self {
            ruleset,
            prepared,
            probes,
            budget,
            ask_everyone,
            counters,
        }
    }

    /// Rules on lines.
    pub(crate) async fn lines(&self, lines: &[Line]) -> Result<Said, FeatureError> {
        let mut seen = self.observe_lines(lines).await?;
        let unseen = Box::pin(self.without_los(lines, &seen)).await?;
        let ask = self.whom_to_ask(lines.len(), |interest, at| {
            self.concerns_line(interest, &lines[at])
        });
        let mut objections = unseen;
        if !seen.seen.is_empty() {
            for (feature, ask) in numbered(&ask) {
                let batch = self.line_batch(lines, ask);
                let prepared = &self.prepared.map.features[usize::from(feature)];
                let said = prepared.object_to_lines(batch, &seen, self.budget).await?;
                objections.extend(
                    said.into_iter()
                        .map(|spoken| (spoken.of, feature, spoken.said)),
                );
            }
        }
        set_aside(&mut seen, objections, lines.len());
        let mut findings = vec![Vec::new(); lines.len()];
        for (feature, ask) in numbered(&ask) {
            let batch = self.line_batch(lines, ask);
            let prepared = &self.prepared.map.features[usize::from(feature)];
            let said = prepared.judge_lines(batch, &seen, self.budget).await?;
            collect(&mut findings, feature, said);
        }
        Ok(Said {
            seen,
            findings: self.unite(findings)?,
        })
    }

    /// Rules on steps.
    pub(crate) async fn steps(&self, steps: &[MoveStep]) -> Result<Said, FeatureError> {
        let ask = self.whom_to_ask(steps.len(), |interest, at| {
            self.concerns_step(interest, &steps[at])
        });
        let mut observed = vec![Vec::new(); steps.len()];
        for (feature, ask) in numbered(&ask) {
            let batch = self.step_batch(steps, ask);
            let prepared = &self.prepared.map.features[usize::from(feature)];
            let said = prepared.observe_steps(batch, self.budget).await?;
            self.collect_seen(&mut observed, feature, said, |_| true);
        }
        let mut seen = self.seen_batch(observed)?;
        let mut objections = Vec::new();
        if !seen.seen.is_empty() {
            for (feature, ask) in numbered(&ask) {
                let batch = self.step_batch(steps, ask);
                let prepared = &self.prepared.map.features[usize::from(feature)];
                let said = prepared.object_to_steps(batch, &seen, self.budget).await?;
                objections.extend(
                    said.into_iter()
                        .map(|spoken| (spoken.of, feature, spoken.said)),
                );
            }
        }
        set_aside(&mut seen, objections, steps.len());
        let mut findings = vec![Vec::new(); steps.len()];
        for (feature, ask) in numbered(&ask) {
            let batch = self.step_batch(steps, ask);
            let prepared = &self.prepared.map.features[usize::from(feature)];
            let said = prepared.judge_steps(batch, &seen, self.budget).await?;
            collect(&mut findings, feature, said);
        }
        Ok(Said {
            seen,
            findings: self.unite(findings)?,
        })
    }

    async fn observe_lines(&self, lines: &[Line]) -> Result<SeenBatch, FeatureError> {
        let ask = self.whom_to_ask(lines.len(), |interest, at| {
            self.concerns_line(interest, &lines[at])
        });
        let mut observed = vec![Vec::new(); lines.len()];
        for (feature, ask) in numbered(&ask) {
            let batch = self.line_batch(lines, ask);
            let prepared = &self.prepared.map.features[usize::from(feature)];
            let said = prepared.observe_lines(batch, self.budget).await?;
            // Hindrances do not matter on the way to something that may itself be one.
            let wanted = |spoken: &Spoken<Observation>| {
                let line = lines.get(spoken.of as usize);
                !line.is_some_and(|line| line.obstacles_only)
                    || !matches!(spoken.said.fact, alamein_terrain::Fact::Hindrance { .. })
            };
            self.collect_seen(&mut observed, feature, said, wanted);
        }
        self.seen_batch(observed)
    }

    /// Objections to observations that need LOS from both ends of their line and do not have it.
    /// Each is by the rule that asked for it.
    async fn without_los(
        &self,
        lines: &[Line],
        seen: &SeenBatch,
    ) -> Result<Vec<(u32, u16, Objection)>, FeatureError> {
        let mut within = Vec::new();
        let mut wanted = Vec::new();
        for (at, line) in lines
            .iter()
            .enumerate()
            .filter(|(_, line)| !line.obstacles_only)
        {
            for (index, seen) in seen.of(at).iter().enumerate() {
                if !seen.observation.needs_los {
                    continue;
                }
                let Some(target) = self.end_at(&seen.observation) else {
                    continue;
                };
                for end in [line.from, line.to] {
                    let mut sight = bare_line(self.prepared, end, target, line.policy);
                    sight.obstacles_only = true;
                    sight.purpose = Purpose::Sight;
                    within.push(sight);
                    wanted.push((at, index, seen));
                }
            }
        }
        if within.is_empty() {
            return Ok(Vec::new());
        }
        let said = self.lines(&within).await?;
        let mut objections = Vec::new();
        for (at, (line, index, seen)) in wanted.into_iter().enumerate() {
            let findings = said.findings.get(at).map(Vec::as_slice).unwrap_or_default();
            let blocked = findings.iter().any(|(_, finding)| {
                let stops = matches!(finding.effect, Effect::Blocks | Effect::NotImplemented);
                stops && stands(finding, said.seen.of(at))
            });
            if blocked {
                let (observation, rule) = (number(index), seen.observation.rule);
                objections.push((number(line), seen.feature, Objection { observation, rule }));
            }
        }
        Ok(objections)
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

    fn line_batch<'b>(&'b self, lines: &'b [Line], ask: &'b [u32]) -> LineBatch<'b> {
        LineBatch {
            levels: &self.prepared.map.levels,
            counters: &self.counters,
            attributes: &self.prepared.attributes,
            attribute_names: &self.prepared.attribute_names,
            ec: self.prepared.position.environment().ec,
            lines,
            ask,
        }
    }

    fn step_batch<'b>(&'b self, steps: &'b [MoveStep], ask: &'b [u32]) -> StepBatch<'b> {
        StepBatch {
            levels: &self.prepared.map.levels,
            counters: &self.counters,
            attributes: &self.prepared.attributes,
            attribute_names: &self.prepared.attribute_names,
            ec: self.prepared.position.environment().ec,
            steps,
            ask,
        }
    }

    /// For each feature the questions that concern it.
    fn whom_to_ask(
        &self,
        count: usize,
        concerns: impl Fn(&Interest, usize) -> bool,
    ) -> Vec<Vec<u32>> {
        let features = self.prepared.map.features.iter();
        let asked = |interest: &Interest| {
            let concerned =
                |at: &usize| self.ask_everyone || interest.everything || concerns(interest, *at);
            (0..count).filter(concerned).map(number).collect()
        };
        features.map(|feature| asked(feature.interest())).collect()
    }

    fn concerns_line(&self, interest: &Interest, line: &Line) -> bool {
        let counters = interest.counters && !line.counters.is_empty();
        counters
            || line
                .trace
                .touched()
                .any(|touch| self.concerns_hex(interest, touch.hex))
    }

    fn concerns_step(&self, interest: &Interest, step: &MoveStep) -> bool {
        self.concerns_hex(interest, step.from) || self.concerns_hex(interest, step.to)
    }

    fn concerns_hex(&self, interest: &Interest, hex: alamein_hex::Hex) -> bool {
        let index = self.prepared.map.map.grid.index(hex);
        index
            .and_then(|index| interest.hexes.get(index))
            .copied()
            .unwrap_or_default()
    }

    fn collect_seen(
        &self,
        observed: &mut [Vec<Seen>],
        feature: u16,
        said: Vec<Spoken<Observation>>,
        wanted: impl Fn(&Spoken<Observation>) -> bool,
    ) {
        for spoken in said.into_iter().filter(|spoken| wanted(spoken)) {
            let subject = spoken
                .said
                .subject
                .and_then(|index| self.counters.get(index as usize));
            let seen = Seen {
                feature,
                hypothetical: subject.is_some_and(|counter| counter.probe),
                observation: spoken.said,
                standing: true,
            };
            if let Some(of) = observed.get_mut(spoken.of as usize) {
                of.push(seen);
            }
        }
    }

    fn seen_batch(&self, observed: Vec<Vec<Seen>>) -> Result<SeenBatch, FeatureError> {
        let mut batch = SeenBatch::default();
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

/// Features with what they are asked, those that are asked nothing left out.
fn numbered(ask: &[Vec<u32>]) -> impl Iterator<Item = (u16, &[u32])> {
    let numbered = ask.iter().enumerate().filter(|(_, ask)| !ask.is_empty());
    numbered.map(|(feature, ask)| (u16::try_from(feature).unwrap_or(u16::MAX), ask.as_slice()))
}

fn collect(findings: &mut [Vec<(u16, Finding)>], feature: u16, said: Vec<Spoken<Finding>>) {
    for spoken in said {
        if let Some(of) = findings.get_mut(spoken.of as usize) {
            of.push((feature, spoken.said));
        }
    }
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
