//! How time and memory grow: the same measured at many sizes, each in a process of its own, so that none
//! has the memory of the one before.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use alamein_client::View;
use alamein_figures::clock::{Took, time};
use alamein_figures::curve::{Curve, Series};
use alamein_figures::scenes::{self, Scene};
use alamein_figures::{Unit, here, memory, telling};
use alamein_terrain::{Change, CounterClass, Position};
use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use super::raw::{Goes, Method};
use super::spawned::Spawned;
use super::{Table, calls, say};
use crate::args::{Bench, CurveName};
use crate::output;
use crate::threads::threads;

/// How many questions are asked at a time.
const QUESTIONS: usize = 200;

/// What is measured at a size.
type Point = Vec<(&'static str, Unit, f64)>;

impl CurveName {
    fn name(self) -> &'static str {
        match self {
            Self::Boards => "boards",
            Self::Counters => "counters",
            Self::Range => "range",
            Self::Clients => "clients",
        }
    }

    fn across(self) -> &'static str {
        match self {
            Self::Boards => "boards of the map",
            Self::Counters => "counters on four boards",
            Self::Range => "range of the line, in hexes",
            Self::Clients => "clients that ask at once, each over a connection of its own",
        }
    }

    fn sizes(self) -> &'static [u32] {
        match self {
            Self::Boards => &[1, 2, 4, 8, 16, 32, 64],
            Self::Counters => &[1, 10, 30, 100, 300, 1000],
            Self::Range => &[1, 2, 4, 8, 16, 32, 64],
            Self::Clients => &[1, 3, 10, 30, 100, 300, 1000],
        }
    }
}

/// Measures curves, and tells them.
pub(super) fn run(command: &Bench) -> Result<()> {
    let mut curves = Vec::new();
    for name in &command.curve {
        curves.push(curve(command, *name)?);
    }
    if command.json {
        return output::line(&serde_json::to_string_pretty(&curves)?);
    }
    curves
        .iter()
        .try_for_each(|curve| output::put(&telling::curve(curve)))
}

fn curve(command: &Bench, name: CurveName) -> Result<Curve> {
    let mut series: Vec<Series> = Vec::new();
    for size in name.sizes() {
        say(&format!("{size} {}", name.across()));
        for (at, (what, unit, value)) in in_a_process(command, name, *size)?.into_iter().enumerate()
        {
            if series.len() <= at {
                series.push(Series::new(what, unit));
            }
            series[at].points.push((f64::from(*size), value));
        }
    }
    Ok(Curve {
        name: name.name().to_owned(),
        across: name.across().to_owned(),
        series,
    })
}

/// Has a process of this program measure a point.
fn in_a_process(command: &Bench, name: CurveName, size: u32) -> Result<Vec<(String, Unit, f64)>> {
    let program = std::env::current_exe().context("this program cannot tell where it is")?;
    let mut process = Command::new(program);
    process.args(["bench", "--json", "--curve", name.name()]);
    process.args(["--point", &size.to_string()]);
    process.args(["--for", &command.seconds.to_string()]);
    if let Some(plugins) = &command.plugins {
        process.arg("--plugins").arg(plugins);
    }
    let told = process.stderr(Stdio::inherit()).output()?;
    ensure!(told.status.success(), "size {size} was not measured");
    Ok(serde_json::from_slice(&told.stdout)?)
}

/// Measures a point, and tells it as JSON.
pub(super) fn point(command: &Bench, size: u32) -> Result<()> {
    let time = command.time() / 3;
    let told = match command.curve.first() {
        Some(CurveName::Boards) => {
            let boards = size.try_into().context("no map has so many boards")?;
            of_scene(
                command,
                time,
                &scenes::of_size(boards, scenes::DENSE_COUNTERS)?,
            )?
        }
        Some(CurveName::Counters) => of_scene(command, time, &scenes::of_size(4, size as usize)?)?,
        Some(CurveName::Range) => of_range(command, time, size)?,
        Some(CurveName::Clients) => of_clients(command, size)?,
        None => bail!("a point of which curve?"),
    };
    output::line(&json!(told).to_string())
}

