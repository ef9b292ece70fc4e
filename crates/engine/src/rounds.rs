//! The rounds: every feature observes, objects and judges, and in each round all see the same.

use std::borrow::Cow;
use std::sync::Arc;

use alamein_hex::{Hex, trace_between};
use alamein_terrain::fold::{Clash, unite_last_findings, unite_last_observations};
use alamein_terrain::{
    Again, AttributeFact, Budget, CounterFacts, EndFacts, FeatureError, Finding, Kept, Line,
    MoveStep, Objection, Observation, Seen, SeenBatch, SetUp,
};

use crate::asked::{Asked, To};
use crate::calls::Calls;
use crate::engine::{Batch, Wanted};
use crate::gathered::{PerLine, Voices};
use crate::planes::{Speakers, bits};
use crate::prepared::{Prepared, number};
use crate::resolve::Probes;
use crate::restating;
use crate::ruleset::Ruleset;

/// All that was said of the lines, steps or set-ups of a batch.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) seen: SeenBatch,
    pub(crate) findings: PerLine<(u16, Finding)>,
    /// Findings by rules that are replaced: they are told, and do not count.
    pub(crate) replaced: PerLine<(u16, Finding)>,
}

/// For each feature what it is asked about.
struct Asking<'a> {
    ask: Vec<Vec<u32>>,
    kept: Vec<Kept<'a>>,
}

impl Asking<'_> {
    fn new(ask: Vec<Vec<u32>>) -> Self {
        let kept = ask.iter().map(|_| Kept::nothing()).collect();
        Self { ask, kept }
    }
}

impl Said {
    /// How many findings there are.
    pub(crate) fn found(&self) -> usize {
        self.findings.count() + self.replaced.count()
    }
}

/// What is of the position and then what is of the probes, of which there are none as a rule.
fn together<'a, T: Clone>(of_position: &'a [T], of_probes: &[T]) -> Cow<'a, [T]> {
    let mut all = Cow::Borrowed(of_position);
    if !of_probes.is_empty() {
        all.to_mut().extend_from_slice(of_probes);
    }
    all
}

