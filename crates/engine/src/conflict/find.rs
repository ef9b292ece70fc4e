//! Looking for conflicts, in what manifests say.

use std::collections::BTreeMap;

use alamein_terrain::{Manifest, Replacements, With};
use serde_json::Value;

use super::{Conflict, nearest, replacing};
use crate::ruleset::RulesetConfig;

/// A plugin that is to be in a ruleset, as far as its manifest tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) manifest: &'a Manifest,
    /// Its rules, in the order by which its sayings name them.
    pub(crate) rules: &'a [String],
}

/// All that keeps these plugins from making a ruleset, sorted, and what replaces what. In which
/// order the plugins come means nothing.
pub(crate) fn find(
    plugins: &[Candidate<'_>],
    config: &RulesetConfig,
) -> (Vec<Conflict>, Replacements) {
    let (mut conflicts, replacements) = replacing::read(plugins);
    twice(plugins, &mut conflicts);
    layers(plugins, &mut conflicts);
    dependencies(plugins, &mut conflicts);
    options(plugins, config, &mut conflicts);
    conflicts.sort();
    conflicts.dedup();
    (conflicts, replacements)
}

fn twice(plugins: &[Candidate<'_>], conflicts: &mut Vec<Conflict>) {
    let mut by_id: BTreeMap<&str, Vec<&Manifest>> = BTreeMap::new();
    for plugin in plugins {
        let id = plugin.manifest.id.as_str();
        by_id.entry(id).or_default().push(plugin.manifest);
    }
    for (id, mut manifests) in by_id.into_iter().filter(|(_, them)| them.len() > 1) {
        manifests.sort_by_key(|manifest| manifest.semver());
        conflicts.push(Conflict::PluginTwice {
            plugin: id.to_owned(),
            versions: manifests.iter().map(|m| m.version.clone()).collect(),
        });
    }
}

fn layers(plugins: &[Candidate<'_>], conflicts: &mut Vec<Conflict>) {
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for plugin in plugins {
        for layer in &plugin.manifest.layers {
            let owners = owners.entry(&layer.name).or_default();
            owners.push(&plugin.manifest.id);
        }
    }
    for (layer, mut owners) in owners {
        owners.sort_unstable();
        // The same plugin twice is told as that.
        owners.dedup();
        for pair in owners.windows(2) {
            conflicts.push(Conflict::LayerTwice {
                layer: layer.to_owned(),
                one: pair[0].to_owned(),
                other: pair[1].to_owned(),
            });
        }
    }
}

fn dependencies(plugins: &[Candidate<'_>], conflicts: &mut Vec<Conflict>) {
    for plugin in plugins.iter().map(|plugin| plugin.manifest) {
        for (needs, requirement) in &plugin.requires {
            let mut there = plugins.iter().map(|plugin| plugin.manifest);
            let (needs, requirement) = (needs.clone(), requirement.clone());
            let (id, text) = (plugin.id.clone(), requirement.to_string());
            match there.find(|other| other.id == needs) {
                None => conflicts.push(Conflict::MissingDependency {
                    plugin: id,
                    needs,
                    requirement: text,
                }),
                Some(other) if !requirement.matches(&other.semver()) => {
                    conflicts.push(Conflict::WrongVersion {
                        plugin: id,
                        needs,
                        requirement: text,
                        found: other.version.clone(),
                    });
                }
                Some(_) => {}
            }
        }
    }
}

fn options(plugins: &[Candidate<'_>], config: &RulesetConfig, conflicts: &mut Vec<Conflict>) {
    let ids = || plugins.iter().map(|plugin| plugin.manifest.id.as_str());
    for id in config.options.keys() {
        if !ids().any(|known| known == id) {
            conflicts.push(Conflict::OptionOfNoPlugin {
                plugin: id.clone(),
                did_you_mean: nearest(id, ids()).map(str::to_owned),
            });
        }
    }
    for plugin in plugins.iter().map(|plugin| plugin.manifest) {
        let set = config.options.get(&plugin.id).cloned().unwrap_or_default();
        let options = plugin.options_with(&set);
        check_options(plugin, &options, conflicts);
        check_numbers(plugin, &options, conflicts);
    }
}

fn check_options(manifest: &Manifest, options: &Value, conflicts: &mut Vec<Conflict>) {
    let mut wrong = |path: String, why: String| {
        conflicts.push(Conflict::Option {
            plugin: manifest.id.clone(),
            path,
            why,
        });
    };
    match jsonschema::validator_for(&manifest.options) {
        Err(error) => wrong(String::new(), format!("the plugin's own schema: {error}")),
        Ok(validator) => {
            for error in validator.iter_errors(options) {
                let path = error.instance_path().to_string().replace('/', ".");
                wrong(path, error.to_string());
            }
        }
    }
}

/// An option whose value a rule says in place of another's number must be such a number.
fn check_numbers(manifest: &Manifest, options: &Value, conflicts: &mut Vec<Conflict>) {
    for rule in &manifest.rules {
        let Some(with) = &rule.with else { continue };
        let number = with.number(options);
        if number.is_none_or(|number| !With::RANGE.contains(&number)) {
            let (rule, most) = (&rule.id, With::RANGE.end());
            conflicts.push(Conflict::Option {
                plugin: manifest.id.clone(),
                path: with.option().map(|it| format!(".{it}")).unwrap_or_default(),
                why: format!(
                    "rule {rule} takes its number from here: give a whole number from -{most} to {most}"
                ),
            });
        }
    }
}
