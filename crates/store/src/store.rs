//! What a store is.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::time::SystemTime;

use alamein_terrain::Digest;
use async_trait::async_trait;
use bytes::Bytes;
use tokio::sync::broadcast;

use crate::error::StoreError;
use crate::object::{Kind, Listed, Object};
use crate::refs::{Logged, Move, Moved, RefKind, RefName, RefState};
use crate::tenant::Tenant;

/// How many things of each kind a tenant may keep. A kind that is not named has no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room(pub BTreeMap<Kind, u64>);

/// The connections of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Connections {
    /// How many are open.
    pub open: usize,
    /// How many of these wait for work.
    pub idle: usize,
    /// How many there may be.
    pub most: usize,
}

/// Keeps objects and refs.
///
/// Every method is about one tenant, and finds nothing of another. What a method has told to be done is
/// on a disk, or wherever the store keeps things so that they outlast the process. Calls may be dropped
/// at any time: what they were to do is then done wholly or not at all.
///
/// # Errors
/// Each method fails where the store cannot be reached or is damaged, and those that write where it
/// cannot write.
#[async_trait]
pub trait Store: Debug + Send + Sync + 'static {
    /// What it is called in metrics and messages, such as `embedded`.
    fn name(&self) -> &'static str;

    /// Keeps objects: all, or none. Tells of each whether it is new here. One that is there already is
    /// marked as kept now, and in any case later than before, so that nothing sweeps it away.
    ///
    /// # Errors
    /// [`StoreError::TooMany`] too, where there is no room.
    async fn put(
        &self,
        tenant: &Tenant,
        objects: &[Object],
        room: &Room,
    ) -> Result<Vec<bool>, StoreError>;

    /// The bytes of an object. Whether they are what they were, [`Keeper`](crate::Keeper) checks.
    async fn get(
        &self,
        tenant: &Tenant,
        kind: Kind,
        id: Digest,
    ) -> Result<Option<Bytes>, StoreError>;

    /// The bytes of several objects of a kind as they are at one moment, each in the place of its id, and
    /// nothing in the places of those that are not there. Like [`get`](Self::get), it does not check them.
    async fn get_many(
        &self,
        tenant: &Tenant,
        kind: Kind,
        ids: &[Digest],
    ) -> Result<Vec<Option<Bytes>>, StoreError>;

    /// So many objects of a kind in the order of their ids, those after `after`. Fewer than asked for
    /// means that there are no more.
    async fn list(
        &self,
        tenant: &Tenant,
        kind: Kind,
        after: Option<Digest>,
        most: usize,
    ) -> Result<Vec<Listed>, StoreError>;

    /// Drops objects of a kind, each unless it was kept again after the time that is given with it. Tells
    /// how many are gone.
    async fn sweep(
        &self,
        tenant: &Tenant,
        kind: Kind,
        objects: &[(Digest, SystemTime)],
    ) -> Result<u64, StoreError>;

    /// Where a ref stands, if there is one.
    async fn read(&self, tenant: &Tenant, at: &RefName) -> Result<Option<RefState>, StoreError>;

    /// Moves a ref. Of two that want to move it from the same version, one does.
    async fn advance(&self, tenant: &Tenant, change: Move) -> Result<Moved, StoreError>;

    /// Drops a ref that has this version, and its log. Tells whether it is gone.
    async fn forget(&self, tenant: &Tenant, at: &RefName, version: u64)
    -> Result<bool, StoreError>;

    /// So many refs of a kind in the order of their names, those after `after`. Fewer than asked for
    /// means that there are no more.
    async fn refs(
        &self,
        tenant: &Tenant,
        kind: RefKind,
        after: Option<&str>,
        most: usize,
    ) -> Result<Vec<(String, RefState)>, StoreError>;

    /// So many lines of a ref's log in order, those after the version `after`.
    async fn log(
        &self,
        tenant: &Tenant,
        at: &RefName,
        after: u64,
        most: usize,
    ) -> Result<Vec<Logged>, StoreError>;

    /// Everybody of whom something is kept.
    async fn tenants(&self) -> Result<Vec<Tenant>, StoreError>;

    /// Tells of each ref that moved, here or by way of another process. It may be told late, twice or for
    /// nothing, and what is told while another process cannot be heard is lost: whoever waits for a ref
    /// reads it, and looks by itself from time to time too. A receiver that lags has missed some: whatever
    /// it waits for may have moved.
    fn moves(&self) -> broadcast::Receiver<(Tenant, RefName)>;

    /// How many connections it has to where it keeps things, if it has any.
    fn connections(&self) -> Option<Connections> {
        None
    }

    /// Whether it can be reached and written.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Finishes what was begun and lets go of what it holds. Nothing can be written afterwards. Dropping it
    /// does the same, but makes the thread wait.
    async fn close(&self);
}
