//! What a registry holds at one moment.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use alamein_engine::{Conflict, Ruleset, RulesetError, Threads, nearest};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::Digest;

use crate::error::{Broken, RegistryError};
use crate::generation::Generation;
use crate::listing::Refused;
use crate::revision::Revision;
use crate::spec::RulesetSpec;

/// The name of the ruleset that is meant where none is named.
pub(crate) const DEFAULT: &str = "default";

/// Whether a plugin is taken for new revisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// Not any more.
    Retired,
    /// Only for the revisions that it came in for, in a package.
    Packed,
    /// Only where a spec pins it: another took its place.
    Superseded,
    /// Yes.
    Current,
}

impl Standing {
    /// Whether specs may take it.
    pub(crate) fn is_taken(self) -> bool {
        matches!(self, Self::Superseded | Self::Current)
    }
}

/// How revisions are made.
#[derive(Clone, Copy)]
pub(crate) struct Maker<'a> {
    pub(crate) threads: &'a Threads,
    /// Builds count in fingerprints.
    pub(crate) builds: bool,
}

/// A ruleset that has a name.
#[derive(Clone, Debug)]
pub struct Named {
    /// What its file says.
    pub spec: Arc<RulesetSpec>,
    /// The fingerprint of its newest revision.
    pub fingerprint: Digest,
}

/// What a registry holds at one moment. It never changes.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub(crate) generations: Vec<(Arc<Generation>, Standing)>,
    pub(crate) refused: Vec<Arc<Refused>>,
    pub(crate) names: BTreeMap<String, Named>,
    pub(crate) tags: BTreeMap<String, Digest>,
    pub(crate) revisions: BTreeMap<Digest, Arc<Revision>>,
    /// What a name ever meant here, and which of these it is.
    pub(crate) named: BTreeMap<Digest, u64>,
    /// How many revisions were ever made.
    pub(crate) made: u64,
    /// Goes on with every change of the plugins that specs may take.
    pub(crate) epoch: u64,
    /// Goes on with every call of a revision.
    pub(crate) clock: Arc<AtomicU64>,
}

impl Snapshot {
    /// The revision that is meant: by a name, a tag or a fingerprint; by nothing, the one called
    /// `default`.
    ///
    /// # Errors
    /// Where there is none, what to ask for instead.
    pub fn resolve(&self, asked: &str) -> Result<Arc<Revision>, RegistryError> {
        let name = if asked.is_empty() { DEFAULT } else { asked };
        let named = self.names.get(name).map(|named| named.fingerprint);
        let tagged = || self.tags.get(name).copied();
        let fingerprint = named.or_else(tagged).or_else(|| name.parse().ok());
        let revision = fingerprint.and_then(|fingerprint| self.revisions.get(&fingerprint));
        revision
            .cloned()
            .ok_or_else(|| RegistryError::UnknownRuleset {
                asked: name.to_owned(),
                advice: self.advice(name),
            })
    }

    fn advice(&self, asked: &str) -> String {
        if asked.parse::<Digest>().is_ok() {
            return "no revision of that fingerprint is held here: create it again, and tag it, so \
                    that it stays"
                .into();
        }
        let names = || {
            self.names
                .keys()
                .chain(self.tags.keys())
                .map(String::as_str)
        };
        match nearest(asked, names()) {
            Some(other) => format!("did you mean {other:?}?"),
            None if names().next().is_none() => "there are none yet: create one".into(),
            None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
        }
    }

    /// The rulesets that have names.
    #[must_use]
    pub fn names(&self) -> &BTreeMap<String, Named> {
        &self.names
    }

    /// The tags, and which revision each means.
    #[must_use]
    pub fn tags(&self) -> &BTreeMap<String, Digest> {
        &self.tags
    }

    /// The revisions, by fingerprint.
    #[must_use]
    pub fn revisions(&self) -> &BTreeMap<Digest, Arc<Revision>> {
        &self.revisions
    }

    /// Whether a name means this revision here, or did.
    #[must_use]
    pub fn was_named(&self, fingerprint: Digest) -> bool {
        self.named.contains_key(&fingerprint)
    }

    /// Which of all revisions that a name means here, or did, it is, counted from 1. Those that were made and
    /// never named do not count.
    #[must_use]
    pub fn named_number(&self, fingerprint: Digest) -> Option<u64> {
        self.named.get(&fingerprint).copied()
    }

