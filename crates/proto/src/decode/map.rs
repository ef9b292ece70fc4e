//! Maps.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Grid, GridError, Hex, Hexside};
use alamein_terrain::{Field, Layer, Map};

use super::basics::{hex, hexside, name};
use crate::refused::{Limits, Refused};
use crate::v1::{self, ErrorReason, layer_field::Kind};
use crate::within::each;

/// Reads a map. Whether its layers suit the plugins is the engine's to say.
///
/// # Errors
/// Where the grid is too large, a hex is off it, or something stands there twice.
pub fn map(map: &v1::Map, limits: &Limits) -> Result<Map, Refused> {
    let grid = grid(map.board.as_ref(), limits)?;
    let base_level = level(map.base_level, "base_level")?;
    let mut levels = BTreeMap::new();
    each(&map.levels, "levels", ".", |given| {
        let hex = hex(&grid, &given.hex, "hex")?;
        match levels.insert(hex, level(given.level, "level")?) {
            None => Ok(()),
            Some(_) => Err(twice_hex(&grid, hex, "hex")),
        }
    })?;
    let mut layers = BTreeMap::new();
    each(&map.layers, "layers", ".", |given| {
        let called = name(&given.name, "name", limits)?;
        match layers.insert(called.to_owned(), layer(given, &grid, limits)?) {
            None => Ok(()),
            Some(_) => Err(twice_layer(called, "two layers have this name")),
        }
    })?;
    Ok(Map {
        grid,
        base_level,
        levels,
        layers,
    })
}

/// Reads the size of a grid, and refuses one too large before anything is made of it.
fn grid(board: Option<&v1::Board>, limits: &Limits) -> Result<Grid, Refused> {
    let geomorphic = Grid::geomorphic();
    let (columns, rows) = match board {
        None
        | Some(v1::Board {
            columns: 0,
            rows: 0,
        }) => (
            u32::from(geomorphic.columns()),
            u32::from(geomorphic.rows()),
        ),
        Some(board) => (board.columns, board.rows),
    };
    let hexes = u64::from(columns) * u64::from(rows) + u64::from(columns / 2);
    if hexes > limits.max_hexes as u64 {
        let most = limits.max_hexes;
        let message = format!("the map has {hexes} hexes; this server allows {most}");
        return Err(Refused::new(ErrorReason::MapTooLarge, "board", message)
            .with("hexes", hexes)
            .with("max", most));
    }
    // What does not fit into the type is above the grid's own limit in any case.
    let small = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
    Grid::new(small(columns), small(rows)).map_err(|error| match error {
        GridError::Rows(_) => Refused::out_of_range("board.rows", rows, 1, Grid::MAX_ROWS),
        _ => Refused::out_of_range("board.columns", columns, 1, Grid::MAX_COLUMNS),
    })
}

fn level(level: i32, field: &str) -> Result<i16, Refused> {
    let fits = |level: &i16| Map::LEVELS.contains(level);
    i16::try_from(level)
        .ok()
        .filter(fits)
        .ok_or_else(|| Refused::out_of_range(field, level, Map::LEVELS.start(), Map::LEVELS.end()))
}

fn layer(given: &v1::Layer, grid: &Grid, limits: &Limits) -> Result<Layer, Refused> {
    let mut fields = BTreeMap::new();
    each(&given.fields, "fields", ".", |given| {
        let called = name(&given.name, "name", limits)?;
        match fields.insert(called.to_owned(), field(given, grid)?) {
            None => Ok(()),
            Some(_) => Err(twice_layer(
                called,
                "two fields of the layer have this name",
            )),
        }
    })?;
    Ok(Layer { fields })
}

fn field(given: &v1::LayerField, grid: &Grid) -> Result<Field, Refused> {
    match given.kind.as_ref() {
        None => Err(Refused::missing("kind")),
        Some(Kind::Hexes(set)) => hexes(grid, &set.hexes).map(Field::Hexes),
        Some(Kind::Hexsides(set)) => hexsides(grid, &set.hexsides).map(Field::Hexsides),
        Some(Kind::HexValues(set)) => hex_values(grid, &set.values).map(Field::HexValues),
        Some(Kind::HexsideValues(set)) => {
            hexside_values(grid, &set.values).map(Field::HexsideValues)
        }
    }
}

fn hexes(grid: &Grid, names: &[String]) -> Result<BTreeSet<Hex>, Refused> {
    let mut set = BTreeSet::new();
    each(names, "hexes.hexes", "", |name| {
        let hex = hex(grid, name, "")?;
        let new = set.insert(hex);
        new.then_some(()).ok_or_else(|| twice_hex(grid, hex, ""))
    })?;
    Ok(set)
}

fn hexsides(grid: &Grid, names: &[String]) -> Result<BTreeSet<Hexside>, Refused> {
    let mut set = BTreeSet::new();
    each(names, "hexsides.hexsides", "", |name| {
        let side = hexside(grid, name, "")?;
        let new = set.insert(side);
        new.then_some(())
            .ok_or_else(|| twice_hexside(grid, side, ""))
    })?;
    Ok(set)
}

fn hex_values(grid: &Grid, given: &[v1::HexValue]) -> Result<BTreeMap<Hex, i64>, Refused> {
    let mut values = BTreeMap::new();
    each(given, "hex_values.values", ".", |given| {
        let hex = hex(grid, &given.hex, "hex")?;
        match values.insert(hex, given.value) {
            None => Ok(()),
            Some(_) => Err(twice_hex(grid, hex, "hex")),
        }
    })?;
    Ok(values)
}

fn hexside_values(
    grid: &Grid,
    given: &[v1::HexsideValue],
) -> Result<BTreeMap<Hexside, i64>, Refused> {
    let mut values = BTreeMap::new();
    each(given, "hexside_values.values", ".", |given| {
        let side = hexside(grid, &given.hexside, "hexside")?;
        match values.insert(side, given.value) {
            None => Ok(()),
            Some(_) => Err(twice_hexside(grid, side, "hexside")),
        }
    })?;
    Ok(values)
}

fn twice_hex(grid: &Grid, hex: Hex, field: &str) -> Refused {
    let hex = grid.label(hex);
    let message = format!("{hex} stands there twice");
    Refused::new(ErrorReason::DuplicateHex, field, message).with("hex", hex)
}

fn twice_hexside(grid: &Grid, side: Hexside, field: &str) -> Refused {
    let side = grid.hexside_name(side).unwrap_or_default();
    let message = format!("{side} stands there twice");
    Refused::new(ErrorReason::DuplicateHexside, field, message).with("hexside", side)
}

fn twice_layer(name: &str, message: &str) -> Refused {
    Refused::new(ErrorReason::DuplicateLayer, "name", message).with("layer", name)
}
