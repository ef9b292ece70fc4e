//! `alamein bench`: how fast it is on this machine.

mod calls;
mod curves;
mod echo;
mod raw;
mod service;
mod spawned;

use std::time::SystemTime;

use alamein_cases::{Known, Settings};
use alamein_engine::Engine;
use alamein_figures::here::{self, Here};
use alamein_figures::scenes::{self, Scene};
use alamein_figures::{Machine, Report, history, telling};
use anyhow::{Result, ensure};

use crate::args::{Bench, RuleArgs, What};
use crate::local::Loaded;
use crate::output;

pub(crate) fn run(command: &Bench) -> Result<()> {
    if command.echo {
        return echo::serve();
    }
    if let Some(point) = command.point {
        return curves::point(command, point);
    }
    if !command.curve.is_empty() {
        return curves::run(command);
    }
    let report = measured(command)?;
    let before = match &command.history {
        Some(file) => history::read(file)?,
        None => Vec::new(),
    };
    if command.json {
        output::line(&serde_json::to_string_pretty(&report)?)?;
    } else {
        let last = history::last_on(&before, &report.machine);
        output::put(&telling::table(&report, last))?;
    }
    match &command.history {
        Some(file) => history::add(file, &report),
        None => Ok(()),
    }
}

/// Measures all that is wanted.
fn measured(command: &Bench) -> Result<Report> {
    let time = command.time();
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        when: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        machine: Machine::here(),
        seconds: time.as_secs_f64(),
        ..Report::default()
    };
    if cfg!(debug_assertions) {
        eprintln!("alamein: note: this is a debug build, which is many times slower");
    }
    let table = Table::set(command)?;
    if command.wants(What::Geometry) {
        say("geometry");
        report.figures.extend(here::geometry(time)?);
    }
    if command.wants(What::Rulings) {
        for scene in table.scenes()? {
            say(&format!("rulings, {}", scene.name));
            report.figures.extend(table.here.verdicts(&scene, time)?);
            report.figures.extend(table.here.findings(&scene, time)?);
        }
    }
    if command.wants(What::Calls) {
        calls::measure(command, &table.known, &mut report)?;
    }
    if command.wants(What::Service) {
        service::measure(command, &table.known, &mut report)?;
    }
    ensure!(!report.figures.is_empty(), "nothing was measured");
    Ok(report)
}

/// Says what is being measured, to whoever waits for it.
fn say(what: &str) {
    eprintln!("alamein: measuring {what}");
}

/// The plugins of the folder, and what they know.
struct Table {
    here: Here,
    known: Known,
}

impl Table {
    fn set(command: &Bench) -> Result<Self> {
        let rules = RuleArgs::of_folder(command.plugins.clone());
        let loaded = Loaded::load(&rules)?;
        let engine: Engine = loaded.judge(&rules, &Settings::default())?.into();
        Ok(Self {
            here: Here::new(engine),
            known: loaded.facts.known,
        })
    }

    fn scenes(&self) -> Result<[Scene; 3]> {
        Ok([
            scenes::empty()?,
            scenes::example(&self.known)?,
            scenes::dense()?,
        ])
    }
}
