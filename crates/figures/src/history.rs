//! A history of reports: a file with a line for each.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::{Machine, Report};

/// What a history keeps of a report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When it was measured, in RFC 3339.
    pub when: String,
    /// The version that was measured.
    pub version: String,
    /// On what.
    pub machine: Machine,
    /// Each figure and each ratio by its name, to three digits.
    pub figures: BTreeMap<String, f64>,
}

impl From<&Report> for Entry {
    fn from(report: &Report) -> Self {
        let figures = report.figures.iter().map(|it| (&it.name, it.value));
        let ratios = report.ratios.iter().map(|it| (&it.name, it.value));
        let all = figures.chain(ratios);
        Self {
            when: report.when.clone(),
            version: report.version.clone(),
            machine: report.machine.clone(),
            figures: all
                .map(|(name, value)| (name.clone(), rounded(value)))
                .collect(),
        }
    }
}

/// To three digits that count: more is noise.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    // Told and read again, so that it is written as short as it is.
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// The entries of a file, the oldest first. A file that is not there has none.
///
/// # Errors
/// A file that cannot be read, or a line that is no entry.
pub fn read(file: &Path) -> Result<Vec<Entry>> {
    if !file.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let entry = |(number, line): (usize, &str)| {
        serde_json::from_str(line).with_context(|| format!("{}, line {number}", file.display()))
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    (1..).zip(lines).map(entry).collect()
}

/// The last entry that was measured on such a machine: others are no measure for this one.
#[must_use]
pub fn last_on<'a>(entries: &'a [Entry], machine: &Machine) -> Option<&'a Entry> {
    entries.iter().rev().find(|entry| entry.machine == *machine)
}

/// Adds a report to a file.
///
/// # Errors
/// Where it cannot be written.
pub fn add(file: &Path, report: &Report) -> Result<()> {
    let line = serde_json::to_string(&Entry::from(report))?;
    let opened = OpenOptions::new().append(true).create(true).open(file);
    let written = opened.and_then(|mut file| writeln!(file, "{line}"));
    written.with_context(|| format!("{} cannot be written", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_kept() {
        for (value, kept) in [
            (5_123_456.0, 5_120_000.0),
            (0.012_345, 0.0123),
            (0.0, 0.0),
            (99.96, 100.0),
        ] {
            assert_eq!(rounded(value), kept);
        }
    }
}
