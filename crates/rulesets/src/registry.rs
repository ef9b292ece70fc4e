//! The registry: plugins and rulesets, and how they change.

mod again;
mod coming;

pub use again::{Packed, Recipe, RecipePlugin};
pub use coming::{Loaded, Stayed};

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alamein_engine::{Conflict, Threads};
use alamein_plugin_host::Trust;
use alamein_terrain::Digest;
use arc_swap::ArcSwap;

use crate::error::{Broken, RegistryError};
use crate::listing::Listing;
use crate::revision::Revision;
use crate::snapshot::{Maker, Named, Snapshot};
use crate::spec::{RulesetSpec, name_trouble};

/// How a registry is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many libraries this process may hold. None is ever unloaded.
    pub most_libraries: u64,
    /// How many revisions are kept. Of more, that goes which no name or tag means, that is in no call, and
    /// that was least lately in one.
    pub most_revisions: usize,
    /// How many tags are kept. Each keeps a revision.
    pub most_tags: usize,
    /// Several builds of one version are allowed, and builds count in every fingerprint.
    pub developer: bool,
    /// A plugin's own cases are checked before it is taken in.
    pub check_cases: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            most_libraries: 256,
            most_revisions: 1024,
            most_tags: 1000,
            developer: false,
            check_cases: true,
        }
    }
}

/// Plugins, rulesets and their revisions. Clones share them.
///
/// Reading takes no lock. Changes are made one after the other, each wholly or not at all.
#[derive(Clone, Debug)]
pub struct Registry(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    threads: Threads,
    settings: Settings,
    trust: Trust,
    now: ArcSwap<Snapshot>,
    /// Held by who makes a change; how many generations there were.
    writer: Mutex<u64>,
    /// The folders of plugins that were loaded.
    folders: Mutex<Vec<PathBuf>>,
    /// The builds that came in packages, were opened, and are not fit to be used: why. They are not opened
    /// again.
    unfit: Mutex<BTreeMap<String, String>>,
}

/// What came of a spec.
#[derive(Clone, Debug)]
pub struct Created {
    /// The revision.
    pub revision: Arc<Revision>,
    /// It was there already.
    pub known: bool,
    /// The revision that the name meant before, if it meant one.
    pub before: Option<Digest>,
}

/// Whether a tag may be moved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moving {
    No,
    FromAny,
    From(Digest),
}

impl Registry {
    /// A registry that holds nothing yet. On the threads, rulesets are built and cases checked: every
    /// call of a plugin is watched but those of the system when it opens a library.
    #[must_use]
    pub fn new(threads: Threads, settings: Settings) -> Self {
        Self::trusting(threads, settings, Trust::default())
    }

    /// The same, of plugins that are trusted.
    #[must_use]
    pub fn trusting(threads: Threads, settings: Settings, trust: Trust) -> Self {
        Self(Arc::new(Shared {
            threads,
            settings,
            trust,
            now: ArcSwap::default(),
            writer: Mutex::new(0),
            folders: Mutex::default(),
            unfit: Mutex::default(),
        }))
    }

    /// The threads that it was made with.
    #[must_use]
    pub fn threads(&self) -> &Threads {
        &self.0.threads
    }

