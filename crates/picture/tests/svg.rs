//! Pictures in SVG, as they should be.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use alamein_cases::{Case, Known, parse};
use alamein_hex::Aim;
use alamein_picture::{Label, Scene, svg};
use roxmltree::{Document, Node};
use serde_json::{Value, json};

fn case(text: &str) -> Case {
    parse("t.json", text, &Known::default()).unwrap()
}

fn example() -> Case {
    case(include_str!("../../../tests/cases/f4-example.json"))
}

/// A map of layers that nobody knows, more than there are looks, on hills and in valleys.
fn strange() -> Case {
    let hex = |at: usize| format!("{}{}", char::from(b'A' + (at % 8) as u8), 1 + at / 8);
    let layer = |at: usize| (format!("layer{at:02}"), json!([hex(at), hex(at + 1)]));
    let layers: BTreeMap<String, Value> = (0..40).map(layer).collect();
    let counters: Value = (0..9)
        .map(|at| json!({"id": format!("c{at}"), "class": "squad", "hex": "C3"}))
        .collect();
    let map = json!({
        "board": {"columns": 9, "rows": 7},
        "levels": {"A2": 60, "A3": -16, "B3": 1},
        "layers": layers});
    case(&json!({"map": map, "counters": counters}).to_string())
}

/// The values of an attribute, each as often as it is there.
fn attributes<'a>(document: &'a Document<'_>, name: &str) -> Vec<&'a str> {
    let nodes = document.descendants();
    nodes.filter_map(|node| node.attribute(name)).collect()
}

fn labels(case: &Case) -> Vec<String> {
    let grid = case.position.map().grid;
    grid.hexes().map(|hex| grid.label(hex)).collect()
}

fn aim(case: &Case, hex: &str) -> Aim {
    Aim::centre(case.position.map().grid.hex(hex).unwrap())
}

#[test]
fn the_worked_example_looks_as_it_did() {
    let case = example();
    let mut scene = Scene::of(&case.position);
    scene.title = "R7 to R5".into();
    scene.line = Some((aim(&case, "R7"), aim(&case, "R5")));
    let picture = svg(&scene).unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures/example.svg");
    if std::env::var_os("ALAMEIN_NEW_PICTURES").is_some() {
        std::fs::write(&golden, &picture).unwrap();
    }
    let expected = std::fs::read_to_string(&golden).unwrap();
    assert!(
        picture == expected,
        "the picture is another than {}; look at it, and if it is better, run this test with \
         ALAMEIN_NEW_PICTURES=1",
        golden.display()
    );
}

#[test]
fn each_hex_and_each_counter_is_there_once() {
    for case in [example(), strange()] {
        let mut scene = Scene::of(&case.position);
        scene.focus = case.position.map().grid.hexes().collect();
        let picture = svg(&scene).unwrap();
        let document = Document::parse(&picture).unwrap();
        assert_eq!(attributes(&document, "data-hex"), labels(&case));
        let shown = attributes(&document, "data-counter");
        let distinct: BTreeSet<&str> = shown.iter().copied().collect();
        assert_eq!(shown.len(), distinct.len());
        let texts = document
            .descendants()
            .filter(|node| node.has_tag_name("text"));
        let names: Vec<&str> = texts.filter_map(|text| text.text()).collect();
        for label in labels(&case) {
            let times = names.iter().filter(|name| **name == label).count();
            assert_eq!(times, 1, "{label}");
        }
        for layer in case.position.map().layers.keys() {
            assert!(attributes(&document, "data-layer").contains(&layer.as_str()));
        }
    }
}

#[test]
fn a_part_of_a_map_shows_that_part() {
    let case = example();
    let mut scene = Scene::of(&case.position);
    scene.focus = vec![aim(&case, "P6").hex, aim(&case, "R7").hex];
    scene.margin = 0;
    let picture = svg(&scene).unwrap();
    let document = Document::parse(&picture).unwrap();
    let shown = attributes(&document, "data-hex");
    assert_eq!(shown, ["P6", "P7", "Q7", "R6", "R7"]);
    assert_eq!(attributes(&document, "data-counter"), ["D", "K", "A", "J"]);
}

