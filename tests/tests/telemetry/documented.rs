//! What is documented of metrics, and all that is made of them: alerts and a dashboard.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use alamein_tests::root;
use serde_json::Value;

/// What is known of a metric.
#[derive(Debug)]
pub(crate) struct Metric {
    pub(crate) kind: String,
    pub(crate) labels: BTreeSet<String>,
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The tables of `docs/metrics.md`.
pub(crate) fn documented() -> BTreeMap<String, Metric> {
    let text = read("docs/metrics.md");
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let labels = cells[3]
            .split(',')
            .map(|it| it.trim().trim_matches('`').to_owned());
        let metric = Metric {
            kind: cells[2].to_owned(),
            labels: labels.filter(|it| !it.is_empty()).collect(),
        };
        (cells[1].trim_matches('`').to_owned(), metric)
    };
    let all: BTreeMap<String, Metric> = rows.clone().map(row).collect();
    assert_eq!(all.len(), rows.count(), "a metric has two rows");
    all
}

/// Runs promtool with something to read. Where it is not there it says so and goes on; but not in CI.
pub(crate) fn promtool(arguments: &[&str], input: &str) {
    let mut command = Command::new("promtool");
    let command = command.args(arguments).current_dir(root());
    let started = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = match started.spawn() {
        Ok(child) => child,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "promtool: {error}");
            eprintln!("SKIPPED: install promtool (Debian: prometheus) to run it: {error}");
            return;
        }
    };
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (said(&output.stdout), said(&output.stderr));
    // What it would have otherwise it says, and ends well.
    assert!(
        output.status.success() && err.trim().is_empty(),
        "promtool {arguments:?}: {out}{err}"
    );
}

/// The names of metrics in an expression.
fn names(expression: &str) -> BTreeSet<String> {
    let words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let ours = |word: &&str| word.starts_with("alamein_") || word.starts_with("process_");
    words.filter(ours).map(str::to_owned).collect()
}

/// Checks that all metrics of an expression are documented.
fn check(expression: &str, documented: &BTreeMap<String, Metric>) {
    let names = names(expression);
    assert!(
        !names.is_empty() || expression.contains("up{"),
        "{expression} is of no metric"
    );
    for name in names {
        let of_histogram = ["_bucket", "_count", "_sum"].iter().find_map(|suffix| {
            let metric = documented.get(name.strip_suffix(suffix)?)?;
            (metric.kind == "histogram").then_some(metric)
        });
        let metric = documented.get(&name).filter(|it| it.kind != "histogram");
        assert!(
            metric.or(of_histogram).is_some(),
            "{name} in {expression} is no metric"
        );
    }
}

#[test]
fn every_panel_shows_metrics_that_there_are() {
    let dashboard: Value = serde_json::from_str(&read("deploy/grafana/alamein.json")).unwrap();
    let documented = documented();
    let (mut shown, mut ids) = (BTreeSet::new(), BTreeSet::new());
    let mut rules = String::from("groups: [{name: panels, rules: [\n");
    for panel in dashboard["panels"].as_array().unwrap() {
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{panel}");
        for target in panel["targets"].as_array().into_iter().flatten() {
            let expression = target["expr"].as_str().unwrap();
            check(expression, &documented);
            shown.extend(names(expression));
            // What Grafana puts in, so that it can be read by others.
            let plain = expression.replace("$__rate_interval", "5m");
            let record = format!("panel:{}", rules.lines().count());
            let rule = serde_json::json!({"record": record, "expr": plain});
            writeln!(rules, "{rule},").unwrap();
        }
    }
    rules.push_str("]}]\n");
    let file = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::write(file.path(), rules).unwrap();
    promtool(&["check", "rules", file.path().to_str().unwrap()], "");
    for part in [
        "rpc",
        "plugin",
        "rulings",
        "store",
        "cache",
        "connections",
        "libraries",
    ] {
        let part = format!("alamein_{part}");
        assert!(
            shown.iter().any(|name| name.starts_with(&part)),
            "{part}: {shown:?}"
        );
    }
}

#[test]
fn every_alert_is_of_metrics_that_there_are_and_has_its_place_in_the_manual() {
    let rules = read("deploy/prometheus/alerts.yml");
    let documented = documented();
    let manual = read("docs/operating.md");
    let mut alerts = 0;
    for rule in rules.split("- alert: ").skip(1) {
        let name = rule.lines().next().unwrap().trim();
        let (_, expression) = rule.split_once("expr:").unwrap();
        let (expression, _) = expression.split_once("labels:").unwrap();
        check(expression, &documented);
        assert!(
            manual.contains(&format!("| `{name}` |")),
            "docs/operating.md has no {name}"
        );
        alerts += 1;
    }
    assert!(alerts > 8);
    let told = manual
        .lines()
        .filter(|line| line.starts_with("| `Alamein"))
        .count();
    assert_eq!(
        told, alerts,
        "docs/operating.md has an alert that there is not"
    );
    promtool(&["check", "rules", "deploy/prometheus/alerts.yml"], "");
    promtool(&["test", "rules", "deploy/prometheus/alerts_test.yml"], "");
}

/// The sources of this house.
fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|it| it == "rs") {
            all.push(path);
        }
    }
}

/// The names that sources give to metrics, as they are written there.
fn registered() -> BTreeSet<String> {
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    let mut found = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file).unwrap();
        if !text.contains("prometheus_client") {
            continue;
        }
        for call in [
            "register(",
            "register_with_unit(",
            "encode_descriptor(",
            "family(",
            "gauge(",
        ] {
            for after in text.split(call).skip(1) {
                let after = after.trim_start();
                let after = after
                    .strip_prefix("&mut encoder,")
                    .unwrap_or(after)
                    .trim_start();
                let name = after.strip_prefix('"');
                let name = name.and_then(|rest| rest.split('"').next());
                found.extend(name.map(str::to_owned));
            }
        }
    }
    found
}

#[test]
fn everything_that_is_counted_is_documented_and_nothing_else_is() {
    let registered = registered();
    assert!(registered.len() > 20, "{registered:?}");
    let short = |name: &str| {
        let name = name.strip_prefix("alamein_").unwrap_or(name);
        let name = name.strip_suffix("_total").unwrap_or(name).to_owned();
        let ends = ["_seconds", "_bytes", "_info"];
        let bare = ends.iter().find_map(|end| name.strip_suffix(end));
        [bare.map(str::to_owned), Some(name)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
    };
    let documented = documented();
    let written: BTreeSet<String> = documented.keys().flat_map(|name| short(name)).collect();
    for name in &registered {
        assert!(
            written.contains(name),
            "{name} is counted, and not in docs/metrics.md"
        );
    }
    // Those that are told in a loop have their names elsewhere in the file.
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    let text: String = files
        .iter()
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    for name in documented.keys() {
        let told = short(name)
            .iter()
            .any(|it| text.contains(&format!("\"{it}\"")));
        assert!(told, "{name} is in docs/metrics.md, and nothing counts it");
    }
}
