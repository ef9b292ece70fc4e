//! Rulesets that outlast a process, and whose they are.
//!
//! The registry holds what this process has loaded and made; it knows neither stores nor tenants. This
//! room stands between it and the store. What the service was started with (its files, and `default`) is
//! the *house's*: every tenant may ask for it, and its names are what this process's own settings make
//! them. What a client makes is its tenant's: its names and tags are refs in the store, and so are the
//! fingerprints that it may ask for, and nobody else sees them. Whether a revision is held in memory tells
//! nothing of who may ask for it.
//!
//! What is asked for and not held is made again from the store: once, however many ask, on no thread of a
//! request's, and never for who may not have it.

mod again;
mod counts;
mod house;
mod keep;
mod labels;
mod names;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use alamein_proto::v1::ErrorReason;
use alamein_rulesets::{Registry, Revision, name_trouble};
use alamein_store::pinned::{self, NameValue};
use alamein_store::{Keeper, RefKind, RefName, RefState, StoreError, Tenant};
use alamein_terrain::{CanonError, Digest};
use moka::future::Cache;
use tokio::sync::Semaphore;

use crate::fault::Fault;
use crate::kept::of_store;
use crate::rules::{By, DEFAULT, InForce, Rules, elsewhere};
use crate::service::ServiceLimits;

pub(crate) use again::Loading;
pub(crate) use counts::PinCounts;
pub(crate) use labels::{Kept, Labels};
pub(crate) use names::{TagFault, still_means};

/// How long a name may lag behind what another process made of it, at most.
const LAG: Duration = Duration::from_secs(5);
/// How long it is remembered that a revision could not be made again.
const FORGIVEN: Duration = Duration::from_secs(2);

/// How long it is believed that a build is in the store.
const HELD: Duration = Duration::from_secs(600);

/// What is remembered of who has what: so many tenants' fingerprints, so many names.
const OWNED: u64 = 100_000;
const NAMES: u64 = 10_000;
const FAILED: u64 = 1_000;

/// Rulesets that outlast a process. Clones share everything.
#[derive(Clone, Debug)]
pub(crate) struct Pins(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    rules: Rules,
    keeper: Keeper,
    limits: Arc<ServiceLimits>,
    counts: PinCounts,
    /// The fingerprints that a tenant may ask for, as far as they were looked up.
    owned: Cache<(Tenant, Digest), ()>,
    /// What names of tenants mean, for as long as that may be believed.
    names: Cache<(Tenant, String), Known>,
    /// What this process has kept whole: the revision and its builds.
    kept: Cache<(Tenant, Digest), ()>,
    /// The objects of builds, by their SHA-256.
    builds: Cache<String, Digest>,
    /// The revisions that could not be made again of late, and why.
    failed: Cache<Digest, Fault>,
    /// The revisions that are being made again.
    loading: Mutex<HashMap<Digest, Loading>>,
    /// Whose turn it is: one is made at a time, so that the memory of one is all that it takes.
    turn: Semaphore,
}

/// What a name meant when it was looked up.
#[derive(Clone, Copy, Debug)]
struct Known {
    value: NameValue,
    /// Of what the plugins were then.
    epoch: u64,
}

impl Pins {
    pub(crate) fn new(
        rules: Rules,
        keeper: Keeper,
        limits: Arc<ServiceLimits>,
        counts: PinCounts,
    ) -> Self {
        Self(Arc::new(Shared {
            rules,
            keeper,
            limits,
            counts,
            owned: Cache::new(OWNED),
            names: Cache::builder()
                .max_capacity(NAMES)
                .time_to_live(LAG)
                .build(),
            kept: Cache::new(OWNED),
            // What nothing came of is swept away some day.
            builds: Cache::builder()
                .max_capacity(NAMES)
                .time_to_live(HELD)
                .build(),
            failed: Cache::builder()
                .max_capacity(FAILED)
                .time_to_live(FORGIVEN)
                .build(),
            loading: Mutex::default(),
            turn: Semaphore::new(1),
        }))
    }

    /// The rules that a request of a tenant's wants to be judged by.
    pub(crate) async fn find(&self, tenant: &Tenant, by: By<'_>) -> Result<InForce, Fault> {
        let registry = self.0.rules.registry()?;
        let (asked, field) = by.asked();
        let revision = self.resolve(registry, tenant, asked, field).await?;
        if !by.fingerprint.is_empty() && by.fingerprint != revision.fingerprint().to_string() {
            let have = revision.fingerprint();
            let text = format!("the rules are {have} by now, not {}", by.fingerprint);
            return Err(elsewhere(by.fingerprint, &text));
        }
        Ok(self.0.rules.in_force(registry, &revision))
    }

