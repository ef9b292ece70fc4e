//! Hillocks beside what other plugins observe: walls, rubble, grain, vehicles.
//!
//! A small plugin stands for those others. It observes, and blocks a LOS between ends at one level by
//! any half-level obstacle at that level that stands, as terrain of its own kind would.
#![allow(clippy::unwrap_used)] // A test may.

mod furniture;
mod hindrances;
mod obstacles;
mod summits;
mod targets;

use std::collections::BTreeMap;
use std::sync::Arc;

use alamein_cases::{Asked, Known, parse};
use alamein_engine::{Engine, Ruleset, RulesetConfig, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::{LosResult, LosVerdict, Ruling};
use serde_json::{Value, json};

/// A position: layers of the map, counters, and options of the hillock plugin.
pub(crate) struct Table {
    layers: Value,
    levels: Value,
    counters: Value,
    options: Value,
}

/// A map with these layers: `{"hillock": ["J4"], "wall": ["J5|J6"]}`.
pub(crate) fn table(layers: Value) -> Table {
    Table {
        layers,
        levels: json!({}),
        counters: json!([]),
        options: json!({}),
    }
}

impl Table {
    pub(crate) fn levels(mut self, levels: Value) -> Self {
        self.levels = levels;
        self
    }

    pub(crate) fn counters(mut self, counters: Value) -> Self {
        self.counters = counters;
        self
    }

    pub(crate) fn options(mut self, options: Value) -> Self {
        self.options = options;
        self
    }

    /// The ruling on whether these see each other.
    pub(crate) fn sight(&self, from: &str, to: &str) -> Ruling {
        self.ask(json!({"kind": "line_of_sight", "from": from, "to": to}))
    }

    /// The same between ends of which one or both may be aimed at a vertex.
    pub(crate) fn sight_between(&self, from: &Value, to: &Value) -> Ruling {
        self.ask(json!({"kind": "line_of_sight", "from": from, "to": to}))
    }

    /// The ruling on a shot.
    pub(crate) fn fire(&self, from: &str, to: &str, attack: &str) -> Ruling {
        self.ask(json!({"kind": "line_of_fire", "from": from, "to": to, "attack": attack}))
    }

    fn ask(&self, question: Value) -> Ruling {
        let plugins = [
            NativePlugin::linked(&alamein_hillock::alamein_plugin_hillock).unwrap(),
            NativePlugin::linked(&furniture::alamein_plugin_furniture).unwrap(),
        ];
        let options = self.options.as_object().unwrap().clone();
        let config = RulesetConfig {
            options: BTreeMap::from([("hillock".to_owned(), options)]),
            ..RulesetConfig::default()
        };
        let engine = Engine::new(Ruleset::build(&plugins, &config).unwrap()).unwrap();
        let ruleset = engine.ruleset();
        let known = Known::of(ruleset.members().iter().map(|member| member.manifest()));
        let map =
            json!({"board": "33x10 geomorphic", "layers": self.layers, "levels": self.levels});
        let case =
            json!({"id": "t", "map": map, "counters": self.counters, "questions": [question]});
        let case = parse("t.json", &case.to_string(), &known).unwrap();
        let Asked::Question(asked) = case.questions[0].asked.clone() else {
            panic!("{:?}", case.questions[0].asked)
        };
        let position = Arc::clone(&case.position);
        let rulings = engine.adjudicate_here(&ruleset, position, &[*asked], Wanted::default());
        rulings.unwrap().remove(0).unwrap().ruling
    }
}

pub(crate) fn los(ruling: &Ruling) -> &LosVerdict {
    ruling.verdict.los().unwrap()
}

pub(crate) fn is_blocked(ruling: &Ruling) -> bool {
    los(ruling).result == LosResult::Blocked
}

/// The options on which a ruling turned.
pub(crate) fn contested(ruling: &Ruling) -> Vec<&str> {
    let mut options: Vec<&str> = ruling
        .contested
        .iter()
        .map(|held| held.option.as_str())
        .collect();
    options.dedup();
    options
}

/// The rules that were considered and do not apply.
pub(crate) fn considered(ruling: &Ruling) -> Vec<&str> {
    ruling
        .considered
        .iter()
        .map(|found| &*found.by.rule)
        .collect()
}
