//! The command line of `alamein position` and `alamein replay`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::RuleArgs;
use crate::help;

#[derive(Debug, Subcommand)]
pub(crate) enum PositionCommand {
    /// Show what stands on a position
    #[command(after_long_help = help::POSITION_SHOW)]
    Show(PositionShow),
    /// Make changes of a position
    #[command(after_long_help = help::POSITION_APPLY)]
    Apply(PositionApply),
    /// Tell what differs between two positions, and which changes lead from one to the other
    #[command(after_long_help = help::POSITION_DIFF)]
    Diff(PositionDiff),
    /// Let a service keep the position of a case file
    #[command(after_long_help = help::POSITION_CREATE)]
    Create(PositionCreate),
}

#[derive(Args, Debug)]
pub(crate) struct PositionShow {
    /// A case file; with --server also the id of a position
    pub(crate) position: String,
    /// Only what this side knows
    #[arg(long, value_name = "SIDE")]
    pub(crate) as_side: Option<String>,
    /// Write it as a case file without questions
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PositionApply {
    /// A case file; with --server also the id of a position
    pub(crate) position: String,
    /// The changes: a file with a list in JSON, or `-` to read it from standard input
    pub(crate) changes: PathBuf,
    /// Write the position that comes of it into a case file that is not there yet
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) save: Option<PathBuf>,
    /// The changes are this side's: they can name only what it knows, and it is told only that; what is
    /// saved or kept is all that comes of them
    #[arg(long, value_name = "SIDE")]
    pub(crate) as_side: Option<String>,
    /// Do not let the service keep it
    #[arg(long, requires = "server")]
    pub(crate) validate_only: bool,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PositionDiff {
    /// The one: a case file; with --server also the id of a position
    pub(crate) before: String,
    /// The other
    pub(crate) after: String,
    /// Only what this side knows
    #[arg(long, value_name = "SIDE")]
    pub(crate) as_side: Option<String>,
    /// Write the changes in JSON, as `alamein position apply` reads them
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PositionCreate {
    /// A case file
    pub(crate) position: String,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

#[derive(Args, Debug)]
pub(crate) struct Replay {
    /// What `alamein serve --record` wrote, plain or compressed with gzip, and folders of it
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write JSON for programs to read: a line for each ruling that differs, and a summary
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}
