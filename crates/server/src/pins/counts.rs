//! What is counted of revisions that come from the store.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

/// Counters of what comes from the store. Clones are the same counters.
#[derive(Clone, Debug, Default)]
pub(crate) struct PinCounts {
    loads: Family<Came, Counter>,
    builds: Counter,
}

/// What came of it: `loaded`, `unknown`, `missing`, `refused`, `damaged`, `unavailable`, `busy`,
/// `late`.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Came {
    outcome: &'static str,
}

impl PinCounts {
    /// Puts the counters into a registry.
    pub(crate) fn register(&self, registry: &mut Registry) {
        let help = "Revisions of rulesets that were asked for and not held, by what came of it";
        registry.register("ruleset_loads", help, self.loads.clone());
        let help = "Builds of plugins that were kept in the store";
        registry.register("builds_kept", help, self.builds.clone());
    }

    pub(super) fn load(&self, outcome: &'static str) {
        self.loads.get_or_create(&Came { outcome }).inc();
    }

    /// A fingerprint that the store does not know, or not of whoever asks.
    pub(super) fn unknown(&self) {
        self.load("unknown");
    }

    pub(super) fn kept_build(&self) {
        self.builds.inc();
    }

    /// How many revisions came from the store with this outcome.
    #[cfg(test)]
    pub(super) fn loads(&self, outcome: &'static str) -> u64 {
        self.loads.get_or_create(&Came { outcome }).get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_the_store_is_counted_by_its_outcome() {
        let (counts, mut registry) = (PinCounts::default(), Registry::default());
        counts.register(&mut registry);
        counts.load("loaded");
        counts.unknown();
        counts.unknown();
        assert_eq!((counts.loads("loaded"), counts.loads("unknown")), (1, 2));
        let mut told = String::new();
        prometheus_client::encoding::text::encode(&mut told, &registry).unwrap();
        assert!(
            told.contains("ruleset_loads_total{outcome=\"unknown\"} 2"),
            "{told}"
        );
    }
}
