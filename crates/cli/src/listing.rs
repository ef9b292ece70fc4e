//! `alamein rules`: what the plugins say of themselves.

use alamein_terrain::{Manifest, OptionSpec, RuleSpec, With};
use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::args::ListRules;
use crate::bench::Bench;
use crate::output;
use crate::paint::Paint;

/// The rules of a bench.
pub(crate) struct Listing {
    pub(crate) fingerprint: String,
    pub(crate) policy: &'static str,
    pub(crate) plugins: Vec<Listed>,
}

/// A plugin.
pub(crate) struct Listed {
    pub(crate) manifest: Manifest,
    /// Its options, all of them set.
    pub(crate) options: Value,
    /// The SHA-256 of its library; nothing if it is linked.
    pub(crate) sha256: Option<String>,
    pub(crate) build_id: String,
}

pub(crate) fn run(list: &ListRules) -> Result<()> {
    let Listing {
        fingerprint,
        policy,
        mut plugins,
    } = Bench::open(&list.rules)?.listing(&list.rules)?;
    for id in &list.only {
        let known: Vec<&str> = plugins.iter().map(|p| p.manifest.id.as_str()).collect();
        ensure!(
            known.contains(&id.as_str()),
            "PLUGIN: there is no plugin {id:?}; there are {}",
            known.join(", ")
        );
    }
    plugins.retain(|plugin| list.only.is_empty() || list.only.contains(&plugin.manifest.id));
    if list.json {
        output::line(&format!(
            "{:#}",
            json!({
                "rules_fingerprint": fingerprint,
                "policy": policy,
                "plugins": plugins.iter().map(plugin_json).collect::<Value>(),
            })
        ))?;
        return Ok(());
    }
    let lister = Lister {
        paint: Paint::of_terminal(),
        full: !list.only.is_empty(),
    };
    for plugin in &plugins {
        output::put(&lister.plugin(plugin))?;
    }
    output::line(&format!("Grazing policy: {policy}"))?;
    output::line(&format!("Rules fingerprint: {fingerprint}"))?;
    Ok(())
}

/// What a rule replaces, and with what.
fn replaces(rule: &RuleSpec) -> String {
    if rule.replaces.is_empty() {
        return String::new();
    }
    let names: Vec<String> = rule.replaces.iter().map(ToString::to_string).collect();
    let with = match &rule.with {
        None => String::new(),
        Some(With::Number(number)) => format!(" with {number}"),
        Some(With::Option { option }) => format!(" with the option {option}"),
    };
    format!("; replaces {}{with}", names.join(", "))
}

struct Lister {
    paint: Paint,
    full: bool,
}

impl Lister {
    fn plugin(&self, plugin: &Listed) -> String {
        let manifest = &plugin.manifest;
        let name = self
            .paint
            .bold(&format!("{} {}", manifest.id, manifest.version));
        let mut text = format!("{name}  {}\n", manifest.title);
        if self.full {
            text.push_str(&format!("  {}\n", manifest.description));
        }
        if !manifest.layers.is_empty() {
            text.push_str(&self.layers(plugin));
        }
        if self.full {
            text.push_str(&self.rules(plugin));
        } else {
            let mut numbers: Vec<&str> = manifest.rules.iter().map(|rule| rule.number()).collect();
            numbers.sort_unstable();
            numbers.dedup();
            text.push_str(&format!("  rules: {}\n", numbers.join(", ")));
        }
        for option in manifest.options() {
            text.push_str(&self.option(plugin, &option));
        }
        if self.full {
            let digest = plugin
                .sha256
                .as_deref()
                .unwrap_or("linked into this program");
            text.push_str(&format!("  library: {digest}\n"));
        }
        text.push('\n');
        text
    }

    fn layers(&self, plugin: &Listed) -> String {
        let layers = &plugin.manifest.layers;
        if !self.full {
            let names: Vec<&str> = layers.iter().map(|layer| layer.name.as_str()).collect();
            return format!("  layers: {}\n", names.join(", "));
        }
        let mut text = String::new();
        for layer in layers {
            text.push_str(&format!("  layer {}: {}\n", layer.name, layer.description));
            for field in &layer.fields {
                text.push_str(&format!("    {}: {}\n", field.name, field.description));
            }
        }
        text
    }

    fn rules(&self, plugin: &Listed) -> String {
        let rules = &plugin.manifest.rules;
        let widest = rules
            .iter()
            .map(|rule| rule.id.len())
            .max()
            .unwrap_or_default();
        let mut text = String::new();
        for rule in rules {
            let id = self.paint.rule(&format!("{:<widest$}", rule.id));
            let replaces = replaces(rule);
            text.push_str(&format!("  {id}  {}{replaces}\n", rule.title));
        }
        text
    }

    fn option(&self, plugin: &Listed, option: &OptionSpec) -> String {
        let id = &plugin.manifest.id;
        let value = plugin.options.get(&option.name).unwrap_or(&option.default);
        let name = self.paint.bold(&format!("{id}.{}={value}", option.name));
        let mut text = format!("  option {name}");
        if *value != option.default {
            text.push_str(&format!(" (default {})", option.default));
        }
        if let Some(words) = option.schema.get("enum").and_then(Value::as_array) {
            let words: Vec<String> = words.iter().map(Value::to_string).collect();
            text.push_str(&format!(" of {}", words.join(", ")));
        }
        text.push_str(&format!("\n    {}\n", option.description));
        if let Some(why) = &option.contested {
            text.push_str(&format!("    contested: {why}\n"));
        }
        text
    }
}

fn plugin_json(plugin: &Listed) -> Value {
    json!({
        "manifest": serde_json::to_value(&plugin.manifest).unwrap_or_default(),
        "options": plugin.options,
        "library_sha256": plugin.sha256,
        "build_id": plugin.build_id,
    })
}