/// What a map and its counters cost: to make ready, in memory, and in each ruling.
fn of_scene(command: &Bench, budget: Duration, scene: &Scene) -> Result<Point> {
    let table = Table::set(command)?;
    // What the first question of all takes along comes before.
    let example = scenes::example(&table.known)?;
    table.here.rule(&example.position, &example.shots)?;
    let pid = std::process::id();
    let resident = || memory::resident(pid).unwrap_or_default();
    let (before, began) = (resident(), Instant::now());
    table
        .here
        .rule(&scene.position, scene.shots.get(..1).unwrap_or_default())?;
    let first = began.elapsed().as_secs_f64();
    let grown = resident().saturating_sub(before) as f64;
    let fresh = table.here.first(scene, budget)?;
    let ruling = table.here.batch(scene, QUESTIONS, budget)?;
    let looked = table.here.field(scene, budget)?;
    let moved = next_positions(scene, budget, |position| {
        let one = scene.shots.get(..1).unwrap_or_default();
        table.here.rule(position, one).map(|_| ())
    })?;
    Ok(vec![
        (
            "a map that is new",
            Unit::Milliseconds,
            fresh.middle.min(first) * 1e3,
        ),
        (
            "a position that differs by one counter",
            Unit::Milliseconds,
            moved.middle * 1e3,
        ),
        (
            "a ruling with its findings",
            Unit::Microseconds,
            ruling.middle * 1e6,
        ),
        (
            "all that is seen from a hex",
            Unit::Milliseconds,
            looked.middle * 1e3,
        ),
        ("memory of a map that is ready", Unit::Bytes, grown),
    ])
}

/// How long the first question takes about positions that differ by one counter, which are made before.
fn next_positions(
    scene: &Scene,
    budget: Duration,
    mut ask: impl FnMut(&std::sync::Arc<Position>) -> Result<()>,
) -> Result<Took> {
    let start = Instant::now();
    let mut hexes = scene.position.map().grid.hexes();
    let mut rounds = Vec::new();
    while rounds.len() < 5 || start.elapsed() < budget {
        let Some(hex) = hexes.next() else { break };
        let more = alamein_terrain::Counter::new("one more", CounterClass::Wreck, hex);
        let (next, _) = scene.position.apply(&[Change::Place(more)])?;
        let next = std::sync::Arc::new(next);
        let began = Instant::now();
        ask(&next)?;
        rounds.push(began.elapsed().as_secs_f64());
    }
    Ok(Took::of(rounds))
}

/// What a line costs whose range is so many hexes, on sixteen boards.
fn of_range(command: &Bench, budget: Duration, range: u32) -> Result<Point> {
    let table = Table::set(command)?;
    let range = range.try_into().context("no line is so long")?;
    let mut scene = scenes::of_size(16, scenes::DENSE_COUNTERS)?;
    let pairs = scenes::pairs_within(&scene.position, QUESTIONS, range..=range);
    ensure!(!pairs.is_empty(), "the map has no line of range {range}");
    scene.shots = scenes::shots_between(&pairs);
    let walked = time(budget, pairs.len(), || here::walk(&pairs));
    let ruling = table.here.batch(&scene, QUESTIONS, budget)?;
    Ok(vec![
        ("geometry alone", Unit::Microseconds, walked.middle * 1e6),
        (
            "a ruling with its findings",
            Unit::Microseconds,
            ruling.middle * 1e6,
        ),
    ])
}

/// What calls come to when so many clients ask at once.
fn of_clients(command: &Bench, clients: u32) -> Result<Point> {
    let table = Table::set(command)?;
    let scene = scenes::example(&table.known)?;
    let service = Spawned::service(command, "memory")?;
    let clients = clients as usize;
    let (goes, resident) = threads(None)?.block_on(async {
        let (client, _) = service.ready().await?;
        let subject = calls::kept(&client, &scene).await?;
        let requests = calls::lines_of_fire(&scene, &subject, View::Full);
        let method = Method::new(&service.address, clients, calls::UNARY, requests).await?;
        let mut goes = Goes::default();
        method.keep_asking(clients, command.time() / 4).await?;
        for _ in 0..3 {
            goes.add(method.keep_asking(clients, command.time() / 3).await?);
        }
        let resident = memory::peak(service.pid()).unwrap_or_default();
        anyhow::Ok((goes, resident))
    })?;
    Ok(vec![
        ("calls", Unit::CallsPerSecond, goes.rate().rate()),
        (
            "half of the calls within",
            Unit::Milliseconds,
            goes.within(0.5),
        ),
        (
            "99 of 100 calls within",
            Unit::Milliseconds,
            goes.within(0.99),
        ),
        ("memory of the service", Unit::Bytes, resident as f64),
    ])
}
