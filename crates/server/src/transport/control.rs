//! A running server's reins: readiness and the way down.

use std::sync::Arc;

use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

/// Steers a running server. Clones steer the same one.
#[derive(Clone, Debug)]
pub struct Control(Arc<Reins>);

#[derive(Debug)]
struct Reins {
    /// Asked to shut down.
    stop: CancellationToken,
    /// No new connections: what is open is to finish.
    drain: CancellationToken,
    /// That has taken too long: what is open is answered for.
    over: CancellationToken,
    /// What is open is cut off.
    abort: CancellationToken,
    health: HealthReporter,
    /// The services that health knows, the whole server included.
    names: Vec<&'static str>,
    /// Whether it says that it serves, for whoever reads metrics.
    serving: Gauge,
    /// Held while health changes, so that a late "ready" cannot follow the last "not serving".
    changing: Mutex<()>,
}

impl Control {
    /// A control for a server of these services. They are not serving yet.
    pub(crate) async fn new(
        health: HealthReporter,
        services: &[&'static str],
        serving: Gauge,
    ) -> Self {
        // The empty name stands for the whole server.
        let names = std::iter::once("")
            .chain(services.iter().copied())
            .collect();
        let control = Self(Arc::new(Reins {
            stop: CancellationToken::new(),
            drain: CancellationToken::new(),
            over: CancellationToken::new(),
            abort: CancellationToken::new(),
            health,
            names,
            serving,
            changing: Mutex::new(()),
        }));
        control.report(ServingStatus::NotServing).await;
        control
    }

    /// Says whether the server is fit to serve: its rules are loaded and its plugins well. It is
    /// not until this is called. Once it shuts down, it is not for good.
    pub async fn set_ready(&self, ready: bool) {
        let _change = self.0.changing.lock().await;
        if !self.0.stop.is_cancelled() {
            let status = if ready {
                ServingStatus::Serving
            } else {
                ServingStatus::NotServing
            };
            self.report(status).await;
        }
    }

    /// Asks the server to shut down in order. Asking again changes nothing.
    pub fn shutdown(&self) {
        self.0.stop.cancel();
    }

    /// Asks the server to shut down at once: connections are cut off.
    pub fn abort(&self) {
        self.0.stop.cancel();
        self.0.abort.cancel();
    }

    /// Whether the server was asked to shut down.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.0.stop.is_cancelled()
    }

    /// Waits until the server is asked to shut down.
    pub async fn stopping(&self) {
        self.0.stop.cancelled().await;
    }

    /// Says for good that the server does not serve.
    pub(crate) async fn unready(&self) {
        let _change = self.0.changing.lock().await;
        self.report(ServingStatus::NotServing).await;
    }

    pub(crate) fn drain_token(&self) -> &CancellationToken {
        &self.0.drain
    }

    pub(crate) fn over_token(&self) -> &CancellationToken {
        &self.0.over
    }

    pub(crate) fn abort_token(&self) -> &CancellationToken {
        &self.0.abort
    }

    async fn report(&self, status: ServingStatus) {
        let serves = status == ServingStatus::Serving;
        self.0.serving.set(serves.into());
        for name in &self.0.names {
            self.0.health.set_service_status(name, status).await;
        }
    }
}
