//! The bundled catalogue, and overlays laid on maps.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use std::collections::BTreeSet;

use alamein_hex::{Direction, Grid, Hex};
use alamein_maps::{Catalogue, Family, MapFile};
use alamein_terrain::{Field, Map};

fn map(toml: &str) -> Map {
    MapFile::from_toml(toml).unwrap().to_map().unwrap()
}

fn error(toml: &str) -> String {
    MapFile::from_toml(toml).unwrap_err().to_string()
}

/// The names that a field of hexes or hexsides holds, on a geomorphic board.
fn names(map: &Map, layer: &str, field: &str) -> Vec<String> {
    let grid = map.grid;
    let mut names: Vec<String> = match &map.layers[layer].fields[field] {
        Field::Hexes(set) => set.iter().map(|hex| grid.name(*hex).unwrap()).collect(),
        Field::Hexsides(set) => set.iter().map(|s| grid.hexside_name(*s).unwrap()).collect(),
        other => panic!("{layer}.{field} holds {}", other.kind()),
    };
    names.sort();
    names
}

#[test]
fn the_catalogue_has_the_desert_overlays() {
    let of = |family: Family| {
        let arts = Catalogue::bundled()
            .iter()
            .filter(|art| art.family == family);
        arts.map(|art| (art.id.as_str(), art.shows.hexes.len()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of(Family::Deir),
        [
            ("D1", 16),
            ("D2", 15),
            ("D3", 4),
            ("D4", 5),
            ("D5", 36),
            ("D6", 16)
        ]
    );
    assert_eq!(
        of(Family::Hillock),
        [
            ("H1", 45),
            ("H2", 18),
            ("H3", 11),
            ("H4", 37),
            ("H5", 31),
            ("H6", 19)
        ]
    );
    let sand = of(Family::Sand);
    assert_eq!(sand.iter().map(|(_, hexes)| hexes).sum::<usize>(), 73);
    assert_eq!(sand.len(), 8);
    let dunes = of(Family::Dune);
    assert_eq!(dunes.iter().map(|(_, hexes)| hexes).sum::<usize>(), 115);
    assert_eq!(dunes.len(), 8);
}

#[test]
fn every_overlay_is_one_piece_and_keeps_its_shape_however_it_is_turned() {
    let centre = Grid::new(65, 65).unwrap().hex("GG32").unwrap();
    for art in Catalogue::bundled().iter() {
        assert!(is_one_piece(&art.shows.hexes), "{}", art.id);
        for two in Direction::ALL {
            let laid = art.laid(centre, two);
            assert!(laid.hexes.contains(&centre) && laid.hexes.contains(&centre.neighbour(two)));
            assert_eq!(laid.hexes.len(), art.shows.hexes.len());
            assert_eq!(laid.rim().len(), art.shows.rim().len());
            assert_eq!(laid.crest.len(), art.shows.crest.len());
            let within = |hex: &Hex| laid.hexes.contains(hex);
            assert!(
                laid.crest
                    .iter()
                    .all(|side| side.hexes().iter().all(within)),
                "{}",
                art.id
            );
            // Six turns of a sixth are no turn.
            let back = art
                .shows
                .hexes
                .iter()
                .map(|hex| hex.turned(two.index() as i8) + centre);
            assert_eq!(back.collect::<BTreeSet<_>>(), laid.hexes);
        }
    }
}

fn is_one_piece(hexes: &BTreeSet<Hex>) -> bool {
    let mut open: Vec<Hex> = hexes.first().copied().into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(hex) = open.pop() {
        if seen.insert(hex) {
            open.extend(
                hex.neighbours()
                    .into_iter()
                    .filter(|next| hexes.contains(next)),
            );
        }
    }
    seen == *hexes
}

/// The deir of the worked example, as its text has it: fifteen hexes, three of them without Lip.
#[test]
fn d2_on_p6_q6_is_the_deir_of_the_worked_example() {
    let map = map("[[board]]\n[[overlay]]\nid = 'D2'\non = ['P6', 'Q6']");
    let hexes = [
        "P6", "Q6", "Q7", "Q8", "Q9", "R5", "R6", "R7", "R8", "S6", "S7", "S8", "S9", "T7", "T8",
    ];
    assert_eq!(names(&map, "deir", "hexes"), hexes);
    let interior = ["R6", "R7", "S8"];
    let lips: Vec<&str> = hexes
        .into_iter()
        .filter(|hex| !interior.contains(hex))
        .collect();
    assert_eq!(names(&map, "deir", "lip_hexes"), lips);
    let sides = names(&map, "deir", "lip_hexsides");
    assert_eq!(
        sides,
        [
            "O6|P6", "O7|P6", "P5|P6", "P5|Q6", "P6|P7", "P7|Q7", "P7|Q8", "P8|Q8", "P8|Q9",
            "P9|Q9", "Q10|Q9", "Q5|Q6", "Q5|R5", "Q9|R9", "R4|R5", "R5|S5", "R8|R9", "R9|S9",
            "S10|S9", "S5|S6", "S6|T5", "S6|T6", "S7|T6", "S9|T9", "T6|T7", "T7|U7", "T7|U8",
            "T8|T9", "T8|U8", "T8|U9"
        ]
    );
}

#[test]
fn d3_in_all_six_orientations() {
    let strip = |two: &str| {
        let toml = format!("[[board]]\n[[overlay]]\nid = 'd3'\non = ['P5', '{two}']");
        names(&map(&toml), "deir", "hexes")
    };
    assert_eq!(strip("P4"), ["P2", "P3", "P4", "P5"]);
    assert_eq!(strip("Q5"), ["P5", "Q5", "R4", "S4"]);
    assert_eq!(strip("Q6"), ["P5", "Q6", "R6", "S7"]);
    assert_eq!(strip("P6"), ["P5", "P6", "P7", "P8"]);
    assert_eq!(strip("O6"), ["M7", "N6", "O6", "P5"]);
    assert_eq!(strip("O5"), ["M4", "N4", "O5", "P5"]);
}

#[test]
fn a_bare_hex_of_d1_is_no_deir_and_has_lips_around_it() {
    let map = map("[[board]]\n[[overlay]]\nid = 'D1'\non = ['K5', 'K4']");
    assert_eq!(names(&map, "scrub", "hexes"), ["L6"]);
    assert!(!names(&map, "deir", "hexes").contains(&"L6".to_owned()));
    let sides = names(&map, "deir", "lip_hexsides");
    for side in ["L5|L6", "L6|M6", "L6|M7"] {
        assert!(sides.contains(&side.to_owned()), "{side}");
    }
}

#[test]
fn dunes_are_sand_and_are_high_where_a_scenario_says_so() {
    let low = map("[[board]]\n[[overlay]]\nid = 'SD7'\non = ['K5', 'K4']");
    assert_eq!(names(&low, "sand", "hexes").len(), 7);
    assert_eq!(names(&low, "dune_crest", "hexsides").len(), 4);
    assert!(!low.layers.contains_key("high_dune"));
    let high = map("[[board]]\n[[overlay]]\nid = 'SD7'\non = ['K5', 'K4']\nhigh = true");
    assert_eq!(names(&high, "high_dune", "hexes").len(), 5);
    assert_eq!(high.layers["sand"], low.layers["sand"]);
    assert_eq!(
        error("[[board]]\n[[overlay]]\nid = 'S7'\non = ['K5', 'K4']\nhigh = true"),
        "line 5: overlay[0].high: only dunes are High, and S7 is none"
    );
}

#[test]
fn what_is_wrong_with_an_overlay_is_said_with_its_line() {
    let placed = |id: &str, one: &str, two: &str| {
        error(&format!(
            "[[board]]\n\n[[overlay]]\nid = '{id}'\non = ['{one}', '{two}']\n"
        ))
    };
    assert_eq!(
        placed("D2", "P6", "Q8"),
        "line 5: overlay[0].on: 1 on P6 and 2 on Q8 are 2 hexes apart; name two adjacent hexes"
    );
    assert_eq!(
        placed("D2", "P6", "P6"),
        "line 5: overlay[0].on: 1 on P6 and 2 on P6 are the same hex; name two adjacent hexes"
    );
    let unknown = placed("D7", "P6", "Q6");
    assert!(
        unknown.starts_with("line 4: overlay[0].id: there is no overlay \"D7\"; there are D1, ")
    );
    assert!(unknown.ends_with("SD7, SD8"), "{unknown}");
    assert_eq!(
        placed("D3", "A2", "A1"),
        "line 5: overlay[0].on: 2 of the 4 hexes of D3 lie off the map (hex (0, -1), A0); place \
         it farther from the edge"
    );
    assert_eq!(
        placed("D2", "P6", "P11"),
        "line 5: overlay[0].on[1]: P11 is off the map: column P has rows 0 to 10"
    );
}

const TWO: &str = "[[board]]\n\n[[overlay]]\nid = 'D3'\non = ['P5', 'P4']\n\n[[overlay]]\nid = 'S2'\non = ['P4', 'P3']\n";

#[test]
fn overlays_do_not_lie_on_each_other_unless_the_file_says_so() {
    assert_eq!(
        error(TWO),
        "line 7: overlay[1]: S2 would lie on D3, at P3, P4; say over = true if it is to hide what \
         is there, or over = \"adds\" if both are to count"
    );
    let hides = map(&format!("{TWO}over = true\n"));
    assert_eq!(names(&hides, "deir", "hexes"), ["P2", "P5"]);
    assert_eq!(names(&hides, "sand", "hexes"), ["P3", "P4"]);
    // What was P4's alone is hidden; the hexsides of P2 and P5 that were no Lip Hexsides still
    // are none.
    let lips = names(&hides, "deir", "lip_hexsides");
    assert!(!lips.contains(&"O4|P4".to_owned()) && !lips.contains(&"P4|P5".to_owned()));
    assert!(lips.contains(&"P5|P6".to_owned()) && lips.contains(&"P1|P2".to_owned()));
    let adds = map(&format!("{TWO}over = 'adds'\n"));
    assert_eq!(names(&adds, "deir", "hexes"), ["P2", "P3", "P4", "P5"]);
    assert_eq!(names(&adds, "sand", "hexes"), ["P3", "P4"]);
    let said = error(&format!("{TWO}over = 'under'\n"));
    assert!(
        said.contains("overlay[1].over") && said.contains("\"adds\""),
        "{said}"
    );
}

#[test]
fn an_overlay_hides_what_is_printed_on_the_board() {
    let printed = "[[board]]\n[layers]\nscrub = ['P5', 'A1']\nbrush = ['P5']\n[layers.dune_crest]\n\
                   hexsides = ['P4|P5', 'P5|Q5', 'A1|A2']\n[[overlay]]\nid = 'D3'\non = ['P5', 'P4']";
    let map = map(printed);
    assert_eq!(names(&map, "scrub", "hexes"), ["A1"]);
    assert_eq!(
        names(&map, "brush", "hexes"),
        ["P5"],
        "not a layer of the desert"
    );
    assert_eq!(names(&map, "dune_crest", "hexsides"), ["A1|A2", "P5|Q5"]);
}

#[test]
fn deirs_of_the_file_and_of_overlays_are_numbered_apart() {
    let printed = "[[board]]\n[layers.deir]\nhexes = ['C3']\n";
    let overlay = "[[overlay]]\nid = 'D3'\non = ['P5', 'P4']";
    let said = error(&format!("{printed}{overlay}"));
    assert!(said.contains("deirs without deir_of already"), "{said}");
    let rest = "lip_hexes = ['C3']\nlip_hexsides = ['C2|C3']\n[layers.deir.deir_of]\nC3 = 7\n";
    let map = map(&format!("{printed}{rest}{overlay}"));
    let Field::HexValues(deir_of) = &map.layers["deir"].fields["deir_of"] else {
        panic!("numbers")
    };
    assert_eq!(deir_of[&map.grid.hex("C3").unwrap()], 7);
    assert_eq!(deir_of[&map.grid.hex("P5").unwrap()], 8);
}

#[test]
fn a_table_of_overlays_may_come_from_elsewhere() {
    let table = "family = 'sand'\n[[overlay]]\nid = 'S99'\nhexes = ['0: -1..0 2']\nbare = ['0: 2']";
    let ours = Catalogue::bundled()
        .clone()
        .with(Catalogue::parse(table).unwrap());
    assert_eq!(ours.get("s99").unwrap().shows.terrain.len(), 2);
    assert!(ours.get("D2").is_some());
    let wrong = |hexes: &str| {
        let table = format!("family = 'sand'\n[[overlay]]\nid = 'S99'\nhexes = [{hexes}]");
        Catalogue::parse(&table).unwrap_err().to_string()
    };
    assert!(wrong("'0: 0'").contains("lacks hex 1 (0,0) or hex 2 (0,-1)"));
    assert!(wrong("'0 0'").contains("overlay[0].hexes[0]: \"0 0\" is no strip of hexes"));
    assert!(wrong("'0: 0..32000'").contains("is no strip"));
}
