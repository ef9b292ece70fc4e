//! `alamein plugin check`.

use std::process::ExitCode;
use std::time::Duration;

use alamein_plugin_kit::{Plan, Report, Verdict};
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use super::built;
use crate::args::PluginCheck;
use crate::output;
use crate::paint::Paint;

pub(crate) fn run(check: &PluginCheck) -> Result<ExitCode> {
    let plan = Plan {
        folder: built(&check.plugin)?,
        options: options(&check.options)?,
        program: std::env::current_exe().context("this program cannot tell where it is")?,
        arguments: vec!["plugin".into(), "try-part".into(), "--".into()],
        limit: Duration::from_secs(check.time_limit.max(1)),
    };
    let report = alamein_plugin_kit::check(&plan)?;
    if check.json {
        output::line(&format!("{:#}", report.json()))?;
    } else {
        output::put(&told(&report, check.verbose, Paint::of_terminal()))?;
    }
    let failed = report.count(Verdict::Fail) > 0;
    Ok(ExitCode::from(u8::from(failed)))
}

/// `OPTION=VALUE`. What is no JSON is a word.
fn options(set: &[String]) -> Result<Map<String, Value>> {
    let mut options = Map::new();
    for setting in set {
        let Some((name, value)) = setting.split_once('=') else {
            bail!("--set {setting}: write OPTION=VALUE, as in --set tem=2");
        };
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
        options.insert(name.to_owned(), value);
    }
    Ok(options)
}

fn told(report: &Report, verbose: bool, paint: Paint) -> String {
    let checks = &report.checks;
    let widest = checks.iter().map(|it| it.check.name().len()).max();
    let widest = widest.unwrap_or_default();
    let mut text = String::new();
    if let Some(plugin) = &report.plugin {
        text.push_str(&format!("{}\n", paint.bold(plugin)));
    }
    let has_failed = report.count(Verdict::Fail) > 0;
    for it in checks {
        let mark = match it.verdict {
            Verdict::Pass => paint.good("pass"),
            Verdict::Fail => paint.bad("FAIL"),
            Verdict::NotApplicable => paint.faint("  - "),
        };
        // Of what fails everything is told; of the rest what it claims, unless there is a failure to
        // look at.
        let is_shown = verbose || it.verdict == Verdict::Fail || !has_failed;
        if !is_shown {
            continue;
        }
        let name = format!("{:<widest$}", it.check.name());
        text.push_str(&format!(
            "  {mark}  {}  {}\n",
            paint.rule(&name),
            it.check.claim()
        ));
        for message in it
            .messages
            .iter()
            .filter(|_| verbose || it.verdict != Verdict::Pass)
        {
            let lines: Vec<String> = message.lines().map(str::to_owned).collect();
            text.push_str(&format!("        {}\n", lines.join("\n        ")));
        }
    }
    let (passed, failed) = (report.count(Verdict::Pass), report.count(Verdict::Fail));
    let left_out = report.count(Verdict::NotApplicable);
    text.push_str(&format!(
        "{passed} passed, {failed} failed, {left_out} not applicable\n"
    ));
    text
}
