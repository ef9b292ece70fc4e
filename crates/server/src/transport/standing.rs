//! How many requests may wait for their answers all the time.
//!
//! A crowd that comes and goes is let in, as many as there are places: it is soon worked off. One that
//! stands is never worked off; with more in it everybody waits longer, and nobody is answered sooner. So
//! where there were many all the time, only some are let in, until the crowd is gone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::share::{Held, Short, short};

/// Why a request is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// There is no place for it.
    Place(Short),
    /// There is; but there were many all the time.
    Crowd,
}

/// Over how long the smallest number is looked for.
const INTERVAL: Duration = Duration::from_millis(100);

/// Which part of those who may stand has to be left of a crowd for it to be gone.
const GONE: u64 = 4;

/// Those who wait for an answer to begin. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Standing(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// How many may stand.
    most: u64,
    /// How many there are.
    now: AtomicU64,
    /// The fewest that there were since the interval began.
    fewest: AtomicU64,
    /// When that was, in nanoseconds.
    since: AtomicU64,
    begun: Instant,
    /// There were many all the time.
    pressed: AtomicBool,
}

/// One who waits, until this is dropped.
#[derive(Debug)]
pub(crate) struct Waiting {
    standing: Standing,
    of: Held,
}

impl Standing {
    pub(crate) fn new(most: u64, begun: Instant) -> Self {
        Self(Arc::new(Inner {
            most,
            now: AtomicU64::new(0),
            fewest: AtomicU64::new(0),
            since: AtomicU64::new(0),
            begun,
            pressed: AtomicBool::new(false),
        }))
    }

    /// How many may stand.
    pub(crate) fn most(&self) -> u64 {
        self.0.most
    }

    /// Why nobody more from the connection that has `held` waiting is let in, if that is so.
    pub(crate) fn lacks(&self, held: &Held, now: Instant) -> Option<Lack> {
        self.look(now);
        if !self.0.pressed.load(Relaxed) {
            return None;
        }
        let free = self.0.most.saturating_sub(self.0.now.load(Relaxed));
        match short(free, held.amount(), 1)? {
            Short::Empty => Some(Lack::Crowd),
            share @ Short::Share { .. } => Some(Lack::Place(share)),
        }
    }

    /// Lets one in.
    pub(crate) fn enter(&self, held: &Held) -> Waiting {
        held.add(1);
        self.0.now.fetch_add(1, Relaxed);
        Waiting {
            standing: self.clone(),
            of: held.clone(),
        }
    }

    /// Judges the interval, if it is over.
    fn look(&self, now: Instant) {
        let Inner {
            most,
            fewest,
            since,
            pressed,
            ..
        } = &*self.0;
        let now = now.saturating_duration_since(self.0.begun).as_nanos();
        let now = u64::try_from(now).unwrap_or(u64::MAX);
        let began = since.load(Relaxed);
        let over = u128::from(now.saturating_sub(began)) >= INTERVAL.as_nanos();
        let mine = || since.compare_exchange(began, now, Relaxed, Relaxed).is_ok();
        if !over || !mine() {
            return;
        }
        let there_were = fewest.swap(self.0.now.load(Relaxed), Relaxed);
        let too_many = if pressed.load(Relaxed) {
            (most / GONE).max(1)
        } else {
            *most
        };
        pressed.store(there_were >= too_many, Relaxed);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.of.remove(1);
        let inner = &self.standing.0;
        let left = inner.now.fetch_sub(1, Relaxed).saturating_sub(1);
        inner.fewest.fetch_min(left, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(standing: &Standing, intervals: u32) -> Instant {
        standing.0.begun + INTERVAL * intervals
    }

    fn crowd(standing: &Standing, of: &Held, count: usize) -> Vec<Waiting> {
        (0..count).map(|_| standing.enter(of)).collect()
    }

    #[test]
    fn a_crowd_that_goes_is_let_in_whole() {
        let standing = Standing::new(8, Instant::now());
        let held = Held::default();
        for interval in 0..20 {
            let crowd = crowd(&standing, &held, 100);
            assert_eq!(standing.lacks(&held, at(&standing, interval)), None);
            drop(crowd);
        }
    }

    #[test]
    fn of_a_crowd_that_stands_no_more_than_some_are_let_in_until_it_is_gone() {
        let standing = Standing::new(8, Instant::now());
        let (many, other) = (Held::default(), Held::default());
        let mut crowd = crowd(&standing, &many, 20);
        assert_eq!(
            standing.lacks(&many, at(&standing, 1)),
            None,
            "it came late"
        );
        assert_eq!(standing.lacks(&many, at(&standing, 2)), Some(Lack::Crowd));
        assert_eq!(standing.lacks(&other, at(&standing, 2)), Some(Lack::Crowd));
        // Down to those who may stand, others come before whoever has many there.
        crowd.truncate(6);
        let now = at(&standing, 2);
        assert_eq!(standing.lacks(&other, now), None);
        assert_eq!(
            standing.lacks(&many, now),
            Some(Lack::Place(Short::Share { held: 6 }))
        );
        // Some are there all the time.
        assert_eq!(standing.lacks(&other, at(&standing, 3)), None);
        assert!(standing.lacks(&many, at(&standing, 4)).is_some());
        crowd.truncate(1);
        assert_eq!(standing.lacks(&many, at(&standing, 5)), None);
        crowd.extend(self::crowd(&standing, &many, 100));
        assert_eq!(
            standing.lacks(&many, at(&standing, 6)),
            None,
            "it is a new one"
        );
    }

    #[test]
    fn whoever_left_is_not_counted() {
        let standing = Standing::new(2, Instant::now());
        let held = Held::default();
        drop(crowd(&standing, &held, 5));
        assert_eq!((held.amount(), standing.0.now.load(Relaxed)), (0, 0));
        // Nothing was asked for a long time.
        assert_eq!(standing.lacks(&held, at(&standing, 1000)), None);
    }
}
