//! Rows of a ruling, in columns.

use crate::output::wrapped;
use crate::paint::Paint;

/// How many letters a line has, if its words allow.
const WIDTH: usize = 100;

/// A row: a rule and what it does.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The rule's number.
    pub(crate) rule: String,
    /// What it does, in a few letters.
    pub(crate) what: String,
    /// Where.
    pub(crate) place: String,
    /// What there is to say.
    pub(crate) text: String,
    /// What is to be added, each on a line of its own.
    pub(crate) notes: Vec<String>,
    /// Whether it counts.
    pub(crate) counts: bool,
}

/// Rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table(Vec<Row>);

impl Table {
    pub(crate) fn push(&mut self, row: Row) {
        self.0.push(row);
    }

    pub(crate) fn text(&self, paint: Paint) -> String {
        let widest = |of: fn(&Row) -> &str| {
            let widths = self.0.iter().map(|row| of(row).chars().count());
            widths.max().unwrap_or_default()
        };
        let widths = [
            widest(|row| &row.rule),
            widest(|row| &row.what),
            widest(|row| &row.place),
        ];
        let indent = 2 + widths.iter().map(|width| width + 2).sum::<usize>();
        let mut text = String::new();
        for row in &self.0 {
            let [rule, what, place] = [&row.rule, &row.what, &row.place];
            let rule = format!("{rule:<width$}", width = widths[0]);
            let what = format!("{what:<width$}", width = widths[1]);
            let place = format!("{place:<width$}", width = widths[2]);
            let what = if row.counts {
                paint.bold(&what)
            } else {
                paint.faint(&what)
            };
            let words = wrapped(&row.text, WIDTH.saturating_sub(indent).max(30));
            let notes = row.notes.iter().map(|note| format!("-> {note}"));
            let lines: Vec<String> = words.into_iter().chain(notes).collect();
            let said = lines.join(&format!("\n{:indent$}", ""));
            let said = if row.counts { said } else { paint.faint(&said) };
            let line = format!("  {}  {what}  {place}  {said}", paint.rule(&rule));
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}
