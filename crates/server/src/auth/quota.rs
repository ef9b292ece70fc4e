//! How much the bearer of a token may ask.

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use alamein_proto::v1::ErrorReason;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultDirectRateLimiter, RateLimiter};
use lru::LruCache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::fault::Fault;

/// Of how many tokens it is remembered what they asked. Beyond that the one forgotten is the one that has
/// asked for nothing the longest.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();
/// When to come back where too much is asked at once.
const AT_ONCE: Duration = Duration::from_millis(200);

/// How much the bearer of a token may ask. What is not given is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quota {
    /// Requests in a second, on the long run. It may be less than 1.
    pub requests_per_second: Option<f64>,
    /// Requests that may come at once after a while without any. If it is not given, as many as come in a
    /// second.
    pub burst: Option<u32>,
    /// Requests that are worked on at the same time. One that is answered with a stream counts until it
    /// ends.
    pub concurrent_requests: Option<u32>,
}

impl Quota {
    /// The same, with what is not given taken from another.
    #[must_use]
    pub fn or(self, usual: Self) -> Self {
        let own = self.requests_per_second.is_some();
        Self {
            requests_per_second: self.requests_per_second.or(usual.requests_per_second),
            // A burst belongs to its rate.
            burst: self.burst.or(if own { None } else { usual.burst }),
            concurrent_requests: self.concurrent_requests.or(usual.concurrent_requests),
        }
    }

    /// Checks that it lets anything through.
    ///
    /// # Errors
    /// The field that does not make sense, and why.
    pub fn check(self) -> Result<(), (&'static str, &'static str)> {
        if self
            .requests_per_second
            .is_some_and(|it| interval(it).is_none())
        {
            let why = "must be more than 0: at least 0.0001, and at most 1000000";
            return Err(("requests_per_second", why));
        }
        for (name, count) in [
            ("burst", self.burst),
            ("concurrent_requests", self.concurrent_requests),
        ] {
            if count == Some(0) {
                return Err((name, "must be more than 0"));
            }
        }
        if self.burst.is_some() && self.requests_per_second.is_none() {
            return Err(("burst", "needs requests_per_second beside it"));
        }
        Ok(())
    }

    fn limiter(self) -> Option<DefaultDirectRateLimiter> {
        let rate = self.requests_per_second?;
        // As many as come in a second, and at least one.
        let burst = self.burst.unwrap_or(rate.ceil().max(1.0) as u32);
        let quota = governor::Quota::with_period(interval(rate)?)?;
        Some(RateLimiter::direct(
            quota.allow_burst(NonZeroU32::new(burst)?),
        ))
    }
}

/// The time between two requests.
fn interval(rate: f64) -> Option<Duration> {
    let sane = (0.0001..=1e6).contains(&rate);
    sane.then(|| Duration::from_secs_f64(1.0 / rate))
}

/// What each token has asked of late.
#[derive(Debug)]
pub(crate) struct Meters(Mutex<LruCache<Arc<str>, Arc<Meter>>>);

#[derive(Debug)]
struct Meter {
    quota: Quota,
    rate: Option<DefaultDirectRateLimiter>,
    places: Option<Arc<Semaphore>>,
}

impl Default for Meters {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(REMEMBERED)))
    }
}

/// A request that was let in. Its place is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    _permit: Option<OwnedSemaphorePermit>,
}

impl Meters {
    /// Lets a request in, or says which quota is used up.
    pub(crate) fn admit(&self, token: &Arc<str>, quota: Quota) -> Result<Place, Fault> {
        if quota == Quota::default() {
            return Ok(Place { _permit: None });
        }
        let meter = self.of(token, quota);
        // First who is there: a request that is refused for that shall not count.
        let permit = match &meter.places {
            None => None,
            Some(places) => match Arc::clone(places).try_acquire_owned() {
                Ok(permit) => Some(permit),
                Err(_) => return Err(at_once(token, quota)),
            },
        };
        if let Some(rate) = &meter.rate {
            rate.check().map_err(|until| {
                let wait = until.wait_time_from(DefaultClock::default().now());
                too_often(token, quota, wait)
            })?;
        }
        Ok(Place { _permit: permit })
    }

