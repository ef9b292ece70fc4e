//! What the benchmarks share: a plugin that is asked about everything and says nothing, to measure
//! the plugin boundary by, and fillers, to see what many plugins cost.

pub mod fillers;
pub mod plots;
pub mod works;

use alamein_plugin_sdk::prelude::*;
use alamein_plugin_sdk::{export_plugin, kinds, rules};

rules! {}
kinds! {}

/// Says nothing.
#[derive(Debug)]
pub struct Empty;

impl TerrainPlugin for Empty {
    type Options = NoOptions;
    type Map = ();

    fn create(_: NoOptions, _: Log) -> Result<Self, String> {
        Ok(Self)
    }

    fn prepare(&self, _: &MapView<'_>, _: &mut Problems) {}

    fn survey(&self, (): &(), survey: &mut Survey<'_>) {
        survey.everything();
    }
}

export_plugin! {
    id: "empty",
    symbol: alamein_plugin_empty,
    plugin: Empty,
    manifest: r#"{"manifest_version": 1, "id": "empty", "version": "0.1.0",
        "rules_revision": 1, "title": "Says nothing", "rules": []}"#,
    rules: RULES,
    kinds: KINDS,
}

/// A line between two hexes of a flat map, for sight.
///
/// # Panics
/// If a name is none of a hex.
#[must_use]
pub fn line(grid: &Grid, from: &str, to: &str) -> alamein_terrain::Line {
    let hex = |name: &str| grid.hex(name).unwrap_or_else(|error| panic!("{error}"));
    let end = |hex: Hex| alamein_terrain::EndFacts {
        hex,
        corner: None,
        counter: None,
        level: 0,
        class: CounterClass::Squad,
        flags: alamein_terrain::CounterFlags::none(),
        side: 0,
        aboard: false,
    };
    let (from, to) = (hex(from), hex(to));
    alamein_terrain::Line {
        trace: alamein_hex::trace_between(from, to),
        readings_on_map: [true, true],
        from: end(from),
        to: end(to),
        purpose: alamein_terrain::Purpose::Sight,
        attack: None,
        munition: alamein_terrain::Munition::Other,
        policy: GrazingPolicy::Either,
        lane: None,
        counters: std::iter::empty().collect(),
        obstacles_only: false,
    }
}

/// A batch of lines on a flat map without counters.
#[must_use]
pub fn batch<'a>(
    levels: &'a [i16],
    lines: &'a [alamein_terrain::Line],
) -> alamein_terrain::LineBatch<'a> {
    alamein_terrain::LineBatch {
        levels,
        counters: &[],
        attributes: &[],
        attribute_names: &[],
        ec: EnvironmentCondition::Dry,
        lines,
        ask: &[0],
        kept: None,
    }
}
