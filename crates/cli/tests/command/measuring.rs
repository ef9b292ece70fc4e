//! `alamein bench`: that it measures what it says. How fast it is fails no test.

use serde_json::Value;

use super::{command, run};

/// A run of the command that measures very briefly, and what it tells.
fn measured(line: &str) -> Value {
    let output = command(&format!("bench --json --for 0.01 {line}"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn value(report: &Value, name: &str) -> f64 {
    let mut figures = report["figures"].as_array().unwrap().iter();
    let figure = figures.find(|figure| figure["name"] == name);
    figure.unwrap_or_else(|| panic!("no {name} in {report:#}"))["value"]
        .as_f64()
        .unwrap()
}

#[test]
fn figures_are_told_and_compared_with_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("history.jsonl");
    let line = format!("geometry rulings --history {}", history.display());
    let report = measured(&line);
    for scene in ["empty", "example", "dense"] {
        assert!(value(&report, &format!("findings/{scene}")) > 1.0);
        assert!(value(&report, &format!("verdicts/{scene}")) > 1.0);
        assert!(value(&report, &format!("new map/{scene}")) > 0.0);
    }
    assert!(value(&report, "geometry") > value(&report, "findings/example"));

    // As if it had been ten times as fast then.
    let text = std::fs::read_to_string(&history).unwrap();
    let mut entry: Value = serde_json::from_str(text.trim()).unwrap();
    let geometry = 10.0 * entry["figures"]["geometry"].as_f64().unwrap();
    entry["figures"]["geometry"] = geometry.into();
    std::fs::write(&history, format!("{entry}\n")).unwrap();
    let again = run(&format!(
        "bench geometry --for 0.01 --history {}",
        history.display()
    ));
    assert_eq!(again.code, 0, "{}", again.err);
    again.tells("since the last");
    assert_eq!(
        std::fs::read_to_string(&history).unwrap().lines().count(),
        2
    );
}

#[test]
fn calls_are_set_against_an_echo_of_the_same_sizes() {
    let report = measured("calls");
    for view in ["verdict", "full"] {
        for who in ["calls", "echo"] {
            assert!(value(&report, &format!("{who}/unary/{view}/1")) > 1.0);
            assert!(value(&report, &format!("{who}/batch/{view}")) > 1.0);
            assert!(value(&report, &format!("{who}/stream/{view}")) > 1.0);
        }
    }
    // Many answers are longer than one, and all findings than a verdict.
    let bytes = |name: &str| value(&report, &format!("calls/bytes/{name}"));
    assert!(bytes("unary/full") > bytes("unary/verdict"));
    assert!(bytes("batch/verdict") > 50.0 * bytes("unary/verdict"));
    let ratios = report["ratios"].as_array().unwrap();
    let is_told = |name: &str| ratios.iter().any(|ratio| ratio["name"] == name);
    assert!(is_told("calls to echo: unary/full/32") && is_told("calls to echo: p99/full/32"));
}

#[test]
fn a_service_tells_its_start_and_its_memory() {
    let report = measured("service");
    assert!(value(&report, "service/start") > 1.0);
    if cfg!(target_os = "linux") {
        assert!(value(&report, "service/memory") > 1e6);
    }
}

#[test]
fn a_point_of_a_curve_is_measured_at_its_size() {
    for (curve, what) in [("boards", "a map that is new"), ("range", "geometry alone")] {
        let point = measured(&format!("--curve {curve} --point 2"));
        let series = point.as_array().unwrap();
        assert!(series.iter().any(|it| it[0] == what), "{point}");
        assert!(
            series.iter().all(|it| it[2].as_f64().unwrap() >= 0.0),
            "{point}"
        );
    }
}

#[test]
fn the_dense_desert_is_a_map_that_every_plugin_takes() {
    let map = xtask::root().join("docs/maps/dense-desert.toml");
    let checked = run(&format!("map check {}", map.display()));
    assert_eq!(
        (checked.code, checked.err.as_str()),
        (0, ""),
        "{}",
        checked.out
    );
    checked.tells("fine: 65 columns of 20 rows");
}

#[test]
fn load_refuses_what_it_could_not_measure() {
    let server = "load --server http://127.0.0.1:9";
    for (given, flag) in [
        ("--questions 0", "--questions"),
        ("--connections 0", "--connections"),
        ("--for 0", "--for"),
        ("--for -1", "--for"),
    ] {
        run(&format!("{server} {given}")).tells_usage_of(flag);
    }
    run(&format!("{server} --pid 4294967295")).complains("--pid 4294967295: ");
}
