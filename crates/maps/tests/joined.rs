//! Boards joined into one map, and their names.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use alamein_hex::{Hex, trace_between};
use alamein_maps::{Board, BoardNames, Half, Lies, MapFile, Side};

fn board(name: &str) -> Board {
    Board {
        name: name.to_owned(),
        ..Board::default()
    }
}

fn below(name: &str, other: &str) -> Board {
    Board {
        at: Some(Lies::Beside(Side::Below, other.to_owned())),
        ..board(name)
    }
}

fn half(name: &str, half: Half) -> Board {
    Board {
        half: Some(half),
        ..board(name)
    }
}

fn turned(board: Board) -> Board {
    Board {
        turned: true,
        ..board
    }
}

fn names(boards: &[Board]) -> BoardNames {
    BoardNames::new(boards).unwrap()
}

fn all_names(names: &BoardNames, hex: &str) -> Vec<String> {
    names.names(names.hex(hex).unwrap()).collect()
}

fn around(names: &BoardNames, hex: &str) -> Vec<String> {
    let around = names.hex(hex).unwrap().neighbours();
    around
        .into_iter()
        .map(|hex| names.name(hex).unwrap_or_else(|| "-".into()))
        .collect()
}

fn error(boards: &[Board]) -> String {
    BoardNames::new(boards).unwrap_err().to_string()
}

#[test]
fn every_name_of_every_hex_leads_back_to_it() {
    let maps = [
        vec![board("25")],
        vec![turned(board("25"))],
        vec![half("25", Half::East)],
        vec![turned(half("25", Half::South))],
        vec![board("25"), board("26"), board("27")],
        vec![board("25"), turned(below("26", "25"))],
        vec![
            board("25"),
            board("26"),
            below("27", "25"),
            turned(board("28")),
        ],
        vec![
            half("1", Half::West),
            half("1a", Half::East),
            below("A", "1"),
        ],
    ];
    for boards in maps {
        let names = names(&boards);
        let hexes: Vec<Hex> = names.grid().hexes().collect();
        for hex in hexes {
            assert!(names.names(hex).count() >= 1, "{hex:?} has no name");
            for name in names.names(hex) {
                assert_eq!(names.hex(&name), Ok(hex), "{name}");
                assert_eq!(names.hex(&name.to_ascii_lowercase()), Ok(hex), "{name}");
            }
            for side in hex.hexsides() {
                let name = names.hexside_name(side).unwrap();
                assert_eq!(names.hexside(&name), Ok(side), "{name}");
            }
        }
    }
}

#[test]
fn a_map_of_one_board_has_the_names_of_its_grid() {
    let names = names(&[board("25")]);
    let grid = names.grid();
    for hex in grid.hexes() {
        assert_eq!(names.name(hex), grid.name(hex));
    }
    assert_eq!(names.hex("25P7"), Ok(grid.hex("P7").unwrap()));
    assert_eq!(names.hex("25:P7"), Ok(grid.hex("P7").unwrap()));
    assert!(names.hex("26P7").is_err());
}

#[test]
fn side_by_side_the_last_column_of_one_is_the_first_of_the_next() {
    let names = names(&[board("25"), board("26"), board("27")]);
    assert_eq!((names.grid().columns(), names.grid().rows()), (97, 10));
    assert_eq!(all_names(&names, "26A4"), ["25GG4", "26A4"]);
    assert_eq!(all_names(&names, "26GG10"), ["26GG10", "27A10"]);
    assert_eq!(all_names(&names, "27P7"), ["27P7"]);
    assert_eq!(
        around(&names, "25GG4"),
        ["25GG3", "26B3", "26B4", "25GG5", "25FF4", "25FF3"]
    );
}

#[test]
fn one_above_the_other_the_half_hexes_are_one() {
    let names = names(&[board("25"), below("26", "25")]);
    assert_eq!((names.grid().columns(), names.grid().rows()), (33, 20));
    assert_eq!(all_names(&names, "26B0"), ["25B10", "26B0"]);
    assert_eq!(all_names(&names, "26A1"), ["26A1"]);
    assert_eq!(
        around(&names, "25A10"),
        ["25A9", "25B9", "25B10", "26A1", "-", "-"]
    );
    assert_eq!(
        around(&names, "26B0"),
        ["25B9", "25C10", "26C1", "26B1", "26A1", "25A10"]
    );
}

