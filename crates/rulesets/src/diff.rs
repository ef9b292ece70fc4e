//! What differs between two rulesets.

use std::collections::{BTreeMap, BTreeSet};

use alamein_engine::{Member, Ruleset};
use alamein_terrain::{Cited, GrazingPolicy, RuleSpec};
use serde_json::Value;

/// What differs between two rulesets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// The plugins that differ, by id.
    pub plugins: Vec<PluginChange>,
    /// The options of plugins of both that differ, by plugin and option.
    pub options: Vec<OptionChange>,
    /// The rules that differ, by plugin and rule.
    pub rules: Vec<RuleChange>,
    /// The rules that are replaced by others than before, or in one only.
    pub replacements: Vec<ReplacementChange>,
    /// The grazing policies, if they differ.
    pub grazing_policy: Option<(GrazingPolicy, GrazingPolicy)>,
}

/// A plugin that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginChange {
    /// Its id.
    pub plugin: String,
    /// Its version and build in the first; nothing if it is in the second only.
    pub before: Option<(String, String)>,
    /// Its version and build in the second; nothing if it is in the first only.
    pub after: Option<(String, String)>,
}

/// An option that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionChange {
    /// The plugin's id.
    pub plugin: String,
    /// The option.
    pub option: String,
    /// Its value in the first; nothing if the plugin has no such option there.
    pub before: Option<Value>,
    /// Its value in the second, likewise.
    pub after: Option<Value>,
}

/// A rule that differs: in whether it is there, or in what its manifest says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleChange {
    /// The rule.
    pub rule: Cited,
    /// What the first says of it.
    pub before: Option<RuleSpec>,
    /// What the second says of it.
    pub after: Option<RuleSpec>,
}

/// A rule that is replaced by another than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacementChange {
    /// The rule that is replaced.
    pub replaced: Cited,
    /// By which in the first.
    pub before: Option<Cited>,
    /// By which in the second.
    pub after: Option<Cited>,
}

impl Diff {
    /// What differs between two rulesets.
    #[must_use]
    pub fn between(before: &Ruleset, after: &Ruleset) -> Self {
        let plugins = |ruleset: &Ruleset| -> BTreeMap<String, (String, String)> {
            let build = |member: &Member| {
                let build = member.digest.as_ref().unwrap_or(&member.build_id);
                (member.manifest().version.clone(), build.clone())
            };
            let members = ruleset.members().iter();
            members
                .map(|member| (member.manifest().id.clone(), build(member)))
                .collect()
        };
        let rules = |ruleset: &Ruleset| -> BTreeMap<Cited, RuleSpec> {
            ruleset
                .rules()
                .map(|(cited, spec)| (cited.clone(), spec.clone()))
                .collect()
        };
        let replaced = |ruleset: &Ruleset| -> BTreeMap<Cited, Cited> {
            ruleset
                .replaced()
                .map(|(rule, by)| (rule.clone(), by.clone()))
                .collect()
        };
        let plugins = changes(plugins(before), plugins(after));
        let rules = changes(rules(before), rules(after));
        let replacements = changes(replaced(before), replaced(after));
        let policies = (before.policy(), after.policy());
        Self {
            plugins: plugins
                .map(|(plugin, before, after)| PluginChange {
                    plugin,
                    before,
                    after,
                })
                .collect(),
            options: options(before, after),
            rules: rules
                .map(|(rule, before, after)| RuleChange {
                    rule,
                    before,
                    after,
                })
                .collect(),
            replacements: replacements
                .map(|(replaced, before, after)| ReplacementChange {
                    replaced,
                    before,
                    after,
                })
                .collect(),
            grazing_policy: (policies.0 != policies.1).then_some(policies),
        }
    }

    /// Whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn options(before: &Ruleset, after: &Ruleset) -> Vec<OptionChange> {
    let set = |member: &Member| -> BTreeMap<String, Value> {
        let options = member.options.as_object().cloned().unwrap_or_default();
        options.into_iter().collect()
    };
    let mut found = Vec::new();
    for one in before.members() {
        let plugin = &one.manifest().id;
        let other = after
            .members()
            .iter()
            .find(|member| member.manifest().id == *plugin);
        let Some(other) = other else { continue };
        let changed = changes(set(one), set(other));
        found.extend(changed.map(|(option, before, after)| OptionChange {
            plugin: plugin.clone(),
            option,
            before,
            after,
        }));
    }
    found
}

/// The keys whose values differ, with both.
fn changes<K: Ord + Clone, V: PartialEq + Clone>(
    before: BTreeMap<K, V>,
    after: BTreeMap<K, V>,
) -> impl Iterator<Item = (K, Option<V>, Option<V>)> {
    let keys: BTreeSet<K> = before.keys().chain(after.keys()).cloned().collect();
    keys.into_iter().filter_map(move |key| {
        let (one, other) = (before.get(&key).cloned(), after.get(&key).cloned());
        (one != other).then_some((key, one, other))
    })
}
