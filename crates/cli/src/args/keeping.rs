//! The command line of `alamein store`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::StoreArgs;
use super::measures::age;
use crate::help;

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Make the tables in PostgreSQL, or bring them up to date
    #[command(after_long_help = help::STORE_MIGRATE)]
    Migrate(StoreMigrate),
    /// Check all that a store has: is it as it was written, and is all there that it names?
    #[command(after_long_help = help::STORE_CHECK)]
    Check(StoreCheck),
    /// Write all that a store has into a file
    #[command(after_long_help = help::STORE_EXPORT)]
    Export(StoreExport),
    /// Keep what an export wrote
    #[command(after_long_help = help::STORE_IMPORT)]
    Import(StoreImport),
    /// Tell, or drop, what no game, no tag and no ruleset leads to
    #[command(after_long_help = help::STORE_GC)]
    Gc(StoreGc),
    /// Count what a store has
    #[command(after_long_help = help::STORE_STAT)]
    Stat(StoreStat),
}

#[derive(Args, Debug)]
pub(crate) struct StoreMigrate {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Args, Debug)]
pub(crate) struct StoreCheck {
    #[command(flatten)]
    pub(crate) whose: WhoseArgs,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Args, Debug)]
pub(crate) struct StoreExport {
    /// The file; `-` is standard output
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) whose: WhoseArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Args, Debug)]
pub(crate) struct StoreImport {
    /// The file; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) whose: WhoseArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Args, Debug)]
pub(crate) struct StoreGc {
    /// Drop it; without this, it is only told
    #[arg(long)]
    pub(crate) apply: bool,
    /// Leave what was made, or made again, within this time
    #[arg(long, value_name = "DURATION", default_value = "30d", value_parser = age)]
    pub(crate) older_than: Duration,
    #[command(flatten)]
    pub(crate) whose: WhoseArgs,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Args, Debug)]
pub(crate) struct StoreStat {
    #[command(flatten)]
    pub(crate) whose: WhoseArgs,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Whose things are meant.
#[derive(Args, Clone, Debug)]
pub(crate) struct WhoseArgs {
    /// Only this tenant's; everybody's, and those of the service itself, if it is not given
    #[arg(long, value_name = "TENANT")]
    pub(crate) tenant: Option<String>,
}
