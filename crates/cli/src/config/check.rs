//! `alamein config check`.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use super::fault::{Fault, Place};
use super::layers::{self, Sources, redacted};
use super::{file, options};
use crate::args::{ConfigCheck, Serve};
use crate::{output, serve};

pub(super) fn run(check: &ConfigCheck) -> Result<ExitCode> {
    let (configured, faults) = match super::survey(check.file.as_deref(), &check.flags) {
        Ok(surveyed) => surveyed,
        Err(code) => return Ok(code),
    };
    let file = match &configured {
        Some(configured) => configured.sources.file.clone(),
        None => faults.iter().find_map(|fault| match &fault.place {
            Place::File(path, _) => Some(path.clone()),
            _ => None,
        }),
    };
    let odd = configured.iter().flat_map(|it| odd(&it.serve, &it.sources));
    let warnings: Vec<_> = warnings().into_iter().chain(odd).collect();
    tell(check.json, file, &faults, &warnings)?;
    Ok(ExitCode::from(u8::from(!faults.is_empty())))
}

/// What is wrong with a configuration whose every value makes sense for itself.
pub(super) fn beyond(serve: &Serve, sources: &Sources) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    if let Err(errors) = serve::prepare(serve) {
        let told = errors.iter().map(|error| format!("{error:#}"));
        faults.extend(told.map(|told| sources.fault(&told)));
    }
    let mut missing =
        |flag: &str, what: String| faults.push(sources.fault(&format!("{flag}: {what}")));
    for folder in serve.rules.plugin_dir.iter().filter(|it| !it.is_dir()) {
        missing("--plugin-dir", format!("{} is no folder", folder.display()));
    }
    if let Some(record) = &serve.record {
        let folder = record.parent().filter(|it| !it.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            missing(
                "--record",
                format!(
                    "{}: there is no such folder to write it in",
                    record.display()
                ),
            );
        }
    }
    faults
}

/// What does no harm, and does not do what was meant by it either.
pub(crate) fn odd(serve: &Serve, sources: &Sources) -> Vec<String> {
    let limits = &serve.limits;
    let idle = limits
        .standing
        .filter(|standing| *standing > limits.requests);
    let told = idle.map(|standing| {
        let what = format!(
            "--max-standing: {standing} is more than --max-requests lets in, which is {}: nobody is ever turned \
             away for it",
            limits.requests
        );
        sources.fault(&what).to_string()
    });
    told.into_iter().collect()
}

/// A password that stands in a file which others may read.
pub(super) fn password_for_all(setting: &layers::Setting) -> Option<Fault> {
    let Place::File(path, _) = &setting.place else {
        return None;
    };
    let mode = path.metadata().ok()?.mode();
    let has_password = setting.values.iter().any(|value| redacted(value) != *value);
    (has_password && mode & 0o077 != 0).then(|| {
        let what = format!(
            "there is a password in it, and others may read this file (mode {:o}); run `chmod 600` on it, \
             or set {} in the environment",
            mode & 0o777,
            setting.option.env
        );
        Fault::new(setting.place.clone(), setting.option.key(), what)
    })
}

/// Names in the environment that look like options and are none.
pub(crate) fn warnings() -> Vec<String> {
    let options = options::all();
    let known: Vec<_> = options.iter().map(|option| option.env.clone()).collect();
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_known = |name: &String| *name == options::CONFIG_ENV || known.contains(name);
    let mut strange: Vec<_> = names
        .filter(|name| name.starts_with(options::PREFIX) && !is_known(name))
        // What Kubernetes sets for a Service that is called so, and what other commands read.
        .filter(|name| !name.contains("_SERVICE_") && !name.contains("_PORT"))
        .collect();
    strange.sort();
    let told = strange.into_iter().filter_map(|name| {
        let meant = file::near(&name, known.clone())?;
        Some(format!(
            "{name} is set, and no option has that name; did you mean {meant}?"
        ))
    });
    told.collect()
}

fn tell(as_json: bool, file: Option<PathBuf>, faults: &[Fault], warnings: &[String]) -> Result<()> {
    let shown = file.as_deref().map(Path::display);
    if as_json {
        let told = json!({
            "file": shown.map(|it| it.to_string()),
            "faults": faults.iter().map(Fault::json).collect::<Vec<_>>(),
            "warnings": warnings,
        });
        return output::line(&format!("{told:#}"));
    }
    for fault in faults {
        output::line(&fault.to_string())?;
    }
    for warning in warnings {
        output::line(&format!("warning: {warning}"))?;
    }
    let of = shown.map_or("no configuration file".to_owned(), |it| it.to_string());
    match faults.len() {
        0 => output::line(&format!(
            "{of}: nothing is wrong; plugins and their options are looked at when they are loaded"
        )),
        1 => output::line(&format!("{of}: 1 thing is wrong")),
        count => output::line(&format!("{of}: {count} things are wrong")),
    }
}