    /// The revision that a tenant means by a name, a tag or a fingerprint.
    async fn resolve(
        &self,
        registry: &Registry,
        tenant: &Tenant,
        asked: &str,
        field: &'static str,
    ) -> Result<Arc<Revision>, Fault> {
        let asked = if asked.is_empty() { DEFAULT } else { asked };
        let snapshot = registry.snapshot();
        if snapshot.names().contains_key(asked) {
            let found = snapshot.resolve(asked);
            return found.map_err(|_| unknown_name(asked, field, &snapshot));
        }
        if let Some(refused) = self.0.rules.refused(asked) {
            return Err(refused.fault());
        }
        if let Ok(fingerprint) = asked.parse() {
            let found = self.of_fingerprint(registry, tenant, fingerprint).await?;
            return found.ok_or_else(|| unknown_fingerprint(asked, field));
        }
        // What can be no name is looked up nowhere.
        let found = match name_trouble(asked) {
            None => self.named(registry, tenant, asked).await?,
            Some(_) => None,
        };
        let fingerprint = found.ok_or_else(|| unknown_name(asked, field, &snapshot))?;
        let found = self.of_fingerprint(registry, tenant, fingerprint).await?;
        found.ok_or_else(|| {
            let text = format!("{asked:?} stands for {fingerprint}, which is not kept");
            unavailable(fingerprint, "NOT_KEPT", text)
        })
    }

    /// The revision of a fingerprint, if the tenant may ask for it: held, or made again.
    async fn of_fingerprint(
        &self,
        registry: &Registry,
        tenant: &Tenant,
        fingerprint: Digest,
    ) -> Result<Option<Arc<Revision>>, Fault> {
        let snapshot = registry.snapshot();
        let held = snapshot.revisions().get(&fingerprint).cloned();
        if let Some(revision) = &held
            && self.is_owned(&snapshot, tenant, fingerprint).await
        {
            return Ok(Some(Arc::clone(revision)));
        }
        // The same is looked up whether or not somebody else has it here.
        let Some((of, object)) = self.kept_at(tenant, fingerprint).await? else {
            self.0.counts.unknown();
            return Ok(None);
        };
        self.own(tenant, fingerprint).await;
        match held {
            Some(revision) => Ok(Some(revision)),
            None => self.again(&of, object, fingerprint).await.map(Some),
        }
    }

    /// Whether it is known that a tenant may ask for a revision.
    pub(crate) async fn is_owned(
        &self,
        snapshot: &alamein_rulesets::Snapshot,
        tenant: &Tenant,
        fingerprint: Digest,
    ) -> bool {
        let key = (tenant.clone(), fingerprint);
        snapshot.was_named(fingerprint) || self.0.owned.get(&key).await.is_some()
    }

    /// Whether a revision is kept of a tenant itself.
    pub(crate) async fn has(&self, tenant: &Tenant, fingerprint: Digest) -> Result<bool, Fault> {
        let at = pinned::revision_ref(fingerprint);
        Ok(self.read(tenant, &at).await?.is_some())
    }

    async fn own(&self, tenant: &Tenant, fingerprint: Digest) {
        let key = (tenant.clone(), fingerprint);
        self.0.owned.insert(key, ()).await;
    }

    /// Of whom a revision is kept that a tenant may ask for, and the object that tells what makes it.
    async fn kept_at(
        &self,
        tenant: &Tenant,
        fingerprint: Digest,
    ) -> Result<Option<(Tenant, Digest)>, Fault> {
        let at = pinned::revision_ref(fingerprint);
        for of in [tenant.clone(), Tenant::house()] {
            if let Some(state) = self.read(&of, &at).await? {
                let object = pinned::digest(&state.value);
                let object = object.map_err(|error| damaged(&at, &error))?;
                return Ok(Some((of, object)));
            }
        }
        Ok(None)
    }

    async fn read(&self, tenant: &Tenant, at: &RefName) -> Result<Option<RefState>, Fault> {
        let state = self.0.keeper.store().read(tenant, at).await;
        state.map_err(|error| of_store(&error))
    }
}

/// The ref of a name.
fn name_ref(name: &str) -> RefName {
    RefName::new(RefKind::Ruleset, name)
}

/// The ref of a tag.
fn tag_ref(tag: &str) -> RefName {
    RefName::new(RefKind::Tag, tag)
}

/// What a ref holds makes no sense.
fn damaged(at: &RefName, error: &CanonError) -> Fault {
    of_store(&StoreError::Damaged {
        at: format!("{} {}", at.kind.name(), at.name),
        what: error.to_string(),
    })
}

fn unknown_fingerprint(asked: &str, field: &'static str) -> Fault {
    let text = format!(
        "there is no ruleset {asked:?}; no revision of that fingerprint is kept here: create it again"
    );
    match field {
        "rules_fingerprint" => elsewhere(asked, &text),
        _ => Fault::new(ErrorReason::RulesetNotAvailable, text)
            .with("rules_fingerprint", asked)
            .field(field, "name one that is there"),
    }
}

fn unknown_name(asked: &str, field: &'static str, snapshot: &alamein_rulesets::Snapshot) -> Fault {
    if field == "rules_fingerprint" {
        return unknown_fingerprint(asked, field);
    }
    let near = alamein_engine::nearest(asked, snapshot.names().keys().map(String::as_str));
    let advice = match near {
        Some(other) => format!("did you mean {other:?}?"),
        None => "ListRulesets tells which there are".to_owned(),
    };
    let text = format!("there is no ruleset {asked:?}; {advice}");
    Fault::new(ErrorReason::RulesetNotFound, text)
        .with("ruleset_id", asked)
        .missing("ruleset", asked)
        .field(field, "name one that is there")
}

/// A revision that is kept and cannot be made again here.
fn unavailable(fingerprint: Digest, refusal: &str, text: impl Into<String>) -> Fault {
    Fault::new(ErrorReason::RulesetNotAvailable, text)
        .with("rules_fingerprint", fingerprint)
        .with("refusal", refusal)
}
