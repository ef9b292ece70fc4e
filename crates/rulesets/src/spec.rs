//! What a ruleset file says.

mod text;

use std::collections::BTreeMap;

use alamein_engine::RulesetConfig;
use alamein_terrain::GrazingPolicy;
use semver::VersionReq;
use serde_json::{Map as JsonMap, Value};

/// What a ruleset file says: which plugins, with which options, under which grazing policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RulesetSpec {
    /// The ruleset's name: lower-case letters, digits and hyphens.
    pub name: String,
    /// A few words for people.
    pub title: String,
    /// A few sentences for people.
    pub description: String,
    /// The grazing policy.
    pub grazing_policy: GrazingPolicy,
    /// The plugins, by id.
    pub plugins: BTreeMap<String, PluginSpec>,
}

/// What a ruleset file says of a plugin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PluginSpec {
    /// The versions that will do, as Cargo has them; of those that are loaded the highest is taken.
    /// `=0.1.0` is that version and no other.
    pub version: VersionReq,
    /// The SHA-256 of the build that is to be taken, in 64 lower-case hexadecimal digits.
    pub sha256: Option<String>,
    /// The options that differ from their defaults.
    pub options: JsonMap<String, Value>,
}

impl PluginSpec {
    /// What it wants, in words.
    pub(crate) fn wanted(&self) -> String {
        match &self.sha256 {
            None => format!("version {}", self.version),
            Some(sha256) if self.version == VersionReq::STAR => format!("build {sha256}"),
            Some(sha256) => format!("version {}, build {sha256}", self.version),
        }
    }
}

impl RulesetSpec {
    /// A spec of these plugins with their default options.
    pub fn of<'a>(name: &str, plugins: impl IntoIterator<Item = (&'a str, VersionReq)>) -> Self {
        let plugin = |(id, version): (&str, VersionReq)| {
            let spec = PluginSpec {
                version,
                ..PluginSpec::default()
            };
            (id.to_owned(), spec)
        };
        Self {
            name: name.to_owned(),
            plugins: plugins.into_iter().map(plugin).collect(),
            ..Self::default()
        }
    }

    /// What it sets.
    #[must_use]
    pub fn config(&self) -> RulesetConfig {
        let set = self
            .plugins
            .iter()
            .filter(|(_, spec)| !spec.options.is_empty());
        RulesetConfig {
            policy: self.grazing_policy,
            options: set
                .map(|(id, spec)| (id.clone(), spec.options.clone()))
                .collect(),
        }
    }
}

/// What is wrong with a name for a ruleset, or a tag, if anything is.
#[must_use]
pub fn name_trouble(name: &str) -> Option<&'static str> {
    const LONGEST: usize = 63;
    let fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(fit) {
        Some("use lower-case letters, digits and hyphens, a letter first")
    } else if name.len() > LONGEST {
        Some("use at most 63 letters")
    } else {
        None
    }
}
