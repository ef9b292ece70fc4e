//! Lines of sight answered in short, where those who speak on them can.
//!
//! What comes of a line is the worst that anybody says of it. Of vehicles that Hinder it is asked who sets
//! them aside, and whether both ends see them; the rest is counted. Where anybody is not sure, the line goes
//! through the rounds.

use alamein_terrain::{
    Cites, ContestedOption, CounterFacts, CounterSet, Effect, FeatureError, Finding, InShort, Line,
    MissingRule, Place, Sight, SightAnswer, counter_at,
};

use crate::asked::To;
use crate::naming::Names;
use crate::planes::{Planes, Speakers, bits};
use crate::prepared::number;
use crate::rounds::Rounds;
use crate::seers::Sees;
use crate::within::Look;

/// What was said of a line in short.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Short {
    pub(crate) verdict: InShort,
    /// What came of it by the marks of hexes alone, if that can be told apart.
    pub(crate) terrain: Option<InShort>,
    /// Those of its counters that Hinder.
    hinders: CounterSet,
    /// Those that do not, whoever says so.
    aside: CounterSet,
    /// Those that several say so of.
    aside_again: CounterSet,
    /// Those that an end does not see.
    unseen: CounterSet,
    /// Those that options decided about.
    contested: [Contested; 2],
    /// There is more to it than counters tell.
    more: bool,
    /// What comes of it; nothing if it is to be asked about in rounds.
    pub(crate) sight: Option<Sight>,
}

/// Counters that an option decided about.
#[derive(Clone, Copy, Debug, Default)]
struct Contested {
    /// The feature and its rule.
    by: (u16, u16),
    /// Those that the feature sets aside by it: of them it matters if they would Hinder otherwise.
    aside: CounterSet,
    /// The others.
    not_aside: CounterSet,
}

/// A finding on which a line turned, or that it could not be turned on: many lines have the same, which is put
/// in words once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Turned {
    feature: u16,
    rule: u16,
    place: Place,
    subject: Option<u32>,
    /// A rule applies that is not covered; else an option is contested.
    not_covered: bool,
}

impl Turned {
    /// Of a finding that an option is contested, or a rule not covered.
    pub(crate) fn on(feature: u16, finding: &Finding) -> Self {
        Self {
            feature,
            rule: finding.rule,
            place: finding.place,
            subject: finding.subject,
            not_covered: finding.effect == Effect::NotCovered,
        }
    }

    fn finding(&self) -> Finding {
        Finding {
            rule: self.rule,
            place: self.place,
            subject: self.subject,
            effect: match self.not_covered {
                true => Effect::NotCovered,
                false => Effect::Contested,
            },
            cites: Cites::new(),
        }
    }

    /// The option that decided, if the rule names one.
    pub(crate) fn option(&self, names: &Names<'_>) -> Option<ContestedOption> {
        names.contested(self.feature, &self.finding())
    }

    /// The rule that is not covered, if that is what it is about.
    pub(crate) fn missing_rule(&self, names: &Names<'_>) -> Option<MissingRule> {
        let missing = || names.missing_rule(self.feature, &self.finding());
        self.not_covered.then(missing)
    }
}

/// Lines that somebody speaks on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spoken<'a> {
    pub(crate) lines: &'a [Line],
    /// Who speaks on each.
    pub(crate) speakers: &'a [Speakers],
    /// What comes of each already; whoever speaks on it is asked none the less.
    pub(crate) known: &'a [Option<InShort>],
}

