//! What a plugin costs that is loaded, against the same that is linked, in one run and by turns:
//!
//! ```console
//! $ cargo bench -p alamein-benches                        # a table
//! $ cargo bench -p alamein-benches -- --json --for 5      # as JSON, each measured for five seconds
//! $ cargo bench -p alamein-benches -- --curve plugins     # how a ruling grows with the plugins: 1 to 30
//! ```
//!
//! What a service costs, and all that needs no linked plugins, `alamein bench` measures.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use alamein_benches::fillers::{FILLERS, layer};
use alamein_engine::{Engine, Ruleset, RulesetConfig};
use alamein_figures::clock::{Took, time, versus};
use alamein_figures::curve::{Curve, Series};
use alamein_figures::here::{Here, again_and_again, viewpoints};
use alamein_figures::scenes::{self, Chance, Scene};
use alamein_figures::{Figure, Machine, Report, Unit, telling};
use alamein_plugin_host::{NativePlugin, Vocabulary};
use alamein_terrain::{
    Budget, Environment, Field, Layer, Map, Position, PreparedFeature, TerrainFeature,
};
use alamein_tests::{engine, known, linked_plugins, loaded_plugins};
use anyhow::Result;
use clap::{Parser, ValueEnum};
use futures::executor::block_on;

/// How many questions are asked at a time.
const QUESTIONS: usize = 1000;

/// What to measure.
#[derive(Parser)]
struct Arguments {
    /// How many seconds to measure each thing
    #[arg(long = "for", default_value_t = 2.0)]
    seconds: f64,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Measure how something grows instead
    #[arg(long, value_enum)]
    curve: Option<CurveName>,
    /// As cargo says it
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum CurveName {
    /// With the plugins
    Plugins,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let budget = Duration::from_secs_f64(arguments.seconds);
    if arguments.curve.is_some() {
        let curve = plugins(budget)?;
        match arguments.json {
            true => println!("{}", serde_json::to_string_pretty(&[curve])?),
            false => print!("{}", telling::curve(&curve)),
        }
        return Ok(());
    }
    let report = report(budget)?;
    match arguments.json {
        true => println!("{}", serde_json::to_string_pretty(&report)?),
        false => print!("{}", telling::table(&report, None)),
    }
    Ok(())
}

fn report(budget: Duration) -> Result<Report> {
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        machine: Machine::here(),
        seconds: budget.as_secs_f64(),
        ..Report::default()
    };
    let nothing = micros("boundary", boundary(budget)?);
    report.figures.push(nothing);
    let (linked, loaded) = (linked_plugins()?, loaded_plugins()?);
    let (linked, loaded) = (engine(&linked)?, engine(&loaded)?);
    let known = known(&linked);
    let (linked, loaded) = (Here::new(linked), Here::new(loaded));
    for scene in [scenes::example(&known)?, scenes::dense()?] {
        let hexes = viewpoints(&scene);
        for hex in &hexes {
            linked.look(&scene.position, *hex)?;
            loaded.look(&scene.position, *hex)?;
        }
        let look = |here: &Here, at: &mut usize| {
            *at = (*at + 1) % hexes.len();
            here.look(&scene.position, hexes[*at])
        };
        let (mut here, mut there) = (0, 0);
        let took = versus(
            budget,
            scene.position.map().grid.len(),
            || look(&linked, &mut here),
            || look(&loaded, &mut there),
        );
        against(
            &mut report,
            "verdicts",
            scene.name,
            Unit::LinesPerSecond,
            took,
        );
        let questions = again_and_again(&scene.shots, QUESTIONS);
        let ask = |here: &Here| here.rule(&scene.position, &questions);
        ask(&linked)?;
        ask(&loaded)?;
        let took = versus(budget, QUESTIONS, || ask(&linked), || ask(&loaded));
        against(
            &mut report,
            "findings",
            scene.name,
            Unit::RulingsPerSecond,
            took,
        );
    }
    Ok(report)
}

