//! A store in a file of its own, for one process: nothing has to be set up.
//!
//! Reads go straight to the file, on threads that may wait. Writes go through one thread, which writes all
//! that waits in one transaction and answers when the disk has confirmed it. What a disk refuses is told,
//! nothing of it is kept, and what was kept before is read on; when there is room again, it is written
//! again.

mod disk;
mod failed;
mod folder;
mod keys;
mod shared;
mod tables;
mod writer;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use alamein_terrain::Digest;
use async_trait::async_trait;
use bytes::Bytes;
use tokio::sync::{broadcast, oneshot};

use crate::error::StoreError;
use crate::object::{Kind, Listed, Object};
use crate::refs::{Logged, Move, Moved, RefKind, RefName, RefState};
use crate::store::{Room, Store};
use crate::tenant::Tenant;

use failed::Failed;
use folder::Folder;
use shared::Shared;
use tables::{Reading, Tables};
use writer::{Asked, Sender, Work};

/// How an [`Embedded`] store is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedConfig {
    /// The folder. It is made where it is not there.
    pub folder: PathBuf,
    /// How many bytes of its file are remembered; what is asked for often is remembered in front of it
    /// ([`KeeperConfig`](crate::KeeperConfig)). Default 8 MiB.
    pub cache_bytes: usize,
    /// Whether the whole file is checked when it is opened, which reads all of it. Without it, damage that
    /// came while the file was closed may go unseen. Default true.
    pub check: bool,
}

impl EmbeddedConfig {
    /// A store in this folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            cache_bytes: 8 << 20,
            check: true,
        }
    }
}

/// A store in a file of its own. One process has it at a time.
#[derive(Debug)]
pub struct Embedded {
    shared: Arc<Shared>,
    writer: Mutex<Option<Writer>>,
}

#[derive(Debug)]
struct Writer {
    send: Sender,
    thread: JoinHandle<()>,
}

impl std::fmt::Debug for dyn Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Work")
    }
}

impl Embedded {
    /// Opens a store. What was not finished when its process ended is mended first, so this may take its
    /// time and is not for a thread that must not wait.
    ///
    /// # Errors
    /// Where the folder cannot be used, somebody else uses it, a newer version wrote it, or it is damaged.
    pub fn open(config: &EmbeddedConfig) -> Result<Self, StoreError> {
        let folder = Folder::take(&config.folder, config.cache_bytes, config.check)?;
        let shared = Arc::new(Shared::open(folder)?);
        let started = writer::start(Arc::clone(&shared));
        let (send, thread) = started.map_err(|error| StoreError::Settings {
            what: format!("no thread to write on: {error}"),
        })?;
        let writer = Mutex::new(Some(Writer { send, thread }));
        Ok(Self { shared, writer })
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl Fn(&Reading<'_>) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, StoreError> {
        let shared = Arc::clone(&self.shared);
        let read = tokio::task::spawn_blocking(move || shared.read(read));
        read.await.unwrap_or_else(|_| Err(stopping()))
    }

    async fn write<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl Fn(&mut Tables<'_>) -> Result<Result<T, StoreError>, Failed> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (waits, told) = oneshot::channel();
        let asked = Asked {
            bytes,
            work,
            outcome: None,
            waits,
        };
        let send = self.sender().ok_or_else(stopping)?;
        let sent = send.send(Box::new(asked)).await;
        drop(send);
        sent.map_err(|_| stopping())?;
        told.await.unwrap_or_else(|_| Err(stopping()))
    }

    fn sender(&self) -> Option<Sender> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.as_ref().map(|writer| writer.send.clone())
    }

    fn stop(&self) -> Option<JoinHandle<()>> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.take().map(|writer| writer.thread)
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        // What waits is written, and the file is closed in order.
        if let Some(thread) = self.stop() {
            let _ = thread.join();
        }
    }
}

fn stopping() -> StoreError {
    StoreError::Unavailable {
        what: "it is being closed".into(),
        retry_after: Duration::from_secs(1),
    }
}

fn bytes_of(objects: &[Object]) -> usize {
    objects
        .iter()
        .map(|object| object.bytes().len() + 256)
        .sum()
}

