//! How a revision is made again that was made elsewhere, or before this process began.

use std::path::Path;
use std::sync::{Arc, PoisonError};

use alamein_engine::{RulesetConfig, RulesetError};
use alamein_plugin_host::{NativePlugin, Package};
use alamein_terrain::{Digest, Manifest};
use semver::Version;

use super::Registry;
use super::coming::note_refused;
use crate::error::{Broken, RegistryError};
use crate::generation::Generation;
use crate::golden;
use crate::revision::Revision;
use crate::snapshot::{Snapshot, Standing, plugins_of};

/// How many builds are remembered that are not fit to be used.
const MOST_UNFIT: usize = 256;

/// All that makes a revision again.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// The fingerprint that it has.
    pub fingerprint: Digest,
    /// Whether builds count in it.
    pub developer: bool,
    /// What it sets.
    pub config: RulesetConfig,
    /// Its plugins, sorted by id.
    pub plugins: Vec<RecipePlugin>,
}

/// A plugin of a revision that is to be made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipePlugin {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: Version,
    /// The builds that will do, as [`Generation::build`] names them; none if any will.
    pub builds: Vec<String>,
}

/// A plugin that came in a package.
#[derive(Clone, Debug)]
pub struct Packed<'a> {
    /// How the package is called in messages.
    pub called: String,
    /// All that the plugin comes in.
    pub package: Package<'a>,
    /// Its own cases, by the names of their files.
    pub cases: Vec<(String, String)>,
}

impl RecipePlugin {
    /// The plugin that it means, of those that are held: one of a build that will do, if there is one.
    fn find(&self, snapshot: &Snapshot) -> Option<Arc<Generation>> {
        let of_version = |generation: &&Arc<Generation>| {
            generation.plugin().id() == self.id && *generation.version() == self.version
        };
        let all = || snapshot.generations.iter().rev().map(|(it, _)| it);
        let will_do = |it: &&Arc<Generation>| self.will_do(it);
        let found = all().filter(of_version).find(will_do);
        found.or_else(|| all().find(of_version)).cloned()
    }

    fn will_do(&self, generation: &Generation) -> bool {
        let build = generation.build();
        self.builds.is_empty() || self.builds.iter().any(|it| it == build)
    }
}

