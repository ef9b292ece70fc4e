//! What the manifests say, as far as this command shows it.

use std::collections::BTreeMap;

use alamein_cases::Known;
use alamein_terrain::{Cited, Manifest};

/// What the manifests of the plugins say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// What case files need.
    pub(crate) known: Known,
    /// How each layer looks.
    pub(crate) looks: BTreeMap<String, String>,
    titles: BTreeMap<(String, String), String>,
}

impl Facts {
    pub(crate) fn of<'a>(manifests: impl Iterator<Item = &'a Manifest> + Clone) -> Self {
        let mut facts = Self {
            known: Known::of(manifests.clone()),
            looks: BTreeMap::new(),
            titles: BTreeMap::new(),
        };
        for manifest in manifests {
            for layer in &manifest.layers {
                facts.looks.insert(layer.name.clone(), layer.look.clone());
            }
            for rule in &manifest.rules {
                let key = (manifest.id.clone(), rule.id.clone());
                facts.titles.insert(key, rule.title.clone());
            }
        }
        facts
    }

    /// A rule with its plugin and its title.
    pub(crate) fn cite(&self, by: &Cited) -> String {
        let key = (by.plugin.to_string(), by.rule.to_string());
        match self.titles.get(&key).filter(|title| !title.is_empty()) {
            Some(title) => format!("{} ({}): {title}", by.number(), by.plugin),
            None => format!("{} ({})", by.number(), by.plugin),
        }
    }
}
