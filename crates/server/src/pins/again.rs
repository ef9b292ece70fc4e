//! Making a revision again that is kept.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use alamein_engine::RulesetConfig;
use alamein_plugin_host::{Package, TARGET};
use alamein_proto::v1::ErrorReason;
use alamein_rulesets::{Packed, Recipe, RecipePlugin, RegistryError, Revision};
use alamein_store::pinned::{BuildName, BuildRecord, PluginRecord, RevisionRecord};
use alamein_store::{Kind, StoreError, Tenant};
use alamein_terrain::{Digest, GrazingPolicy};
use futures::FutureExt as _;
use futures::future::Shared;

use super::{Pins, unavailable};
use crate::fault::Fault;
use crate::kept::of_store;

/// How many revisions may be in the making at once. Whoever wants one more comes again.
const MOST: usize = 64;
/// How long it may take to make one, waiting for others included.
const LONGEST: Duration = Duration::from_secs(60);

/// A revision in the making. All who wait for it have the same.
pub(crate) type Loading = Shared<Pin<Box<dyn Future<Output = Made> + Send>>>;

type Made = Result<Arc<Revision>, Fault>;

/// What ends a load: what to count, and what to say.
struct Failed(&'static str, Fault);

impl Pins {
    /// Makes a revision again, out of an object of a tenant's. It goes on even if nobody waits for it any
    /// more, since others are likely to ask for it.
    pub(super) async fn again(&self, of: &Tenant, object: Digest, fingerprint: Digest) -> Made {
        if let Some(fault) = self.0.failed.get(&fingerprint).await {
            return Err(fault);
        }
        self.start(of, object, fingerprint)?.await
    }

    fn start(&self, of: &Tenant, object: Digest, fingerprint: Digest) -> Result<Loading, Fault> {
        let mut loading = self.loading();
        if let Some(begun) = loading.get(&fingerprint) {
            return Ok(begun.clone());
        }
        if loading.len() >= MOST {
            self.0.counts.load("busy");
            let text = format!("{MOST} rulesets are being loaded from the store; try again");
            let fault = Fault::new(ErrorReason::Overloaded, text).with("max", MOST);
            return Err(fault.retry_after(Duration::from_millis(500)));
        }
        let (pins, of) = (self.clone(), of.clone());
        let task = tokio::spawn(async move {
            let _begun = Begun(pins.clone(), fingerprint);
            pins.load(&of, object, fingerprint).await
        });
        let made = async move {
            task.await.unwrap_or_else(|error| {
                tracing::error!("{error}");
                let text = "the work on a ruleset broke off";
                Err(Fault::new(ErrorReason::Internal, text))
            })
        };
        let made: Pin<Box<dyn Future<Output = Made> + Send>> = Box::pin(made);
        let made = made.shared();
        loading.insert(fingerprint, made.clone());
        Ok(made)
    }

    fn loading(&self) -> MutexGuard<'_, std::collections::HashMap<Digest, Loading>> {
        let loading = self.0.loading.lock();
        loading.unwrap_or_else(PoisonError::into_inner)
    }

    async fn load(&self, of: &Tenant, object: Digest, fingerprint: Digest) -> Made {
        let work = async {
            let turn = self.0.turn.acquire().await;
            let made = self.made(of, object, fingerprint).await;
            drop(turn);
            made
        };
        let made = match tokio::time::timeout(LONGEST, work).await {
            Ok(made) => made,
            Err(_) => {
                let text = format!("it took longer than {LONGEST:?} to load a ruleset; try again");
                let fault = Fault::new(ErrorReason::RulesetNotReady, text);
                Err(Failed("late", fault.retry_after(Duration::from_secs(1))))
            }
        };
        match made {
            Ok(revision) => {
                self.0.counts.load("loaded");
                tracing::info!(%fingerprint, "a ruleset came from the store");
                Ok(revision)
            }
            Err(Failed(outcome, fault)) => {
                self.0.counts.load(outcome);
                let why = tonic::Status::from(fault.clone());
                tracing::warn!(%fingerprint, outcome, "a ruleset does not come from the store: {}", why.message());
                // What is transient may be gone at the next request.
                if !matches!(outcome, "unavailable" | "late") {
                    self.0.failed.insert(fingerprint, fault.clone()).await;
                }
                Err(fault)
            }
        }
    }

    async fn made(
        &self,
        of: &Tenant,
        object: Digest,
        fingerprint: Digest,
    ) -> Result<Arc<Revision>, Failed> {
        let registry = self
            .0
            .rules
            .registry()
            .map_err(|it| Failed("unavailable", it))?;
        let record = self.record(of, object, fingerprint).await?;
        let recipe = recipe(&record, fingerprint)
            .map_err(|why| Failed("damaged", unavailable(fingerprint, "DAMAGED", why)))?;
        let mut packages = Vec::new();
        for lacking in registry.lacks(&recipe) {
            let plugin = record.plugins.iter().find(|it| it.id == lacking.id);
            packages.push(self.package(fingerprint, lacking, plugin).await?);
        }
        let registry = registry.clone();
        let made = self.0.rules.in_turn(move || {
            let made = registry.remake(&recipe, packages);
            Ok(made.map_err(|error| refused(fingerprint, &error)))
        });
        made.await.map_err(|fault| Failed("unavailable", fault))?
    }

    /// What makes a revision.
    async fn record(
        &self,
        of: &Tenant,
        object: Digest,
        fingerprint: Digest,
    ) -> Result<RevisionRecord, Failed> {
        let kept = self.0.keeper.object(of, Kind::Ruleset, object).await;
        let kept = kept.map_err(|error| failed(fingerprint, None, &error))?;
        let kept = kept.ok_or_else(|| {
            let text = format!("revision {fingerprint}: what it is made of is not kept any more");
            Failed("missing", unavailable(fingerprint, "NOT_KEPT", text))
        })?;
        RevisionRecord::read(kept.bytes()).map_err(|error| {
            let error = StoreError::damaged(Kind::Ruleset, object, error.to_string());
            failed(fingerprint, None, &error)
        })
    }

    /// A build of a plugin that is lacking, for this machine.
    async fn package(
        &self,
        fingerprint: Digest,
        lacking: &RecipePlugin,
        plugin: Option<&PluginRecord>,
    ) -> Result<Packed<'static>, Failed> {
        let (id, version) = (&lacking.id, &lacking.version);
        let builds = plugin
            .map(|plugin| plugin.builds.as_slice())
            .unwrap_or_default();
        let here = |build: &&BuildName| build.target == TARGET;
        let object = builds.iter().filter(here).find_map(|build| build.object);
        let missing = |what: &str| {
            let text = format!("plugin {id} {version}: is not loaded here, and {what}");
            let fault = unavailable(fingerprint, "NO_BUILD", text);
            Failed("missing", fault.with("plugin", id).with("target", TARGET))
        };
        let object =
            object.ok_or_else(|| missing(&format!("the store has no build of it for {TARGET}")))?;
        let house = Tenant::house();
        let kept = self.0.keeper.object(&house, Kind::Build, object);
        let kept = kept
            .await
            .map_err(|error| failed(fingerprint, Some(id), &error))?;
        let kept =
            kept.ok_or_else(|| missing(&format!("its build {object} is not kept any more")))?;
        let build = BuildRecord::read(kept.bytes()).map_err(|error| {
            let error = StoreError::damaged(Kind::Build, object, error.to_string());
            failed(fingerprint, Some(id), &error)
        })?;
        Ok(Packed {
            called: format!("store:{object}"),
            package: Package {
                manifest: Cow::Owned(build.manifest),
                signature: build.signature.map(Cow::Owned),
                library: Cow::Owned(build.library.to_vec()),
            },
            cases: build.cases,
        })
    }
}

