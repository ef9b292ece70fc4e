//! The front of a store: what it remembers, what it does not, and what it does not believe.
#![allow(clippy::unwrap_used, clippy::expect_used)] // A test may.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use alamein_hex::Grid;
use alamein_store::{
    Keeper, KeeperConfig, Kind, Listed, Logged, Memory, Move, Moved, Object, RefKind, RefName,
    RefState, Room, Store, StoreError, Tenant,
};
use alamein_terrain::{Digest, Environment, Map, Position};
use async_trait::async_trait;
use bytes::Bytes;
use tokio::sync::broadcast;

/// A store in memory that counts what is read, takes its time for it, and may give other bytes.
#[derive(Debug, Default)]
struct Slow {
    memory: Memory,
    reads: AtomicUsize,
    spoilt: bool,
}

#[async_trait]
impl Store for Slow {
    fn name(&self) -> &'static str {
        "slow"
    }

    async fn put(
        &self,
        of: &Tenant,
        objects: &[Object],
        room: &Room,
    ) -> Result<Vec<bool>, StoreError> {
        self.memory.put(of, objects, room).await
    }

    async fn get(&self, of: &Tenant, kind: Kind, id: Digest) -> Result<Option<Bytes>, StoreError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        let found = self.memory.get(of, kind, id).await?;
        Ok(found.map(|bytes| match self.spoilt {
            true => [&bytes[..], b"."].concat().into(),
            false => bytes,
        }))
    }

    async fn get_many(
        &self,
        of: &Tenant,
        kind: Kind,
        ids: &[Digest],
    ) -> Result<Vec<Option<Bytes>>, StoreError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        let mut found = self.memory.get_many(of, kind, ids).await?;
        if let Some(Some(last)) = found.last_mut().filter(|_| self.spoilt) {
            *last = [&last[..], b"."].concat().into();
        }
        Ok(found)
    }

    async fn list(
        &self,
        of: &Tenant,
        kind: Kind,
        after: Option<Digest>,
        most: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        self.memory.list(of, kind, after, most).await
    }

    async fn sweep(
        &self,
        of: &Tenant,
        kind: Kind,
        objects: &[(Digest, SystemTime)],
    ) -> Result<u64, StoreError> {
        self.memory.sweep(of, kind, objects).await
    }

    async fn read(&self, of: &Tenant, at: &RefName) -> Result<Option<RefState>, StoreError> {
        self.memory.read(of, at).await
    }

    async fn advance(&self, of: &Tenant, change: Move) -> Result<Moved, StoreError> {
        self.memory.advance(of, change).await
    }

    async fn forget(&self, of: &Tenant, at: &RefName, version: u64) -> Result<bool, StoreError> {
        self.memory.forget(of, at, version).await
    }

    async fn refs(
        &self,
        of: &Tenant,
        kind: RefKind,
        after: Option<&str>,
        most: usize,
    ) -> Result<Vec<(String, RefState)>, StoreError> {
        self.memory.refs(of, kind, after, most).await
    }

    async fn log(
        &self,
        of: &Tenant,
        at: &RefName,
        after: u64,
        most: usize,
    ) -> Result<Vec<Logged>, StoreError> {
        self.memory.log(of, at, after, most).await
    }

    async fn tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        self.memory.tenants().await
    }

    fn moves(&self) -> broadcast::Receiver<(Tenant, RefName)> {
        self.memory.moves()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.memory.ping().await
    }

    async fn close(&self) {}
}

fn position() -> Arc<Position> {
    let map = Arc::new(Map::flat(Grid::new(4, 4).unwrap()));
    Arc::new(Position::new(map, Vec::new(), Environment::default()).unwrap())
}

/// A store that has a position, and a keeper that does not remember it.
async fn kept(spoilt: bool) -> (Arc<Slow>, Keeper) {
    let slow = Arc::new(Slow {
        spoilt,
        ..Slow::default()
    });
    let store: Arc<dyn Store> = Arc::clone(&slow) as _;
    let first = Keeper::new(Arc::clone(&store), KeeperConfig::default());
    first
        .keep_position(&Tenant::main(), position())
        .await
        .unwrap();
    let other = Keeper::new(store, KeeperConfig::default());
    (slow, other)
}

#[tokio::test]
async fn of_many_that_want_the_same_one_reads_it() {
    let (slow, keeper) = kept(false).await;
    let readers = (0..50).map(|_| {
        let keeper = keeper.clone();
        tokio::spawn(async move { keeper.position(&Tenant::main(), position().id()).await })
    });
    for reader in readers.collect::<Vec<_>>() {
        assert_eq!(
            reader.await.unwrap().unwrap().unwrap().id(),
            position().id()
        );
    }
    // The position, and its map.
    assert_eq!(slow.reads.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn that_something_is_not_there_is_not_remembered() {
    let (slow, keeper) = kept(false).await;
    let (club, main): (Tenant, _) = ("club".parse().unwrap(), Tenant::main());
    for _ in 0..3 {
        assert_eq!(keeper.position(&club, position().id()).await, Ok(None));
    }
    assert_eq!(slow.reads.load(Ordering::SeqCst), 3);
    assert!(
        keeper
            .position(&main, position().id())
            .await
            .unwrap()
            .is_some()
    );
    keeper.keep_position(&club, position()).await.unwrap();
    assert!(
        keeper
            .position(&club, position().id())
            .await
            .unwrap()
            .is_some()
    );
}

#[tokio::test]
async fn many_are_read_at_once_and_checked_each() {
    let entries: Vec<Object> = (0..40_u8)
        .map(|it| Object::new(Kind::Entry, vec![it; 9]))
        .collect();
    let ids: Vec<Digest> = entries.iter().map(Object::id).collect();
    for spoilt in [false, true] {
        let (slow, keeper) = kept(spoilt).await;
        // One of them is not there.
        for entry in entries.iter().skip(1) {
            keeper.keep(&Tenant::main(), entry.clone()).await.unwrap();
        }
        let found = keeper.objects(&Tenant::main(), Kind::Entry, &ids).await;
        assert_eq!(slow.reads.load(Ordering::SeqCst), 1);
        if spoilt {
            let Err(StoreError::Damaged { at, .. }) = found else {
                panic!("{found:?}")
            };
            assert!(at.contains(&ids[39].to_string()), "{at}");
            continue;
        }
        let found = found.unwrap();
        assert_eq!(found[0], None);
        let rest: Vec<Object> = found.into_iter().skip(1).flatten().collect();
        assert_eq!(rest, entries[1..]);
    }
}

#[tokio::test]
async fn bytes_with_another_hash_are_not_believed() {
    let (_slow, keeper) = kept(true).await;
    for read in [
        keeper
            .position(&Tenant::main(), position().id())
            .await
            .err(),
        keeper.map(&Tenant::main(), position().map_id()).await.err(),
    ] {
        let Some(StoreError::Damaged { at, what }) = read else {
            panic!("{read:?}")
        };
        assert!(
            at.contains(' ') && what.starts_with("its bytes have the id"),
            "{at}: {what}"
        );
    }
}
