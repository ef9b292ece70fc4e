//! Rulesets: which plugins, with which options, under which grazing policy.

use std::collections::BTreeMap;
use std::sync::Arc;

use alamein_plugin_host::{NativePlugin, Vocabulary};
use alamein_terrain::{Canon, Cited, Digest, GrazingPolicy, Manifest, RuleSpec, TerrainFeature};
use serde_json::{Map as JsonMap, Value};

use crate::error::RulesetError;

/// What a ruleset sets, where it differs from what is usual.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RulesetConfig {
    /// The grazing policy.
    pub policy: GrazingPolicy,
    /// For each plugin the options that differ from their defaults.
    pub options: BTreeMap<String, JsonMap<String, Value>>,
}

/// A plugin in a ruleset.
#[derive(Debug)]
pub struct Member {
    /// The feature that speaks for it.
    pub feature: Arc<dyn TerrainFeature>,
    /// Its options, all of them set.
    pub options: Value,
    /// The SHA-256 of its library; nothing if it is linked statically.
    pub digest: Option<String>,
    /// The text that tells its builds apart.
    pub build_id: String,
    rules: Vec<(Cited, Option<RuleSpec>)>,
}

impl Member {
    /// What the plugin says of itself.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        self.feature.manifest()
    }

    /// A rule by the index that sayings use: how to cite it, and what the manifest says of it.
    #[must_use]
    pub fn rule(&self, index: u16) -> Option<(&Cited, Option<&RuleSpec>)> {
        self.rules
            .get(usize::from(index))
            .map(|(cited, spec)| (cited, spec.as_ref()))
    }
}

/// An immutable set of rules.
#[derive(Debug)]
pub struct Ruleset {
    members: Vec<Member>,
    kinds: Vec<Arc<str>>,
    policy: GrazingPolicy,
    fingerprint: Digest,
}

impl Ruleset {
    /// Builds a ruleset. In which order the plugins come means nothing.
    ///
    /// # Errors
    /// Two plugins that clash, options that a schema refuses, a plugin that cannot be made.
    pub fn build(plugins: &[NativePlugin], config: &RulesetConfig) -> Result<Self, RulesetError> {
        let mut plugins: Vec<&NativePlugin> = plugins.iter().collect();
        plugins.sort_by(|a, b| a.id().cmp(b.id()));
        check_plugins(&plugins, config)?;
        let vocabulary = Vocabulary::of(plugins.iter().copied());
        let mut members = Vec::new();
        for (index, plugin) in plugins.iter().enumerate() {
            members.push(member(plugin, index, config, &vocabulary)?);
        }
        let fingerprint = fingerprint(&members, config.policy);
        let kinds = vocabulary
            .names()
            .iter()
            .map(|name| Arc::from(name.as_str()))
            .collect();
        Ok(Self {
            members,
            kinds,
            policy: config.policy,
            fingerprint,
        })
    }

    /// The plugins, by id.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The grazing policy, unless a question says otherwise.
    #[must_use]
    pub fn policy(&self) -> GrazingPolicy {
        self.policy
    }

    /// The fingerprint: a hash of plugin ids, versions, rules revisions, options and policy. How
    /// the plugins were built is no part of it.
    #[must_use]
    pub fn fingerprint(&self) -> Digest {
        self.fingerprint
    }

    /// The plugin that owns a layer.
    #[must_use]
    pub fn owner(&self, layer: &str) -> Option<&Member> {
        self.members
            .iter()
            .find(|member| member.manifest().layer(layer).is_some())
    }

    /// The name of a kind.
    #[must_use]
    pub fn kind(&self, kind: u32) -> Arc<str> {
        self.kinds
            .get(kind as usize)
            .cloned()
            .unwrap_or_else(|| Arc::from("?"))
    }

    /// Every rule that the manifests know, with how to cite it.
    pub fn rules(&self) -> impl Iterator<Item = (&Cited, &RuleSpec)> {
        let rules = self.members.iter().flat_map(|member| &member.rules);
        rules.filter_map(|(cited, spec)| Some((cited, spec.as_ref()?)))
    }
}

fn check_plugins(plugins: &[&NativePlugin], config: &RulesetConfig) -> Result<(), RulesetError> {
    if plugins.is_empty() {
        return Err(RulesetError::Empty);
    }
    if let Some(pair) = plugins.windows(2).find(|pair| pair[0].id() == pair[1].id()) {
        return Err(RulesetError::DuplicatePlugin {
            id: pair[0].id().to_owned(),
        });
    }
    let mut owners = BTreeMap::new();
    for plugin in plugins {
        for layer in &plugin.manifest().layers {
            if let Some(one) = owners.insert(layer.name.as_str(), plugin.id()) {
                let (layer, one) = (layer.name.clone(), one.to_owned());
                let other = plugin.id().to_owned();
                return Err(RulesetError::DuplicateLayer { layer, one, other });
            }
        }
    }
    match config
        .options
        .keys()
        .find(|id| !plugins.iter().any(|plugin| plugin.id() == **id))
    {
        Some(plugin) => Err(RulesetError::UnknownPlugin {
            plugin: plugin.clone(),
        }),
        None => Ok(()),
    }
}

fn member(
    plugin: &NativePlugin,
    index: usize,
    config: &RulesetConfig,
    vocabulary: &Vocabulary,
) -> Result<Member, RulesetError> {
    let manifest = plugin.manifest();
    let set = config.options.get(plugin.id()).cloned().unwrap_or_default();
    let options = manifest.options_with(&set);
    check_options(manifest, &options)?;
    let index = u16::try_from(index).unwrap_or(u16::MAX);
    let feature = plugin.instantiate(options.clone(), vocabulary, index)?;
    let cite = |rule: &String| Cited {
        plugin: Arc::from(plugin.id()),
        rule: Arc::from(rule.as_str()),
    };
    let rules = plugin.rules().iter();
    Ok(Member {
        rules: rules
            .map(|rule| (cite(rule), manifest.rule(rule).cloned()))
            .collect(),
        feature: Arc::new(feature),
        options,
        digest: plugin.digest().map(str::to_owned),
        build_id: plugin.build_id().to_owned(),
    })
}

fn check_options(manifest: &Manifest, options: &Value) -> Result<(), RulesetError> {
    let wrong = |path: String, why: String| {
        Err(RulesetError::Option {
            plugin: manifest.id.clone(),
            path,
            why,
        })
    };
    let validator = match jsonschema::validator_for(&manifest.options) {
        Ok(validator) => validator,
        Err(error) => return wrong(String::new(), format!("the plugin's own schema: {error}")),
    };
    match validator.iter_errors(options).next() {
        None => Ok(()),
        Some(error) => {
            let path = error.instance_path().to_string().replace('/', ".");
            wrong(path, error.to_string())
        }
    }
}

fn fingerprint(members: &[Member], policy: GrazingPolicy) -> Digest {
    let mut canon = Canon::new("alamein/ruleset/1");
    canon
        .int(policy as u32)
        .int(i64::try_from(members.len()).unwrap_or(i64::MAX));
    for member in members {
        let manifest = member.manifest();
        canon
            .text(&manifest.id)
            .text(&manifest.version)
            .int(manifest.rules_revision);
        // Keys of a JSON object are kept sorted, so its text has one form.
        canon.text(&member.options.to_string());
    }
    canon.digest()
}
