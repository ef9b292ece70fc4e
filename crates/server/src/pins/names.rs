//! Names and tags of tenants.

use std::sync::Arc;

use alamein_proto::v1::ErrorReason;
use alamein_rulesets::{Generation, Registry, RulesetSpec};
use alamein_store::pinned::{self, NameValue, RevisionRecord};
use alamein_store::{Kind, Move, Moved, RefKind, RefName, RefState, StoreError, Tenant};
use alamein_terrain::Digest;

use super::keep::contended;
use super::{Known, Pins, damaged, name_ref, tag_ref};
use crate::fault::Fault;
use crate::kept::of_store;
use crate::rules::{Doing, of_registry};

/// How often it is tried to move what others move.
const TRIES: usize = 16;

impl Pins {
    /// The fingerprint that a name or a tag of a tenant's stands for.
    pub(super) async fn named(
        &self,
        registry: &Registry,
        tenant: &Tenant,
        name: &str,
    ) -> Result<Option<Digest>, Fault> {
        if let Some(value) = self.name(registry, tenant, name).await? {
            return Ok(Some(value.fingerprint));
        }
        self.tagged(tenant, name).await
    }

    /// What a tag stands for. It is read each time, so that it is never behind.
    pub(crate) async fn tagged(&self, tenant: &Tenant, tag: &str) -> Result<Option<Digest>, Fault> {
        let state = self.read(tenant, &tag_ref(tag)).await?;
        let read = |state: RefState| pinned::digest(&state.value);
        let read = state.map(read).transpose();
        read.map_err(|error| damaged(&tag_ref(tag), &error))
    }

    /// What a name means: what the store says, gone forward if the plugins did.
    async fn name(
        &self,
        registry: &Registry,
        tenant: &Tenant,
        name: &str,
    ) -> Result<Option<NameValue>, Fault> {
        let (key, epoch) = (
            (tenant.clone(), name.to_owned()),
            registry.snapshot().epoch(),
        );
        let known = self.0.names.get(&key).await;
        if let Some(known) = known.filter(|known| known.epoch == epoch) {
            return Ok(Some(known.value));
        }
        let at = name_ref(name);
        let Some(state) = self.read(tenant, &at).await? else {
            return Ok(None);
        };
        let value = NameValue::read(&state.value).map_err(|error| damaged(&at, &error))?;
        let value = match self
            .forward(registry, tenant, state.version, value, name)
            .await
        {
            Ok(value) => value,
            Err(fault) => {
                // What it meant it still means.
                let why = tonic::Status::from(fault);
                tracing::warn!(%tenant, name, "a ruleset stays as it is: {}", why.message());
                value
            }
        };
        self.0.names.insert(key, Known { value, epoch }).await;
        Ok(Some(value))
    }

    /// Lets a name follow to newer plugins than its revision has. It never goes back by itself: replicas
    /// that have different plugins would move it to and fro.
    async fn forward(
        &self,
        registry: &Registry,
        tenant: &Tenant,
        version: u64,
        value: NameValue,
        name: &str,
    ) -> Result<NameValue, Fault> {
        let Some(spec) = self.spec(tenant, value.spec).await? else {
            return Ok(value);
        };
        let Some(chosen) = registry.snapshot().choice(&spec) else {
            return Ok(value);
        };
        let Some(record) = self.record_of(tenant, value.fingerprint).await? else {
            return Ok(value);
        };
        if !is_newer(&chosen, &record, registry.settings().developer) {
            return Ok(value);
        }
        let making = registry.clone();
        let made = self.0.rules.in_turn(move || {
            let made = making.make(&spec, false);
            made.map_err(|error| of_registry(&error, Doing::Creating))
        });
        let revision = made.await?.revision;
        self.keep(tenant, &revision).await?;
        let next = NameValue {
            fingerprint: revision.fingerprint(),
            ..value
        };
        match self
            .move_to(tenant, name_ref(name), version, next.bytes(), vec![])
            .await?
        {
            Moved::Done(_) => {
                let (before, after) = (value.fingerprint, next.fingerprint);
                tracing::info!(%tenant, ruleset = name, %before, %after, "rules in force");
                Ok(next)
            }
            Moved::Stale(Some(state)) => {
                let other = NameValue::read(&state.value);
                other.map_err(|error| damaged(&name_ref(name), &error))
            }
            Moved::Stale(None) => Ok(value),
        }
    }

