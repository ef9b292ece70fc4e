//! What a service tells at `/metrics`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use alamein_tests::serving::Server;

use crate::documented::{Metric, documented, promtool};
use crate::{position, serve, sight, stub};

/// What is answered to GET at `/metrics`: the head, and the rest.
pub(crate) fn scrape(server: &Server, accept: &str) -> (String, String) {
    let address = server.metrics_address().unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!(
        "GET /metrics HTTP/1.1\r\nHost: it\r\nAccept: {accept}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, rest) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), rest.to_owned())
}

/// What a service tells of a series, without the `alamein_` that all begin with, if it has it.
pub(crate) fn value(server: &Server, series: &str) -> Option<f64> {
    let (_, text) = scrape(server, "text/plain");
    let series = format!("alamein_{series} ");
    let line = text.lines().find_map(|line| line.strip_prefix(&series));
    line.map(|value| value.trim().parse().unwrap())
}

/// The metrics that a scrape tells, with their types and labels.
fn told(text: &str) -> BTreeMap<String, Metric> {
    let mut told: BTreeMap<String, Metric> = BTreeMap::new();
    let mut last = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            last = name.to_owned();
            let kind = kind.to_owned();
            let labels = BTreeSet::new();
            told.insert(last.clone(), Metric { kind, labels });
        } else if !line.starts_with('#') {
            let name = line.split(['{', ' ']).next().unwrap();
            assert!(name.starts_with(&last), "{line} comes after {last}");
            let labels = line.split_once('{').map_or("", |(_, rest)| rest);
            let labels = labels.rsplit_once('}').map_or("", |(labels, _)| labels);
            let labels = labels.split("\",").filter_map(|it| it.split_once("=\""));
            let labels = labels.map(|(name, _)| name.to_owned());
            let of = &mut told.get_mut(&last).unwrap().labels;
            of.extend(labels.filter(|name| name != "le"));
        }
    }
    told
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_is_told_is_documented_and_well_formed() {
    // Nobody receives the traces: that is counted too.
    let flags = [
        "--metrics=127.0.0.1:0",
        "--otlp-endpoint=http://127.0.0.1:9",
        "--audit=-",
    ];
    let server = serve(&flags).await;
    let mut stub = stub(&server).await;
    stub.line_of_sight(sight(position(), "H", "K"))
        .await
        .unwrap();
    stub.line_of_sight(sight(position(), "H", "nobody"))
        .await
        .unwrap_err();

    let (head, text) = scrape(&server, "text/plain");
    assert!(
        head.contains("content-type: text/plain; version=0.0.4"),
        "{head}"
    );
    let (told, documented) = (told(&text), documented());
    assert!(told.len() > 30, "{text}");
    for (name, metric) in &told {
        let written = documented.get(name);
        let written = written.unwrap_or_else(|| panic!("{name} is not in docs/metrics.md"));
        assert_eq!(written.kind, metric.kind, "{name}");
        let unknown: Vec<_> = metric.labels.difference(&written.labels).collect();
        assert!(
            unknown.is_empty(),
            "{name} has labels that docs/metrics.md does not: {unknown:?}"
        );
    }
    let value = |series: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(series));
        let line = line.unwrap_or_else(|| panic!("no {series} in {text}"));
        line.trim().parse::<f64>().unwrap()
    };
    let method = r#"service="AdjudicationService",method="LineOfSight""#;
    assert_eq!(value("alamein_serving "), 1.0);
    assert_eq!(
        value(&format!("alamein_rpc_started_total{{{method}}}")),
        2.0
    );
    assert_eq!(value(&format!("alamein_rpc_in_flight{{{method}}}")), 0.0);
    assert_eq!(
        value(&format!("alamein_rpc_duration_seconds_count{{{method}}}")),
        2.0
    );
    let ended = |code, reason| {
        let series = format!("{method},code=\"{code}\",reason=\"{reason}\"");
        value(&format!("alamein_rpc_handled_total{{{series}}}"))
    };
    assert_eq!(ended("OK", "NONE"), 1.0);
    assert_eq!(ended("INVALID_ARGUMENT", "UNKNOWN_COUNTER"), 1.0);
    assert!(value(&format!("alamein_rpc_request_bytes_total{{{method}}}")) > 200.0);
    assert!(value(&format!("alamein_rpc_response_bytes_total{{{method}}}")) > 200.0);
    assert!(value("alamein_plugin_calls_total{plugin=\"deir\"}") >= 1.0);
    assert!(value("alamein_plugin_time_seconds_total{plugin=\"deir\"}") > 0.0);
    assert!(value("alamein_connections_open ") >= 1.0);
    assert!(value("process_resident_memory_bytes ") > 1e6);
    assert_eq!(value("alamein_libraries_cap "), 256.0);
    assert_eq!(value("alamein_stale{file=\"audit\"}"), 0.0);
    assert_eq!(value("alamein_audit_lost_total "), 0.0);
    assert!(
        text.contains("alamein_rulings_total{ruleset=\"default\",fingerprint=\""),
        "{text}"
    );
    promtool(&["check", "metrics"], &text);
}

#[tokio::test(flavor = "multi_thread")]
async fn open_metrics_are_told_to_who_asks_for_them() {
    let server = serve(&["--metrics=127.0.0.1:0"]).await;
    let (head, text) = scrape(
        &server,
        "application/openmetrics-text;version=1.0.0,text/plain;q=0.5",
    );
    assert!(
        head.contains("content-type: application/openmetrics-text; version=1.0.0"),
        "{head}"
    );
    assert!(text.ends_with("\n# EOF\n"), "{text}");
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let types: BTreeMap<&str, &str> = types.filter_map(|it| it.split_once(' ')).collect();
    assert!(types.len() > 25, "{text}");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split(['{', ' ']).next().unwrap();
        let suffixes = ["", "_total", "_count", "_sum", "_bucket", "_info"];
        let mut of = suffixes.into_iter().filter_map(|suffix| {
            let family = name.strip_suffix(suffix)?;
            Some((*types.get(family)?, suffix))
        });
        let fits = of.any(|(kind, suffix)| match kind {
            "counter" => suffix == "_total",
            "gauge" => suffix.is_empty(),
            "histogram" => ["_count", "_sum", "_bucket"].contains(&suffix),
            "info" => suffix == "_info",
            _ => false,
        });
        assert!(fits, "{line} is of no family");
    }
    for (family, _) in types.iter().filter(|(_, kind)| **kind == "counter") {
        assert!(!family.ends_with("_total"), "{family}");
    }
}
