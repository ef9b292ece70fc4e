//! Replaying case files.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::run;

fn case(id: &str, questions: Value) -> Value {
    json!({
        "id": id,
        "map": {"board": "33x10 geomorphic", "layers": {
            "deir": {"hexes": ["K5", "K6"], "lip_hexes": ["K5", "K6"],
                     "lip_hexsides": ["K4|K5"]},
            "swamp": ["C3"]}},
        "counters": [{"id": "tk", "class": "tank", "hex": "K3", "side": "british"}],
        "questions": questions,
    })
}

fn questions() -> Value {
    json!([
        {"id": "right", "kind": "line_of_fire", "from": "K2", "to": "K5", "attack": "direct",
         "expect": {"result": "hindered", "hindering": ["tk"], "deir_protection": true, "tem": 1}},
        {"id": "wrong", "kind": "line_of_fire", "from": "K2", "to": "K5", "attack": "direct",
         "expect": {"result": "clear", "tem": 1}},
        {"id": "open", "kind": "line_of_sight", "from": "K2", "to": "K5", "contested": true,
         "expect": {"result": "clear"}},
        {"id": "other", "kind": "weather", "expect": {"rain": true}},
        {"id": "wet", "kind": "line_of_sight", "from": "C2", "to": "C4",
         "expect": {"result": "clear"}},
        {"id": "more", "kind": "line_of_sight", "from": "K5", "to": "K6",
         "expect": {"result": "clear", "smoke": 2}},
        {"id": "lost", "kind": "line_of_sight", "from": "K5", "to": "K66",
         "expect": {"result": "clear"}},
    ])
}

fn put(folder: &Path, name: &str, case: &Value) -> String {
    let path = folder.join(name);
    fs::write(&path, case.to_string()).unwrap();
    path.display().to_string()
}

#[test]
fn each_difference_is_shown_with_the_rulings_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let file = put(folder.path(), "t.json", &case("t", questions()));
    let ran = run(&format!("check {file}"));
    assert_eq!(ran.code, 1, "{}", ran.err);
    ran.says(&format!(
        "FAILED {file} wrong\n  result: expected \"clear\", ruled \"hindered\"\n"
    ))
    .says("    F4.5/tem (deir) at K4|K5")
    .says(&format!(
        "FAILED {file} lost\n  {file}: question lost: to: there is no counter"
    ))
    .says("Skipped:\n")
    .says("      1  it meets the layer `swamp`, which no loaded plugin owns\n")
    .says("      1  no loaded plugin reports `smoke`\n")
    .says("      1  nothing answers questions of the kind `weather`\n")
    .says("      1  the rules leave it open\n")
    .says("Layers that no loaded plugin owns, left out of account: swamp\n");
    assert_eq!(
        ran.out.lines().last().unwrap(),
        "1 passed, 2 failed, 4 skipped"
    );
    // What the rules leave open can be counted too.
    let ran = run(&format!("check --contested {file}"));
    assert_eq!(
        ran.out.lines().last().unwrap(),
        "1 passed, 3 failed, 3 skipped"
    );
}

#[test]
fn folders_are_searched_and_their_cases_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let one = json!([questions()[0]]);
    put(folder.path(), "b.json", &case("b", one.clone()));
    put(folder.path(), "notes.txt", &json!("no case"));
    fs::create_dir(folder.path().join("more")).unwrap();
    put(&folder.path().join("more"), "a.json", &case("a", one));
    // Links round in a circle and a pipe that nobody writes to are passed over.
    std::os::unix::fs::symlink(folder.path(), folder.path().join("more/round")).unwrap();
    let pipe = folder.path().join("pipe.json");
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let ran = run(&format!("check {}", folder.path().display()));
    assert_eq!(
        (ran.code, ran.out.lines().last().unwrap()),
        (0, "2 passed, 0 failed, 0 skipped")
    );
}

#[test]
fn a_file_that_cannot_be_used_is_an_error_and_the_others_count() {
    let folder = tempfile::tempdir().unwrap();
    let good = put(
        folder.path(),
        "good.json",
        &case("g", json!([questions()[0]])),
    );
    let mut bad = case("b", json!([]));
    bad["counters"][0]["hex"] = json!("K99");
    let bad = put(folder.path(), "bad.json", &bad);
    let mut odd = case("o", json!([questions()[0]]));
    odd["map"]["layers"]["deir"]["lip_hexsides"] = json!(["C4|C5"]);
    let odd = put(folder.path(), "odd.json", &odd);
    let ran = run(&format!("check {bad} {odd} {good} nowhere.json"));
    ran.complains(&format!(
        "alamein: {bad}: counters[0].hex: K99 is off the map"
    ));
    ran.complains(&format!("alamein: {odd}: plugin deir: "));
    ran.complains("alamein: nowhere.json: cannot be read");
    ran.says("Files that cannot be used: 3\n");
    assert_eq!(
        ran.out.lines().last().unwrap(),
        "1 passed, 0 failed, 0 skipped"
    );
}

#[test]
fn expectations_under_other_policies_are_compared_whatever_the_policy() {
    let file = xtask::root().join("tests/cases/deir-grazing.json");
    for policy in ["", "--policy BOTH", "--policy NEITHER_IF_GRAZING"] {
        let ran = run(&format!("check {} {policy}", file.display()));
        assert_eq!(ran.code, 0, "{policy}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains(" 0 failed, "));
    }
}

#[test]
fn the_example_of_this_program_holds() {
    let file = xtask::root().join("tests/cases/f4-example.json");
    let ran = run(&format!("check {}", file.display()));
    assert_eq!(ran.code, 0, "{}", ran.out);
}

#[test]
fn programs_read_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = put(folder.path(), "t.json", &case("t", questions()));
    let ran = run(&format!("check --json {file}"));
    assert_eq!(ran.code, 1);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let counts = ["passed", "failed", "skipped"].map(|key| report[key].as_u64().unwrap());
    assert_eq!(counts, [1, 2, 4]);
    let wrong = &report["questions"][1];
    assert_eq!(wrong["id"], "wrong");
    assert_eq!(
        wrong["differences"][0],
        json!({"policy": "EITHER", "key": "result", "expected": "clear", "ruled": "hindered"})
    );
}
