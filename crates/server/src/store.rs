//! What the server keeps: maps and positions, by the hash of their content, in memory.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock};

use alamein_proto::v1::ErrorReason;
use alamein_terrain::Digest;

use crate::fault::Fault;

/// Things kept by the hash of their content. Clones share them.
#[derive(Debug)]
pub(crate) struct Store<T> {
    kind: &'static str,
    most: usize,
    kept: Arc<RwLock<BTreeMap<Digest, Arc<T>>>>,
}

impl<T> Clone for Store<T> {
    fn clone(&self) -> Self {
        Self {
            kept: Arc::clone(&self.kept),
            ..*self
        }
    }
}

impl<T> Store<T> {
    /// An empty store of things of this kind, of which it keeps no more than `most`.
    pub(crate) fn new(kind: &'static str, most: usize) -> Self {
        Self {
            kind,
            most,
            kept: Arc::default(),
        }
    }

    /// Keeps something; says whether it is new here.
    pub(crate) fn keep(&self, id: Digest, thing: Arc<T>) -> Result<bool, Fault> {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.contains_key(&id) {
            return Ok(false);
        }
        if kept.len() >= self.most {
            let (kind, most) = (self.kind, self.most);
            let text = format!(
                "this server keeps no more than {most} {kind}s; carry the {kind} in the request"
            );
            return Err(Fault::new(ErrorReason::StoreFull, text)
                .with("kind", kind)
                .with("max", most));
        }
        kept.insert(id, thing);
        Ok(true)
    }

    /// Gives what is kept under an id.
    pub(crate) fn get(&self, id: Digest) -> Option<Arc<T>> {
        self.kept
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&id)
            .cloned()
    }

    /// Gives so many things in the order of their ids, those after `after`, and whether there are
    /// more.
    pub(crate) fn page(&self, after: Option<Digest>, size: usize) -> (Vec<(Digest, Arc<T>)>, bool) {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let mut rest = kept
            .range((from, Bound::Unbounded))
            .map(|(id, it)| (*id, Arc::clone(it)));
        let page: Vec<_> = rest.by_ref().take(size).collect();
        (page, rest.next().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_content_is_kept_once_and_pages_hold_all() {
        let store = Store::new("number", 5);
        for number in 0..5_u8 {
            assert!(store.keep(Digest::of(&[number]), Arc::new(number)).unwrap());
        }
        assert!(!store.keep(Digest::of(&[0]), Arc::new(0)).unwrap());
        assert!(
            store.keep(Digest::of(&[9]), Arc::new(9)).is_err(),
            "it is full"
        );
        let (first, more) = store.page(None, 3);
        assert!(more);
        let (second, more) = store.page(first.last().map(|last| last.0), 3);
        assert!(!more);
        assert_eq!(first.len() + second.len(), 5);
    }
}
