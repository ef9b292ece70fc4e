//! What came of comparing the lines of a table.

use std::collections::{BTreeMap, BTreeSet};

use alamein_terrain::Ruling;

use super::difference::Difference;
use super::golden::Row;
use super::peer::Look;

/// What came of the lines of a table.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How many lines there are.
    pub rows: usize,
    /// Those that Alamein refuses to rule on, by rule.
    pub refused: BTreeMap<String, usize>,
    /// Those on which both rule.
    pub compared: usize,
    /// Those on which both say that there is a LOS, and that there is none.
    pub agreed: [usize; 2],
    /// Those on which they differ, by why.
    pub differing: BTreeMap<Difference, Differing>,
    /// Those on which VASL with its fault taken out would differ, by why.
    pub mended: BTreeMap<Difference, Differing>,
    /// Why Alamein says that there is a LOS where VASL takes a hillock for too high.
    pub reasons: BTreeMap<String, usize>,
    /// Those that the account of VASL does not give as VASL does.
    pub misread: Vec<String>,
    /// Those on which they differ, nobody knows why.
    pub unexplained: Vec<String>,
}

/// The lines on which they differ for one reason.
#[derive(Debug, Default)]
pub struct Differing {
    /// How many.
    pub lines: usize,
    /// How many of them VASL rules on otherwise from the other end.
    pub one_way: usize,
    /// How many of them other values of options would settle, by option.
    pub options: BTreeMap<String, usize>,
    /// The shortest of them, with its length in pixels.
    pub example: Option<(usize, String)>,
}

impl Outcome {
    /// The lines on which Alamein differs from VASL as it is, or with its fault taken out.
    #[must_use]
    pub fn differing_from(&self, look: Look) -> &BTreeMap<Difference, Differing> {
        match look.fault {
            true => &self.differing,
            false => &self.mended,
        }
    }

    /// Those of them that differ for this reason, to add to.
    pub fn differing_mut(&mut self, look: Look, why: Difference) -> &mut Differing {
        let differing = match look.fault {
            true => &mut self.differing,
            false => &mut self.mended,
        };
        differing.entry(why).or_default()
    }

    /// How many of the lines compared agree with VASL looking so, of a hundred.
    #[must_use]
    pub fn percent_agreed(&self, look: Look) -> usize {
        let differing = self.differing_from(look).values().map(|why| why.lines);
        let agreed = self.compared - differing.sum::<usize>();
        100 * agreed / self.compared.max(1)
    }

    /// Notes why hillocks do not block a line of which so many ends are on one.
    pub fn note_reasons(&mut self, ends_on_hillocks: usize, ruling: &Ruling) {
        let ends = match ends_on_hillocks {
            0 => "no end on a hillock",
            1 => "one end on a hillock",
            _ => "both ends on hillocks",
        };
        let considered = ruling.considered.iter().map(|found| found.by.rule.as_ref());
        let considered: BTreeSet<&str> = considered.collect();
        let rules = match considered.is_empty() {
            true => "no other between".to_owned(),
            false => considered.into_iter().collect::<Vec<_>>().join(", "),
        };
        let reason = format!("{ends}, {rules}");
        *self.reasons.entry(reason).or_insert(0) += 1;
    }
}

impl Differing {
    /// Adds a line of so many pixels.
    pub fn add(&mut self, row: &Row, pixels: usize, one_way: bool) {
        self.lines += 1;
        self.one_way += usize::from(one_way);
        let shortest = self.example.as_ref().map(|(shortest, _)| *shortest);
        if shortest.is_none_or(|shortest| pixels < shortest) {
            let text = format!("{} to {}", row.named[0], row.named[1]);
            self.example = Some((pixels, text));
        }
    }
}
