//! The command line of `alamein bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::measures::{number, whole};

/// What to measure, and for how long.
#[derive(Args, Clone, Debug)]
pub(crate) struct Bench {
    /// What to measure; all of it if nothing is named
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) what: Vec<What>,
    /// How many seconds to measure each thing
    #[arg(long = "for", value_name = "SECONDS", default_value_t = 2.0, value_parser = number(0.01..=3600.0, "a number of seconds"))]
    pub(crate) seconds: f64,
    /// Measure how something grows, at many sizes, instead
    #[arg(long, value_enum, value_name = "CURVE", conflicts_with = "what")]
    pub(crate) curve: Vec<CurveName>,
    /// A file with earlier figures of this machine: to compare with the last, and to add these to
    #[arg(long, value_name = "FILE")]
    pub(crate) history: Option<PathBuf>,
    /// Write JSON for programs to read
    #[arg(long)]
    pub(crate) json: bool,
    /// The folder that holds the plugins' folders
    ///
    /// If it is not given: `plugins` beside the folder of this program.
    #[arg(long, value_name = "DIR", env = "ALAMEIN_PLUGIN_DIR")]
    pub(crate) plugins: Option<PathBuf>,
    /// Be the service that others are measured against: it answers with so many bytes as it is asked for
    #[arg(long, hide = true)]
    pub(crate) echo: bool,
    /// Measure one point of a curve: its size
    #[arg(long, hide = true, requires = "curve", value_parser = whole::<u32>(1))]
    pub(crate) point: Option<u32>,
}

impl Bench {
    /// How long to measure each thing.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds.clamp(0.01, 3600.0))
    }

    /// Whether this is to be measured.
    pub(crate) fn wants(&self, what: What) -> bool {
        self.what.is_empty() || self.what.contains(&what)
    }
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// Lines looked up and walked, with nothing asked about them
    Geometry,
    /// Rulings in this process: verdicts, findings, a field of view, a map that is new
    Rulings,
    /// Calls to a service on this machine, against one that only echoes
    Calls,
    /// How soon a service is there, and what memory it has
    Service,
}

/// How something grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CurveName {
    /// With the boards of the map: 1 to 64
    Boards,
    /// With the counters on it: 1 to 1000
    Counters,
    /// With the range of a line: 1 to 64
    Range,
    /// With the clients that ask at once: 1 to 1000
    Clients,
}
