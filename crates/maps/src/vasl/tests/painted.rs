//! Boards painted here, and what hexes come of them.

use std::collections::BTreeSet;

use alamein_hex::{Direction, Hex, Hexside};
use alamein_terrain::{Field, Map};

use super::{METADATA, WIDTH, los_data};
use crate::vasl::geometry::Geometry;
use crate::vasl::{TerrainKind, VaslBoard, decode, metadata, payload};
use crate::{BoardNames, MapFile};

fn board(paint: impl Fn(i32, i32) -> (i8, u8)) -> VaslBoard {
    decode(&los_data(paint), METADATA.as_bytes()).unwrap()
}

fn board_with(metadata: &str, paint: impl Fn(i32, i32) -> (i8, u8)) -> VaslBoard {
    decode(&los_data(paint), metadata.as_bytes()).unwrap()
}

/// Whether a pixel is within so many pixels of a point.
fn near(x: i32, y: i32, to: (i32, i32), most: i32) -> bool {
    (x - to.0).abs() <= most && (y - to.1).abs() <= most
}

// The middles of hexes: A1, A2; B0, B1, B2; C1, C2.
const A1: (i32, i32) = (0, 32);
const B1: (i32, i32) = (56, 64);

fn at(board: &VaslBoard, name: &str) -> Hex {
    board.grid.hex(name).unwrap()
}

fn terrain(board: &VaslBoard, name: &str) -> &'static str {
    board.hex(at(board, name)).unwrap().terrain.name
}

