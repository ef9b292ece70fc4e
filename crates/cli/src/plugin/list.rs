//! `alamein plugin list`.

use std::path::Path;
use std::process::ExitCode;

use alamein_plugin_host::{FolderEntry, FolderReport, load_folder};
use anyhow::Result;
use serde_json::{Value, json};

use crate::args::{PluginList, RuleArgs};
use crate::paint::Paint;
use crate::{output, plugins};

pub(crate) fn run(list: &PluginList) -> Result<ExitCode> {
    let rules = RuleArgs::of_folder(list.folder.clone());
    let report = load_folder(&plugins::folder(&rules)?);
    if list.json {
        output::line(&format!("{:#}", as_json(&report)))?;
    } else {
        output::put(&told(&report, Paint::of_terminal()))?;
    }
    let refused = report.refused().count();
    Ok(ExitCode::from(u8::from(refused > 0)))
}

/// What a plugin's folder is called.
fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    name.to_string_lossy().into_owned()
}

fn told(report: &FolderReport, paint: Paint) -> String {
    let widest = report.entries.iter().map(|entry| name(&entry.folder).len());
    let widest = widest.max().unwrap_or_default();
    let mut text = String::new();
    for entry in &report.entries {
        let name = paint.bold(&format!("{:<widest$}", name(&entry.folder)));
        text.push_str(&match &entry.outcome {
            Ok(plugin) => format!(
                "{name}  {}  {} {} ({}): {}\n",
                paint.good("ok     "),
                plugin.id(),
                plugin.version(),
                plugin.trust(),
                plugin.manifest().title
            ),
            Err(error) => format!(
                "{name}  {}  {} ({error})\n",
                paint.bad("refused"),
                error.reason()
            ),
        });
    }
    let (loaded, refused) = (report.loaded().count(), report.refused().count());
    text.push_str(&format!(
        "{loaded} ok, {refused} refused in {}\n",
        report.folder.display()
    ));
    text
}

fn as_json(report: &FolderReport) -> Value {
    let entry = |entry: &FolderEntry| match &entry.outcome {
        Ok(plugin) => json!({
            "folder": entry.folder, "state": "ok",
            "id": plugin.id(), "version": plugin.version(), "title": plugin.manifest().title,
            "sha256": plugin.digest(), "build_id": plugin.build_id(), "trust": plugin.trust(),
        }),
        Err(error) => json!({
            "folder": entry.folder, "state": "refused",
            "id": error.plugin(), "reason": error.reason(), "why": error.to_string(),
        }),
    };
    json!({
        "folder": report.folder,
        "plugins": report.entries.iter().map(entry).collect::<Value>(),
    })
}