impl Rounds<'_> {
    /// Has those who speak on lines of sight answer these in short.
    pub(crate) async fn answers(
        &self,
        planes: &Planes,
        spoken: Spoken<'_>,
    ) -> Result<Vec<Short>, FeatureError> {
        let mut shorts = self.shorts(planes, spoken).await?;
        self.ask_who_sets_aside(planes, spoken, &mut shorts).await?;
        self.ask_who_sees(planes, spoken, &mut shorts).await?;
        for short in &mut shorts {
            short.sight = short.comes_to(planes.limit);
        }
        Ok(shorts)
    }

    /// What those say who speak.
    pub(crate) async fn shorts(
        &self,
        planes: &Planes,
        spoken: Spoken<'_>,
    ) -> Result<Vec<Short>, FeatureError> {
        let Spoken {
            lines,
            speakers,
            known,
        } = spoken;
        let mut ask = vec![Vec::new(); self.prepared.map.features.len()];
        let mut shorts = Vec::with_capacity(lines.len());
        for (at, (speakers, known)) in speakers.iter().zip(known).enumerate() {
            if planes.may_answer(*speakers) {
                bits(speakers.speak).for_each(|feature| ask[feature].push(number(at)));
                shorts.push(Short::new(known.unwrap_or(InShort::Clear), speakers));
            } else {
                let mut short = Short::new(InShort::Ask, speakers);
                let by_marks = Speakers {
                    speak: speakers.of_marks,
                    ..*speakers
                };
                short.terrain = (!planes.may_answer(by_marks)).then_some(InShort::Ask);
                shorts.push(short);
            }
        }
        for (feature, to) in self.those_asked(lines, &ask) {
            let answers = self.in_short(feature, &to).await?;
            let bit = 1 << feature;
            let judged_by_others = planes.judge_hexsides & !bit != 0;
            for (at, answer) in to.ask.iter().zip(answers) {
                let verdict = match answer.leaves_hexsides && judged_by_others {
                    true => InShort::Ask,
                    false => answer.verdict,
                };
                let short = &mut shorts[*at as usize];
                short.verdict = short.verdict.max(verdict);
                short.hinders |= answer.hinders;
                short.more |= verdict == InShort::Hinders && answer.hinders == 0;
                short.take(feature, &answer, planes.tell_aside & bit != 0);
                if speakers[*at as usize].of_marks & bit != 0 {
                    let plain = answer.contested & !answer.sets_aside == 0;
                    let verdict = if plain { verdict } else { InShort::Ask };
                    short.terrain = short.terrain.map(|so_far| so_far.max(verdict));
                }
            }
        }
        Ok(shorts)
    }

    /// What a feature answers of the lines that it is asked about.
    async fn in_short(
        &self,
        feature: u16,
        to: &To<'_, Line>,
    ) -> Result<Vec<SightAnswer>, FeatureError> {
        let call = to.feature.answer_sights(to.batch(), self.budget);
        let asked = to.ask.len();
        self.calls.make(feature, "sight", asked, call).await
    }

    /// Asks those who set aside vehicles that Hinder, and did not speak.
    async fn ask_who_sets_aside(
        &self,
        planes: &Planes,
        spoken: Spoken<'_>,
        shorts: &mut [Short],
    ) -> Result<(), FeatureError> {
        let mut ask = vec![Vec::new(); self.prepared.map.features.len()];
        for (at, (short, speakers)) in shorts.iter_mut().zip(spoken.speakers).enumerate() {
            if !short.turns_on_counters() {
                continue;
            }
            // Whoever has a say in what Hinders and does not tell which is to be asked in rounds.
            short.more |= speakers.others & !planes.tell_aside != 0;
            let others = speakers.others & !speakers.speak;
            bits(others & planes.tell_aside).for_each(|feature| ask[feature].push(number(at)));
        }
        for (feature, to) in self.those_asked(spoken.lines, &ask) {
            let answers = self.in_short(feature, &to).await?;
            for (at, answer) in to.ask.iter().zip(answers) {
                let short = &mut shorts[*at as usize];
                if !agrees(&answer, spoken.known[*at as usize]) {
                    short.verdict = InShort::Ask;
                }
                short.take(feature, &answer, true);
            }
        }
        Ok(())
    }

    /// Sets aside vehicles that an end does not see.
    async fn ask_who_sees(
        &self,
        planes: &Planes,
        spoken: Spoken<'_>,
        shorts: &mut [Short],
    ) -> Result<(), FeatureError> {
        let mut looks: Vec<Look> = Vec::new();
        let mut of: Vec<(usize, CounterSet)> = Vec::new();
        for (at, (short, line)) in shorts.iter().zip(spoken.lines).enumerate() {
            for place in bits(short.looked_for()) {
                if let Some(counter) = line.counters.get(place) {
                    let ends = [line.from, line.to];
                    looks.extend(ends.map(|end| Look {
                        end,
                        counter: *counter,
                        policy: line.policy,
                    }));
                    of.extend([(at, counter_at(place)); 2]);
                }
            }
        }
        let sees = self.sees(planes, &looks).await?;
        for ((at, counter), sees) in of.into_iter().zip(sees) {
            let short = &mut shorts[at];
            match sees {
                Sees::Yes => {}
                Sees::No => short.unseen |= counter,
                Sees::Unknown => short.more = true,
            }
        }
        Ok(())
    }
}

