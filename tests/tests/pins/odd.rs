//! A store in memory that can fail, and counts what is asked of it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use alamein_store::{
    Kind, Listed, Logged, Memory, Move, Moved, Object, RefKind, RefName, RefState, Room, Store,
    StoreError, Tenant,
};
use alamein_terrain::Digest;
use bytes::Bytes;
use tokio::sync::broadcast::Receiver;

/// A store in memory that can fail.
#[derive(Debug, Default)]
pub(crate) struct Odd {
    memory: Memory,
    /// Whether it cannot be reached.
    pub(crate) down: AtomicBool,
    /// Whether it gives builds with one bit changed.
    pub(crate) rotten: AtomicBool,
    /// How many builds were read.
    pub(crate) builds: AtomicU64,
    /// How often it was asked for anything.
    pub(crate) asked: AtomicU64,
}

impl Odd {
    fn up(&self) -> Result<&Memory, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if self.down.load(Ordering::Relaxed) {
            return Err(StoreError::Unavailable {
                what: "its cable is cut".into(),
                retry_after: Duration::from_millis(300),
            });
        }
        Ok(&self.memory)
    }
}

#[tonic::async_trait]
impl Store for Odd {
    fn name(&self) -> &'static str {
        "odd"
    }

    async fn put(
        &self,
        tenant: &Tenant,
        objects: &[Object],
        room: &Room,
    ) -> Result<Vec<bool>, StoreError> {
        self.up()?.put(tenant, objects, room).await
    }

    async fn get(
        &self,
        tenant: &Tenant,
        kind: Kind,
        id: Digest,
    ) -> Result<Option<Bytes>, StoreError> {
        let bytes = self.up()?.get(tenant, kind, id).await?;
        if kind != Kind::Build {
            return Ok(bytes);
        }
        self.builds.fetch_add(1, Ordering::Relaxed);
        let rotten = self.rotten.load(Ordering::Relaxed);
        Ok(bytes.map(|bytes| match rotten {
            false => bytes,
            true => {
                let mut bytes = bytes.to_vec();
                let last = bytes.len() - 1;
                bytes[last] ^= 1;
                bytes.into()
            }
        }))
    }

    async fn get_many(
        &self,
        tenant: &Tenant,
        kind: Kind,
        ids: &[Digest],
    ) -> Result<Vec<Option<Bytes>>, StoreError> {
        assert_ne!(kind, Kind::Build, "they are large, and read one at a time");
        self.up()?.get_many(tenant, kind, ids).await
    }

    async fn list(
        &self,
        tenant: &Tenant,
        kind: Kind,
        after: Option<Digest>,
        most: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        self.up()?.list(tenant, kind, after, most).await
    }

    async fn sweep(
        &self,
        tenant: &Tenant,
        kind: Kind,
        objects: &[(Digest, SystemTime)],
    ) -> Result<u64, StoreError> {
        self.up()?.sweep(tenant, kind, objects).await
    }

    async fn read(&self, tenant: &Tenant, at: &RefName) -> Result<Option<RefState>, StoreError> {
        self.up()?.read(tenant, at).await
    }

    async fn advance(&self, tenant: &Tenant, change: Move) -> Result<Moved, StoreError> {
        self.up()?.advance(tenant, change).await
    }

    async fn forget(
        &self,
        tenant: &Tenant,
        at: &RefName,
        version: u64,
    ) -> Result<bool, StoreError> {
        self.up()?.forget(tenant, at, version).await
    }

    async fn refs(
        &self,
        tenant: &Tenant,
        kind: RefKind,
        after: Option<&str>,
        most: usize,
    ) -> Result<Vec<(String, RefState)>, StoreError> {
        self.up()?.refs(tenant, kind, after, most).await
    }

    async fn log(
        &self,
        tenant: &Tenant,
        at: &RefName,
        after: u64,
        most: usize,
    ) -> Result<Vec<Logged>, StoreError> {
        self.up()?.log(tenant, at, after, most).await
    }

    async fn tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        self.up()?.tenants().await
    }

    fn moves(&self) -> Receiver<(Tenant, RefName)> {
        self.memory.moves()
    }

    async fn close(&self) {
        self.memory.close().await;
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.up()?.ping().await
    }
}
