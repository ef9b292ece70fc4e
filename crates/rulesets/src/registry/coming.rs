//! How plugins come into a registry, and how they retire.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use alamein_plugin_host::{NativePlugin, libraries_held, load_folder_with, read_manifest};
use alamein_terrain::{Digest, Manifest};

use super::Registry;
use crate::error::RegistryError;
use crate::generation::{Generation, PluginRef};
use crate::golden;
use crate::listing::Refused;
use crate::snapshot::{Snapshot, Standing};

/// How many plugins that were refused are remembered.
const MOST_REFUSED: usize = 64;

/// What came of loading a plugin.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The plugin.
    pub generation: Arc<Generation>,
    /// It was there already, and nothing was loaded.
    pub known: bool,
    /// The names that follow: each with the revision that it meant, and the one that it means now.
    pub moved: Vec<(String, Digest, Digest)>,
    /// Where it came instead of others: the names that stay with one of those.
    pub stayed: Vec<Stayed>,
}

/// A ruleset that a plugin does not get into, since its spec wants another.
#[derive(Clone, Debug)]
pub struct Stayed {
    /// Its name.
    pub ruleset: String,
    /// The plugin that it goes on with.
    pub with: Arc<Generation>,
    /// What its spec wants, in words.
    pub wanted: String,
}

/// What a plugin does that comes in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coming {
    Beside,
    Instead,
}

impl Registry {
    /// Loads the plugin of a folder, and lets every name follow whose spec it fits. What is loaded
    /// already stays: of several versions a spec takes the highest that fits.
    ///
    /// A plugin whose build is loaded already is not loaded again; if it was retired, it is taken
    /// for new revisions again.
    ///
    /// # Errors
    /// A plugin that cannot be used, whose own cases fail, or that makes a ruleset that has a name
    /// impossible.
    pub fn load(&self, folder: &Path) -> Result<Loaded, RegistryError> {
        let mut generations = self.lock();
        let manifest = self.read(folder)?;
        if let Some(known) = self.known(&manifest) {
            let mut next = Snapshot::clone(&self.snapshot());
            for (generation, standing) in &mut next.generations {
                if generation.number() == known.number() {
                    *standing = Standing::Current;
                }
            }
            let moved = self.settle(next, known.plugin().id())?;
            return Ok(Loaded {
                generation: known,
                known: true,
                moved,
                stayed: Vec::new(),
            });
        }
        self.bring_in(&mut generations, folder, &manifest, Coming::Beside)
    }

    /// Loads the plugin of a folder instead of all that are loaded of this id, and lets every name
    /// follow that can. A spec that pins a version or build which the new one is not keeps the old
    /// one; an old one that no name needs is retired. It always loads anew, so that a plugin which
    /// failed can be replaced by itself.
    ///
    /// # Errors
    /// As [`load`](Self::load); and where the folder holds another plugin, or none of this id is
    /// loaded.
    pub fn replace(&self, id: &str, folder: &Path) -> Result<Loaded, RegistryError> {
        let mut generations = self.lock();
        let asked = PluginRef::of(id);
        if !self
            .snapshot()
            .plugins()
            .any(|generation| asked.means(generation))
        {
            return Err(self.unknown_plugin(&asked));
        }
        let manifest = self.read(folder)?;
        if manifest.id != id {
            let (asked, found) = (id.to_owned(), manifest.id.clone());
            return Err(RegistryError::OtherPlugin { asked, found });
        }
        self.bring_in(&mut generations, folder, &manifest, Coming::Instead)
    }

    /// Loads every plugin of a folder of plugins. What cannot be used does not keep others out.
    pub fn load_folder(
        &self,
        folder: &Path,
    ) -> Vec<(PathBuf, Result<Arc<Generation>, RegistryError>)> {
        let mut generations = self.lock();
        self.note_folder(folder);
        let before = self.snapshot();
        let mut next = Snapshot::clone(&before);
        let mut came = Vec::new();
        for entry in load_folder_with(folder, &self.0.trust).entries {
            let taken = entry
                .outcome
                .map_err(RegistryError::from)
                .and_then(|plugin| {
                    self.admit(&next, plugin.manifest(), plugin.digest())?;
                    Ok(self.take(&mut next, &mut generations, plugin, Some(&entry.folder)))
                });
            came.push((entry.folder, taken));
        }
        // Their cases may need each other: they are checked when all are there.
        let all = next.clone();
        for (_, taken) in &mut came {
            let checked = match taken {
                Ok(generation) => self.check(&all, generation),
                Err(_) => continue,
            };
            if let (Err(error), Ok(generation)) = (checked, &*taken) {
                let number = generation.number();
                next.generations.retain(|(held, _)| held.number() != number);
                *taken = Err(error);
            }
        }
        if let Err(broken) = next.follow(self.maker()) {
            // The rulesets that there are go before: the folder's plugins stay out.
            next = Snapshot::clone(&before);
            for (_, taken) in &mut came {
                if let Ok(generation) = taken {
                    *taken = Err(RegistryError::WouldBreak {
                        plugin: format!("plugin {}", generation.plugin().id()),
                        broken: broken.clone(),
                    });
                }
            }
        }
        for (path, taken) in &came {
            if let Err(error) = taken {
                note_refused(&mut next, path, read_manifest(path).ok(), error);
            }
        }
        self.store(next);
        came
    }

