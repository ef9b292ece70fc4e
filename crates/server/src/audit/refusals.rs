//! How many refusals are written down.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

/// Of those whom a token or a certificate named: in a second, and after a while without any at once.
const KNOWN: [NonZeroU32; 2] = [NonZeroU32::new(50).unwrap(), NonZeroU32::new(1000).unwrap()];
/// Of the others. Whoever reaches the port can make as many as he likes.
const UNKNOWN: [NonZeroU32; 2] = [NonZeroU32::new(5).unwrap(), NonZeroU32::new(100).unwrap()];

/// How many refusals are written down. Others are left out and counted.
#[derive(Debug)]
pub(super) struct Refusals {
    rate: DefaultDirectRateLimiter,
    left_out: AtomicU64,
}

impl Refusals {
    pub(super) fn of_known() -> Self {
        Self::at_most(KNOWN)
    }

    pub(super) fn of_unknown() -> Self {
        Self::at_most(UNKNOWN)
    }

    fn at_most([per_second, burst]: [NonZeroU32; 2]) -> Self {
        let quota = Quota::per_second(per_second).allow_burst(burst);
        Self {
            rate: RateLimiter::direct(quota),
            left_out: AtomicU64::new(0),
        }
    }

    /// Whether one more is written, and then how many were left out since the last one.
    pub(super) fn next(&self) -> Option<u64> {
        if self.rate.check().is_ok() {
            return Some(self.left_out.swap(0, Ordering::Relaxed));
        }
        self.left_out.fetch_add(1, Ordering::Relaxed);
        None
    }
}
