//! Keeping a revision, with the builds that it was made with.

use std::sync::Arc;

use alamein_plugin_host::PluginError;
use alamein_proto::v1::ErrorReason;
use alamein_rulesets::{Generation, Revision};
use alamein_store::pinned::{self, BuildName, BuildRecord, PluginRecord, RevisionRecord};
use alamein_store::{Kind, Move, Moved, Object, Room, StoreError, Tenant};
use alamein_terrain::Digest;

use super::{Pins, damaged};
use crate::fault::Fault;
use crate::kept::of_store;
use crate::maps::aside;

/// How often it is tried to add to a record that others add to.
const TRIES: usize = 16;

impl Pins {
    /// Keeps a revision of a tenant's, so that any process that shares the store can make it again. What
    /// is kept already costs nothing.
    pub(crate) async fn keep(
        &self,
        tenant: &Tenant,
        revision: &Arc<Revision>,
    ) -> Result<(), Fault> {
        let key = (tenant.clone(), revision.fingerprint());
        if self.0.kept.get(&key).await.is_some() {
            return Ok(());
        }
        let record = self.written(revision).await?;
        self.put_record(tenant, record).await?;
        self.own(tenant, revision.fingerprint()).await;
        self.0.kept.insert(key, ()).await;
        Ok(())
    }

    /// What makes a revision. The builds of its plugins are kept.
    async fn written(&self, revision: &Revision) -> Result<RevisionRecord, Fault> {
        let (registry, config) = (self.0.rules.registry()?, revision.config());
        let mut plugins = Vec::new();
        for generation in revision.generations() {
            let plugin = generation.plugin();
            let options = config.options.get(plugin.id());
            let options = options.cloned().unwrap_or_default();
            plugins.push(PluginRecord {
                id: plugin.id().to_owned(),
                version: plugin.version().to_owned(),
                options: serde_json::Value::Object(options).to_string(),
                builds: vec![BuildName {
                    target: plugin.target().to_owned(),
                    build: generation.build().to_owned(),
                    object: self.keep_build(generation).await?,
                }],
            });
        }
        Ok(RevisionRecord {
            fingerprint: revision.fingerprint(),
            developer: registry.settings().developer,
            policy: config.policy.name().to_owned(),
            plugins,
        })
    }

    /// Keeps a build, if it is to be kept, and gives its object.
    async fn keep_build(&self, generation: &Arc<Generation>) -> Result<Option<Digest>, Fault> {
        let limits = &self.0.limits;
        if !limits.store_builds {
            return Ok(None);
        }
        let build = generation.build().to_owned();
        if let Some(object) = self.0.builds.get(&build).await {
            return Ok(Some(object));
        }
        let (of, most) = (Arc::clone(generation), limits.max_build_bytes);
        let object = aside(move || packed(&of, most).map_err(|error| unreadable(&error))).await?;
        let Some(object) = object else {
            return Ok(None);
        };
        let (id, store) = (object.id(), self.0.keeper.store());
        let put = store
            .put(&Tenant::house(), &[object], &Room::default())
            .await;
        if put.map_err(|error| of_store(&error))?.contains(&true) {
            self.0.counts.kept_build();
        }
        self.0.builds.insert(build, id).await;
        Ok(Some(id))
    }

    /// Writes down what makes a revision, beside what others wrote: their builds may be for other machines.
    async fn put_record(&self, tenant: &Tenant, record: RevisionRecord) -> Result<(), Fault> {
        let (store, at) = (
            self.0.keeper.store(),
            pinned::revision_ref(record.fingerprint),
        );
        for _ in 0..TRIES {
            let state = self.read(tenant, &at).await?;
            let (from, record) = match &state {
                None => (0, record.clone()),
                Some(state) => {
                    let id = pinned::digest(&state.value).map_err(|error| damaged(&at, &error))?;
                    match self.joined(tenant, id, &record).await? {
                        None => return Ok(()),
                        Some(joined) => (state.version, joined),
                    }
                }
            };
            let object = record.object();
            self.put(tenant, &object).await?;
            let change = Move {
                at: at.clone(),
                from,
                value: object.id().as_bytes().to_vec().into(),
                log: None,
                objects: vec![object],
            };
            let moved = store.advance(tenant, change).await;
            if let Moved::Done(_) = moved.map_err(|error| of_store(&error))? {
                return Ok(());
            }
        }
        Err(contended(&at.name))
    }

