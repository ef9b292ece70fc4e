//! Which lines of sight from one end are answered at once, which in short, and which are left for the rounds.

use std::collections::BTreeSet;

use alamein_hex::Hex;
use alamein_terrain::fold::{fold_line, stands};
use alamein_terrain::{Effect, InShort, Line, Purpose, Sight};
use futures::executor::block_on;

use crate::answers::{Short, Spoken, Turned};
use crate::engine::said_of;
use crate::error::QuestionError;
use crate::memo::{Known, OnWhat};
use crate::naming::SaidOfOne;
use crate::planes::Speakers;
use crate::resolve::{Probes, Resolver};
use crate::rounds::Rounds;
use crate::sights::Fan;

/// Who looks, and what is known of what they see.
pub(crate) struct Sieve<'a> {
    rounds: &'a Rounds<'a>,
    fan: &'a Fan,
    /// What terrain is known to do to these lines; nothing where they do not begin at an ordinary unit, or
    /// where somebody speaks on all of them.
    known: Option<Known<'a>>,
}

/// What is known of a line before anybody is asked.
enum Before {
    /// What comes of it.
    Sight(Sight),
    /// Who is to be asked; and what terrain is known to do to it, and on what that turned.
    Ask(Speakers, Option<(InShort, OnWhat)>),
}

/// The lines on which somebody speaks, in parallel lists.
#[derive(Debug, Default)]
pub(crate) struct Hard {
    /// Their places among the hexes asked about.
    pub(crate) places: Vec<usize>,
    pub(crate) lines: Vec<Line>,
    /// Who speaks on each: everybody, for all that the tables tell, where they tell nothing.
    speakers: Vec<Speakers>,
    /// What terrain is known to do to each, where only counters are asked about.
    known: Vec<Option<InShort>>,
    /// On what that turned, whatever counters do besides.
    turned: Vec<OnWhat>,
}

impl<'a> Sieve<'a> {
    pub(crate) fn new(rounds: &'a Rounds<'a>, fan: &'a Fan) -> Self {
        let known = known_from(rounds, fan);
        Self { rounds, fan, known }
    }

    /// Says what is seen of hexes of which that is known, or which can be answered in short, and on what it
    /// turned; gives back the others. Each hex comes with its place among the sights.
    pub(crate) fn answered(
        &self,
        to: impl Iterator<Item = (usize, Hex)>,
        sights: &mut [Sight],
        turned: &mut BTreeSet<Turned>,
    ) -> Result<Hard, QuestionError> {
        let mut hard = self.hard(to, sights, turned);
        if let Some(planes) = &self.rounds.prepared.map.planes {
            let spoken = Spoken {
                lines: &hard.lines,
                speakers: &hard.speakers,
                known: &hard.known,
            };
            let answers = block_on(self.rounds.answers(planes, spoken))?;
            self.keep(&hard, &answers);
            let lines = hard.lines.iter().zip(&hard.turned);
            for ((line, on), short) in lines.zip(&answers) {
                turned.extend(short.turned_on(line, &self.rounds.counters));
                if short.sight.is_some() {
                    turned.extend(on);
                }
            }
            hard.settle(&answers, sights);
        }
        Ok(hard)
    }

    /// Says what comes of lines of which it is known, and gathers the others.
    fn hard(
        &self,
        to: impl Iterator<Item = (usize, Hex)>,
        sights: &mut [Sight],
        turned: &mut BTreeSet<Turned>,
    ) -> Hard {
        let Self { rounds, fan, .. } = self;
        let resolver = Resolver {
            ruleset: rounds.ruleset,
            prepared: rounds.prepared,
            probes: Probes::default(),
        };
        let mut hard = Hard::with_room(to.size_hint().0);
        for (place, hex) in to {
            match self.before(hex, turned) {
                Before::Sight(told) => {
                    if let Some(sight) = sights.get_mut(place) {
                        *sight = told;
                    }
                }
                Before::Ask(speakers, terrain) => {
                    let ends = [fan.from, rounds.prepared.ordinary_unit(hex.into())];
                    let (purpose, probes) = (Purpose::Sight, &fan.probes_at);
                    let line = resolver.line(ends, purpose, None, fan.policy, probes);
                    hard.push(place, line, speakers, terrain);
                }
            }
        }
        hard
    }

