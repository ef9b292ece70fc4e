//! What a service tells of itself: its log on standard error, and traces to whoever receives them.

mod json;
mod repeats;
mod text;
mod traces;

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use alamein_server::MoreMetrics;
use anyhow::{Context as _, Result, anyhow};
use tracing::level_filters::LevelFilter;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{FilterExt as _, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Registry, reload};

use crate::args::Serve;
use json::Json;
use repeats::Repeats;
use text::Fields;
use traces::Traces;

/// How the names of our own parts begin.
const OURS: &str = "alamein";

/// What a service tells of itself, until it has ended.
pub(crate) struct Telemetry {
    traces: Option<Traces>,
    repeats: Repeats,
    level: reload::Handle<EnvFilter, Registry>,
}

impl Telemetry {
    /// Begins to tell. Before this nothing is logged.
    ///
    /// # Errors
    /// Where traces cannot be sent.
    pub(crate) fn start(command: &Serve) -> Result<Self> {
        let telling = &command.telling;
        let (filter, level) = reload::Layer::new(wanted(telling.log_level.as_deref())?);
        let repeats = Repeats::new(telling.log_repeats);
        let fit = filter_fn(is_fit).with_max_level_hint(LevelFilter::TRACE);
        let filter = filter.and(fit).and(repeats.clone());
        let log = log(command.log_json).with_filter(filter);
        let traces = Traces::start(telling).context("--otlp-endpoint")?;
        let logged = tracing_subscriber::registry().with(log);
        let begun = match traces.as_ref().map(Traces::layer) {
            Some(followed) => logged.with(followed).try_init(),
            // A layer that is not there would have everything that libraries tell asked about, each time.
            None => logged.try_init(),
        };
        begun.map_err(|error| anyhow!("there is a log already: {error}"))?;
        Ok(Self {
            traces,
            repeats,
            level,
        })
    }

    /// Tells from time to time how many lines were left out, for as long as it is polled.
    pub(crate) fn telling(&self) -> impl Future<Output = ()> + Send + use<> {
        let repeats = self.repeats.clone();
        async move {
            let mut tick = tokio::time::interval(repeats::WINDOW);
            loop {
                tick.tick().await;
                repeats.tell();
            }
        }
    }

    /// What can change what is logged while the service runs.
    pub(crate) fn level(&self) -> LogLevel {
        LogLevel(self.level.clone())
    }

    /// Has it counted how many spans are sent.
    pub(crate) fn register(&self, metrics: &mut MoreMetrics) {
        if let Some(traces) = &self.traces {
            let counts = traces.counts();
            metrics.add(move |registry| counts.register(registry));
        }
    }

    /// Sends what is to be sent yet, within this time.
    pub(crate) fn end(self, time: Duration) {
        self.repeats.tell();
        if let Some(traces) = self.traces {
            traces.end(time);
        }
    }
}

/// Changes what is logged.
#[derive(Clone)]
pub(crate) struct LogLevel(reload::Handle<EnvFilter, Registry>);

impl LogLevel {
    /// Logs what this says from now on; nothing stands for what is logged if it is not said.
    ///
    /// # Errors
    /// What is no level.
    pub(crate) fn set(&self, level: Option<&str>) -> Result<()> {
        let filter = wanted(level)?;
        self.0.reload(filter).context("the log")
    }
}

fn wanted(level: Option<&str>) -> Result<EnvFilter> {
    let usual = EnvFilter::builder().with_default_directive(LevelFilter::INFO.into());
    match level {
        Some(level) => usual.parse(level).context("--log-level"),
        None => usual.try_from_env().or_else(|_| Ok(EnvFilter::new("info"))),
    }
}

/// Whether something is fit to be written down. What libraries tell below `info` holds headers of
/// requests, and these hold secrets.
fn is_fit(metadata: &Metadata<'_>) -> bool {
    metadata.target().starts_with(OURS) || *metadata.level() <= Level::INFO
}

fn log<S>(json: bool) -> Box<dyn Layer<S> + Send + Sync>
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
{
    if json {
        return Box::new(Json);
    }
    let log = tracing_subscriber::fmt::layer()
        .fmt_fields(Fields)
        .with_writer(|| Forgiving(io::stderr()))
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal());
    Box::new(log)
}

/// The log of commands that serve nobody: warnings of the engine and of plugins. `RUST_LOG` asks for
/// more or less.
pub(crate) fn log_warnings() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| Forgiving(io::stderr()))
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal())
        .without_time()
        .init();
}

/// Standard error, of which nothing is said if it cannot be written to. A service must not fail
/// because whoever read its log has gone.
struct Forgiving(io::Stderr);

impl io::Write for Forgiving {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(self.0.write(bytes).unwrap_or(bytes.len()))
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.0.flush();
        Ok(())
    }
}
