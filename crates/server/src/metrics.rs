//! What the server counts, for whoever asks at `/metrics` on a listener of its own.
//!
//! Each room counts its own, and puts its counters into the registry that it is given; what is read
//! rather than counted is read when somebody asks. There are no globals: a server's registry is
//! made in `start` and lives as long as its listener.

mod listener;
mod plugins;

use alamein_engine::{EngineMetrics, Health};
use prometheus_client::registry::Registry;

pub(crate) use listener::MetricsListener;

use crate::rules::Rules;

/// What the names of all metrics begin with.
const PREFIX: &str = "alamein";

/// The registry of a server: its engine and its plugins.
pub(crate) fn registry(engine: &EngineMetrics, rules: &Rules) -> Registry {
    let mut registry = Registry::with_prefix(PREFIX);
    let of = rules.clone();
    engine.register(&mut registry, move || {
        let registry = of.registry();
        registry.map_or_else(|_| Health::default(), |it| it.threads().health())
    });
    registry.register_collector(Box::new(plugins::Plugins(rules.clone())));
    registry
}
