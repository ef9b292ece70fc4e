//! Names of hexes and hexsides.

use std::collections::HashSet;

use alamein_hex::{Direction, Grid, GridError, Hex, Hexside, NameError};

fn board() -> Grid {
    Grid::geomorphic()
}

#[test]
fn names_have_their_coordinates() {
    let table = [
        ("A1", 0, 1),
        ("A10", 0, 10),
        ("B0", 1, 0),
        ("B10", 1, 10),
        ("C1", 2, 0),
        ("P6", 15, -1),
        ("Q6", 16, -2),
        ("R8", 17, 0),
        ("Z0", 25, -12),
        ("AA1", 26, -12),
        ("BB0", 27, -13),
        ("GG1", 32, -15),
        ("GG10", 32, -6),
    ];
    for (name, q, r) in table {
        assert_eq!(board().hex(name), Ok(Hex::new(q, r)), "{name}");
        assert_eq!(board().name(Hex::new(q, r)).as_deref(), Some(name));
    }
}

#[test]
fn lower_case_is_accepted() {
    assert_eq!(board().hex("p6"), board().hex("P6"));
    assert_eq!(board().hex("gG10"), board().hex("GG10"));
    assert_eq!(board().hexside("a1|nw"), board().hexside("A1|NW"));
}

#[test]
fn r8_has_its_neighbours() {
    let r8 = board().hex("R8").unwrap();
    let around = r8.neighbours().map(|hex| board().name(hex).unwrap());
    assert_eq!(around, ["R7", "S8", "S9", "R9", "Q9", "Q8"]);
}

#[test]
fn bad_names_are_told_what_is_wrong() {
    let not_a_hex = |text: &str| {
        format!(
            "{text} is not a hex: a hex is a column (A to Z, then AA, BB, CC..) and a row, as in \
             K5"
        )
    };
    let table = [
        ("", "a hex is missing: its name is empty".to_owned()),
        (
            "A0",
            "A0 is off the map: column A has rows 1 to 10".to_owned(),
        ),
        (
            "A11",
            "A11 is off the map: column A has rows 1 to 10".to_owned(),
        ),
        (
            "b11",
            "B11 is off the map: column B has rows 0 to 10".to_owned(),
        ),
        (
            "HH1",
            "HH1 is off the map: there is no column HH, the columns are A to GG".to_owned(),
        ),
        (
            "AAA1",
            "AAA1 is off the map: there is no column AAA, the columns are A to GG".to_owned(),
        ),
        (
            "P99999999999",
            "P99999999999 is off the map: column P has rows 0 to 10".to_owned(),
        ),
        (
            "P99999999999999999999999999999999",
            "P99999999999999999999999... is off the map: column P has rows 0 to 10".to_owned(),
        ),
        ("1A", not_a_hex("\"1A\"")),
        ("P", not_a_hex("\"P\"")),
        ("6", not_a_hex("\"6\"")),
        ("AB3", not_a_hex("\"AB3\"")),
        ("A01", not_a_hex("\"A01\"")),
        ("B00", not_a_hex("\"B00\"")),
        ("A+1", not_a_hex("\"A+1\"")),
        ("A-1", not_a_hex("\"A-1\"")),
        ("A1 ", not_a_hex("\"A1 \"")),
        (" A1", not_a_hex("\" A1\"")),
        ("A1\0", not_a_hex("\"A1\\0\"")),
        ("Ä1", not_a_hex("\"Ä1\"")),
        ("A١", not_a_hex("\"A١\"")),
        ("Ａ1", not_a_hex("\"Ａ1\"")),
        ("🦀", not_a_hex("\"🦀\"")),
    ];
    for (name, message) in table {
        let error = board().hex(name).unwrap_err();
        assert_eq!(error.to_string(), message, "{name:?}");
    }
}

#[test]
fn a_long_name_does_not_make_a_long_message() {
    for text in [
        "A".repeat(100_000),
        "é".repeat(100_000),
        "A".repeat(100_000) + "1",
    ] {
        for error in [
            board().hex(&text).unwrap_err(),
            board().hexside(&text).unwrap_err(),
            board().hexside(&format!("{text}|{text}")).unwrap_err(),
            board().hexside(&format!("A1|{text}")).unwrap_err(),
        ] {
            assert!(error.to_string().len() < 250, "{error}");
        }
    }
}

#[test]
fn every_hex_goes_to_its_name_and_number_and_back() {
    for (columns, rows) in [(33, 10), (1, 1), (2, 1), (3, 2), (80, 33), (1024, 2)] {
        let grid = Grid::new(columns, rows).unwrap();
        let hexes: Vec<_> = grid.hexes().collect();
        assert_eq!(hexes.len(), grid.len());
        assert!(hexes.is_sorted());
        let mut names = HashSet::new();
        for (index, &hex) in hexes.iter().enumerate() {
            let name = grid.name(hex).unwrap();
            assert_eq!(grid.hex(&name), Ok(hex));
            assert_eq!(grid.hex(&name.to_lowercase()), Ok(hex));
            assert_eq!(grid.label(hex), name);
            assert_eq!(grid.index(hex), Some(index));
            assert_eq!(grid.hex_at(index), Some(hex));
            assert!(grid.contains(hex));
            assert!(names.insert(name));
        }
        assert_eq!(grid.hex_at(grid.len()), None);
        assert_eq!(grid.hex_at(usize::MAX), None);
    }
}

