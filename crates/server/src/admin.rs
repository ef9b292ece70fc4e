//! The plugin administration service, and the listener of its own on which it is served.

mod config;
mod folders;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;

use alamein_proto::v1::plugin_admin_service_server::PluginAdminService;
use alamein_proto::v1::{self, ErrorReason, PluginBuildState};
use alamein_rulesets::{Loaded, PluginRef, PluginState, PluginStatus, Registry, Stayed};
use alamein_terrain::Digest;
use tonic::{Request, Response, Status};

pub use config::AdminConfig;
pub(crate) use folders::Folders;
pub(crate) use watch::watch;

use crate::audit::Deed;
use crate::fault::Fault;
use crate::maps::aside;
use crate::rules::{Doing, Rules, of_registry};
use crate::service::{missing, page_after};

/// Answers the plugin administration service. Clones share everything.
#[derive(Clone, Debug)]
pub(crate) struct Admin {
    rules: Rules,
    folders: Arc<Folders>,
}

impl Admin {
    /// Administers the plugins of these rules, which come from these folders and no others.
    pub(crate) fn new(rules: Rules, folders: Vec<PathBuf>) -> Self {
        Self {
            rules,
            folders: Arc::new(Folders(folders)),
        }
    }

    fn load(&self, path: &str) -> Result<v1::LoadPluginResponse, Fault> {
        let registry = self.rules.registry()?;
        let folder = self.folders.find(path)?;
        let loaded = registry.load(&folder).map_err(|error| refused(&error))?;
        tell(&loaded, "loaded");
        self.rules.try_again();
        Ok(v1::LoadPluginResponse {
            plugin: build_of(registry, loaded.generation.number()),
            known: loaded.known,
            rulesets: swaps(&loaded.moved),
        })
    }

    fn replace(&self, path: &str, id: &str) -> Result<v1::ReplacePluginResponse, Fault> {
        let registry = self.rules.registry()?;
        let folder = self.folders.find(path)?;
        let id = match id {
            "" => {
                alamein_plugin_host::read_manifest(&folder)
                    .map_err(|error| refused(&error.into()))?
                    .id
            }
            id => id.to_owned(),
        };
        let loaded = registry.replace(&id, &folder);
        let loaded = loaded.map_err(|error| refused(&error))?;
        tell(&loaded, "replaced");
        self.rules.try_again();
        Ok(v1::ReplacePluginResponse {
            plugin: build_of(registry, loaded.generation.number()),
            rulesets: swaps(&loaded.moved),
            staying: loaded.stayed.iter().map(stay).collect(),
        })
    }

    fn retire(&self, asked: &v1::RetirePluginRequest) -> Result<v1::RetirePluginResponse, Fault> {
        let registry = self.rules.registry()?;
        if asked.plugin_id.is_empty() {
            return Err(missing("plugin_id", "the plugin to retire"));
        }
        let version = match asked.version.as_str() {
            "" => None,
            text => Some(text.parse().map_err(|error| {
                let text = format!("version: {text:?} is no version: {error}; write `1.2.0`");
                Fault::new(ErrorReason::InvalidName, &*text)
                    .with("field", "version")
                    .with("value", &asked.version)
                    .field("version", text)
            })?),
        };
        let which = PluginRef {
            id: asked.plugin_id.clone(),
            version,
            sha256: Some(asked.build_sha256.clone()).filter(|sha256| !sha256.is_empty()),
        };
        let retired = registry.retire(&which);
        let retired = retired.map_err(|error| of_registry(&error, Doing::Retiring))?;
        self.rules.note_change();
        let numbers: Vec<u64> = retired.iter().map(|it| it.number()).collect();
        for generation in &retired {
            let plugin = generation.plugin();
            let (id, version) = (plugin.id(), plugin.version());
            tracing::info!(
                id,
                version,
                generation = generation.number(),
                "plugin retired"
            );
        }
        let plugins = registry.list().plugins.into_iter();
        let plugins = plugins.filter(|it| it.generation.is_some_and(|it| numbers.contains(&it)));
        Ok(v1::RetirePluginResponse {
            plugins: plugins.map(build).collect(),
        })
    }
}

fn refused(error: &alamein_rulesets::RegistryError) -> Fault {
    tracing::warn!(
        reason = error.reason(),
        "plugin refused, nothing changes: {error}"
    );
    of_registry(error, Doing::Loading)
}

/// Says in the log what came of loading a plugin.
pub(crate) fn tell(loaded: &Loaded, what: &str) {
    let plugin = loaded.generation.plugin();
    let (id, version, build_id) = (plugin.id(), plugin.version(), plugin.build_id());
    let (build, known) = (plugin.digest().unwrap_or_default(), loaded.known);
    let generation = loaded.generation.number();
    tracing::info!(
        id,
        version,
        build,
        build_id,
        generation,
        known,
        "plugin {what}"
    );
    for (ruleset, before, after) in &loaded.moved {
        tracing::info!(ruleset, %before, %after, "rules in force");
    }
    for stayed in &loaded.stayed {
        let (ruleset, wants) = (&stayed.ruleset, &stayed.wanted);
        let by = stayed.with.plugin().version();
        tracing::info!(ruleset, wants, by, "a ruleset stays as it is");
    }
}

fn swaps(moved: &[(String, Digest, Digest)]) -> Vec<v1::RulesetSwap> {
    let swap = |(name, before, after): &(String, Digest, Digest)| v1::RulesetSwap {
        ruleset_id: name.clone(),
        before_fingerprint: before.to_string(),
        after_fingerprint: after.to_string(),
    };
    moved.iter().map(swap).collect()
}

