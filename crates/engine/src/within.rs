//! Lines within lines: what is observed on the way may count only if both ends see it.
//!
//! Whether they do is for obstacles alone to say. Where who judges these answers in short, and where it is
//! known of the position, nobody need be asked in rounds.

use alamein_hex::Hex;
use alamein_terrain::fold::stands;
use alamein_terrain::{
    Cites, Effect, EndFacts, FeatureError, Finding, GrazingPolicy, InShort, Line, Objection,
    Observation, Place, SeenBatch,
};

use crate::answers::Spoken;
use crate::planes::{Planes, Speakers};
use crate::prepared::number;
use crate::resolve::{bare_line, counter_facts};
use crate::rounds::Rounds;
use crate::seers::Sees;

/// What came of the lines within lines.
#[derive(Debug, Default)]
pub(crate) struct Within {
    pub(crate) objections: Vec<(u32, u16, Objection)>,
    pub(crate) refusals: Vec<(usize, (u16, Finding))>,
}

/// A line from an end of a line to something observed on it.
struct Sub<'a> {
    /// The line's place.
    of: usize,
    end: EndFacts,
    policy: GrazingPolicy,
    /// The place among what was observed of the line.
    index: usize,
    observation: &'a Observation,
    feature: u16,
}

impl Sub<'_> {
    /// What says that the end does not see it: the rule that asked for it.
    fn objection(&self) -> (u32, u16, Objection) {
        let (observation, rule) = (number(self.index), self.observation.rule);
        (
            number(self.of),
            self.feature,
            Objection { observation, rule },
        )
    }
}

/// Someone who may see a counter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) end: EndFacts,
    pub(crate) counter: u32,
    pub(crate) policy: GrazingPolicy,
}

impl Look {
    /// What tells two in a batch apart: all else is that of the end's counter, or of an ordinary unit.
    fn key(&self) -> (u32, Hex, Option<u8>, Option<u32>, i16, GrazingPolicy) {
        let Self {
            end,
            counter,
            policy,
        } = *self;
        (counter, end.hex, end.corner, end.counter, end.level, policy)
    }
}

