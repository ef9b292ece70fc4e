//! Lines of sight from one end to many hexes: what each comes to, without its grounds.

use std::collections::BTreeSet;

use alamein_hex::{Aim, Hex, trace_between};
use alamein_terrain::fold::{fold_line, stands};
use alamein_terrain::{
    ContestedOption, Effect, EndFacts, FieldQuestion, GrazingPolicy, IgnoredLayer, InShort, Line,
    MissingRule, Purpose, Sight,
};
use futures::executor::block_on;

use crate::answers::{Short, Spoken, Turned};
use crate::engine::{Batch, said_of};
use crate::error::QuestionError;
use crate::memo::{Known, OnWhat};
use crate::naming::{Names, SaidOfOne};
use crate::planes::Speakers;
use crate::prepared::Prepared;
use crate::resolve::{Probes, Resolver};
use crate::rounds::Rounds;
use crate::ruleset::Ruleset;

/// What many lines of sight have in common.
#[derive(Debug)]
pub(crate) struct Fan {
    /// Where they begin.
    pub(crate) from: EndFacts,
    pub(crate) policy: GrazingPolicy,
    /// The counters that the question adds.
    pub(crate) probes: Probes,
    /// Their numbers and hexes.
    probes_at: Vec<(u32, Hex)>,
}

impl Fan {
    /// At what they are aimed where they begin.
    fn aim(&self) -> Aim {
        Aim {
            hex: self.from.hex,
            corner: self.from.corner,
        }
    }

    /// What the lines of a question have in common, if it can be asked.
    pub(crate) fn of(
        question: &FieldQuestion,
        ruleset: &Ruleset,
        prepared: &Prepared,
    ) -> Result<Self, QuestionError> {
        let mut resolver = Resolver {
            ruleset,
            prepared,
            probes: Probes::default(),
        };
        resolver.check_layers(&question.ignore_layers)?;
        let probes_at = resolver.add_probes(&question.probes)?;
        let from = resolver.end("from", &question.from, &probes_at)?;
        Ok(Self {
            from,
            policy: question.policy.unwrap_or(ruleset.policy()),
            probes: resolver.probes,
            probes_at,
        })
    }
}

/// What some lines come to.
#[derive(Debug, Default)]
pub(crate) struct Sights {
    /// Each, in the order of the hexes asked about.
    pub(crate) sights: Vec<Sight>,
    /// The contested options on which they turned, sorted; each once.
    pub(crate) contested: Vec<ContestedOption>,
    /// The rules that decide some and are not implemented, sorted; each once.
    pub(crate) not_implemented: Vec<MissingRule>,
    /// The rules that apply and that no plugin covers, sorted; each once.
    pub(crate) not_covered: Vec<MissingRule>,
    /// Of each layer that is ignored, whether a line meets it.
    pub(crate) ignored: Vec<IgnoredLayer>,
}

impl Sights {
    /// Adds what comes of the next lines.
    pub(crate) fn add(&mut self, more: Self) {
        self.sights.extend(more.sights);
        self.contested.extend(more.contested);
        self.not_implemented.extend(more.not_implemented);
        self.not_covered.extend(more.not_covered);
        if self.ignored.is_empty() {
            self.ignored = more.ignored;
        } else {
            for (layer, more) in self.ignored.iter_mut().zip(more.ignored) {
                layer.met |= more.met;
            }
        }
        self.tidy();
    }

    /// Each is said once, of the first place at which it mattered.
    fn tidy(&mut self) {
        let Self {
            contested,
            not_implemented,
            not_covered,
            ..
        } = self;
        contested.sort();
        contested.dedup_by(|one, other| (&one.by, &one.option) == (&other.by, &other.option));
        for missing in [not_implemented, not_covered] {
            missing.sort();
            missing.dedup_by(|one, other| one.by == other.by);
        }
    }
}