/// Adds how fast it was linked and loaded, and the one by the other: by how much loading slows it.
fn against(
    report: &mut Report,
    what: &str,
    scene: &str,
    unit: Unit,
    (linked, loaded): (Took, Took),
) {
    let name = |how: &str| format!("{how} {what}/{scene}");
    let figures = [("linked", linked), ("loaded", loaded)];
    let figures = figures.map(|(how, took)| Figure::rate(name(how), unit, took));
    report.figures.extend(figures);
    let ratio = format!("linked to loaded: {what}/{scene}");
    report.set_against(&ratio, &name("linked"), &name("loaded"));
}

fn micros(name: &str, took: Took) -> Figure {
    Figure {
        best: Some(took.best * 1e6),
        ..Figure::one(name, Unit::Microseconds, took.middle * 1e6)
    }
}

/// One round of one plugin that says nothing, asked about one line.
fn boundary(budget: Duration) -> Result<Took> {
    let plugin = NativePlugin::linked(&alamein_benches::alamein_plugin_empty)?;
    let vocabulary = Vocabulary::of([&plugin]);
    let options = plugin.manifest().options_with(&Default::default());
    let feature = plugin.instantiate(options, &vocabulary, 0)?;
    let grid = alamein_hex::Grid::geomorphic();
    let prepared: Arc<dyn PreparedFeature> =
        block_on(TerrainFeature::prepare(&feature, &Map::flat(grid)))?;
    let line = alamein_benches::line(&grid, "S4", "Q7");
    let levels = vec![0; grid.len()];
    Ok(time(budget, 1, || {
        let batch = alamein_benches::batch(&levels, std::slice::from_ref(&line));
        block_on(prepared.observe_lines(batch, Budget::default()))
    }))
}

/// How a ruling, and a map that is new, grow with the plugins: those of this repository, then fillers
/// that each have a twentieth of the map for their terrain.
fn plugins(budget: Duration) -> Result<Curve> {
    let all = linked_plugins()?;
    let fillers = FILLERS
        .iter()
        .map(|(_, plugin)| NativePlugin::linked(plugin));
    let all: Vec<NativePlugin> = all
        .into_iter()
        .map(Ok)
        .chain(fillers)
        .collect::<Result<_, _>>()?;
    let mut series = [
        Series::new("a ruling with its findings", Unit::Microseconds),
        Series::new("a map that is new", Unit::Milliseconds),
    ];
    for count in [1, 2, 3, 5, 7, 10, 15, 20, 30] {
        // `sight` is the sixth: nothing is judged without it. It goes first here.
        let mut chosen = all.clone();
        chosen.sort_by_key(|plugin| plugin.id() != "sight");
        chosen.truncate(count);
        let ruleset = Ruleset::build(&chosen, &RulesetConfig::default())?;
        let engine = Engine::new(ruleset)?;
        let scene = filled(count, &engine)?;
        let here = Here::new(engine);
        let ruling = here.batch(&scene, QUESTIONS, budget)?;
        let fresh = here.first(&scene, budget)?;
        let size = count as f64;
        series[0].points.push((size, ruling.middle * 1e6));
        series[1].points.push((size, fresh.middle * 1e3));
    }
    Ok(Curve {
        name: "plugins".to_owned(),
        across: "plugins".to_owned(),
        series: series.into(),
    })
}

/// The dense desert, with the terrain of fillers as far as these plugins own it and no other.
fn filled(count: usize, engine: &Engine) -> Result<Scene> {
    let scene = scenes::dense()?;
    let mut map = Map::clone(scene.position.map());
    let ruleset = engine.ruleset();
    let owned = |name: &str| ruleset.owner(name).is_some();
    map.layers.retain(|name, _| owned(name));
    let hexes: Vec<_> = map.grid.hexes().collect();
    for (number, _) in FILLERS.iter().filter(|(number, _)| owned(&layer(*number))) {
        let mut chance = Chance::new(*number as u64 + 1000 * count as u64);
        let some = (0..hexes.len() / 20).filter_map(|_| chance.one_of(&hexes).copied());
        let field = Field::Hexes(some.collect::<BTreeSet<_>>());
        let fields = BTreeMap::from([("hexes".to_owned(), field)]);
        map.layers.insert(layer(*number), Layer { fields });
    }
    let counters = scene.position.counters().to_vec();
    let position = Position::new(Arc::new(map), counters, Environment::default())?;
    Ok(Scene {
        position: Arc::new(position),
        ..scene
    })
}