/// Takes a revision off those in the making, however that ends.
struct Begun(Pins, Digest);

impl Drop for Begun {
    fn drop(&mut self) {
        self.0.loading().remove(&self.1);
    }
}

/// What the store says instead of giving what was asked for.
fn failed(fingerprint: Digest, plugin: Option<&str>, error: &StoreError) -> Failed {
    match error {
        StoreError::Damaged { .. } => {
            tracing::error!("{error}");
            let text = match plugin {
                Some(plugin) => format!("plugin {plugin}: its build cannot be used: {error}"),
                None => format!("revision {fingerprint}: {error}"),
            };
            let fault = unavailable(fingerprint, "DAMAGED", text);
            let fault = match plugin {
                Some(plugin) => fault.with("plugin", plugin),
                None => fault,
            };
            Failed("damaged", fault)
        }
        _ => Failed("unavailable", of_store(error)),
    }
}

fn refused(fingerprint: Digest, error: &RegistryError) -> Failed {
    let plugin = match error {
        RegistryError::Plugin(error) => error.plugin(),
        RegistryError::BuildsDiffer { plugin, .. }
        | RegistryError::CasesFail { plugin, .. }
        | RegistryError::NotHeld { plugin, .. }
        | RegistryError::Unfit { plugin, .. }
        | RegistryError::TooManyGenerations { plugin, .. } => Some(plugin.as_str()),
        RegistryError::Impossible(broken) => broken.plugin.as_ref().map(|(id, _)| id.as_str()),
        _ => None,
    };
    let fault = unavailable(fingerprint, error.reason(), error.to_string());
    let fault = match plugin {
        Some(plugin) => fault.with("plugin", plugin),
        None => fault,
    };
    Failed("refused", fault)
}

/// What makes a revision again, as a registry has it.
pub(super) fn recipe(record: &RevisionRecord, fingerprint: Digest) -> Result<Recipe, String> {
    if record.fingerprint != fingerprint {
        let is = record.fingerprint;
        return Err(format!(
            "what is kept for revision {fingerprint} makes {is}"
        ));
    }
    let policy = GrazingPolicy::ALL.into_iter();
    let policy = policy.clone().find(|policy| policy.name() == record.policy);
    let policy = policy.ok_or_else(|| format!("{:?} is no grazing policy", record.policy))?;
    let mut options = BTreeMap::new();
    let mut plugins = Vec::new();
    for plugin in &record.plugins {
        let (id, wrong) = (&plugin.id, |what: String| {
            format!("plugin {}: {what}", plugin.id)
        });
        let set: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&plugin.options).map_err(|error| wrong(error.to_string()))?;
        if !set.is_empty() {
            options.insert(id.clone(), set);
        }
        let version = plugin.version.parse();
        let here = plugin.builds.iter().filter(|build| build.target == TARGET);
        plugins.push(RecipePlugin {
            id: id.clone(),
            version: version.map_err(|error: semver::Error| wrong(error.to_string()))?,
            builds: here.map(|build| build.build.clone()).collect(),
        });
    }
    Ok(Recipe {
        fingerprint,
        developer: record.developer,
        config: RulesetConfig { policy, options },
        plugins,
    })
}
