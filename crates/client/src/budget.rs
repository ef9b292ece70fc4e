//! How many calls are tried again: a service in trouble must not be asked several times as much.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::settings::Settings;

/// What a retry costs.
const RETRY: u64 = 100;
/// How many retries are always in reserve, at least.
const RESERVE: u64 = 10;

/// Retries that may yet be made. Each call adds a part of one.
#[derive(Debug)]
pub(crate) struct RetryBudget {
    /// In hundredths.
    left: AtomicU64,
    most: u64,
    each: u64,
}

impl RetryBudget {
    pub(crate) fn new(settings: &Settings) -> Self {
        // One call alone always has all of its tries.
        let most = RETRY * RESERVE.max(settings.tries.into());
        Self {
            left: AtomicU64::new(most),
            most,
            each: settings.retries_per_hundred.into(),
        }
    }

    /// A call was made.
    pub(crate) fn add(&self) {
        let more = |left: u64| Some(left.saturating_add(self.each).min(self.most));
        let _ = self.left.fetch_update(Relaxed, Relaxed, more);
    }

    /// Whether another retry may be made.
    pub(crate) fn take(&self) -> bool {
        let less = |left: u64| left.checked_sub(RETRY);
        self.left.fetch_update(Relaxed, Relaxed, less).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_reserve_is_used_up_and_earned_again() {
        let budget = RetryBudget::new(&Settings::default());
        let retries = || std::iter::from_fn(|| budget.take().then_some(())).count();
        assert_eq!(retries(), 10);
        for _ in 0..100 {
            budget.add();
        }
        assert_eq!(
            retries() as u32,
            Settings::default().retries_per_hundred.min(10)
        );
        for _ in 0..10_000 {
            budget.add();
        }
        assert_eq!(retries(), 10, "it does not grow for ever");
    }

    #[test]
    fn one_call_alone_has_all_of_its_tries() {
        let settings = Settings {
            tries: 1000,
            ..Settings::default()
        };
        let budget = RetryBudget::new(&settings);
        assert!((0..999).all(|_| budget.take()));
    }
}
