//! The front of a store: maps and positions, and a memory of those that were used of late.

use std::sync::{Arc, Mutex, PoisonError};

use alamein_terrain::{Counter, Digest, Map, Position};
use bytes::Bytes;
use moka::future::Cache;
use moka::notification::RemovalCause;

use crate::error::StoreError;
use crate::measured::Measured;
use crate::metrics::{Held, StoreMetrics};
use crate::object::{Kind, Listed, Object};
use crate::packed::{Bases, Packed};
use crate::store::{Room, Store};
use crate::tenant::Tenant;

/// What remembering one thing takes beside its bytes, more or less.
const OVERHEAD: u32 = 256;

/// Which part of what is remembered is of positions that are ready to be asked about; the others are
/// packed.
const READY: u64 = 16;

/// What a [`Keeper`] is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeeperConfig {
    /// How many bytes of maps and positions are remembered. Default 64 MiB.
    pub cache_bytes: u64,
    /// How many things of each kind a tenant may keep. Default: any number.
    pub room: Room,
}

impl Default for KeeperConfig {
    fn default() -> Self {
        Self {
            cache_bytes: 64 << 20,
            room: Room::default(),
        }
    }
}

/// Keeps maps and positions in a store, and remembers those that were used of late. Clones share all.
///
/// What comes out of the store is checked: its bytes must have the id that was asked for.
#[derive(Clone, Debug)]
pub struct Keeper {
    store: Arc<dyn Store>,
    room: Arc<Room>,
    cache: Cache<(Tenant, Kind, Digest), Remembered>,
    /// Positions as they are asked about, many times as large as packed ones.
    ready: Cache<(Tenant, Digest), Arc<Position>>,
    /// What positions are packed against, of all tenants.
    bases: Arc<Mutex<Bases>>,
    metrics: StoreMetrics,
}

/// Something that is remembered, and how many bytes it takes, more or less.
#[derive(Clone, Debug)]
struct Remembered {
    thing: Thing,
    len: u32,
}

#[derive(Clone, Debug)]
enum Thing {
    Map(Arc<Map>),
    Position(Packed),
}

/// Why something was not loaded.
#[derive(Debug)]
enum Missed {
    NotThere,
    Store(StoreError),
}

impl From<StoreError> for Missed {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Remembered {
    fn map(object: &Object, map: Arc<Map>) -> Self {
        Self::of(Thing::Map(map), object.bytes().len())
    }

    fn of(thing: Thing, bytes: usize) -> Self {
        let len = bytes.try_into().unwrap_or(u32::MAX);
        Self { thing, len }
    }
}

/// How many bytes a position takes that is ready, more or less, without its map.
fn taken(position: &Position) -> u32 {
    // Its strings are short.
    let counters = position.counters().len() * (size_of::<Counter>() + 64);
    let bytes = size_of::<Position>() + counters;
    u32::try_from(bytes)
        .unwrap_or(u32::MAX)
        .saturating_add(OVERHEAD)
}

impl Keeper {
    /// A keeper in front of a store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, config: KeeperConfig) -> Self {
        Self::counting(store, config, StoreMetrics::default())
    }

    /// A keeper in front of a store, which counts and traces what it does.
    #[must_use]
    pub fn counting(store: Arc<dyn Store>, config: KeeperConfig, metrics: StoreMetrics) -> Self {
        let evicted = metrics.clone();
        let ready = config.cache_bytes / READY;
        let cache = Cache::builder()
            .max_capacity(config.cache_bytes - ready)
            .weigher(|_, it: &Remembered| it.len.saturating_add(OVERHEAD))
            .eviction_listener(move |_, _, cause| match cause {
                RemovalCause::Size => evicted.evicted("size"),
                RemovalCause::Expired => evicted.evicted("age"),
                RemovalCause::Explicit | RemovalCause::Replaced => {}
            })
            .build();
        Self {
            store: Arc::new(Measured::new(store, metrics.clone())),
            room: Arc::new(config.room),
            cache,
            ready: Cache::builder()
                .max_capacity(ready)
                .weigher(|_, position: &Arc<Position>| taken(position))
                .build(),
            bases: Arc::default(),
            metrics,
        }
    }

    /// What there is of the cache and of the store's connections, for whoever reads metrics.
    #[must_use]
    pub fn held(&self) -> Held {
        Held {
            connections: self.store.connections(),
            cache_bytes: self.cache.weighted_size() + self.ready.weighted_size(),
            cache_entries: self.cache.entry_count(),
        }
    }

