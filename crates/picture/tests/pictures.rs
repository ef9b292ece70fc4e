//! Pictures, as they should look.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use alamein_cases::{Case, Known, parse};
use alamein_hex::Aim;
use alamein_picture::{Label, Scene, draw};
use serde_json::{Value, json};

fn case(map: Value, counters: Value) -> Case {
    let case = json!({"map": map, "counters": counters});
    parse("t.json", &case.to_string(), &Known::default()).unwrap()
}

/// Two hollows beside a ridge, with a wall.
fn country() -> Case {
    case(
        json!({
            "board": {"columns": 6, "rows": 5}, "levels": {"E3": 1, "E4": -1},
            "layers": {
                "hollow": {"hexes": ["C3", "D2"], "rims": ["C3|C4", "C3|D3", "D2|D3"]},
                "ridge": {"hexes": ["D2", "D1"]},
                "wall": ["B2|B3"]}}),
        json!([
            {"id": "A", "class": "tank", "hex": "B2", "side": "british", "dug_in": true},
            {"id": "sq1", "class": "squad", "hex": "D2", "side": "german"},
            {"id": "sq2", "class": "squad", "hex": "D2", "side": "german"},
            {"id": "longname", "class": "half_squad", "hex": "E3"},
            {"id": "B", "class": "leader", "hex": "B2", "aboard": "A"}]),
    )
}

fn aim(case: &Case, hex: &str) -> Aim {
    Aim::centre(case.position.map().grid.hex(hex).unwrap())
}

#[track_caller]
fn shows(picture: &str, expected: &str) {
    let expected = expected.trim_start_matches('\n');
    assert_eq!(picture, expected, "\n{picture}");
}

#[test]
fn a_map_without_a_line() {
    let case = country();
    shows(
        &draw(&Scene::of(&case.position)),
        include_str!("pictures/map.txt"),
    );
}

#[test]
fn a_line_that_crosses() {
    let case = country();
    let mut scene = Scene::of(&case.position);
    scene.line = Some((aim(&case, "A2"), aim(&case, "D4")));
    shows(&draw(&scene), include_str!("pictures/crosses.txt"));
}

#[test]
fn a_line_that_grazes() {
    let case = country();
    let mut scene = Scene::of(&case.position);
    scene.line = Some((aim(&case, "A3"), aim(&case, "E3")));
    scene.margin = 0;
    shows(&draw(&scene), include_str!("pictures/grazes.txt"));
}

#[test]
fn words_and_crowds_are_cut_to_fit() {
    let case = country();
    let mut scene = Scene::of(&case.position);
    scene.margin = 0;
    let label = |hex: &str, word: &str| Label {
        hex: aim(&case, hex).hex,
        word: word.into(),
    };
    scene.labels = vec![label("C3", "mover"), label("D2", "here")];
    scene.focus = vec![aim(&case, "E3").hex];
    shows(&draw(&scene), include_str!("pictures/words.txt"));
}

#[test]
fn colours_change_nothing_but_colours() {
    let case = country();
    let mut scene = Scene::of(&case.position);
    scene.line = Some((aim(&case, "A2"), aim(&case, "D4")));
    scene.looks = BTreeMap::from([("hollow".to_owned(), "golden".to_owned())]);
    let plain = draw(&scene);
    scene.colours = true;
    let coloured = draw(&scene);
    assert!(coloured.contains("\u{1b}[0;38;5;16;48;5;221m"));
    let mut bare = String::new();
    for (at, part) in coloured.split("\u{1b}[").enumerate() {
        bare.push_str(if at == 0 {
            part
        } else {
            part.split_once('m').unwrap().1
        });
    }
    let trimmed = |text: &str| {
        text.lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(trimmed(&bare), trimmed(&plain));
}

#[test]
fn a_bare_map_is_drawn_whole() {
    let case = case(json!({"board": {"columns": 2, "rows": 1}}), json!([]));
    shows(
        &draw(&Scene::of(&case.position)),
        include_str!("pictures/bare.txt"),
    );
}

#[test]
fn every_line_of_a_large_board_stays_on_the_canvas() {
    let case = case(json!({"board": {"columns": 60, "rows": 30}}), json!([]));
    for (from, to) in [
        ("A1", "HHH30"),
        ("HHH0", "A30"),
        ("A15", "HHH15"),
        ("AA1", "AA30"),
    ] {
        let mut scene = Scene::of(&case.position);
        scene.line = Some((aim(&case, from), aim(&case, to)));
        assert!(draw(&scene).contains(" the line and the hexes it touches"));
    }
}

#[test]
fn what_nobody_could_look_at_is_not_drawn() {
    let case = case(json!({"board": {"columns": 1024, "rows": 1024}}), json!([]));
    let picture = draw(&Scene::of(&case.position));
    assert!(
        picture.starts_with("A picture of 1024 by 1025 hexes would be too large"),
        "{picture}"
    );
}
