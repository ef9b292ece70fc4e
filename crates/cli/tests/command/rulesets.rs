//! Rulesets: of files in this process, and of a service.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::serving::Service;
use crate::{plugins, run};

/// A ruleset file of all plugins, under the grazing policy BOTH.
pub(crate) fn club(folder: &TempDir) -> String {
    let ids = fs::read_dir(plugins()).unwrap();
    let mut ids: Vec<String> = ids
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    ids.sort();
    let plugins: String = ids.iter().map(|id| format!("{id} = \"*\"\n")).collect();
    let text = format!("name = \"our-club\"\ngrazing_policy = \"BOTH\"\n[plugins]\n{plugins}");
    let file = folder.path().join("our-club.toml");
    fs::write(&file, text).unwrap();
    file.display().to_string()
}

/// A case file with a line that grazes, and a line of a record that says the same.
fn recorded(folder: &TempDir) -> (String, String) {
    let file = folder.path().join("graze.json");
    let saved = run(&format!("fire B D --example --save {}", file.display()));
    assert_eq!(saved.code, 0, "{}", saved.err);
    let text = fs::read_to_string(&file).unwrap();
    let line: Value = serde_json::from_str(&text).unwrap();
    let record = folder.path().join("record.jsonl");
    fs::write(&record, format!("{line}\n{line}\n{{\"id\"")).unwrap();
    (file.display().to_string(), record.display().to_string())
}

#[test]
fn a_file_is_checked_shown_and_told_apart_from_the_usual_rules() {
    let folder = tempfile::tempdir().unwrap();
    let club = club(&folder);
    run(&format!("ruleset check {club}")).says(": ok\n");
    run(&format!("ruleset show {club}"))
        .says("our-club")
        .says("grazing policy BOTH")
        .says("deir 0.");
    let diff = run(&format!("ruleset diff default {club}"));
    assert_eq!(diff.code, 1, "{}", diff.err);
    assert!(diff.out.contains("grazing policy: EITHER -> BOTH"));
    run("ruleset diff default default").says("Nothing differs.");
    run(&format!("ruleset list --rulesets {club}"))
        .says("default")
        .says("our-club");
    let file = run("ruleset show --toml").out;
    assert!(file.contains("[plugins.deir]"), "{file}");
    run(&format!("ruleset conflicts {club}")).says("Nothing clashes.");
}

#[test]
fn what_is_wrong_with_a_file_is_told_and_what_would_clash() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        file.display().to_string()
    };
    let wrong = write("wrong.toml", "name = \"Our Club\"\nplugins = 3\n");
    let said = run(&format!("ruleset check {wrong}"));
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(said.out.contains("wrong.toml") && said.out.contains("plugins"));
    let lacking = write(
        "lacking.toml",
        "name = \"club\"\n[plugins]\ndeirs = \"^9\"\n",
    );
    for command in ["check", "conflicts"] {
        let said = run(&format!("ruleset {command} {lacking}"));
        assert_eq!(said.code, 1, "{}{}", said.out, said.err);
        assert!(said.out.contains("MISSING_PLUGIN"), "{}", said.out);
        assert!(said.out.contains("did you mean deir?"), "{}", said.out);
        assert!(said.out.contains("--plugin-dir"), "{}", said.out);
    }
    for what in ["deirs", "--plugin-dir"] {
        run(&format!("fire B D --example --ruleset {lacking}")).complains(what);
        run(&format!("ruleset diff default {lacking}")).complains(what);
    }
    run("fire B D --example --ruleset our-club").complains("without --server");
}

#[test]
fn questions_are_judged_and_compared_by_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (club, (case, record)) = (club(&folder), recorded(&folder));
    let usual = run("fire B D --example").verdict().to_owned();
    let by_club = run(&format!("fire B D --example --ruleset {club}"));
    assert_ne!(by_club.verdict(), usual);
    let by_policy = run("fire B D --example --policy BOTH");
    assert_eq!(by_club.verdict(), by_policy.verdict());

    let compared = run(&format!("ruleset compare default {club} {case} {record}"));
    assert_eq!(compared.code, 1, "{}", compared.err);
    assert!(
        compared.out.contains("fire B at D: changes"),
        "{}",
        compared.out
    );
    assert!(compared.out.contains("  before: "), "{}", compared.out);
    let last = compared.out.lines().last().unwrap();
    assert_eq!(
        last,
        "3 of 3 rulings change, in 3 cases; 1 lines cannot be read"
    );
    // A folder stands for the case files and the records in it.
    let all = folder.path().join("all");
    fs::create_dir(&all).unwrap();
    for file in [&case, &record] {
        fs::copy(file, all.join(Path::new(file).file_name().unwrap())).unwrap();
    }
    let of_folder = run(&format!("ruleset compare default {club} {}", all.display()));
    assert_eq!(of_folder.out.lines().last().unwrap(), last);
    let same = run(&format!("ruleset compare default default {case}"));
    assert_eq!(
        (same.code, same.out.as_str()),
        (0, "0 of 1 rulings change, in 1 cases\n")
    );
    let json = run(&format!("ruleset compare default {club} {case} --json"));
    let first: Value = serde_json::from_str(json.out.lines().next().unwrap()).unwrap();
    assert_eq!(first["verdict_changes"], true);
    assert_ne!(first["before"]["verdict"], first["after"]["verdict"]);
}

