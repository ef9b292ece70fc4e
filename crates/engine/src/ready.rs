//! Maps and positions that are kept ready for the next question.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alamein_terrain::{Digest, Position};
use lru::LruCache;
use tracing::Instrument as _;

use crate::engine::Engine;
use crate::error::PrepareError;
use crate::prepared::{Prepared, PreparedMap};
use crate::ruleset::Ruleset;

/// How many maps are kept ready.
const MAPS: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");

/// How many positions are.
const POSITIONS: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");

/// Some of a kind, for the ruleset of a number (two of one fingerprint are made of instances of their own)
/// and by the id of what they are made of.
type Kept<T> = Mutex<LruCache<(u64, Digest), Arc<T>>>;

/// What is kept ready.
#[derive(Debug)]
pub(crate) struct Ready {
    maps: Kept<PreparedMap>,
    positions: Kept<Prepared>,
}

impl Default for Ready {
    fn default() -> Self {
        Self {
            maps: Mutex::new(LruCache::new(MAPS)),
            positions: Mutex::new(LruCache::new(POSITIONS)),
        }
    }
}

fn kept<T>(kept: &Kept<T>) -> MutexGuard<'_, LruCache<(u64, Digest), Arc<T>>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engine {
    /// Makes a position ready, unless it is.
    pub(crate) async fn prepare(
        &self,
        ruleset: &Ruleset,
        position: Arc<Position>,
    ) -> Result<Arc<Prepared>, PrepareError> {
        let positions = &self.shared.ready.positions;
        let key = (ruleset.number(), position.id());
        if let Some(prepared) = kept(positions).get(&key) {
            return Ok(Arc::clone(prepared));
        }
        let map = self.prepare_map(ruleset, &position).await?;
        let prepared = Arc::new(Prepared::new(ruleset, map, position)?);
        // What has to make room is dropped when the lock is free again.
        let _gone = kept(positions).push(key, Arc::clone(&prepared));
        Ok(prepared)
    }

    async fn prepare_map(
        &self,
        ruleset: &Ruleset,
        position: &Position,
    ) -> Result<Arc<PreparedMap>, PrepareError> {
        let maps = &self.shared.ready.maps;
        let key = (ruleset.number(), position.map_id());
        if let Some(prepared) = kept(maps).get(&key) {
            return Ok(Arc::clone(prepared));
        }
        let verify = self.shared.pool.config().verify_every;
        let span = tracing::info_span!("prepare_map", hexes = position.map().grid.len());
        let prepared = PreparedMap::new(ruleset, Arc::clone(position.map()), verify);
        let prepared = Arc::new(prepared.instrument(span).await?);
        let _gone = kept(maps).push(key, Arc::clone(&prepared));
        Ok(prepared)
    }
}