#[test]
fn a_turned_board_runs_the_other_way() {
    let names = names(&[turned(board("25"))]);
    let grid = names.grid();
    for (name, lies) in [
        ("A1", "GG10"),
        ("GG10", "A1"),
        ("B0", "FF10"),
        ("P7", "R3"),
        ("Q1", "Q10"),
    ] {
        assert_eq!(names.hex(name), Ok(grid.hex(lies).unwrap()), "{name}");
    }
    assert_eq!(around(&names, "P7"), ["P8", "O8", "O7", "P6", "Q7", "Q8"]);
    // North is up on the map, whichever way the board lies.
    assert_eq!(names.hexside("P7|N"), names.hexside("P7|P8"));
}

#[test]
fn turned_boards_meet_as_the_printed_edges_do() {
    // 26 lies upside down below 25: row 10 of 26 is what 25 meets.
    let names = names(&[board("25"), turned(below("26", "25"))]);
    assert_eq!(all_names(&names, "25B10"), ["25B10", "26FF10"]);
    assert_eq!(names.hexside("25A10|26GG10"), names.hexside("25A10|S"));
}

#[test]
fn halves_share_the_column_or_row_of_the_cut() {
    let west_east = names(&[half("25", Half::West), half("26", Half::East)]);
    assert_eq!(west_east.grid().columns(), 33);
    assert_eq!(all_names(&west_east, "25Q4"), ["25Q4", "26Q4"]);
    assert!(west_east.hex("25R4").is_err());
    assert!(west_east.hex("26P4").is_err());
    let south = names(&[half("25", Half::South)]);
    assert_eq!((south.grid().columns(), south.grid().rows()), (33, 5));
    assert_eq!(
        south.name(south.grid().hex("B0").unwrap()).as_deref(),
        Some("B5")
    );
    assert_eq!(
        south.name(south.grid().hex("A1").unwrap()).as_deref(),
        Some("A6")
    );
    let east = names(&[turned(half("25", Half::East))]);
    assert_eq!(
        east.name(east.grid().hex("A1").unwrap()).as_deref(),
        Some("GG10")
    );
    let stacked = Board {
        half: Some(Half::South),
        ..below("26", "25")
    };
    let north_south = names(&[half("25", Half::North), stacked]);
    assert_eq!(all_names(&north_south, "25B5"), ["25B5", "26B5"]);
    assert_eq!(
        around(&north_south, "25A5"),
        ["25A4", "25B4", "25B5", "26A6", "-", "-"]
    );
}

#[test]
fn boards_lie_left_and_above_too() {
    let beside = |side| {
        let at = Some(Lies::Beside(side, "25".to_owned()));
        names(&[board("25"), Board { at, ..board("26") }])
    };
    assert_eq!(all_names(&beside(Side::Left), "25A4"), ["25A4", "26GG4"]);
    assert_eq!(all_names(&beside(Side::Above), "25B0"), ["25B0", "26B10"]);
    let at = Some(Lies::At([0, -10]));
    assert_eq!(
        names(&[board("25"), Board { at, ..board("26") }]),
        beside(Side::Above)
    );
}

#[test]
fn a_board_whose_name_ends_in_a_letter_takes_a_colon() {
    let names = names(&[
        half("1", Half::West),
        half("1a", Half::East),
        below("A", "1"),
    ]);
    assert_eq!(all_names(&names, "1Q4"), ["1Q4", "1a:Q4"]);
    assert_eq!(
        names.name(names.hex("1a:R4").unwrap()).as_deref(),
        Some("1a:R4")
    );
    assert_eq!(names.hex("1aR4"), names.hex("1a:R4"));
    // 1AA3 may be AA3 of board 1, which is not on the map, or A3 of board 1a: the colon tells.
    assert!(
        names
            .hex("1AA3")
            .unwrap_err()
            .to_string()
            .starts_with("board 1: ")
    );
    assert_eq!(names.hex("AB3"), names.hex("A:B3"));
    let said = names.hex("P7").unwrap_err().to_string();
    assert_eq!(
        said,
        "\"P7\" is no hex of this map: on a map of several boards the board comes first, as in \
         1:A1; the boards are 1, 1a, A"
    );
}

#[test]
fn lines_cross_seams_as_they_cross_a_board() {
    let names = names(&[board("25"), board("26"), below("27", "25"), board("28")]);
    let line =
        |one: &str, two: &str| trace_between(names.hex(one).unwrap(), names.hex(two).unwrap());
    assert_eq!(line("25EE5", "26C5").range(), 4);
    assert_eq!(line("25GG10", "28A1").range(), 1);
    assert_eq!(line("25D10", "27D1").range(), 1);
    assert_eq!(line("25A5", "27A5").range(), 10);
}

