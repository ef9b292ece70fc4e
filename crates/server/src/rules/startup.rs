//! What a server starts with: folders of plugins, and rulesets made of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use alamein_engine::{EngineConfig, RulesetChoice, RulesetError, Threads};
use alamein_rulesets::{Generation, PluginSpec, Registry, RegistryError, RulesetSpec, Settings};

use super::refused::{Entries, Refused, is_wanted, plugin_of};
use super::{DEFAULT, Rules};

/// Where a server's rules come from.
#[derive(Clone, Debug, Default)]
pub struct RulesSource {
    /// The folder of plugins that make the ruleset `default`.
    pub folder: PathBuf,
    /// Which of them, with which options.
    pub choice: RulesetChoice,
    /// Further folders of plugins, of which rulesets may be made.
    pub more_folders: Vec<PathBuf>,
    /// Rulesets of files. One called `default` takes the place of that of the folder.
    pub rulesets: Vec<RulesetSpec>,
    /// How plugins and revisions are kept.
    pub settings: Settings,
    /// How the threads work that judge by them.
    pub engine: EngineConfig,
}

impl RulesSource {
    /// All folders of plugins.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        let first = std::iter::once(&self.folder);
        first.chain(&self.more_folders).cloned().collect()
    }
}

impl Rules {
    /// Loads all plugins and makes the rulesets. It takes a while, and the thread it is called on.
    pub fn load(&self, source: &RulesSource) {
        let threads = match Threads::with(source.engine.clone()) {
            Ok(threads) => threads,
            Err(error) => {
                tracing::error!("no threads to judge on: {error}");
                self.refuse(DEFAULT, Refused::nothing(error.to_string(), None));
                return;
            }
        };
        let registry = Registry::trusting(threads, source.settings, source.choice.trust.clone());
        let registry = self.0.registry.get_or_init(|| registry);
        let entries = load_folder(registry, &source.folder);
        let is_default = |spec: &RulesetSpec| spec.name == DEFAULT;
        if !source.rulesets.iter().any(is_default) {
            let usual = Usual {
                source: source.clone(),
                entries,
            };
            self.make(registry, DEFAULT, usual.spec());
            let _ = self.0.usual.set(Mutex::new(usual));
        }
        for folder in &source.more_folders {
            load_folder(registry, folder);
        }
        for spec in &source.rulesets {
            self.make(registry, &spec.name, Ok(spec.clone()));
        }
        // There is but one who loads.
        let _ = self.0.loaded.set(());
        self.note_change();
    }

    /// Tries again to make the rulesets that could not be made: a plugin has come in, and names may have
    /// followed.
    pub(crate) fn try_again(&self) {
        let Ok(registry) = self.registry() else {
            return;
        };
        for (name, spec) in self.lacking() {
            if registry.conflicts(&spec).is_empty() {
                self.make(registry, &name, Ok(spec));
            }
        }
        // Where a plugin of its folder was refused, it is not even known of what it was to be made.
        let unknown = |refused: Arc<Refused>| refused.spec.is_none();
        if self.refused(DEFAULT).is_some_and(unknown)
            && let Some(usual) = self.0.usual.get()
        {
            let mut usual = usual.lock().unwrap_or_else(PoisonError::into_inner);
            usual.take_in(registry);
            self.make(registry, DEFAULT, usual.spec());
        }
        self.note_change();
    }

    fn make(&self, registry: &Registry, name: &str, spec: Result<RulesetSpec, Refused>) {
        let made = spec.and_then(|spec| {
            let created = registry.create(&spec, false);
            created.map_err(|error| Refused::impossible(spec, &error))
        });
        match made {
            Ok(created) => {
                let fingerprint = created.revision.fingerprint();
                tracing::info!(ruleset = name, %fingerprint, "rules in force");
                self.cleared(name);
            }
            Err(refused) => self.refuse(name, refused),
        }
    }
}

fn load_folder(registry: &Registry, folder: &Path) -> Entries {
    let entries = registry.load_folder(folder);
    for (path, outcome) in &entries {
        match outcome {
            Ok(generation) => {
                let plugin = generation.plugin();
                let (id, version) = (plugin.id(), plugin.version());
                let digest = plugin.digest().unwrap_or_default();
                let number = generation.number();
                let trust = plugin.trust();
                tracing::info!(
                    id,
                    version,
                    digest,
                    trust,
                    generation = number,
                    "plugin loaded"
                );
            }
            Err(error) => {
                let path = path.display();
                tracing::error!(%path, reason = error.reason(), "plugin refused: {error}");
            }
        }
    }
    entries
}