    /// The store behind it.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// How many things of each kind a tenant may keep.
    #[must_use]
    pub fn room(&self) -> &Room {
        &self.room
    }

    /// Keeps a map. Tells whether it is new here.
    ///
    /// # Errors
    /// Where the store does not take it.
    pub async fn keep_map(&self, tenant: &Tenant, map: Arc<Map>) -> Result<bool, StoreError> {
        let object = Object::new(Kind::Map, map.canonical());
        let new = self
            .store
            .put(tenant, std::slice::from_ref(&object), &self.room);
        let new = new.await?.contains(&true);
        self.remember(tenant, &object, Remembered::map(&object, map))
            .await;
        Ok(new)
    }

    /// Keeps a position and its map. Tells whether the position is new here.
    ///
    /// # Errors
    /// Where the store does not take it.
    pub async fn keep_position(
        &self,
        tenant: &Tenant,
        position: Arc<Position>,
    ) -> Result<bool, StoreError> {
        let map = Object::new(Kind::Map, position.map().canonical());
        let object = Object::new(Kind::Position, position.canonical());
        let objects = [map, object];
        let new = self.store.put(tenant, &objects, &self.room).await?;
        let [map, object] = objects;
        let kept = Remembered::map(&map, Arc::clone(position.map()));
        self.remember(tenant, &map, kept).await;
        let packed = self.packed(&object);
        self.remember(tenant, &object, packed).await;
        self.ready
            .insert((tenant.clone(), object.id()), position)
            .await;
        Ok(new.get(1).copied().unwrap_or_default())
    }

    /// The map of an id, if it is there.
    ///
    /// # Errors
    /// Where the store cannot tell, or what it tells is damaged.
    pub async fn map(&self, tenant: &Tenant, id: Digest) -> Result<Option<Arc<Map>>, StoreError> {
        let load = || self.load_map(tenant, id);
        let found = self.remembered(tenant, Kind::Map, id, load).await?;
        Ok(found.and_then(|found| match found.thing {
            Thing::Map(map) => Some(map),
            Thing::Position(_) => None,
        }))
    }

    async fn load_map(&self, tenant: &Tenant, id: Digest) -> Result<Remembered, Missed> {
        let object = self.object(tenant, Kind::Map, id).await?;
        let object = object.ok_or(Missed::NotThere)?;
        let map = Map::from_canonical(object.bytes())
            .map_err(|error| StoreError::damaged(Kind::Map, id, error.to_string()))?;
        Ok(Remembered::map(&object, Arc::new(map)))
    }

    /// The position of an id, if it is there.
    ///
    /// # Errors
    /// Where the store cannot tell, or what it tells is damaged.
    pub async fn position(
        &self,
        tenant: &Tenant,
        id: Digest,
    ) -> Result<Option<Arc<Position>>, StoreError> {
        let key = (tenant.clone(), id);
        if let Some(ready) = self.ready.get(&key).await {
            self.metrics.looked_up(Kind::Position.name(), true);
            return Ok(Some(ready));
        }
        let load = || self.load_position(tenant, id);
        let found = self.remembered(tenant, Kind::Position, id, load).await?;
        // It is ready where it was just loaded.
        if let (Some(_), Some(ready)) = (&found, self.ready.get(&key).await) {
            return Ok(Some(ready));
        }
        let Some(Thing::Position(packed)) = found.map(|found| found.thing) else {
            return Ok(None);
        };
        let bytes = packed.bytes();
        let bytes = bytes.ok_or_else(|| {
            StoreError::damaged(Kind::Position, id, "it cannot be unpacked".to_owned())
        })?;
        let position = self.read_position(tenant, id, &bytes).await?;
        self.ready.insert(key, Arc::clone(&position)).await;
        Ok(Some(position))
    }

    async fn load_position(&self, tenant: &Tenant, id: Digest) -> Result<Remembered, Missed> {
        let object = self.object(tenant, Kind::Position, id).await?;
        let object = object.ok_or(Missed::NotThere)?;
        let position = self.read_position(tenant, id, object.bytes()).await?;
        self.ready.insert((tenant.clone(), id), position).await;
        Ok(self.packed(&object))
    }

