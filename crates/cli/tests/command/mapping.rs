//! Maps: made, checked, shown, converted.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::run;

/// The folder of this repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file in a folder of its own.
fn file(name: &str, text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

const TWO_BOARDS: &str = r#"
title = "Two boards"
[[board]]
name = "25"
[[board]]
name = "26"
[layers.deir]
hexes = ["26C4", "26C5"]
"#;

/// The picture of the README is what the command in `docs/maps/chapter-f.toml` draws.
#[test]
fn the_picture_in_the_docs_is_what_the_command_draws() {
    let map = root().join("docs/maps/chapter-f.toml");
    let picture = root().join("docs/pictures/chapter-f.svg");
    let command = "alamein map show docs/maps/chapter-f.toml --hexes all --svg \
                   docs/pictures/chapter-f.svg";
    assert!(std::fs::read_to_string(&map).unwrap().contains(command));
    let drawn = run(&format!("map show {} --hexes all --svg -", map.display()));
    let kept = std::fs::read_to_string(&picture).unwrap();
    assert!(drawn.out == kept, "draw it again: {command}");
}

#[test]
fn a_new_map_file_is_right_and_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.toml");
    let path = path.to_str().unwrap();
    assert_eq!(run(&format!("map new {path}")).code, 0);
    let check = run(&format!("map check {path}"));
    assert_eq!(
        check.verdict(),
        format!("{path}: fine: 33 columns of 10 rows; deir 15 hexes; hammada 1 hex; scrub 3 hexes")
    );
    run(&format!("map new {path}")).complains("cannot be written");
    assert_eq!(run("map new").out, std::fs::read_to_string(path).unwrap());
}

#[test]
fn all_that_is_wrong_is_told_with_line_and_field() {
    let (_folder, path) = file(
        "wrong.toml",
        "[[board]]\n[layers]\nscrub = [\"C3\", \"C99\"]\n\n[[overlay]]\nid = \"D9\"\non = [\"P6\", \"Q6\"]\n",
    );
    let check = run(&format!("map check {path}"));
    assert_eq!(check.code, 1);
    check
        .says(&format!(
            "{path}:3: error: layers.scrub.hexes[1]: C99 is off the map"
        ))
        .says(&format!(
            "{path}:6: error: overlay[0].id: there is no overlay \"D9\""
        ))
        .says(&format!("{path}: 2 errors"));
    run(&format!("map show {path}")).complains(&format!(
        "(and 1 more: `alamein map check {path}` tells all)"
    ));
}

#[test]
fn layers_are_checked_by_those_who_own_them() {
    let (_folder, path) = file(
        "layers.toml",
        "[[board]]\n[layers]\nravine = [\"C3\"]\n[layers.deir]\nrims = [\"C4|C5\"]\nlip_hexes = { C4 = 1 }\n",
    );
    let check = run(&format!("map check {path} --json"));
    assert_eq!(check.code, 1);
    let told: Value = serde_json::from_str(&check.out).unwrap();
    let problems = told["files"][0]["problems"].as_array().unwrap();
    let problems: Vec<String> = problems
        .iter()
        .map(|problem| {
            format!(
                "{} {} {}",
                problem["severity"], problem["path"], problem["line"]
            )
        })
        .collect();
    assert_eq!(
        problems,
        [
            "\"error\" \"layers.deir.lip_hexes\" 6",
            "\"error\" \"layers.deir.rims\" 5",
            "\"warning\" \"layers.ravine\" 3",
        ]
    );
    let (_folder, path) = file(
        "strange.toml",
        "[[board]]\n[layers.deir]\nhexes = [\"C4\"]\nlip_hexes = [\"C6\"]\n",
    );
    let check = run(&format!("map check {path}"));
    assert_eq!(check.code, 1);
    check.says(&format!("{path}:2: error: layers.deir: plugin deir: "));
}

#[test]
fn map_files_and_cases_are_drawn() {
    let (_folder, path) = file("two.toml", TWO_BOARDS);
    run(&format!("map show {path}")).says("26C4").says(". deir");
    run(&format!("map show {path} --hexes 25P5..25R6,26A1"))
        .says("25Q6")
        .says("25GG1");
    run(&format!("map show {path} --hexes 26C4-26Z99")).complains("--hexes: ");
    run(&format!("map show {path} --line 25GG4 26C4 --svg -"))
        .says("<title>Two boards</title>")
        .says("A line from 25GG4 to 26C4 touches 25GG4, ");
    let case = root().join("tests/cases/f4-example.json");
    run(&format!("map show {} --line K G", case.display())).says("K squad Q7 axis");
    run("map show --example --svg -").says("data-counter=\"K\"");
    run("map show").tells_usage();
}

