//! Rulings, as much of them as a view wants.

use alamein_hex::{Grid, Hexside};
use alamein_terrain::{
    Adjudicated, ContestedOption, Crossed, Grazing, GrazingPolicy, IgnoredLayer, Name, Part,
    PlaceName, Question, Ruling,
};

use super::book::RuleBook;
use super::question::question as question_message;
use super::said::Sayings;
use super::verdict::verdict;
use crate::v1::{self, View};
use crate::words::Word;

/// The message of a ruling on a question. An unspecified view means FULL.
#[must_use]
pub fn ruling(
    adjudicated: &Adjudicated,
    question: &Question,
    grid: &Grid,
    book: &RuleBook,
    view: View,
) -> v1::Ruling {
    let writer = Writer::new(grid, book, view);
    let ruling = &adjudicated.ruling;
    let mut message = writer.ruling(ruling, question);
    if writer.view != View::Verdict {
        let others = adjudicated.other_policies.iter();
        let other = |(policy, other): &(GrazingPolicy, Ruling)| {
            let question = Question {
                policy: Some(*policy),
                ..question.clone()
            };
            v1::PolicyAlternative {
                policy: policy.number(),
                differs: other.verdict != ruling.verdict,
                ruling: Some(writer.ruling(other, &question)),
            }
        };
        message.other_policies = others.map(other).collect();
    }
    message
}

/// The message of a ruling on a step, which no grazing policy changes.
pub(crate) fn step_ruling(
    ruling: &Ruling,
    question: &Question,
    grid: &Grid,
    book: &RuleBook,
    view: View,
) -> v1::Ruling {
    Writer::new(grid, book, view).ruling(ruling, question)
}

struct Writer<'a> {
    grid: &'a Grid,
    book: &'a RuleBook,
    view: View,
}

impl<'a> Writer<'a> {
    fn new(grid: &'a Grid, book: &'a RuleBook, view: View) -> Self {
        let view = match view {
            View::Unspecified => View::Full,
            view => view,
        };
        Self { grid, book, view }
    }

    fn ruling(&self, ruling: &Ruling, question: &Question) -> v1::Ruling {
        let contested = ruling.contested.iter();
        let mut message = v1::Ruling {
            ruling_id: ruling.id.text(),
            position_id: ruling.position.text(),
            rules_fingerprint: ruling.rules.text(),
            view: self.view.into(),
            question: Some(question_message(question, self.grid)),
            grazing_policy: ruling.policy.number(),
            policy_overridden: question.policy.is_some(),
            verdict: Some(verdict(ruling, self.book)),
            contested_options: contested
                .map(|option| self::contested(option, self.book))
                .collect(),
            ignored_layers: self.ignored(&ruling.ignored),
            ..v1::Ruling::default()
        };
        if self.view != View::Verdict {
            let sayings = Sayings { book: self.book };
            message.findings = sayings.findings(&ruling.findings);
            message.observations = sayings.observations(&ruling.observations);
            message.trace = self.trace(&ruling.grazing);
            if self.view == View::Explain {
                message.considered = sayings.considered(&ruling.considered);
            }
        }
        message
    }

    fn ignored(&self, ignored: &[IgnoredLayer]) -> Vec<v1::IgnoredLayer> {
        let wanted = |ignored: &&IgnoredLayer| ignored.met || self.view != View::Verdict;
        let layers = ignored.iter().filter(wanted);
        layers.map(self::ignored).collect()
    }

    /// How the line ran; nothing for a step.
    fn trace(&self, grazing: &Grazing) -> Option<v1::LineTrace> {
        let reading = |reading: &Part<Crossed>| v1::LineReading {
            crossings: reading.iter().map(|it| self.crossing(it)).collect(),
        };
        let trace = v1::LineTrace {
            grazing: grazing.grazes,
            hexes: names(&grazing.touched),
            along: names(&grazing.along),
            vertices: names(&grazing.through),
            readings: grazing.readings.iter().map(reading).collect(),
        };
        (trace != v1::LineTrace::default()).then_some(trace)
    }

    fn crossing(&self, crossed: &Crossed) -> v1::Crossing {
        let Crossed { from, to } = crossed;
        let hexes = self.grid.hex(from).ok().zip(self.grid.hex(to).ok());
        let is_hexside = hexes.is_some_and(|(from, to)| Hexside::between(from, to).is_some());
        // Of two hexes that are on the map a hexside is named in their order as text.
        let [one, other] = match is_hexside && from > to {
            true => [to, from],
            false => [from, to],
        };
        v1::Crossing {
            hexside: [one, "|", other].concat(),
            from_hex: from.as_str().to_owned(),
            to_hex: to.as_str().to_owned(),
        }
    }
}

pub(crate) fn names(names: &[Name]) -> Vec<String> {
    names.iter().map(|name| name.as_str().to_owned()).collect()
}

pub(crate) fn contested(contested: &ContestedOption, book: &RuleBook) -> v1::ContestedOption {
    let by = &contested.by;
    let message = book.message(by, &PlaceName::Whole, None, None, &contested.text);
    v1::ContestedOption {
        plugin_id: by.plugin.as_str().to_owned(),
        option: contested.option.clone(),
        value_json: contested.value.clone(),
        rule: Some(book.reference(by)),
        message: Some(message),
    }
}

pub(crate) fn ignored(ignored: &IgnoredLayer) -> v1::IgnoredLayer {
    v1::IgnoredLayer {
        layer: ignored.layer.as_str().to_owned(),
        met: ignored.met,
    }
}
