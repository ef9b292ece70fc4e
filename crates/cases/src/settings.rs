//! Under which rules a case was ruled on.

use std::collections::BTreeMap;

use alamein_terrain::{GrazingPolicy, Manifest};
use serde_json::{Map, Value, json};

use crate::node::{Node, Wrong};
use crate::question::POLICIES;

/// What a ruleset sets that differs from what is usual. A case file that was written says it, so
/// that it is replayed under the same rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The grazing policy.
    pub policy: GrazingPolicy,
    /// For each plugin the options that differ from their defaults.
    pub options: BTreeMap<String, Map<String, Value>>,
}

impl Settings {
    /// What differs in these plugins, each with its options.
    pub fn differing<'a>(
        policy: GrazingPolicy,
        plugins: impl IntoIterator<Item = (&'a Manifest, &'a Value)>,
    ) -> Self {
        let mut options = BTreeMap::new();
        for (manifest, set) in plugins {
            let Some(set) = set.as_object() else { continue };
            let defaults = manifest.options_with(&Map::new());
            let differs = |(name, value): &(&String, &Value)| defaults.get(name) != Some(value);
            let differing: Map<String, Value> = set
                .iter()
                .filter(differs)
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            if !differing.is_empty() {
                options.insert(manifest.id.clone(), differing);
            }
        }
        Self { policy, options }
    }

    /// Whether there is nothing that differs.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The settings that a file's `alamein` object gives.
    pub(crate) fn read(node: &Node<'_>) -> Result<Self, Wrong> {
        let mut settings = Self::default();
        if let Some(policy) = node.get("policy") {
            settings.policy = policy.word(&POLICIES)?;
        }
        if let Some(options) = node.get("options") {
            for (plugin, options) in options.fields()? {
                let options = options.object()?.clone();
                settings.options.insert(plugin.to_owned(), options);
            }
        }
        Ok(settings)
    }

    /// What of it a file needs to say.
    pub(crate) fn to_say(&self) -> Vec<(&'static str, Value)> {
        let mut say = Vec::new();
        if self.policy != GrazingPolicy::default() {
            say.push(("policy", json!(self.policy.name())));
        }
        if !self.options.is_empty() {
            say.push(("options", json!(self.options)));
        }
        say
    }
}
