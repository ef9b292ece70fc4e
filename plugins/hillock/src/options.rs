//! What the rules leave open, and a ruleset decides.

use alamein_plugin_sdk::prelude::*;
use serde::Deserialize;

use crate::rules;

/// The options, as `plugin.json` describes them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// How many half-level obstacles a LOS with one end on a hillock sees over.
    pub half_level_budget: Budget,
    /// Whether such a LOS crosses a hillock of which it meets a vertex only.
    pub vertex_touch: VertexTouch,
    /// Which hillocks such a LOS crosses if it grazes, with different ones on its two sides.
    pub grazing_sides: GrazingSides,
    /// Whether an Emplaced Gun sees over the hillock in front of it.
    pub emplaced_adjacent: Emplaced,
    /// Whether a LOS with one end on a hillock is over the AFV/wrecks between.
    pub hillock_sees_over_afv: bool,
    /// Whether one hillock protects two units that fire at each other over it.
    pub both_adjacent_benefit: bool,
    /// Whether TEM of a hillock adds to other TEM of the target's hex.
    pub tem_cumulative: bool,
    /// Whether a hillock protects PRC.
    pub prc: Prc,
    /// What an unarmored vehicle gets behind a hillock.
    pub unarmored_vehicle: UnarmoredVehicle,
}

/// How many half-level obstacles a LOS with one end on a hillock sees over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// One of each kind: a hillock, a wall or hedge, a rubble hex.
    PerKind,
    /// One, whatever it is.
    Total,
}

/// Whether a LOS crosses a hillock of which it meets a vertex only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VertexTouch {
    /// It does.
    Crosses,
    /// It does not.
    Misses,
}

/// Which hillocks a grazing LOS crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrazingSides {
    /// Those on both of its sides.
    Both,
    /// Those on one of its sides, the one that has more.
    One,
}

/// What the hillock in front of an Emplaced Gun is to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Emplaced {
    /// It does not see over it, like an entrenched unit.
    Restricted,
    /// It sees over it.
    SeesOver,
}

/// Whom of those that others carry a hillock protects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prc {
    /// No PRC. Cavalry are none.
    Unprotected,
    /// No PRC, and no Cavalry.
    UnprotectedWithCavalry,
    /// PRC too.
    Protected,
}

/// What an unarmored vehicle gets behind a hillock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnarmoredVehicle {
    /// HD, like any vehicle.
    Hd,
    /// +1 TEM.
    Tem,
}

impl Options {
    /// These options with each that bears on LOS set to its other value, by the rule that says so.
    #[must_use]
    pub fn otherwise_in_los(self) -> [(Rule, Self); 4] {
        let mut otherwise = [self; 4];
        let [budget, vertex, sides, emplaced] = &mut otherwise;
        budget.half_level_budget = match self.half_level_budget {
            Budget::PerKind => Budget::Total,
            Budget::Total => Budget::PerKind,
        };
        vertex.vertex_touch = match self.vertex_touch {
            VertexTouch::Crosses => VertexTouch::Misses,
            VertexTouch::Misses => VertexTouch::Crosses,
        };
        sides.grazing_sides = match self.grazing_sides {
            GrazingSides::Both => GrazingSides::One,
            GrazingSides::One => GrazingSides::Both,
        };
        emplaced.emplaced_adjacent = match self.emplaced_adjacent {
            Emplaced::Restricted => Emplaced::SeesOver,
            Emplaced::SeesOver => Emplaced::Restricted,
        };
        let [budget, vertex, sides, emplaced] = otherwise;
        [
            (rules::BUDGET, budget),
            (rules::VERTEX_TOUCH, vertex),
            (rules::GRAZING_SIDES, sides),
            (rules::EMPLACED, emplaced),
        ]
    }
}

#[cfg(test)]
impl Options {
    /// What they are unless a ruleset says otherwise.
    pub(crate) fn usual() -> Self {
        static USUAL: std::sync::LazyLock<Options> = std::sync::LazyLock::new(|| {
            let plugin = &crate::alamein_plugin_hillock;
            let manifest = alamein_plugin_sdk::testkit::check_manifest(plugin).unwrap();
            serde_json::from_value(manifest.options_with(&serde_json::Map::new())).unwrap()
        });
        *USUAL
    }
}
