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
mod remote;
mod ruleset;
mod saying;
mod scenario;
mod serve;
mod session;
mod store;
mod table;
mod token;

use std::io::IsTerminal;
use std::process::ExitCode;

use args::{Cli, Command};
use config::Sources;
use exit::Exit;

fn main() -> ExitCode {
    let (cli, sources) = match config::command_line() {
        Ok(read) => read,
        Err(code) => return code,
    };
    log_to_stderr(&cli.command);
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
        Command::Ask(ask) => asking::of_file(ask)?,
        Command::Map(command) => return map::run(&command),
        Command::Check(check) => return check::run(&check),
        Command::Rules(rules) => listing::run(&rules)?,
        Command::Ruleset(command) => return ruleset::run(&command),
        Command::Plugin(command) => return plugin::run(&command),
        Command::Store(command) => return store::run(&command),
        Command::Serve(command) => return Ok(serve::run(&command, sources).into()),
        Command::Config(command) => return config::run(&command),
        Command::Token(command) => token::run(&command)?,
        Command::Load(load) => load::run(&load)?,
        Command::Doctor(command) => return doctor::run(&command),
        Command::Demo(demo) => demo::run(&demo)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Standard error, of which nothing is said if it cannot be written to. A service must not fail
/// because whoever read its log has gone.
struct Forgiving(std::io::Stderr);

impl std::io::Write for Forgiving {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(self.0.write(bytes).unwrap_or(bytes.len()))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let _ = self.0.flush();
        Ok(())
    }
}

/// The log goes to stderr: warnings of the engine and of plugins, and what the service does.
/// `RUST_LOG` asks for more or less.
fn log_to_stderr(command: &Command) {
    use tracing_subscriber::EnvFilter;
    let (usual, json) = match command {
        Command::Serve(serve) => ("info", serve.log_json),
        _ => ("warn", false),
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| Forgiving(std::io::stderr()))
        .log_internal_errors(false)
        .with_ansi(std::io::stderr().is_terminal());
    match command {
        Command::Serve(_) if json => log.json().init(),
        Command::Serve(_) => log.init(),
        _ => log.without_time().init(),
    }
}
