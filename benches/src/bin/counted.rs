//! Does one piece of work once, to be counted: `cargo xtask instructions` runs it under callgrind, which
//! collects only while [`counted`] runs.
//!
//! Plugins are linked: what is counted is then the same on every machine that has the same compiler.

use std::hint::black_box;
use std::sync::Arc;

use alamein_figures::here::{Here, again_and_again, walk};
use alamein_figures::scenes::{self, Scene};
use alamein_proto::{Limits, decode, encode, v1};
use alamein_tests::{engine, known, linked_plugins};
use anyhow::{Context, Result, bail};
use prost::Message as _;

/// What can be counted, in words that `--list` tells.
const ALL: [&str; 8] = [
    "1000 lines walked",
    "verdicts of all lines from a hex of a board",
    "verdicts of all lines from a hex of four boards",
    "a ruling with findings",
    "a batch of 100 with findings",
    "a dense batch of 100 with findings",
    "a new map of four boards",
    "a position of 60 counters decoded",
];

fn main() -> Result<()> {
    let wanted = std::env::args().nth(1).context("what is to be counted?")?;
    if wanted == "--list" {
        ALL.iter().for_each(|name| println!("{name}"));
        return Ok(());
    }
    let engine = engine(&linked_plugins()?)?;
    let example = scenes::example(&known(&engine))?;
    let dense = scenes::dense()?;
    let here = Here::new(engine);
    match wanted.as_str() {
        "1000 lines walked" => {
            let pairs = scenes::pairs_within(&dense.position, 1000, 1..=32);
            twice(|| walk(&pairs));
        }
        "verdicts of all lines from a hex of a board" => look(&here, &example),
        "verdicts of all lines from a hex of four boards" => look(&here, &dense),
        "a ruling with findings" => rulings(&here, &example, 1),
        "a batch of 100 with findings" => rulings(&here, &example, 100),
        "a dense batch of 100 with findings" => rulings(&here, &dense, 100),
        "a new map of four boards" => {
            let shot = &dense.shots[..1];
            here.afresh()?.rule(&dense.position, shot)?;
            let fresh = here.afresh()?;
            once(|| fresh.rule(&dense.position, shot));
        }
        "a position of 60 counters decoded" => decoded(&dense)?,
        other => bail!("{other:?} is none of {ALL:?}"),
    }
    Ok(())
}

/// From the hex in the middle.
fn look(here: &Here, scene: &Scene) {
    let grid = scene.position.map().grid;
    let hexes: Vec<_> = grid.hexes().collect();
    let middle = hexes[hexes.len() / 2];
    twice(|| here.look(&scene.position, middle));
}

fn rulings(here: &Here, scene: &Scene, count: usize) {
    let questions = again_and_again(&scene.shots, count);
    twice(|| here.rule(&scene.position, &questions));
}

fn decoded(scene: &Scene) -> Result<()> {
    // The map by its id, as who keeps a position sends the next.
    let message = encode::position(&scene.position, true).encode_to_vec();
    let map = Arc::clone(scene.position.map());
    let limits = Limits::default();
    let read = || {
        let read = v1::Position::decode(message.as_slice()).ok()?;
        decode::position(&read, &limits, &|_| Some(Arc::clone(&map))).ok()
    };
    read().context("the position is not read")?;
    once(read);
    Ok(())
}

/// Once for all that is only done the first time, and once to be counted.
fn twice<T>(mut work: impl FnMut() -> T) {
    black_box(work());
    once(work);
}

fn once<T>(mut work: impl FnMut() -> T) {
    counted(&mut || {
        black_box(work());
    });
}

/// What is counted. Its name is what callgrind looks for.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    black_box(());
}
