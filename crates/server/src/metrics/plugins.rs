//! What there is of plugins.

use std::collections::BTreeMap;
use std::fmt::Error;

use alamein_plugin_host::libraries_held;
use alamein_rulesets::PluginState;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;

use crate::rules::Rules;

/// Reads how the plugins are.
#[derive(Debug)]
pub(super) struct Plugins(pub(super) Rules);

impl Collector for Plugins {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        let mut states: BTreeMap<&str, i64> = ["active", "failed", "packed", "refused", "retired"]
            .map(|it| (it, 0))
            .into();
        let mut refused: BTreeMap<String, i64> = BTreeMap::new();
        let listing = self.0.registry().map(|registry| registry.list()).ok();
        let cap = listing.as_ref().map(|listing| listing.most_libraries);
        let plugins = listing.map(|listing| listing.plugins);
        for plugin in plugins.unwrap_or_default() {
            let state = match plugin.state {
                PluginState::Active => "active",
                PluginState::Failed { .. } => "failed",
                PluginState::Retired => "retired",
                PluginState::Packed => "packed",
                PluginState::Refused { reason, .. } => {
                    *refused.entry(reason).or_default() += 1;
                    "refused"
                }
            };
            *states.entry(state).or_default() += 1;
        }
        let states = states
            .into_iter()
            .map(|(state, count)| (state.to_owned(), count));
        family(
            &mut encoder,
            "plugins",
            "Plugins, by state",
            "state",
            states,
        )?;
        let help = "Plugins that were refused, by reason";
        family(&mut encoder, "plugins_refused", help, "reason", refused)?;
        let help = "Libraries that this process holds; none is ever unloaded";
        gauge(&mut encoder, "libraries_held", help, libraries_held())?;
        let Some(cap) = cap else { return Ok(()) };
        let help = "How many libraries this process may hold";
        gauge(&mut encoder, "libraries_cap", help, cap)
    }
}

fn gauge(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    value: u64,
) -> Result<(), Error> {
    let value = ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX));
    value.encode(encoder.encode_descriptor(name, help, None, MetricType::Gauge)?)
}

pub(super) fn family(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    label: &str,
    values: impl IntoIterator<Item = (String, i64)>,
) -> Result<(), Error> {
    let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    for (value, count) in values {
        let labels = [(label, value)];
        ConstGauge::new(count).encode(family.encode_family(&labels)?)?;
    }
    Ok(())
}
