//! Which names and tags stand for a revision, as a tenant sees it.

use std::collections::BTreeMap;
use std::sync::Arc;

use alamein_rulesets::Snapshot;
use alamein_store::pinned::{self, NameValue, RevisionRecord};
use alamein_store::{RefKind, Tenant};
use alamein_terrain::Digest;

use super::{Pins, damaged, name_ref, tag_ref};
use crate::fault::Fault;
use crate::kept::of_store;

/// The names and tags that a tenant sees.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    /// What is held, and the house's names.
    pub(crate) snapshot: Arc<Snapshot>,
    names: BTreeMap<String, NameValue>,
    tags: BTreeMap<String, Digest>,
}

impl Labels {
    /// All names that stand for a revision, sorted.
    pub(crate) fn names_of(&self, fingerprint: Digest) -> Vec<String> {
        let house = self.snapshot.names().iter();
        let house = house.filter(|(_, named)| named.fingerprint == fingerprint);
        let own = self.names.iter();
        let own = own.filter(|(_, value)| value.fingerprint == fingerprint);
        let names = house.map(|(name, _)| name).chain(own.map(|(name, _)| name));
        let mut names: Vec<String> = names.cloned().collect();
        names.sort();
        names.dedup();
        names
    }

    /// The tags that stand for a revision, sorted.
    pub(crate) fn tags_of(&self, fingerprint: Digest) -> Vec<String> {
        let tags = self.tags.iter().filter(|(_, of)| **of == fingerprint);
        tags.map(|(tag, _)| tag.clone()).collect()
    }

    /// The object of the ruleset file of a name of the tenant's, if it is none of the house's.
    pub(crate) fn spec_of(&self, name: &str) -> Option<Digest> {
        let own = !self.snapshot.names().contains_key(name);
        let value = self.names.get(name).filter(|_| own);
        value.map(|value| value.spec)
    }
}

/// A revision that is kept.
pub(crate) struct Kept {
    pub(crate) fingerprint: Digest,
    /// What makes it, if that can be read.
    pub(crate) record: Option<RevisionRecord>,
}

impl Pins {
    /// The names and tags that a tenant sees.
    pub(crate) async fn labels(&self, tenant: &Tenant) -> Result<Labels, Fault> {
        let snapshot = self.0.rules.registry()?.snapshot();
        let (store, limits) = (self.0.keeper.store(), &self.0.limits);
        let names = store.refs(tenant, RefKind::Ruleset, None, limits.max_rulesets);
        let mut read = BTreeMap::new();
        for (name, state) in names.await.map_err(|error| of_store(&error))? {
            let value = NameValue::read(&state.value);
            let value = value.map_err(|error| damaged(&name_ref(&name), &error))?;
            read.insert(name, value);
        }
        let tags = store.refs(tenant, RefKind::Tag, None, limits.max_tags);
        let mut of_tags = BTreeMap::new();
        for (tag, state) in tags.await.map_err(|error| of_store(&error))? {
            let value = pinned::digest(&state.value);
            let value = value.map_err(|error| damaged(&tag_ref(&tag), &error))?;
            of_tags.insert(tag, value);
        }
        Ok(Labels {
            snapshot,
            names: read,
            tags: of_tags,
        })
    }

    /// So many revisions that are kept of a tenant, in the order of their fingerprints, those after
    /// `after`. Fewer means that there are no more.
    pub(crate) async fn kept_of(
        &self,
        tenant: &Tenant,
        after: Option<Digest>,
        most: usize,
    ) -> Result<Vec<Kept>, Fault> {
        let store = self.0.keeper.store();
        let after = after.map(|after| after.to_string());
        let refs = store.refs(tenant, RefKind::Revision, after.as_deref(), most);
        let mut kept = Vec::new();
        for (name, state) in refs.await.map_err(|error| of_store(&error))? {
            let at = alamein_store::RefName::new(RefKind::Revision, &*name);
            let wrong = |error| damaged(&at, &error);
            let fingerprint = name.parse::<Digest>();
            let fingerprint =
                fingerprint.map_err(|why| wrong(alamein_terrain::CanonError::new(why)))?;
            let object = pinned::digest(&state.value).map_err(wrong)?;
            let kind = alamein_store::Kind::Ruleset;
            let object = self.0.keeper.object(tenant, kind, object).await;
            let object = match object {
                Ok(object) => object,
                Err(alamein_store::StoreError::Damaged { .. }) => None,
                Err(error) => return Err(of_store(&error)),
            };
            let record = object.and_then(|it| RevisionRecord::read(it.bytes()).ok());
            kept.push(Kept {
                fingerprint,
                record,
            });
        }
        Ok(kept)
    }
}
