//! Rulesets: which plugins, with which options, under which grazing policy.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use alamein_plugin_host::{NativePlugin, Vocabulary};
use alamein_terrain::{
    Canon, Cited, Digest, GrazingPolicy, Manifest, Name, Replacements, RuleSpec, TerrainFeature,
    With,
};
use serde_json::{Map as JsonMap, Value};

use crate::conflict::{Candidate, Conflict, find};
use crate::error::RulesetError;
use crate::message::Message;
use crate::restating::Restating;

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
    /// Why it was let in: see [`NativePlugin::trust`].
    pub trust: String,
    rules: Vec<(Cited, Option<RuleSpec>)>,
    /// The messages of the rules; nothing where the manifest has no such rule.
    messages: Vec<Option<Message>>,
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

    /// The message of a rule by the index that sayings use.
    pub(crate) fn message(&self, index: u16) -> Option<&Message> {
        self.messages.get(usize::from(index))?.as_ref()
    }

    /// The rules that replace others with a number, by the index that sayings use.
    pub(crate) fn replaces_with(&self) -> impl Iterator<Item = (u16, &With)> {
        let rules = (0..).zip(&self.rules);
        rules.filter_map(|(rule, (_, spec))| Some((rule, spec.as_ref()?.with.as_ref()?)))
    }
}

/// An immutable set of rules.
#[derive(Debug)]
pub struct Ruleset {
    members: Vec<Member>,
    kinds: Vec<Name>,
    policy: GrazingPolicy,
    fingerprint: Digest,
    replacements: Arc<Replacements>,
    restating: Restating,
    number: u64,
}

/// How many rulesets this process has built.
static BUILT: AtomicU64 = AtomicU64::new(0);

impl Ruleset {
    /// Builds a ruleset. In which order the plugins come means nothing.
    ///
    /// # Errors
    /// All conflicts, or else a plugin that cannot be made.
    pub fn build(plugins: &[NativePlugin], config: &RulesetConfig) -> Result<Self, RulesetError> {
        Self::build_so(plugins, config, false)
    }

    /// Builds a ruleset in whose fingerprint the plugins' builds count too, for developers: there
    /// may be several builds of one version, and no fingerprint means two of them.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_of_builds(
        plugins: &[NativePlugin],
        config: &RulesetConfig,
    ) -> Result<Self, RulesetError> {
        Self::build_so(plugins, config, true)
    }

    /// All that keeps these plugins from making a ruleset, sorted; nothing of them is called.
    #[must_use]
    pub fn conflicts(plugins: &[NativePlugin], config: &RulesetConfig) -> Vec<Conflict> {
        let candidates: Vec<Candidate<'_>> = plugins.iter().map(candidate).collect();
        find(&candidates, config).0
    }

    fn build_so(
        plugins: &[NativePlugin],
        config: &RulesetConfig,
        builds: bool,
    ) -> Result<Self, RulesetError> {
        let mut plugins: Vec<&NativePlugin> = plugins.iter().collect();
        plugins.sort_by(|a, b| a.id().cmp(b.id()));
        if plugins.is_empty() {
            return Err(RulesetError::Empty);
        }
        let candidates: Vec<Candidate<'_>> = plugins.iter().copied().map(candidate).collect();
        let (conflicts, replacements) = find(&candidates, config);
        if !conflicts.is_empty() {
            return Err(RulesetError::Conflicts(conflicts));
        }
        let vocabulary = Vocabulary::of(plugins.iter().copied());
        let mut members = Vec::new();
        for (index, plugin) in plugins.iter().enumerate() {
            members.push(member(plugin, index, config, &vocabulary)?);
        }
        let fingerprint = fingerprint(&members, config.policy, builds);
        let kinds = vocabulary.names().iter().map(Name::new).collect();
        Ok(Self {
            kinds,
            policy: config.policy,
            fingerprint,
            replacements: Arc::new(replacements),
            restating: Restating::of(&members),
            members,
            number: BUILT.fetch_add(1, Ordering::Relaxed),
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
    /// the plugins were built is no part of it, unless it was [made so](Self::build_of_builds).
    #[must_use]
    pub fn fingerprint(&self) -> Digest {
        self.fingerprint
    }

    /// Which of all rulesets that this process built it is. Two of one fingerprint are made of
    /// instances of their own.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Which rules are replaced, each by the one rule that does so.
    pub(crate) fn replacements(&self) -> &Arc<Replacements> {
        &self.replacements
    }

    /// The rules that replace others with a number.
    pub(crate) fn restating(&self) -> &Restating {
        &self.restating
    }

    /// Every rule that is replaced, and by which, in the order of the plugins.
    pub fn replaced(&self) -> impl Iterator<Item = (&Cited, &Cited)> {
        let cited = |(feature, rule): (u16, u16)| {
            let member = self.members.get(usize::from(feature))?;
            Some(member.rule(rule)?.0)
        };
        let pairs = self.replacements.iter();
        pairs.filter_map(move |(replaced, by)| Some((cited(replaced)?, cited(by)?)))
    }

    /// The plugin that is out of use in it, and why; there is none while all is well.
    #[must_use]
    pub fn failure(&self) -> Option<(&Member, String)> {
        let mut members = self.members.iter();
        members.find_map(|member| Some((member, member.feature.failure()?)))
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
    pub fn kind(&self, kind: u32) -> Name {
        self.kinds
            .get(kind as usize)
            .cloned()
            .unwrap_or_else(|| Name::new_static("?"))
    }

    /// Every rule that the manifests know, with how to cite it.
    pub fn rules(&self) -> impl Iterator<Item = (&Cited, &RuleSpec)> {
        let rules = self.members.iter().flat_map(|member| &member.rules);
        rules.filter_map(|(cited, spec)| Some((cited, spec.as_ref()?)))
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
    let index = u16::try_from(index).unwrap_or(u16::MAX);
    let feature = plugin.instantiate(options.clone(), vocabulary, index)?;
    let cite = |rule: &String| Cited {
        plugin: Name::new(plugin.id()),
        rule: Name::new(rule),
    };
    let rules = plugin.rules().iter();
    let rules: Vec<(Cited, Option<RuleSpec>)> = rules
        .map(|rule| (cite(rule), manifest.rule(rule).cloned()))
        .collect();
    let message =
        |(_, spec): &(Cited, Option<RuleSpec>)| Some(Message::new(&spec.as_ref()?.message));
    Ok(Member {
        messages: rules.iter().map(message).collect(),
        rules,
        feature: Arc::new(feature),
        options,
        digest: plugin.digest().map(str::to_owned),
        build_id: plugin.build_id().to_owned(),
        trust: plugin.trust().to_owned(),
    })
}

fn candidate(plugin: &NativePlugin) -> Candidate<'_> {
    Candidate {
        manifest: plugin.manifest(),
        rules: plugin.rules(),
    }
}

fn fingerprint(members: &[Member], policy: GrazingPolicy, builds: bool) -> Digest {
    // Of another domain, so that what counts in one is never taken for what counts in the other.
    let mut canon = Canon::new(if builds {
        "alamein/ruleset-of-builds/1"
    } else {
        "alamein/ruleset/1"
    });
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
        if builds {
            canon.text(member.digest.as_deref().unwrap_or(&member.build_id));
        }
    }
    canon.digest()
}