#[test]
fn where_only_what_was_considered_differs_the_ruling_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let club = club(&folder);
    let text = fs::read_to_string(&club).unwrap();
    let less = text
        .replace("vehicle = \"*\"\n", "")
        .replace("\"BOTH\"", "\"EITHER\"");
    assert_ne!(text, less);
    fs::write(&club, less).unwrap();
    let case = xtask::root().join("tests/cases/deir-fire-lane.json");
    let line = format!("ruleset compare default {club} {}", case.display());
    let told = run(&line);
    told.says("same verdict, other grounds\n  before: attacked; ")
        .says("  after: the same, but for what was considered; --explain shows it\n");
    let explained = run(&format!("{line} --explain"));
    assert!(!explained.out.contains("but for what"), "{}", explained.out);
    explained.says("  after: attacked; ");
}

#[test]
fn a_service_is_given_rulesets_and_asked_by_them() {
    let folder = tempfile::tempdir().unwrap();
    let (club, record) = (club(&folder), folder.path().join("record.jsonl"));
    let socket = folder.path().join("admin.sock");
    let service = Service::start(&format!(
        "--record {} --admin unix:{}",
        record.display(),
        socket.display()
    ));
    let there = format!("--server http://{}", service.address);
    let ask = format!("fire B D --example {there}");
    run(&format!("{ask} --ruleset our-club")).complains("RULESET_NOT_FOUND");
    run(&format!("{ask} --ruleset {club}")).complains("make it first");
    run(&format!("ruleset create {club} --validate-only {there}")).says("could be made");
    run(&format!("{ask} --ruleset {club}")).complains("make it first");
    run(&format!("ruleset create {club} --tag desert-2026 {there}")).says("our-club: made");
    let usual = run(&ask).verdict().to_owned();
    let listed = run(&format!("ruleset list {there} --json"));
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    let rulesets = listed["rulesets"].as_array().unwrap();
    let made = rulesets.iter().find(|it| it["names"][0] == "our-club");
    let fingerprint = made.unwrap()["fingerprint"].as_str().unwrap();
    // As much of it as every ruling shows.
    let beginning = &fingerprint[..12];
    run(&format!("{ask} --ruleset 0123456789ab")).complains("whose fingerprint begins so");
    for ruleset in ["our-club", "desert-2026", &club, fingerprint, beginning] {
        let said = run(&format!("{ask} --ruleset {ruleset}"));
        assert_ne!(said.verdict(), usual, "{ruleset}");
    }
    run(&format!("ruleset tag default desert-2026 {there}")).complains("TAG_TAKEN");
    run(&format!("ruleset list {there}")).says("tagged desert-2026");
    assert_eq!(
        run(&format!("ruleset diff default our-club {there}")).code,
        1
    );

    // A path is as many questions as it has steps.
    let path = format!("move tank P4 P5 P6:2 Q7 --example {there}");
    assert_eq!(run(&path).code, 0);

    let admin = format!("--admin unix:{}", socket.display());
    run(&format!("plugin status {admin}"))
        .says("deir 0.")
        .says("in default\n");
    run(&format!("plugin load {} {admin}", folder.path().display())).complains("PATH_NOT_ALLOWED");
    let status = run(&format!("plugin status {admin} --json"));
    let status: Value = serde_json::from_str(&status.out).unwrap();
    let sha256 = status["plugins"][0]["sha256"].as_str().unwrap();
    run(&format!("plugin status {admin}")).says(&format!("build {sha256}\n"));
    let retire = format!("plugin retire deir {admin}");
    run(&retire).complains("PLUGIN_IN_USE");
    run(&retire).complains("and none of it would be left, if it were retired");
    let deir = Path::new("deir");
    run(&format!("plugin load {} {admin}", deir.display())).says("was loaded already");

    let (code, log) = service.stop();
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("the record is closed"), "{log}");
    assert!(!socket.exists());
    let lines = fs::read_to_string(&record).unwrap();
    assert_eq!(
        lines.lines().count(),
        10,
        "each question that was judged: {lines}"
    );
    let compared = run(&format!(
        "ruleset compare default {club} {}",
        record.display()
    ));
    assert!(
        compared.out.contains("6 of 10 rulings change"),
        "{}",
        compared.out
    );
}

#[test]
fn an_admin_listener_that_others_can_reach_needs_tls_and_a_token() {
    let serve = "serve --listen 127.0.0.1:0";
    run(&format!("{serve} --admin 0.0.0.0:0")).is_misconfigured("both TLS and a token");
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    fs::write(&token, "0123456789abcdef0123\n").unwrap();
    let open = format!(
        "{serve} --admin 0.0.0.0:0 --admin-token-file {}",
        token.display()
    );
    run(&open).is_misconfigured("chmod 600");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(&token, mode).unwrap();
    run(&open).is_misconfigured("both TLS and a token");
    run("serve --admin-token-file token").tells_usage();
}
