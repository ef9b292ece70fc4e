//! The command line.

use std::path::PathBuf;

use alamein_terrain::{
    Attack, CounterClass, EnvironmentCondition, Fortification, GrazingPolicy, GroundPressure,
    LaneMover, Munition,
};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};

use crate::help;

mod access;
mod config;
mod figures;
mod games;
mod keeping;
mod load;
mod mapping;
mod measures;
mod moving;
mod positions;
mod rulesets;
mod securing;
mod seeing;
mod serving;
mod storing;
mod telling;
mod workshop;

pub(crate) use access::AccessArgs;
pub(crate) use config::{ConfigCheck, ConfigCommand, ConfigInit, ConfigShow, Doctor};
pub(crate) use figures::{Bench, CurveName, What};
pub(crate) use games::{
    GameAdvance, GameCommand, GameCreate, GameDelete, GameFork, GameHistory, GameList, GameRecord,
    GameRuleset, GameShow, GameUndo, GameWatch, HeadArgs, NewGameArgs, SaidArgs, TableArgs,
};
pub(crate) use keeping::{
    StoreCheck, StoreCommand, StoreExport, StoreGc, StoreImport, StoreMigrate, StoreStat, WhoseArgs,
};
pub(crate) use load::{Load, Rates};
pub(crate) use mapping::{
    MapCheck, MapCommand, MapConvert, MapImport, MapNew, MapOverlays, MapShow, Written,
};
pub(crate) use measures::with_signs;
pub(crate) use moving::{How, Move, Reach};
pub(crate) use positions::{
    PositionApply, PositionCommand, PositionCreate, PositionDiff, PositionShow, Replay,
};
pub(crate) use rulesets::{
    PlaceArgs, RulesetCheck, RulesetCommand, RulesetCompare, RulesetConflicts, RulesetCreate,
    RulesetDiff, RulesetList, RulesetShow, RulesetTag,
};
pub(crate) use securing::{Securing, TokenCommand, TokenList, TokenNew};
pub(crate) use seeing::{Form, Fov, Matrix};
pub(crate) use serving::{Judging, Limits, Serve, Swapping};
pub(crate) use storing::StoreArgs;
pub(crate) use telling::Telling;
pub(crate) use workshop::{
    AdminArgs, PluginBuild, PluginCheck, PluginCommand, PluginInspect, PluginList, PluginLock,
    PluginNew, PluginRetire, PluginStatus, PluginSwap, PluginTest,
};

/// Adjudicates the terrain of Advanced Squad Leader: lines of sight and fire, Fire Lanes, moves,
/// set-ups.
///
/// Every rule comes from a plugin that is loaded while this program runs.
#[derive(Debug, Parser)]
#[command(name = "alamein", version, max_term_width = 100)]
#[command(after_help = help::TOP, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Rule on a line of sight
    #[command(after_long_help = help::LOS)]
    Los(Los),
    /// Rule on a shot: the line of sight, what protects the target, Hull Down
    #[command(after_long_help = help::FIRE)]
    Fire(Fire),
    /// Rule on whether a Fire Lane attacks something that moves on it
    #[command(after_long_help = help::LANE)]
    Lane(Lane),
    /// Rule on what a step costs, or a move of several
    #[command(after_long_help = help::MOVE)]
    Move(Move),
    /// Rule on whether something may set up in a hex, and whether a Gun is Emplaced there
    #[command(after_long_help = help::SETUP)]
    Setup(Setup),
    /// Find every hex that an allowance of MF or MP reaches
    #[command(after_long_help = help::REACH)]
    Reach(Reach),
    /// Tell what somebody sees: the line of sight to every hex within a range
    #[command(after_long_help = help::FOV)]
    Fov(Fov),
    /// Write the line of sight between every two hexes into a table, in Parquet or Arrow
    #[command(after_long_help = help::MATRIX)]
    Matrix(Matrix),
    /// Rule on one question of a case file
    #[command(after_long_help = help::ASK)]
    Ask(AskFile),
    /// Make, check, show and convert maps
    #[command(subcommand)]
    Map(MapCommand),
    /// Replay case files and compare the answers with those that they expect
    #[command(after_long_help = help::CHECK)]
    Check(Check),
    /// Rule again on a recorded game, and show each ruling that differs
    #[command(after_long_help = help::REPLAY)]
    Replay(Replay),
    /// Show, change, compare and keep positions
    #[command(subcommand)]
    Position(PositionCommand),
    /// Begin, advance, take back, fork, read and watch games that a service keeps
    #[command(subcommand)]
    Game(GameCommand),
    /// List the plugins, their rules and their options
    #[command(after_long_help = help::RULES)]
    Rules(ListRules),
    /// List, check, make, tag and compare rulesets
    #[command(subcommand)]
    Ruleset(RulesetCommand),
    /// Start, build, test and look at plugins
    #[command(subcommand)]
    Plugin(PluginCommand),
    /// Check, move, count and clean up what a service keeps
    #[command(subcommand)]
    Store(StoreCommand),
    /// Run the service
    #[command(after_long_help = help::SERVE)]
    Serve(Box<Serve>),
    /// Check, show and begin the configuration of the service
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Make, list and revoke the tokens of a service
    #[command(subcommand)]
    Token(TokenCommand),
    /// Find out how much a service bears, and what it does when it is asked for more
    #[command(after_long_help = help::LOAD)]
    Load(Load),
    /// Measure how fast it is on this machine, and compare with what is aimed at
    #[command(after_long_help = help::BENCH)]
    Bench(Bench),
    /// Look at the machine and the set-up as an operator would
    #[command(after_long_help = help::DOCTOR)]
    Doctor(Doctor),
    /// Start a service with the plugins, and show what it says of the built-in example
    #[command(after_long_help = help::DEMO)]
    Demo(Demo),
}

