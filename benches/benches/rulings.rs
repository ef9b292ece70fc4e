//! How long a ruling takes, in-process, and what of it is the plugin boundary.
//!
//! `cargo bench -p alamein-benches` prints, for the worked example:
//!
//! - `trace`: the line from H to K looked up and walked;
//! - `boundary`: one round of one plugin that says nothing, asked about one line;
//! - `empty`: a whole ruling by that plugin alone;
//! - `line_of_fire`: H fires at K, ruled on by the six plugins, linked and loaded;
//! - `line_of_sight`: J looks at H, the same;
//! - `batch_of_1000`: a thousand lines of fire at once, time for each.
#![allow(clippy::unwrap_used)] // A benchmark may.

use std::sync::{Arc, OnceLock};

use alamein_cases::{Asked, Case};
use alamein_engine::{Engine, Ruleset, Wanted};
use alamein_plugin_host::{NativePlugin, Vocabulary};
use alamein_terrain::{Ask, Attack, Budget, End, Map, Position, PreparedFeature, Question};
use alamein_tests::{engine, known, linked_plugins, loaded_plugins, root};
use divan::Bencher;
use divan::counter::ItemsCount;
use futures::executor::block_on;

fn main() {
    divan::main();
}

struct Ready {
    engine: Engine,
    ruleset: Arc<Ruleset>,
    position: Arc<Position>,
}

fn ready(plugins: &[NativePlugin]) -> Ready {
    let engine = engine(plugins).unwrap();
    // The example's layers are read by what the six plugins say of them, whoever rules on it.
    let six = alamein_tests::engine(&linked_plugins().unwrap()).unwrap();
    let position = Arc::clone(&example(&six).position);
    Ready {
        ruleset: engine.ruleset(),
        engine,
        position,
    }
}

fn example(engine: &Engine) -> Case {
    let file = root().join("tests/cases/f4-example.json");
    alamein_cases::load(&file, &known(engine)).unwrap()
}

fn linked() -> &'static Ready {
    static READY: OnceLock<Ready> = OnceLock::new();
    READY.get_or_init(|| ready(&linked_plugins().unwrap()))
}

fn loaded() -> &'static Ready {
    static READY: OnceLock<Ready> = OnceLock::new();
    READY.get_or_init(|| ready(&loaded_plugins().unwrap()))
}

fn empty() -> NativePlugin {
    NativePlugin::linked(&alamein_benches::alamein_plugin_empty).unwrap()
}

fn end(id: &str) -> End {
    End::Counter {
        id: id.into(),
        corner: None,
    }
}

fn fire() -> Question {
    let (from, to) = (end("H"), end("K"));
    Question::new(Ask::LineOfFire {
        from,
        to,
        attack: Attack::Direct,
        munition: alamein_terrain::Munition::Other,
    })
}

fn sight() -> Question {
    Question::new(Ask::LineOfSight {
        from: end("J"),
        to: end("H"),
    })
}

fn ask(bencher: Bencher<'_, '_>, ready: &Ready, questions: &[Question]) {
    bencher.counter(ItemsCount::new(questions.len())).bench(|| {
        let position = Arc::clone(&ready.position);
        ready
            .engine
            .adjudicate_here(&ready.ruleset, position, questions, Wanted::default())
    });
}

#[divan::bench]
fn trace(bencher: Bencher<'_, '_>) {
    let grid = alamein_hex::Grid::geomorphic();
    let (from, to) = (grid.hex("S4").unwrap(), grid.hex("Q7").unwrap());
    bencher.bench(|| {
        alamein_hex::trace_between(divan::black_box(from), divan::black_box(to))
            .touched()
            .map(|touch| touch.hex.q)
            .sum::<i16>()
    });
}

#[divan::bench]
fn boundary(bencher: Bencher<'_, '_>) {
    let plugin = empty();
    let vocabulary = Vocabulary::of([&plugin]);
    let options = plugin.manifest().options_with(&Default::default());
    let feature = plugin.instantiate(options, &vocabulary, 0).unwrap();
    let grid = alamein_hex::Grid::geomorphic();
    let prepared: Arc<dyn PreparedFeature> = block_on(alamein_terrain::TerrainFeature::prepare(
        &feature,
        &Map::flat(grid),
    ))
    .unwrap();
    let line = alamein_benches::line(&grid, "S4", "Q7");
    let levels = vec![0; grid.len()];
    bencher.bench(|| {
        let batch = alamein_benches::batch(&levels, std::slice::from_ref(&line));
        block_on(prepared.observe_lines(batch, Budget::default()))
    });
}

#[divan::bench]
fn empty_ruling(bencher: Bencher<'_, '_>) {
    let ready = ready_empty();
    let layers = ready.position.map().layers.keys().cloned().collect();
    let hex = |id: &str| {
        End::Hex(alamein_hex::Aim::centre(
            ready.position.counter(id).unwrap().hex,
        ))
    };
    let ask_it = Ask::LineOfFire {
        from: hex("H"),
        to: hex("K"),
        attack: Attack::Direct,
        munition: alamein_terrain::Munition::Other,
    };
    let question = Question {
        ignore_layers: layers,
        ..Question::new(ask_it)
    };
    ask(bencher, &ready, &[question]);
}

fn ready_empty() -> Ready {
    ready(&[empty()])
}

#[divan::bench]
fn line_of_fire_linked(bencher: Bencher<'_, '_>) {
    ask(bencher, linked(), &[fire()]);
}

#[divan::bench]
fn line_of_fire_loaded(bencher: Bencher<'_, '_>) {
    ask(bencher, loaded(), &[fire()]);
}

#[divan::bench]
fn line_of_sight_loaded(bencher: Bencher<'_, '_>) {
    ask(bencher, loaded(), &[sight()]);
}

#[divan::bench]
fn batch_of_1000_loaded(bencher: Bencher<'_, '_>) {
    let ready = loaded();
    let case = example(&ready.engine);
    let fires = case
        .questions
        .iter()
        .filter_map(|question| match &question.asked {
            Asked::Question(asked) if matches!(asked.ask, Ask::LineOfFire { .. }) => Some(asked),
            _ => None,
        });
    let questions: Vec<Question> = fires
        .map(|question| (**question).clone())
        .cycle()
        .take(1000)
        .collect();
    ask(bencher, ready, &questions);
}
