//! From which hexes a counter is seen.
//!
//! A vehicle between the ends of a LOS Hinders only if both ends see it. Whether an ordinary unit in a hex
//! does is the same for every line of that hex, so it is found out once for a position.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use alamein_terrain::GrazingPolicy;

/// Whether an end sees a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sees {
    /// It does.
    Yes,
    /// Something is in the way.
    No,
    /// A rule decides that is not implemented.
    Unknown,
}

/// For each counter and each hex what is known, in two bits for each policy.
#[derive(Debug)]
pub(crate) struct Seers {
    hexes: usize,
    counters: Box<[OnceLock<Box<[AtomicU8]>>]>,
}

/// Where the bits of a policy are.
fn shift(policy: GrazingPolicy) -> u32 {
    2 * policy as u32 % u8::BITS
}

impl Seers {
    pub(crate) fn new(hexes: usize, counters: usize) -> Self {
        Self {
            hexes,
            counters: (0..counters).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Whether an ordinary unit in the hex of this index sees the counter, if that is known.
    pub(crate) fn get(&self, counter: u32, hex: usize, policy: GrazingPolicy) -> Option<Sees> {
        let known = self.counters.get(counter as usize)?.get()?.get(hex)?;
        match known.load(Relaxed) >> shift(policy) & 3 {
            1 => Some(Sees::Yes),
            2 => Some(Sees::No),
            3 => Some(Sees::Unknown),
            _ => None,
        }
    }

    /// Keeps it.
    pub(crate) fn set(&self, counter: u32, hex: usize, policy: GrazingPolicy, sees: Sees) {
        let Some(counter) = self.counters.get(counter as usize) else {
            return;
        };
        let none = || (0..self.hexes).map(|_| AtomicU8::new(0)).collect();
        if let Some(known) = counter.get_or_init(none).get(hex) {
            known.fetch_or((sees as u8 + 1) << shift(policy), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_one_policy_says_nothing_of_another() {
        let seers = Seers::new(3, 2);
        let all = [Sees::Yes, Sees::No, Sees::Unknown];
        for (policy, sees) in GrazingPolicy::ALL.into_iter().zip(all) {
            assert_eq!(seers.get(1, 2, policy), None);
            seers.set(1, 2, policy, sees);
        }
        for (policy, sees) in GrazingPolicy::ALL.into_iter().zip(all) {
            assert_eq!(seers.get(1, 2, policy), Some(sees));
            assert_eq!(seers.get(1, 1, policy), None);
            assert_eq!(seers.get(0, 2, policy), None);
            assert_eq!(seers.get(7, 2, policy), None);
        }
    }
}
