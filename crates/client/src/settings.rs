//! Deadlines and retries.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// How long to wait and how often to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How long a call may take, all tries and waits between them included.
    pub deadline: Duration,
    /// How long it may take to connect.
    pub connect_timeout: Duration,
    /// How often a call is tried at most.
    pub tries: u32,
    /// How long to wait before the second try, about. Each wait after is twice as long.
    pub first_wait: Duration,
    /// The longest wait between two tries, unless the server asks for a longer one.
    pub longest_wait: Duration,
    /// How many calls of a hundred are tried again, all calls of a client together. Ten retries are
    /// always in reserve, or as many as a call has tries.
    pub retries_per_hundred: u32,
    /// The longest answer that is read, in bytes.
    pub longest_answer: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(10),
            connect_timeout: Duration::from_secs(5),
            tries: 4,
            first_wait: Duration::from_millis(100),
            longest_wait: Duration::from_secs(2),
            retries_per_hundred: 20,
            longest_answer: 64 << 20,
        }
    }
}

impl Settings {
    /// How long to wait after so many tries; nothing if that was the last. The server may ask for
    /// a longer wait.
    pub(crate) fn wait(&self, tries: u32, asked: Option<Duration>) -> Option<Duration> {
        (tries < self.tries).then(|| self.pause(tries, asked))
    }

    /// The same, of tries that have no end.
    pub(crate) fn pause(&self, tries: u32, asked: Option<Duration>) -> Duration {
        let doublings = tries.saturating_sub(1).min(20);
        let most = self
            .first_wait
            .saturating_mul(1 << doublings)
            .min(self.longest_wait);
        // Clients that were turned away together should not come back together.
        let wait = most.mul_f64(0.5 + 0.5 * chance());
        asked.map_or(wait, |asked| asked + wait.min(asked))
    }
}

/// A number from 0 to 1. Hash maps are seeded at random, and that is random enough here.
fn chance() -> f64 {
    let random = RandomState::new().hash_one(());
    f64::from(random as u32) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_their_bound_and_end() {
        let settings = Settings {
            tries: 8,
            ..Settings::default()
        };
        for tries in 1..8 {
            let most = Duration::from_millis(100 << (tries - 1)).min(settings.longest_wait);
            let wait = settings.wait(tries, None).unwrap();
            assert!(most / 2 <= wait && wait <= most, "{tries}: {wait:?}");
        }
        assert_eq!(settings.wait(8, None), None);
        assert_eq!(settings.wait(u32::MAX, Some(Duration::ZERO)), None);
    }

    #[test]
    fn what_the_server_asks_for_is_waited_and_not_much_more() {
        let settings = Settings::default();
        for asked in [Duration::from_millis(1), Duration::from_secs(60)] {
            let wait = settings.wait(1, Some(asked)).unwrap();
            assert!(asked <= wait && wait <= asked + settings.first_wait.min(asked));
        }
    }
}