/// A batch in hand: the position, the probes, and whom to ask.
pub(crate) struct Rounds<'a> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) prepared: &'a Prepared,
    pub(crate) probes: &'a Probes,
    pub(crate) budget: Budget,
    /// Ask every feature about everything, whatever concerns it. The answers must be the same.
    pub(crate) ask_everyone: bool,
    /// Nothing is wanted of lines but their LOS, and on what it turned.
    pub(crate) los_only: bool,
    /// The counters of the position, then the probes.
    pub(crate) counters: Cow<'a, [CounterFacts]>,
    /// The attributes of both.
    pub(crate) attributes: Cow<'a, [AttributeFact]>,
    /// The names of these.
    pub(crate) attribute_names: Cow<'a, [String]>,
    pub(crate) calls: Calls<'a>,
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
        Self {
            ruleset,
            prepared,
            probes,
            budget,
            ask_everyone,
            los_only: false,
            counters: together(&prepared.counters, &probes.facts),
            attributes: together(&prepared.attributes, &probes.attributes),
            attribute_names: together(&prepared.attribute_names, &probes.attribute_names),
            calls: Calls::new(ruleset, metrics, traced),
        }
    }

    /// Rules on lines.
    pub(crate) async fn lines(&self, lines: &[Line]) -> Result<Said, FeatureError> {
        let ask = self.whom_to_ask(lines);
        let mut seen = self.observe(lines, &ask).await?;
        let within = Box::pin(self.rule_within(lines, &seen)).await?;
        let found = self
            .settle(lines, &ask, &mut seen, within.objections)
            .await?;
        self.said(lines.len(), seen, found, within.refusals)
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
        let found = self.settle(asked, &ask, &mut seen, Vec::new()).await?;
        self.said(asked.len(), seen, found, Vec::new())
    }

    /// What was said, with what does not count set apart. `more` are findings that no feature made here.
    fn said(
        &self,
        count: usize,
        seen: SeenBatch,
        mut found: Voices<Finding>,
        mut more: Vec<(usize, (u16, Finding))>,
    ) -> Result<Said, FeatureError> {
        let (restating, replacements) = (self.ruleset.restating(), self.ruleset.replacements());
        let mut findings = PerLine::with_capacity(count, found.count() + more.len());
        let mut replaced = PerLine::with_capacity(count, 0);
        more.sort_by_key(|(line, _)| *line);
        let mut more = more.into_iter().peekable();
        for line in 0..count {
            let mut add = |feature, finding: Finding| {
                let is_replaced = self.is_replaced(feature, finding.rule);
                self.calls.found(feature, is_replaced);
                let of = if is_replaced {
                    &mut replaced
                } else {
                    &mut findings
                };
                of.open().push((feature, finding));
            };
            for (feature, finding) in found.of(number(line)) {
                if let Some((by, again)) = restating.finding(replacements, feature, &finding) {
                    add(by, again);
                }
                add(feature, finding);
            }
            while let Some((_, (feature, finding))) = more.next_if(|(of, _)| *of == line) {
                add(feature, finding);
            }
            for of in [&mut findings, &mut replaced] {
                let from = of.begins();
                unite_last_findings(of.open(), from).map_err(|clash| self.rubbish(clash))?;
                of.close();
            }
        }
        Ok(Said {
            seen,
            findings,
            replaced,
        })
    }

    fn is_replaced(&self, feature: u16, rule: u16) -> bool {
        self.ruleset.replacements().of((feature, rule)).is_some()
    }

    /// Round 1.
    async fn observe<'b, A: Asked>(
        &'b self,
        asked: &'b [A],
        ask: &'b Asking<'b>,
    ) -> Result<SeenBatch, FeatureError> {
        let mut voices = Voices::default();
        for (feature, to) in self.those_in_rounds(asked, ask) {
            let (of, call) = (to.ask.len(), A::observe(to));
            voices.add(
                feature,
                self.calls.make(feature, "observe", of, call).await?,
            );
        }
        let mut batch = SeenBatch {
            replacements: Arc::clone(self.ruleset.replacements()),
            seen: Vec::with_capacity(voices.count()),
            of: Vec::with_capacity(asked.len()),
            ..SeenBatch::default()
        };
        for (line, asked) in asked.iter().enumerate() {
            let from = batch.seen.len();
            let observed = voices.of(number(line));
            for (feature, said) in observed.filter(|(_, said)| asked.wants(said)) {
                let (seen, again) = self.seen_again(feature, said)?;
                batch.seen.push(seen);
                batch.seen.extend(again);
            }
            unite_last_observations(&mut batch.seen, from).map_err(|clash| self.rubbish(clash))?;
            batch.of.push(from..batch.seen.len());
        }
        Ok(batch)
    }

    /// Rounds 2 and 3: objections to what was seen, beside those there are already, and findings.
    async fn settle<'b, A: Asked>(
        &'b self,
        asked: &'b [A],
        ask: &'b Asking<'b>,
        seen: &mut SeenBatch,
        mut objections: Vec<(u32, u16, Objection)>,
    ) -> Result<Voices<Finding>, FeatureError> {
        if !seen.seen.is_empty() {
            for (feature, to) in self.those_in_rounds(asked, ask) {
                let (of, call) = (to.ask.len(), A::object(to, seen));
                let said = self.calls.make(feature, "object", of, call).await?;
                let counts = said.into_iter();
                let counts = counts.filter(|spoken| !self.is_replaced(feature, spoken.said.rule));
                objections.extend(counts.map(|spoken| (spoken.of, feature, spoken.said)));
            }
            objections.extend(self.replacing(seen));
        }
        set_aside(seen, objections, asked.len());
        let mut found = Voices::default();
        for (feature, to) in self.those_in_rounds(asked, ask) {
            let (of, call) = (to.ask.len(), A::judge(to, seen));
            found.add(feature, self.calls.make(feature, "judge", of, call).await?);
        }
        Ok(found)
    }

    /// An observation; and once more with another number, where its rule is replaced with one.
    fn seen_again(
        &self,
        feature: u16,
        said: Observation,
    ) -> Result<(Seen, Option<Seen>), FeatureError> {
        let replacements = self.ruleset.replacements();
        let again = self.ruleset.restating();
        let again = again.observation(replacements, feature, said);
        let again =
            again.map_err(|(rule, why)| restating::rubbish(self.ruleset.members(), rule, &why))?;
        let mut first = self.seen(feature, said);
        let Some((by, again)) = again else {
            return Ok((first, None));
        };
        first.again = Again::Said;
        let second = Seen {
            again: Again::Of((feature, said.rule)),
            ..self.seen(by, again)
        };
        Ok((first, Some(second)))
    }

    /// What is observed by a rule that is replaced is set aside by the rule that replaces it.
    fn replacing(&self, seen: &SeenBatch) -> Vec<(u32, u16, Objection)> {
        let replacements = self.ruleset.replacements();
        let mut objections = Vec::new();
        if replacements.is_empty() {
            return objections;
        }
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
    fn whom_to_ask<'b, A: Asked>(&self, asked: &[A]) -> Asking<'b> {
        let features = self.prepared.map.features.len();
        let interests = self.prepared.map.interests.as_ref();
        let Some(interests) = interests.filter(|_| !self.ask_everyone) else {
            return Asking::new(vec![(0..asked.len()).map(number).collect(); features]);
        };
        let mut ask: Vec<Vec<u32>> = (0..features)
            .map(|_| Vec::with_capacity(asked.len()))
            .collect();
        for (at, asked) in asked.iter().enumerate() {
            let concerned = asked
                .speakers(self)
                .unwrap_or_else(|| interests.everything | asked.concerns(interests));
            for feature in bits(concerned) {
                if let Some(ask) = ask.get_mut(feature) {
                    ask.push(number(at));
                }
            }
        }
        Asking::new(ask)
    }

    /// Who speaks on a line by the map's tables; nothing if these do not tell.
    pub(crate) fn speakers(&self, ends: [&EndFacts; 2]) -> Option<Speakers> {
        let planes = self.prepared.map.planes.as_ref()?;
        let grid = &self.prepared.map.map;
        let below_ground = |end: &&EndFacts| end.level < grid.level(end.hex).saturating_mul(2);
        let told = |end: &&EndFacts| end.corner.is_none() && !below_ground(end);
        if self.ask_everyone || !ends.iter().all(told) || !self.probes.facts.is_empty() {
            return None;
        }
        let trace = trace_between(ends[0].hex, ends[1].hex);
        let units = ends.map(|end| end.counter.is_some());
        Some(planes.speakers(self.prepared.busy(planes), &trace, units))
    }

    /// Who speaks on a line between ordinary units for counters between them; nothing if nobody does.
    pub(crate) fn speakers_of_counters(&self, from: Hex, to: Hex) -> Option<Speakers> {
        let planes = self.prepared.map.planes.as_ref()?;
        let busy = self.prepared.busy(planes);
        if !busy.minds_counters() {
            return None;
        }
        let trace = trace_between(from, to);
        let of_counters = busy.on(&trace);
        (of_counters != 0).then(|| Speakers {
            speak: of_counters,
            of_marks: 0,
            of_counters,
            others: planes.others(&trace),
        })
    }

    /// Those of a batch that is gone through in rounds: its hosts may keep what they make of it.
    fn those_in_rounds<'b, A: Asked>(
        &'b self,
        asked: &'b [A],
        asking: &'b Asking<'b>,
    ) -> impl Iterator<Item = (u16, To<'b, A>)> {
        let those = self.those_asked(asked, &asking.ask);
        those.map(|(feature, to)| {
            let kept = asking.kept.get(usize::from(feature));
            (feature, To { kept, ..to })
        })
    }

    /// The features that are asked anything, with what they are asked.
    pub(crate) fn those_asked<'b, A: Asked>(
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
                kept: None,
            };
            (u16::try_from(at).unwrap_or(u16::MAX), to)
        })
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

/// Sorts the objections by line, and marks what they set aside.
fn set_aside(batch: &mut SeenBatch, mut objections: Vec<(u32, u16, Objection)>, count: usize) {
    objections.sort_unstable();
    objections.dedup();
    objections.retain(|(line, _, objection)| {
        let of = batch.of.get(*line as usize).cloned().unwrap_or(0..0);
        let seen = batch.seen.get_mut(of).unwrap_or_default();
        let seen = seen.get_mut(objection.observation as usize);
        seen.map(|seen| seen.standing = false).is_some()
    });
    let mut from = 0;
    for line in 0..count {
        let rest = objections.get(from..).unwrap_or_default();
        let to = from + rest.iter().take_while(|it| it.0 == number(line)).count();
        batch.objections_of.push(from..to);
        from = to;
    }
    batch.objections = objections;
}