/// Whether what a feature answers of counters holds beside what terrain is known to do: it cannot know what it
/// would have made of obstacles of others.
fn agrees(answer: &SightAnswer, known: Option<InShort>) -> bool {
    match (answer.verdict, known) {
        (InShort::Ask, _) => false,
        (InShort::Blocked, Some(known)) => known == InShort::Blocked,
        (_, Some(InShort::Blocked)) => answer.contested == 0,
        _ => true,
    }
}

impl Short {
    /// Nothing was said yet, beside what is known.
    fn new(known: InShort, speakers: &Speakers) -> Self {
        let apart = speakers.of_marks & speakers.of_counters == 0;
        Self {
            verdict: known,
            terrain: apart.then_some(InShort::Clear),
            hinders: 0,
            aside: 0,
            aside_again: 0,
            unseen: 0,
            contested: [Contested::default(); 2],
            more: false,
            sight: None,
        }
    }

    /// Whether it matters which counters are set aside.
    ///
    /// Where terrain blocks it does if somebody Hinders none the less: an option may decide about that.
    fn turns_on_counters(&self) -> bool {
        let any = self.is_contested() || self.hinders != 0;
        self.verdict == InShort::Hinders || self.verdict != InShort::Ask && any
    }

    fn is_contested(&self) -> bool {
        self.contested.iter().any(|it| it.aside | it.not_aside != 0)
    }

    /// What a feature says of counters.
    fn take(&mut self, feature: u16, answer: &SightAnswer, tells_aside: bool) {
        let sets_aside = if tells_aside { answer.sets_aside } else { 0 };
        self.aside_again |= self.aside & sets_aside;
        self.aside |= sets_aside;
        if answer.contested == 0 {
            return;
        }
        let contested = Contested {
            by: (feature, answer.contested_by),
            aside: answer.contested & sets_aside,
            not_aside: answer.contested & !sets_aside,
        };
        let mut rooms = self.contested.iter_mut();
        match rooms.find(|room| room.aside | room.not_aside == 0) {
            Some(room) => *room = contested,
            // What so many contest is told apart in rounds.
            None => self.more = true,
        }
    }

    /// The counters of which it matters whether both ends see them.
    fn looked_for(&self) -> CounterSet {
        if self.more || self.verdict == InShort::Ask {
            return 0;
        }
        let decided = self.contested.iter().fold(0, |all, it| all | it.aside);
        let standing = match self.verdict {
            InShort::Hinders => !self.aside,
            _ => 0,
        };
        self.hinders & (standing | decided & !self.aside_again)
    }

    /// What an option decided about, if it is answered.
    pub(crate) fn turned_on<'a>(
        &self,
        line: &'a Line,
        counters: &'a [CounterFacts],
    ) -> impl Iterator<Item = Turned> + 'a {
        let would_hinder = self.hinders & !self.aside_again & !self.unseen;
        let matters = |it: &Contested| it.not_aside & !self.aside | it.aside & would_hinder;
        let decided = match self.sight {
            Some(_) => self.contested.map(|it| (it.by, matters(&it))),
            None => Default::default(),
        };
        let each = |(by, contested)| bits(contested).map(move |place| (by, place));
        decided
            .into_iter()
            .flat_map(each)
            .filter_map(|((feature, rule), place)| {
                let counter = *line.counters.get(place)?;
                Some(Turned {
                    feature,
                    rule,
                    place: Place::Hex(counters.get(counter as usize)?.hex),
                    subject: Some(counter),
                    not_covered: false,
                })
            })
    }

    /// What comes of it, if so many Hindrances block it; nothing if that is to be asked in rounds.
    fn comes_to(&self, limit: Option<u8>) -> Option<Sight> {
        match self.verdict {
            _ if self.more && (self.is_contested() || self.hinders != 0) => None,
            InShort::Clear => Some(Sight::Clear),
            InShort::Blocked => Some(Sight::BlockedByTerrain),
            InShort::Ask => None,
            InShort::Hinders => {
                let limit = limit.filter(|_| !self.more)?;
                let count = (self.hinders & !self.aside & !self.unseen).count_ones();
                match u8::try_from(count).unwrap_or(u8::MAX) {
                    0 => Some(Sight::Clear),
                    count if count < limit => Some(Sight::Hindered(count)),
                    _ => None,
                }
            }
        }
    }
}
