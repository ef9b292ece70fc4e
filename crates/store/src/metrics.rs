//! What a store counts.

use std::fmt;
use std::future::Future;
use std::time::{Duration, Instant};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tracing::Instrument as _;
use tracing::field::Empty;

use crate::store::Connections;

/// In which times operations are counted, in seconds: from a page that is in memory to a database that
/// does not answer.
const TIMES: [f64; 13] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0,
];

/// Counters of a store and of the cache before it. Clones are the same counters.
///
/// Whoever implements a store makes each operation within [`time`](Self::time):
///
/// ```
/// # futures::executor::block_on(async {
/// use alamein_store::StoreMetrics;
///
/// let metrics = StoreMetrics::default();
/// let read = async { Ok::<_, std::io::Error>(b"a map") };
/// let outcome = |read: &Result<_, _>| if read.is_ok() { "ok" } else { "unavailable" };
/// let read = metrics.time("get", "map", outcome, read).await;
/// assert!(read.is_ok());
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct StoreMetrics {
    operations: Family<Ended, Counter>,
    times: Family<Operation, Histogram, fn() -> Histogram>,
    retries: Family<Operation, Counter>,
    lookups: Family<Lookup, Counter>,
    evictions: Family<Cause, Counter>,
}

/// What is read of a store when somebody asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Its connections, if it has any.
    pub connections: Option<Connections>,
    /// How many bytes are in the cache before it.
    pub cache_bytes: u64,
    /// How many objects are there.
    pub cache_entries: u64,
}

tokio::task_local! {
    /// Where it is counted that the operation at hand is tried again.
    static AT_HAND: (Family<Operation, Counter>, Operation);
}

