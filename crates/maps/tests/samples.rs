//! Overlays as sample cases lay them, against the layers that those cases state.
//!
//! The samples are not part of this repository: `ALAMEIN_CASES_DIR` says where they are.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use alamein_hex::Grid;
use alamein_maps::MapFile;
use alamein_terrain::{Field, Map};
use serde_json::{Value, json};

fn samples() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("ALAMEIN_CASES_DIR") else {
        // Past the capture of the test's output, so that it is seen.
        let skipped = "SKIPPED: set ALAMEIN_CASES_DIR to the folder of the sample cases";
        let _ = writeln!(std::io::stderr(), "{skipped}");
        return Vec::new();
    };
    let entries = std::fs::read_dir(Path::new(&folder)).expect("the folder of ALAMEIN_CASES_DIR");
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_sample = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("sample-") && name.ends_with(".json")
    };
    let paths: Vec<PathBuf> = paths.filter(is_sample).collect();
    assert!(!paths.is_empty(), "no samples in {folder:?}");
    paths
}

#[test]
fn overlays_give_the_layers_that_samples_state() {
    for path in samples() {
        let sample: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let stated = &sample["map"]["layers"];
        let map = map_of(&sample["map"]["overlays"]);
        let grid = Grid::geomorphic();
        let file = path.display();
        for (layer, field) in [
            ("deir", "hexes"),
            ("deir", "lip_hexes"),
            ("hillock", "hexes"),
            ("sand", "hexes"),
            ("scrub", ""),
            ("hammada", ""),
        ] {
            let made = hexes(
                &map,
                &grid,
                layer,
                if field.is_empty() { "hexes" } else { field },
            );
            let stated = names(if field.is_empty() {
                &stated[layer]
            } else {
                &stated[layer][field]
            });
            assert_eq!(made, stated, "{file}: {layer}.{field}");
        }
        let lips = hexsides(&map, &grid, "deir", "lip_hexsides");
        assert_eq!(
            lips,
            names(&stated["deir"]["lip_hexsides"]),
            "{file}: lip_hexsides"
        );
        let crests = hexsides(&map, &grid, "dune_crest", "hexsides");
        assert_eq!(crests, names(&stated["dune_crest"]), "{file}: dune_crest");
        assert_eq!(
            deir_of(&map, &grid),
            numbers(&stated["deir"]["deir_of"]),
            "{file}: deir_of"
        );
    }
}

#[test]
fn the_orientation_that_samples_state_is_that_of_their_two_hexes() {
    for path in samples() {
        let sample: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for overlay in sample["map"]["overlays"].as_array().unwrap() {
            let hex = |name: &str| {
                Grid::geomorphic()
                    .hex(overlay[name].as_str().unwrap())
                    .unwrap()
            };
            let direction = hex("hex1").direction_to(hex("hex2")).unwrap();
            let letter = char::from(b'a' + direction.index()).to_string();
            assert_eq!(overlay["orientation"], json!(letter), "{}", path.display());
        }
    }
}

fn map_of(overlays: &Value) -> Map {
    let overlays: Vec<Value> = overlays
        .as_array()
        .unwrap()
        .iter()
        .map(|overlay| json!({"id": overlay["id"], "on": [overlay["hex1"], overlay["hex2"]]}))
        .collect();
    let file = json!({"board": [{}], "overlay": overlays}).to_string();
    MapFile::from_json(&file).unwrap().to_map().unwrap()
}

fn names(list: &Value) -> BTreeSet<String> {
    let items = list.as_array().into_iter().flatten();
    items
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

fn numbers(table: &Value) -> BTreeMap<String, i64> {
    let entries = table.as_object().into_iter().flatten();
    entries
        .map(|(name, number)| (name.clone(), number.as_i64().unwrap()))
        .collect()
}

fn hexes(map: &Map, grid: &Grid, layer: &str, field: &str) -> BTreeSet<String> {
    match map
        .layers
        .get(layer)
        .and_then(|layer| layer.fields.get(field))
    {
        Some(Field::Hexes(set)) => set.iter().map(|hex| grid.name(*hex).unwrap()).collect(),
        None => BTreeSet::new(),
        Some(other) => panic!("{layer}.{field} holds {}", other.kind()),
    }
}

fn hexsides(map: &Map, grid: &Grid, layer: &str, field: &str) -> BTreeSet<String> {
    match map
        .layers
        .get(layer)
        .and_then(|layer| layer.fields.get(field))
    {
        Some(Field::Hexsides(set)) => set
            .iter()
            .map(|side| grid.hexside_name(*side).unwrap())
            .collect(),
        None => BTreeSet::new(),
        Some(other) => panic!("{layer}.{field} holds {}", other.kind()),
    }
}

fn deir_of(map: &Map, grid: &Grid) -> BTreeMap<String, i64> {
    match map.layers.get("deir").map(|layer| &layer.fields["deir_of"]) {
        Some(Field::HexValues(values)) => values
            .iter()
            .map(|(hex, number)| (grid.name(*hex).unwrap(), *number))
            .collect(),
        None => BTreeMap::new(),
        Some(other) => panic!("deir_of holds {}", other.kind()),
    }
}