    /// Takes in a plugin that is part of this program, or was loaded by it.
    ///
    /// # Errors
    /// Another build of its version, or a ruleset that has a name and becomes impossible.
    pub fn adopt(&self, plugin: NativePlugin) -> Result<Loaded, RegistryError> {
        let mut generations = self.lock();
        let mut next = Snapshot::clone(&self.snapshot());
        let build = plugin.digest().unwrap_or_else(|| plugin.build_id());
        self.admit_build(&next, plugin.manifest(), build)?;
        let id = plugin.id().to_owned();
        let generation = self.take(&mut next, &mut generations, plugin, None);
        let moved = self.settle(next, &id)?;
        Ok(Loaded {
            generation,
            known: false,
            moved,
            stayed: Vec::new(),
        })
    }

    /// Takes plugins for new revisions no more. Revisions that have them go on.
    ///
    /// # Errors
    /// Where no such plugin is taken, or where a ruleset that has a name needs one.
    pub fn retire(&self, plugin: &PluginRef) -> Result<Vec<Arc<Generation>>, RegistryError> {
        let _writer = self.lock();
        let mut next = Snapshot::clone(&self.snapshot());
        let mut retired = Vec::new();
        for (generation, standing) in &mut next.generations {
            if standing.is_taken() && plugin.means(generation) {
                *standing = Standing::Retired;
                retired.push(Arc::clone(generation));
            }
        }
        if retired.is_empty() {
            return Err(self.unknown_plugin(plugin));
        }
        self.settle(next, &plugin.to_string())?;
        Ok(retired)
    }

    /// Reads the manifest of a folder.
    fn read(&self, folder: &Path) -> Result<Manifest, RegistryError> {
        read_manifest(folder).map_err(|error| self.refuse(folder, None, error.into()))
    }

    /// Notes that the plugin of a folder was not taken in.
    fn refuse(
        &self,
        folder: &Path,
        manifest: Option<Manifest>,
        error: RegistryError,
    ) -> RegistryError {
        let mut next = Snapshot::clone(&self.snapshot());
        note_refused(&mut next, folder, manifest, &error);
        self.store(next);
        error
    }

    /// The plugin of this build, if it is there and well.
    fn known(&self, manifest: &Manifest) -> Option<Arc<Generation>> {
        let sha256 = manifest.artifact.as_ref()?.sha256.as_str();
        let snapshot = self.snapshot();
        let mut generations = snapshot
            .generations
            .iter()
            .rev()
            .map(|(generation, _)| generation);
        let known = generations.find(|generation| {
            let plugin = generation.plugin();
            (plugin.id(), plugin.version()) == (&manifest.id, &manifest.version)
                && plugin.digest() == Some(sha256)
        })?;
        let failed = snapshot.revisions.values().any(|revision| {
            let mut its = revision.generations().iter();
            its.any(|its| its.number() == known.number())
                && revision
                    .failure()
                    .is_some_and(|failure| failure.plugin == manifest.id)
        });
        (!failed).then(|| Arc::clone(known))
    }

    /// Whether a plugin may be loaded at all.
    pub(super) fn admit(
        &self,
        snapshot: &Snapshot,
        manifest: &Manifest,
        sha256: Option<&str>,
    ) -> Result<(), RegistryError> {
        self.admit_build(snapshot, manifest, sha256.unwrap_or_default())?;
        let (held, most) = (libraries_held(), self.0.settings.most_libraries);
        if held >= most {
            let plugin = manifest.id.clone();
            return Err(RegistryError::TooManyGenerations { plugin, held, most });
        }
        Ok(())
    }

    fn admit_build(
        &self,
        snapshot: &Snapshot,
        manifest: &Manifest,
        build: &str,
    ) -> Result<(), RegistryError> {
        if self.0.settings.developer {
            return Ok(());
        }
        let mut generations = snapshot
            .generations
            .iter()
            .map(|(generation, _)| generation);
        let other = generations.find(|generation| {
            let plugin = generation.plugin();
            (plugin.id(), plugin.version()) == (&manifest.id, &manifest.version)
                && generation.build() != build
        });
        match other {
            None => Ok(()),
            Some(known) => Err(RegistryError::BuildsDiffer {
                plugin: manifest.id.clone(),
                version: manifest.version.clone(),
                known: known.build().to_owned(),
                given: build.to_owned(),
            }),
        }
    }