fn stay(stayed: &Stayed) -> v1::RulesetStay {
    let plugin = stayed.with.plugin();
    v1::RulesetStay {
        ruleset_id: stayed.ruleset.clone(),
        version: plugin.version().to_owned(),
        build_sha256: plugin.digest().unwrap_or_default().to_owned(),
        wanted: stayed.wanted.clone(),
    }
}

/// What is known of the plugin of this number.
fn build_of(registry: &Registry, generation: u64) -> Option<v1::PluginBuild> {
    let mut plugins = registry.list().plugins.into_iter();
    plugins
        .find(|plugin| plugin.generation == Some(generation))
        .map(build)
}

fn build(plugin: PluginStatus) -> v1::PluginBuild {
    let (state, state_reason) = match plugin.state {
        PluginState::Active => (PluginBuildState::Available, String::new()),
        PluginState::Retired => {
            let why = "RETIRED: no ruleset is made with it any more";
            (PluginBuildState::Retired, why.to_owned())
        }
        PluginState::Packed => {
            let why = "FROM_STORE: it came for revisions that were made with it, and no other is";
            (PluginBuildState::Retired, why.to_owned())
        }
        PluginState::Failed { why } => {
            let why =
                format!("PLUGIN_FAILED: {why}; replace the plugin, or start the service anew");
            (PluginBuildState::Failed, why)
        }
        PluginState::Refused { reason, why } => {
            (PluginBuildState::Refused, format!("{reason}: {why}"))
        }
    };
    let path = plugin.folder.map(|folder| folder.display().to_string());
    v1::PluginBuild {
        generation: plugin.generation.unwrap_or_default(),
        plugin_id: plugin.id,
        version: plugin.version,
        build_sha256: plugin.sha256.unwrap_or_default(),
        build_id: plugin.build_id,
        path: path.unwrap_or_default(),
        state: state.into(),
        state_reason,
        trust: plugin.trust,
        calls_in_flight: u32::try_from(plugin.calls_in_flight).unwrap_or(u32::MAX),
        rulesets: plugin.rulesets,
        revisions: plugin.revisions as u64,
        from_store: plugin.packed,
    }
}

/// Writes down which build it was.
fn note(deed: &Deed, plugin: Option<&v1::PluginBuild>) {
    if let Some(plugin) = plugin {
        deed.note("plugin_id", &plugin.plugin_id);
        deed.note("version", &plugin.version);
        deed.note("build_sha256", &plugin.build_sha256);
    }
}

#[tonic::async_trait]
impl PluginAdminService for Admin {
    async fn load_plugin(
        &self,
        request: Request<v1::LoadPluginRequest>,
    ) -> Result<Response<v1::LoadPluginResponse>, Status> {
        let (rules, admin) = (self.rules.clone(), self.clone());
        let deed = Deed::of(&request);
        deed.note("path", &request.get_ref().path);
        let answer = rules
            .in_turn(move || admin.load(&request.get_ref().path))
            .await?;
        note(&deed, answer.plugin.as_ref());
        Ok(Response::new(answer))
    }

    async fn replace_plugin(
        &self,
        request: Request<v1::ReplacePluginRequest>,
    ) -> Result<Response<v1::ReplacePluginResponse>, Status> {
        let (rules, admin) = (self.rules.clone(), self.clone());
        let deed = Deed::of(&request);
        let asked = request.into_inner();
        deed.note("path", &asked.path);
        deed.note("plugin_id", &asked.plugin_id);
        let answer = rules
            .in_turn(move || admin.replace(&asked.path, &asked.plugin_id))
            .await?;
        note(&deed, answer.plugin.as_ref());
        Ok(Response::new(answer))
    }

    async fn retire_plugin(
        &self,
        request: Request<v1::RetirePluginRequest>,
    ) -> Result<Response<v1::RetirePluginResponse>, Status> {
        let (rules, admin) = (self.rules.clone(), self.clone());
        let deed = Deed::of(&request);
        deed.note("plugin_id", &request.get_ref().plugin_id);
        deed.note("version", &request.get_ref().version);
        deed.note("build_sha256", &request.get_ref().build_sha256);
        let answer = rules
            .in_turn(move || admin.retire(request.get_ref()))
            .await?;
        Ok(Response::new(answer))
    }

    async fn list_plugins(
        &self,
        request: Request<v1::ListPluginsRequest>,
    ) -> Result<Response<v1::ListPluginsResponse>, Status> {
        let v1::ListPluginsRequest {
            page_size,
            page_token,
        } = request.into_inner();
        let (size, after) = page_after::<usize>(page_size, &page_token)?;
        let registry = self.rules.registry()?.clone();
        // With many revisions it takes a while to see who holds what.
        let listing = aside(move || Ok(registry.list())).await?;
        let from = after.unwrap_or(0);
        let count = listing.plugins.len();
        let end = from.saturating_add(size).min(count);
        let plugins = listing.plugins.into_iter().skip(from).take(size);
        Ok(Response::new(v1::ListPluginsResponse {
            plugins: plugins.map(build).collect(),
            next_page_token: match end < count {
                true => end.to_string(),
                false => String::new(),
            },
            libraries_held: listing.libraries_held,
            libraries_max: listing.most_libraries,
            revisions: listing.revisions as u64,
        }))
    }
}
