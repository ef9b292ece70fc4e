//! Map files: reading, writing, what is wrong with them, and their schema.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use alamein_hex::Grid;
use alamein_maps::{MapFile, Over};
use alamein_terrain::{Field, Layer, Map};
use serde_json::{Value, json};

const ONE_BOARD: &str = include_str!("files/one-board.toml");
const JOINED: &str = include_str!("files/joined.toml");
const EVERY_KIND: &str = include_str!("files/every-kind.json");

fn files() -> [MapFile; 3] {
    [
        MapFile::from_toml(ONE_BOARD).unwrap(),
        MapFile::from_toml(JOINED).unwrap(),
        MapFile::from_json(EVERY_KIND).unwrap(),
    ]
}

fn error(toml: &str) -> String {
    MapFile::from_toml(toml).unwrap_err().to_string()
}

#[test]
fn a_file_survives_toml_and_json() {
    for file in files() {
        let toml = file.to_toml().unwrap();
        assert_eq!(MapFile::from_toml(&toml).unwrap(), file, "{toml}");
        let json = file.to_json().unwrap();
        assert_eq!(MapFile::from_json(&json).unwrap(), file, "{json}");
    }
}

#[test]
fn a_map_survives_a_file() {
    for file in files() {
        let map = file.to_map().unwrap();
        let flat = MapFile::from_map(&map).unwrap();
        assert_eq!(flat.to_map().unwrap(), map);
        let again = MapFile::from_toml(&flat.to_toml().unwrap()).unwrap();
        assert_eq!(again.to_map().unwrap(), map);
        let boards = MapFile::from_map_on(&map, file.boards).unwrap();
        assert_eq!(boards.to_map().unwrap().id(), map.id());
        let again = MapFile::from_json(&boards.to_json().unwrap()).unwrap();
        assert_eq!(again.to_map().unwrap().layers, map.layers);
    }
}

#[test]
fn names_of_layers_may_be_anything() {
    let odd = [
        "",
        "kind",
        "values",
        "layers",
        "levels",
        "a.b",
        "a\"b",
        "a\nb\u{7f}",
        "é",
        "[x]",
        "#",
    ];
    let grid = Grid::new(3, 3).unwrap();
    let hex = grid.hex("A1").unwrap();
    let side = grid.hexside("A1|N").unwrap();
    let kinds = [
        Field::Hexes([hex].into()),
        Field::Hexes([].into()),
        Field::Hexsides([side].into()),
        Field::Hexsides([].into()),
        Field::HexValues([(hex, i64::MIN)].into()),
        Field::HexValues([].into()),
        Field::HexsideValues([(side, i64::MAX)].into()),
        Field::HexsideValues([].into()),
    ];
    for kind in &kinds {
        for other in &kinds {
            let mut map = Map::flat(grid);
            for name in odd {
                let fields = odd.iter().zip([kind, other].into_iter().cycle());
                let fields = fields.map(|(field, kind)| ((*field).to_owned(), kind.clone()));
                let fields = fields.take(name.len() + 1).collect();
                map.layers.insert(name.to_owned(), Layer { fields });
            }
            map.layers.insert("none".to_owned(), Layer::default());
            let two = [("kind", kind), ("values", other)];
            let fields = two
                .map(|(name, kind)| (name.to_owned(), kind.clone()))
                .into();
            map.layers.insert("two".to_owned(), Layer { fields });
            let file = MapFile::from_map(&map).unwrap();
            let toml = file.to_toml().unwrap();
            let read = MapFile::from_toml(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}"));
            assert_eq!(read.to_map().unwrap(), map, "{toml}");
            let json = file.to_json().unwrap();
            assert_eq!(
                MapFile::from_json(&json).unwrap().to_map().unwrap(),
                map,
                "{json}"
            );
        }
    }
}

#[test]
fn a_map_off_its_own_grid_has_no_file() {
    let grid = Grid::new(3, 3).unwrap();
    let mut map = Map::flat(grid);
    let off = Field::Hexes([alamein_hex::Hex::new(9, 9)].into());
    let fields = [("hexes".to_owned(), off)].into();
    map.layers.insert("sand".to_owned(), Layer { fields });
    let said = MapFile::from_map(&map).unwrap_err().to_string();
    assert_eq!(said, "layers.sand.hexes: names a place off the map");
}

