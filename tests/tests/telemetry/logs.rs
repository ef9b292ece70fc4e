//! The log.

use std::process::Command;
use std::time::{Duration, Instant};

use alamein_proto::v1;
use alamein_tests::serving::Server;
use serde_json::Value;

use crate::receiver::Received;
use crate::scrape::value;
use crate::{position, serve, sight, stub, with};

/// What must not be in any log. Nothing else in this test looks like it.
const SECRETS: [&str; 3] = ["s3cr3t-b34r3r", "phantom-7731", "phantom-9999"];

/// The lines of a log in JSON, once one of them has this message.
async fn lines(server: &Server, message: &str) -> Vec<Value> {
    let start = Instant::now();
    loop {
        let log = server.log();
        let read =
            |line: &str| serde_json::from_str::<Value>(line).unwrap_or_else(|_| panic!("{line}"));
        let lines: Vec<Value> = log.lines().map(read).collect();
        if lines.iter().any(|line| line["message"] == message) {
            return lines;
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "no {message:?}: {log}"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A position with a counter of which one side alone knows.
fn with_a_secret() -> v1::Position {
    let mut position = position();
    let mut hidden = position.counters[0].clone();
    SECRETS[1].clone_into(&mut hidden.id);
    hidden.known_to = vec![hidden.side.clone()];
    position.counters.push(hidden);
    position
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_logged_or_traced_whatever_is_asked_for() {
    let (received, address) = Received::start().await;
    let endpoint = format!("--otlp-endpoint=http://{address}");
    let flags = [
        endpoint.as_str(),
        "--log-json",
        "--log-level=trace",
        "--log-rulings=1",
    ];
    let server = serve(&flags).await;
    let mut stub = stub(&server).await;
    let bearing = |request| with(request, "authorization", &format!("Bearer {}", SECRETS[0]));
    let trace = "4af7651916cd43dd8448eb211c80319c";
    let parent = format!("00-{trace}-b7ad6b7169203331-01");

    let hidden = sight(with_a_secret(), SECRETS[1], "K");
    let answer = stub.line_of_sight(with(bearing(hidden), "traceparent", &parent));
    let ruling = answer.await.unwrap().into_inner().ruling.unwrap();
    let unknown = sight(with_a_secret(), "H", SECRETS[2]);
    let status = stub.line_of_sight(bearing(unknown)).await.unwrap_err();
    assert!(
        status.message().contains(SECRETS[2]),
        "the client is told: {status}"
    );
    received.trace(trace, |span| span.kind == 2).await;

    let lines = lines(&server, "ruled").await;
    let log = server.log();
    let (traces, trace_level) = (received.whole(), |line: &&Value| line["level"] == "TRACE");
    assert!(traces.contains("plugin"));
    for secret in SECRETS {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret} is logged");
        assert!(!traces.contains(secret), "{secret} is traced");
    }
    // Of libraries nothing is written that may hold headers.
    let foreign = lines.iter().filter(trace_level);
    let mut foreign = foreign.filter_map(|line| line["target"].as_str());
    assert!(foreign.all(|target| target.starts_with("alamein")), "{log}");

    let ruled = lines
        .iter()
        .find(|line| line["message"] == "ruled")
        .unwrap();
    assert_eq!(ruled["kind"], "line_of_sight");
    assert_eq!(ruled["ruling"], ruling.ruling_id);
    assert_eq!(ruled["rules"], ruling.rules_fingerprint);
    assert_eq!(ruled["position"], ruling.position_id);
    assert!(ruled["ms"].as_f64().unwrap() > 0.0);
    assert!(["clear", "hindered", "blocked"].contains(&ruled["verdict"].as_str().unwrap()));
    for line in [ruled, answered(&lines, trace)] {
        assert_eq!(line["trace_id"], trace);
        assert_eq!(line["tenant"], "main");
        assert_eq!(line["method"], "LineOfSight");
        assert_eq!(line["request_id"].as_str().unwrap().len(), 32);
    }
}

/// The line that tells the end of a request.
fn answered<'a>(lines: &'a [Value], trace: &str) -> &'a Value {
    let mut lines = lines.iter();
    let found = lines.find(|line| line["message"] == "answered" && line["trace_id"] == trace);
    found.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_calls_are_told_and_their_reasons_too() {
    let server = serve(&["--log-json", "--log-slow=0"]).await;
    let mut stub = stub(&server).await;
    let request = with(
        sight(position(), "H", "nobody"),
        "alamein-request-id",
        "slow-1",
    );
    stub.line_of_sight(request).await.unwrap_err();
    let request = with(sight(position(), "H", "K"), "alamein-request-id", "slow-2");
    stub.line_of_sight(request).await.unwrap();
    let start = Instant::now();
    while !server.log().contains("slow-2") {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{}",
            server.log()
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let lines = lines(&server, "answered slowly").await;
    let of = |id: &str| lines.iter().find(|line| line["request_id"] == id).unwrap();
    assert_eq!(of("slow-1")["level"], "WARN");
    assert_eq!(of("slow-1")["reason"], "UNKNOWN_COUNTER");
    assert_eq!(of("slow-2")["code"], "Ok");
    // Rulings are logged only if they are asked for.
    let ruled = lines.iter().find(|line| line["message"] == "ruled");
    assert_eq!(ruled, None);
}

/// Has a service read its files anew.
fn hang_up(server: &Server) {
    let pid = server.pid().to_string();
    let told = Command::new("kill").args(["-HUP", &pid]).status().unwrap();
    assert!(told.success());
}

/// Waits until the log of a service has these words so often.
async fn until(server: &Server, words: &str, times: usize) {
    let start = Instant::now();
    while server.log().matches(words).count() < times {
        let waited = start.elapsed() < Duration::from_secs(60);
        assert!(waited, "no {words:?}: {}", server.log());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_logged_changes_on_sighup_or_stays_where_it_is_wrong() {
    let file = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let write = |level: &str| {
        let text = format!("[telemetry]\nlog-level = {level:?}\n");
        std::fs::write(file.path(), text).unwrap();
    };
    write("info");
    let config = format!("--config={}", file.path().display());
    let server = serve(&[&config, "--metrics=127.0.0.1:0"]).await;
    let mut stub = stub(&server).await;
    let mut ask = async |id: &str| {
        let request = with(sight(position(), "H", "K"), "alamein-request-id", id);
        stub.line_of_sight(request).await.unwrap();
    };
    ask("told-1").await;
    until(&server, "request_id=\"told-1\"", 1).await;
    let less = "info,alamein_server::transport=warn";
    write(less);
    hang_up(&server);
    until(&server, &format!("reloaded: log-level is {less} what="), 1).await;
    ask("not-told").await;
    write("loud and clear");
    hang_up(&server);
    // The configuration as a whole, and the log by it.
    until(&server, "not reloaded", 2).await;
    ask("not-told-either").await;
    write("info");
    hang_up(&server);
    until(&server, "reloaded: log-level is info what=", 1).await;
    ask("told-2").await;
    until(&server, "request_id=\"told-2\"", 1).await;
    assert!(!server.log().contains("not-told"), "{}", server.log());
    // Each time the file is read as a whole too, and once it was not one.
    for (what, ok) in [("configuration", 2), ("log", 2)] {
        for (outcome, times) in [("ok", ok), ("failed", 1)] {
            let series = format!("reloads_total{{what=\"{what}\",outcome=\"{outcome}\"}}");
            assert_eq!(value(&server, &series), Some(f64::from(times)), "{series}");
        }
    }
}