    /// How it is kept.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.0.settings
    }

    /// What it holds now.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.0.now.load_full()
    }

    /// The revision that is meant now: see [`Snapshot::resolve`].
    ///
    /// # Errors
    /// Where there is none, what to ask for instead.
    pub fn resolve(&self, asked: &str) -> Result<Arc<Revision>, RegistryError> {
        self.0.now.load().resolve(asked)
    }

    /// What it holds, for people to look at.
    #[must_use]
    pub fn list(&self) -> Listing {
        Listing::of(&self.snapshot(), self.0.settings.most_libraries)
    }

    /// All that keeps a spec from becoming a revision now.
    #[must_use]
    pub fn conflicts(&self, spec: &RulesetSpec) -> Vec<Conflict> {
        self.snapshot().conflicts(spec)
    }

    /// A spec of the newest of every plugin that new revisions are made of, in any version.
    #[must_use]
    pub fn spec_of_all(&self, name: &str) -> RulesetSpec {
        let snapshot = self.snapshot();
        let ids = snapshot
            .plugins()
            .map(|generation| generation.plugin().id());
        RulesetSpec::of(name, ids.map(|id| (id, semver::VersionReq::STAR)))
    }

    /// Makes a revision of a spec and lets the spec's name mean it, or only says what would come of
    /// it. A revision that a plugin put out of use is made anew, with instances that are fit.
    ///
    /// # Errors
    /// A name that cannot be one or is a tag, and all conflicts.
    pub fn create(
        &self,
        spec: &RulesetSpec,
        validate_only: bool,
    ) -> Result<Created, RegistryError> {
        self.create_tagged(spec, &[], validate_only)
    }

    /// The same, and gives the revision tags: all of it or nothing.
    ///
    /// # Errors
    /// As [`create`](Self::create) and [`tag`](Self::tag).
    pub fn create_tagged(
        &self,
        spec: &RulesetSpec,
        tags: &[String],
        validate_only: bool,
    ) -> Result<Created, RegistryError> {
        let _writer = self.lock();
        let mut next = Snapshot::clone(&self.snapshot());
        check_name(&spec.name)?;
        if next.tags.contains_key(&spec.name) {
            let (name, is) = (spec.name.clone(), "tag");
            return Err(RegistryError::NameTaken { name, is });
        }
        let made = next.made;
        let revision = next.revise(spec, self.maker(), true);
        let revision = revision.map_err(RegistryError::Impossible)?;
        let named = Named {
            spec: Arc::new(spec.clone()),
            fingerprint: revision.fingerprint(),
        };
        let before = next.names.insert(spec.name.clone(), named);
        let created = Created {
            known: next.made == made,
            before: before.map(|named| named.fingerprint),
            revision,
        };
        for tag in tags {
            self.give_tag(&mut next, tag, created.revision.fingerprint(), Moving::No)?;
        }
        if !validate_only {
            next.retire_superseded();
            self.store(next);
        }
        Ok(created)
    }

    /// Makes a revision of a spec that no name comes to mean, or only says what would come of it. A revision
    /// that a plugin put out of use is made anew. It is let go of when others are more in use.
    ///
    /// # Errors
    /// All conflicts.
    pub fn make(&self, spec: &RulesetSpec, validate_only: bool) -> Result<Created, RegistryError> {
        let _writer = self.lock();
        let mut next = Snapshot::clone(&self.snapshot());
        check_name(&spec.name)?;
        let made = next.made;
        let revision = next.revise(spec, self.maker(), true);
        let revision = revision.map_err(RegistryError::Impossible)?;
        let known = next.made == made;
        if !validate_only {
            self.store(next);
        }
        Ok(Created {
            revision,
            known,
            before: None,
        })
    }

    /// Gives a revision a tag that means another one, which must be this: who moves a tag knows from
    /// where, even if others move it too.
    ///
    /// # Errors
    /// As [`tag`](Self::tag); and a tag that does not mean `from`, or nothing.
    pub fn move_tag(
        &self,
        tag: &str,
        fingerprint: Digest,
        from: Digest,
    ) -> Result<(), RegistryError> {
        self.change_tag(tag, fingerprint, Moving::From(from))
            .map(drop)
    }

    /// Gives a revision a tag. A tag that means another revision is moved only if that is asked for.
    /// Gives the revision that it meant before.
    ///
    /// # Errors
    /// A tag that cannot be one, is the name of a ruleset or means another revision; a revision that
    /// is not held.
    pub fn tag(
        &self,
        tag: &str,
        fingerprint: Digest,
        move_it: bool,
    ) -> Result<Option<Digest>, RegistryError> {
        let moving = if move_it { Moving::FromAny } else { Moving::No };
        self.change_tag(tag, fingerprint, moving)
    }

    fn change_tag(
        &self,
        tag: &str,
        fingerprint: Digest,
        moving: Moving,
    ) -> Result<Option<Digest>, RegistryError> {
        let _writer = self.lock();
        let mut next = Snapshot::clone(&self.snapshot());
        let before = self.give_tag(&mut next, tag, fingerprint, moving)?;
        self.store(next);
        Ok(before)
    }

    fn give_tag(
        &self,
        next: &mut Snapshot,
        tag: &str,
        fingerprint: Digest,
        moving: Moving,
    ) -> Result<Option<Digest>, RegistryError> {
        check_name(tag)?;
        if next.names.contains_key(tag) || tag == crate::snapshot::DEFAULT {
            let (name, is) = (tag.to_owned(), "ruleset");
            return Err(RegistryError::NameTaken { name, is });
        }
        next.resolve(&fingerprint.to_string())?;
        let (now, name) = (next.tags.get(tag).copied(), tag.to_owned());
        match (now, moving) {
            (now, Moving::From(from)) if now != Some(from) => {
                return Err(RegistryError::TagElsewhere {
                    tag: name,
                    now,
                    from,
                });
            }
            (Some(from), Moving::No) if from != fingerprint => {
                let (tag, to) = (name, fingerprint);
                return Err(RegistryError::TagMoves { tag, from, to });
            }
            _ => {}
        }
        let most = self.0.settings.most_tags;
        if now.is_none() && next.tags.len() >= most {
            return Err(RegistryError::TooManyTags { tag: name, most });
        }
        next.tags.insert(name, fingerprint);
        Ok(now)
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.0.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn maker(&self) -> Maker<'_> {
        Maker {
            threads: &self.0.threads,
            builds: self.0.settings.developer,
        }
    }

    fn store(&self, mut next: Snapshot) {
        next.note_changes(&self.snapshot());
        next.keep_at_most(self.0.settings.most_revisions);
        self.0.now.store(Arc::new(next));
    }

    /// Lets names follow, and puts a snapshot in force. Says which names moved.
    fn settle(
        &self,
        mut next: Snapshot,
        plugin: &str,
    ) -> Result<Vec<(String, Digest, Digest)>, RegistryError> {
        let before = self.snapshot();
        next.follow(self.maker()).map_err(|broken: Vec<Broken>| {
            let plugin = format!("plugin {plugin}");
            RegistryError::WouldBreak { plugin, broken }
        })?;
        next.retire_superseded();
        let moved = next.names.iter().filter_map(|(name, named)| {
            let was = before.names.get(name)?.fingerprint;
            let is = named.fingerprint;
            (was != is).then(|| (name.clone(), was, is))
        });
        let moved = moved.collect();
        self.store(next);
        Ok(moved)
    }
}

fn check_name(name: &str) -> Result<(), RegistryError> {
    match name_trouble(name) {
        None => Ok(()),
        Some(why) => Err(RegistryError::BadName {
            name: name.to_owned(),
            why,
        }),
    }
}
