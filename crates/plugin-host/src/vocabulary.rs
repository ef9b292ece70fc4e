//! The kinds that the plugins of a ruleset speak of.

use std::collections::BTreeSet;

use alamein_plugin_abi::NONE;

use crate::error::PluginError;
use crate::plugin::NativePlugin;

/// The names of all kinds (of Hindrances, obstacles, marks, TEM groups) of a ruleset's plugins,
/// sorted. A kind's number is its place here, so that it is the same in whatever order the plugins
/// come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    names: Vec<String>,
}

impl Vocabulary {
    /// The vocabulary of these plugins.
    #[must_use]
    pub fn of<'a>(plugins: impl IntoIterator<Item = &'a NativePlugin>) -> Self {
        let kinds = plugins.into_iter().flat_map(NativePlugin::kinds);
        let names: BTreeSet<&String> = kinds.collect();
        Self {
            names: names.into_iter().cloned().collect(),
        }
    }

    /// The same with kinds of which nobody in the ruleset speaks.
    #[must_use]
    pub fn with<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let more = names.into_iter().map(str::to_owned);
        let names: BTreeSet<String> = self.names.drain(..).chain(more).collect();
        Self {
            names: names.into_iter().collect(),
        }
    }

    /// All names, sorted.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of a kind.
    #[must_use]
    pub fn name(&self, kind: u32) -> Option<&str> {
        self.names.get(kind as usize).map(String::as_str)
    }

    /// The number of the kind of that name.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<u32> {
        let at = self
            .names
            .binary_search_by(|known| known.as_str().cmp(name))
            .ok()?;
        u32::try_from(at).ok()
    }
}

/// How one plugin numbers the kinds of a vocabulary.
#[derive(Debug)]
pub(crate) struct KindMap {
    /// The vocabulary's number of each of the plugin's.
    shared: Vec<u32>,
    /// The plugin's number of each of the vocabulary's, or [`NONE`].
    own: Vec<u32>,
}

impl KindMap {
    pub(crate) fn new(plugin: &NativePlugin, vocabulary: &Vocabulary) -> Result<Self, PluginError> {
        let mut own = vec![NONE; vocabulary.names.len()];
        let mut shared = Vec::with_capacity(plugin.kinds().len());
        for (number, kind) in (0..).zip(plugin.kinds()) {
            let known = vocabulary
                .kind(kind)
                .ok_or_else(|| PluginError::UnknownKind {
                    plugin: plugin.id().into(),
                    kind: kind.clone(),
                })?;
            own[known as usize] = number;
            shared.push(known);
        }
        Ok(Self { shared, own })
    }

    /// The vocabulary's number of a kind that the plugin speaks of.
    pub(crate) fn shared(&self, own: u32) -> Option<u32> {
        self.shared.get(own as usize).copied()
    }

    /// The plugin's number of a kind of the vocabulary, or [`NONE`].
    pub(crate) fn own(&self, shared: u32) -> u32 {
        self.own.get(shared as usize).copied().unwrap_or(NONE)
    }

    /// How many kinds the plugin speaks of.
    pub(crate) fn len(&self) -> usize {
        self.shared.len()
    }
}
