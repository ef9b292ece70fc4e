//! A store in memory, for trying out and for tests. It forgets all when the process ends.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use alamein_terrain::Digest;
use async_trait::async_trait;
use bytes::Bytes;
use tokio::sync::broadcast;

use crate::error::StoreError;
use crate::object::{Kind, Listed, Object};
use crate::packed::{Bases, Packed};
use crate::refs::{Logged, Move, Moved, RefKind, RefName, RefState};
use crate::store::{Room, Store};
use crate::tenant::Tenant;

/// How many moves may be told before a receiver lags.
const MOVES: usize = 1024;

/// A store in memory.
#[derive(Debug)]
pub struct Memory {
    tenants: Mutex<BTreeMap<Tenant, Kept>>,
    moves: broadcast::Sender<(Tenant, RefName)>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            tenants: Mutex::default(),
            moves: broadcast::Sender::new(MOVES),
        }
    }
}

/// What is kept of one tenant.
#[derive(Debug, Default)]
struct Kept {
    objects: BTreeMap<(Kind, Digest), (Packed, SystemTime)>,
    /// What positions are packed against.
    bases: Bases,
    refs: BTreeMap<RefName, RefState>,
    logs: BTreeMap<(RefName, u64), Digest>,
}

impl Kept {
    fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.refs.is_empty()
    }

    fn count(&self, kind: Kind) -> u64 {
        let (least, most) = (Digest::from_bytes([0; 32]), Digest::from_bytes([255; 32]));
        self.objects.range((kind, least)..=(kind, most)).count() as u64
    }

    fn check_room(&self, objects: &[Object], room: &Room) -> Result<(), StoreError> {
        for (kind, most) in &room.0 {
            let of_kind = objects.iter().filter(|object| object.kind() == *kind);
            let new: std::collections::BTreeSet<_> = of_kind
                .map(|object| (*kind, object.id()))
                .filter(|key| !self.objects.contains_key(key))
                .collect();
            if !new.is_empty() && self.count(*kind) + new.len() as u64 > *most {
                let (kind, most) = (*kind, *most);
                return Err(StoreError::TooMany { kind, most });
            }
        }
        Ok(())
    }

    fn put(&mut self, object: &Object) -> bool {
        let key = (object.kind(), object.id());
        let now = SystemTime::now();
        if let Some((_, at)) = self.objects.get_mut(&key) {
            // Later than before, whatever the clock says: nothing that goes by the old time takes it away.
            *at = now.max(*at + Duration::from_micros(1));
            return false;
        }
        let bytes = object.bytes();
        let packed = match object.kind() {
            Kind::Position => self.bases.pack(bytes),
            _ => Packed::whole(bytes.clone()),
        };
        self.objects.insert(key, (packed, now));
        true
    }

    fn get(&self, kind: Kind, id: Digest) -> Result<Option<Bytes>, StoreError> {
        let Some((packed, _)) = self.objects.get(&(kind, id)) else {
            return Ok(None);
        };
        let damaged = || StoreError::damaged(kind, id, "it cannot be unpacked".to_owned());
        packed.bytes().map(Some).ok_or_else(damaged)
    }
}

impl Memory {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<Tenant, Kept>> {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, tenant: &Tenant, at: RefName) {
        // That nobody listens is fine.
        let _ = self.moves.send((tenant.clone(), at));
    }

    fn of<T: Default>(&self, tenant: &Tenant, read: impl FnOnce(&Kept) -> T) -> T {
        self.all().get(tenant).map(read).unwrap_or_default()
    }
}