    /// A number that goes on with every change of the plugins that new revisions are made of.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The plugins that a spec would be made of now, if it could be.
    #[must_use]
    pub fn choice(&self, spec: &RulesetSpec) -> Option<Vec<Arc<Generation>>> {
        let (chosen, conflicts) = self.choose(spec);
        conflicts.is_empty().then_some(chosen)
    }

    /// The plugins that new revisions are made of, in the order in which they were loaded.
    pub fn plugins(&self) -> impl Iterator<Item = &Arc<Generation>> {
        let taken = self
            .generations
            .iter()
            .filter(|(_, standing)| standing.is_taken());
        taken.map(|(generation, _)| generation)
    }

    /// All that keeps a spec from becoming a revision.
    #[must_use]
    pub fn conflicts(&self, spec: &RulesetSpec) -> Vec<Conflict> {
        self.choose(spec).1
    }

    /// The plugins that a spec asks for, and all conflicts.
    fn choose(&self, spec: &RulesetSpec) -> (Vec<Arc<Generation>>, Vec<Conflict>) {
        let mut chosen = Vec::new();
        let mut missing = Vec::new();
        for (id, wanted) in &spec.plugins {
            let fits = |(generation, standing): &&(Arc<Generation>, Standing)| {
                let plugin = generation.plugin();
                let sha256 = wanted.sha256.as_deref();
                standing.is_taken()
                    && plugin.id() == id
                    && wanted.version.matches(generation.version())
                    && sha256.is_none_or(|sha256| plugin.digest() == Some(sha256))
            };
            let fitting = self.generations.iter().filter(fits);
            let best = fitting.max_by_key(|(g, standing)| (*standing, g.version(), g.number()));
            match best {
                Some((generation, _)) => chosen.push(Arc::clone(generation)),
                None => missing.push(self.missing(id, &wanted.wanted())),
            }
        }
        let lacks = |plugin: &String| {
            let lacks = |conflict: &Conflict| matches!(conflict, Conflict::MissingPlugin { plugin: id, .. } if id == plugin);
            missing.iter().any(lacks)
        };
        let mut config = spec.config();
        config.options.retain(|plugin, _| !lacks(plugin));
        // What follows from a plugin's not being there is not told twice.
        let follows = |conflict: &Conflict| match conflict {
            Conflict::MissingDependency { needs, .. } => lacks(needs),
            _ => false,
        };
        let mut conflicts = Ruleset::conflicts(&plugins_of(&chosen), &config);
        conflicts.retain(|conflict| !follows(conflict));
        let conflicts = [missing.clone(), conflicts].concat();
        (chosen, conflicts)
    }

    fn missing(&self, id: &str, wanted: &str) -> Conflict {
        let ids = || self.plugins().map(|generation| generation.plugin().id());
        let of_id = self
            .plugins()
            .filter(|generation| generation.plugin().id() == id);
        Conflict::MissingPlugin {
            plugin: id.to_owned(),
            wanted: wanted.to_owned(),
            there: of_id
                .map(|generation| generation.version().to_string())
                .collect(),
            did_you_mean: if ids().any(|known| known == id) {
                None
            } else {
                nearest(id, ids()).map(str::to_owned)
            },
        }
    }

    /// The revision of a spec: one that is there already, unless it must be `fit` and is out of use;
    /// or a new one.
    pub(crate) fn revise(
        &mut self,
        spec: &RulesetSpec,
        maker: Maker<'_>,
        fit: bool,
    ) -> Result<Arc<Revision>, Broken> {
        let (chosen, conflicts) = self.choose(spec);
        if !conflicts.is_empty() {
            return Err(Broken::of(&spec.name, RulesetError::Conflicts(conflicts)));
        }
        let config = spec.config();
        let will_do = |revision: &&Arc<Revision>| !fit || revision.failure().is_none();
        let same =
            |revision: &&Arc<Revision>| revision.is_of(&chosen, &config) && will_do(revision);
        if let Some(revision) = self.revisions.values().find(same) {
            return Ok(Arc::clone(revision));
        }
        let ruleset = maker
            .threads
            .build(plugins_of(&chosen), config.clone(), maker.builds);
        let ruleset = ruleset.map_err(|error| Broken::of(&spec.name, error))?;
        let fingerprint = ruleset.fingerprint();
        // An option that is set to its default makes no other revision.
        let same = |revision: &&Arc<Revision>| revision.is_made_of(&chosen) && will_do(revision);
        if let Some(revision) = self.revisions.get(&fingerprint).filter(same) {
            return Ok(Arc::clone(revision));
        }
        self.made += 1;
        let clock = Arc::clone(&self.clock);
        let revision = Arc::new(Revision::new(ruleset, chosen, config, self.made, clock));
        self.revisions.insert(fingerprint, Arc::clone(&revision));
        Ok(revision)
    }