    /// What is kept and what is to be, in one; nothing if that is what is kept.
    async fn joined(
        &self,
        tenant: &Tenant,
        id: Digest,
        record: &RevisionRecord,
    ) -> Result<Option<RevisionRecord>, Fault> {
        let kept = self.0.keeper.object(tenant, Kind::Ruleset, id).await;
        let kept = match kept {
            Ok(Some(kept)) => RevisionRecord::read(kept.bytes()).ok(),
            // What is damaged is written anew.
            Ok(None) | Err(StoreError::Damaged { .. }) => None,
            Err(error) => return Err(of_store(&error)),
        };
        let Some(kept) = kept else {
            return Ok(Some(record.clone()));
        };
        let mut joined = record.clone();
        for plugin in &mut joined.plugins {
            let before = kept.plugins.iter().find(|it| it.id == plugin.id);
            let before = before.map(|it| it.builds.as_slice()).unwrap_or_default();
            note_other_builds(plugin, before);
            let new: Vec<BuildName> = plugin.builds.drain(..).collect();
            plugin.builds = before.to_vec();
            for build in new {
                let same =
                    |it: &&mut BuildName| (&it.target, &it.build) == (&build.target, &build.build);
                match plugin.builds.iter_mut().find(same) {
                    Some(known) => known.object = build.object.or(known.object),
                    None => plugin.builds.push(build),
                }
            }
            plugin.builds.sort();
        }
        Ok((joined != kept).then_some(joined))
    }

    /// Keeps an object of the kind `Ruleset`, where a tenant has room for it.
    pub(super) async fn put(&self, tenant: &Tenant, object: &Object) -> Result<(), Fault> {
        let keeper = &self.0.keeper;
        let none = Room::default();
        let room = match *tenant == Tenant::house() {
            true => &none,
            false => keeper.room(),
        };
        let put = keeper
            .store()
            .put(tenant, std::slice::from_ref(object), room);
        match put.await {
            Ok(_) => Ok(()),
            Err(StoreError::TooMany { most, .. }) => {
                let text = format!(
                    "no more than {most} revisions of rulesets and ruleset files are kept for one tenant"
                );
                Err(Fault::new(ErrorReason::StoreFull, text)
                    .with("kind", "ruleset")
                    .with("max", most))
            }
            Err(error) => Err(of_store(&error)),
        }
    }
}

/// Others may try the same for ever.
pub(super) fn contended(name: &str) -> Fault {
    let text = format!("{name}: others change it all the time; try again");
    let fault = Fault::new(ErrorReason::Overloaded, text).with("max", TRIES);
    fault.retry_after(std::time::Duration::from_millis(200))
}

/// Two builds of one version for one machine: the fingerprint means both.
fn note_other_builds(plugin: &PluginRecord, before: &[BuildName]) {
    for build in &plugin.builds {
        let other = before
            .iter()
            .find(|it| it.target == build.target && it.build != build.build);
        if let Some(other) = other {
            tracing::warn!(
                plugin = plugin.id,
                version = plugin.version,
                kept = other.build,
                here = build.build,
                "two builds of one version make one fingerprint: raise the version of a plugin whenever it is \
                 built of other sources"
            );
        }
    }
}

/// The object of a build; nothing if it is part of this program, or too long.
fn packed(generation: &Generation, most: u64) -> Result<Option<Object>, PluginError> {
    let plugin = generation.plugin();
    let Some(package) = plugin.package()? else {
        return Ok(None);
    };
    let build = BuildRecord {
        target: plugin.target().to_owned(),
        manifest: package.manifest.into_owned(),
        signature: package.signature.map(std::borrow::Cow::into_owned),
        cases: generation.cases(),
        library: package.library.into_owned().into(),
    };
    let object = build.object();
    let length = object.bytes().len() as u64;
    if length > most {
        let (id, version) = (plugin.id(), plugin.version());
        tracing::warn!(id, version, length, most, "a build is too long to be kept");
        return Ok(None);
    }
    Ok(Some(object))
}

fn unreadable(error: &PluginError) -> Fault {
    tracing::error!("a build cannot be kept: {error}");
    let text = format!("a build cannot be kept: {error}");
    let fault = Fault::new(ErrorReason::PluginRefused, text).with("refusal", error.reason());
    match error.plugin() {
        Some(plugin) => fault.with("plugin", plugin),
        None => fault,
    }
}
