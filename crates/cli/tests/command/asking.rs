//! One question at a time.

use serde_json::Value;

use crate::{command, run};

#[test]
fn a_shot_is_ruled_on_with_its_rules() {
    let ran = run("fire H K --example");
    assert_eq!(
        ran.verdict(),
        "H (S4) fires at K (Q7): hindered +1 by A; TEM +1; total DRM +2; not Open Ground"
    );
    ran.says("range 4; the line grazes (EITHER): runs along R4|S5, Q6|R6\n")
        .tells("F4.5 TEM +1 R5|S5 The LOF crosses the Lip Hexside R5|S5, and K is in a deir hex")
        .tells("D9.4 Hindrance +1 R6 A in R6 is a Hindrance of +1.")
        .says("under BOTH the verdict is the same\n")
        .says("under NEITHER_IF_GRAZING: hindered +1 by A; TEM 0; total DRM +1;")
        .says("\nruling ");
    assert!(!ran.out.contains('\u{1b}'), "no colours but on a terminal");
}

#[test]
fn what_was_set_aside_is_named_with_the_rule_that_did_so() {
    let ran = run("lane E S10 Q7 --example");
    assert!(
        ran.verdict()
            .ends_with("Infantry moving in Q7: immune; the whole lane: clear")
    );
    ran.tells("D in P6 is a Hindrance of +1. -> set aside by F4.51 (deir): ");
}

#[test]
fn to_explain_is_to_say_what_was_considered() {
    let plain = run("los J G --example");
    assert_eq!(plain.verdict(), "J (R7) to G (R3): clear");
    assert!(!plain.out.contains("F4.4"), "{}", plain.out);
    run("los J G --example --explain")
        .says("F4.4")
        .tells("sees past the Lip to a higher elevation");
}

#[test]
fn a_step_has_its_price() {
    assert_eq!(
        run("move tank Q6 Q5 --example").verdict(),
        "tank from Q6 into Q5: 2 MP"
    );
    run("move A Q6 Q5 --example").tells("lip exit +1 MP");
    assert_eq!(
        run("move infantry Q6 Q5 --example").verdict(),
        "squad from Q6 into Q5: 1 MF"
    );
    let heavy = "move truck Q6 Q5 --example --weight 3.5 --ground-pressure low --british-built";
    assert!(run(heavy).verdict().ends_with(" MP"));
}

#[test]
fn ends_may_be_counters_hexes_or_vertices() {
    assert_eq!(
        run("los S4 q7 --example").verdict(),
        "S4 to Q7: hindered +1 by A"
    );
    let ran = run("los H:2 K5:0 --example");
    assert!(
        ran.verdict().starts_with("H (S4:2) to K5:0: "),
        "{}",
        ran.out
    );
}

#[test]
fn a_picture_can_be_had() {
    run("fire H K --example --picture")
        .says("/ S4* \\")
        .says("x a hexside it crosses or runs along\n")
        .says("A tank R6");
    run("lane E S10 R9 --example --picture").says("mover?");
}

#[test]
fn programs_read_json() {
    let ran = run("fire H K --example --json --explain");
    let ruling: Value = serde_json::from_str(&ran.out).unwrap();
    let verdict = &ruling["verdict"];
    assert_eq!(
        (verdict["kind"].as_str(), verdict["tem"].as_i64()),
        (Some("line_of_fire"), Some(1))
    );
    assert_eq!(verdict["hindering"], serde_json::json!(["A"]));
    let tem = ruling["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|f| f["effect"] == "tem")
        .unwrap();
    assert_eq!(
        (tem["rule"].as_str(), tem["number"].as_str()),
        (Some("F4.5/tem"), Some("F4.5"))
    );
    assert_eq!(ruling["ruling_id"].as_str().unwrap().len(), 64);
    assert!(ruling["other_policies"]["BOTH"]["verdict"].is_object());
    assert!(ruling["considered"].is_array());
}

#[test]
fn policies_and_options_change_the_rules() {
    let strict = run("fire H K --example --policy neither_if_grazing");
    assert!(strict.verdict().contains("TEM 0"), "{}", strict.out);
    let usual = run("rules --json");
    let changed = run("rules --json --set deir.cavalry_target=prc");
    let print =
        |out: &str| serde_json::from_str::<Value>(out).unwrap()["rules_fingerprint"].clone();
    assert_ne!(print(&usual.out), print(&changed.out));
}

#[test]
fn a_saved_ruling_is_replayed_under_the_same_rules() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dispute.json");
    let lines = [
        "fire H K --example",
        "fire H K --example --policy NEITHER_IF_GRAZING --set deir.cavalry_target=prc",
        "los J H --example",
        "lane E S10 Q7 vehicle --example",
        "move tank Q6 Q5 --example --weight 26.5 --ec mud",
    ];
    for line in lines {
        let ran = run(&format!("{line} --save {}", file.display()));
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        let checked = run(&format!("check {}", file.display()));
        assert_eq!(
            checked.out, "1 passed, 0 failed, 0 skipped\n",
            "{line}{}",
            checked.err
        );
        // It asks the same of the same: the ruling's id is the one that was saved.
        let saved: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let id = saved["questions"][0]["id"].as_str().unwrap();
        let again = run(&format!("ask {id} --case {} --json", file.display()));
        let again: Value = serde_json::from_str(&again.out).unwrap();
        assert_eq!(
            again["ruling_id"], saved["alamein"]["ruling_ids"][id],
            "{line}"
        );
        assert_eq!(
            again["position_id"], saved["alamein"]["position_id"],
            "{line}"
        );
        run(&format!("{line} --save {}", file.display())).complains("dispute.json");
        std::fs::remove_file(&file).unwrap();
    }
}

#[test]
fn what_is_wrong_is_said_with_the_field() {
    run("fire X K --example").complains("FROM: there is no counter \"X\" (there are A, B, C,");
    run("fire H ZZ3 --example").complains("TO: there is no counter \"ZZ3\"");
    run("los H:6 K --example").complains("FROM: a hex has vertices 0 to 5, not 6");
    run("lane E S10 S11 --example").complains("MOVER_HEX: S11 is off the map");
    run("move tank Q6 Q8 --example").complains("to: Q6 and Q8 are not adjacent");
    run("move tonk Q6 Q5 --example").complains("MOVER: \"tonk\" is neither a counter here");
    run("ask q1 --example").complains("QUESTION: there is no question \"q1\"");
    run("los H K --case nowhere.json").complains("nowhere.json: cannot be read");
    run("los H K --example --set deir=1").complains("--set deir=1: write PLUGIN.OPTION=VALUE");
    run("los H K --example --set deir.nothing=1").complains("options.deir");
    run("los H K --example --set nobody.nothing=1").complains("options.nobody: no such plugin");
    let parsed = run("los H K");
    assert_eq!(parsed.code, 2);
    assert!(parsed.err.contains("--case <FILE>"), "{}", parsed.err);
}

#[test]
fn without_plugins_it_says_how_to_get_some() {
    let empty = tempfile::tempdir().unwrap();
    let with = |folder: &std::path::Path| {
        let mut command = command("los H K --example");
        crate::Ran::of(command.env("ALAMEIN_PLUGIN_DIR", folder).output().unwrap())
    };
    with(empty.path()).complains("build them with `cargo xtask plugins`");
    with(&empty.path().join("none")).complains("is no folder; build them with");
    std::fs::create_dir(empty.path().join("broken")).unwrap();
    std::fs::write(empty.path().join("broken/plugin.json"), "{").unwrap();
    with(empty.path()).complains("a plugin cannot be used: ");
}