    /// What the map's tables tell of a line to an ordinary unit in a hex, and what is kept of it.
    fn before(&self, to: Hex, turned: &mut BTreeSet<Turned>) -> Before {
        let rounds = self.rounds;
        let kept = self.kept(to);
        if let Some((terrain, on)) = kept.and_then(|(known, index)| known.get(index)) {
            let counters = rounds.speakers_of_counters(self.fan.from.hex, to);
            let Some(speakers) = counters else {
                turned.extend(on);
                return Before::Sight(match terrain {
                    InShort::Blocked => Sight::BlockedByTerrain,
                    _ => Sight::Clear,
                });
            };
            return Before::Ask(speakers, Some((terrain, on)));
        }
        let end = rounds.prepared.ordinary_unit(to.into());
        match rounds.speakers([&self.fan.from, &end]) {
            None => Before::Ask(Speakers::ALL, None),
            Some(Speakers { speak: 0, .. }) => {
                if let Some((known, index)) = kept {
                    known.set(index, InShort::Clear);
                }
                Before::Sight(Sight::Clear)
            }
            Some(speakers) => Before::Ask(speakers, None),
        }
    }

    /// What is kept of lines from here, and the index of the line to a hex among them.
    fn kept(&self, to: Hex) -> Option<(Known<'a>, usize)> {
        let grid = &self.rounds.prepared.map.map.grid;
        self.known.zip(grid.index(to))
    }

    /// Keeps with the map what terrain does to lines.
    fn keep(&self, hard: &Hard, answers: &[Short]) {
        let lines = hard.lines.iter().zip(&hard.speakers);
        for (((line, speakers), was_known), short) in lines.zip(&hard.known).zip(answers) {
            // Where the tables tell nothing, nothing is known.
            let told = was_known.is_none() && *speakers != Speakers::ALL;
            let terrain = short.terrain.filter(|_| told);
            if let Some((terrain, (known, index))) = terrain.zip(self.kept(line.to.hex)) {
                known.set(index, terrain);
            }
        }
    }

    /// Has terrain alone ruled on in rounds for those lines on which others speak for counters, keeps what
    /// comes of it, and takes these lines out: they can be looked at again.
    pub(crate) fn learn_terrain(
        &self,
        hard: &mut Hard,
    ) -> Result<Vec<(usize, Hex)>, QuestionError> {
        let Some(planes) = &self.rounds.prepared.map.planes else {
            return Ok(Vec::new());
        };
        let can_be_learned = |(speakers, line): (&Speakers, &Line)| {
            let may_be = |(known, index): (Known<'_>, usize)| known.may_be_learned(index);
            planes.tell_apart(*speakers) && self.kept(line.to.hex).is_some_and(may_be)
        };
        let of = hard.speakers.iter().zip(&hard.lines);
        let apart: Vec<bool> = of.map(can_be_learned).collect();
        if !apart.contains(&true) {
            return Ok(Vec::new());
        }
        let mut bare = hard.take_out(&apart);
        for line in &mut bare.lines {
            line.counters.clear();
        }
        let said = block_on(self.rounds.lines(&bare.lines));
        for (at, line) in bare.lines.iter().enumerate() {
            let mut on = OnWhat::new();
            let sight = of_one(&said_of(&said, at)?, &mut on);
            self.keep_terrain(line.to.hex, sight.unwrap_or(Sight::NotImplemented), &on);
        }
        let hexes = bare.lines.iter().map(|line| line.to.hex);
        Ok(bare.places.into_iter().zip(hexes).collect())
    }

    /// Keeps what came of a line that went through the rounds, and on what it turned, if that was terrain's
    /// doing: nobody speaks for counters on it.
    pub(crate) fn keep_ruling(&self, hard: &Hard, at: usize, sight: Sight, turned: &[Turned]) {
        let planes = self.rounds.prepared.map.planes.as_ref();
        let alone = |speakers: &Speakers| planes.is_some_and(|it| it.terrain_alone(*speakers));
        let speakers = hard.speakers.get(at).filter(|speakers| alone(speakers));
        if let Some((_, line)) = speakers.zip(hard.lines.get(at)) {
            self.keep_terrain(line.to.hex, sight, turned);
        }
    }

    /// Keeps what terrain does to the line to a hex; or that it does more than to block or not to.
    fn keep_terrain(&self, to: Hex, sight: Sight, turned: &[Turned]) {
        let short = match sight {
            Sight::Clear => InShort::Clear,
            Sight::BlockedByTerrain => InShort::Blocked,
            _ => InShort::Ask,
        };
        if let Some((known, index)) = self.kept(to) {
            known.rule(index, short, turned);
        }
    }
}

/// What terrain is known to do to lines from here, if that is kept.
fn known_from<'a>(rounds: &Rounds<'a>, fan: &Fan) -> Option<Known<'a>> {
    let prepared = rounds.prepared;
    let planes = prepared.map.planes.as_ref()?;
    let ordinary = fan.from == prepared.ordinary_unit(fan.from.hex.into());
    let everywhere = prepared.busy(planes).everywhere() != 0;
    if !ordinary || everywhere || rounds.ask_everyone || !rounds.probes.facts.is_empty() {
        return None;
    }
    let from = prepared.map.map.grid.index(fan.from.hex)?;
    let ec = prepared.position.environment().ec;
    prepared.map.memo.from(from, fan.policy, ec)
}

