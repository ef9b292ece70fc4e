//! The command lines of `alamein config` and `alamein doctor`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::AccessArgs;
use crate::help;

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Tell all that is wrong with a configuration, before a service is started with it
    #[command(after_long_help = help::CONFIG_CHECK)]
    Check(ConfigCheck),
    /// Show every option as it would be in force, and where that comes from
    #[command(after_long_help = help::CONFIG_SHOW)]
    Show(ConfigShow),
    /// Write a configuration file with every option, explained and at its default
    #[command(after_long_help = help::CONFIG_INIT)]
    Init(ConfigInit),
    /// Write the table of all options in Markdown, as it stands in the documentation
    #[command(hide = true)]
    Reference,
}

#[derive(Args, Debug)]
pub(crate) struct ConfigCheck {
    /// The configuration file; left out: the one that `alamein serve` would read
    pub(crate) file: Option<PathBuf>,
    /// Write JSON for programs to read
    #[arg(long)]
    pub(crate) json: bool,
    /// Flags with which `alamein serve` would be started
    #[arg(last = true, value_name = "FLAG")]
    pub(crate) flags: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ConfigShow {
    /// The configuration file; left out: the one that `alamein serve` would read
    pub(crate) file: Option<PathBuf>,
    /// Only what is set somewhere, and not left at its default
    #[arg(long)]
    pub(crate) set: bool,
    /// Write JSON for programs to read
    #[arg(long)]
    pub(crate) json: bool,
    /// Flags with which `alamein serve` would be started
    #[arg(last = true, value_name = "FLAG")]
    pub(crate) flags: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ConfigInit {
    /// Where to write it, unless that is there already; left out: to the terminal
    pub(crate) file: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Doctor {
    /// The configuration file; left out: the one that `alamein serve` would read
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Look also at the service that runs there, such as `http://localhost:50051`
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
    /// Write JSON for programs to read
    #[arg(long)]
    pub(crate) json: bool,
    /// Flags with which `alamein serve` would be started
    #[arg(last = true, value_name = "FLAG")]
    pub(crate) flags: Vec<String>,
}
