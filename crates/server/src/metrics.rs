//! What the server counts, for whoever asks at `/metrics` on a listener of its own.
//!
//! Each room counts its own, and puts its counters into the registry that it is given; what is read
//! rather than counted is read when somebody asks. There are no globals: a server's registry is
//! made in `start` and lives as long as its listener. What there is, `docs/metrics.md` says.

mod bounded;
mod credentials;
mod listener;
mod plugins;
mod process;

use std::fmt;
use std::sync::Arc;

use alamein_engine::{EngineMetrics, Health};
use alamein_store::{Keeper, StoreMetrics};
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

pub(crate) use bounded::Bounded;
pub(crate) use credentials::Credentials;
pub(crate) use listener::MetricsListener;

use crate::pins::PinCounts;
use crate::ruled::Ruled;
use crate::rules::Rules;
use crate::running::Reloads;
use crate::transport::TransportMetrics;

/// What the names of all metrics begin with, but for those of the process.
const PREFIX: &str = "alamein";

/// What else is counted, by whoever starts a server: each puts its counters into the registry.
#[derive(Clone, Default)]
pub struct MoreMetrics(Vec<Register>);

type Register = Arc<dyn Fn(&mut Registry) + Send + Sync>;

impl MoreMetrics {
    /// Adds counters. Their names come to begin with `alamein_`.
    pub fn add(&mut self, register: impl Fn(&mut Registry) + Send + Sync + 'static) {
        self.0.push(Arc::new(register));
    }
}

impl fmt::Debug for MoreMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MoreMetrics").field(&self.0.len()).finish()
    }
}

/// All that counts in a server.
pub(crate) struct Counting<'a> {
    pub(crate) engine: &'a EngineMetrics,
    pub(crate) rules: &'a Rules,
    pub(crate) ruled: &'a Ruled,
    pub(crate) transport: &'a TransportMetrics,
    pub(crate) store: &'a StoreMetrics,
    pub(crate) keeper: &'a Keeper,
    pub(crate) credentials: Credentials,
    pub(crate) pins: &'a PinCounts,
    pub(crate) serving: &'a Gauge,
    pub(crate) reloads: &'a Reloads,
    pub(crate) more: &'a MoreMetrics,
}

impl Counting<'_> {
    /// The registry of a server.
    pub(crate) fn registry(self) -> Registry {
        let mut whole = Registry::default();
        whole.register_collector(Box::new(process::Process));
        let registry = whole.sub_registry_with_prefix(PREFIX);
        registry.register(
            "serving",
            "Whether health says SERVING",
            self.serving.clone(),
        );
        let version = vec![("version", env!("CARGO_PKG_VERSION"))];
        registry.register("build", "Which version this is", Info::new(version));
        let rules = self.rules.clone();
        self.engine.register(registry, move || {
            let registry = rules.registry();
            registry.map_or_else(|_| Health::default(), |it| it.threads().health())
        });
        registry.register_collector(Box::new(plugins::Plugins(self.rules.clone())));
        registry.register_collector(Box::new(self.credentials));
        self.ruled.register(registry);
        self.reloads.register(registry);
        self.transport.register(registry);
        let keeper = self.keeper.clone();
        self.store.register(registry, move || keeper.held());
        self.pins.register(registry);
        for register in &self.more.0 {
            register(registry);
        }
        whole
    }
}