#[test]
fn an_overlay_lies_across_a_seam() {
    let file = "[[board]]\nname = '25'\n[[board]]\nname = '26'\n[[overlay]]\nid = 'D3'\n\
                on = ['25FF5', '26A6']\n";
    let file = MapFile::from_toml(file).unwrap();
    let map = file.to_map().unwrap();
    let names = file.names().unwrap();
    let hexes = map.layers["deir"].fields["hexes"].hexes();
    let hexes: Vec<String> = hexes.map(|hex| names.name(hex).unwrap()).collect();
    assert_eq!(hexes, ["25FF5", "25GG6", "26B6", "26C7"]);
    let flat = MapFile::from_map_on(&map, file.boards).unwrap();
    assert!(
        flat.to_toml()
            .unwrap()
            .contains("\"25FF5\", \"25GG6\", \"26B6\", \"26C7\"")
    );
}

#[test]
fn levels_are_those_of_each_board() {
    let map = |extra: &str| {
        let file = format!(
            "[[board]]\nname = '25'\nbase_level = 1\nlevels = {{ A1 = 2 }}\n\
             [[board]]\nname = '26'\n{extra}"
        );
        MapFile::from_toml(&file).map(|file| (file.to_map().unwrap(), file.names().unwrap()))
    };
    let (both, names) = map("levels = { B5 = 3 }").unwrap();
    let level = |hex: &str| both.level(names.hex(hex).unwrap());
    assert_eq!(
        ["25A1", "25P7", "25GG4", "26B4", "26B5"].map(level),
        [2, 1, 1, 0, 3]
    );
    let (seam, names) = map("levels = { A4 = 3 }").unwrap();
    assert_eq!(seam.level(names.hex("25GG4").unwrap()), 3);
    let both =
        "[[board]]\nname = '25'\nlevels = { GG1 = 2 }\n[[board]]\nname = '26'\nlevels = { A1 = 1 }";
    assert_eq!(
        MapFile::from_toml(both).unwrap_err().to_string(),
        "line 6: board[1].levels.A1: is level 1, and 2 on the board that shares the hex; make them agree"
    );
}

#[test]
fn boards_that_do_not_fit_are_refused() {
    let at = |place: [i16; 2]| Board {
        at: Some(Lies::At(place)),
        ..board("26")
    };
    let wide = |columns: u16| Board {
        columns,
        ..board("25")
    };
    let cases = [
        (vec![], "board: a map needs a board"),
        (
            vec![board("25"), board("")],
            "board[1].name: each board of a map of several needs a name",
        ),
        (
            vec![board("a"), board("A")],
            "board[1].name: two boards are called A",
        ),
        (
            vec![board("2|5")],
            "board[0].name: a board's name is made of",
        ),
        (
            vec![board("25"), at([16, 0])],
            "board[1].at: board 26 would lie on board 25",
        ),
        (
            vec![board("25"), at([33, 0])],
            "board[1].at: board 26 would lie 33 columns from",
        ),
        (
            vec![board("25"), at([34, 0])],
            "board: the boards leave a hole 33 columns east",
        ),
        (
            vec![board("25"), at([32, 10])],
            "board: the boards leave a hole",
        ),
        (
            vec![wide(34), board("26")],
            "board[1].at: board 26 would lie 33 columns from",
        ),
        (
            vec![turned(wide(34))],
            "board[0].turned: a board of 34 columns cannot be turned",
        ),
        (
            vec![board("25"), below("26", "24")],
            "board[1].at: there is no board 24 before this one",
        ),
        (
            vec![wide(1024), board("26")],
            "board[1].at: board 26 would lie 1023 columns from",
        ),
        (
            vec![wide(1023), board("26")],
            "board: these boards make too large a map",
        ),
        (
            vec![wide(1), board("26")],
            "board[0].columns: a board of one column lies beside no",
        ),
        (
            vec![Board {
                half: Some(Half::West),
                ..wide(31)
            }],
            "board[0].half: only a board of 33",
        ),
        (
            vec![Board {
                rows: 5,
                ..half("25", Half::North)
            }],
            "board[0].half: only a board of an even",
        ),
        (
            vec![Board {
                first_column: "B".into(),
                ..board("25")
            }],
            "board[0].first_column: \"B\" is no",
        ),
        (
            vec![Board {
                first_row: 0,
                ..board("25")
            }],
            "board[0].first_row: rows are numbered from 1",
        ),
        (
            vec![Board {
                first_row: u16::MAX,
                ..board("25")
            }],
            "board[0]: a map has 1 to 1024 rows",
        ),
        (
            vec![Board {
                rows: 0,
                ..board("25")
            }],
            "board[0]: a map has 1 to 1024 rows, not 0",
        ),
        (vec![board("25"); 65], "board: a map has at most 64 boards"),
    ];
    for (boards, start) in cases {
        let said = error(&boards);
        assert!(said.starts_with(start), "{said}\ninstead of\n{start}");
    }
}