    fn of(&self, token: &Arc<str>, quota: Quota) -> Arc<Meter> {
        let mut meters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(meter) = meters.get(token).filter(|meter| meter.quota == quota) {
            return Arc::clone(meter);
        }
        let places = quota.concurrent_requests;
        let places = places.map(|most| Arc::new(Semaphore::new(most as usize)));
        let meter = Arc::new(Meter {
            quota,
            rate: quota.limiter(),
            places,
        });
        meters.put(Arc::clone(token), Arc::clone(&meter));
        meter
    }
}

fn too_often(token: &str, quota: Quota, wait: Duration) -> Fault {
    let max = quota.requests_per_second.unwrap_or_default();
    let text = format!("this token may make {max} requests in a second; try again later");
    used_up(token, "requests_per_second", &max.to_string(), text).retry_after(wait)
}

fn at_once(token: &str, quota: Quota) -> Fault {
    let max = quota.concurrent_requests.unwrap_or_default();
    let text =
        format!("this token may make {max} requests at once; try again when one is answered");
    used_up(token, "concurrent_requests", &max.to_string(), text).retry_after(AT_ONCE)
}

fn used_up(token: &str, quota: &str, max: &str, text: String) -> Fault {
    Fault::new(ErrorReason::QuotaExceeded, text.clone())
        .with("quota", quota)
        .with("max", max)
        .quota(format!("token:{token}"), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOW: Quota = Quota {
        requests_per_second: Some(0.001),
        burst: Some(2),
        concurrent_requests: None,
    };

    fn reason(fault: Fault) -> (String, Duration) {
        use tonic_types::StatusExt as _;
        let details = tonic::Status::from(fault).get_error_details();
        let quota = details.error_info().unwrap().metadata["quota"].clone();
        assert_eq!(details.quota_failure().unwrap().violations.len(), 1);
        (quota, details.retry_info().unwrap().retry_delay.unwrap())
    }

    #[test]
    fn a_token_has_its_burst_and_then_waits_and_others_do_not() {
        let (meters, token, other) = (Meters::default(), "a".into(), "b".into());
        meters.admit(&token, SLOW).unwrap();
        meters.admit(&token, SLOW).unwrap();
        let (quota, wait) = reason(meters.admit(&token, SLOW).unwrap_err());
        assert_eq!(quota, "requests_per_second");
        assert!(
            wait > Duration::from_secs(900) && wait <= Duration::from_secs(1000),
            "{wait:?}"
        );
        meters.admit(&other, SLOW).unwrap();
        // A quota that was changed begins anew.
        let more = Quota {
            burst: Some(3),
            ..SLOW
        };
        meters.admit(&token, more).unwrap();
    }

    #[test]
    fn a_place_is_free_again_when_its_request_is_over() {
        let quota = Quota {
            concurrent_requests: Some(1),
            ..Quota::default()
        };
        let (meters, token) = (Meters::default(), "a".into());
        let place = meters.admit(&token, quota).unwrap();
        let (used_up, _) = reason(meters.admit(&token, quota).unwrap_err());
        assert_eq!(used_up, "concurrent_requests");
        drop(place);
        meters.admit(&token, quota).unwrap();
    }

    #[test]
    fn what_is_refused_for_want_of_a_place_does_not_count_as_made() {
        let quota = Quota {
            concurrent_requests: Some(1),
            ..SLOW
        };
        let (meters, token) = (Meters::default(), "a".into());
        let place = meters.admit(&token, quota).unwrap();
        for _ in 0..5 {
            assert!(meters.admit(&token, quota).is_err());
        }
        drop(place);
        meters.admit(&token, quota).unwrap();
    }

    #[test]
    fn a_quota_that_lets_nothing_through_is_refused() {
        let of = |requests_per_second, burst| Quota {
            requests_per_second,
            burst,
            concurrent_requests: None,
        };
        for wrong in [
            of(Some(0.0), None),
            of(Some(f64::NAN), None),
            of(Some(1.0), Some(0)),
            of(None, Some(1)),
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
        assert!(of(Some(0.5), None).limiter().is_some());
    }

    #[test]
    fn a_token_overrides_what_it_gives() {
        let usual = Quota {
            requests_per_second: Some(10.0),
            burst: Some(100),
            concurrent_requests: Some(4),
        };
        let own = Quota {
            requests_per_second: Some(1.0),
            ..Quota::default()
        };
        let both = own.or(usual);
        assert_eq!((both.requests_per_second, both.burst), (Some(1.0), None));
        assert_eq!(both.concurrent_requests, Some(4));
        assert_eq!(Quota::default().or(usual), usual);
    }
}