/// By which rules to judge.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rules")]
pub(crate) struct RuleArgs {
    /// The folder that holds the plugins' folders
    ///
    /// If it is not given: `plugins` beside the folder of this program.
    #[arg(long, value_name = "DIR", env = "ALAMEIN_PLUGIN_DIR")]
    pub(crate) plugins: Option<PathBuf>,
    /// A further folder that holds plugins' folders, of which rulesets may be made
    #[arg(long, value_name = "DIR")]
    pub(crate) plugin_dir: Vec<PathBuf>,
    /// Set an option of a plugin; `alamein rules` lists them
    #[arg(long = "set", value_name = "PLUGIN.OPTION=VALUE")]
    pub(crate) options: Vec<String>,
    /// How a line that grazes is read
    #[arg(long, value_parser = policy(), ignore_case = true)]
    pub(crate) policy: Option<GrazingPolicy>,
    /// Ask a service instead of loading plugins, such as `http://localhost:50051`
    #[arg(long, value_name = "URL", conflicts_with = "options")]
    pub(crate) server: Option<String>,
    /// Judge by this ruleset: a file; with --server also a name, a tag or a fingerprint
    #[arg(long, value_name = "RULESET")]
    pub(crate) ruleset: Option<String>,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}

impl RuleArgs {
    /// All plugins of a folder, or of the usual one.
    pub(crate) fn of_folder(plugins: Option<PathBuf>) -> Self {
        Self {
            plugins,
            plugin_dir: Vec::new(),
            options: Vec::new(),
            policy: None,
            server: None,
            ruleset: None,
            access: AccessArgs::default(),
            trust: TrustArgs::default(),
        }
    }
}

/// Which plugins to let in.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Trust")]
pub(crate) struct TrustArgs {
    /// Let in only what this lock file lists, as it is; `alamein plugin lock` writes one
    ///
    /// If it is not given: the `plugins.lock` in the folder of the plugins, where there is one.
    #[arg(long, value_name = "FILE", env = "ALAMEIN_LOCK")]
    pub(crate) lock: Option<PathBuf>,
    /// Let in only what is signed by this key of minisign's, or by another that is given likewise
    #[arg(long = "trusted-key", value_name = "KEY|FILE")]
    pub(crate) keys: Vec<String>,
    /// Let in what is not signed all the same, and warn of it each time
    #[arg(long, requires = "keys")]
    pub(crate) unsigned: bool,
}

/// Where everything stands.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Position")]
pub(crate) struct Scenario {
    /// A case file: its map and counters
    #[arg(long, value_name = "FILE", required_unless_present_any = ["map", "example"])]
    pub(crate) case: Option<PathBuf>,
    /// A map file (TOML or JSON): a map without counters, whose hexes are named as on its boards
    #[arg(long, value_name = "FILE", conflicts_with = "case")]
    pub(crate) map: Option<PathBuf>,
    /// The built-in worked example, with units A to M around a deir
    #[arg(long, conflicts_with_all = ["case", "map"])]
    pub(crate) example: bool,
}

/// What to show of a ruling.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// Show also what was considered and why it does not apply
    #[arg(long)]
    pub(crate) explain: bool,
    /// Draw the part of the map
    #[arg(long)]
    pub(crate) picture: bool,
    /// Write JSON for programs to read
    #[arg(long, conflicts_with = "picture")]
    pub(crate) json: bool,
    /// Write the position, the question and the ruling into a case file that `alamein check` replays
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
}