#[test]
fn off_the_map_there_is_nothing() {
    let mut on = 0;
    for q in i16::MIN..=i16::MAX {
        // All rows near the map, and the ends of i16, where a sum could wrap.
        for r in (-40..40).chain([i16::MIN, i16::MIN + 1, i16::MAX - 1, i16::MAX]) {
            let hex = Hex::new(q, r);
            let contained = board().contains(hex);
            on += usize::from(contained);
            assert_eq!(board().index(hex).is_some(), contained);
        }
    }
    assert_eq!(on, board().len());
    assert_eq!(board().len(), 33 * 10 + 16);
    for hex in [Hex::new(i16::MIN, i16::MIN), Hex::new(i16::MAX, i16::MAX)] {
        assert_eq!(board().name(hex), None);
        assert!(board().label(hex).starts_with("hex ("));
    }
}

#[test]
fn the_largest_grid_keeps_every_offset_and_turn_of_it_inside_i16() {
    let grid = Grid::new(Grid::MAX_COLUMNS, Grid::MAX_ROWS).unwrap();
    let corner = |name: &str| grid.hex(name).unwrap();
    let last = "J".repeat(40);
    let far = [
        corner("A1"),
        corner("A1024"),
        corner("B0"),
        corner(&format!("{last}0")),
        corner(&format!("{last}1024")),
    ];
    assert_eq!(grid.index(far[4]), Some(grid.len() - 1));
    for from in far {
        for to in far {
            let offset = to - from;
            for turns in 0..6 {
                let turned = offset.turned(turns);
                assert!(turned.q.abs() < 3000 && turned.r.abs() < 3000);
                assert_eq!(Hex::default().range(turned), from.range(to));
            }
        }
    }
}

#[test]
fn grids_beyond_the_limits_are_refused() {
    assert_eq!(Grid::new(0, 5), Err(GridError::Columns(0)));
    assert_eq!(Grid::new(1025, 5), Err(GridError::Columns(1025)));
    assert_eq!(Grid::new(5, 0), Err(GridError::Rows(0)));
    let error = Grid::new(5, u16::MAX).unwrap_err();
    assert_eq!(error.to_string(), "a map has 1 to 1024 rows, not 65535");
}

#[test]
fn hexsides_have_one_name() {
    let side = board().hexside("P6|P7").unwrap();
    for name in ["P7|P6", "P6|S", "P7|N", "p7|n"] {
        assert_eq!(board().hexside(name), Ok(side), "{name}");
    }
    assert_eq!(board().hexside_name(side).as_deref(), Some("P6|P7"));
    // By text, not by number.
    let side = board().hexside("Q9|Q10").unwrap();
    assert_eq!(board().hexside_name(side).as_deref(), Some("Q10|Q9"));
    let edge = board().hexside("A1|N").unwrap();
    assert_eq!(edge.hexes()[0], board().hex("A1").unwrap());
    assert_eq!(board().hexside_name(edge).as_deref(), Some("A1|N"));
}

#[test]
fn every_hexside_goes_to_its_name_and_back() {
    let mut names = HashSet::new();
    for hex in board().hexes() {
        for (direction, side) in Direction::ALL.into_iter().zip(hex.hexsides()) {
            let name = board().hexside_name(side).unwrap();
            assert_eq!(board().hexside(&name), Ok(side), "{name}");
            let beyond = hex.neighbour(direction);
            match board().name(beyond) {
                Some(other) => {
                    let own = board().name(hex).unwrap();
                    let (first, last) = (own.clone().min(other.clone()), own.max(other));
                    assert_eq!(name, format!("{first}|{last}"));
                }
                None => assert_eq!(name, format!("{}|{direction}", board().label(hex))),
            }
            names.insert(name);
        }
    }
    // Each hexside between two hexes was met twice, each at the edge once.
    let inner = board()
        .hexes()
        .flat_map(Hex::hexsides)
        .filter(|side| side.hexes().iter().all(|&hex| board().contains(hex)))
        .count();
    assert_eq!(names.len(), 6 * board().len() - inner / 2);
    let far = Hexside::of(Hex::new(-5, 0), Direction::N);
    assert_eq!(board().hexside_name(far), None);
}

#[test]
fn bad_hexside_names_are_told_what_is_wrong() {
    let not_a_hexside = |text: &str| NameError::NotAHexside { text: text.into() };
    let table = [
        ("", NameError::Empty),
        ("P6", not_a_hexside("P6")),
        ("P6|P7|P8", not_a_hexside("P6|P7|P8")),
        ("P6-P7", not_a_hexside("P6-P7")),
        ("|P7", NameError::Empty),
        ("P6|", NameError::Empty),
        (
            "P6|P8",
            NameError::NotAdjacent {
                one: "P6".into(),
                other: "P8".into(),
            },
        ),
        ("P6|E", NameError::NotAHex { text: "E".into() }),
    ];
    for (name, error) in table {
        assert_eq!(board().hexside(name), Err(error), "{name:?}");
    }
    let message = |name: &str| board().hexside(name).unwrap_err().to_string();
    assert_eq!(
        message("P6|P6"),
        "P6|P6 is not a hexside: it names one hex twice"
    );
    assert_eq!(
        message("A1|A0"),
        "A0 is off the map: column A has rows 1 to 10"
    );
    assert_eq!(
        message("P6|Q99"),
        "Q99 is off the map: column Q has rows 1 to 10"
    );
}