    async fn record_of(
        &self,
        tenant: &Tenant,
        fingerprint: Digest,
    ) -> Result<Option<RevisionRecord>, Fault> {
        let Some((of, object)) = self.kept_at(tenant, fingerprint).await? else {
            return Ok(None);
        };
        let kept = self.0.keeper.object(&of, Kind::Ruleset, object).await;
        let kept = kept.map_err(|error| of_store(&error))?;
        Ok(kept.and_then(|kept| RevisionRecord::read(kept.bytes()).ok()))
    }

    /// The ruleset file of an object.
    pub(crate) async fn spec(
        &self,
        tenant: &Tenant,
        id: Digest,
    ) -> Result<Option<RulesetSpec>, Fault> {
        let kept = self.0.keeper.object(tenant, Kind::Ruleset, id).await;
        let Some(kept) = kept.map_err(|error| of_store(&error))? else {
            return Ok(None);
        };
        let wrong = |what: String| of_store(&StoreError::damaged(Kind::Ruleset, id, what));
        let json = pinned::read_spec(kept.bytes()).map_err(|error| wrong(error.to_string()))?;
        let spec = RulesetSpec::from_json(&json);
        spec.map(Some).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            wrong(errors.join("; "))
        })
    }

    /// Lets the name of a spec mean a revision that is kept. Gives the one that it meant before. Where `from`
    /// is given the name must have meant that, or mean the revision already.
    pub(crate) async fn give_name(
        &self,
        tenant: &Tenant,
        spec: &RulesetSpec,
        fingerprint: Digest,
        from: &str,
    ) -> Result<Option<Digest>, Fault> {
        let json = spec.to_json().map_err(|error| {
            Fault::new(ErrorReason::RulesetInvalid, error.to_string()).with("path", error.path)
        })?;
        let object = pinned::spec_object(&json);
        let value = NameValue {
            fingerprint,
            spec: object.id(),
        };
        let at = name_ref(&spec.name);
        for _ in 0..TRIES {
            let state = self.read(tenant, &at).await?;
            let before = state.as_ref().map(|state| NameValue::read(&state.value));
            let before = before.transpose().map_err(|error| damaged(&at, &error))?;
            let meant = before.map(|before| before.fingerprint);
            if before == Some(value) {
                return Ok(meant);
            }
            still_means(&spec.name, meant, from)?;
            self.put(tenant, &object).await?;
            let from = state.map_or(0, |state| state.version);
            let objects = vec![object.clone()];
            let moved = self.move_to(tenant, at.clone(), from, value.bytes(), objects);
            if let Moved::Done(_) = moved.await? {
                let key = (tenant.clone(), spec.name.clone());
                self.0.names.invalidate(&key).await;
                return Ok(meant);
            }
        }
        Err(contended(&spec.name))
    }

    /// Gives a revision that is kept a tag, which is new or stands for it; or moves one that stands for
    /// `from`. Of two that want the same tag at once, one gets it. Says whether anything changed.
    pub(crate) async fn give_tag(
        &self,
        tenant: &Tenant,
        tag: &str,
        fingerprint: Digest,
        from: Option<Digest>,
    ) -> Result<bool, TagFault> {
        let at = tag_ref(tag);
        let mut state = self.read(tenant, &at).await?;
        // A tag moves seldom; whoever lost it once sees for what it stands now.
        for _ in 0..TRIES {
            let now = state.as_ref().map(|state| pinned::digest(&state.value));
            let now = now.transpose().map_err(|error| damaged(&at, &error))?;
            match (now, from) {
                // Also what was moved already, by the same request that is sent again.
                (Some(now), _) if now == fingerprint => return Ok(false),
                (now, Some(from)) if now != Some(from) => return Err(TagFault::Elsewhere(now)),
                (Some(now), None) => return Err(TagFault::Taken(now)),
                _ => {}
            }
            if state.is_none() {
                self.has_room_for_tag(tenant, tag).await?;
            }
            let version = state.map_or(0, |state| state.version);
            let value = fingerprint.as_bytes().to_vec().into();
            match self
                .move_to(tenant, at.clone(), version, value, vec![])
                .await?
            {
                Moved::Done(_) => return Ok(true),
                Moved::Stale(now) => state = now,
            }
        }
        Err(contended(tag).into())
    }

    async fn has_room_for_tag(&self, tenant: &Tenant, tag: &str) -> Result<(), Fault> {
        let most = self.0.limits.max_tags;
        if self.count(tenant, RefKind::Tag, most).await? < most {
            return Ok(());
        }
        let text = format!(
            "tag {tag:?}: {most} tags are kept, and no more; move one that is there, or allow more"
        );
        Err(Fault::new(ErrorReason::StoreFull, text)
            .with("kind", "tag")
            .with("max", most))
    }

    /// Checks that another ruleset of this name has a place.
    pub(crate) async fn has_room_for(&self, tenant: &Tenant, name: &str) -> Result<(), Fault> {
        let most = self.0.limits.max_rulesets;
        if self.read(tenant, &name_ref(name)).await?.is_some()
            || self.count(tenant, RefKind::Ruleset, most).await? < most
        {
            return Ok(());
        }
        let text = format!("this server keeps no more than {most} rulesets");
        Err(Fault::new(ErrorReason::StoreFull, text)
            .with("kind", "ruleset")
            .with("max", most))
    }

    async fn count(&self, tenant: &Tenant, kind: RefKind, most: usize) -> Result<usize, Fault> {
        let refs = self.0.keeper.store().refs(tenant, kind, None, most).await;
        Ok(refs.map_err(|error| of_store(&error))?.len())
    }

    /// Takes a tag back that was just given.
    pub(crate) async fn take_back(&self, tenant: &Tenant, tag: &str) {
        let taken = self.0.keeper.store().forget(tenant, &tag_ref(tag), 1).await;
        if let Err(error) = taken {
            tracing::warn!(%tenant, tag, "a tag cannot be taken back: {error}");
        }
    }

    /// Whether a name is that of a ruleset of a tenant's.
    pub(crate) async fn is_name(
        &self,
        tenant: &Tenant,
        name: &str,
    ) -> Result<Option<Digest>, Fault> {
        let at = name_ref(name);
        let state = self.read(tenant, &at).await?;
        let value = state.map(|state| NameValue::read(&state.value));
        let value = value.transpose().map_err(|error| damaged(&at, &error))?;
        Ok(value.map(|value| value.fingerprint))
    }

    async fn move_to(
        &self,
        tenant: &Tenant,
        at: RefName,
        from: u64,
        value: bytes::Bytes,
        objects: Vec<alamein_store::Object>,
    ) -> Result<Moved, Fault> {
        let change = Move {
            at,
            from,
            value,
            log: None,
            objects,
        };
        let moved = self.0.keeper.store().advance(tenant, change).await;
        moved.map_err(|error| of_store(&error))
    }
}

