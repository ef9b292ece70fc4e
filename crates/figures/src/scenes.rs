//! What is judged when it is measured: maps, counters and questions that are the same everywhere.

mod army;
mod chance;
mod desert;

use std::sync::Arc;

use alamein_cases::{Asked, Known};
use alamein_hex::{Aim, Hex};
use alamein_maps::MapFile;
use alamein_terrain::{Ask, Attack, End, Environment, Map, Munition, Position, Question};
use anyhow::{Context, Result};

pub use army::army;
pub use chance::Chance;
pub use desert::desert;

/// The worked example, as a case file.
pub const EXAMPLE: &str = include_str!("../../../tests/cases/f4-example.json");

/// The dense desert, as a map file: what [`desert`] makes of two boards by two.
pub const DENSE: &str = include_str!("../../../docs/maps/dense-desert.toml");

/// How many counters stand on the dense desert.
pub const DENSE_COUNTERS: usize = 60;

/// A position, and shots on it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What it is called in figures.
    pub name: &'static str,
    /// Where everything stands.
    pub position: Arc<Position>,
    /// Lines of fire, to be asked again and again.
    pub shots: Vec<Question>,
}

/// One geomorphic board with nothing on it.
///
/// # Errors
/// None that this map can bring about.
pub fn empty() -> Result<Scene> {
    let map = Arc::new(Map::flat(alamein_hex::Grid::geomorphic()));
    let position = Position::new(map, Vec::new(), Environment::default())?;
    let shots = shots_between_hexes(&position, 96, 16);
    Ok(Scene {
        name: "empty",
        position: Arc::new(position),
        shots,
    })
}

/// The worked example and its lines of fire, as far as these plugins know its layers.
///
/// # Errors
/// Where they do not know what the example has.
pub fn example(known: &Known) -> Result<Scene> {
    let case = alamein_cases::parse("the worked example", EXAMPLE, known)?;
    let shots = case.questions.iter().filter_map(|question| {
        let Asked::Question(asked) = &question.asked else {
            return None;
        };
        matches!(asked.ask, Ask::LineOfFire { .. }).then(|| (**asked).clone())
    });
    Ok(Scene {
        name: "example",
        shots: shots.collect(),
        position: case.position,
    })
}

/// Four boards of desert with every overlay there is, and sixty counters that shoot at each other.
///
/// # Errors
/// None that this map can bring about.
pub fn dense() -> Result<Scene> {
    let (_, map) = MapFile::read_toml(DENSE)
        .map_err(|wrong| anyhow::anyhow!("the dense desert: {wrong:?}"))?;
    let position = with_army(Arc::new(map), DENSE_COUNTERS)?;
    Ok(Scene {
        name: "dense",
        shots: shots_between_counters(&position, 16),
        position: Arc::new(position),
    })
}

/// A desert of so many boards (in as square a rectangle as there is) with so many counters.
///
/// # Errors
/// Where a map cannot have so many boards.
pub fn of_size(boards: u16, counters: usize) -> Result<Scene> {
    let map = Arc::new(desert(boards)?.to_map()?);
    let position = with_army(map, counters)?;
    let shots = match counters {
        0 | 1 => shots_between_hexes(&position, 96, 16),
        _ => shots_between_counters(&position, 16),
    };
    Ok(Scene {
        name: "desert",
        shots,
        position: Arc::new(position),
    })
}

/// A map with so many counters.
fn with_army(map: Arc<Map>, counters: usize) -> Result<Position> {
    let army = army(&map, counters);
    Position::new(map, army, Environment::default()).context("the army does not fit the map")
}

/// A line of fire from here to there.
#[must_use]
pub fn shot(from: End, to: End) -> Question {
    Question::new(Ask::LineOfFire {
        from,
        to,
        attack: Attack::Direct,
        munition: Munition::Other,
    })
}

/// Lines of fire between hexes of a map, up to a range: some of all of them, by chance that is the same
/// each time.
#[must_use]
pub fn shots_between_hexes(position: &Position, count: usize, range: u16) -> Vec<Question> {
    shots_between(&pairs_within(position, count, 1..=range))
}

/// Lines of fire between these hexes.
#[must_use]
pub fn shots_between(pairs: &[(Hex, Hex)]) -> Vec<Question> {
    let end = |hex: &Hex| End::Hex(Aim::centre(*hex));
    let shots = pairs.iter().map(|(from, to)| shot(end(from), end(to)));
    shots.collect()
}

/// Pairs of hexes of a map whose range is within these bounds.
#[must_use]
pub fn pairs_within(
    position: &Position,
    count: usize,
    range: std::ops::RangeInclusive<u16>,
) -> Vec<(Hex, Hex)> {
    let hexes: Vec<Hex> = position.map().grid.hexes().collect();
    let mut chance = Chance::new(7);
    let mut found = Vec::with_capacity(count);
    // Bounded, for a map may be too small for any.
    for _ in 0..count.saturating_mul(10_000) {
        if found.len() == count {
            break;
        }
        let (Some(from), Some(to)) = (chance.one_of(&hexes), chance.one_of(&hexes)) else {
            break;
        };
        if range.contains(&from.range(*to)) {
            found.push((*from, *to));
        }
    }
    found
}

/// Lines of fire between counters of different sides, up to a range: at most 200, spread over them.
fn shots_between_counters(position: &Position, range: u16) -> Vec<Question> {
    let counters = position.counters();
    let mut shots = Vec::new();
    // All pairs, those that lie far apart in the list not after the others.
    for step in 1..counters.len() {
        for at in 0..counters.len() {
            let (Some(from), Some(to)) =
                (counters.get(at), counters.get((at + step) % counters.len()))
            else {
                continue;
            };
            let near = (1..=range).contains(&from.hex.range(to.hex));
            if near && from.side != to.side && from.side.is_some() && to.side.is_some() {
                let end = |id: &String| End::Counter {
                    id: id.clone(),
                    corner: None,
                };
                shots.push(shot(end(&from.id), end(&to.id)));
            }
            if shots.len() == 200 {
                return shots;
            }
        }
    }
    shots
}
