//! `alamein game`, and the record of a game that was played.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::positions::{case, written};
use crate::rulesets::club;
use crate::serving::Service;
use crate::{Ran, run};

/// Runs `alamein game` against a service.
fn game(service: &Service, words: &str) -> Ran {
    run(&format!("game {words} --server {}", service.address))
}

#[track_caller]
fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

#[track_caller]
fn lines(ran: &Ran) -> Vec<Value> {
    assert_eq!(ran.code, 0, "{}", ran.err);
    let line = |line| serde_json::from_str(line).unwrap();
    ran.out.lines().map(line).collect()
}

fn moving(folder: &Path, name: &str, counter: &str, hex: &str) -> String {
    let changes = json!([{"move": {"counter": counter, "hex": hex}}]);
    written(folder, name, &changes.to_string())
}

#[test]
fn a_game_is_played_at_the_command_line() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let service = Service::start("");
    let case = case(folder);
    let create = format!("position create {case} --server http://{}", service.address);
    let (plain, told) = (run(&create), json(&run(&format!("{create} --json"))));
    assert_eq!(plain.verdict(), told["position_id"].as_str().unwrap());
    let begun = game(
        &service,
        &format!("create {case} --id ridge --owner ann --json"),
    );
    let begun = json(&begun);
    assert_eq!(
        (&begun["number"], &begun["head"]["act"]),
        (&json!(1), &json!("begun"))
    );
    let etag = begun["etag"].as_str().unwrap();

    let away = moving(folder, "away.json", "A", "R7");
    let tried = game(&service, &format!("advance ridge {away} --validate-only"));
    assert_eq!(tried.code, 0, "{}", tried.err);
    let made = json(&game(
        &service,
        &format!("advance ridge {away} --by ann --json"),
    ));
    assert_eq!(made["number"], 2, "what was only checked is no entry");
    let head = &made["head"];
    assert_eq!(head["changes"][0]["move"]["hex"], "R7");
    assert_eq!(head["by"], "ann");
    let here = run(&format!("position apply {case} {away} --json"));
    assert_eq!(head["position_id"], json(&here)["position_id"]);

    // Who knew the game as it was before is told how far it has come.
    let late = game(&service, &format!("advance ridge {away} --etag {etag}"));
    assert_eq!((late.code, &*late.out), (1, ""), "{}", late.err);
    for told in [
        "nothing was done",
        "its newest entry is number 2",
        "game history ridge",
    ] {
        assert!(late.err.contains(told), "{}", late.err);
    }
    // The same request again is done once.
    let etag = made["etag"].as_str().unwrap();
    let undo = format!("undo ridge --etag {etag} --request-id once --json");
    let undone = json(&game(&service, &undo));
    assert_eq!(undone["head"]["to_number"], 1);
    assert_eq!(json(&game(&service, &undo))["etag"], undone["etag"]);

    let fork = json(&game(&service, "fork ridge --at 2 --id what-if --json"));
    assert_eq!(
        fork["forked_from"],
        json!({"game_id": "ridge", "number": 2})
    );
    assert_eq!(fork["position_id"], made["position_id"]);
    let club = club(&temporary);
    run(&format!(
        "ruleset create {club} --server {}",
        service.address
    ))
    .says("made");
    let other = json(&game(&service, "ruleset what-if our-club --json"));
    assert_eq!(other["head"]["act"], "ruleset_changed");
    assert_ne!(other["rules_fingerprint"], made["rules_fingerprint"]);
    let listed = json(&game(&service, "list --owner ann --json"));
    assert_eq!(listed["games"].as_array().unwrap().len(), 2);

    let all = lines(&game(&service, "history ridge --json"));
    let acts: Vec<&Value> = all.iter().map(|entry| &entry["act"]).collect();
    assert_eq!(acts, ["begun", "advanced", "undone"]);
    let last = lines(&game(
        &service,
        "history ridge --json --newest-first --limit 1",
    ));
    assert_eq!(last, all[2..]);
    assert_eq!(
        lines(&game(&service, "watch ridge --json --after 1 --until 3")),
        all[1..]
    );
    let told = game(&service, "history ridge");
    told.says("   2  advanced, by ann, ")
        .says("\n      A: to R7\n")
        .says("taken back to entry 1");

    // A side is given no etag: it is a hash of what is hidden, too.
    let seen = json(&game(&service, "show ridge --as-side allied --json"));
    assert_eq!(seen["etag"], "");
    game(&service, "show ridge").says("\netag ");
    game(&service, "show nobody").complains("GAME_NOT_FOUND");
    game(&service, "delete ridge").tells_usage();
    game(&service, "delete ridge --yes").says("is forgotten");
    game(&service, "history ridge").complains("GAME_NOT_FOUND");
}

/// Waits until a record has so many lines.
fn recorded(file: &Path, lines: usize) {
    let start = Instant::now();
    while fs::read_to_string(file).unwrap_or_default().lines().count() < lines {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "nothing is written"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_game_that_was_played_is_ruled_on_again() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let record = folder.join("service.jsonl");
    let service = Service::start(&format!("--record {}", record.display()));
    let there = format!("--server {}", service.address);
    let begin = case(folder);
    game(&service, &format!("create {begin} --id ridge")).says("   1  begun");
    run(&format!("fire B D --case {begin} {there}")).verdict();
    let away = moving(folder, "away.json", "A", "R7");
    let made = json(&game(&service, &format!("advance ridge {away} --json")));
    let id = made["position_id"].as_str().unwrap();
    let next = run(&format!("position show {id} --json {there}"));
    let next = written(folder, "next.json", &next.out);
    for ask in ["fire H K", "fire H K", "los J G"] {
        run(&format!("{ask} --case {next} {there}")).verdict();
    }
    // Of another position the game knows nothing.
    let elsewhere = folder.join("elsewhere.json").display().to_string();
    let aside = moving(folder, "aside.json", "A", "R8");
    run(&format!(
        "position apply {begin} {aside} --save {elsewhere}"
    ));
    run(&format!("los J G --case {elsewhere} {there}")).verdict();
    recorded(&record, 5);

    let file = folder.join("ridge.jsonl").display().to_string();
    let from = format!("record ridge --from {} --save {file}", record.display());
    let of_game = game(&service, &from);
    assert_eq!(of_game.code, 0, "{}", of_game.err);
    assert_eq!(
        of_game.err,
        "3 rulings, on 2 of the 2 positions of the game\n"
    );
    run(&format!("replay {file}")).says("0 of 3 rulings differ\n");
    run(&format!("replay {file} {there}")).says("0 of 3 rulings differ\n");
    let club = club(&temporary);
    let differs = run(&format!("replay {file} --ruleset {club}"));
    assert_eq!(differs.code, 1, "{}{}", differs.out, differs.err);
    differs
        .says("1 of 3 rulings differ\n")
        .says("is read as BOTH now\n");
    let differs = run(&format!("replay {file} --policy BOTH"));
    differs.says("1 of 3 rulings differ\n");
    game(&service, &from).complains("--save");

    // Without what the service wrote: the same questions of every position.
    let asked = game(&service, &format!("record ridge --ask {begin}"));
    assert_eq!(asked.code, 0, "{}", asked.err);
    let file = written(folder, "asked.jsonl", &asked.out);
    let replayed = run(&format!("replay {file} --json"));
    let summary = lines(&replayed).pop().unwrap();
    assert_eq!(summary["summary"]["same"], asked.out.lines().count());
    assert!(asked.out.lines().count() > 20, "{}", asked.err);
    game(&service, "record ridge").tells_usage();
}
