//! How many lines of the log tell of requests that went well: of thousands in a second nobody reads each,
//! and each costs more than many a ruling.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Lets so many lines pass in a second.
#[derive(Debug)]
pub(crate) struct Lines {
    most: u32,
    since: Instant,
    /// The second, and how many lines passed in it.
    told: AtomicU64,
    left_out: AtomicU64,
}

impl Lines {
    /// Lets so many pass; 0 sets no limit.
    pub(crate) fn new(most: u32) -> Self {
        Self {
            most,
            since: Instant::now(),
            told: AtomicU64::new(0),
            left_out: AtomicU64::new(0),
        }
    }

    /// Whether a line passes, now.
    pub(crate) fn passes(&self, now: Instant) -> bool {
        if self.most == 0 {
            return true;
        }
        let second = now.saturating_duration_since(self.since).as_secs() << 32;
        let one_more = |told: u64| {
            let before = if told >> 32 << 32 == second {
                told
            } else {
                second
            };
            (before - second < u64::from(self.most)).then_some(before + 1)
        };
        let passes = self.told.fetch_update(Relaxed, Relaxed, one_more).is_ok();
        if !passes {
            self.left_out.fetch_add(1, Relaxed);
        }
        passes
    }

    /// How many did not pass since this was last asked.
    pub(crate) fn left_out(&self) -> u64 {
        match self.left_out.load(Relaxed) {
            0 => 0,
            _ => self.left_out.swap(0, Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn so_many_pass_in_a_second_and_the_others_are_counted() {
        let lines = Lines::new(3);
        let passed = |at: u64| {
            let now = lines.since + Duration::from_millis(at);
            (0..10).filter(|_| lines.passes(now)).count()
        };
        assert_eq!((passed(0), passed(900)), (3, 0));
        assert_eq!(lines.left_out(), 17);
        assert_eq!((passed(1000), lines.left_out()), (3, 7));
        let all = Lines::new(0);
        assert!((0..1000).all(|_| all.passes(all.since)));
    }
}