#[test]
fn toml_is_written_for_people() {
    let file = MapFile::from_toml(ONE_BOARD).unwrap();
    let text = file.to_toml().unwrap();
    let start = "title = \"A board with overlays\"\n\n[[board]]\nname = \"27\"\ncolumns = 33\n\
                 rows = 10\n\n[layers.track]\nhexsides = [\"C3|C4\", \"C4|C5\", \"C5|D5\"]\n\n\
                 [[overlay]]\nid = \"D2\"\non = [\"P6\", \"Q6\"]\n";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("set = { M3 = 1, M4 = 1 }"), "{text}");
    let flat = MapFile::from_map(&file.to_map().unwrap())
        .unwrap()
        .to_toml()
        .unwrap();
    assert!(flat.lines().all(|line| line.len() <= 100), "{flat}");
}

#[test]
fn json_and_toml_are_one_shape() {
    let toml: Value = toml::from_str(JOINED).unwrap();
    assert_eq!(
        MapFile::from_json(&toml.to_string()),
        MapFile::from_toml(JOINED)
    );
}

// === What is wrong ===

#[test]
fn what_is_wrong_is_said_with_field_and_line() {
    let cases = [
        (
            "",
            "board: a map needs a board: [[board]], with a name if it has one",
        ),
        ("[[board]\n", "line 1: "),
        (
            "[[board]]\ncolums = 33\n",
            "line 2: board[0].colums: unknown field `colums`, expected",
        ),
        (
            "[[board]]\ncolumns = 'x'\n",
            "line 2: board[0].columns: invalid type: string",
        ),
        (
            "[[board]]\ncolumns = 0\n",
            "line 1: board[0]: a map has 1 to 1024 columns, not 0",
        ),
        (
            "[[board]]\nhalf = 'left'\n",
            "line 2: board[0].half: unknown variant `left`, expected",
        ),
        (
            "[[board]]\nat = 'near 25'\n",
            "line 2: board[0].at: invalid value: string \"near 25\"",
        ),
        (
            "format = 2\n[[board]]\n",
            "line 1: format: is 2, and this program reads 1",
        ),
        (
            "[[board]]\n[layers]\nsand = ['A1',\n'K11']\n",
            "line 4: layers.sand.hexes[1]: K11 is off",
        ),
        (
            "[[board]]\n[layers.x]\ny = ['A1|A3']\n",
            "line 3: layers.x.y[0]: A1 and A3 share no",
        ),
        (
            "[[board]]\n[layers.x]\ny = ['A1', 'A1|A2']\n",
            "line 3: layers.x.y[1]: \"A1|A2\" is not",
        ),
        (
            "[[board]]\n[layers.x]\ny = 3\n",
            "line 3: layers.x.y: invalid type: integer `3`",
        ),
        (
            "[[board]]\n[layers.x.y]\nA1 = 'x'\n",
            "line 3: layers.x.y.A1: invalid type: string",
        ),
        (
            "[[board]]\n[board.levels]\nA1 = 1\nA0 = 1\n",
            "line 4: board[0].levels.A0: A0 is off",
        ),
        (
            "[[board]]\n[board.levels]\nA1 = 99\n",
            "line 3: board[0].levels.A1: level 99 is out",
        ),
        (
            "[[board]]\n[[overlay]]\nid = 'D2'\non = ['A1']\n",
            "line 4: overlay[0].on: invalid length",
        ),
    ];
    for (toml, start) in cases {
        let said = error(toml);
        assert!(said.starts_with(start), "{toml:?} says\n{said}");
    }
}