/// Judges the lines of sight to an ordinary unit in each of these hexes, which are on the map.
///
/// Each is what a question of its own would be told. What fails fails all of them. Where the map's tables
/// say that nobody speaks on a line it is clear; where those who speak can answer in short, they do, and
/// what they say of terrain is kept with the map; of the others all is asked that there is to be asked.
pub(crate) fn sights(batch: &Batch<'_>, fan: &Fan, to: &[Hex]) -> Result<Sights, QuestionError> {
    let Batch {
        ruleset, prepared, ..
    } = *batch;
    let mut rounds = Rounds::new(batch, &fan.probes);
    rounds.los_only = true;
    let mut sights = Sights {
        sights: vec![Sight::Clear; to.len()],
        ..Sights::default()
    };
    let names = Names {
        ruleset,
        prepared,
        probes: &fan.probes,
        verdicts_only: false,
    };
    let mut turned = BTreeSet::new();
    let known = known_from(&rounds, fan);
    let mut hard = Hard::of(
        &rounds,
        fan,
        known,
        to.iter().zip(&mut sights.sights),
        &mut turned,
    );
    if let Some(planes) = &prepared.map.planes {
        let spoken = Spoken {
            lines: &hard.lines,
            speakers: &hard.speakers,
            known: &hard.known,
        };
        let answers = block_on(rounds.answers(planes, spoken))?;
        hard.keep(&answers, prepared, known);
        for (line, short) in hard.lines.iter().zip(&answers) {
            turned.extend(short.turned_on(line, &rounds.counters));
        }
        hard.settle(&answers, &mut sights.sights);
    }
    let said = block_on(rounds.lines(&hard.lines));
    for (at, place) in hard.places.iter().enumerate() {
        let mut on = OnWhat::new();
        let (sight, is_all) = sights.add_one(&names, &said_of(&said, at)?, &mut on);
        sights.sights[*place] = sight;
        if is_all {
            hard.keep_ruling(at, sight, &on, prepared, known);
        }
        turned.extend(on);
    }
    let contested = turned.iter().filter_map(|turned| turned.option(&names));
    sights.contested = contested.collect();
    let met = |hexes: &[bool], to: &Hex| {
        let trace = trace_between(fan.aim(), *to);
        let mut touched = trace.touched();
        touched.any(|touch| names.is_in(hexes, touch.hex))
    };
    sights.ignored = names.ignored(&mut |hexes| to.iter().any(|to| met(hexes, to)));
    sights.tidy();
    Ok(sights)
}

/// What terrain is known to do to these lines; nothing where they do not begin at an ordinary unit, or
/// where somebody speaks on all of them.
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

/// The lines on which somebody speaks.
#[derive(Default)]
struct Hard {
    /// Their places among the hexes asked about.
    places: Vec<usize>,
    lines: Vec<Line>,
    /// Who speaks on each: everybody, for all that the tables tell, where they tell nothing.
    speakers: Vec<Speakers>,
    /// What terrain is known to do to each, where only counters are asked about.
    known: Vec<Option<InShort>>,
}

/// What is known of a line before anybody is asked.
enum Before {
    /// What comes of it, and on what it turned.
    Sight(Sight, OnWhat),
    /// Who is to be asked, and what terrain is known to do to it.
    Ask(Speakers, Option<InShort>),
}

impl Before {
    /// What the map's tables tell of a line to an ordinary unit in a hex, and what is kept of it.
    fn of(rounds: &Rounds<'_>, fan: &Fan, to: Hex, known: Option<Known<'_>>) -> Self {
        let grid = &rounds.prepared.map.map.grid;
        let known = known.zip(grid.index(to));
        let terrain = known.and_then(|(known, index)| known.get(index));
        let ruled = || known.and_then(|(known, index)| known.ruled(index));
        let (terrain, turned) = match terrain {
            Some(InShort::Ask) => ruled().map_or((None, OnWhat::new()), |(it, on)| (Some(it), on)),
            terrain => (terrain, OnWhat::new()),
        };
        if let Some(terrain @ (InShort::Clear | InShort::Blocked)) = terrain {
            match (rounds.speakers_of_counters(fan.from.hex, to), terrain) {
                (None, InShort::Blocked) => return Self::Sight(Sight::BlockedByTerrain, turned),
                (None, _) => return Self::Sight(Sight::Clear, turned),
                (Some(speakers), _) if turned.is_empty() => {
                    return Self::Ask(speakers, Some(terrain));
                }
                // Whether it still turns on that is for all of them to say.
                (Some(_), _) => {}
            }
        }
        let end = rounds.prepared.ordinary_unit(to.into());
        match rounds.speakers([&fan.from, &end]) {
            None => Self::Ask(Speakers::ALL, None),
            Some(Speakers { speak: 0, .. }) => {
                if let Some((known, index)) = known {
                    known.set(index, InShort::Clear);
                }
                Self::Sight(Sight::Clear, OnWhat::new())
            }
            Some(speakers) => Self::Ask(speakers, None),
        }
    }
}

