//! Maps.

use alamein_hex::{Grid, Hex, Hexside};
use alamein_terrain::{Field, Layer, Map};

use crate::v1::{self, layer_field::Kind};

/// The message of a map.
#[must_use]
pub fn map(map: &Map) -> v1::Map {
    let grid = &map.grid;
    // As in the map's id: a level that the base level says already means nothing.
    let levels = map
        .levels
        .iter()
        .filter(|(_, level)| **level != map.base_level);
    let level = |(hex, level): (&Hex, &i16)| v1::HexLevel {
        hex: grid.label(*hex),
        level: i32::from(*level),
    };
    let layers = map.layers.iter();
    v1::Map {
        board: Some(v1::Board {
            columns: u32::from(grid.columns()),
            rows: u32::from(grid.rows()),
        }),
        base_level: i32::from(map.base_level),
        levels: levels.map(level).collect(),
        layers: layers.map(|(name, it)| layer(name, it, grid)).collect(),
    }
}

fn layer(name: &str, layer: &Layer, grid: &Grid) -> v1::Layer {
    let field = |(name, field): (&String, &Field)| v1::LayerField {
        name: name.clone(),
        kind: Some(kind(field, grid)),
    };
    v1::Layer {
        name: name.to_owned(),
        fields: layer.fields.iter().map(field).collect(),
    }
}

fn kind(field: &Field, grid: &Grid) -> Kind {
    match field {
        Field::Hexes(set) => {
            let hexes = set.iter().map(|hex| grid.label(*hex)).collect();
            Kind::Hexes(v1::HexSet { hexes })
        }
        Field::Hexsides(set) => {
            let hexsides = set.iter().map(|side| hexside(grid, *side)).collect();
            Kind::Hexsides(v1::HexsideSet { hexsides })
        }
        Field::HexValues(values) => {
            let value = |(hex, value): (&Hex, &i64)| v1::HexValue {
                hex: grid.label(*hex),
                value: *value,
            };
            let values = values.iter().map(value).collect();
            Kind::HexValues(v1::HexValues { values })
        }
        Field::HexsideValues(values) => {
            let value = |(side, value): (&Hexside, &i64)| v1::HexsideValue {
                hexside: hexside(grid, *side),
                value: *value,
            };
            let values = values.iter().map(value).collect();
            Kind::HexsideValues(v1::HexsideValues { values })
        }
    }
}

/// The name of a hexside, even if neither of its hexes is on the map.
pub(crate) fn hexside(grid: &Grid, side: Hexside) -> String {
    let both = || side.hexes().map(|hex| grid.label(hex)).join("|");
    grid.hexside_name(side).unwrap_or_else(both)
}