#[test]
fn what_it_shows_it_also_tells() {
    let case = example();
    let mut scene = Scene::of(&case.position);
    scene.title = "The example".into();
    scene.line = Some((aim(&case, "S4"), aim(&case, "Q7")));
    let picture = svg(&scene).unwrap();
    let document = Document::parse(&picture).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    assert_eq!(root.attribute("aria-label"), Some("The example"));
    let first: Vec<Node<'_, '_>> = root.children().filter(Node::is_element).take(2).collect();
    assert!(first[0].has_tag_name("title") && first[1].has_tag_name("desc"));
    let told = first[1].text().unwrap();
    for part in [
        "deir, 11 hexes: P6, ",
        "deir lip hexsides: ",
        "A line from S4 to Q7 touches S4, ",
        "R4 (along a hexside)",
        "K squad Q7 axis",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn a_crossing_is_told_and_marked() {
    let case = example();
    let mut scene = Scene::of(&case.position);
    scene.line = Some((aim(&case, "T4"), aim(&case, "R8")));
    let picture = svg(&scene).unwrap();
    let document = Document::parse(&picture).unwrap();
    let told = document
        .descendants()
        .find(|node| node.has_tag_name("desc"));
    assert!(told.unwrap().text().unwrap().contains(" and crosses "));
}

#[test]
fn words_from_elsewhere_stay_words() {
    let bad = "<script>alert(1)</script>\" onload='x' &amp; \u{1b}[31m\u{0}]]>";
    let case = case(
        &json!({
            "map": {"board": {"columns": 3, "rows": 3}, "layers": {bad: {
                "hexes": ["A1", "A2"], bad: ["A1|A2"], "some": ["A1"]}}},
            "counters": [{"id": bad, "class": "tank", "hex": "A1", "side": bad}]})
        .to_string(),
    );
    let mut scene = Scene::of(&case.position);
    scene.title = bad.into();
    let hex = aim(&case, "B1").hex;
    scene.names = BTreeMap::from([(hex, bad.to_owned())]);
    scene.labels = vec![Label {
        hex,
        word: bad.into(),
    }];
    let picture = svg(&scene).unwrap();
    let document = Document::parse(&picture).unwrap();
    let known = [
        "svg", "title", "desc", "defs", "pattern", "g", "path", "rect", "circle", "text",
    ];
    for node in document.descendants().filter(Node::is_element) {
        assert!(known.contains(&node.tag_name().name()), "{node:?}");
        for attribute in node.attributes() {
            let name = attribute.name();
            assert!(!name.starts_with("on") && name != "href", "{attribute:?}");
        }
    }
}

#[test]
fn the_same_scene_gives_the_same_picture_in_whole_tenths() {
    for case in [example(), strange()] {
        let mut scene = Scene::of(&case.position);
        scene.line = Some((aim(&case, "A1"), aim(&case, "H6")));
        let picture = svg(&scene).unwrap();
        assert_eq!(picture, svg(&scene).unwrap());
        let document = Document::parse(&picture).unwrap();
        let paths = document
            .descendants()
            .filter_map(|node| node.attribute("d"));
        for path in paths {
            // After a decimal point there is one digit, and then something else.
            for decimals in path.split('.').skip(1) {
                let digits = decimals.bytes().take_while(u8::is_ascii_digit).count();
                assert_eq!(digits, 1, "{path}");
            }
        }
    }
}

#[test]
fn layers_look_different_as_long_as_they_can() {
    let case = strange();
    let picture = svg(&Scene::of(&case.position)).unwrap();
    let document = Document::parse(&picture).unwrap();
    let patterns = document.descendants();
    let patterns: BTreeSet<&str> = patterns
        .filter(|node| node.has_tag_name("pattern"))
        .filter_map(|node| node.attribute("id"))
        .collect();
    assert_eq!(
        patterns.len(),
        17,
        "of 40 layers, as many as there are looks"
    );
}

#[test]
fn every_line_of_a_large_map_stays_on_the_paper() {
    let case =
        case(r#"{"map": {"board": {"columns": 60, "rows": 30}, "layers": {}}, "counters": []}"#);
    for (from, to) in [("A1", "HHH30"), ("HHH0", "A30"), ("AA1", "AA30")] {
        let mut scene = Scene::of(&case.position);
        scene.line = Some((aim(&case, from), aim(&case, to)));
        let picture = svg(&scene).unwrap();
        let document = Document::parse(&picture).unwrap();
        let size = |name: &str| -> f64 {
            let size = document.root_element().attribute(name).unwrap();
            size.parse().unwrap()
        };
        let circles = document
            .descendants()
            .filter(|node| node.has_tag_name("circle"));
        for circle in circles {
            let at = |name: &str| -> f64 { circle.attribute(name).unwrap().parse().unwrap() };
            assert!((0.0..size("width")).contains(&at("cx")));
            assert!((0.0..size("height")).contains(&at("cy")));
        }
    }
}

#[test]
fn what_nobody_could_look_at_is_not_drawn() {
    let case = case(
        r#"{"map": {"board": {"columns": 1024, "rows": 1024}, "layers": {}}, "counters": []}"#,
    );
    let error = svg(&Scene::of(&case.position)).unwrap_err();
    assert_eq!((error.across, error.down), (1024, 1025));
    assert!(error.to_string().contains("choose a part of the map"));
}