impl Registry {
    /// The plugins without which a revision cannot be made again, and that are not held.
    #[must_use]
    pub fn lacks<'a>(&self, recipe: &'a Recipe) -> Vec<&'a RecipePlugin> {
        let snapshot = self.snapshot();
        let developer = self.settings().developer;
        // A build of the same version that will not do is in the way, but for developers.
        let held = |plugin: &&RecipePlugin| match plugin.find(&snapshot) {
            Some(found) => plugin.will_do(&found) || !developer,
            None => false,
        };
        let plugins = recipe.plugins.iter();
        plugins.filter(|plugin| !held(plugin)).collect()
    }

    /// Makes a revision again, by the very fingerprint that it has. What it lacks may come in packages,
    /// which pass all checks that a folder must: they are taken for revisions that are made again, and for
    /// no spec. A build that is held is not opened again.
    ///
    /// # Errors
    /// A plugin that is not held and did not come, or cannot be used, and a revision that would not be the
    /// same.
    pub fn remake(
        &self,
        recipe: &Recipe,
        packages: Vec<Packed<'_>>,
    ) -> Result<Arc<Revision>, RegistryError> {
        let mut generations = self.lock();
        if let Some(revision) = self.snapshot().revisions.get(&recipe.fingerprint) {
            return Ok(Arc::clone(revision));
        }
        if recipe.developer != self.settings().developer {
            return Err(RegistryError::OtherKind {
                fingerprint: recipe.fingerprint,
                developer: recipe.developer,
            });
        }
        let mut next = Snapshot::clone(&self.snapshot());
        let made = self.remade(&mut next, &mut generations, recipe, &packages);
        // What was opened stays, whatever came of it: it is not opened twice.
        self.store(next);
        made
    }

    fn remade(
        &self,
        next: &mut Snapshot,
        generations: &mut u64,
        recipe: &Recipe,
        packages: &[Packed<'_>],
    ) -> Result<Arc<Revision>, RegistryError> {
        for packed in packages {
            if let Err(error) = self.open(next, generations, packed) {
                let manifest = Manifest::parse(&packed.package.manifest).ok();
                note_refused(next, Path::new(&packed.called), manifest, &error);
                return Err(error);
            }
        }
        let members = recipe.plugins.iter().map(|plugin| member(next, plugin));
        let members: Vec<Arc<Generation>> = members.collect::<Result<_, _>>()?;
        self.check_all(next, &members)?;
        self.made_again(next, recipe, members)
    }

    /// Opens a package, unless its build is held.
    fn open(
        &self,
        next: &mut Snapshot,
        generations: &mut u64,
        packed: &Packed<'_>,
    ) -> Result<(), RegistryError> {
        let manifest = Manifest::parse(&packed.package.manifest);
        let sha256 = manifest.as_ref().ok().and_then(|it| it.artifact.as_ref());
        let sha256 = sha256.map(|artifact| artifact.sha256.clone());
        if let (Ok(manifest), Some(sha256)) = (&manifest, &sha256) {
            let mut held = next.generations.iter();
            if held.any(|(held, _)| held.plugin().digest() == Some(sha256)) {
                return Ok(());
            }
            self.fit(&manifest.id, sha256)?;
            self.admit(next, manifest, Some(sha256))?;
        }
        let folders = self.0.folders.lock();
        let folders = folders.unwrap_or_else(PoisonError::into_inner).clone();
        let held = alamein_plugin_host::libraries_held();
        let called = Path::new(&packed.called);
        let plugin = NativePlugin::of_package(&packed.package, called, &self.0.trust, &folders);
        let plugin = plugin.map_err(|error| {
            // It may have been opened before it was found out.
            if let Some(sha256) = sha256.filter(|_| alamein_plugin_host::libraries_held() > held) {
                self.note_unfit(sha256, &error.to_string());
            }
            RegistryError::from(error)
        })?;
        next.refused.retain(|refused| refused.folder != called);
        *generations += 1;
        let generation = Generation::packed(plugin, *generations, packed.cases.clone());
        next.generations
            .push((Arc::new(generation), Standing::Packed));
        Ok(())
    }

    /// Checks the cases of what came in packages and was not checked so far. What fails is let go of.
    fn check_all(
        &self,
        next: &mut Snapshot,
        members: &[Arc<Generation>],
    ) -> Result<(), RegistryError> {
        let wanted = self.settings().check_cases;
        for generation in members.iter().filter(|it| wanted && it.is_unchecked()) {
            if let Err(error) = golden::check(&self.0.threads, next, generation, members) {
                self.note_unfit(generation.build().to_owned(), &error.to_string());
                let number = generation.number();
                next.generations.retain(|(held, _)| held.number() != number);
                return Err(error);
            }
            generation.note_checked();
        }
        Ok(())
    }

    fn made_again(
        &self,
        next: &mut Snapshot,
        recipe: &Recipe,
        members: Vec<Arc<Generation>>,
    ) -> Result<Arc<Revision>, RegistryError> {
        let (threads, config) = (&self.0.threads, &recipe.config);
        let ruleset = threads.build(plugins_of(&members), config.clone(), recipe.developer);
        let impossible = |error: RulesetError| {
            let called = recipe.fingerprint.to_string();
            RegistryError::Impossible(Broken::of(&called, error))
        };
        let ruleset = ruleset.map_err(impossible)?;
        let (fingerprint, made) = (recipe.fingerprint, ruleset.fingerprint());
        if made != fingerprint {
            return Err(RegistryError::NotTheSame { fingerprint, made });
        }
        next.made += 1;
        let clock = Arc::clone(&next.clock);
        let revision = Revision::new(ruleset, members, config.clone(), next.made, clock);
        Ok(next.put_again(revision.again()))
    }

    /// Whether a build was not found unfit before.
    fn fit(&self, plugin: &str, sha256: &str) -> Result<(), RegistryError> {
        let unfit = self.0.unfit.lock();
        match unfit.unwrap_or_else(PoisonError::into_inner).get(sha256) {
            None => Ok(()),
            Some(why) => Err(RegistryError::Unfit {
                plugin: plugin.to_owned(),
                why: why.clone(),
            }),
        }
    }

    fn note_unfit(&self, sha256: String, why: &str) {
        let unfit = self.0.unfit.lock();
        let mut unfit = unfit.unwrap_or_else(PoisonError::into_inner);
        if unfit.len() >= MOST_UNFIT {
            unfit.pop_first();
        }
        unfit.insert(sha256, why.to_owned());
    }
}

fn member(held: &Snapshot, plugin: &RecipePlugin) -> Result<Arc<Generation>, RegistryError> {
    let version = plugin.version.to_string();
    let found = plugin.find(held).ok_or_else(|| RegistryError::NotHeld {
        plugin: plugin.id.clone(),
        version: version.clone(),
    })?;
    if plugin.will_do(&found) {
        return Ok(found);
    }
    Err(RegistryError::BuildsDiffer {
        plugin: plugin.id.clone(),
        version,
        known: found.build().to_owned(),
        given: plugin.builds.join(" or "),
    })
}
