//! What an engine counts.

use std::fmt::Error;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use alamein_terrain::FeatureError;
use lru::LruCache;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::calls::Count;
use crate::config::Health;
use crate::error::{MoveError, PrepareError, QuestionError, SightError};
use crate::ruleset::Ruleset;

/// Counters of an engine. Clones are the same counters.
#[derive(Clone, Debug, Default)]
pub struct EngineMetrics(Arc<Counters>);

#[derive(Debug)]
struct Counters {
    failures: Family<Failed, Counter>,
    rulings: Family<Failed, Counter>,
    calls: Family<Of, Counter>,
    time: Family<Of, Counter<f64, AtomicU64>>,
    findings: Family<Of, Counter>,
    replaced: Family<Of, Counter>,
    waiting: Gauge,
    waited: Histogram,
    of_rulesets: Mutex<LruCache<u64, Arc<[PluginCounters]>>>,
}

/// Of how many rulesets the counters of their plugins are kept at hand.
const RULESETS: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");

/// The counters of one plugin.
#[derive(Clone, Debug)]
pub(crate) struct PluginCounters {
    calls: Counter,
    time: Counter<f64, AtomicU64>,
    findings: Counter,
    replaced: Counter,
}

impl PluginCounters {
    /// Counts calls.
    pub(crate) fn count(&self, count: Count) {
        self.calls.inc_by(count.calls);
        self.time.inc_by(count.time.as_secs_f64());
        self.findings.inc_by(count.findings);
        self.replaced.inc_by(count.replaced);
    }
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            failures: Family::default(),
            rulings: Family::default(),
            calls: Family::default(),
            time: Family::default(),
            findings: Family::default(),
            replaced: Family::default(),
            waiting: Gauge::default(),
            waited: Histogram::new(WAITED),
            of_rulesets: Mutex::new(LruCache::new(RULESETS)),
        }
    }
}

/// In which times it is counted how long requests waited for a thread, in seconds.
const WAITED: [f64; 9] = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 2.5];

/// A plugin.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Of {
    plugin: String,
}

/// Which plugin failed, and how: `panicked`, `out_of_use`, `overran`, `rubbish`, `failed`,
/// `out_of_time`.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Failed {
    plugin: String,
    kind: &'static str,
}

impl EngineMetrics {
    /// Puts the counters into a registry, and gauges of the threads, whose health is asked for
    /// whenever they are read.
    pub fn register(
        &self,
        registry: &mut Registry,
        health: impl Fn() -> Health + Send + Sync + 'static,
    ) {
        registry.register(
            "plugin_failures",
            "Requests that a plugin failed, by plugin and kind",
            self.0.failures.clone(),
        );
        registry.register(
            "rulings_failed",
            "Questions without a ruling since a plugin failed, by plugin and kind",
            self.0.rulings.clone(),
        );
        self.register_calls(registry);
        registry.register(
            "jobs_waiting",
            "Requests that wait for a thread that judges",
            self.0.waiting.clone(),
        );
        registry.register_with_unit(
            "job_wait",
            "How long requests waited for a thread that judges",
            Unit::Seconds,
            self.0.waited.clone(),
        );
        registry.register_collector(Box::new(Threads(health)));
    }

    fn register_calls(&self, registry: &mut Registry) {
        registry.register(
            "plugin_calls",
            "Calls of plugins in the rounds, by plugin",
            self.0.calls.clone(),
        );
        registry.register_with_unit(
            "plugin_time",
            "How long these calls took together, by plugin",
            Unit::Seconds,
            self.0.time.clone(),
        );
        registry.register(
            "plugin_findings",
            "Findings that plugins gave, by plugin",
            self.0.findings.clone(),
        );
        registry.register(
            "plugin_findings_dropped",
            "Of these, those that do not count since a rule replaces theirs, by plugin",
            self.0.replaced.clone(),
        );
    }

