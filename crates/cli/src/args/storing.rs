//! Where things are kept, on the command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args};

use super::measures::{bytes, duration, whole};

/// Where maps, positions, games and rulesets are kept.
#[derive(Args, Clone)]
#[command(next_help_heading = "Storage")]
pub(crate) struct StoreArgs {
    /// Where things are kept: a folder, `postgres://user@host/database`, or `memory`, which forgets all
    ///
    /// If it is not given, a folder of this user's: $STATE_DIRECTORY where systemd gives one, else
    /// `alamein` in $XDG_STATE_HOME or in ~/.local/state. One process has a folder at a time; any number
    /// have a database.
    #[arg(
        long,
        value_name = "DIR|URL|memory",
        env = "ALAMEIN_STORE",
        hide_env_values = true
    )]
    pub(crate) store: Option<String>,
    /// Whether the whole file of a folder is checked when it is opened, which reads all of it
    #[arg(
        long,
        value_name = "BOOL",
        default_value_t = true,
        action = ArgAction::Set
    )]
    pub(crate) store_check: bool,
    /// How much of maps and positions is remembered, beside the store
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = bytes)]
    pub(crate) store_cache: usize,
    /// A file with the password for PostgreSQL; only its owner may read it
    #[arg(long, value_name = "FILE")]
    pub(crate) store_password_file: Option<PathBuf>,
    /// Whether the tables in PostgreSQL are made and brought up to date at the start
    ///
    /// If not, `alamein store migrate` does it, and the service refuses tables that are not up to date.
    #[arg(
        long,
        value_name = "BOOL",
        default_value_t = true,
        action = ArgAction::Set
    )]
    pub(crate) store_migrate: bool,
    /// How many connections to PostgreSQL there may be; two more tell and hear of moves
    #[arg(
        long,
        value_name = "N",
        default_value_t = 16, value_parser = whole::<u32>(1))]
    pub(crate) store_connections: u32,
    /// How long a statement, or a connection, may take in PostgreSQL
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = duration)]
    pub(crate) store_timeout: Duration,
    /// How long what fails for a moment is tried again before a client is asked to
    #[arg(long, value_name = "DURATION", default_value = "3s", value_parser = duration)]
    pub(crate) store_patience: Duration,
    /// How long PostgreSQL is waited for at the start
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = duration)]
    pub(crate) store_wait: Duration,
}

// What is derived would show a password.
impl std::fmt::Debug for StoreArgs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoreArgs").finish_non_exhaustive()
    }
}
