//! Positions that requests carry, remembered for as long as they are asked about.
//!
//! Who asks about one position again and again may send it whole each time. To make it anew would take far
//! longer than to rule on it. The same bytes make the same position, and one that was made is never changed.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use alamein_proto::v1::{self, position::MapSource};
use alamein_store::Tenant;
use alamein_terrain::{Digest, Position};
use lru::LruCache;
use prost::Message as _;

/// How many are remembered.
const MOST: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");

/// The longest that is remembered, in bytes as it is sent: all together take no more than some tens of MiB.
const LONGEST: usize = 64 << 10;

/// What was carried of late. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Carried(Arc<Mutex<LruCache<Known, Arc<Position>>>>);

/// Whose it is, and what it is. Of what others sent nobody learns, not even by how long it takes.
pub(crate) type Known = (Tenant, Digest);

impl Default for Carried {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(LruCache::new(MOST))))
    }
}

impl Carried {
    /// By what a position is remembered; nothing if it is not to be: it is long, or names a map, which may be
    /// there now and gone then.
    pub(crate) fn known(tenant: &Tenant, position: &v1::Position) -> Option<Known> {
        let whole = !matches!(position.map_source, Some(MapSource::MapId(_)));
        if !whole || position.encoded_len() > LONGEST {
            return None;
        }
        Some((tenant.clone(), Digest::of(&position.encode_to_vec())))
    }

    pub(crate) fn get(&self, known: &Known) -> Option<Arc<Position>> {
        self.lock().get(known).cloned()
    }

    pub(crate) fn put(&self, known: Known, position: Arc<Position>) {
        self.lock().put(known, position);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LruCache<Known, Arc<Position>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(id: &str) -> v1::Position {
        v1::Position {
            map_source: Some(MapSource::Map(v1::Map::default())),
            counters: vec![v1::Counter {
                id: id.to_owned(),
                ..v1::Counter::default()
            }],
            ..v1::Position::default()
        }
    }

    #[test]
    fn what_differs_in_anything_or_is_somebody_elses_is_another() {
        let (ours, theirs): (Tenant, Tenant) = ("ours".parse().unwrap(), "theirs".parse().unwrap());
        let known = Carried::known(&ours, &position("a")).unwrap();
        assert_eq!(Carried::known(&ours, &position("a")), Some(known.clone()));
        assert_ne!(Carried::known(&ours, &position("b")), Some(known.clone()));
        assert_ne!(Carried::known(&theirs, &position("a")), Some(known));
    }

    #[test]
    fn what_names_a_map_or_is_long_is_not_remembered() {
        let tenant: Tenant = "ours".parse().unwrap();
        let named = v1::Position {
            map_source: Some(MapSource::MapId("1".repeat(64))),
            ..position("a")
        };
        assert_eq!(Carried::known(&tenant, &named), None);
        let long = position(&"a".repeat(LONGEST));
        assert_eq!(Carried::known(&tenant, &long), None);
    }
}