fn field(map: &Map, layer: &str, name: &str) -> Vec<String> {
    let grid = map.grid;
    match map
        .layers
        .get(layer)
        .and_then(|layer| layer.fields.get(name))
    {
        Some(Field::Hexes(set)) => set.iter().map(|hex| grid.name(*hex).unwrap()).collect(),
        Some(Field::Hexsides(set)) => set
            .iter()
            .map(|side| grid.hexside_name(*side).unwrap())
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn every_code_that_layers_depend_on_is_known() {
    let modelled = (0u8..=255)
        .filter_map(TerrainKind::of_code)
        .filter(|kind| kind.is_modelled());
    let names: Vec<&str> = modelled.map(|kind| kind.name).collect();
    assert_eq!(
        names,
        [
            "open ground",
            "dirt road",
            "paved road",
            "scrub",
            "hammada",
            "deir",
            "deir lip",
            "hillock",
            "hillock summit",
            "sand",
            "dune, crest low",
            "dune, crest high",
            "track",
            "scrub"
        ]
    );
    assert_eq!((0u8..=255).filter_map(TerrainKind::of_code).count(), 166);
}

#[test]
fn a_bare_board_is_a_flat_map() {
    let board = board(|_, _| (0, 0));
    assert_eq!(board.hexes.len(), 7);
    assert_eq!(board.to_map().unwrap(), Map::flat(board.grid));
    assert!(board.unmodelled().is_empty());
    let file = board.to_file().unwrap();
    assert_eq!(file.boards[0].name, "x1");
    assert_eq!(file.to_map().unwrap(), board.to_map().unwrap());
}

#[test]
fn the_level_of_a_hex_is_that_of_its_centre() {
    let board = board(|x, _| if x < 28 { (-1, 0) } else { (2, 0) });
    let map = board.to_map().unwrap();
    let levels = ["A1", "A2", "B0", "B2", "C1"].map(|name| map.level(at(&board, name)));
    assert_eq!(levels, [-1, -1, 2, 2, 2]);
    let file = MapFile::from_toml(&board.to_file().unwrap().to_toml().unwrap()).unwrap();
    assert_eq!(file.to_map().unwrap(), map);
}

#[test]
fn where_levels_meet_within_a_hex_there_is_a_crest_line() {
    let hill = board(|x, _| (i8::from(x < 40), 0));
    let listed = hill.unmodelled();
    let crest = BTreeSet::from(["crest line"]);
    assert_eq!(listed.get(&at(&hill, "B1")), Some(&crest));
    assert_eq!(listed.get(&at(&hill, "A1")), None);
    assert_eq!(listed.get(&at(&hill, "C1")), None);
    let corner = |x: i32, y: i32| near(x, y, (40, 40), 1);
    let stray = board(|x, y| (i8::from(corner(x, y)), 0));
    assert!(stray.unmodelled().is_empty());
}

#[test]
fn every_pixel_is_in_the_hex_whose_picture_holds_it() {
    let data = los_data(|_, _| (0, 0));
    let payload = payload::read(&data).unwrap();
    let metadata = metadata::read(METADATA.as_bytes()).unwrap();
    let geometry = Geometry::new(&metadata, &payload).unwrap();
    for (place, centre) in [
        ((0, 0), A1),
        ((1, 1), B1),
        ((1, 0), (56, 0)),
        ((2, 1), (112, 96)),
    ] {
        assert_eq!(geometry.centre(place), centre);
        assert_eq!(geometry.hex_at(centre.0, centre.1), Some(place));
        for (x, y) in geometry.midpoints(place) {
            if (0..WIDTH).contains(&x) && (0..super::HEIGHT).contains(&y) {
                assert_eq!(geometry.hex_at(x, y), Some(place), "({x}, {y})");
            }
        }
    }
    // Between two columns the outline decides: B1's west vertex lies at (18.5, 64.5).
    assert_eq!(geometry.hex_at(20, 64), Some((1, 1)));
    assert_eq!(geometry.hex_at(20, 60), Some((0, 0)));
    assert_eq!(geometry.hex_at(20, 69), Some((0, 1)));
}

#[test]
fn ground_that_any_pixel_shows_is_that_of_its_hex() {
    let corner = |x: i32, y: i32| near(x, y, (40, 40), 2);
    for (code, layer) in [
        (100, "scrub"),
        (121, "scrub"),
        (101, "hammada"),
        (107, "sand"),
        (102, "deir"),
        (103, "deir"),
    ] {
        let board = board(|x, y| (0, if corner(x, y) { code } else { 0 }));
        assert_eq!(field(&board.to_map().unwrap(), layer, "hexes"), ["B1"]);
        assert_eq!(terrain(&board, "B1"), "open ground");
        assert!(board.unmodelled().is_empty());
    }
}

#[test]
fn inherent_terrain_fills_a_hex_if_it_comes_near_enough_to_its_centre() {
    let hillock = |off: i32| {
        board(move |x, y| {
            (
                0,
                if near(x, y, (56 + off, 64), 1) {
                    105
                } else {
                    0
                },
            )
        })
    };
    assert_eq!(
        field(&hillock(10).to_map().unwrap(), "hillock", "hexes"),
        ["B1"]
    );
    let far = hillock(30);
    assert!(far.to_map().unwrap().layers.is_empty());
    assert!(far.hex(at(&far, "B1")).unwrap().shows.contains_key(&105));
    let summit = board(|x, y| (0, if near(x, y, B1, 5) { 106 } else { 0 }));
    let map = summit.to_map().unwrap();
    assert_eq!(field(&map, "hillock", "hexes"), ["B1"]);
    assert_eq!(field(&map, "hillock", "summit"), ["B1"]);
}

#[test]
fn a_building_at_a_hexside_makes_a_building_hex() {
    // The middle of B1's north hexside, one pixel inside.
    let north = (56, 33);
    let house = board(|x, y| (0, if near(x, y, north, 0) { 52 } else { 0 }));
    assert_eq!(terrain(&house, "B1"), "wooden building, 2 level");
    assert_eq!(terrain(&house, "B0"), "open ground");
    let market = board(|x, y| (0, if near(x, y, B1, 20) { 49 } else { 0 }));
    assert_eq!(terrain(&market, "B1"), "open ground");
    let listed = market.unmodelled();
    assert!(listed[&at(&market, "B1")].contains("stone market place"));
    assert!(!listed.contains_key(&at(&market, "A1")));
}

#[test]
fn a_depression_is_remembered_under_what_fills_its_hex() {
    let board = board(|x, y| {
        (
            -1,
            if near(x, y, B1, 3) {
                30
            } else if near(x, y, (70, 64), 3) {
                26
            } else {
                0
            },
        )
    });
    let hex = board.hex(at(&board, "B1")).unwrap();
    assert_eq!(
        (hex.terrain.name, hex.depression.map(|kind| kind.name)),
        ("crags", Some("gully"))
    );
    let listed = board.unmodelled();
    assert_eq!(
        listed[&hex.hex].iter().copied().collect::<Vec<_>>(),
        ["crags", "gully"]
    );
}

#[test]
fn what_runs_along_a_hexside_is_seen_from_either_side() {
    // Just inside B0 and just inside B1, at the middle of the hexside between them.
    for row in [31, 33] {
        let crest = board(move |x, y| (0, if near(x, y, (56, row), 0) { 109 } else { 0 }));
        let map = crest.to_map().unwrap();
        assert_eq!(field(&map, "dune_crest", "hexsides"), ["B0|B1"]);
        assert!(!map.layers.contains_key("high_dune"));
    }
    // The hex that comes first has the say where the two differ.
    let both = board(|x, y| {
        (
            0,
            if near(x, y, (56, 31), 0) {
                110
            } else if near(x, y, (56, 33), 0) {
                72
            } else {
                0
            },
        )
    });
    let map = both.to_map().unwrap();
    assert_eq!(field(&map, "dune_crest", "hexsides"), ["B0|B1"]);
    assert_eq!(field(&map, "high_dune", "hexes"), ["B0", "B1"]);
    // The wall is seen in B1 all the same.
    assert_eq!(
        both.unmodelled().keys().copied().collect::<Vec<_>>(),
        [at(&both, "B1")]
    );
    let wall = board(|x, y| (0, if near(x, y, (56, 31), 0) { 72 } else { 0 }));
    let side = Hexside::of(at(&wall, "B0"), Direction::S);
    assert_eq!(wall.hexsides[&side].name, "wall");
    let meets: Vec<Hex> = wall.unmodelled().keys().copied().collect();
    assert_eq!(meets, side.hexes().into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn roads_and_tracks_go_over_hexsides() {
    for (code, layer) in [(65, "road"), (66, "road"), (112, "track")] {
        let board = board(|x, _| (0, if (x - 56).abs() <= 3 { code } else { 0 }));
        let map = board.to_map().unwrap();
        assert_eq!(field(&map, layer, "hexsides"), ["B0|B1", "B1|B2"]);
        assert!(board.unmodelled().is_empty());
    }
    let stub = board(|x, y| {
        (
            0,
            if (x - 56).abs() <= 3 && y > 32 {
                112
            } else {
                0
            },
        )
    });
    assert_eq!(
        field(&stub.to_map().unwrap(), "track", "hexsides"),
        ["B1|B2"]
    );
    let dead_end = board(|x, y| {
        (
            0,
            if (x - 56).abs() <= 3 && y < 32 {
                112
            } else {
                0
            },
        )
    });
    assert!(field(&dead_end.to_map().unwrap(), "track", "hexsides").is_empty());
}

#[test]
fn slopes_and_embankments_are_listed_with_both_their_hexes() {
    let metadata = METADATA.replace("/>\"#", "");
    let metadata = metadata.replace(
        "hexHeight=\" 64.5 \"/>",
        "hexHeight=\"64.5\"><slopes><slope hex=\"b1\" hexsides=\"03\"/><slope hex=\"Z9\" \
         hexsides=\"1\"/></slopes><rrembankments><rrembankment hex=\"C1\" hexsides=\"2\"/>\
         </rrembankments></boardMetadata>",
    );
    let board = board_with(&metadata, |_, _| (0, 0));
    let b1 = board.hex(at(&board, "B1")).unwrap();
    assert_eq!(
        b1.slopes.iter().copied().collect::<Vec<_>>(),
        [Direction::N, Direction::S]
    );
    let listed = board.unmodelled();
    let names: Vec<String> = listed
        .keys()
        .map(|hex| board.grid.name(*hex).unwrap())
        .collect();
    assert_eq!(names, ["B0", "B1", "B2", "C1"]);
    assert!(listed[&at(&board, "C1")].contains("railway embankment"));
}

#[test]
fn hexes_are_called_as_the_board_prints_them() {
    let metadata = METADATA
        .replace("A1CenterX = \"0\"", "A1CenterX=\"-901\"")
        .replace("A1CenterY=\"32.25\"", "A1CenterY=\"-612.75\"");
    let board = board_with(&metadata, |_, _| (0, 0));
    let names = BoardNames::new(std::slice::from_ref(&board.board)).unwrap();
    let called: Vec<String> = board
        .hexes
        .iter()
        .map(|hex| names.name(hex.hex).unwrap())
        .collect();
    assert_eq!(called, ["Q11", "Q12", "R10", "R11", "R12", "S11", "S12"]);
}
