//! Traces, sent by OTLP.
//!
//! A receiver that is slow or gone is nobody's trouble but that of who looks at traces: spans wait in a
//! queue of bounded length, what does not fit is dropped, and it is told once in a while.

use std::fs;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry::{KeyValue, global};
use opentelemetry_otlp::tonic_types::transport::ClientTlsConfig;
use opentelemetry_otlp::{WithExportConfig as _, WithTonicConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider, Span, SpanData,
    SpanExporter, SpanProcessor,
};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;
use tokio::runtime::{Builder, Runtime};
use tracing::{Level, Metadata, Subscriber};
use tracing_opentelemetry::OpenTelemetryLayer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::Layer;
use tracing_subscriber::registry::LookupSpan;

use super::OURS;
use crate::args::Telling;

/// How many spans may wait to be sent: some hundred requests.
const WAITING: usize = 8_192;
/// How often they are sent.
const EVERY: Duration = Duration::from_secs(1);
/// How often it is told that they cannot be.
const SAID_EVERY: Duration = Duration::from_secs(60);
/// The spans of requests about the service, which nobody follows.
const ABOUT_SERVICE: &str = "alamein_server::about_service";
/// What plugins write into the log.
const OF_PLUGINS: &str = "alamein_plugin_host::services";

/// Traces that are being sent.
pub(super) struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    counts: SpanCounts,
    /// What the exporter's connection lives on, apart from what serves.
    runtime: Runtime,
}

impl Traces {
    /// Begins to send traces, if there is where to. That requests bear the ids of traces is heeded in any
    /// case: the log tells them.
    pub(super) fn start(telling: &Telling) -> Result<Option<Self>> {
        global::set_text_map_propagator(TraceContextPropagator::new());
        let Some(endpoint) = &telling.otlp_endpoint else {
            return Ok(None);
        };
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("traces")
            .enable_all()
            .build()?;
        let counts = SpanCounts::default();
        let within = runtime.enter();
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_tonic()
            .with_endpoint(endpoint)
            .with_timeout(telling.otlp_timeout);
        let exporter = if endpoint.starts_with("https:") {
            exporter.with_tls_config(ClientTlsConfig::new().with_native_roots())
        } else {
            exporter
        };
        let exporter = Telltale::new(exporter.build()?, counts.clone());
        drop(within);
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(WAITING)
            .with_scheduled_delay(EVERY)
            .build();
        let processor = BatchSpanProcessor::builder(exporter)
            .with_batch_config(batches)
            .build();
        let beginning = Sampler::TraceIdRatioBased(telling.otlp_sample);
        let provider = SdkTracerProvider::builder()
            .with_sampler(Sampler::ParentBased(Box::new(beginning)))
            .with_resource(resource(telling))
            .with_span_processor(Counted {
                next: processor,
                counts: counts.clone(),
            })
            .build();
        Ok(Some(Self {
            tracer: provider.tracer("alamein"),
            provider,
            counts,
            runtime,
        }))
    }

    /// What makes spans of the service's own.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        OpenTelemetryLayer::new(self.tracer.clone())
            .with_location(false)
            .with_threads(false)
            .with_level(false)
            .with_target(false)
            .with_tracked_inactivity(false)
            .with_filter(filter_fn(is_followed))
    }

    /// What counts the spans.
    pub(super) fn counts(&self) -> SpanCounts {
        self.counts.clone()
    }

    /// Sends what waits, within this time, and sends no more.
    pub(super) fn end(self, time: Duration) {
        if self.provider.shutdown_with_timeout(time).is_err() {
            tracing::warn!("not all traces could be sent at the end");
        }
        self.runtime.shutdown_background();
    }
}

/// Whether it is part of a trace: the service's own spans, warnings and errors, and what plugins say.
fn is_followed(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    let ours = target.starts_with(OURS) && target != ABOUT_SERVICE;
    let grave = metadata.is_span() || target == OF_PLUGINS || *metadata.level() <= Level::WARN;
    ours && grave && *metadata.level() <= Level::INFO
}

/// Who sends.
fn resource(telling: &Telling) -> Resource {
    let instance = telling.instance.clone().unwrap_or_else(instance);
    Resource::builder()
        .with_service_name(telling.service_name.clone())
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_attribute(KeyValue::new("service.instance.id", instance))
        .build()
}

/// The name of this machine and the number of this process.
fn instance() -> String {
    let machine = fs::read_to_string("/proc/sys/kernel/hostname");
    let machine = machine.ok().or_else(|| std::env::var("HOSTNAME").ok());
    let machine = machine.as_deref().map_or("localhost", str::trim);
    format!("{machine}:{}", std::process::id())
}

/// Counters of spans.
#[derive(Clone, Debug, Default)]
pub(super) struct SpanCounts {
    ended: Counter,
    sent: Family<Outcome, Counter>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

impl SpanCounts {
    /// Puts the counters into a registry.
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "spans_ended",
            "Spans of traces that are sent",
            self.ended.clone(),
        );
        registry.register(
            "spans_exported",
            "Spans that were sent to the receiver of traces, by outcome",
            self.sent.clone(),
        );
    }

    fn sent(&self, spans: usize, outcome: &'static str) {
        let sent = self.sent.get_or_create(&Outcome { outcome });
        sent.inc_by(spans as u64);
    }
}

/// A processor that counts the spans.
#[derive(Debug)]
struct Counted<P> {
    next: P,
    counts: SpanCounts,
}

impl<P: SpanProcessor> SpanProcessor for Counted<P> {
    fn on_start(&self, span: &mut Span, context: &opentelemetry::Context) {
        self.next.on_start(span, context);
    }

    fn on_end(&self, span: SpanData) {
        self.counts.ended.inc();
        self.next.on_end(span);
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.next.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.next.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.next.set_resource(resource);
    }
}

/// An exporter that tells when it fails, once in a while, and when it no longer does.
#[derive(Debug)]
struct Telltale<E> {
    next: E,
    counts: SpanCounts,
    /// When it was last told that it fails.
    failing: Mutex<Option<Instant>>,
}

impl<E: SpanExporter> Telltale<E> {
    fn new(next: E, counts: SpanCounts) -> Self {
        Self {
            next,
            counts,
            failing: Mutex::default(),
        }
    }

    fn tell(&self, result: &OTelSdkResult) {
        let mut failing = self.failing.lock().unwrap_or_else(PoisonError::into_inner);
        match (result, *failing) {
            (Err(_), Some(told)) if told.elapsed() < SAID_EVERY => {}
            (Err(error), _) => {
                tracing::warn!(%error, "traces cannot be sent; the service goes on without");
                *failing = Some(Instant::now());
            }
            (Ok(()), Some(_)) => {
                tracing::info!("traces are sent again");
                *failing = None;
            }
            (Ok(()), None) => {}
        }
    }
}

impl<E: SpanExporter> SpanExporter for Telltale<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let result = self.next.export(batch).await;
        let outcome = if result.is_ok() { "ok" } else { "failed" };
        self.counts.sent(spans, outcome);
        self.tell(&result);
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.next.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.next.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.next.set_resource(resource);
    }
}
