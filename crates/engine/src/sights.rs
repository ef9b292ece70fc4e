//! Lines of sight from one end to many hexes: what each comes to, without its grounds.

use std::collections::BTreeSet;

use alamein_hex::{Aim, Hex, trace_between};
use alamein_terrain::{
    ContestedOption, EndFacts, FieldQuestion, GrazingPolicy, IgnoredLayer, MissingRule, Sight,
};
use futures::executor::block_on;

use crate::engine::{Batch, said_of};
use crate::error::QuestionError;
use crate::memo::OnWhat;
use crate::naming::Names;
use crate::prepared::Prepared;
use crate::resolve::{Probes, Resolver};
use crate::rounds::Rounds;
use crate::ruleset::Ruleset;
use crate::sieve::{Sieve, of_one};

/// What many lines of sight have in common.
#[derive(Debug)]
pub(crate) struct Fan {
    /// Where they begin.
    pub(crate) from: EndFacts,
    pub(crate) policy: GrazingPolicy,
    /// The counters that the question adds.
    pub(crate) probes: Probes,
    /// Their numbers and hexes.
    pub(crate) probes_at: Vec<(u32, Hex)>,
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
    let sieve = Sieve::new(&rounds, fan);
    let mut turned = BTreeSet::new();
    let places = to.iter().copied().enumerate();
    let mut hard = sieve.answered(places, &mut sights.sights, &mut turned)?;
    // What terrain does to lines on which counters matter too is kept like that to any other. Then whoever
    // speaks for the counters can answer.
    let again = sieve.learn_terrain(&mut hard)?;
    if !again.is_empty() {
        hard.add(sieve.answered(again.into_iter(), &mut sights.sights, &mut turned)?);
    }
    let said = block_on(rounds.lines(&hard.lines));
    for (at, place) in hard.places.iter().enumerate() {
        let mut on = OnWhat::new();
        let said = said_of(&said, at)?;
        sights.sights[*place] = match of_one(&said, &mut on) {
            Some(sight) => {
                sieve.keep_ruling(&hard, at, sight, &on);
                sight
            }
            None => {
                let refusal = names.not_implemented(&said);
                sights.not_implemented.extend(refusal);
                Sight::NotImplemented
            }
        };
        turned.extend(on);
    }
    let contested = turned.iter().filter_map(|turned| turned.option(&names));
    sights.contested = contested.collect();
    let not_covered = turned
        .iter()
        .filter_map(|turned| turned.missing_rule(&names));
    sights.not_covered = not_covered.collect();
    let met = |hexes: &[bool], to: &Hex| {
        let trace = trace_between(fan.aim(), *to);
        let mut touched = trace.touched();
        touched.any(|touch| names.is_in(hexes, touch.hex))
    };
    sights.ignored = names.ignored(&mut |hexes| to.iter().any(|to| met(hexes, to)));
    sights.tidy();
    Ok(sights)
}
