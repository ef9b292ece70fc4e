//! The `alamein` command.

mod args;
mod asking;
mod bench;
mod case_files;
mod check;
mod config;
mod demo;
mod doctor;
mod example;
mod exit;
mod facts;
mod figures;
mod game;
mod help;
mod json;
mod listing;
mod load;
mod local;
mod map;
mod mapping;
mod moving;
mod output;
mod paint;
mod plugin;
mod plugins;
mod position;
mod remote;
mod replay;
mod ruleset;
mod saying;
mod scenario;
mod seeing;
mod serve;
mod session;
mod store;
mod table;
mod telemetry;
mod threads;
mod token;

use std::process::ExitCode;

use args::{Cli, Command};
use config::Sources;
use exit::Exit;

/// A request is made on one thread, judged on another and told from a third: the system's allocator
/// takes a lock for most of what is then let go.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let (cli, sources) = match config::command_line() {
        Ok(read) => read,
        Err(code) => return code,
    };
    if !matches!(cli.command, Command::Serve(_)) {
        telemetry::log_warnings();
    }
    match run(cli, &sources) {
        Ok(code) => code,
        // A reader such as `head` has seen enough.
        Err(error) if output::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("alamein: {error:#}");
            Exit::Failed.into()
        }
    }
}

fn run(cli: Cli, sources: &Sources) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Los(los) => asking::los(los)?,
        Command::Fire(fire) => asking::fire(fire)?,
        Command::Lane(lane) => asking::lane(lane)?,
        Command::Move(walk) => moving::walk(&walk)?,
        Command::Setup(setup) => asking::setup(setup)?,
        Command::Reach(reach) => moving::reach(&reach)?,
        Command::Fov(fov) => seeing::fov(&fov)?,
        Command::Matrix(matrix) => seeing::matrix(&matrix)?,
        Command::Ask(ask) => asking::of_file(ask)?,
        Command::Map(command) => return map::run(&command),
        Command::Check(check) => return check::run(&check),
        Command::Replay(replay) => return replay::run(&replay),
        Command::Position(command) => return position::run(&command),
        Command::Game(command) => return game::run(&command),
        Command::Rules(rules) => listing::run(&rules)?,
        Command::Ruleset(command) => return ruleset::run(&command),
        Command::Plugin(command) => return plugin::run(&command),
        Command::Store(command) => return store::run(&command),
        Command::Serve(command) => return Ok(serve::run(&command, sources).into()),
        Command::Config(command) => return config::run(&command),
        Command::Token(command) => token::run(&command)?,
        Command::Load(load) => load::run(&load)?,
        Command::Bench(command) => figures::run(&command)?,
        Command::Doctor(command) => return doctor::run(&command),
        Command::Demo(demo) => demo::run(&demo)?,
    }
    Ok(ExitCode::SUCCESS)
}
