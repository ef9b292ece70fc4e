//! The calls of plugins, counted and, where that is wanted, traced.
//!
//! What is counted is added up here and told once a batch: a batch makes about twenty calls, each of
//! some microseconds, and must not spend as long on counting them.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use alamein_terrain::FeatureError;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

use crate::metrics::{EngineMetrics, PluginCounters, kind_of};
use crate::ruleset::Ruleset;

/// What the calls of one plugin came to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    /// How many calls were made.
    pub(crate) calls: u64,
    /// How long they took together.
    pub(crate) time: Duration,
    /// How many findings they gave.
    pub(crate) findings: u64,
    /// How many of these do not count, since a rule replaces theirs.
    pub(crate) replaced: u64,
}

/// The calls that are made for one batch. They are counted when this is dropped.
#[derive(Debug)]
pub(crate) struct Calls<'a> {
    ruleset: &'a Ruleset,
    counters: Arc<[PluginCounters]>,
    traced: bool,
    counts: Vec<Cell<Count>>,
}

impl<'a> Calls<'a> {
    /// No calls yet. `traced`: whether each is to have a span.
    pub(crate) fn new(ruleset: &'a Ruleset, metrics: &EngineMetrics, traced: bool) -> Self {
        Self {
            ruleset,
            counters: metrics.of_plugins(ruleset),
            traced,
            counts: vec![Cell::default(); ruleset.members().len()],
        }
    }

    /// Makes a call of the plugin at this place, in this round, about so many lines, steps or set-ups.
    pub(crate) async fn make<T>(
        &self,
        feature: u16,
        round: &'static str,
        asked: usize,
        call: impl Future<Output = Result<T, FeatureError>>,
    ) -> Result<T, FeatureError> {
        let begun = Instant::now();
        let said = if self.traced {
            let span = self.span(feature, round, asked);
            let said = call.instrument(span.clone()).await;
            if let Err(error) = &said {
                span.record("error", kind_of(error));
                span.record("otel.status_code", "ERROR");
            }
            said
        } else {
            call.await
        };
        let time = begun.elapsed();
        self.count(feature, |count| {
            count.calls += 1;
            count.time += time;
        });
        said
    }

    /// Counts a finding, and whether it is replaced.
    pub(crate) fn found(&self, feature: u16, replaced: bool) {
        self.count(feature, |count| {
            count.findings += 1;
            count.replaced += u64::from(replaced);
        });
    }

    fn count(&self, feature: u16, add: impl FnOnce(&mut Count)) {
        if let Some(cell) = self.counts.get(usize::from(feature)) {
            let mut count = cell.get();
            add(&mut count);
            cell.set(count);
        }
    }

    fn plugin(&self, feature: usize) -> &str {
        let member = self.ruleset.members().get(feature);
        member.map_or("?", |member| &member.manifest().id)
    }

    fn span(&self, feature: u16, round: &'static str, asked: usize) -> Span {
        tracing::info_span!(
            "plugin",
            plugin = self.plugin(feature.into()),
            round,
            asked,
            rules = %self.ruleset.fingerprint(),
            error = Empty,
            otel.status_code = Empty,
        )
    }
}

impl Drop for Calls<'_> {
    fn drop(&mut self) {
        for (counters, count) in self.counters.iter().zip(&self.counts) {
            let count = count.get();
            if count.calls > 0 {
                counters.count(count);
            }
        }
    }
}