    /// The counters of a ruleset's plugins, in their order. A ruling takes some twenty microseconds: they are
    /// not looked for by name each time.
    pub(crate) fn of_plugins(&self, ruleset: &Ruleset) -> Arc<[PluginCounters]> {
        let kept = || {
            let kept = self.0.of_rulesets.lock();
            kept.unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(found) = kept().get(&ruleset.number()) {
            return Arc::clone(found);
        }
        let members = ruleset.members().iter();
        let made = members.map(|member| self.of_plugin(&member.manifest().id));
        let made: Arc<[PluginCounters]> = made.collect();
        kept().put(ruleset.number(), Arc::clone(&made));
        made
    }

    fn of_plugin(&self, plugin: &str) -> PluginCounters {
        let plugin = plugin.to_owned();
        let of = Of { plugin };
        PluginCounters {
            calls: self.0.calls.get_or_create_owned(&of),
            time: self.0.time.get_or_create_owned(&of),
            findings: self.0.findings.get_or_create_owned(&of),
            replaced: self.0.replaced.get_or_create_owned(&of),
        }
    }

    /// Counts a request that begins to wait for a thread.
    pub(crate) fn waits(&self) {
        self.0.waiting.inc();
    }

    /// Counts it as one that has waited so long.
    pub(crate) fn waited(&self, time: Duration) {
        self.0.waiting.dec();
        self.0.waited.observe(time.as_secs_f64());
    }

    /// Counts what failed of a batch.
    pub(crate) fn count_batch<T>(
        &self,
        asked: u64,
        answer: &Result<Vec<Result<T, QuestionError>>, PrepareError>,
    ) {
        match answer {
            Err(error) => self.count(asked, error.feature()),
            Ok(rulings) => {
                let mut told: Vec<&FeatureError> = Vec::new();
                for error in rulings.iter().filter_map(|ruling| ruling.as_ref().err()) {
                    let Some(error) = error.feature() else {
                        continue;
                    };
                    self.0.rulings.get_or_create(&Failed::of(error)).inc();
                    // All lines of a batch are asked about at once: one failure is that of many.
                    if !told.contains(&error) {
                        self.0.failures.get_or_create(&Failed::of(error)).inc();
                        told.push(error);
                    }
                }
            }
        }
    }

    /// Counts what failed of something that is asked alone.
    pub(crate) fn count_move<T>(&self, answer: &Result<T, MoveError>) {
        let error = answer.as_ref().err().and_then(|error| match error {
            MoveError::Step { error, .. } | MoveError::Question(error) => error.feature(),
            MoveError::Prepare(error) => error.feature(),
            _ => None,
        });
        self.count(1, error);
    }

    /// The same of a field of view.
    pub(crate) fn count_field<T>(&self, answer: &Result<T, SightError>) {
        self.count(1, answer.as_ref().err().and_then(SightError::feature));
    }

    fn count(&self, asked: u64, error: Option<&FeatureError>) {
        if let Some(error) = error {
            self.0.failures.get_or_create(&Failed::of(error)).inc();
            self.0
                .rulings
                .get_or_create(&Failed::of(error))
                .inc_by(asked);
        }
    }
}

impl Failed {
    fn of(error: &FeatureError) -> Self {
        let plugin = error.plugin().to_owned();
        let kind = kind_of(error);
        Self { plugin, kind }
    }
}

/// How a plugin failed, in a word.
pub(crate) fn kind_of(error: &FeatureError) -> &'static str {
    match error {
        FeatureError::Panicked { .. } => "panicked",
        FeatureError::Poisoned { .. } => "out_of_use",
        FeatureError::Overran { .. } => "overran",
        FeatureError::Rubbish { .. } => "rubbish",
        FeatureError::Failed { .. } => "failed",
        FeatureError::OutOfTime { .. } => "out_of_time",
    }
}

/// Gauges of threads.
struct Threads<F>(F);

impl<F> std::fmt::Debug for Threads<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Threads")
    }
}

impl<F: Fn() -> Health + Send + Sync + 'static> Collector for Threads<F> {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        let health = (self.0)();
        let gauges = [
            (
                "threads_at_work",
                "Threads that judge, or wait to",
                health.at_work,
            ),
            (
                "threads_lost_cap",
                "At how many lost threads nothing is judged",
                health.cap,
            ),
        ];
        for (name, help, value) in gauges {
            gauge(&mut encoder, name, help, value)?;
        }
        let lost: Vec<([(&str, String); 1], i64)> = health
            .lost
            .iter()
            .map(|(plugin, lost)| ([("plugin", plugin.clone())], number(*lost)))
            .collect();
        let help = "Threads that are lost now, by the plugin that keeps them";
        let kind = prometheus_client::metrics::MetricType::Gauge;
        let mut family = encoder.encode_descriptor("threads_lost", help, None, kind)?;
        for (labels, lost) in &lost {
            ConstGauge::new(*lost).encode(family.encode_family(labels)?)?;
        }
        let counters = [
            (
                "threads_given_up",
                "Threads that were ever lost",
                health.lost_ever,
            ),
            (
                "threads_come_back",
                "Lost threads that came back",
                health.came_back,
            ),
        ];
        for (name, help, value) in counters {
            let counter = ConstCounter::new(value);
            let kind = counter.metric_type();
            counter.encode(encoder.encode_descriptor(name, help, None, kind)?)?;
        }
        Ok(())
    }
}

fn gauge(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    value: usize,
) -> Result<(), Error> {
    let gauge = ConstGauge::new(number(value));
    let kind = gauge.metric_type();
    gauge.encode(encoder.encode_descriptor(name, help, None, kind)?)
}

fn number(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