impl Hard {
    /// Says what comes of lines of which it is known, and gathers the others.
    fn of<'a>(
        rounds: &Rounds<'_>,
        fan: &Fan,
        known: Option<Known<'_>>,
        sights: impl Iterator<Item = (&'a Hex, &'a mut Sight)>,
        turned: &mut BTreeSet<Turned>,
    ) -> Self {
        let resolver = Resolver {
            ruleset: rounds.ruleset,
            prepared: rounds.prepared,
            probes: Probes::default(),
        };
        let mut hard = Self::default();
        for (place, (hex, sight)) in sights.enumerate() {
            match Before::of(rounds, fan, *hex, known) {
                Before::Sight(told, on) => {
                    *sight = told;
                    turned.extend(on);
                }
                Before::Ask(speakers, terrain) => {
                    let ends = [fan.from, rounds.prepared.ordinary_unit((*hex).into())];
                    let (purpose, probes) = (Purpose::Sight, &fan.probes_at);
                    let line = resolver.line(ends, purpose, None, fan.policy, probes);
                    hard.places.push(place);
                    hard.lines.push(line);
                    hard.speakers.push(speakers);
                    hard.known.push(terrain);
                }
            }
        }
        hard
    }

    /// Keeps with the map what terrain does to lines.
    fn keep(&self, answers: &[Short], prepared: &Prepared, known: Option<Known<'_>>) {
        let Some(known) = known else { return };
        let lines = self.lines.iter().zip(&self.speakers);
        for (((line, speakers), was_known), short) in lines.zip(&self.known).zip(answers) {
            // Where the tables tell nothing, nothing is known.
            let told = was_known.is_none() && *speakers != Speakers::ALL;
            let index = prepared.map.map.grid.index(line.to.hex);
            if let (true, Some(index), Some(terrain)) = (told, index, short.terrain) {
                known.set(index, terrain);
            }
        }
    }

    /// Keeps what came of a line that went through the rounds, and on what it turned, if that was terrain's
    /// doing: nothing but whether it is blocked was to be said, and nobody speaks for counters on it.
    fn keep_ruling(
        &self,
        at: usize,
        sight: Sight,
        turned: &[Turned],
        prepared: &Prepared,
        known: Option<Known<'_>>,
    ) {
        let planes = prepared.map.planes.as_ref();
        let by_terrain = |speakers: &Speakers| planes.is_some_and(|it| it.terrain_alone(*speakers));
        let short = match sight {
            Sight::Clear => InShort::Clear,
            Sight::BlockedByTerrain => InShort::Blocked,
            _ => return,
        };
        let alone = self.speakers.get(at).is_some_and(by_terrain);
        let hex = self.lines.get(at).map(|line| line.to.hex);
        let index = hex.and_then(|hex| prepared.map.map.grid.index(hex));
        if let (true, Some(known), Some(index)) = (alone, known, index) {
            if turned.is_empty() {
                known.set(index, short);
            } else {
                known.set(index, InShort::Ask);
                known.rule(index, short, turned);
            }
        }
    }

    /// Takes out those that are answered.
    fn settle(&mut self, answers: &[Short], sights: &mut [Sight]) {
        for (place, answer) in self.places.iter().zip(answers) {
            if let (Some(sight), Some(answer)) = (sights.get_mut(*place), answer.sight) {
                *sight = answer;
            }
        }
        let open = || answers.iter().map(|answer| answer.sight.is_none());
        let mut lines = open();
        self.lines.retain(|_| lines.next().unwrap_or(true));
        let mut places = open();
        self.places.retain(|_| places.next().unwrap_or(true));
        let mut speakers = open();
        self.speakers.retain(|_| speakers.next().unwrap_or(true));
    }
}

impl Sights {
    /// What was said of one line comes to, and whether that, and on what it turned, is all that was said.
    fn add_one(
        &mut self,
        names: &Names<'_>,
        said: &SaidOfOne<'_>,
        turned: &mut OnWhat,
    ) -> (Sight, bool) {
        if let Some(refusal) = names.not_implemented(said) {
            self.not_implemented.push(refusal);
            return (Sight::NotImplemented, false);
        }
        let folded = fold_line(said.seen, said.findings);
        let hindrance = (!folded.blocked_by_terrain).then_some(folded.hindrance);
        let mut is_all = true;
        for (feature, finding) in said.findings {
            match finding.effect {
                Effect::Contested => turned.push(Turned::on(*feature, finding)),
                Effect::NotCovered if stands(finding, said.seen) => {
                    is_all = false;
                    self.not_covered.push(names.missing_rule(*feature, finding));
                }
                _ => {}
            }
        }
        (Sight::of(folded.result, hindrance), is_all)
    }
}
