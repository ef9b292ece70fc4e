//! The position of a case: its map, its counters, its conditions.

use std::collections::BTreeMap;
use std::sync::Arc;

use alamein_hex::{Grid, Hex};
use alamein_terrain::{
    Counter, CounterClass, CounterFlags, Environment, EnvironmentCondition, FireLane, Map, Position,
};

use crate::known::Known;
use crate::layers;
use crate::node::{Node, Wrong};

/// The words for Environmental Conditions.
pub(crate) const CONDITIONS: [(&str, EnvironmentCondition); 5] = [
    ("dry", EnvironmentCondition::Dry),
    ("moist", EnvironmentCondition::Moist),
    ("wet", EnvironmentCondition::Wet),
    ("mud", EnvironmentCondition::Mud),
    ("snow", EnvironmentCondition::Snow),
];

/// Reads the position of a scenario; puts fields that mean nothing here into `strangers`.
pub(crate) fn read(
    scenario: &Node<'_>,
    known: &Known,
    strangers: &mut Vec<String>,
) -> Result<Position, Wrong> {
    let map = map(&scenario.need("map")?, known, strangers)?;
    let mut counters = Vec::new();
    if let Some(list) = scenario.get("counters") {
        for node in list.items()? {
            counters.push(counter(&node, &map.grid, strangers)?);
        }
    }
    let ec = match scenario.get("ec") {
        Some(ec) => ec.word(&CONDITIONS)?,
        None => EnvironmentCondition::default(),
    };
    let mut lanes = Vec::new();
    if let Some(list) = scenario.get("fire_lanes") {
        for node in list.items()? {
            let mg = node.need("mg")?.text()?.to_owned();
            let hex = hex(&node.need("hex")?, &map.grid)?;
            strangers.extend(node.strangers(&["mg", "hex"]));
            lanes.push(FireLane { mg, hex });
        }
    }
    Position::new(Arc::new(map), counters, Environment { ec })
        .and_then(|position| position.with_fire_lanes(lanes))
        .map_err(|error| Node::top(scenario.value).wrong(error.to_string()))
}

fn map(node: &Node<'_>, known: &Known, strangers: &mut Vec<String>) -> Result<Map, Wrong> {
    strangers.extend(node.strangers(&["board", "overlays", "layers", "base_level", "levels"]));
    let grid = match node.get("board") {
        Some(board) => grid(&board)?,
        None => Grid::geomorphic(),
    };
    let mut map = Map::flat(grid);
    if let Some(level) = node.get("base_level") {
        map.base_level = level.number()?;
    }
    if let Some(levels) = node.get("levels") {
        for (name, level) in levels.fields()? {
            map.levels
                .insert(hex_named(name, &level, &grid)?, level.number()?);
        }
    }
    if let Some(layers) = node.get("layers") {
        map.layers = layers::read(&layers, &grid, known)?;
    }
    Ok(map)
}

/// The size of a board: `33x10 geomorphic`, or columns and rows.
fn grid(node: &Node<'_>) -> Result<Grid, Wrong> {
    let (columns, rows) = if node.value.is_object() {
        (
            node.need("columns")?.number()?,
            node.need("rows")?.number()?,
        )
    } else {
        let text = node.text()?;
        let size = text.split_whitespace().next().unwrap_or_default();
        let sides = size.split_once('x').and_then(|(columns, rows)| {
            Some((columns.parse::<u16>().ok()?, rows.parse::<u16>().ok()?))
        });
        sides.ok_or_else(|| {
            node.wrong(format!(
                "{text:?} is no board: write columns and rows, as in \"33x10 geomorphic\""
            ))
        })?
    };
    Grid::new(columns, rows).map_err(|error| node.wrong(error.to_string()))
}

/// A hex by name.
pub(crate) fn hex(node: &Node<'_>, grid: &Grid) -> Result<Hex, Wrong> {
    hex_named(node.text()?, node, grid)
}

fn hex_named(name: &str, node: &Node<'_>, grid: &Grid) -> Result<Hex, Wrong> {
    grid.hex(name)
        .map_err(|error| node.wrong(error.to_string()))
}

/// Reads one counter.
pub(crate) fn counter(
    node: &Node<'_>,
    grid: &Grid,
    strangers: &mut Vec<String>,
) -> Result<Counter, Wrong> {
    let class = class(&node.need("class")?)?;
    let id = node.need("id")?.text()?;
    let mut counter = Counter::new(id, class, hex(&node.need("hex")?, grid)?);
    counter.side = text(node, "side")?;
    counter.aboard = text(node, "aboard")?;
    if let Some(height) = node.get("height") {
        counter.height = height.number()?;
    }
    for (name, flag) in CounterFlags::NAMED {
        match node.get(name) {
            Some(set) if set.flag()? => counter.flags = counter.flags.and(flag),
            _ => {}
        }
    }
    if let Some(attributes) = node.get("attributes") {
        let attribute = |(name, value): (&str, Node<'_>)| Ok((name.to_owned(), value.number()?));
        counter.attributes = attributes
            .fields()?
            .map(attribute)
            .collect::<Result<BTreeMap<_, _>, Wrong>>()?;
    }
    if let Some(facing) = node.get("facing") {
        counter.facing = Some(facing.number()?);
    }
    if let Some(sides) = node.get("known_to") {
        let side = |side: Node<'_>| Ok(side.text()?.to_owned());
        counter.known_to = sides.items()?.map(side).collect::<Result<_, Wrong>>()?;
    }
    let mut names = vec![
        "id",
        "class",
        "hex",
        "side",
        "aboard",
        "height",
        "facing",
        "attributes",
        "known_to",
    ];
    names.extend(CounterFlags::NAMED.map(|(name, _)| name));
    strangers.extend(node.strangers(&names));
    Ok(counter)
}

fn text(node: &Node<'_>, name: &str) -> Result<Option<String>, Wrong> {
    let Some(node) = node.get(name) else {
        return Ok(None);
    };
    Ok(Some(node.text()?.to_owned()))
}

/// The class of a counter or mover. `infantry` is an ordinary squad.
pub(crate) fn class(node: &Node<'_>) -> Result<CounterClass, Wrong> {
    let infantry = [("infantry", CounterClass::Squad)];
    let classes = CounterClass::ALL.map(|class| (class.name(), class));
    let words: Vec<_> = classes.into_iter().chain(infantry).collect();
    node.word(&words)
}