/// Counts that the operation at hand is tried again. What is not measured is not counted.
pub(crate) fn tried_again() {
    let _ = AT_HAND.try_with(|(retries, of)| retries.get_or_create(of).inc());
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Operation {
    operation: &'static str,
    kind: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Ended {
    operation: &'static str,
    kind: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Lookup {
    kind: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Cause {
    cause: &'static str,
}

impl Default for StoreMetrics {
    fn default() -> Self {
        Self {
            operations: Family::default(),
            times: Family::new_with_constructor(|| Histogram::new(TIMES)),
            retries: Family::default(),
            lookups: Family::default(),
            evictions: Family::default(),
        }
    }
}

impl StoreMetrics {
    /// Puts the counters into a registry, and gauges that are asked for whenever they are read.
    pub fn register(
        &self,
        registry: &mut Registry,
        held: impl Fn() -> Held + Send + Sync + 'static,
    ) {
        registry.register(
            "store_operations",
            "Operations of the store, by operation, kind of object and outcome",
            self.operations.clone(),
        );
        registry.register_with_unit(
            "store_operation_duration",
            "How long operations of the store took, with their retries, by operation and kind of object",
            Unit::Seconds,
            self.times.clone(),
        );
        registry.register(
            "store_retries",
            "Operations of the store that were tried again, by operation and kind of object",
            self.retries.clone(),
        );
        registry.register(
            "cache_lookups",
            "What was looked for in the cache, by kind of object and outcome",
            self.lookups.clone(),
        );
        registry.register(
            "cache_evictions",
            "What the cache let go, by cause",
            self.evictions.clone(),
        );
        registry.register_collector(Box::new(Gauges(held)));
    }

    /// Counts and traces an operation such as `get`, `put` or `move`, on an object of this kind, from its
    /// beginning to its end. `outcome` names how it ended, in a word of a few: `ok`, `unavailable`, `stale`.
    ///
    /// # Errors
    /// Those of the operation.
    pub async fn time<T, E>(
        &self,
        operation: &'static str,
        kind: &'static str,
        outcome: impl FnOnce(&Result<T, E>) -> &'static str,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let span = tracing::info_span!(
            "store",
            operation,
            kind,
            outcome = Empty,
            otel.status_code = Empty
        );
        let began = Instant::now();
        let at_hand = (self.retries.clone(), Operation { operation, kind });
        let work = AT_HAND.scope(at_hand, work);
        let done = work.instrument(span.clone()).await;
        let outcome = outcome(&done);
        span.record("outcome", outcome);
        if done.is_err() {
            span.record("otel.status_code", "ERROR");
        }
        self.count(operation, kind, outcome, began.elapsed());
        done
    }

    /// Counts an operation that has ended.
    pub fn count(
        &self,
        operation: &'static str,
        kind: &'static str,
        outcome: &'static str,
        time: Duration,
    ) {
        let ended = Ended {
            operation,
            kind,
            outcome,
        };
        self.operations.get_or_create(&ended).inc();
        let of = Operation { operation, kind };
        self.times.get_or_create(&of).observe(time.as_secs_f64());
    }

    /// Counts a look into the cache.
    pub fn looked_up(&self, kind: &'static str, hit: bool) {
        let outcome = if hit { "hit" } else { "miss" };
        self.lookups.get_or_create(&Lookup { kind, outcome }).inc();
    }

    /// Counts what the cache let go, and why: `size`, `age`, `replaced`.
    pub fn evicted(&self, cause: &'static str) {
        self.evictions.get_or_create(&Cause { cause }).inc();
    }
}

/// Gauges of what a store holds.
struct Gauges<F>(F);

impl<F> fmt::Debug for Gauges<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Gauges")
    }
}

impl<F: Fn() -> Held + Send + Sync + 'static> Collector for Gauges<F> {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let held = (self.0)();
        let gauge = |value: u64| ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX));
        let bytes = Some(&Unit::Bytes);
        let cache = [
            (
                "cache_size",
                "Bytes that the cache holds, as stores have them",
                bytes,
                held.cache_bytes,
            ),
            (
                "cache_entries",
                "Objects that the cache holds",
                None,
                held.cache_entries,
            ),
        ];
        for (name, help, unit, value) in cache {
            let of = encoder.encode_descriptor(name, help, unit, MetricType::Gauge)?;
            gauge(value).encode(of)?;
        }
        let Some(connections) = held.connections else {
            return Ok(());
        };
        let help =
            "Connections to the database, by state: idle, used, and the most that there may be";
        let mut family =
            encoder.encode_descriptor("store_connections", help, None, MetricType::Gauge)?;
        let states = [
            ("used", connections.open.saturating_sub(connections.idle)),
            ("idle", connections.idle),
            ("most", connections.most),
        ];
        for (state, count) in states {
            let labels = [("state", state)];
            gauge(count as u64).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use prometheus_client::encoding::text;

    use super::*;

    #[tokio::test]
    async fn what_is_counted_is_told() {
        let metrics = StoreMetrics::default();
        let outcome = |done: &Result<i32, ()>| if done.is_ok() { "ok" } else { "unavailable" };
        let fine = metrics.time("get", "map", outcome, async { Ok(1) });
        assert_eq!(fine.await, Ok(1));
        let failed = metrics.time("put", "map", outcome, async {
            tried_again();
            tried_again();
            Err(())
        });
        assert_eq!(failed.await, Err(()));
        tried_again();
        metrics.looked_up("map", true);
        metrics.looked_up("map", false);
        metrics.evicted("size");
        let (mut registry, mut told) = (Registry::default(), String::new());
        let connections = Some(Connections {
            open: 5,
            idle: 2,
            most: 10,
        });
        metrics.register(&mut registry, move || Held {
            connections,
            cache_bytes: 7,
            cache_entries: 1,
        });
        text::encode(&mut told, &registry).unwrap();
        for line in [
            r#"store_operations_total{operation="get",kind="map",outcome="ok"} 1"#,
            r#"store_operations_total{operation="put",kind="map",outcome="unavailable"} 1"#,
            r#"store_operation_duration_seconds_count{operation="get",kind="map"} 1"#,
            r#"store_retries_total{operation="put",kind="map"} 2"#,
            r#"store_connections{state="used"} 3"#,
            r#"cache_lookups_total{kind="map",outcome="hit"} 1"#,
            r#"cache_lookups_total{kind="map",outcome="miss"} 1"#,
            r#"cache_evictions_total{cause="size"} 1"#,
            "cache_size_bytes 7",
            "cache_entries 1",
        ] {
            assert!(told.lines().any(|it| it == line), "{line}: {told}");
        }
    }
}