    fn take(
        &self,
        next: &mut Snapshot,
        generations: &mut u64,
        plugin: NativePlugin,
        folder: Option<&Path>,
    ) -> Arc<Generation> {
        *generations += 1;
        let folder = folder.map(Path::to_path_buf);
        let id = plugin.id().to_owned();
        let generation = Arc::new(Generation::new(plugin, *generations, folder.clone()));
        next.generations
            .push((Arc::clone(&generation), Standing::Current));
        // What was refused before is there now.
        next.refused.retain(|refused| {
            let same = refused
                .manifest
                .as_ref()
                .is_some_and(|manifest| manifest.id == id);
            !same && Some(&refused.folder) != folder.as_ref()
        });
        generation
    }

    /// Loads a plugin and puts it in force.
    fn bring_in(
        &self,
        generations: &mut u64,
        folder: &Path,
        manifest: &Manifest,
        coming: Coming,
    ) -> Result<Loaded, RegistryError> {
        let brought = self.try_to_bring_in(generations, folder, manifest, coming);
        brought.map_err(|error| self.refuse(folder, Some(manifest.clone()), error))
    }

    fn try_to_bring_in(
        &self,
        generations: &mut u64,
        folder: &Path,
        manifest: &Manifest,
        coming: Coming,
    ) -> Result<Loaded, RegistryError> {
        let mut next = Snapshot::clone(&self.snapshot());
        let sha256 = manifest
            .artifact
            .as_ref()
            .map(|artifact| artifact.sha256.as_str());
        self.admit(&next, manifest, sha256)?;
        let plugin = NativePlugin::load_with(folder, &self.0.trust)?;
        // The folder may have changed since.
        if plugin.id() != manifest.id {
            let (asked, found) = (manifest.id.clone(), plugin.id().to_owned());
            return Err(RegistryError::OtherPlugin { asked, found });
        }
        self.admit_build(
            &next,
            plugin.manifest(),
            plugin.digest().unwrap_or_default(),
        )?;
        if coming == Coming::Instead {
            let asked = PluginRef::of(&manifest.id);
            for (generation, standing) in &mut next.generations {
                if asked.means(generation) && *standing == Standing::Current {
                    *standing = Standing::Superseded;
                }
            }
        }
        let generation = self.take(&mut next, generations, plugin, Some(folder));
        self.check(&next, &generation)?;
        let moved = self.settle(next, generation.plugin().id())?;
        let stayed = match coming {
            Coming::Beside => Vec::new(),
            Coming::Instead => self.snapshot().stayed(&generation),
        };
        Ok(Loaded {
            generation,
            known: false,
            moved,
            stayed,
        })
    }

    /// Its lock file, if it has one, holds for what comes in packages.
    fn note_folder(&self, folder: &Path) {
        let folders = self.0.folders.lock();
        let mut folders = folders.unwrap_or_else(PoisonError::into_inner);
        if !folders.iter().any(|known| known == folder) {
            folders.push(folder.to_path_buf());
        }
    }

    /// Checks a plugin's own cases.
    fn check(
        &self,
        snapshot: &Snapshot,
        generation: &Arc<Generation>,
    ) -> Result<(), RegistryError> {
        if !self.0.settings.check_cases {
            return Ok(());
        }
        golden::check(&self.0.threads, snapshot, generation, &[])
    }

    fn unknown_plugin(&self, asked: &PluginRef) -> RegistryError {
        let snapshot = self.snapshot();
        let there = snapshot.plugins().map(|generation| {
            let plugin = generation.plugin();
            format!("{} {}", plugin.id(), plugin.version())
        });
        let there: Vec<String> = there.collect();
        RegistryError::UnknownPlugin {
            asked: asked.to_string(),
            there: if there.is_empty() {
                "none".into()
            } else {
                there.join(", ")
            },
        }
    }
}

impl Snapshot {
    /// The names whose revisions have another plugin of this one's id.
    fn stayed(&self, new: &Generation) -> Vec<Stayed> {
        let id = new.plugin().id();
        let stayed = self.names.iter().filter_map(|(name, named)| {
            let wanted = named.spec.plugins.get(id)?.wanted();
            let mut its = self.revisions.get(&named.fingerprint)?.generations().iter();
            let with = its.find(|it| it.plugin().id() == id && it.number() != new.number())?;
            Some(Stayed {
                ruleset: name.clone(),
                with: Arc::clone(with),
                wanted,
            })
        });
        stayed.collect()
    }
}

pub(super) fn note_refused(
    snapshot: &mut Snapshot,
    folder: &Path,
    manifest: Option<Manifest>,
    error: &RegistryError,
) {
    snapshot.refused.retain(|refused| refused.folder != folder);
    if snapshot.refused.len() >= MOST_REFUSED {
        snapshot.refused.remove(0);
    }
    snapshot.refused.push(Arc::new(Refused {
        folder: folder.to_path_buf(),
        manifest,
        reason: error.reason(),
        why: error.to_string(),
    }));
}
