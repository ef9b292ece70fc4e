//! How soon a service is there, and what memory it has.

use std::path::Path;

use alamein_cases::Known;
use alamein_client::{Client, Kept, View};
use alamein_figures::clock::Took;
use alamein_figures::scenes::{self, Chance, Scene};
use alamein_figures::{Figure, Report, Unit, memory};
use alamein_hex::Hex;
use alamein_terrain::{Change, Position};
use anyhow::{Context, Result};

use super::raw::Method;
use super::spawned::Spawned;
use super::{calls, say};
use crate::args::Bench;
use crate::threads::threads;

/// How often a service is started.
const STARTS: usize = 5;
/// How many positions more are kept.
const POSITIONS: usize = 2000;
/// Fewer, where it is only tried whether all works.
const FEW_POSITIONS: usize = 50;

/// Starts services, and lets one keep positions.
pub(super) fn measure(command: &Bench, known: &Known, report: &mut Report) -> Result<()> {
    let runtime = threads(None)?;
    say("how soon a service is there");
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let service = Spawned::service(command, "memory")?;
        let (_, after) = runtime.block_on(service.ready())?;
        starts.push(after.as_secs_f64());
    }
    let took = Took::of(starts);
    report.figures.push(Figure::millis("service/start", took));
    say("what memory a service has");
    let folder = tempfile::tempdir().context("no folder for a store")?;
    runtime.block_on(memory_of(command, known, "memory", "", report))?;
    let store = folder.path().display().to_string();
    runtime.block_on(memory_of(command, known, &store, " in a folder", report))?;
    report.figures.extend(on_disk(folder.path()));
    Ok(())
}

/// What a service has with the worked example, and what each position more takes: the dense desert with
/// its sixty counters, one of them elsewhere each time.
async fn memory_of(
    command: &Bench,
    known: &Known,
    store: &str,
    suffix: &str,
    report: &mut Report,
) -> Result<()> {
    let service = Spawned::service(command, store)?;
    let (client, _) = service.ready().await?;
    let example = scenes::example(known)?;
    let subject = calls::kept(&client, &example).await?;
    let requests = calls::lines_of_fire(&example, &subject, View::Full);
    let method = Method::new(&service.address, 4, calls::UNARY, requests).await?;
    method.keep_asking(8, command.time()).await?;
    let resident = |pid| memory::resident(pid).context("this system tells no memory");
    let with_example = resident(service.pid())?;
    let name = format!("service/memory{suffix}");
    report
        .figures
        .push(Figure::one(name, Unit::Bytes, with_example as f64));

    let dense = scenes::dense()?;
    let kept = client.create_position(&dense.position).await?;
    let count = match command.time().as_secs_f64() < 0.2 {
        true => FEW_POSITIONS,
        false => POSITIONS,
    };
    // What comes once, comes before: caches that keep to their bounds are full.
    let mut mover = Mover::new(&dense);
    mover.keep(&client, kept, count / 2).await?;
    let before = resident(service.pid())?;
    mover.keep(&client, kept, count).await?;
    let after = resident(service.pid())?;
    let each = after.saturating_sub(before) as f64 / count as f64;
    let name = format!("service/memory for a position{suffix}");
    report.figures.push(Figure::one(name, Unit::Bytes, each));
    Ok(())
}

/// Moves one counter after another, so that each position differs from the first by one.
struct Mover<'a> {
    position: &'a Position,
    hexes: Vec<Hex>,
    chance: Chance,
    moved: usize,
}

impl<'a> Mover<'a> {
    fn new(scene: &'a Scene) -> Self {
        Self {
            position: &scene.position,
            hexes: scene.position.map().grid.hexes().collect(),
            chance: Chance::new(60),
            moved: 0,
        }
    }

    /// Has so many more positions kept.
    async fn keep(&mut self, client: &Client, first: Kept, count: usize) -> Result<()> {
        let mut kept = 0;
        while kept < count {
            let applied = client.apply(first, &[self.next()?], false).await?;
            kept += usize::from(applied.created);
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Change> {
        let counters = self.position.counters();
        self.moved += 1;
        let counter = counters.get(self.moved % counters.len());
        let to = self.chance.one_of(&self.hexes);
        let (counter, to) = (counter.context("no counter")?, *to.context("no hex")?);
        Ok(Change::Move {
            id: counter.id.clone(),
            hex: to,
            height: None,
            aboard: None,
        })
    }
}

/// What the store takes on disk for each position.
fn on_disk(folder: &Path) -> Option<Figure> {
    let files = std::fs::read_dir(folder).ok()?;
    let sizes = files.filter_map(|file| Some(file.ok()?.metadata().ok()?.len()));
    let bytes = sizes.sum::<u64>() as f64;
    Some(Figure::one("service/store on disk", Unit::Bytes, bytes))
}
