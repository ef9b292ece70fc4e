//! The rulings of a batch while they are made: what they say is written into lists that they share.

use std::ops::Range;
use std::sync::Arc;

use alamein_terrain::{
    Cited, Crossed, LosVerdict, Name, Part, RuledFinding, RuledObservation, Ruling, RulingIds,
    Text, Verdict,
};

/// Where something is in one of the lists.
pub(crate) type Span = Range<usize>;

/// A list that rulings share.
#[derive(Debug)]
pub(crate) struct List<T>(Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> List<T> {
    /// Adds what a ruling says, and tells where it is.
    pub(crate) fn add(&mut self, items: impl Iterator<Item = T>) -> Span {
        let from = self.0.len();
        self.0.extend(items);
        from..self.0.len()
    }
}

impl List<Name> {
    /// Adds names, sorted and each once.
    pub(crate) fn add_sorted(&mut self, names: impl Iterator<Item = Name>) -> Span {
        let span = self.add(names);
        let added = self.0.get_mut(span.clone()).unwrap_or_default();
        added.sort_unstable();
        let mut kept = span.start;
        for at in span.clone() {
            if at == span.start || self.0[at] != self.0[kept - 1] {
                self.0.swap(kept, at);
                kept += 1;
            }
        }
        self.0.truncate(kept);
        span.start..kept
    }
}

/// The lists of a batch.
#[derive(Debug)]
pub(crate) struct Ledger {
    pub(crate) ids: RulingIds,
    pub(crate) observations: List<RuledObservation>,
    pub(crate) findings: List<RuledFinding>,
    pub(crate) names: List<Name>,
    pub(crate) crossings: List<Crossed>,
    pub(crate) texts: String,
    /// What sets observations aside.
    pub(crate) cited: List<Cited>,
    /// Where the text of each observation is, and what sets it aside.
    pub(crate) observations_tell: Vec<(Span, Span)>,
    /// Where the text of each finding is.
    pub(crate) findings_tell: Vec<Span>,
}

/// Where in the lists of its batch what a ruling says is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    pub(crate) observations: Span,
    pub(crate) findings: Span,
    pub(crate) considered: Span,
    pub(crate) los: LosEntry,
    pub(crate) grazing: GrazingEntry,
}

/// The same of the LOS.
#[derive(Clone, Debug, Default)]
pub(crate) struct LosEntry {
    pub(crate) hindering: Span,
    pub(crate) blocked_by: Span,
}

/// The same of how a line lies on the grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct GrazingEntry {
    pub(crate) touched: Span,
    pub(crate) along: Span,
    pub(crate) through: Span,
    /// The readings that there are.
    pub(crate) readings: [Option<Span>; 2],
}

impl Ledger {
    /// Nothing is written yet.
    pub(crate) fn new(ids: RulingIds) -> Self {
        Self {
            ids,
            observations: List::default(),
            findings: List::default(),
            names: List::default(),
            crossings: List::default(),
            cited: List::default(),
            texts: String::new(),
            observations_tell: Vec::new(),
            findings_tell: Vec::new(),
        }
    }

    /// Makes room for so many observations and findings, of lines that touch so many hexes in all.
    pub(crate) fn make_room(&mut self, observations: usize, findings: usize, hexes: usize) {
        // A message is a sentence.
        const SENTENCE: usize = 80;
        let sayings = observations + findings;
        self.observations.0.reserve(observations);
        self.observations_tell.reserve(observations);
        self.findings.0.reserve(findings);
        self.findings_tell.reserve(findings);
        self.texts.reserve(sayings * SENTENCE);
        self.names.0.reserve(hexes + sayings);
        self.crossings.0.reserve(hexes);
    }

    /// All is written: it is ready to be shared.
    pub(crate) fn close(self) -> Closed {
        let texts = Arc::new(self.texts);
        let (mut observations, mut findings) = (self.observations.0, self.findings.0);
        let cited = Arc::new(self.cited.0);
        for (observation, (text, aside)) in observations.iter_mut().zip(self.observations_tell) {
            observation.text = Text::of(&texts, text);
            observation.set_aside_by = Part::of(&cited, aside);
        }
        for (finding, span) in findings.iter_mut().zip(self.findings_tell) {
            finding.text = Text::of(&texts, span);
        }
        Closed {
            observations: Arc::new(observations),
            findings: Arc::new(findings),
            names: Arc::new(self.names.0),
            crossings: Arc::new(self.crossings.0),
        }
    }
}

/// The lists of a batch, to which nothing is added any more.
pub(crate) struct Closed {
    observations: Arc<Vec<RuledObservation>>,
    findings: Arc<Vec<RuledFinding>>,
    names: Arc<Vec<Name>>,
    crossings: Arc<Vec<Crossed>>,
}

impl Closed {
    /// Gives a ruling what it says.
    pub(crate) fn give(&self, ruling: &mut Ruling, entry: Entry) {
        let names = |span| Part::of(&self.names, span);
        if let Some(los) = los(&mut ruling.verdict) {
            los.hindering = names(entry.los.hindering);
            los.blocked_by = names(entry.los.blocked_by);
        }
        ruling.observations = Part::of(&self.observations, entry.observations);
        ruling.findings = Part::of(&self.findings, entry.findings);
        ruling.considered = Part::of(&self.findings, entry.considered);
        let grazing = entry.grazing;
        ruling.grazing.touched = names(grazing.touched);
        ruling.grazing.along = names(grazing.along);
        ruling.grazing.through = names(grazing.through);
        let readings = grazing.readings.into_iter().flatten();
        let readings = readings.map(|span| Part::of(&self.crossings, span));
        ruling.grazing.readings = readings.collect();
    }
}

fn los(verdict: &mut Verdict) -> Option<&mut LosVerdict> {
    match verdict {
        Verdict::LineOfSight(los) | Verdict::LineOfFire(los, _) | Verdict::FireLane(los, _) => {
            Some(los)
        }
        Verdict::Movement(_) | Verdict::SetUp(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_added_sorted_and_each_once() {
        let mut names = List::default();
        assert_eq!(names.add(["Z".into()].into_iter()), 0..1);
        let added = ["B", "A", "B", "C", "A", "Z"].map(Name::from);
        assert_eq!(names.add_sorted(added.into_iter()), 1..5);
        assert_eq!(names.0, ["Z", "A", "B", "C", "Z"]);
        assert_eq!(names.add_sorted(std::iter::empty()), 5..5);
    }
}
