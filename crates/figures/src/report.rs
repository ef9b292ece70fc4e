//! Figures, and ratios of them.

use serde::{Deserialize, Serialize};

use crate::clock::Took;

/// In what something is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Lines in a second.
    LinesPerSecond,
    /// Rulings in a second.
    RulingsPerSecond,
    /// Calls in a second.
    CallsPerSecond,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Bytes.
    Bytes,
}

impl Unit {
    /// Whether more of it is better.
    #[must_use]
    pub fn is_rate(self) -> bool {
        matches!(
            self,
            Self::LinesPerSecond | Self::RulingsPerSecond | Self::CallsPerSecond
        )
    }

    /// For people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::LinesPerSecond => "lines/s",
            Self::RulingsPerSecond => "rulings/s",
            Self::CallsPerSecond => "calls/s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "µs",
            Self::Bytes => "bytes",
        }
    }
}

/// Something that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What, in words with slashes: `findings/example`.
    pub name: String,
    /// How much, in the middle of all rounds.
    pub value: f64,
    /// How much in the best round, where there were several.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub best: Option<f64>,
    /// Of what.
    pub unit: Unit,
}

impl Figure {
    /// A figure of one measurement.
    #[must_use]
    pub fn one(name: impl Into<String>, unit: Unit, value: f64) -> Self {
        Self {
            name: name.into(),
            value,
            best: None,
            unit,
        }
    }

    /// How many there are in a second, of how long one took.
    #[must_use]
    pub fn rate(name: impl Into<String>, unit: Unit, took: Took) -> Self {
        Self {
            best: Some(took.best_rate()),
            ..Self::one(name, unit, took.rate())
        }
    }

    /// How long one took, in milliseconds.
    #[must_use]
    pub fn millis(name: impl Into<String>, took: Took) -> Self {
        Self {
            best: Some(took.best * 1e3),
            ..Self::one(name, Unit::Milliseconds, took.middle * 1e3)
        }
    }
}

/// Two figures of one run, set against each other: how much faster the one is, or of memory how much
/// smaller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// What.
    pub name: String,
    /// The name of the figure that is divided.
    pub of: String,
    /// The name of the figure by which it is divided.
    pub to: String,
    /// The one by the other.
    pub value: f64,
}

/// The machine on which it was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// What the system calls its processor.
    pub processor: String,
    /// How many threads may run at once.
    pub cores: usize,
}

impl Machine {
    /// This machine.
    #[must_use]
    pub fn here() -> Self {
        let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let mut lines = told.lines();
        let model = lines.find_map(|line| line.strip_prefix("model name"));
        let model = model.and_then(|rest| rest.split_once(':'));
        Self {
            processor: model
                .map_or(std::env::consts::ARCH, |(_, name)| name.trim())
                .to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// What was measured in one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of what was measured.
    pub version: String,
    /// When, in RFC 3339.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub when: String,
    /// On what.
    pub machine: Machine,
    /// For how long each was measured, in seconds.
    pub seconds: f64,
    /// What was measured.
    pub figures: Vec<Figure>,
    /// What follows of it.
    #[serde(default)]
    pub ratios: Vec<Ratio>,
}

impl Report {
    /// The figure of this name.
    #[must_use]
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.name == name)
    }

    /// Adds a ratio, where both figures are there.
    pub fn set_against(&mut self, name: &str, of: &str, to: &str) {
        let (Some(one), Some(other)) = (self.figure(of), self.figure(to)) else {
            return;
        };
        let value = one.value / other.value;
        self.ratios.push(Ratio {
            name: name.to_owned(),
            of: of.to_owned(),
            to: to.to_owned(),
            value,
        });
    }

    /// The value of a figure, or of a ratio, of this name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<f64> {
        let ratio = || self.ratios.iter().find(|ratio| ratio.name == name);
        let figure = self.figure(name).map(|figure| figure.value);
        figure.or_else(|| ratio().map(|ratio| ratio.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_needs_both_its_figures() {
        let mut report = Report::default();
        report
            .figures
            .push(Figure::one("a", Unit::CallsPerSecond, 80.0));
        report.set_against("a to b", "a", "b");
        assert!(report.ratios.is_empty());
        report
            .figures
            .push(Figure::one("b", Unit::CallsPerSecond, 100.0));
        report.set_against("a to b", "a", "b");
        assert_eq!(report.value("a to b"), Some(0.8));
        assert_eq!(report.value("b"), Some(100.0));
    }
}
