//! The command line of `alamein ruleset`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::AccessArgs;
use crate::ruleset::help;

#[derive(Debug, Subcommand)]
pub(crate) enum RulesetCommand {
    /// List rulesets: every revision with its names and tags
    #[command(after_long_help = help::LIST)]
    List(RulesetList),
    /// Show a ruleset: its plugins, what it sets, its file
    #[command(after_long_help = help::SHOW)]
    Show(RulesetShow),
    /// Tell all that is wrong with ruleset files, and what would clash
    #[command(after_long_help = help::CHECK)]
    Check(RulesetCheck),
    /// Make a ruleset of a file in a running service
    #[command(after_long_help = help::CREATE)]
    Create(RulesetCreate),
    /// Give a revision a tag in a running service
    #[command(after_long_help = help::TAG)]
    Tag(RulesetTag),
    /// Tell in what two rulesets differ
    #[command(after_long_help = help::DIFF)]
    Diff(RulesetDiff),
    /// Put recorded questions or case files to two rulesets, and show every ruling that changes
    #[command(after_long_help = help::COMPARE)]
    Compare(RulesetCompare),
    /// Tell what would clash in a ruleset
    #[command(after_long_help = help::CONFLICTS)]
    Conflicts(RulesetConflicts),
}

/// Whose rulesets.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rules")]
pub(crate) struct PlaceArgs {
    /// The folder that holds the plugins' folders; left out: `plugins` beside the folder of this
    /// program
    #[arg(long, value_name = "DIR", env = "ALAMEIN_PLUGIN_DIR")]
    pub(crate) plugins: Option<PathBuf>,
    /// A further folder that holds plugins' folders
    #[arg(long, value_name = "DIR")]
    pub(crate) plugin_dir: Vec<PathBuf>,
    /// Ruleset files, and folders of them: rulesets that can be called by their names
    #[arg(long, value_name = "FILE")]
    pub(crate) rulesets: Vec<PathBuf>,
    /// Ask a service instead, such as `http://localhost:50051`
    #[arg(long, value_name = "URL", conflicts_with_all = ["plugin_dir", "rulesets"])]
    pub(crate) server: Option<String>,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RulesetList {
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RulesetShow {
    /// Its name, a tag, its fingerprint or a ruleset file
    #[arg(default_value = "default")]
    pub(crate) ruleset: String,
    /// Write its file in TOML, and nothing else
    #[arg(long, help_heading = "Output")]
    pub(crate) toml: bool,
    /// Write its file in JSON, and nothing else
    #[arg(long, help_heading = "Output", conflicts_with = "toml")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RulesetCheck {
    /// Ruleset files, and folders of them
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RulesetCreate {
    /// The ruleset file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// A tag to give it
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Only check: nothing is kept
    #[arg(long)]
    pub(crate) validate_only: bool,
    /// The service, such as `http://localhost:50051`
    #[arg(long, value_name = "URL")]
    pub(crate) server: String,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RulesetTag {
    /// Its name, a tag or its fingerprint
    pub(crate) ruleset: String,
    /// The tag: lower-case letters, digits and hyphens
    pub(crate) tag: String,
    /// The fingerprint for which the tag stands now, to move it from there
    #[arg(long, value_name = "FINGERPRINT")]
    pub(crate) moved_from: Option<String>,
    /// The service, such as `http://localhost:50051`
    #[arg(long, value_name = "URL")]
    pub(crate) server: String,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RulesetDiff {
    /// The one: a name, a tag, a fingerprint or a ruleset file
    pub(crate) before: String,
    /// The other
    pub(crate) after: String,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RulesetCompare {
    /// The one: a name, a tag, a fingerprint or a ruleset file
    pub(crate) before: String,
    /// The other
    pub(crate) after: String,
    /// Case files, and what `alamein serve --record` wrote, plain or compressed with gzip; and folders of
    /// them
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Show also what was considered and why it does not apply
    #[arg(long, help_heading = "Output")]
    pub(crate) explain: bool,
    /// Write JSON for programs to read: a line for each ruling that changes
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RulesetConflicts {
    /// A ruleset file; or the name, a tag or the fingerprint of a ruleset that is there
    pub(crate) ruleset: String,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}
