//! Maps to show to a plugin: its own layers, filled in several ways, and layers of others.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Grid, Hex, Hexside};
use alamein_terrain::{
    EnvironmentCondition, Field, FieldKind, FieldSpec, Layer, LayerSpec, Manifest, Map,
};

use crate::chance::Chance;

/// A layer that no plugin owns.
pub(crate) const STRANGER: &str = "conformance-kit-of-nobody";

/// How a plugin's layers are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filling {
    /// Not at all: the map has none of them.
    None,
    /// As a sensible map would: one patch of hexes, of which the fields speak.
    Patch,
    /// Each hex by chance, each number small.
    Scattered,
    /// By chance, with numbers as no map should have them.
    Wild,
}

/// A map, and how to call it.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) name: &'static str,
    pub(crate) filling: Filling,
    pub(crate) ec: EnvironmentCondition,
    pub(crate) map: Map,
}

/// The maps for a plugin.
pub(crate) fn all(manifest: &Manifest) -> Vec<Shown> {
    use EnvironmentCondition::{Dry, Moist, Mud, Snow, Wet};
    let shown = |name, (columns, rows), filling, ec| {
        let map = map(manifest, columns, rows, filling)?;
        Some(Shown {
            name,
            filling,
            ec,
            map,
        })
    };
    let maps = [
        shown("one hex", (1, 1), Filling::None, Snow),
        shown("nothing of its own", (9, 8), Filling::None, Wet),
        shown("a patch of its layers", (33, 10), Filling::Patch, Dry),
        shown("its layers by chance", (12, 9), Filling::Scattered, Moist),
        shown("wild layers", (10, 8), Filling::Wild, Mud),
        shown("a row", (24, 1), Filling::Patch, Dry),
    ];
    maps.into_iter().flatten().collect()
}

/// A map of that size; nothing where no grid is of it.
pub(crate) fn map(manifest: &Manifest, columns: u16, rows: u16, filling: Filling) -> Option<Map> {
    let grid = Grid::new(columns, rows).ok()?;
    let mut chance = Chance::new(u64::from(columns) << 16 | u64::from(rows));
    let mut map = Map::flat(grid);
    for hex in grid.hexes() {
        if filling != Filling::None && chance.once_in(6) {
            map.levels.insert(hex, chance.one([-1, 1, 1, 2]));
        }
    }
    let patch = patch(&grid);
    for spec in &manifest.layers {
        if filling != Filling::None {
            let layer = layer(spec, &grid, &patch, filling, &mut chance);
            map.layers.insert(spec.name.clone(), layer);
        }
    }
    let strangers = grid.hexes().filter(|_| chance.once_in(5)).collect();
    let layer = Layer {
        fields: BTreeMap::from([("hexes".to_owned(), Field::Hexes(strangers))]),
    };
    map.layers.insert(STRANGER.to_owned(), layer);
    Some(map)
}

/// A patch of hexes around the middle.
fn patch(grid: &Grid) -> BTreeSet<Hex> {
    let Some(middle) = grid.hex_at(grid.len() / 2) else {
        return BTreeSet::new();
    };
    grid.hexes().filter(|hex| hex.range(middle) <= 2).collect()
}

fn layer(
    spec: &LayerSpec,
    grid: &Grid,
    patch: &BTreeSet<Hex>,
    filling: Filling,
    chance: &mut Chance,
) -> Layer {
    let field = |(at, field): (usize, &FieldSpec)| {
        let filled = match filling {
            Filling::None | Filling::Patch => sensible(field.kind, at == 0, grid, patch),
            Filling::Scattered => by_chance(field.kind, grid, chance, &SMALL),
            Filling::Wild => by_chance(field.kind, grid, chance, &WILD),
        };
        (field.name.clone(), filled)
    };
    Layer {
        fields: spec.fields.iter().enumerate().map(field).collect(),
    }
}

/// A patch: the first field of hexes has all of it, others its edge, as do hexsides.
fn sensible(kind: FieldKind, is_first: bool, grid: &Grid, patch: &BTreeSet<Hex>) -> Field {
    let out = |hex: &Hex| grid.contains(*hex) && !patch.contains(hex);
    let edge = |hex: &&Hex| hex.neighbours().iter().any(out);
    let sides = patch.iter().flat_map(|hex| {
        let beyond = hex.neighbours().into_iter().filter(out);
        beyond.filter_map(|other| Hexside::between(*hex, other))
    });
    match kind {
        FieldKind::Hexes if is_first => Field::Hexes(patch.clone()),
        FieldKind::Hexes => Field::Hexes(patch.iter().filter(edge).copied().collect()),
        FieldKind::Hexsides => Field::Hexsides(sides.collect()),
        FieldKind::HexValues => Field::HexValues(patch.iter().map(|hex| (*hex, 1)).collect()),
        FieldKind::HexsideValues => Field::HexsideValues(sides.map(|side| (side, 1)).collect()),
    }
}

const SMALL: [i64; 6] = [0, 1, 1, 2, 3, -1];
const WILD: [i64; 8] = [i64::MIN, i64::MAX, 32_768, -32_769, 65_536, 7, -1, 0];

fn by_chance(kind: FieldKind, grid: &Grid, chance: &mut Chance, values: &[i64]) -> Field {
    let hexes: Vec<Hex> = grid.hexes().filter(|_| chance.once_in(4)).collect();
    let sides: Vec<Hexside> = hexes
        .iter()
        .filter_map(|hex| {
            let around = hex.neighbours();
            let other = chance.pick(&around).copied()?;
            let on_map = grid.contains(other);
            on_map.then(|| Hexside::between(*hex, other)).flatten()
        })
        .collect();
    let mut value = || chance.pick(values).copied().unwrap_or_default();
    match kind {
        FieldKind::Hexes => Field::Hexes(hexes.into_iter().collect()),
        FieldKind::Hexsides => Field::Hexsides(sides.into_iter().collect()),
        FieldKind::HexValues => Field::HexValues(hexes.into_iter().map(|h| (h, value())).collect()),
        FieldKind::HexsideValues => {
            Field::HexsideValues(sides.into_iter().map(|s| (s, value())).collect())
        }
    }
}
