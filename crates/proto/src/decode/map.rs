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
    survey_map(map, limits, 1).map_err(|all| {
        let first = all.into_iter().next();
        first.unwrap_or_else(|| Refused::missing("board"))
    })
}

/// Reads a map, or tells all that is wrong with it: at least one thing, and at most so many.
///
/// # Errors
/// As [`map`](fn@map), in the order of the fields.
pub fn survey_map(map: &v1::Map, limits: &Limits, most: usize) -> Result<Map, Vec<Refused>> {
    let grid = grid(map.board.as_ref(), limits).map_err(|refused| vec![refused])?;
    let mut reader = Reader {
        grid,
        limits,
        found: Vec::new(),
        most,
    };
    let base_level = level(map.base_level, "base_level");
    let base_level = base_level.unwrap_or_else(|refused| {
        reader.found.push(refused);
        0
    });
    let levels = reader.levels(&map.levels);
    let layers = reader.layers(&map.layers);
    if !reader.found.is_empty() {
        reader.found.truncate(most.max(1));
        return Err(reader.found);
    }
    Ok(Map {
        grid,
        base_level,
        levels,
        layers,
    })
}

/// Reads hexes of a map; a hex may be there twice.
///
/// # Errors
/// Where one is no hex of the map, or there are more than maps have.
pub fn hexes(
    names: &[String],
    field: &str,
    grid: &Grid,
    limits: &Limits,
) -> Result<Vec<Hex>, Refused> {
    let (count, most) = (names.len(), limits.max_hexes);
    if count > most {
        return Err(Refused::too_long(field, count, "hexes", most));
    }
    each(names, field, "", |name| hex(grid, name, ""))
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

/// Reads what is on a grid, and goes on where something is wrong.
struct Reader<'a> {
    grid: Grid,
    limits: &'a Limits,
    /// What is refused so far.
    found: Vec<Refused>,
    /// How much of that is enough.
    most: usize,
}

impl Reader<'_> {
    /// Reads each item of a list. Paths of what is refused get the list's name and the item's place
    /// in it, and what `then` says comes after.
    fn each<'w, W>(
        &mut self,
        items: &'w [W],
        list: &str,
        then: &str,
        mut read: impl FnMut(&mut Self, &'w W) -> Result<(), Refused>,
    ) {
        for (index, item) in items.iter().enumerate() {
            let before = self.found.len();
            if before >= self.most {
                return;
            }
            if let Err(refused) = read(self, item) {
                self.found.push(refused);
            }
            if self.found.len() > before {
                let prefix = format!("{list}[{index}]{then}");
                let new = self.found.split_off(before).into_iter();
                self.found.extend(new.map(|refused| refused.at(&prefix)));
            }
        }
    }

    fn levels(&mut self, given: &[v1::HexLevel]) -> BTreeMap<Hex, i16> {
        let mut levels = BTreeMap::new();
        self.each(given, "levels", ".", |reader, given| {
            let hex = hex(&reader.grid, &given.hex, "hex")?;
            match levels.insert(hex, level(given.level, "level")?) {
                None => Ok(()),
                Some(_) => Err(twice_hex(&reader.grid, hex, "hex")),
            }
        });
        levels
    }

    fn layers(&mut self, given: &[v1::Layer]) -> BTreeMap<String, Layer> {
        let mut layers = BTreeMap::new();
        self.each(given, "layers", ".", |reader, given| {
            let called = name(&given.name, "name", reader.limits)?;
            match layers.insert(called.to_owned(), reader.layer(given)) {
                None => Ok(()),
                Some(_) => Err(twice_layer(called, "two layers have this name")),
            }
        });
        layers
    }

    fn layer(&mut self, given: &v1::Layer) -> Layer {
        let mut fields = BTreeMap::new();
        self.each(&given.fields, "fields", ".", |reader, given| {
            let called = name(&given.name, "name", reader.limits)?;
            let field = reader.field(given)?;
            match fields.insert(called.to_owned(), field) {
                None => Ok(()),
                Some(_) => {
                    let message = "two fields of the layer have this name";
                    Err(twice_layer(called, message))
                }
            }
        });
        Layer { fields }
    }

    fn field(&mut self, given: &v1::LayerField) -> Result<Field, Refused> {
        Ok(match given.kind.as_ref() {
            None => return Err(Refused::missing("kind")),
            Some(Kind::Hexes(set)) => Field::Hexes(self.hexes(&set.hexes)),
            Some(Kind::Hexsides(set)) => Field::Hexsides(self.hexsides(&set.hexsides)),
            Some(Kind::HexValues(set)) => Field::HexValues(self.hex_values(&set.values)),
            Some(Kind::HexsideValues(set)) => {
                Field::HexsideValues(self.hexside_values(&set.values))
            }
        })
    }

    fn hexes(&mut self, names: &[String]) -> BTreeSet<Hex> {
        let mut set = BTreeSet::new();
        self.each(names, "hexes.hexes", "", |reader, name| {
            let hex = hex(&reader.grid, name, "")?;
            let new = set.insert(hex);
            new.then_some(())
                .ok_or_else(|| twice_hex(&reader.grid, hex, ""))
        });
        set
    }

    fn hexsides(&mut self, names: &[String]) -> BTreeSet<Hexside> {
        let mut set = BTreeSet::new();
        self.each(names, "hexsides.hexsides", "", |reader, name| {
            let side = hexside(&reader.grid, name, "")?;
            let new = set.insert(side);
            new.then_some(())
                .ok_or_else(|| twice_hexside(&reader.grid, side, ""))
        });
        set
    }

    fn hex_values(&mut self, given: &[v1::HexValue]) -> BTreeMap<Hex, i64> {
        let mut values = BTreeMap::new();
        self.each(given, "hex_values.values", ".", |reader, given| {
            let hex = hex(&reader.grid, &given.hex, "hex")?;
            match values.insert(hex, given.value) {
                None => Ok(()),
                Some(_) => Err(twice_hex(&reader.grid, hex, "hex")),
            }
        });
        values
    }

    fn hexside_values(&mut self, given: &[v1::HexsideValue]) -> BTreeMap<Hexside, i64> {
        let mut values = BTreeMap::new();
        self.each(given, "hexside_values.values", ".", |reader, given| {
            let side = hexside(&reader.grid, &given.hexside, "hexside")?;
            match values.insert(side, given.value) {
                None => Ok(()),
                Some(_) => Err(twice_hexside(&reader.grid, side, "hexside")),
            }
        });
        values
    }
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
