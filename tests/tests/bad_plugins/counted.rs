//! What a service counts of plugins that fail, as whoever collects metrics reads it.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use alamein_tests::python;
use alamein_tests::serving::Server;
use serde_json::json;

use crate::folders::Folder;
use crate::{Bad, check, fog};

/// What is answered to GET at that path.
fn get(server: &Server, path: &str) -> String {
    let log = server.log();
    let (_, rest) = log
        .split_once("metrics=")
        .unwrap_or_else(|| panic!("{log}"));
    let address = rest.split_whitespace().next().unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: it\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Checks that each of these lines is told.
fn tells(bad: &Bad, lines: &[&str]) {
    let told = get(&bad.server, "/metrics");
    assert!(told.starts_with("HTTP/1.1 200"), "{told}");
    for line in lines {
        assert!(
            told.lines().any(|it| it == *line),
            "{line} is not in {told}"
        );
    }
}

fn serving(folder: Folder, flags: &[&str], expected: serde_json::Value) -> Bad {
    let flags = flags.iter().chain(&["--metrics=127.0.0.1:0"]);
    let flags: Vec<String> = flags.map(|flag| (*flag).to_owned()).collect();
    Bad::with_flags("counted", folder, &flags, expected)
}

#[test]
fn threads_that_are_lost_are_counted() {
    if python::python().is_none() {
        eprintln!("SKIPPED: set ALAMEIN_PYTHON to a Python with grpcio-tools");
        return;
    }
    let flags = [
        "--set=rogue.at=judge",
        "--set=rogue.how=loop",
        "--threads=2",
        "--budget=300",
        "--grace=300",
        "--max-lost-threads=2",
    ];
    let bad = serving(Folder::with_the_rogue(), &flags, json!({}));
    let address = bad.server.address().to_owned();
    let plan = json!([{"name": "counted", "address": address}]);
    python::run("lost_threads.py", "-", &plan).unwrap();
    let lines = [
        "alamein_threads_lost{plugin=\"rogue\"} 2",
        "alamein_threads_lost_cap 2",
        "alamein_threads_given_up_total 2",
        "alamein_threads_come_back_total 0",
        "alamein_plugin_failures_total{plugin=\"rogue\",kind=\"overran\"} 2",
        "alamein_rulings_failed_total{plugin=\"rogue\",kind=\"overran\"} 2",
        "alamein_plugins{state=\"failed\"} 1",
        "alamein_plugins{state=\"active\"} 7",
        "alamein_libraries_held 8",
    ];
    tells(&bad, &lines);
    assert!(get(&bad.server, "/").starts_with("HTTP/1.1 404"));
}

#[test]
fn panics_and_rubbish_are_counted_by_plugin() {
    if python::python().is_none() {
        eprintln!("SKIPPED: set ALAMEIN_PYTHON to a Python with grpcio-tools");
        return;
    }
    let rows = [
        ("rogue", "line", "panicked", true),
        ("fog-bank", "fog", "makes no sense", false),
    ];
    for (plugin, asked, says, poisoned) in rows {
        let folder = Folder::with_the_rogue();
        fog::add(&folder, if poisoned { &[] } else { &["STATUS=99"] });
        let how = if poisoned { "panic" } else { "nothing" };
        let flags = [
            "--set=rogue.at=judge".to_owned(),
            format!("--set=rogue.how={how}"),
        ];
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let expected = json!({
            "plugin": plugin, "asked": asked, "says": says, "poisoned": poisoned, "name": "counted",
        });
        let bad = serving(folder, &flags, expected.clone());
        let mut plan = expected;
        plan["address"] = bad.server.address().into();
        python::run("failing_plugins.py", "-", &json!([plan])).unwrap();
        let told = get(&bad.server, "/metrics");
        let count = |kind: &str| {
            let line =
                format!("alamein_plugin_failures_total{{plugin=\"{plugin}\",kind=\"{kind}\"}} ");
            let found = told.lines().find_map(|it| it.strip_prefix(&line));
            found.map_or(0, |count| count.parse::<u64>().unwrap())
        };
        if poisoned {
            assert_eq!(count("panicked"), 1, "{told}");
            assert!(count("out_of_use") > 100, "{told}");
        } else {
            assert!(count("rubbish") > 100, "{told}");
        }
    }
}

#[test]
fn who_is_refused_is_counted_by_reason() {
    let folder = Folder::of_all();
    fs::remove_file(folder.plugin("deir").library().as_path()).unwrap();
    let expected =
        json!({"plugin": "deir", "reason": "LIBRARY_UNREADABLE", "says": "No such file"});
    let bad = serving(folder, &[], expected);
    let start = std::time::Instant::now();
    let refused = "alamein_plugins{state=\"refused\"} 1";
    while !get(&bad.server, "/metrics").contains(refused) {
        assert!(start.elapsed().as_secs() < 60, "{}", bad.server.log());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let lines = [
        refused,
        "alamein_plugins_refused{reason=\"LIBRARY_UNREADABLE\"} 1",
    ];
    tells(&bad, &lines);
    check("refused_plugins.py", vec![bad]);
}

#[test]
fn no_metrics_are_told_where_none_are_asked_for() {
    let bad = Bad::new("silent", Folder::of_all(), json!({}));
    assert!(!bad.server.log().contains("metrics="));
}