impl Rounds<'_> {
    /// Rules on the lines within lines: an observation that needs LOS from both ends is objected to
    /// where there is none, by the rule that asked for it.
    pub(crate) async fn rule_within(
        &self,
        lines: &[Line],
        seen: &SeenBatch,
    ) -> Result<Within, FeatureError> {
        let mut within = Within::default();
        let subs = self.ask_who_sees_in_short(subs(lines, seen), &mut within);
        let subs = subs.await?;
        if subs.is_empty() {
            return Ok(within);
        }
        let line = |sub: &Sub<'_>| {
            let to = self.end_at(sub.observation)?;
            let mut line = bare_line(self.prepared, sub.end, to, sub.policy);
            line.obstacles_only = true;
            Some(line)
        };
        let lines = subs.iter().filter_map(|sub| Some((sub, line(sub)?)));
        let (subs, lines): (Vec<_>, Vec<_>) = lines.unzip();
        let said = self.lines(&lines).await?;
        for (at, sub) in subs.into_iter().enumerate() {
            for (feature, finding) in said.findings.of(at) {
                match finding.effect {
                    Effect::Blocks if stands(finding, said.seen.of(at)) => {
                        within.objections.push(sub.objection());
                    }
                    // What cannot be ruled on within cannot be ruled on without.
                    Effect::NotImplemented => {
                        let refusal = Finding {
                            cites: Cites::new(),
                            ..finding.clone()
                        };
                        within.refusals.push((sub.of, (*feature, refusal)));
                    }
                    _ => {}
                }
            }
        }
        Ok(within)
    }

    /// Asks in short who sees counters. Gives back what is to be asked in rounds.
    async fn ask_who_sees_in_short<'a>(
        &self,
        subs: Vec<Sub<'a>>,
        within: &mut Within,
    ) -> Result<Vec<Sub<'a>>, FeatureError> {
        let Some(planes) = self.prepared.map.planes.as_ref() else {
            return Ok(subs);
        };
        if self.ask_everyone || subs.is_empty() {
            return Ok(subs);
        }
        let look = |sub: &Sub<'_>| {
            Some(Look {
                end: sub.end,
                counter: sub.observation.subject?,
                policy: sub.policy,
            })
        };
        let looks: Vec<Look> = subs.iter().filter_map(look).collect();
        let mut sees = self.sees(planes, &looks).await?.into_iter();
        let mut open = Vec::new();
        for sub in subs {
            let sees = match sub.observation.subject {
                Some(_) => sees.next(),
                None => None,
            };
            match sees {
                Some(Sees::Yes) => {}
                Some(Sees::No) => within.objections.push(sub.objection()),
                Some(Sees::Unknown) | None => open.push(sub),
            }
        }
        Ok(open)
    }

    /// Whether each sees its counter.
    pub(crate) async fn sees(
        &self,
        planes: &Planes,
        looks: &[Look],
    ) -> Result<Vec<Sees>, FeatureError> {
        let seers = self.prepared.seers();
        let kept = |look: &Look| seers.get(look.counter, self.kept_by(&look.end)?, look.policy);
        let known: Vec<Option<Sees>> = looks.iter().map(kept).collect();
        let unknown = looks
            .iter()
            .zip(&known)
            .filter(|(_, known)| known.is_none());
        let mut unknown: Vec<Look> = unknown.map(|(look, _)| *look).collect();
        unknown.sort_unstable_by_key(Look::key);
        unknown.dedup_by_key(|look| look.key());
        let line = |look: &Look| {
            let to = self.end_of(look.counter);
            let mut line = bare_line(self.prepared, look.end, to, look.policy);
            line.obstacles_only = true;
            line
        };
        let found = self.obstacles(planes, unknown.iter().map(line).collect());
        let found = found.await?;
        for (look, sees) in unknown.iter().zip(&found) {
            if let Some(hex) = self.kept_by(&look.end) {
                seers.set(look.counter, hex, look.policy, *sees);
            }
        }
        let sees = |(look, known): (&Look, Option<Sees>)| {
            let found = || {
                let at = unknown.binary_search_by_key(&look.key(), Look::key).ok()?;
                found.get(at).copied()
            };
            known.or_else(found).unwrap_or(Sees::Unknown)
        };
        Ok(looks.iter().zip(known).map(sees).collect())
    }

    /// The index of the hex by which it is kept what an end sees: that of an ordinary unit.
    fn kept_by(&self, end: &EndFacts) -> Option<usize> {
        let ordinary = *end == self.prepared.ordinary_unit(end.hex.into());
        let grid = &self.prepared.map.map.grid;
        grid.index(end.hex).filter(|_| ordinary)
    }

    /// Whether nothing is in the way of each of these lines, on which only obstacles matter.
    async fn obstacles(
        &self,
        planes: &Planes,
        mut lines: Vec<Line>,
    ) -> Result<Vec<Sees>, FeatureError> {
        if lines.is_empty() {
            return Ok(Vec::new());
        }
        let speakers = |line: &Line| {
            let speakers = self.speakers([&line.from, &line.to]);
            speakers.unwrap_or(Speakers::ALL)
        };
        let speakers: Vec<Speakers> = lines.iter().map(speakers).collect();
        let spoken = Spoken {
            lines: &lines,
            speakers: &speakers,
            known: &vec![None; lines.len()],
        };
        let shorts = self.shorts(planes, spoken).await?;
        let mut told: Vec<Option<Sees>> = shorts
            .iter()
            .map(|short| match short.verdict {
                InShort::Clear | InShort::Hinders => Some(Sees::Yes),
                InShort::Blocked => Some(Sees::No),
                InShort::Ask => None,
            })
            .collect();
        let mut open = told.iter().map(Option::is_none);
        lines.retain(|_| open.next().unwrap_or(true));
        if !lines.is_empty() {
            let said = Box::pin(self.lines(&lines)).await?;
            let open = told.iter_mut().filter(|it| it.is_none());
            for (at, sees) in open.enumerate() {
                let findings = said.findings.of(at);
                let effects =
                    |effect: Effect| findings.iter().filter(move |it| it.1.effect == effect);
                let stands = |it: &(u16, Finding)| stands(&it.1, said.seen.of(at));
                *sees = Some(if effects(Effect::NotImplemented).next().is_some() {
                    Sees::Unknown
                } else if effects(Effect::Blocks).any(stands) {
                    Sees::No
                } else {
                    Sees::Yes
                });
            }
        }
        Ok(told.into_iter().flatten().collect())
    }

    /// The end of a line that runs to what was observed.
    fn end_at(&self, observation: &Observation) -> Option<EndFacts> {
        match (observation.subject, observation.place) {
            (Some(counter), _) => Some(self.end_of(counter)),
            (None, Place::Hex(hex)) => Some(self.prepared.ordinary_unit(hex.into())),
            (None, _) => None,
        }
    }

    /// The end of a line that runs to a counter between its ends.
    fn end_of(&self, counter: u32) -> EndFacts {
        let facts = counter_facts(self.prepared, self.probes, counter);
        EndFacts {
            counter: Some(counter),
            level: facts.level,
            class: facts.class,
            ..self.prepared.ordinary_unit(facts.hex.into())
        }
    }
}

/// The lines within these.
fn subs<'a>(lines: &[Line], seen: &'a SeenBatch) -> Vec<Sub<'a>> {
    let mut subs = Vec::new();
    for (of, line) in lines.iter().enumerate() {
        if line.obstacles_only {
            continue;
        }
        for (index, seen) in seen.of(of).iter().enumerate() {
            if !seen.observation.needs_los || !seen.standing {
                continue;
            }
            let sub = |end| Sub {
                of,
                end,
                policy: line.policy,
                index,
                observation: &seen.observation,
                feature: seen.feature,
            };
            subs.extend([line.from, line.to].map(sub));
        }
    }
    subs
}