    /// A position of its canonical form, with its map.
    async fn read_position(
        &self,
        tenant: &Tenant,
        id: Digest,
        bytes: &[u8],
    ) -> Result<Arc<Position>, StoreError> {
        let damaged = |what: String| StoreError::damaged(Kind::Position, id, what);
        let map_id = Position::map_id_in(bytes);
        let map_id = map_id.map_err(|error| damaged(error.to_string()))?;
        let map = self.map(tenant, map_id).await?;
        let map = map.ok_or_else(|| damaged(format!("its map {map_id} is not there")))?;
        let position = Position::from_canonical(bytes, map);
        let position = position.map_err(|error| damaged(error.to_string()))?;
        Ok(Arc::new(position))
    }

    /// A position as what differs from others like it.
    fn packed(&self, object: &Object) -> Remembered {
        let mut bases = self.bases.lock().unwrap_or_else(PoisonError::into_inner);
        let packed = bases.pack(object.bytes());
        let takes = packed.takes();
        Remembered::of(Thing::Position(packed), takes)
    }

    /// What is remembered, or else is loaded; of many who want the same at once, one loads it for all.
    /// That something is not there is not remembered.
    async fn remembered<F: Future<Output = Result<Remembered, Missed>>>(
        &self,
        tenant: &Tenant,
        kind: Kind,
        id: Digest,
        load: impl FnOnce() -> F,
    ) -> Result<Option<Remembered>, StoreError> {
        let key = (tenant.clone(), kind, id);
        let known = self.cache.get(&key).await;
        self.metrics.looked_up(kind.name(), known.is_some());
        if known.is_some() {
            return Ok(known);
        }
        // Apart: it is ten times as large as all the rest, and whoever calls this carries it with everything
        // that waits for the answer, most of whom find it remembered.
        match Box::pin(self.cache.try_get_with(key, load())).await {
            Ok(loaded) => Ok(Some(loaded)),
            Err(missed) => match &*missed {
                Missed::NotThere => Ok(None),
                Missed::Store(error) => Err(error.clone()),
            },
        }
    }

    /// An object of any kind, if it is there. Its bytes have its id.
    ///
    /// # Errors
    /// Where the store cannot tell, or what it tells is damaged.
    pub async fn object(
        &self,
        tenant: &Tenant,
        kind: Kind,
        id: Digest,
    ) -> Result<Option<Object>, StoreError> {
        let bytes = self.store.get(tenant, kind, id).await?;
        bytes.map(|bytes| checked(kind, id, bytes)).transpose()
    }

    /// Several objects of a kind, each in the place of its id, and nothing in the places of those that are
    /// not there. The store is asked once.
    ///
    /// # Errors
    /// Where the store cannot tell, or what it tells of any of them is damaged.
    pub async fn objects(
        &self,
        tenant: &Tenant,
        kind: Kind,
        ids: &[Digest],
    ) -> Result<Vec<Option<Object>>, StoreError> {
        let found = self.store.get_many(tenant, kind, ids).await?;
        let checked = |(id, bytes): (&Digest, Option<Bytes>)| {
            bytes.map(|bytes| checked(kind, *id, bytes)).transpose()
        };
        ids.iter().zip(found).map(checked).collect()
    }

    /// Keeps an object of any kind. Tells whether it is new here.
    ///
    /// # Errors
    /// Where the store does not take it.
    pub async fn keep(&self, tenant: &Tenant, object: Object) -> Result<bool, StoreError> {
        let bytes: &Bytes = object.bytes();
        tracing::trace!(kind = object.kind().name(), bytes = bytes.len(), "kept");
        let new = self.store.put(tenant, &[object], &self.room).await?;
        Ok(new.contains(&true))
    }

    /// So many objects of a kind in the order of their ids, those after `after`, and whether there are
    /// more.
    ///
    /// # Errors
    /// Where the store cannot tell.
    pub async fn page(
        &self,
        tenant: &Tenant,
        kind: Kind,
        after: Option<Digest>,
        size: usize,
    ) -> Result<(Vec<Listed>, bool), StoreError> {
        let mut listed = self.store.list(tenant, kind, after, size + 1).await?;
        let more = listed.len() > size;
        listed.truncate(size);
        Ok((listed, more))
    }

    async fn remember(&self, tenant: &Tenant, object: &Object, remembered: Remembered) {
        let key = (tenant.clone(), object.kind(), object.id());
        self.cache.insert(key, remembered).await;
    }
}

/// The object of these bytes, if they have the id that was asked for.
fn checked(kind: Kind, id: Digest, bytes: Bytes) -> Result<Object, StoreError> {
    let object = Object::new(kind, bytes);
    if object.id() == id {
        return Ok(object);
    }
    let what = format!("its bytes have the id {}", object.id());
    Err(StoreError::damaged(kind, id, what))
}
