//! A limit on warnings and errors that are told again and again: they must not fill a disk, nor hide
//! the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tracing::callsite::Identifier;
use tracing::level_filters::LevelFilter;
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Filter};

/// The time in which repeats are counted.
pub(super) const WINDOW: Duration = Duration::from_secs(10);

/// Lets the same warning pass so often in a while. Clones are the same.
#[derive(Clone)]
pub(super) struct Repeats(Arc<Counts>);

struct Counts {
    most: u32,
    lines: Mutex<HashMap<Identifier, Line>>,
}

/// A line of the program that tells something.
struct Line {
    at: &'static Metadata<'static>,
    since: Instant,
    told: u32,
    left_out: u64,
}

impl Repeats {
    /// Lets each pass so often; 0 sets no limit.
    pub(super) fn new(most: u32) -> Self {
        Self(Arc::new(Counts {
            most,
            lines: Mutex::default(),
        }))
    }

    fn lines(&self) -> MutexGuard<'_, HashMap<Identifier, Line>> {
        self.0.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it passes, now.
    fn passes(&self, at: &'static Metadata<'static>, now: Instant) -> bool {
        let most = self.0.most;
        if most == 0 || *at.level() > Level::WARN {
            return true;
        }
        let mut lines = self.lines();
        let line = lines.entry(at.callsite()).or_insert(Line {
            at,
            since: now,
            told: 0,
            left_out: 0,
        });
        if now.saturating_duration_since(line.since) >= WINDOW {
            (line.since, line.told) = (now, 0);
        }
        if line.told < most {
            line.told += 1;
            return true;
        }
        line.left_out += 1;
        false
    }

    /// What was left out since this was last asked: where it is told, and how often it was not.
    fn left_out(&self) -> Vec<(&'static Metadata<'static>, u64)> {
        let mut lines = self.lines();
        let lines = lines.values_mut().filter(|line| line.left_out > 0);
        lines
            .map(|line| (line.at, std::mem::take(&mut line.left_out)))
            .collect()
    }

    /// Tells how many lines were left out.
    pub(super) fn tell(&self) {
        for (at, left_out) in self.left_out() {
            tracing::warn!(
                left_out,
                of = at.target(),
                line = at.line(),
                level = %at.level(),
                "the same was told too often, and was left out (--log-repeats)"
            );
        }
    }
}

impl<S: Subscriber> Filter<S> for Repeats {
    fn enabled(&self, _: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        true
    }

    fn callsite_enabled(&self, at: &'static Metadata<'static>) -> Interest {
        match *at.level() > Level::WARN {
            true => Interest::always(),
            // A filter that is not asked beforehand may not refuse an event afterwards.
            false => Interest::sometimes(),
        }
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::TRACE)
    }

    fn event_enabled(&self, event: &Event<'_>, _: &Context<'_, S>) -> bool {
        self.passes(event.metadata(), Instant::now())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tracing_subscriber::layer::{Layer, SubscriberExt as _};

    use super::*;

    struct Count(Arc<AtomicUsize>);

    impl<S: Subscriber> Layer<S> for Count {
        fn on_event(&self, _: &Event<'_>, _: Context<'_, S>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn what_is_told_again_and_again_is_left_out_and_counted() {
        let (repeats, told) = (Repeats::new(3), Arc::new(AtomicUsize::new(0)));
        let layer = Count(Arc::clone(&told)).with_filter(repeats.clone());
        let log = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(log, || {
            for at in 0..10 {
                tracing::warn!(at, "again");
                tracing::info!(at, "as usual");
            }
            tracing::error!("another");
            assert_eq!(told.load(Ordering::Relaxed), 3 + 10 + 1);
            assert_eq!(repeats.left_out().iter().map(|(_, it)| it).sum::<u64>(), 7);
            assert!(repeats.left_out().is_empty());
            repeats.tell();
            assert_eq!(told.load(Ordering::Relaxed), 14);
        });
        let lines = repeats.lines();
        let line = lines.values().find(|line| line.told == 3).unwrap().at;
        drop(lines);
        let now = Instant::now();
        assert!(!repeats.passes(line, now));
        assert!(repeats.passes(line, now + WINDOW));
    }
}
