//! What the laws keep.

use std::time::Duration;

use alamein_store::{Kind, Logged, Move, Object, RefName, RefState, Room, Store, Tenant};
use alamein_terrain::Digest;
use bytes::Bytes;

/// How long something may take on a machine that does much else.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn tenant(name: &str) -> Tenant {
    name.parse().unwrap()
}

pub(crate) fn map(text: &str) -> Object {
    Object::new(Kind::Map, text.to_owned())
}

pub(crate) fn any_room() -> Room {
    Room::default()
}

/// A ref at a version, as it is to be moved to a value.
pub(crate) fn to(at: &RefName, from: u64, value: &str) -> Move {
    Move {
        at: at.clone(),
        from,
        value: Bytes::from(value.to_owned()),
        log: Some(Digest::of(value.as_bytes())),
        objects: Vec::new(),
    }
}

pub(crate) fn state(version: u64, value: &str) -> RefState {
    RefState {
        version,
        value: Bytes::from(value.to_owned()),
    }
}

pub(crate) fn line(version: u64, value: &str) -> Logged {
    Logged {
        version,
        id: Digest::of(value.as_bytes()),
    }
}

/// All ids of a kind, read in pages of this size.
pub(crate) async fn ids(store: &dyn Store, of: &Tenant, kind: Kind, page: usize) -> Vec<Digest> {
    let mut ids = Vec::new();
    loop {
        let after = ids.last().copied();
        let listed = store.list(of, kind, after, page).await.unwrap();
        ids.extend(listed.iter().map(|listed| listed.id));
        if listed.len() < page {
            return ids;
        }
    }
}

/// Keeps one object in any room, and tells whether it was new.
pub(crate) async fn put(store: &dyn Store, of: &Tenant, object: &Object) -> bool {
    let (objects, room) = (std::slice::from_ref(object), any_room());
    store.put(of, objects, &room).await.unwrap()[0]
}
