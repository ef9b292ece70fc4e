//! Revisions: rulesets that do not change any more.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use alamein_engine::{Ruleset, RulesetConfig};
use alamein_terrain::Digest;
use semver::{Comparator, Op, VersionReq};

use crate::generation::Generation;
use crate::spec::{PluginSpec, RulesetSpec};

/// A ruleset that does not change any more, known by its fingerprint.
#[derive(Debug)]
pub struct Revision {
    ruleset: Arc<Ruleset>,
    generations: Vec<Arc<Generation>>,
    config: RulesetConfig,
    number: u64,
    in_flight: AtomicU64,
    /// Whether it was made again out of a recipe.
    again: bool,
    /// Goes on with every call of any revision.
    clock: Arc<AtomicU64>,
    used: AtomicU64,
}

/// A plugin of a revision that is out of use, and with it the revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionFailure {
    /// The plugin's id.
    pub plugin: String,
    /// What it did.
    pub why: String,
}

impl Revision {
    pub(crate) fn new(
        ruleset: Ruleset,
        generations: Vec<Arc<Generation>>,
        config: RulesetConfig,
        number: u64,
        clock: Arc<AtomicU64>,
    ) -> Self {
        Self {
            ruleset: Arc::new(ruleset),
            generations,
            config,
            number,
            in_flight: AtomicU64::new(0),
            again: false,
            // It was made for somebody.
            used: AtomicU64::new(clock.fetch_add(1, Ordering::Relaxed)),
            clock,
        }
    }

    /// The rules.
    #[must_use]
    pub fn ruleset(&self) -> Arc<Ruleset> {
        Arc::clone(&self.ruleset)
    }

    /// The fingerprint of the rules.
    #[must_use]
    pub fn fingerprint(&self) -> Digest {
        self.ruleset.fingerprint()
    }

    /// Its plugins, by id.
    #[must_use]
    pub fn generations(&self) -> &[Arc<Generation>] {
        &self.generations
    }

    /// What it sets.
    #[must_use]
    pub fn config(&self) -> &RulesetConfig {
        &self.config
    }

    /// Which of all revisions of the registry it is, counted from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Counts a call of it, and of each of its plugins, until what this gives is dropped.
    #[must_use]
    pub fn enter(self: &Arc<Self>) -> InFlight {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        let now = self.clock.fetch_add(1, Ordering::Relaxed);
        self.used.store(now, Ordering::Relaxed);
        self.generations.iter().for_each(|g| g.entered());
        InFlight(Arc::clone(self))
    }

    /// The same, made again out of a recipe.
    pub(crate) fn again(self) -> Self {
        Self {
            again: true,
            ..self
        }
    }

    /// Whether it was made again as it was made before, here or elsewhere: see
    /// [`Registry::remake`](crate::Registry::remake).
    #[must_use]
    pub fn is_made_again(&self) -> bool {
        self.again
    }

    /// When it was last entered, on a clock that goes on with every call.
    pub(crate) fn last_used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// How many calls it is in.
    #[must_use]
    pub fn calls_in_flight(&self) -> u64 {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// The plugin that put it out of use, if one did.
    #[must_use]
    pub fn failure(&self) -> Option<RevisionFailure> {
        let (member, why) = self.ruleset.failure()?;
        let plugin = member.manifest().id.clone();
        Some(RevisionFailure { plugin, why })
    }

    /// A spec of this very revision: each plugin in its exact version and build.
    #[must_use]
    pub fn pinned(&self, name: &str) -> RulesetSpec {
        let plugin = |generation: &Arc<Generation>| {
            let plugin = generation.plugin();
            let options = self.config.options.get(plugin.id());
            let spec = PluginSpec {
                version: exactly(generation.version()),
                sha256: plugin.digest().map(str::to_owned),
                options: options.cloned().unwrap_or_default(),
            };
            (plugin.id().to_owned(), spec)
        };
        let plugins: BTreeMap<_, _> = self.generations.iter().map(plugin).collect();
        RulesetSpec {
            name: name.to_owned(),
            grazing_policy: self.config.policy,
            plugins,
            ..RulesetSpec::default()
        }
    }

    /// Whether it is made of these and sets that.
    pub(crate) fn is_of(&self, generations: &[Arc<Generation>], config: &RulesetConfig) -> bool {
        self.is_made_of(generations) && self.config == *config
    }

    pub(crate) fn is_made_of(&self, generations: &[Arc<Generation>]) -> bool {
        let numbers = |generations: &[Arc<Generation>]| -> Vec<u64> {
            generations.iter().map(|g| g.number()).collect()
        };
        numbers(&self.generations) == numbers(generations)
    }
}

fn exactly(version: &semver::Version) -> VersionReq {
    let comparator = Comparator {
        op: Op::Exact,
        major: version.major,
        minor: Some(version.minor),
        patch: Some(version.patch),
        pre: version.pre.clone(),
    };
    VersionReq {
        comparators: vec![comparator],
    }
}

/// A call of a revision. While it lives, the call is counted.
#[derive(Debug)]
pub struct InFlight(Arc<Revision>);

impl InFlight {
    /// The revision.
    #[must_use]
    pub fn revision(&self) -> &Arc<Revision> {
        &self.0
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
        self.0.generations.iter().for_each(|g| g.left());
    }
}