#[async_trait]
impl Store for Memory {
    fn name(&self) -> &'static str {
        "memory"
    }

    async fn put(
        &self,
        tenant: &Tenant,
        objects: &[Object],
        room: &Room,
    ) -> Result<Vec<bool>, StoreError> {
        let mut all = self.all();
        let kept = all.entry(tenant.clone()).or_default();
        kept.check_room(objects, room)?;
        Ok(objects.iter().map(|object| kept.put(object)).collect())
    }

    async fn get(
        &self,
        tenant: &Tenant,
        kind: Kind,
        id: Digest,
    ) -> Result<Option<Bytes>, StoreError> {
        let all = self.all();
        all.get(tenant).map_or(Ok(None), |kept| kept.get(kind, id))
    }

    async fn get_many(
        &self,
        tenant: &Tenant,
        kind: Kind,
        ids: &[Digest],
    ) -> Result<Vec<Option<Bytes>>, StoreError> {
        let all = self.all();
        let Some(kept) = all.get(tenant) else {
            return Ok(vec![None; ids.len()]);
        };
        ids.iter().map(|id| kept.get(kind, *id)).collect()
    }

    async fn list(
        &self,
        tenant: &Tenant,
        kind: Kind,
        after: Option<Digest>,
        most: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        let from = match after {
            Some(after) => Bound::Excluded((kind, after)),
            None => Bound::Included((kind, Digest::from_bytes([0; 32]))),
        };
        Ok(self.of(tenant, |kept| {
            let range = kept.objects.range((from, Bound::Unbounded));
            let of_kind = range.take_while(|((it, _), _)| *it == kind);
            let listed = of_kind.map(|((_, id), (packed, kept_at))| Listed {
                id: *id,
                len: packed.len() as u64,
                kept_at: *kept_at,
            });
            listed.take(most).collect()
        }))
    }

    async fn sweep(
        &self,
        tenant: &Tenant,
        kind: Kind,
        objects: &[(Digest, SystemTime)],
    ) -> Result<u64, StoreError> {
        let mut all = self.all();
        let Some(kept) = all.get_mut(tenant) else {
            return Ok(0);
        };
        let before = kept.objects.len();
        for (id, time) in objects {
            let key = (kind, *id);
            if kept.objects.get(&key).is_some_and(|(_, at)| at <= time) {
                kept.objects.remove(&key);
            }
        }
        Ok((before - kept.objects.len()) as u64)
    }

    async fn read(&self, tenant: &Tenant, at: &RefName) -> Result<Option<RefState>, StoreError> {
        Ok(self.of(tenant, |kept| kept.refs.get(at).cloned()))
    }

    async fn advance(&self, tenant: &Tenant, change: Move) -> Result<Moved, StoreError> {
        let mut all = self.all();
        let kept = all.entry(tenant.clone()).or_default();
        let now = kept.refs.get(&change.at);
        if now.map_or(0, |state| state.version) != change.from {
            return Ok(Moved::Stale(now.cloned()));
        }
        change.objects.iter().for_each(|object| {
            kept.put(object);
        });
        let state = RefState {
            version: change.from + 1,
            value: change.value,
        };
        if let Some(id) = change.log {
            kept.logs.insert((change.at.clone(), state.version), id);
        }
        kept.refs.insert(change.at.clone(), state.clone());
        drop(all);
        self.tell(tenant, change.at);
        Ok(Moved::Done(state))
    }

    async fn forget(
        &self,
        tenant: &Tenant,
        at: &RefName,
        version: u64,
    ) -> Result<bool, StoreError> {
        let mut all = self.all();
        let Some(kept) = all.get_mut(tenant) else {
            return Ok(false);
        };
        if kept
            .refs
            .get(at)
            .is_none_or(|state| state.version != version)
        {
            return Ok(false);
        }
        kept.refs.remove(at);
        kept.logs.retain(|(name, _), _| name != at);
        drop(all);
        self.tell(tenant, at.clone());
        Ok(true)
    }

    async fn refs(
        &self,
        tenant: &Tenant,
        kind: RefKind,
        after: Option<&str>,
        most: usize,
    ) -> Result<Vec<(String, RefState)>, StoreError> {
        let from = match after {
            Some(after) => Bound::Excluded(RefName::new(kind, after)),
            None => Bound::Included(RefName::new(kind, "")),
        };
        Ok(self.of(tenant, |kept| {
            let range = kept.refs.range((from, Bound::Unbounded));
            let of_kind = range.take_while(|(at, _)| at.kind == kind);
            let named = of_kind.map(|(at, state)| (at.name.clone(), state.clone()));
            named.take(most).collect()
        }))
    }

    async fn log(
        &self,
        tenant: &Tenant,
        at: &RefName,
        after: u64,
        most: usize,
    ) -> Result<Vec<Logged>, StoreError> {
        let (from, to) = ((at.clone(), after), (at.clone(), u64::MAX));
        Ok(self.of(tenant, |kept| {
            let range = (Bound::Excluded(from), Bound::Included(to));
            let lines = kept.logs.range(range).map(|((_, version), id)| Logged {
                version: *version,
                id: *id,
            });
            lines.take(most).collect()
        }))
    }

    async fn tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        let all = self.all();
        let some = all.iter().filter(|(_, kept)| !kept.is_empty());
        Ok(some.map(|(tenant, _)| tenant.clone()).collect())
    }

    fn moves(&self) -> broadcast::Receiver<(Tenant, RefName)> {
        self.moves.subscribe()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn close(&self) {}
}
