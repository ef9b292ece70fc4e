//! `alamein plugin load`, `replace`, `retire` and `status`: the plugins of a running service.

use std::path::Path;

use alamein_client::v1::{self, PluginBuildState};
use alamein_client::{AdminClient, AdminSettings, Stock, Swapped};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::args::{AdminArgs, PluginRetire, PluginStatus, PluginSwap};
use crate::output;
use crate::paint::Paint;

/// The listener of a service on which its plugins are administered.
struct Admin {
    runtime: Runtime,
    client: AdminClient,
}

impl Admin {
    fn connect(args: &AdminArgs) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("no thread to connect on")?;
        let settings = AdminSettings {
            access: args.access()?,
            ..AdminSettings::default()
        };
        let client = runtime.block_on(AdminClient::connect(&args.admin, settings));
        Ok(Self {
            client: client.context("--admin")?,
            runtime,
        })
    }
}

pub(super) fn load(swap: &PluginSwap) -> Result<()> {
    let admin = Admin::connect(&swap.admin)?;
    let folder = named(&swap.folder);
    let loaded = admin.runtime.block_on(admin.client.load(&folder))?;
    let what = match loaded.known {
        true => "was loaded already",
        false => "loaded",
    };
    tell(&loaded, what, swap.json)
}

pub(super) fn replace(swap: &PluginSwap) -> Result<()> {
    let admin = Admin::connect(&swap.admin)?;
    let (folder, id) = (named(&swap.folder), swap.id.as_deref());
    let replaced = admin.runtime.block_on(admin.client.replace(&folder, id))?;
    tell(&replaced, "replaced", swap.json)
}

/// A folder as the service is to look for it: what is there from here, by its whole path.
fn named(folder: &Path) -> String {
    let whole = folder.canonicalize();
    let whole = whole.unwrap_or_else(|_| folder.to_owned());
    whole.display().to_string()
}

fn tell(swapped: &Swapped, what: &str, as_json: bool) -> Result<()> {
    let plugin = &swapped.plugin;
    if as_json {
        let swaps = swapped.rulesets.iter().map(|swap| {
            json!({
                "ruleset": swap.ruleset_id,
                "before": swap.before_fingerprint,
                "after": swap.after_fingerprint,
            })
        });
        let staying = swapped.staying.iter().map(|stay| {
            json!({
                "ruleset": stay.ruleset_id,
                "version": stay.version,
                "sha256": stay.build_sha256,
                "wants": stay.wanted,
            })
        });
        let told = json!({
            "plugin": plugin_json(plugin),
            "known": swapped.known,
            "rulesets": swaps.collect::<Value>(),
            "staying": staying.collect::<Value>(),
        });
        return output::line(&format!("{told:#}"));
    }
    output::line(&format!(
        "{} {}: {what}, generation {}, build {}",
        plugin.plugin_id, plugin.version, plugin.generation, plugin.build_sha256
    ))?;
    for swap in &swapped.rulesets {
        output::line(&format!(
            "  {} was {}\n  {} is  {}",
            swap.ruleset_id, swap.before_fingerprint, swap.ruleset_id, swap.after_fingerprint
        ))?;
    }
    for stay in &swapped.staying {
        output::line(&format!(
            "  {} stays by {}: it wants {}",
            stay.ruleset_id, stay.version, stay.wanted
        ))?;
    }
    Ok(())
}

pub(super) fn retire(retire: &PluginRetire) -> Result<()> {
    let admin = Admin::connect(&retire.admin)?;
    let which = v1::RetirePluginRequest {
        plugin_id: retire.id.clone(),
        version: retire.version.clone().unwrap_or_default(),
        build_sha256: retire.sha256.clone().unwrap_or_default(),
    };
    for plugin in admin.runtime.block_on(admin.client.retire(which))? {
        output::line(&format!(
            "{} {}: retired, generation {}",
            plugin.plugin_id, plugin.version, plugin.generation
        ))?;
    }
    Ok(())
}

pub(super) fn status(status: &PluginStatus) -> Result<()> {
    let admin = Admin::connect(&status.admin)?;
    let stock = admin.runtime.block_on(admin.client.list())?;
    if status.json {
        let told = json!({
            "plugins": stock.plugins.iter().map(plugin_json).collect::<Value>(),
            "libraries_held": stock.libraries_held,
            "libraries_max": stock.libraries_max,
            "revisions": stock.revisions,
        });
        return output::line(&format!("{told:#}"));
    }
    output::put(&stock_text(&stock, Paint::of_terminal()))
}

fn state(plugin: &v1::PluginBuild) -> &'static str {
    match plugin.state() {
        PluginBuildState::Unspecified => "unknown",
        PluginBuildState::Available => "available",
        PluginBuildState::Retired => "retired",
        PluginBuildState::Refused => "refused",
        PluginBuildState::Failed => "failed",
    }
}

fn plugin_json(plugin: &v1::PluginBuild) -> Value {
    json!({
        "generation": plugin.generation,
        "id": plugin.plugin_id,
        "version": plugin.version,
        "sha256": plugin.build_sha256,
        "build_id": plugin.build_id,
        "folder": plugin.path,
        "from_store": plugin.from_store,
        "state": state(plugin),
        "why": plugin.state_reason,
        "trust": plugin.trust,
        "calls_in_flight": plugin.calls_in_flight,
        "rulesets": plugin.rulesets,
        "revisions": plugin.revisions,
    })
}

fn stock_text(stock: &Stock, paint: Paint) -> String {
    let mut text = String::new();
    for plugin in &stock.plugins {
        let state = match plugin.state() {
            PluginBuildState::Available => paint.good("available"),
            PluginBuildState::Retired => paint.faint("retired"),
            _ => paint.bad(state(plugin)),
        };
        let number = match plugin.generation {
            0 => "-".to_owned(),
            number => number.to_string(),
        };
        let name = paint.bold(&format!("{} {}", plugin.plugin_id, plugin.version));
        text.push_str(&format!("{number:>4}  {name}  {state}"));
        if !plugin.trust.is_empty() {
            text.push_str(&format!(", {}", plugin.trust));
        }
        if plugin.calls_in_flight > 0 {
            text.push_str(&format!(", in {} calls", plugin.calls_in_flight));
        }
        text.push('\n');
        if !plugin.rulesets.is_empty() {
            text.push_str(&format!("      in {}\n", plugin.rulesets.join(", ")));
        }
        if !matches!(
            plugin.state(),
            PluginBuildState::Available | PluginBuildState::Retired
        ) {
            text.push_str(&format!("      {}\n", plugin.state_reason));
        }
        let folder = match plugin.from_store {
            true => "from the store",
            false => &plugin.path,
        };
        let build = &plugin.build_sha256;
        text.push_str(&paint.faint(&format!("      build {build}\n      {folder}\n")));
    }
    text.push_str(&format!(
        "{} libraries of at most {}; {} revisions of rulesets\n",
        stock.libraries_held, stock.libraries_max, stock.revisions
    ));
    text
}