/// Checks that a name means what whoever changes it knows, if they say so.
pub(crate) fn still_means(name: &str, meant: Option<Digest>, from: &str) -> Result<(), Fault> {
    let meant = meant.map(|meant| meant.to_string()).unwrap_or_default();
    if from.is_empty() || meant == from {
        return Ok(());
    }
    let text = match meant.as_str() {
        "" => format!("there is no ruleset {name:?} to change"),
        meant => format!("the ruleset {name:?} is {meant} by now; look at what has changed"),
    };
    Err(Fault::new(ErrorReason::RulesetNotAvailable, &*text)
        .with("rules_fingerprint", meant)
        .field("before_fingerprint", text))
}

/// Why a tag is not given.
pub(crate) enum TagFault {
    /// It stands for this.
    Taken(Digest),
    /// It does not stand for what it was to be moved from.
    Elsewhere(Option<Digest>),
    /// Something else.
    Other(Fault),
}

impl From<Fault> for TagFault {
    fn from(fault: Fault) -> Self {
        Self::Other(fault)
    }
}

/// Whether plugins are newer than those of a revision: none is older, and one is newer. For developers
/// another build of a version is newer, too.
fn is_newer(chosen: &[Arc<Generation>], record: &RevisionRecord, developer: bool) -> bool {
    if record.developer != developer {
        return true;
    }
    let mut newer = false;
    for generation in chosen {
        let id = generation.plugin().id();
        let Some(before) = record.plugins.iter().find(|it| it.id == id) else {
            return false;
        };
        let Ok(version) = before.version.parse::<semver::Version>() else {
            return false;
        };
        if *generation.version() < version {
            return false;
        }
        let built = |it: &pinned::BuildName| it.build == generation.build();
        let other_build = developer && !before.builds.iter().any(built);
        newer |= *generation.version() > version || other_build;
    }
    newer
}
