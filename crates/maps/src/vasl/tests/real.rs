//! Real boards, where they are at hand: `ALAMEIN_VASL_DIR` is a folder with `boards/` and, made by
//! VASL's own engine, tables of lines in `golden/`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::path::PathBuf;

use alamein_hex::Hex;

use crate::BoardNames;
use crate::vasl::geometry::Geometry;
use crate::vasl::{VaslBoard, metadata, payload, read};

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("ALAMEIN_VASL_DIR").map(PathBuf::from);
    if folder.is_none() {
        // Past the capture of the test's output, so that it is seen.
        let skipped = "SKIPPED: set ALAMEIN_VASL_DIR to a folder with VASL boards";
        let _ = writeln!(std::io::stderr(), "{skipped}");
    }
    folder
}

const BOARDS: [&str; 6] = ["bd01", "bd02", "bd04", "bd26", "bdBFPDW2b", "bdBFPDW3b"];

fn boards() -> Vec<(&'static str, PathBuf, VaslBoard)> {
    let Some(folder) = folder() else {
        return Vec::new();
    };
    let board = |name: &'static str| {
        let path = folder.join("boards").join(name);
        let board = read(&path).unwrap();
        (name, path, board)
    };
    BOARDS.into_iter().map(board).collect()
}

fn names(board: &VaslBoard) -> BoardNames {
    BoardNames::new(std::slice::from_ref(&board.board)).unwrap()
}

#[test]
fn boards_have_the_sizes_and_names_that_they_are_known_to_have() {
    for (name, path, board) in boards() {
        assert_eq!(board.hexes.len(), 346, "{name}");
        assert_eq!(format!("bd{}", board.board.name), name);
        let data = std::fs::read(path.join("LOSData")).unwrap();
        let payload = payload::read(&data).unwrap();
        assert_eq!(
            (payload.raster.width(), payload.raster.height()),
            (1800, 645)
        );
        let names = names(&board);
        let called = |index: usize| names.name(board.hexes[index].hex).unwrap();
        let (first, last) = match name {
            "bdBFPDW2b" | "bdBFPDW3b" => (["A11", "A20", "B10", "B20"], "GG20"),
            _ => (["A1", "A10", "B0", "B10"], "GG10"),
        };
        assert_eq!([0, 9, 10, 20].map(called), first, "{name}");
        assert_eq!(called(345), last, "{name}");
        let file = board.to_file().unwrap();
        assert_eq!(file.to_map().unwrap(), board.to_map().unwrap(), "{name}");
    }
}

/// How many hexes are such by their centre, and how many show more of it than a stray pixel.
fn counts(board: &VaslBoard, code: u8) -> (usize, usize) {
    let is = board
        .hexes
        .iter()
        .filter(|hex| hex.terrain.code == code)
        .count();
    let shows = board
        .hexes
        .iter()
        .filter(|hex| hex.shows.get(&code).is_some_and(|pixels| *pixels > 1))
        .count();
    (is, shows)
}

#[test]
fn desert_boards_have_the_hexes_that_they_are_known_to_have() {
    let count = |board: &VaslBoard, layer: &str| {
        let map = board.to_map().unwrap();
        map.layers
            .get(layer)
            .map_or(0, |layer| layer.fields["hexes"].hexes().count())
    };
    for (name, _, board) in boards() {
        let (scrub, hammada, hillock) = match name {
            "bd26" => ((4, 7), (0, 17), (0, 0)),
            "bdBFPDW2b" => ((0, 0), (0, 0), (44, 47)),
            "bdBFPDW3b" => ((0, 0), (0, 0), (8, 9)),
            _ => ((0, 0), (0, 0), (0, 0)),
        };
        assert_eq!(counts(&board, 100), scrub, "{name}: scrub");
        assert_eq!(counts(&board, 101), hammada, "{name}: hammada");
        assert_eq!(counts(&board, 105), hillock, "{name}: hillock");
        assert_eq!(count(&board, "scrub"), scrub.1, "{name}");
        assert_eq!(count(&board, "hammada"), hammada.1, "{name}");
        assert_eq!(count(&board, "hillock"), hillock.0, "{name}");
        assert_eq!(board.unmodelled().is_empty(), name == "bd26", "{name}");
        let levels: BTreeSet<i16> = board.to_map().unwrap().levels.into_values().collect();
        let is_flat = ["bd26", "bd04", "bd01"].contains(&name);
        assert_eq!(levels.is_empty(), is_flat, "{name}: {levels:?}");
    }
}

/// The rows of a table, by column name.
fn table(folder: &std::path::Path, file: &str) -> Vec<BTreeMap<String, String>> {
    let bytes = std::fs::read(folder.join("golden").join(file)).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes.as_slice())
        .read_to_string(&mut text)
        .unwrap();
    let mut lines = text.lines().map(|line| line.split('\t'));
    let head: Vec<String> = lines.next().unwrap().map(str::to_owned).collect();
    lines
        .map(|row| head.iter().cloned().zip(row.map(str::to_owned)).collect())
        .collect()
}

#[test]
fn pixels_and_ranges_are_those_of_vasls_own_engine() {
    let Some(folder) = folder() else { return };
    for (name, path, board) in boards() {
        let names = names(&board);
        let metadata = std::fs::read(path.join("BoardMetadata.xml")).unwrap();
        let payload = payload::read(&std::fs::read(path.join("LOSData")).unwrap()).unwrap();
        let geometry = Geometry::new(&metadata::read(&metadata).unwrap(), &payload).unwrap();
        let places: Vec<(i32, i32)> = geometry.places().collect();
        let hex =
            |text: &str| -> Hex { names.hex(text.split(['@', '/']).next().unwrap()).unwrap() };
        let mut pixels = 0;
        for row in table(&folder, &format!("{name}.tsv.gz"))
            .into_iter()
            .chain(table(&folder, &format!("{name}.aim.tsv.gz")))
        {
            let range: u16 = row["range"].parse().unwrap();
            assert_eq!(
                hex(&row["from"]).range(hex(&row["to"])),
                range,
                "{name}: {row:?}"
            );
            let Ok(x) = row["blocked_x"].parse() else {
                continue;
            };
            let y = row["blocked_y"].parse().unwrap();
            let index = board.grid.index(hex(&row["blocked_at"])).unwrap();
            assert_eq!(
                geometry.hex_at(x, y),
                Some(places[index]),
                "{name}: {row:?}"
            );
            pixels += 1;
        }
        assert_eq!(pixels == 0, name == "bd26", "{name}");
    }
}
