//! `alamein setup`.

use serde_json::{Value, json};

use crate::run;

#[test]
fn what_sets_up_is_allowed_or_not_and_a_gun_emplaced_or_not() {
    let gun = run("setup gun Q2 --example");
    assert_eq!((gun.code, gun.err.as_str()), (0, ""));
    assert_eq!(
        gun.verdict(),
        "gun sets up in Q2: allowed; not Emplaced (F.1A)"
    );
    let trench = run("setup gun Q2 --example --hidden --beneath trench");
    assert_eq!(
        trench.verdict(),
        "hidden gun beneath a trench sets up in Q2: allowed; Emplaced (C11.2, F.1A)"
    );
    let pillbox = run("setup pillbox Q2 --example");
    assert_eq!(pillbox.verdict(), "pillbox sets up in Q2: allowed");
    assert!(run("setup A Q2 --example").verdict().contains("allowed"));
}

#[test]
fn what_does_not_set_up_is_said() {
    run("setup tonk Q2 --example").complains("WHAT: \"tonk\" is neither");
    run("setup wreck Q2 --example").complains("class: nothing sets up so: wreck");
    run("setup trench Q2 --example --hidden").complains("WHAT: a Fortification has no");
    let wire = run("setup gun Q2 --example --beneath wire");
    assert!(
        wire.code == 2 && wire.err.contains("--beneath"),
        "{}",
        wire.err
    );
    run("setup gun QQ99 --example").complains("HEX");
}

#[test]
fn programs_read_set_ups_as_json() {
    let ran = run("setup gun Q2 --example --json --explain");
    let ruling: Value = serde_json::from_str(&ran.out).unwrap();
    let verdict = &ruling["verdict"];
    assert_eq!(
        (
            &verdict["kind"],
            &verdict["allowed"],
            &verdict["emplacement"]
        ),
        (&json!("setup"), &json!(true), &json!("not_emplaced"))
    );
}

#[test]
fn a_saved_set_up_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("setup.json");
    let file = file.display();
    let ran = run(&format!(
        "setup gun Q6 --example --hidden --picture --save {file}"
    ));
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.says("set up?");
    let checked = run(&format!("check {file}"));
    assert_eq!(
        checked.out, "1 passed, 0 failed, 0 skipped\n",
        "{}",
        checked.err
    );
}
