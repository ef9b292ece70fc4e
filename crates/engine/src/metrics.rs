//! What an engine counts.

use std::fmt::Error;

use alamein_terrain::FeatureError;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;

use crate::config::Health;
use crate::error::{MoveError, PrepareError, QuestionError};

/// Counters of an engine. Clones are the same counters.
#[derive(Clone, Debug, Default)]
pub struct EngineMetrics {
    failures: Family<Failed, Counter>,
    rulings: Family<Failed, Counter>,
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
            self.failures.clone(),
        );
        registry.register(
            "rulings_failed",
            "Questions without a ruling since a plugin failed, by plugin and kind",
            self.rulings.clone(),
        );
        registry.register_collector(Box::new(Threads(health)));
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
                    self.rulings.get_or_create(&Failed::of(error)).inc();
                    // All lines of a batch are asked about at once: one failure is that of many.
                    if !told.contains(&error) {
                        self.failures.get_or_create(&Failed::of(error)).inc();
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

    fn count(&self, asked: u64, error: Option<&FeatureError>) {
        if let Some(error) = error {
            self.failures.get_or_create(&Failed::of(error)).inc();
            self.rulings.get_or_create(&Failed::of(error)).inc_by(asked);
        }
    }
}

impl Failed {
    fn of(error: &FeatureError) -> Self {
        let kind = match error {
            FeatureError::Panicked { .. } => "panicked",
            FeatureError::Poisoned { .. } => "out_of_use",
            FeatureError::Overran { .. } => "overran",
            FeatureError::Rubbish { .. } => "rubbish",
            FeatureError::Failed { .. } => "failed",
            FeatureError::OutOfTime { .. } => "out_of_time",
        };
        let plugin = error.plugin().to_owned();
        Self { plugin, kind }
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