/// What the commands that ask one question share.
#[derive(Args, Clone, Debug)]
pub(crate) struct Asking {
    #[command(flatten)]
    pub(crate) scenario: Scenario,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
pub(crate) struct Los {
    /// One end: a counter's id, or a hex; with `:0` to `:5` behind it, that vertex of the hex
    pub(crate) from: String,
    /// The other end
    pub(crate) to: String,
    #[command(flatten)]
    pub(crate) asking: Asking,
}

#[derive(Args, Debug)]
pub(crate) struct Fire {
    /// The firer: a counter's id, or a hex; with `:0` to `:5` behind it, that vertex of the hex
    pub(crate) from: String,
    /// The target
    pub(crate) to: String,
    /// How the shot travels: `indirect` is an on-map mortar, `oba` Offboard Artillery
    #[arg(long, default_value = "direct", value_parser = attack())]
    pub(crate) attack: Attack,
    /// What the shot is made of, where terrain asks
    #[arg(long, default_value = "other", value_parser = munition())]
    pub(crate) munition: Munition,
    #[command(flatten)]
    pub(crate) asking: Asking,
}

#[derive(Args, Debug)]
pub(crate) struct Lane {
    /// The machine gun: a counter's id, or a hex
    pub(crate) mg: String,
    /// The hex of the Fire Lane counter
    pub(crate) counter_hex: String,
    /// The hex in which something moves
    pub(crate) mover_hex: String,
    /// What moves there
    #[arg(default_value = "infantry", value_parser = lane_mover())]
    pub(crate) mover: LaneMover,
    #[command(flatten)]
    pub(crate) asking: Asking,
}

#[derive(Args, Debug)]
pub(crate) struct Setup {
    /// What sets up: a class such as `gun`, the id of a counter, or a Fortification such as `trench`
    pub(crate) what: String,
    /// The hex
    pub(crate) hex: String,
    /// The unit is concealed
    #[arg(long, conflicts_with = "hidden")]
    pub(crate) concealed: bool,
    /// The unit is hidden
    #[arg(long)]
    pub(crate) hidden: bool,
    /// The Fortification beneath whose counter the unit sets up
    #[arg(long, value_name = "FORTIFICATION", value_parser = shelter())]
    pub(crate) beneath: Option<Fortification>,
    #[command(flatten)]
    pub(crate) asking: Asking,
}

#[derive(Args, Debug)]
pub(crate) struct AskFile {
    /// The question's id
    pub(crate) question: String,
    #[command(flatten)]
    pub(crate) asking: Asking,
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Case files, plain or compressed with gzip, and folders of them
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Count also questions that the rules leave open
    #[arg(long)]
    pub(crate) contested: bool,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ListRules {
    /// Only these plugins, in full
    #[arg(value_name = "PLUGIN")]
    pub(crate) only: Vec<String>,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

#[derive(Args, Debug)]
pub(crate) struct Demo {
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

/// A parser that takes one of some words.
fn words<T: Clone + Send + Sync + 'static>(
    words: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let names = words.iter().map(|(word, _)| *word);
    PossibleValuesParser::new(names).try_map(move |text| {
        let known = words
            .iter()
            .find(|(word, _)| word.eq_ignore_ascii_case(&text));
        known
            .map(|(_, meaning)| meaning.clone())
            .ok_or("is none of these words")
    })
}

fn policy() -> impl TypedValueParser<Value = GrazingPolicy> {
    words(&[
        ("EITHER", GrazingPolicy::Either),
        ("BOTH", GrazingPolicy::Both),
        ("NEITHER_IF_GRAZING", GrazingPolicy::NeitherIfGrazing),
    ])
}

fn attack() -> impl TypedValueParser<Value = Attack> {
    words(&[
        ("direct", Attack::Direct),
        ("indirect", Attack::Mortar),
        ("oba", Attack::Oba),
    ])
}

fn munition() -> impl TypedValueParser<Value = Munition> {
    words(&[
        ("other", Munition::Other),
        ("he", Munition::He),
        ("bombardment", Munition::Bombardment),
    ])
}

fn lane_mover() -> impl TypedValueParser<Value = LaneMover> {
    words(&[
        ("infantry", LaneMover::Infantry),
        ("cavalry", LaneMover::Cavalry),
        ("vehicle", LaneMover::Vehicle),
        ("vulnerable_prc", LaneMover::VulnerablePrc),
    ])
}

fn shelter() -> impl TypedValueParser<Value = Fortification> {
    words(&[
        ("foxhole", Fortification::Foxhole),
        ("trench", Fortification::Trench),
        ("pillbox", Fortification::Pillbox),
        ("sangar", Fortification::Sangar),
    ])
}

fn condition() -> impl TypedValueParser<Value = EnvironmentCondition> {
    words(&[
        ("dry", EnvironmentCondition::Dry),
        ("moist", EnvironmentCondition::Moist),
        ("wet", EnvironmentCondition::Wet),
        ("mud", EnvironmentCondition::Mud),
        ("snow", EnvironmentCondition::Snow),
    ])
}

fn pressure() -> impl TypedValueParser<Value = GroundPressure> {
    words(&[
        ("low", GroundPressure::Low),
        ("normal", GroundPressure::Normal),
        ("high", GroundPressure::High),
    ])
}

/// Tons, as kilograms.
fn kilograms(text: &str) -> Result<u32, String> {
    let tons: f64 = text
        .parse()
        .map_err(|_| "is not a number of tons".to_owned())?;
    if !(0.0..=1000.0).contains(&tons) {
        return Err("is not within 0 to 1000 tons".into());
    }
    Ok((tons * 1000.0).round() as u32)
}

/// The class that a word names; `infantry` is an ordinary squad.
pub(crate) fn class(word: &str) -> Option<CounterClass> {
    if word == "infantry" {
        return Some(CounterClass::Squad);
    }
    CounterClass::ALL
        .into_iter()
        .find(|class| class.name() == word)
}
