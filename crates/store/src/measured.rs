//! A store that counts what it does.

use std::sync::Arc;
use std::time::SystemTime;

use alamein_terrain::Digest;
use async_trait::async_trait;
use bytes::Bytes;
use tokio::sync::broadcast;

use crate::error::StoreError;
use crate::metrics::StoreMetrics;
use crate::object::{Kind, Listed, Object};
use crate::refs::{Logged, Move, Moved, RefKind, RefName, RefState};
use crate::store::{Connections, Room, Store};
use crate::tenant::Tenant;

/// A store whose every operation is counted and traced.
#[derive(Clone, Debug)]
pub struct Measured {
    store: Arc<dyn Store>,
    metrics: StoreMetrics,
}

impl Measured {
    /// Counts what a store does.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, metrics: StoreMetrics) -> Self {
        Self { store, metrics }
    }

    async fn time<T>(
        &self,
        operation: &'static str,
        kind: &'static str,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        self.metrics.time(operation, kind, outcome, work).await
    }
}

/// How an operation ended, in a word.
fn outcome<T>(done: &Result<T, StoreError>) -> &'static str {
    match done {
        Ok(_) => "ok",
        Err(StoreError::Unavailable { .. }) => "unavailable",
        Err(StoreError::TooMany { .. }) => "too_many",
        Err(StoreError::CannotWrite { .. }) => "cannot_write",
        Err(StoreError::Damaged { .. }) => "damaged",
        Err(StoreError::Version { .. }) => "version",
        Err(StoreError::Settings { .. }) => "settings",
    }
}

/// What several objects are, in a word: what the last is, for the others are there because of it.
fn kind_of(objects: &[Object]) -> &'static str {
    objects.last().map_or("none", |object| object.kind().name())
}

#[async_trait]
impl Store for Measured {
    fn name(&self) -> &'static str {
        self.store.name()
    }

    async fn put(
        &self,
        tenant: &Tenant,
        objects: &[Object],
        room: &Room,
    ) -> Result<Vec<bool>, StoreError> {
        let work = self.store.put(tenant, objects, room);
        self.time("put", kind_of(objects), work).await
    }

    async fn get(
        &self,
        tenant: &Tenant,
        kind: Kind,
        id: Digest,
    ) -> Result<Option<Bytes>, StoreError> {
        let work = self.store.get(tenant, kind, id);
        self.time("get", kind.name(), work).await
    }

    async fn get_many(
        &self,
        tenant: &Tenant,
        kind: Kind,
        ids: &[Digest],
    ) -> Result<Vec<Option<Bytes>>, StoreError> {
        let work = self.store.get_many(tenant, kind, ids);
        self.time("get_many", kind.name(), work).await
    }

    async fn list(
        &self,
        tenant: &Tenant,
        kind: Kind,
        after: Option<Digest>,
        most: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        let work = self.store.list(tenant, kind, after, most);
        self.time("list", kind.name(), work).await
    }

    async fn sweep(
        &self,
        tenant: &Tenant,
        kind: Kind,
        objects: &[(Digest, SystemTime)],
    ) -> Result<u64, StoreError> {
        let work = self.store.sweep(tenant, kind, objects);
        self.time("sweep", kind.name(), work).await
    }

    async fn read(&self, tenant: &Tenant, at: &RefName) -> Result<Option<RefState>, StoreError> {
        let work = self.store.read(tenant, at);
        self.time("read", at.kind.name(), work).await
    }

    async fn advance(&self, tenant: &Tenant, change: Move) -> Result<Moved, StoreError> {
        let kind = change.at.kind.name();
        let work = self.store.advance(tenant, change);
        let ended = |done: &Result<Moved, StoreError>| match done {
            Ok(Moved::Stale(_)) => "stale",
            other => outcome(other),
        };
        self.metrics.time("advance", kind, ended, work).await
    }

    async fn forget(
        &self,
        tenant: &Tenant,
        at: &RefName,
        version: u64,
    ) -> Result<bool, StoreError> {
        let work = self.store.forget(tenant, at, version);
        self.time("forget", at.kind.name(), work).await
    }

    async fn refs(
        &self,
        tenant: &Tenant,
        kind: RefKind,
        after: Option<&str>,
        most: usize,
    ) -> Result<Vec<(String, RefState)>, StoreError> {
        let work = self.store.refs(tenant, kind, after, most);
        self.time("refs", kind.name(), work).await
    }

    async fn log(
        &self,
        tenant: &Tenant,
        at: &RefName,
        after: u64,
        most: usize,
    ) -> Result<Vec<Logged>, StoreError> {
        let work = self.store.log(tenant, at, after, most);
        self.time("log", at.kind.name(), work).await
    }

    async fn tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        self.time("tenants", "none", self.store.tenants()).await
    }

    fn moves(&self) -> broadcast::Receiver<(Tenant, RefName)> {
        self.store.moves()
    }

    fn connections(&self) -> Option<Connections> {
        self.store.connections()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.time("ping", "none", self.store.ping()).await
    }

    async fn close(&self) {
        self.store.close().await;
    }
}
