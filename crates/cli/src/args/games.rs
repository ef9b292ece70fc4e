//! The command line of `alamein game`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::AccessArgs;
use super::measures::whole;
use crate::game::help;

#[derive(Debug, Subcommand)]
pub(crate) enum GameCommand {
    /// Begin a game
    #[command(after_long_help = help::CREATE)]
    Create(GameCreate),
    /// Show how a game stands
    #[command(after_long_help = help::SHOW)]
    Show(GameShow),
    /// List the games
    #[command(after_long_help = help::LIST)]
    List(GameList),
    /// Advance a game by changes, or to another position
    #[command(after_long_help = help::ADVANCE)]
    Advance(GameAdvance),
    /// Take a game back to the position of an older entry, by a new entry
    #[command(after_long_help = help::UNDO)]
    Undo(GameUndo),
    /// Begin another game at an entry of a game
    #[command(after_long_help = help::FORK)]
    Fork(GameFork),
    /// Show what was done in a game
    #[command(after_long_help = help::HISTORY)]
    History(GameHistory),
    /// Show what is done in a game as it is done
    #[command(after_long_help = help::WATCH)]
    Watch(GameWatch),
    /// Have a game played by another ruleset from here on
    #[command(after_long_help = help::RULESET)]
    Ruleset(GameRuleset),
    /// Write the rulings of a game into a file that `alamein replay` reads
    #[command(after_long_help = help::RECORD)]
    Record(GameRecord),
    /// Forget a game and its history
    #[command(after_long_help = help::DELETE)]
    Delete(GameDelete),
}

/// The service that keeps the games.
#[derive(Args, Clone, Debug)]
pub(crate) struct TableArgs {
    /// The service, such as `http://localhost:50051`
    #[arg(long, value_name = "URL")]
    pub(crate) server: String,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
}

/// What the history is to say beside what was done.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "History")]
pub(crate) struct SaidArgs {
    /// Who does it
    #[arg(
        long,
        value_name = "WHO",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) by: String,
    /// What to say of it
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) note: String,
    /// An id of one's own for this, so that doing it again after an answer was lost does it once; what changes
    /// a game needs --etag with it
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    pub(crate) request_id: String,
}

/// The game that changes, and how far it has come.
#[derive(Args, Clone, Debug)]
pub(crate) struct HeadArgs {
    /// The game's id
    pub(crate) game: String,
    /// Only if it is as it was when it had this etag, which `alamein game show --json` tells; without it, as
    /// it is now
    #[arg(long, value_name = "ETAG")]
    pub(crate) etag: Option<String>,
}

/// What a new game is to be called, and whose it is to be.
#[derive(Args, Clone, Debug)]
pub(crate) struct NewGameArgs {
    /// The id that the new game is to have: lower-case letters, digits and hyphens; without it the service makes
    /// one
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) id: String,
    /// Whose the new game is
    #[arg(
        long,
        value_name = "WHO",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) owner: String,
    /// What the new game is called
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) title: String,
}

#[derive(Args, Debug)]
pub(crate) struct GameCreate {
    /// Where it begins: a case file, or the id of a position that the service keeps
    pub(crate) position: String,
    #[command(flatten)]
    pub(crate) new: NewGameArgs,
    /// The ruleset that it is played by: a name, a tag, a fingerprint or a file
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) ruleset: String,
    #[command(flatten)]
    pub(crate) said: SaidArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Args, Debug)]
pub(crate) struct GameShow {
    /// The game's id
    pub(crate) game: String,
    /// Only what this side knows
    #[arg(long, value_name = "SIDE")]
    pub(crate) as_side: Option<String>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Args, Debug)]
pub(crate) struct GameList {
    /// Only those of this owner
    #[arg(
        long,
        value_name = "WHO",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) owner: String,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Args, Debug)]
pub(crate) struct GameAdvance {
    #[command(flatten)]
    pub(crate) head: HeadArgs,
    /// The changes: a file with a list in JSON, or `-` to read it from standard input
    #[arg(required_unless_present = "to")]
    pub(crate) changes: Option<PathBuf>,
    /// The position instead: a case file, or the id of one that the service keeps
    #[arg(long, value_name = "POSITION", conflicts_with = "changes")]
    pub(crate) to: Option<String>,
    /// Only check: nothing is kept
    #[arg(long)]
    pub(crate) validate_only: bool,
    #[command(flatten)]
    pub(crate) said: SaidArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Args, Debug)]
pub(crate) struct GameUndo {
    #[command(flatten)]
    pub(crate) head: HeadArgs,
    /// The number of the entry whose position it is to have; without it, the one before its newest
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u64>(1))]
    pub(crate) to: Option<u64>,
    #[command(flatten)]
    pub(crate) said: SaidArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

// What is not said is as it is of the old game.
#[derive(Args, Debug)]
#[command(mut_arg("owner", |it| it.help("Whose the new game is; without it, whose the old one is")))]
#[command(mut_arg("title", |it| it.help("What the new game is called; without it, as the old one")))]
pub(crate) struct GameFork {
    /// The game's id
    pub(crate) game: String,
    /// The number of the entry to fork it at; without it, its newest
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u64>(1))]
    pub(crate) at: Option<u64>,
    #[command(flatten)]
    pub(crate) new: NewGameArgs,
    #[command(flatten)]
    pub(crate) said: SaidArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Args, Debug)]
pub(crate) struct GameHistory {
    /// The game's id
    pub(crate) game: String,
    /// Begin with the newest entry
    #[arg(long)]
    pub(crate) newest_first: bool,
    /// No more than so many entries
    #[arg(long, value_name = "COUNT", value_parser = whole::<usize>(0))]
    pub(crate) limit: Option<usize>,
    /// Only what this side knows
    #[arg(long, value_name = "SIDE")]
    pub(crate) as_side: Option<String>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Args, Debug)]
pub(crate) struct GameWatch {
    /// The game's id
    pub(crate) game: String,
    /// Begin after the entry of this number: 0 shows all
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = whole::<u64>(0))]
    pub(crate) after: u64,
    /// End once the entry of this number is shown
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u64>(0))]
    pub(crate) until: Option<u64>,
    /// Only what this side knows
    #[arg(long, value_name = "SIDE")]
    pub(crate) as_side: Option<String>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Args, Debug)]
pub(crate) struct GameRuleset {
    #[command(flatten)]
    pub(crate) head: HeadArgs,
    /// A name, a tag, a fingerprint or a file
    pub(crate) ruleset: String,
    #[command(flatten)]
    pub(crate) said: SaidArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Args, Debug)]
pub(crate) struct GameRecord {
    /// The game's id
    pub(crate) game: String,
    /// Take over what the service wrote of this game: what `alamein serve --record` made, and folders of it
    #[arg(long, value_name = "FILE", required_unless_present = "ask")]
    pub(crate) from: Vec<PathBuf>,
    /// Ask the questions of this case file about every position of the game
    #[arg(long, value_name = "FILE")]
    pub(crate) ask: Vec<PathBuf>,
    /// The file to write, which must not be there yet; without it, to standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) save: Option<PathBuf>,
    /// The service, such as `http://localhost:50051`
    #[arg(long, value_name = "URL")]
    pub(crate) server: String,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
}

#[derive(Args, Debug)]
pub(crate) struct GameDelete {
    #[command(flatten)]
    pub(crate) head: HeadArgs,
    /// It cannot be undone: say that it is meant
    #[arg(long, required = true)]
    pub(crate) yes: bool,
    /// The service, such as `http://localhost:50051`
    #[arg(long, value_name = "URL")]
    pub(crate) server: String,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
}
