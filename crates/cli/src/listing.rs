//! `alamein rules`: what the plugins say of themselves.

use alamein_cases::Settings;
use alamein_engine::Member;
use alamein_terrain::OptionSpec;
use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::args::ListRules;
use crate::local::Loaded;
use crate::paint::Paint;

pub(crate) fn run(list: &ListRules) -> Result<()> {
    let loaded = Loaded::load(&list.rules)?;
    let judge = loaded.judge(&list.rules, &Settings::default())?;
    let members = judge.ruleset.members();
    for id in &list.only {
        let known: Vec<&str> = members.iter().map(|m| m.manifest().id.as_str()).collect();
        ensure!(
            known.contains(&id.as_str()),
            "PLUGIN: there is no plugin {id:?}; there are {}",
            known.join(", ")
        );
    }
    let chosen =
        |member: &&Member| list.only.is_empty() || list.only.contains(&member.manifest().id);
    let members: Vec<&Member> = members.iter().filter(chosen).collect();
    if list.json {
        println!(
            "{:#}",
            json!({
                "rules_fingerprint": judge.ruleset.fingerprint().to_string(),
                "policy": judge.ruleset.policy().name(),
                "plugins": members.iter().map(|m| plugin_json(m)).collect::<Value>(),
            })
        );
        return Ok(());
    }
    let lister = Lister {
        paint: Paint::of_terminal(),
        full: !list.only.is_empty(),
    };
    for member in &members {
        print!("{}", lister.plugin(member));
    }
    println!("Grazing policy: {}", judge.ruleset.policy().name());
    println!("Rules fingerprint: {}", judge.ruleset.fingerprint());
    Ok(())
}

struct Lister {
    paint: Paint,
    full: bool,
}

impl Lister {
    fn plugin(&self, member: &Member) -> String {
        let manifest = member.manifest();
        let name = self
            .paint
            .bold(&format!("{} {}", manifest.id, manifest.version));
        let mut text = format!("{name}  {}\n", manifest.title);
        if self.full {
            text.push_str(&format!("  {}\n", manifest.description));
        }
        if !manifest.layers.is_empty() {
            text.push_str(&self.layers(member));
        }
        if self.full {
            text.push_str(&self.rules(member));
        } else {
            let mut numbers: Vec<&str> = manifest.rules.iter().map(|rule| rule.number()).collect();
            numbers.sort_unstable();
            numbers.dedup();
            text.push_str(&format!("  rules: {}\n", numbers.join(", ")));
        }
        for option in manifest.options() {
            text.push_str(&self.option(member, &option));
        }
        if self.full {
            let digest = member
                .digest
                .as_deref()
                .unwrap_or("linked into this program");
            text.push_str(&format!("  library: {digest}\n"));
        }
        text.push('\n');
        text
    }

    fn layers(&self, member: &Member) -> String {
        let layers = &member.manifest().layers;
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

    fn rules(&self, member: &Member) -> String {
        let rules = &member.manifest().rules;
        let widest = rules
            .iter()
            .map(|rule| rule.id.len())
            .max()
            .unwrap_or_default();
        let mut text = String::new();
        for rule in rules {
            let id = self.paint.rule(&format!("{:<widest$}", rule.id));
            text.push_str(&format!("  {id}  {}\n", rule.title));
        }
        text
    }

    fn option(&self, member: &Member, option: &OptionSpec) -> String {
        let id = &member.manifest().id;
        let value = member.options.get(&option.name).unwrap_or(&option.default);
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

fn plugin_json(member: &Member) -> Value {
    json!({
        "manifest": serde_json::to_value(member.manifest()).unwrap_or_default(),
        "options": member.options,
        "library_sha256": member.digest,
        "build_id": member.build_id,
    })
}
