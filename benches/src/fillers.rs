//! Plugins that are there so that there are many: each has a terrain of its own, and TEM in it.

use alamein_plugin_sdk::abi::Descriptor;
use alamein_plugin_sdk::prelude::*;
use alamein_plugin_sdk::{export_plugin, kinds, rules};

rules! {
    TEM = "F1/tem";
}

kinds! {
    LOCATION = "location";
}

/// The plugin of this number, which is also in the name of its layer.
#[derive(Debug)]
pub struct Filler<const NUMBER: usize>;

/// Where its terrain is.
#[derive(Debug)]
pub struct Terrain(HexMap<bool>);

/// The layer of the filler of this number.
#[must_use]
pub fn layer(number: usize) -> String {
    format!("filler-{number}")
}

impl<const NUMBER: usize> TerrainPlugin for Filler<NUMBER> {
    type Options = NoOptions;
    type Map = Terrain;

    fn create(_: NoOptions, _: Log) -> Result<Self, String> {
        Ok(Self)
    }

    fn prepare(&self, map: &MapView<'_>, _: &mut Problems) -> Terrain {
        let mut here = HexMap::new(map.grid(), false);
        if let Some(layer) = map.layer(&layer(NUMBER)) {
            for hex in layer.hexes("hexes") {
                here.set(hex, true);
            }
        }
        Terrain(here)
    }

    fn survey(&self, terrain: &Terrain, survey: &mut Survey<'_>) {
        survey.hexes_with(&terrain.0, &true);
    }

    fn judge(&self, terrain: &Terrain, line: &Line<'_>, _: &Seen<'_>, say: &mut Findings) {
        let target = line.to();
        if line.attack().is_some() && terrain.0[target.hex()] {
            say.tem(TEM, LOCATION, 1).of_end(&target);
        }
    }
}

macro_rules! fillers {
    ($($number:literal $id:literal $symbol:ident)*) => {
        $(
            export_plugin! {
                id: $id,
                symbol: $symbol,
                plugin: Filler<$number>,
                manifest: concat!(
                    r#"{"manifest_version": 1, "id": "filler-"#, $number, r#"", "version": "0.1.0",
                    "rules_revision": 1, "title": "A terrain of its own",
                    "layers": [{"name": "filler-"#, $number, r#"", "description": "Its hexes.",
                        "fields": [{"name": "hexes", "kind": "hexes", "description": "The hexes."}]}],
                    "rules": [{"id": "F1/tem", "title": "TEM", "message": "{subject} has {value} TEM."}]}"#
                ),
                rules: RULES,
                kinds: KINDS,
            }
        )*

        /// Every filler, with its number.
        pub static FILLERS: &[(usize, &Descriptor)] = &[$(($number, &$symbol)),*];
    };
}

fillers! {
    1 "filler-1" alamein_plugin_filler_1
    2 "filler-2" alamein_plugin_filler_2
    3 "filler-3" alamein_plugin_filler_3
    4 "filler-4" alamein_plugin_filler_4
    5 "filler-5" alamein_plugin_filler_5
    6 "filler-6" alamein_plugin_filler_6
    7 "filler-7" alamein_plugin_filler_7
    8 "filler-8" alamein_plugin_filler_8
    9 "filler-9" alamein_plugin_filler_9
    10 "filler-10" alamein_plugin_filler_10
    11 "filler-11" alamein_plugin_filler_11
    12 "filler-12" alamein_plugin_filler_12
    13 "filler-13" alamein_plugin_filler_13
    14 "filler-14" alamein_plugin_filler_14
    15 "filler-15" alamein_plugin_filler_15
    16 "filler-16" alamein_plugin_filler_16
    17 "filler-17" alamein_plugin_filler_17
    18 "filler-18" alamein_plugin_filler_18
    19 "filler-19" alamein_plugin_filler_19
    20 "filler-20" alamein_plugin_filler_20
    21 "filler-21" alamein_plugin_filler_21
    22 "filler-22" alamein_plugin_filler_22
    23 "filler-23" alamein_plugin_filler_23
}