#[test]
fn questions_are_asked_on_a_map_without_counters() {
    let (_folder, path) = file("two.toml", TWO_BOARDS);
    let los = run(&format!("los 25GG2 26C4 --map {path}"));
    assert_eq!(los.code, 0, "{}", los.err);
    los.says("GG2 to II4: ");
    assert!(
        los.err
            .contains("by their place on the whole map: 26C4 is II4"),
        "{}",
        los.err
    );
    let los = run(&format!("los 26:C4:2 25P5 --map {path}"));
    los.says("II4:2 to P5: ");
    run(&format!("los 27C4 25P5 --map {path}")).complains("the boards are 25, 26");
    run(&format!("ask q --map {path}")).complains("the case asks no questions");
    let chapter = root().join("docs/maps/chapter-f.toml");
    let fire = run(&format!("fire E5 D8 --map {}", chapter.display()));
    fire.says("E5 fires at D8: clear; TEM +1");
    run(&format!("move tank E7 E6 --map {}", chapter.display())).says("MP");
    let case = root().join("tests/cases/f4-example.json");
    run(&format!("los K G --map {}", case.display())).complains("name it with --case");
}

#[test]
fn maps_go_from_form_to_form() {
    let (folder, path) = file("two.toml", TWO_BOARDS);
    let json = folder.path().join("two.json");
    let json = json.to_str().unwrap();
    assert_eq!(run(&format!("map convert {path} {json}")).code, 0);
    let back = run(&format!("map convert {json} --to toml")).out;
    assert!(back.contains("hexes = [\"26C4\", \"26C5\"]"), "{back}");
    run(&format!("map convert {path} {json}")).complains("two.json cannot be written");
    let case = folder.path().join("case.json");
    let case = case.to_str().unwrap();
    assert_eq!(run(&format!("map convert {path} {case} --to case")).code, 0);
    run(&format!("los GG2 II4 --case {case}")).says("GG2 to II4: ");
    let one = run(&format!("map convert {case} --to toml")).out;
    assert!(one.contains("hexes = [\"II4\", \"II5\"]"), "{one}");
    let id = |path: &str| -> Value {
        let told: Value =
            serde_json::from_str(&run(&format!("map check {path} --json")).out).unwrap();
        told["files"][0]["map_id"].clone()
    };
    assert_eq!((id(&path), id(&path)), (id(json), id(case)));
    run(&format!("map convert {path} two.txt")).complains("--to: say toml, json or case");
}

#[test]
fn the_overlays_are_listed_and_shown() {
    run("map overlays")
        .says("D2   deir        15 hexes\n")
        .says("SD8 ");
    run("map overlays D1")
        .says("1 scrub, 1 bare")
        .says("#  1  ")
        .says("In doubt: 1,1: ");
    run("map overlays SD5 --svg -").says("<title>Overlay SD5</title>");
    run("map overlays Z1").complains("there is no overlay \"Z1\"; there are D1, ");
    run("map overlays D1 D2 --svg -").complains("one picture shows one overlay");
}

/// With boards to read: see `ALAMEIN_VASL_DIR` in CONTRIBUTING.md.
#[test]
fn boards_of_vasl_are_imported() {
    run("map import --vasl nowhere").complains("nowhere");
    let Some(boards) = std::env::var_os("ALAMEIN_VASL_DIR") else {
        return;
    };
    let boards = PathBuf::from(boards).join("boards");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("26.toml");
    let import = run(&format!(
        "map import --vasl {} --out {}",
        boards.join("bd26").display(),
        out.display()
    ));
    assert!(import.err.contains("scrub: 7 hexes"), "{}", import.err);
    assert_eq!(run(&format!("map check {}", out.display())).code, 0);
    let import = run(&format!(
        "map import --vasl {}",
        boards.join("bd01").display()
    ));
    assert!(import.err.contains("not modelled: "), "{}", import.err);
    import.says("# not modelled: ");
}