impl Hard {
    fn with_room(count: usize) -> Self {
        Self {
            places: Vec::with_capacity(count),
            lines: Vec::with_capacity(count),
            speakers: Vec::with_capacity(count),
            known: Vec::with_capacity(count),
            turned: Vec::with_capacity(count),
        }
    }

    fn push(
        &mut self,
        place: usize,
        line: Line,
        speakers: Speakers,
        known: Option<(InShort, OnWhat)>,
    ) {
        let (known, turned) = known.map_or((None, OnWhat::new()), |(it, on)| (Some(it), on));
        self.places.push(place);
        self.lines.push(line);
        self.speakers.push(speakers);
        self.known.push(known);
        self.turned.push(turned);
    }

    /// Adds others.
    pub(crate) fn add(&mut self, others: Self) {
        self.places.extend(others.places);
        self.lines.extend(others.lines);
        self.speakers.extend(others.speakers);
        self.known.extend(others.known);
        self.turned.extend(others.turned);
    }

    /// Takes out those that are answered.
    fn settle(&mut self, answers: &[Short], sights: &mut [Sight]) {
        for (place, answer) in self.places.iter().zip(answers) {
            if let (Some(sight), Some(answer)) = (sights.get_mut(*place), answer.sight) {
                *sight = answer;
            }
        }
        let open = || answers.iter().map(|answer| answer.sight.is_none());
        retain(&mut self.places, open());
        retain(&mut self.lines, open());
        retain(&mut self.speakers, open());
        retain(&mut self.known, open());
        retain(&mut self.turned, open());
    }

    /// Takes some out.
    fn take_out(&mut self, which: &[bool]) -> Self {
        let mut taken = Self::default();
        let all = std::mem::take(self);
        let known = all.known.into_iter().zip(all.turned);
        let of = all.places.into_iter().zip(all.lines);
        let of = of.zip(all.speakers.into_iter().zip(known));
        for (((place, line), (speakers, (known, turned))), is_taken) in of.zip(which) {
            let to = if *is_taken { &mut taken } else { &mut *self };
            to.push(place, line, speakers, known.map(|known| (known, turned)));
        }
        taken
    }
}

/// Keeps those elements for which it says so, one after the other.
fn retain<T>(all: &mut Vec<T>, mut which: impl Iterator<Item = bool>) {
    all.retain(|_| which.next().unwrap_or(true));
}

/// What was said of one line comes to, and on what it turned or could not be turned; nothing where a rule that
/// decides it is not implemented.
pub(crate) fn of_one(said: &SaidOfOne<'_>, turned: &mut OnWhat) -> Option<Sight> {
    for (feature, finding) in said.findings {
        match finding.effect {
            Effect::NotImplemented => {
                // Of a line that is not ruled on no more is told.
                turned.clear();
                return None;
            }
            Effect::Contested => turned.push(Turned::on(*feature, finding)),
            Effect::NotCovered if stands(finding, said.seen) => {
                turned.push(Turned::on(*feature, finding));
            }
            _ => {}
        }
    }
    let folded = fold_line(said.seen, said.findings);
    let hindrance = (!folded.blocked_by_terrain).then_some(folded.hindrance);
    Some(Sight::of(folded.result, hindrance))
}
