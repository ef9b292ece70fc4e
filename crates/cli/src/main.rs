//! The `alamein` command.

mod args;
mod asking;
mod check;
mod demo;
mod example;
mod facts;
mod help;
mod json;
mod listing;
mod local;
mod mapping;
mod paint;
mod plugins;
mod saying;
mod scenario;
mod table;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command, MapCommand};

fn main() -> ExitCode {
    let cli = Cli::parse();
    log_to_stderr();
    match run(cli) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("alamein: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Los(los) => asking::los(los)?,
        Command::Fire(fire) => asking::fire(fire)?,
        Command::Lane(lane) => asking::lane(lane)?,
        Command::Move(step) => asking::step(step)?,
        Command::Ask(ask) => asking::of_file(ask)?,
        Command::Map(MapCommand::Show(show)) => mapping::show(&show)?,
        Command::Check(check) => return check::run(&check),
        Command::Rules(rules) => listing::run(&rules)?,
        Command::Demo(demo) => demo::run(&demo)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Warnings of the engine and of plugins go to stderr; `RUST_LOG` asks for more.
fn log_to_stderr() {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        .init();
}
