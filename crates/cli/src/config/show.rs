//! `alamein config show`.

use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use super::fault::Place;
use super::layers::{self, Configured, Setting, Sources, redacted};
use super::options::Takes;
use super::written;
use crate::args::ConfigShow;
use crate::output;

pub(super) fn run(show: &ConfigShow) -> Result<ExitCode> {
    let flags = layers::with_file(show.file.as_deref(), &show.flags);
    let configured = match Configured::of(&flags, &layers::environment) {
        Ok(configured) => configured,
        Err(unfit) => return Ok(unfit.tell()),
    };
    let mut sources = configured.sources;
    if show.set {
        sources.settings.retain(|it| it.place != Place::Default);
    }
    match show.json {
        true => output::line(&format!("{:#}", as_json(&sources)))?,
        false => output::put(&as_toml(&sources))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// As a configuration file that sets the same, with where each value comes from.
fn as_toml(sources: &Sources) -> String {
    let mut text = match &sources.file {
        Some(file) => format!("# {}\n", file.display()),
        None => "# no configuration file\n".to_owned(),
    };
    let mut section = String::new();
    for setting in &sources.settings {
        if setting.option.section() != section {
            section = setting.option.section();
            text.push_str(&format!("\n[{section}]\n"));
        }
        let name = &setting.option.name;
        let line = match values(setting) {
            None => format!("# {name} is not set"),
            Some(values) => format!("{name} = {}", written::value(&setting.option, &values)),
        };
        text.push_str(&match &setting.place {
            Place::Default if line.starts_with('#') => format!("{line}\n"),
            place => format!("{line:<44}  # {place}\n"),
        });
    }
    text
}

fn as_json(sources: &Sources) -> Value {
    let options = sources.settings.iter().map(|setting| {
        let option = &setting.option;
        let value = match (option.takes, values(setting)) {
            (_, None) => Value::Null,
            (Takes::Many, Some(values)) => json!(values),
            (Takes::Switch, Some(values)) => {
                json!(values.first().is_some_and(|it| layers::is_on(it)))
            }
            (Takes::One, Some(values)) => json!(values.first()),
        };
        let from = match &setting.place {
            Place::Flag => json!({ "kind": "flag" }),
            Place::Environment(name) => json!({ "kind": "environment", "name": name }),
            Place::File(path, line) => json!({
                "kind": "file",
                "file": path.display().to_string(),
                "line": line,
            }),
            Place::Default => json!({ "kind": "default" }),
        };
        json!({
            "option": option.key(),
            "flag": format!("--{}", option.name),
            "environment": option.env,
            "value": value,
            "from": from,
        })
    });
    json!({
        "file": sources.file.as_ref().map(|file| file.display().to_string()),
        "options": options.collect::<Vec<_>>(),
    })
}

/// The values that may be shown, if it is set.
fn values(setting: &Setting) -> Option<Vec<String>> {
    let values: Vec<_> = setting.values.iter().map(|it| redacted(it)).collect();
    let set = !values.is_empty() || setting.option.takes == Takes::Many;
    set.then_some(values)
}
