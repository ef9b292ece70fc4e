//! All that is wrong with a map file, at once.

#![allow(clippy::unwrap_used)]

use alamein_maps::{MapError, MapFile};

/// A file with something wrong in each of its parts.
const WRONG: &str = r#"[[board]]
name = "27"
levels = { B3 = 99, Z99 = 1, C3 = 2 }

[layers]
scrub = ["C3", "C99", "7Q"]

[layers.track]
hexsides = [
  "M5|N5",
  "M5|P9",
]
depth = { A1 = 1, QQ1 = 2 }

[[overlay]]
id = "D9"
on = ["P6", "Q6"]

[[overlay]]
id = "D2"
on = ["P6", "Q6"]

[[overlay]]
id = "H3"
on = ["P6", "P9"]

[[change]]
layer = "scrub"
remove = ["X7"]

[[change]]
layer = "scrub"
remove = ["C3"]
"#;

fn told(wrongs: &[MapError]) -> Vec<(Option<usize>, &str)> {
    let told = wrongs.iter().map(|wrong| (wrong.line, wrong.path.as_str()));
    told.collect()
}

#[test]
fn all_that_is_wrong_is_told_with_its_line() {
    let wrongs = MapFile::read_toml(WRONG).unwrap_err();
    let expected = [
        (Some(3), "board[0].levels.B3"),
        (Some(3), "board[0].levels.Z99"),
        (Some(6), "layers.scrub.hexes[1]"),
        (Some(6), "layers.scrub.hexes[2]"),
        (Some(13), "layers.track.depth.QQ1"),
        (Some(11), "layers.track.hexsides[1]"),
        (Some(16), "overlay[0].id"),
        (Some(25), "overlay[2].on"),
        (Some(29), "change[0].remove[0]"),
    ];
    assert_eq!(told(&wrongs), expected, "{wrongs:#?}");
    let first = MapFile::from_toml(WRONG).unwrap_err();
    assert_eq!(first, wrongs[0]);
}

#[test]
fn json_is_told_the_same_paths() {
    let toml = MapFile::read_toml(WRONG).unwrap_err();
    let value: toml::Value = toml::from_str(WRONG).unwrap();
    let json = MapFile::read_json(&serde_json::to_string(&value).unwrap()).unwrap_err();
    let paths = |wrongs: &[MapError]| -> Vec<(String, String)> {
        let both = wrongs
            .iter()
            .map(|wrong| (wrong.path.clone(), wrong.what.clone()));
        both.collect()
    };
    assert_eq!(paths(&json), paths(&toml));
}

#[test]
fn what_is_right_gives_the_file_and_its_map() {
    let text = "[[board]]\n[[overlay]]\nid = \"S2\"\non = [\"P6\", \"P5\"]\n";
    let (file, map) = MapFile::read_toml(text).unwrap();
    assert_eq!(file, MapFile::from_toml(text).unwrap());
    assert_eq!(map, file.to_map().unwrap());
    let (again, same) = MapFile::read_json(&file.to_json().unwrap()).unwrap();
    assert_eq!((again, same), (file, map));
}

#[test]
fn of_too_much_that_is_wrong_the_first_is_told() {
    let names: Vec<String> = (0..500).map(|at| format!("\"X{}\"", 100 + at)).collect();
    let text = format!("[[board]]\n[layers]\nscrub = [{}]\n", names.join(", "));
    let wrongs = MapFile::read_toml(&text).unwrap_err();
    assert_eq!(wrongs.len(), MapFile::MOST_WRONG);
    assert_eq!(wrongs[99].path, "layers.scrub.hexes[99]");
}

#[test]
fn a_text_that_is_no_map_file_is_one_thing_that_is_wrong() {
    for text in ["[[board]\n", "board = 3\n", "[[bord]]\n"] {
        assert_eq!(MapFile::read_toml(text).unwrap_err().len(), 1, "{text}");
    }
    assert_eq!(MapFile::read_json("{\"board\": [}").unwrap_err().len(), 1);
    assert_eq!(
        MapFile::read_toml("format = 2\n[[board]]\n")
            .unwrap_err()
            .len(),
        1
    );
}

#[test]
fn a_map_has_no_end_of_overlays() {
    let overlay = "[[overlay]]\nid = \"S2\"\non = [\"P6\", \"P5\"]\nover = true\n";
    let text = |overlays: usize| format!("[[board]]\n{}", overlay.repeat(overlays));
    assert!(MapFile::read_toml(&text(MapFile::MOST_LISTED)).is_ok());
    let wrongs = MapFile::read_toml(&text(MapFile::MOST_LISTED + 1)).unwrap_err();
    assert_eq!(wrongs[0].path, "overlay");
    assert_eq!(wrongs[0].what, "lists 1001; a map has at most 1000");
}