#[async_trait]
impl Store for Embedded {
    fn name(&self) -> &'static str {
        "embedded"
    }

    async fn put(
        &self,
        tenant: &Tenant,
        objects: &[Object],
        room: &Room,
    ) -> Result<Vec<bool>, StoreError> {
        let (tenant, objects, room) = (tenant.clone(), objects.to_vec(), room.clone());
        let bytes = bytes_of(&objects);
        self.write(bytes, move |tables| tables.put(&tenant, &objects, &room))
            .await
    }

    async fn get(
        &self,
        tenant: &Tenant,
        kind: Kind,
        id: Digest,
    ) -> Result<Option<Bytes>, StoreError> {
        let tenant = tenant.clone();
        self.read(move |tables| tables.get(&tenant, kind, id)).await
    }

    async fn get_many(
        &self,
        tenant: &Tenant,
        kind: Kind,
        ids: &[Digest],
    ) -> Result<Vec<Option<Bytes>>, StoreError> {
        let (tenant, ids) = (tenant.clone(), ids.to_vec());
        self.read(move |tables| tables.get_many(&tenant, kind, &ids))
            .await
    }

    async fn list(
        &self,
        tenant: &Tenant,
        kind: Kind,
        after: Option<Digest>,
        most: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        let tenant = tenant.clone();
        self.read(move |tables| tables.list(&tenant, kind, after, most))
            .await
    }

    async fn sweep(
        &self,
        tenant: &Tenant,
        kind: Kind,
        objects: &[(Digest, SystemTime)],
    ) -> Result<u64, StoreError> {
        let (tenant, objects) = (tenant.clone(), objects.to_vec());
        let bytes = objects.len() * 256;
        self.write(bytes, move |tables| {
            tables.sweep(&tenant, kind, &objects).map(Ok)
        })
        .await
    }

    async fn read(&self, tenant: &Tenant, at: &RefName) -> Result<Option<RefState>, StoreError> {
        let (tenant, at) = (tenant.clone(), at.clone());
        self.read(move |tables| tables.read(&tenant, &at)).await
    }

    async fn advance(&self, tenant: &Tenant, change: Move) -> Result<Moved, StoreError> {
        let tenant = tenant.clone();
        let bytes = change.value.len() + bytes_of(&change.objects) + 512;
        self.write(bytes, move |tables| {
            tables.advance(&tenant, &change).map(Ok)
        })
        .await
    }

    async fn forget(
        &self,
        tenant: &Tenant,
        at: &RefName,
        version: u64,
    ) -> Result<bool, StoreError> {
        let (tenant, at) = (tenant.clone(), at.clone());
        self.write(512, move |tables| {
            tables.forget(&tenant, &at, version).map(Ok)
        })
        .await
    }

    async fn refs(
        &self,
        tenant: &Tenant,
        kind: RefKind,
        after: Option<&str>,
        most: usize,
    ) -> Result<Vec<(String, RefState)>, StoreError> {
        let (tenant, after) = (tenant.clone(), after.map(str::to_owned));
        self.read(move |tables| tables.refs(&tenant, kind, after.as_deref(), most))
            .await
    }

    async fn log(
        &self,
        tenant: &Tenant,
        at: &RefName,
        after: u64,
        most: usize,
    ) -> Result<Vec<Logged>, StoreError> {
        let (tenant, at) = (tenant.clone(), at.clone());
        self.read(move |tables| tables.log(&tenant, &at, after, most))
            .await
    }

    async fn tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        self.read(|tables| tables.tenants()).await
    }

    fn moves(&self) -> broadcast::Receiver<(Tenant, RefName)> {
        self.shared.moves.subscribe()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.write(0, |_| Ok(Ok(()))).await
    }

    async fn close(&self) {
        if let Some(thread) = self.stop() {
            let shared = Arc::clone(&self.shared);
            let end = move || {
                // It does not panic: what redb does is contained.
                let _ = thread.join();
                shared.close();
            };
            let _ = tokio::task::spawn_blocking(end).await;
        }
    }
}
