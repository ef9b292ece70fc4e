//! A bound on what is told apart: each value of a label is a series of its own, for ever.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// Values of which so many are told apart, the first that came. The others are one.
#[derive(Debug)]
pub(crate) struct Bounded<T> {
    seen: Mutex<HashSet<T>>,
    most: usize,
}

impl<T: Hash + Eq + Clone> Bounded<T> {
    /// Tells so many apart.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            seen: Mutex::default(),
            most,
        }
    }

    /// The value, or what stands for those beyond the bound.
    pub(crate) fn one_of(&self, value: T, others: impl FnOnce() -> T) -> T {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.contains(&value) {
            return value;
        }
        if seen.len() < self.most {
            seen.insert(value.clone());
            return value;
        }
        others()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_are_told_apart() {
        let bounded = Bounded::new(2);
        let told = ["a", "b", "c", "a", "d"].map(|it| bounded.one_of(it, || "other"));
        assert_eq!(told, ["a", "b", "other", "a", "other"]);
    }
}
