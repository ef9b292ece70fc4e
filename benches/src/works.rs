//! Pieces of work of which something is counted: instructions, or what is allocated.
//!
//! Plugins are linked: what is counted is then the same on every machine that has the same compiler.

use std::hint::black_box;
use std::sync::Arc;

use alamein_figures::here::{Here, again_and_again, walk};
use alamein_figures::scenes::{self, Scene};
use alamein_hex::Hex;
use alamein_proto::{Limits, decode, encode, v1};
use alamein_tests::{engine, known, linked_plugins};
use anyhow::{Context, Result, bail};
use prost::Message as _;

/// What there is, in words.
pub const ALL: [&str; 10] = [
    "1000 lines walked",
    "verdicts of all lines from a hex of a board",
    "verdicts of all lines from a hex of four boards",
    "first verdicts of all lines from a hex of four boards",
    "a ruling with findings",
    "a batch of 100 with findings",
    "a batch of 1000 with findings",
    "a dense batch of 100 with findings",
    "a new map of four boards",
    "a position of 60 counters decoded",
];

/// Who counts while a piece of work is done.
pub type Counted<'a> = &'a dyn Fn(&mut dyn FnMut());

/// Does a piece of work, of which `counted` does what is to be counted.
///
/// # Errors
/// Where there is none of this name, or it cannot be done.
pub fn work(name: &str, counted: Counted<'_>) -> Result<()> {
    let engine = engine(&linked_plugins()?)?;
    let example = scenes::example(&known(&engine))?;
    let dense = scenes::dense()?;
    let here = Here::new(engine);
    match name {
        "1000 lines walked" => {
            let pairs = scenes::pairs_within(&dense.position, 1000, 1..=32);
            twice(counted, || walk(&pairs));
        }
        "verdicts of all lines from a hex of a board" => look(counted, &here, &example),
        "verdicts of all lines from a hex of four boards" => look(counted, &here, &dense),
        "first verdicts of all lines from a hex of four boards" => {
            // From another hex, so that the map is ready.
            here.look(&dense.position, middle(&dense, 3))?;
            once(counted, || here.look(&dense.position, middle(&dense, 2)));
        }
        "a ruling with findings" => rulings(counted, &here, &example, 1),
        "a batch of 100 with findings" => rulings(counted, &here, &example, 100),
        "a batch of 1000 with findings" => rulings(counted, &here, &example, 1000),
        "a dense batch of 100 with findings" => rulings(counted, &here, &dense, 100),
        "a new map of four boards" => {
            let shot = &dense.shots[..1];
            here.afresh()?.rule(&dense.position, shot)?;
            let fresh = here.afresh()?;
            once(counted, || fresh.rule(&dense.position, shot));
        }
        "a position of 60 counters decoded" => decoded(counted, &dense)?,
        other => bail!("{other:?} is none of {ALL:?}"),
    }
    Ok(())
}

/// From the hex in the middle.
fn look(counted: Counted<'_>, here: &Here, scene: &Scene) {
    twice(counted, || here.look(&scene.position, middle(scene, 2)));
}

/// The hex that ends the first half of a map, or the first third.
fn middle(scene: &Scene, parts: usize) -> Hex {
    let hexes: Vec<Hex> = scene.position.map().grid.hexes().collect();
    hexes[hexes.len() / parts]
}

fn rulings(counted: Counted<'_>, here: &Here, scene: &Scene, count: usize) {
    let questions = again_and_again(&scene.shots, count);
    twice(counted, || here.rule(&scene.position, &questions));
}

fn decoded(counted: Counted<'_>, scene: &Scene) -> Result<()> {
    // The map by its id, as who keeps a position sends the next.
    let message = encode::position(&scene.position, true).encode_to_vec();
    let map = Arc::clone(scene.position.map());
    let limits = Limits::default();
    let read = || {
        let read = v1::Position::decode(message.as_slice()).ok()?;
        decode::position(&read, &limits, &|_| Some(Arc::clone(&map))).ok()
    };
    read().context("the position is not read")?;
    once(counted, read);
    Ok(())
}

/// Once for all that is only done the first time, and once to be counted.
fn twice<T>(counted: Counted<'_>, mut work: impl FnMut() -> T) {
    black_box(work());
    once(counted, work);
}

fn once<T>(counted: Counted<'_>, mut work: impl FnMut() -> T) {
    counted(&mut || {
        black_box(work());
    });
}