    /// Lets every name follow its spec.
    pub(crate) fn follow(&mut self, maker: Maker<'_>) -> Result<(), Vec<Broken>> {
        let mut broken = Vec::new();
        for (name, named) in self.names.clone() {
            match self.revise(&named.spec, maker, false) {
                Ok(revision) => {
                    let fingerprint = revision.fingerprint();
                    self.names.insert(
                        name,
                        Named {
                            fingerprint,
                            ..named
                        },
                    );
                }
                Err(it) => broken.push(it),
            }
        }
        if broken.is_empty() {
            Ok(())
        } else {
            Err(broken)
        }
    }

    /// Retires what was superseded and no name has any more.
    pub(crate) fn retire_superseded(&mut self) {
        let named: Vec<Arc<Revision>> = self
            .names
            .values()
            .filter_map(|named| self.revisions.get(&named.fingerprint).cloned())
            .collect();
        for (generation, standing) in &mut self.generations {
            let has = |revision: &Arc<Revision>| {
                let mut its = revision.generations().iter();
                its.any(|its| its.number() == generation.number())
            };
            if *standing == Standing::Superseded && !named.iter().any(has) {
                *standing = Standing::Retired;
            }
        }
    }

    /// Puts a revision in that was made again.
    pub(crate) fn put_again(&mut self, revision: Revision) -> Arc<Revision> {
        let revision = Arc::new(revision);
        let fingerprint = revision.fingerprint();
        self.revisions.insert(fingerprint, Arc::clone(&revision));
        revision
    }

    /// Notes what changed since then.
    pub(crate) fn note_changes(&mut self, before: &Self) {
        let names = self.names.values().map(|named| named.fingerprint);
        let new = names.filter(|it| !self.named.contains_key(it));
        let mut new: Vec<Digest> = new.collect();
        // In the order in which they were made.
        new.sort_by_key(|it| (self.revisions.get(it).map(|it| it.number()), *it));
        new.dedup();
        for fingerprint in new {
            let number = self.named.len() as u64 + 1;
            self.named.insert(fingerprint, number);
        }
        let taken = |snapshot: &Self| -> Vec<(u64, Standing)> {
            let all = snapshot.generations.iter();
            let taken = all.filter(|(_, standing)| standing.is_taken());
            taken
                .map(|(it, standing)| (it.number(), *standing))
                .collect()
        };
        if taken(self) != taken(before) {
            self.epoch += 1;
        }
    }

    /// Lets go of the revisions that nothing names and that were least lately in use, while there are more
    /// than that.
    pub(crate) fn keep_at_most(&mut self, most: usize) {
        let over = self.revisions.len().saturating_sub(most);
        if over == 0 {
            return;
        }
        let names = self.names.values().map(|named| named.fingerprint);
        let kept: BTreeSet<Digest> = names.chain(self.tags.values().copied()).collect();
        let free = self.revisions.values().filter(|revision| {
            !kept.contains(&revision.fingerprint()) && revision.calls_in_flight() == 0
        });
        let mut free: Vec<(u64, u64, Digest)> = free
            .map(|revision| {
                (
                    revision.last_used(),
                    revision.number(),
                    revision.fingerprint(),
                )
            })
            .collect();
        free.sort_unstable();
        for (_, _, fingerprint) in free.into_iter().take(over) {
            tracing::info!(%fingerprint, "a revision that nothing names is let go");
            self.revisions.remove(&fingerprint);
        }
    }
}

pub(crate) fn plugins_of(generations: &[Arc<Generation>]) -> Vec<NativePlugin> {
    generations.iter().map(|g| g.plugin().clone()).collect()
}