/// Of what the usual ruleset is made.
#[derive(Debug)]
pub(super) struct Usual {
    source: RulesSource,
    /// What came of the folder.
    entries: Entries,
}

impl Usual {
    fn spec(&self) -> Result<RulesetSpec, Refused> {
        usual(&self.source, &self.entries)
    }

    /// Takes in what has come since: plugins that were refused, or that lie in the folder by now.
    fn take_in(&mut self, registry: &Registry) {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let (home, snapshot) = (real(&self.source.folder), registry.snapshot());
        for generation in snapshot.plugins() {
            let id = generation.plugin().id();
            let there = |outcome: &Result<Arc<Generation>, _>| match outcome {
                Ok(there) => there.plugin().id() == id,
                Err(_) => false,
            };
            if self.entries.iter().any(|(_, outcome)| there(outcome)) {
                continue;
            }
            let folder = generation.folder().map(real);
            let is_home = folder.as_deref().and_then(Path::parent) == Some(&home);
            let named = self.source.choice.plugins.iter().any(|plugin| plugin == id);
            let was_refused = |(path, outcome): &mut (PathBuf, Result<_, RegistryError>)| {
                let Err(error) = outcome else { return false };
                let of_folder = *path == self.source.folder && is_home;
                let here = folder.as_ref() == Some(&real(path));
                here || of_folder || plugin_of(path, error, &home).as_deref() == Some(id)
            };
            let gone = self.entries.extract_if(.., was_refused).count();
            if gone > 0 || is_home || named {
                let folder = folder.unwrap_or_default();
                self.entries.push((folder, Ok(Arc::clone(generation))));
            }
        }
    }
}

/// The ruleset of a folder's plugins.
///
/// One that is refused makes it impossible, unless others are named and not it: rulings are never
/// given with the part of a plugin silently left out.
fn usual(source: &RulesSource, entries: &Entries) -> Result<RulesetSpec, Refused> {
    let RulesetChoice {
        plugins, config, ..
    } = &source.choice;
    let wanted = |id: &str| plugins.is_empty() || plugins.iter().any(|plugin| plugin == id);
    let mut there: Vec<&Arc<Generation>> = Vec::new();
    for (path, outcome) in entries {
        match outcome {
            Ok(generation) => there.push(generation),
            Err(error) if is_wanted(path, error, &source.folder, wanted) => {
                return Err(Refused::plugin(path, error, &source.folder));
            }
            Err(_) => {}
        }
    }
    if let Some((one, other)) = twins(entries) {
        let id = one.1.plugin().id().to_owned();
        let [one, other] = [one.0, other.0].map(|path| path.display());
        let why = format!("plugin {id} is there twice, in {one} and in {other}: leave one out");
        return Err(Refused::nothing(why, Some(id)));
    }
    let id = |generation: &&Arc<Generation>| generation.plugin().id().to_owned();
    let ids: Vec<String> = there.iter().map(id).collect();
    let folder = source.folder.display().to_string();
    if let Some(missing) = plugins.iter().find(|plugin| !ids.contains(plugin)) {
        let error = RulesetError::NotThere {
            plugin: missing.clone(),
            folder,
            there: ids.join(", "),
        };
        return Err(Refused::nothing(error.to_string(), Some(missing.clone())));
    }
    if ids.is_empty() {
        let error = RulesetError::NoPlugins { folder };
        return Err(Refused::nothing(error.to_string(), None));
    }
    let mut spec = RulesetSpec {
        name: DEFAULT.to_owned(),
        grazing_policy: config.policy,
        ..RulesetSpec::default()
    };
    for id in ids.into_iter().filter(|id| wanted(id)) {
        spec.plugins.insert(id, PluginSpec::default());
    }
    // Options for a plugin that is not there are told as a conflict.
    for (id, options) in &config.options {
        let plugin = spec.plugins.entry(id.clone()).or_default();
        plugin.options = options.clone();
    }
    Ok(spec)
}

type Entry<'a> = (&'a Path, &'a Arc<Generation>);

/// Two folders that hold plugins of one id. Which of them is meant is not for a server to choose.
fn twins(entries: &Entries) -> Option<(Entry<'_>, Entry<'_>)> {
    let mut seen: BTreeMap<&str, Entry<'_>> = BTreeMap::new();
    for (path, outcome) in entries {
        let Ok(generation) = outcome else { continue };
        let entry = (path.as_path(), generation);
        if let Some(first) = seen.insert(generation.plugin().id(), entry) {
            return Some((first, entry));
        }
    }
    None
}
