//! The front of a store: maps and positions, and a memory of those that were used of late.

use std::sync::Arc;

use alamein_terrain::{Digest, Map, Position};
use bytes::Bytes;
use moka::future::Cache;
use moka::notification::RemovalCause;

use crate::error::StoreError;
use crate::measured::Measured;
use crate::metrics::{Held, StoreMetrics};
use crate::object::{Kind, Listed, Object};
use crate::store::{Room, Store};
use crate::tenant::Tenant;

/// What a [`Keeper`] is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeeperConfig {
    /// How many bytes of maps and positions are remembered, as stores have them. Default 64 MiB.
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
    metrics: StoreMetrics,
}

/// Something that is remembered, and how many bytes a store has of it.
#[derive(Clone, Debug)]
struct Remembered {
    thing: Thing,
    len: u32,
}

#[derive(Clone, Debug)]
enum Thing {
    Map(Arc<Map>),
    Position(Arc<Position>),
}

impl Remembered {
    fn map(self) -> Option<Arc<Map>> {
        match self.thing {
            Thing::Map(map) => Some(map),
            Thing::Position(_) => None,
        }
    }

    fn position(self) -> Option<Arc<Position>> {
        match self.thing {
            Thing::Position(position) => Some(position),
            Thing::Map(_) => None,
        }
    }
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
        let cache = Cache::builder()
            .max_capacity(config.cache_bytes)
            .weigher(|_, it: &Remembered| it.len)
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
            metrics,
        }
    }

    /// What there is of the cache and of the store's connections, for whoever reads metrics.
    #[must_use]
    pub fn held(&self) -> Held {
        Held {
            connections: self.store.connections(),
            cache_bytes: self.cache.weighted_size(),
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
        self.remember(tenant, &object, Thing::Map(map)).await;
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
        let kept = Thing::Map(Arc::clone(position.map()));
        self.remember(tenant, &map, kept).await;
        self.remember(tenant, &object, Thing::Position(position))
            .await;
        Ok(new.get(1).copied().unwrap_or_default())
    }

    /// The map of an id, if it is there.
    ///
    /// # Errors
    /// Where the store cannot tell, or what it tells is damaged.
    pub async fn map(&self, tenant: &Tenant, id: Digest) -> Result<Option<Arc<Map>>, StoreError> {
        let key = (tenant.clone(), Kind::Map, id);
        let known = self.cache.get(&key).await.and_then(Remembered::map);
        self.metrics.looked_up(Kind::Map.name(), known.is_some());
        if let Some(map) = known {
            return Ok(Some(map));
        }
        let Some(object) = self.object(tenant, Kind::Map, id).await? else {
            return Ok(None);
        };
        let map = Map::from_canonical(object.bytes())
            .map_err(|error| StoreError::damaged(Kind::Map, id, error.to_string()))?;
        let map = Arc::new(map);
        self.remember(tenant, &object, Thing::Map(Arc::clone(&map)))
            .await;
        Ok(Some(map))
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
        let key = (tenant.clone(), Kind::Position, id);
        let known = self.cache.get(&key).await;
        let known = known.and_then(Remembered::position);
        self.metrics
            .looked_up(Kind::Position.name(), known.is_some());
        if let Some(position) = known {
            return Ok(Some(position));
        }
        let Some(object) = self.object(tenant, Kind::Position, id).await? else {
            return Ok(None);
        };
        let damaged = |what: String| StoreError::damaged(Kind::Position, id, what);
        let map_id = Position::map_id_in(object.bytes());
        let map_id = map_id.map_err(|error| damaged(error.to_string()))?;
        let map = self.map(tenant, map_id).await?;
        let map = map.ok_or_else(|| damaged(format!("its map {map_id} is not there")))?;
        let position = Position::from_canonical(object.bytes(), map);
        let position = Arc::new(position.map_err(|error| damaged(error.to_string()))?);
        let thing = Thing::Position(Arc::clone(&position));
        self.remember(tenant, &object, thing).await;
        Ok(Some(position))
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
        let Some(bytes) = self.store.get(tenant, kind, id).await? else {
            return Ok(None);
        };
        let object = Object::new(kind, bytes);
        if object.id() == id {
            return Ok(Some(object));
        }
        let what = format!("its bytes have the id {}", object.id());
        Err(StoreError::damaged(kind, id, what))
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

    async fn remember(&self, tenant: &Tenant, object: &Object, thing: Thing) {
        let key = (tenant.clone(), object.kind(), object.id());
        let len = object.bytes().len().try_into().unwrap_or(u32::MAX);
        self.cache.insert(key, Remembered { thing, len }).await;
    }
}
