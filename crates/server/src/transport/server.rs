//! A server: put together, bound, served, shut down.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::Semaphore;
use tonic_health::server::HealthReporter;
use tonic_reflection::server::Builder as Reflection;

use super::address::Address;
use super::around::{Answers, Apart, Stepped};
use super::config::{ConfigError, ServerConfig};
use super::connections::{Listener, Pulse};
use super::control::Control;
use super::deadline::Deadlines;
use super::drain::Drains;
use super::intake::Intake;
use super::limited::{Limited, MessageLimits};
use super::lines::Lines;
use super::load::Load;
use super::malformed::Malformed;
use super::metrics::TransportMetrics;
use super::page::Page;
use super::panics::CatchPanics;
use super::repeats::Repeats;
use super::services::Services;
use super::size::Sizes;
use super::span::{Spans, Tenants, Within};
use super::tls::Tls;
use super::turnstile::Turnstile;
use super::web::Web;
use crate::auth::{Audits, AuthError, Guard};

/// The longest request to health and reflection, in bytes.
const ABOUT_SERVICE: usize = 16 << 10;

/// How long clients of what is cut off have to take in that it is.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// Why a server could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A setting makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The address could not be bound.
    #[error("{address} could not be bound: {source}")]
    Bind {
        /// The address.
        address: Address,
        /// What the system says.
        source: std::io::Error,
    },
    /// The record of questions cannot be written.
    #[error("{}: the record cannot be written: {source}", file.display())]
    Record {
        /// The file.
        file: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The audit log cannot be written.
    #[error("{}: the audit log cannot be written: {source}", file.display())]
    Audit {
        /// The file.
        file: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Who calls cannot be asked.
    #[error(transparent)]
    Auth(#[from] AuthError),
    /// What is kept cannot be had.
    #[error(transparent)]
    Store(#[from] alamein_store::StoreError),
    /// The API's definition could not be shown.
    #[error("reflection could not be set up: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
}

/// How a server that was asked to shut down did so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shutdown {
    /// How many connections had to be cut off because they did not finish in time.
    pub cut_off: usize,
}

/// A server that is being put together.
#[derive(Debug)]
pub struct ServerBuilder {
    config: ServerConfig,
    tls: Option<Tls>,
    page: Option<Page>,
    guard: Guard,
    metrics: TransportMetrics,
    serving: Gauge,
    services: Services,
    names: Vec<&'static str>,
}

impl ServerBuilder {
    /// A server without services.
    #[must_use]
    pub fn new(config: ServerConfig) -> Self {
        Self {
            config,
            tls: None,
            page: None,
            guard: Guard::open(),
            metrics: TransportMetrics::default(),
            serving: Gauge::default(),
            services: Services::default(),
            names: Vec::new(),
        }
    }

    /// Speaks TLS, and nothing else. On a Unix socket it means nothing.
    #[must_use]
    pub fn tls(mut self, tls: Option<Tls>) -> Self {
        self.tls = tls;
        self
    }

    /// Gives browsers a page. It is open to everybody; what it asks of the service is not.
    #[must_use]
    pub fn page(mut self, page: Option<Page>) -> Self {
        self.page = page;
        self
    }

    /// Answers only whom this lets in. Health is open to everybody.
    #[must_use]
    pub fn guard(mut self, guard: Guard) -> Self {
        self.guard = guard;
        self
    }

    /// Counts requests and connections here.
    #[must_use]
    pub fn metrics(mut self, metrics: TransportMetrics) -> Self {
        self.metrics = metrics;
        self
    }

    /// Sets this to 1 while health says that the server serves, and to 0 while it does not.
    #[must_use]
    pub fn serving(mut self, serving: Gauge) -> Self {
        self.serving = serving;
        self
    }

    /// Adds a service. The limits of the configuration are put on it, and health and reflection
    /// know it.
    #[must_use]
    pub fn service<S: Limited>(mut self, service: S) -> Self {
        self.names.push(S::NAME);
        self.add(service);
        self
    }

    fn add<S: Limited>(&mut self, service: S) {
        let mut limits = MessageLimits::from(&self.config);
        if !self.names.contains(&S::NAME) {
            // Health and reflection answer whatever the load: so they must not be a load themselves.
            limits.max_request_bytes = limits.max_request_bytes.min(ABOUT_SERVICE);
        }
        self.services.add(service.limited(limits));
    }

    /// Binds the socket. Connections wait in its queue until the server is served.
    ///
    /// # Errors
    /// A setting that makes no sense, or an address that cannot be bound.
    pub async fn bind(mut self) -> Result<BoundServer, StartError> {
        self.config.check()?;
        let reporter = HealthReporter::new();
        let control = Control::new(reporter.clone(), &self.names, self.serving.clone()).await;
        let health = tonic_health::server::HealthService::from_health_reporter(reporter);
        self.add(tonic_health::pb::health_server::HealthServer::new(health));
        if self.config.reflection {
            self.add(self.reflection().build_v1()?);
            self.add(self.reflection().build_v1alpha()?);
        }
        let Self {
            config,
            tls,
            page,
            guard,
            metrics,
            services,
            names,
            ..
        } = self;
        let address = config.listen.clone();
        let listener = Listener::bind(&config, tls, metrics.clone())
            .await
            .map_err(|source| StartError::Bind { address, source })?;
        tracing::info!(address = %listener.local_addr(), services = ?names, "listening");
        Ok(BoundServer {
            config,
            page,
            guard,
            metrics,
            services,
            control,
            listener,
        })
    }

    fn reflection(&self) -> Reflection<'static> {
        use tonic_reflection::pb::{v1, v1alpha};
        let own = [
            tonic_health::pb::health_server::SERVICE_NAME,
            v1::server_reflection_server::SERVICE_NAME,
            v1alpha::server_reflection_server::SERVICE_NAME,
        ];
        let sets = [
            alamein_proto::FILE_DESCRIPTOR_SET,
            tonic_health::pb::FILE_DESCRIPTOR_SET,
            v1::FILE_DESCRIPTOR_SET,
            v1alpha::FILE_DESCRIPTOR_SET,
        ];
        let mut reflection = Reflection::configure().include_reflection_service(false);
        for set in sets {
            reflection = reflection.register_encoded_file_descriptor_set(set);
        }
        for name in self.names.iter().chain(&own) {
            reflection = reflection.with_service_name(*name);
        }
        reflection
    }
}

/// A server whose socket is bound.
#[derive(Debug)]
pub struct BoundServer {
    config: ServerConfig,
    page: Option<Page>,
    guard: Guard,
    metrics: TransportMetrics,
    services: Services,
    control: Control,
    listener: Listener,
}

impl BoundServer {
    /// The address that was bound, with its real port.
    #[must_use]
    pub fn local_addr(&self) -> &Address {
        self.listener.local_addr()
    }

    /// What shows that it accepts connections.
    pub(crate) fn pulse(&self) -> Pulse {
        self.listener.pulse()
    }

    /// What steers the server.
    #[must_use]
    pub fn control(&self) -> Control {
        self.control.clone()
    }

    /// Serves until [`Control::shutdown`], and then ends in bounded time: health says NOT_SERVING;
    /// after `lame_duck` no more connections are accepted; what is open may finish within
    /// `drain_limit`; what has not is cut off.
    pub async fn serve(self) -> Shutdown {
        let Self {
            config,
            page,
            guard,
            metrics,
            services,
            control,
            listener,
        } = self;
        let places = listener.places();
        let service = stack(&config, page, guard, metrics, &control, services);
        let drain = control.drain_token().clone();
        wind_down(&config, &control, &places, listener.serve(service, drain)).await
    }
}

/// What answers, with every step of the transport around it.
fn stack(
    config: &ServerConfig,
    page: Option<Page>,
    guard: Guard,
    metrics: TransportMetrics,
    control: &Control,
    services: Services,
) -> impl Answers {
    let load = Load::new(
        config.max_concurrent_requests,
        config.max_standing_requests,
        config.retry_after,
    );
    let answers = Stepped::new(Sizes(config.into()), services);
    let answers = Stepped::new(Within, answers);
    let repeats = Repeats::new(config, metrics.clone());
    let answers = Stepped::new(repeats, answers);
    let answers = Stepped::new(load.clone(), answers);
    let answers = Apart(Stepped::new(Intake::new(config), Apart(answers)));
    let answers = Stepped::new(Malformed, answers);
    let answers = Stepped::new(
        Deadlines {
            max: config.max_deadline,
        },
        answers,
    );
    let drains = Drains {
        drain: control.drain_token().clone(),
        over: control.over_token().clone(),
    };
    let answers = Stepped::new(drains, answers);
    let answers = Stepped::new(Audits(guard.clone()), Apart(answers));
    let answers = Stepped::new(Tenants, answers);
    let answers = Stepped::new(guard, answers);
    let answers = Stepped::new(CatchPanics, Apart(answers));
    let spans = Spans {
        metrics: metrics.clone(),
        followed: config.traces,
        slow: config.slow,
        lines: Arc::new(Lines::new(config.log_requests)),
    };
    let answers = Stepped::new(spans, answers);
    let answers = Stepped::new(Turnstile::new(load, metrics), Apart(answers));
    Stepped::new(page, Web::new(config, answers))
}

/// Serves until asked to stop, and then goes down step by step.
async fn wind_down(
    config: &ServerConfig,
    control: &Control,
    places: &Semaphore,
    serving: impl Future<Output = ()>,
) -> Shutdown {
    let clean = Shutdown { cut_off: 0 };
    let mut serving = Box::pin(serving);
    let abort = control.abort_token();
    tokio::select! {
        () = &mut serving => return clean,
        () = control.stopping() => {}
    }
    tracing::info!("shutting down: not serving any more");
    control.unready().await;
    tokio::select! {
        () = &mut serving => return clean,
        () = tokio::time::sleep(config.lame_duck) => {}
        () = abort.cancelled() => {}
    }
    tracing::info!("shutting down: waiting for what is open");
    control.drain_token().cancel();
    tokio::select! {
        biased;
        () = &mut serving => return clean,
        () = tokio::time::sleep(config.drain_limit) => {}
        () = abort.cancelled() => {}
    }
    let cut_off = config.max_connections - places.available_permits();
    tracing::warn!(
        connections = cut_off,
        "shutting down: cutting off what did not finish"
    );
    control.over_token().cancel();
    tokio::select! {
        () = &mut serving => {}
        () = tokio::time::sleep(LAST_WORDS) => {}
    }
    drop(serving);
    Shutdown { cut_off }
}
