//! Moves of several steps, and what an allowance reaches.

use serde_json::{Value, json};

use crate::run;

#[test]
fn a_path_adds_up_step_by_step() {
    let ran = run("move tank P4 P5 P6 Q6 Q5 --example --allowance 5");
    assert_eq!(ran.verdict(), "tank from P4 to Q5: 5 MP of 5");
    ran.says("  P5  1 MP  +1\n  P6  2 MP  +1\n  Q6  3 MP  +1\n  Q5  5 MP  +2\n")
        .says("\nrules ");
    let short = run("move tank P4 P5 P6 Q6 Q5 --example --allowance 4");
    let expected = "tank from P4 to Q5: 5 MP; above the allowance of 4 MP with Q5";
    assert_eq!(short.verdict(), expected);
    // Each step explains itself.
    run("move tank P4 P5 P6 Q6 Q5 --example --explain").tells("F4.3 lip exit +1 MP Q5");
    assert_eq!(
        run("move A P4 P5 P6 --example").verdict(),
        "tank from P4 to P6: 2 MP"
    );
}

#[test]
fn a_turn_stands_behind_its_hex() {
    let ran = run("move tank P4:1 P5 P6:2 --example");
    let expected = "tank from P4 to P6: 2 MP; without what changes of VCA cost";
    assert_eq!(ran.verdict(), expected);
    ran.says("  P4:1  0 MP  what a change of VCA costs is not judged\n")
        .says("  P6:2  2 MP  what a change of VCA costs is not judged\n");
    let alone = run("move tank P4:1 --example");
    assert!(alone.verdict().starts_with("tank changes VCA by 1 in P4: "));
}

#[test]
fn a_track_may_be_followed_all_the_way() {
    let step = run("move tank Q6 Q5 --example --along track");
    assert_eq!(step.verdict(), "tank from Q6 into Q5: 1 MP");
    let path = run("move tank Q7 Q6 Q5 --example --along track");
    assert_eq!(path.verdict(), "tank from Q7 to Q5: 2 MP");
}

#[test]
fn the_picture_of_a_path_has_its_totals() {
    run("move squad P3 P4 Q5 --example --picture")
        .says("start")
        .says("\\   1   /");
}

#[test]
fn what_is_no_path_is_said_with_the_step() {
    run("move tank P4 P5 P7 --example").complains("steps[1]: to: P5 and P7 are not adjacent");
    run("move squad P4 P5:1 P6 --example").complains("steps[1]: mover.class: a squad does not");
    run("move tank P4 P5:6 P6 --example").complains("steps[1]: hexsides: ");
    run("move tank P4 --example")
        .complains("HEX: a move needs a second hex, or a turn such as P4:1");
    run("move tank P4 P5:x --example").complains("HEX: ");
    run("move tonk P4 P5 P6 --example").complains("MOVER: \"tonk\" is neither");
}

#[test]
fn programs_read_paths_as_json() {
    let ran = run("move tank P4 P5 P6:1 Q6 Q5 --example --allowance 4 --json");
    let path: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&path["total"], &path["unit"]), (&json!(5), &json!("MP")));
    assert_eq!(path["exceeds_at_step"], 4);
    let steps = path["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 5);
    assert_eq!(steps[4]["spent"], json!([{"place": "Q5", "amount": 2}]));
    assert_eq!(steps[2]["vca_change_not_judged"], true);
    assert_eq!(steps[0]["ruling"]["verdict"]["total"], 1);
    assert_eq!(steps[0]["ruling"]["ruling_id"].as_str().unwrap().len(), 64);
}

#[test]
fn a_saved_path_is_replayed_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("path.json");
    let ran = run(&format!(
        "move tank P4 P5 P6:1 Q6 --example --save {}",
        file.display()
    ));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let checked = run(&format!("check {}", file.display()));
    assert_eq!(
        checked.out, "4 passed, 0 failed, 0 skipped\n",
        "{}",
        checked.err
    );
}

#[test]
fn an_allowance_reaches_so_far() {
    let ran = run("reach tank Q6 --example --allowance 2");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    ran.says("tank from Q6 within 2 MP: 11 hexes\n")
        .says("   0 MP  Q6\n   1 MP  P6 Q7 R5 R6\n   2 MP  P5 Q5 Q8 R7 S6 S7\n")
        .says("What changes of VCA cost is not judged.\n")
        // The picture has the costs in the hexes, and no counters.
        .says("# Q6  \\   1   /")
        .says("\\   2   ");
    assert!(!ran.out.contains("squad"), "{}", ran.out);
    let squad = run("reach infantry Q6 --example --allowance 2");
    squad.says("squad from Q6 within 2 MF: 19 hexes\n");
    assert!(!squad.out.contains("VCA"), "{}", squad.out);
}

#[test]
fn programs_read_what_is_reached_as_json() {
    let ran = run("reach tank Q6 --example --allowance 1 --json");
    let reach: Value = serde_json::from_str(&ran.out).unwrap();
    let first = json!({"hex": "Q6", "cost": 0, "came_from": null, "checks": 0});
    assert_eq!(reach["hexes"][0], first);
    let second = json!({"hex": "P6", "cost": 1, "came_from": "Q6", "checks": 0});
    assert_eq!(reach["hexes"][1], second);
    assert_eq!(reach["unknown"], json!([]));
    run("reach tank Q99 --example --allowance 1").complains("HEX: ");
    let parsed = run("reach tank Q6 --example");
    assert!(parsed.err.contains("--allowance <N>"), "{}", parsed.err);
}

#[test]
fn what_is_not_taken_is_named_with_its_reason() {
    run("reach gun P4 --example --allowance 2")
        .says("gun from P4 within 2 MF: 1 hex\n")
        .tells("not taken: P4 to O4 and 5 more: plugin ground does not implement C10.3");
    let path = run("move gun P4 P5 P6 --example");
    assert_eq!(path.verdict(), "gun from P4 to P6: its cost is not known");
    path.says("  P5  ? MF  plugin ground does not implement C10.3");
}
