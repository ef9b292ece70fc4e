//! `alamein position` and `alamein replay`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::Ran;

/// Runs the command on words.
fn run(words: &[&str]) -> Ran {
    crate::run(&words.join(" "))
}

/// The worked example's case file, written into a folder.
pub(crate) fn case(folder: &Path) -> String {
    let file = folder.join("case.json");
    let example = xtask::root().join("tests/cases/f4-example.json");
    fs::copy(example, &file).unwrap();
    file.display().to_string()
}

pub(crate) fn written(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    fs::write(&file, text).unwrap();
    file.display().to_string()
}

#[test]
fn changes_lead_from_one_position_to_another() {
    let folder = tempfile::tempdir().unwrap();
    let before = case(folder.path());
    let changes = json!([
        {"move": {"counter": "A", "hex": "R7"}},
        {"turn": {"counter": "A", "facing": 3}},
        {"known_to": {"counter": "A", "sides": ["german"]}},
        {"lay_fire_lane": {"counter": "K", "hex": "P6"}},
        {"ec": "wet"},
    ]);
    let changes = written(folder.path(), "changes.json", &changes.to_string());
    let after = folder.path().join("after.json").display().to_string();
    let made = run(&["position", "apply", &before, &changes, "--save", &after]);
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    assert!(
        made.out.contains("+ A: ") && made.out.contains("in R7"),
        "{}",
        made.out
    );
    assert!(made.out.contains("+ Fire Lane of K: P6\n"), "{}", made.out);
    assert!(made.out.contains("- EC: dry\n+ EC: wet\n"), "{}", made.out);

    // What differs leads from one file to the other.
    let differ = run(&["position", "diff", &before, &after, "--json"]);
    assert_eq!(differ.code, 1, "{}", differ.err);
    let again = written(folder.path(), "again.json", &differ.out);
    let again = run(&["position", "apply", &before, &again, "--json"]);
    let again: Value = serde_json::from_str(&again.out).unwrap();
    let id = again["position_id"].as_str().unwrap();
    assert!(
        made.out.ends_with(&format!("position {id}\n")),
        "{}",
        made.out
    );
    assert_eq!(run(&["position", "diff", &after, &after]).code, 0);

    let shown = run(&["position", "show", &after]);
    assert!(
        shown.out.contains(&format!("position {id}\n")),
        "{}",
        shown.out
    );
    assert!(shown.out.contains("known to german"), "{}", shown.out);
    let json = run(&["position", "show", &after, "--as-side", "nobody", "--json"]);
    let warning = "alamein: warning: --as-side nobody: nobody there is on that side; there are ";
    assert!(json.err.starts_with(warning), "{}", json.err);
    assert!(json.err.contains("allied"), "{}", json.err);
    let known = run(&["position", "show", &after, "--as-side", "allied"]);
    assert_eq!((known.code, known.err.as_str()), (0, ""));
    let json: Value = serde_json::from_str(&json.out).unwrap();
    let counters = json["counters"].as_array().unwrap();
    let is_a = |counter: &Value| counter["id"] == "A";
    assert!(!counters.is_empty() && !counters.iter().any(is_a));

    let bad = written(
        folder.path(),
        "bad.json",
        r#"[{"remove": {"counter": "nobody"}}]"#,
    );
    let bad = run(&["position", "apply", &before, &bad]);
    bad.complains("changes[0].remove.counter_id: there is no counter \"nobody\"");
    for (text, of) in [
        (r#"{"remove": {}}"#, "must be a list"),
        (
            r#"[{"remove": {"counter": "A"}, "ec": "wet"}]"#,
            "[0]: must have one field",
        ),
        (
            r#"[{"vanish": {"counter": "A"}}]"#,
            "[0].vanish: is no change",
        ),
        (
            r#"[{"turn": {"counter": "A", "facng": 1}}]"#,
            "has no field [0].turn.facng",
        ),
        (
            r#"[{"flags": {"counter": "A", "set": ["x"]}}]"#,
            "[0].flags.set[0]",
        ),
    ] {
        let bad = written(folder.path(), "bad.json", text);
        run(&["position", "apply", &before, &bad]).complains(of);
    }
    run(&["position", "create", &before]).complains("--server is missing");
}

#[test]
fn a_side_changes_what_it_knows() {
    let folder = tempfile::tempdir().unwrap();
    let before = case(folder.path());
    let hide = json!([{"known_to": {"counter": "A", "sides": ["axis"]}}]);
    let hide = written(folder.path(), "hide.json", &hide.to_string());
    let hidden = folder.path().join("hidden.json").display().to_string();
    let made = run(&["position", "apply", &before, &hide, "--save", &hidden]);
    assert_eq!(made.code, 0, "{}", made.err);
    let remove = |counter: &str| {
        let remove = json!([{"remove": {"counter": counter}}]).to_string();
        let remove = written(folder.path(), "remove.json", &remove);
        run(&[
            "position",
            "apply",
            &hidden,
            &remove,
            "--as-side",
            "allied",
            "--json",
        ])
    };
    let (secret, nobody) = (remove("A"), remove("Z"));
    secret.complains("there is no counter \"A\"");
    assert_eq!(secret.err.replace("\"A\"", "\"Z\""), nobody.err);
    let made = remove("K");
    assert_eq!(made.code, 0, "{}", made.err);
    let told: Value = serde_json::from_str(&made.out).unwrap();
    assert_eq!(told["changed"].as_array().unwrap().len(), 1);
    assert_ne!(told["position_id"], told["kept_position_id"]);
}

/// A record of two questions, each on a line, as `serve --record` writes them.
fn record(folder: &Path) -> (PathBuf, Vec<String>) {
    let mut record = String::new();
    let mut lines = Vec::new();
    for (name, ask) in [("one", ["fire", "H", "K"]), ("two", ["los", "J", "G"])] {
        let file = folder.join(format!("{name}.json")).display().to_string();
        let saved = run(&[&ask[..], &["--example", "--save", &file]].concat());
        assert_eq!(saved.code, 0, "{}", saved.err);
        let mut case: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        case["questions"][0]["grounds"] = json!(["F4.5/tem (deir): as it was"]);
        lines.push(format!("{case}\n"));
        record.push_str(&format!("{case}\n"));
    }
    let file = folder.join("game.jsonl");
    fs::write(&file, record).unwrap();
    (file, lines)
}

#[test]
fn a_record_is_ruled_on_again() {
    let folder = tempfile::tempdir().unwrap();
    let (file, lines) = record(folder.path());
    let file = file.display().to_string();
    let same = run(&["replay", &file]);
    assert_eq!(
        (same.code, &*same.out),
        (0, "0 of 2 rulings differ\n"),
        "{}",
        same.err
    );

    // A last line that is cut off is passed over.
    let half = &lines[1][..lines[1].len() / 2];
    let cut = written(folder.path(), "cut.jsonl", &format!("{}{half}", lines[0]));
    let cut = run(&["replay", &cut]);
    assert_eq!(
        (cut.code, &*cut.out),
        (0, "0 of 1 rulings differ\n"),
        "{}",
        cut.err
    );
    assert!(
        cut.err.contains("cut.jsonl line 2: the record is cut off"),
        "{}",
        cut.err
    );

    // One that is damaged in the midst is not.
    let damaged = format!("{half}\n{}", lines[0]);
    let damaged = written(folder.path(), "damaged.jsonl", &damaged);
    let damaged = run(&["replay", &damaged]);
    assert_eq!(damaged.code, 2);
    assert_eq!(damaged.out, "0 of 1 rulings differ; 1 cannot be used\n");

    // Nor one of which the answer is as it was, and the question is not.
    let other = lines[1].replace("\"from\":\"J\"", "\"from\":\"H\"");
    assert_ne!(other, lines[1]);
    let other = written(folder.path(), "other.jsonl", &other);
    let other = run(&["replay", &other]);
    assert_eq!(other.code, 2, "{}", other.out);
    assert!(
        other
            .err
            .contains("is what was given; the line was changed since"),
        "{}",
        other.err
    );

    // Nor one whose position is another.
    let other = lines[1].replace("\"hex\":\"R6\"", "\"hex\":\"R5\"");
    assert_ne!(other, lines[1]);
    let other = written(folder.path(), "other.jsonl", &other);
    let other = run(&["replay", &other]);
    assert_eq!(other.code, 2, "{}", other.out);
    assert!(
        other
            .err
            .contains("was ruled on; the line was changed since"),
        "{}",
        other.err
    );
}

#[test]
fn what_differs_is_shown_with_both_explanations() {
    let folder = tempfile::tempdir().unwrap();
    let (_, lines) = record(folder.path());
    let mut case: Value = serde_json::from_str(&lines[0]).unwrap();
    let tem = case["questions"][0]["expect"]["tem"].as_i64().unwrap();
    case["questions"][0]["expect"]["tem"] = json!(tem + 1);
    let file = written(
        folder.path(),
        "game.jsonl",
        &format!("{case}\n{}", lines[1]),
    );
    let differs = run(&["replay", &file]);
    assert_eq!(differs.code, 1, "{}", differs.err);
    assert!(differs.out.contains("DIFFERS"), "{}", differs.out);
    let told = format!("tem: expected {}, ruled {tem}", tem + 1);
    assert!(differs.out.contains(&told), "{}", differs.out);
    assert!(
        differs.out.contains("  - F4.5/tem (deir): as it was\n"),
        "{}",
        differs.out
    );
    assert!(differs.out.contains("  + "), "{}", differs.out);
    assert!(
        differs
            .out
            .contains("1 of 2 rulings differ, 1 of them by the very rules")
    );

    let json = run(&["replay", &file, "--json"]);
    assert_eq!(json.code, 1);
    let told: Vec<Value> = json
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [differing, summary] = &told[..] else {
        panic!("{}", json.out);
    };
    assert_eq!(differing["differences"][0]["key"], "tem");
    assert_eq!(
        differing["recorded"]["grounds"].as_array().unwrap().len(),
        1
    );
    assert_eq!(
        differing["recorded"]["rules_fingerprint"],
        differing["ruled"]["rules_fingerprint"]
    );
    assert_eq!(summary["summary"]["same"], 1);
    assert_eq!(summary["summary"]["differ"], 1);
}