#[test]
fn json_says_line_and_field_too() {
    let error = |json: &str| MapFile::from_json(json).unwrap_err().to_string();
    let said = error("{\"board\": [{}],\n \"overlay\": [{\"id\": 3}]}");
    assert!(
        said.starts_with("line 2: overlay[0].id: invalid type"),
        "{said}"
    );
    let said = error(r#"{"board": [{}], "overlay": [{"id": "D2", "on": ["P6", "Q8"]}]}"#);
    assert!(
        said.starts_with("overlay[0].on: 1 on P6 and 2 on Q8 are 2 hexes apart"),
        "{said}"
    );
    assert!(error("{\"board\": [{}]} x").starts_with("line 1: trailing"));
    assert!(error("[").starts_with("line 1: "));
}

#[test]
fn a_text_without_end_is_not_read() {
    let text = "#".repeat(16 * 1024 * 1024 + 1);
    assert!(error(&text).contains("at most 16777216 are read"));
    assert!(
        MapFile::from_json(&text)
            .unwrap_err()
            .to_string()
            .contains("are read")
    );
    let deep = format!("x = {}", "[".repeat(100_000));
    assert!(MapFile::from_toml(&deep).is_err());
    assert!(MapFile::from_json(&"[".repeat(100_000)).is_err());
}

// === Changes ===

fn changed(change: &str) -> Result<Map, String> {
    let base = "[[board]]\n[layers]\nscrub = ['A1', 'A2']\nbrush = ['A2', 'A3']\n\
                [layers.deir]\nhexes = ['C3', 'C4']\nlip_hexsides = ['C2|C3', 'C4|C5', 'C3|D3']\n\
                deir_of = { C3 = 1, C4 = 1 }\n[[change]]\n";
    let file = MapFile::from_toml(&format!("{base}{change}"));
    file.map(|file| file.to_map().unwrap())
        .map_err(|error| error.to_string())
}

fn field(map: &Map, layer: &str, field: &str) -> Vec<String> {
    let grid = map.grid;
    match &map.layers[layer].fields[field] {
        Field::Hexes(set) => set.iter().map(|hex| grid.name(*hex).unwrap()).collect(),
        Field::Hexsides(set) => set.iter().map(|s| grid.hexside_name(*s).unwrap()).collect(),
        Field::HexValues(set) => set.keys().map(|hex| grid.name(*hex).unwrap()).collect(),
        Field::HexsideValues(set) => set.keys().map(|s| grid.hexside_name(*s).unwrap()).collect(),
    }
}

#[test]
fn a_hex_leaves_every_field_of_its_layer() {
    let map = changed("layer = 'deir'\nremove = ['C3']").unwrap();
    assert_eq!(field(&map, "deir", "hexes"), ["C4"]);
    assert_eq!(field(&map, "deir", "deir_of"), ["C4"]);
    assert_eq!(field(&map, "deir", "lip_hexsides"), ["C4|C5"]);
    let map = changed("layer = 'deir'\nfield = 'hexes'\nremove = ['C3']").unwrap();
    assert_eq!(field(&map, "deir", "deir_of"), ["C3", "C4"]);
    let map = changed("layer = 'deir'\nremove = ['C2|C3']").unwrap();
    assert_eq!(field(&map, "deir", "lip_hexsides"), ["C3|D3", "C4|C5"]);
}

#[test]
fn hexes_and_hexsides_come_to_a_layer() {
    let map = changed("layer = 'track'\nadd = ['A1|A2', 'A3']").unwrap();
    assert_eq!(field(&map, "track", "hexsides"), ["A1|A2"]);
    assert_eq!(field(&map, "track", "hexes"), ["A3"]);
    let map = changed("layer = 'deir'\nfield = 'lip_hexsides'\nadd = ['C3|C4']").unwrap();
    assert_eq!(field(&map, "deir", "lip_hexsides").len(), 4);
    let map = changed("layer = 'deir'\nfield = 'deir_of'\nset = { C3 = 2 }").unwrap();
    assert_eq!(field(&map, "deir", "deir_of"), ["C3", "C4"]);
    let map = changed("layer = 'wall'\nfield = 'height'\nset = { 'C3|C4' = 2 }").unwrap();
    assert_eq!(field(&map, "wall", "height"), ["C3|C4"]);
}

#[test]
fn a_layer_becomes_another() {
    let map = changed("layer = 'scrub'\nbecomes = 'brush'").unwrap();
    assert!(!map.layers.contains_key("scrub"));
    assert_eq!(field(&map, "brush", "hexes"), ["A1", "A2", "A3"]);
    let map = changed("layer = 'scrub'\ndrop = true").unwrap();
    assert!(!map.layers.contains_key("scrub"));
}

#[test]
fn a_change_that_makes_no_sense_is_an_error() {
    let cases = [
        (
            "layer = 'scrub'",
            "change[0]: a change has either `becomes`, or `drop`, or some of",
        ),
        (
            "layer = 'scrub'\ndrop = true\nadd = ['A1']",
            "change[0]: a change has either",
        ),
        (
            "layer = 'scrb'\ndrop = true",
            "change[0].layer: there is no layer scrb to change; the map has brush, deir, scrub",
        ),
        (
            "layer = 'scrub'\nremove = ['A3']",
            "change[0].remove[0]: A3 is not in scrub, so it",
        ),
        (
            "layer = 'scrb'\nremove = ['A3']",
            "change[0].remove[0]: A3 is not in scrb, so it",
        ),
        (
            "layer = 'deir'\nfield = 'deir_of'\nremove = ['A3']",
            "change[0].remove[0]: A3 is not in deir.deir_of",
        ),
        (
            "layer = 'deir'\nadd = ['C3|C4']",
            "change[0]: say to which field C3|C4 comes: field = one of lip_hexsides",
        ),
        (
            "layer = 'deir'\nfield = 'hexes'\nadd = ['C3|C4']",
            "change[0].add[0]: C3|C4 does not fit: hexes holds hexes",
        ),
        (
            "layer = 'deir'\nfield = 'hexes'\nset = { C3 = 1 }",
            "change[0].set.C3: C3 does not fit",
        ),
        (
            "layer = 'deir'\nset = { C3 = 1 }",
            "change[0]: `set` needs `field`",
        ),
        (
            "layer = 'deir'\nadd = ['C33']",
            "change[0].add[0]: C33 is off the map",
        ),
    ];
    for (change, start) in cases {
        let said = changed(change).unwrap_err();
        let (_, said) = said.split_once(": ").unwrap();
        assert!(said.starts_with(start), "{change:?} says\n{said}");
    }
}

// === The schema ===

fn schema() -> jsonschema::Validator {
    let text = include_str!("../schema/map.schema.json");
    let schema: Value = serde_json::from_str(text).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn the_schema_takes_the_examples_and_what_is_written() {
    let schema = schema();
    let check = |value: &Value| {
        let errors: Vec<String> = schema.iter_errors(value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{value:#}");
    };
    for toml in [ONE_BOARD, JOINED] {
        check(&toml::from_str(toml).unwrap());
    }
    check(&serde_json::from_str(EVERY_KIND).unwrap());
    for file in files() {
        check(&serde_json::to_value(&file).unwrap());
        let flat = MapFile::from_map(&file.to_map().unwrap()).unwrap();
        check(&serde_json::to_value(&flat).unwrap());
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let schema = schema();
    for wrong in [
        json!({}),
        json!({"board": []}),
        json!({"board": [{"colums": 3}]}),
        json!({"board": [{"half": "left"}]}),
        json!({"board": [{"at": "near 25"}]}),
        json!({"board": [{}], "layers": {"x": {"y": 3}}}),
        json!({"board": [{}], "overlay": [{"id": "D2", "on": ["P6"]}]}),
        json!({"board": [{}], "overlay": [{"id": "D2", "on": ["P6", "Q6"], "over": "under"}]}),
        json!({"board": [{}], "change": [{"add": ["P6"]}]}),
        json!({"board": [{}], "format": 2}),
    ] {
        assert!(!schema.is_valid(&wrong), "{wrong}");
        assert!(MapFile::from_json(&wrong.to_string()).is_err(), "{wrong}");
    }
}

/// Every field of every table that is written stands in the schema, so that none is forgotten.
#[test]
fn the_schema_knows_every_field() {
    let text = include_str!("../schema/map.schema.json");
    let schema: Value = serde_json::from_str(text).unwrap();
    let known = |table: &str| schema["$defs"][table]["properties"].as_object().unwrap();
    let every = MapFile::from_json(EVERY_KIND).unwrap();
    assert_eq!(every.overlays[1].over, Over::Hides);
    let refusal = |json: Value| MapFile::from_json(&json.to_string()).unwrap_err().what;
    for (table, said) in [
        ("board", refusal(json!({"board": [{"?": 1}]}))),
        (
            "overlay",
            refusal(json!({"board": [{}], "overlay": [{"?": 1}]})),
        ),
        (
            "change",
            refusal(json!({"board": [{}], "change": [{"?": 1}]})),
        ),
    ] {
        let (_, expected) = said.split_once("expected one of ").unwrap();
        let names = expected.split('`').skip(1).step_by(2);
        let names: std::collections::BTreeSet<&str> = names.collect();
        let in_schema = known(table).keys().map(String::as_str).collect();
        assert_eq!(names, in_schema, "{table}");
    }
}

// === The documentation ===

#[test]
fn the_documentation_shows_files_that_are_read() {
    let text = include_str!("../../../docs/map-files.md");
    let mut count = 0;
    for block in text.split("```").skip(1).step_by(2) {
        let Some((kind, block)) = block.split_once('\n') else {
            continue;
        };
        let read = match kind {
            "toml" => MapFile::from_toml(block),
            "json" => MapFile::from_json(block),
            _ => continue,
        };
        if let Err(error) = read {
            panic!("{error}\n{block}");
        }
        count += 1;
    }
    assert!(count >= 4);
}
