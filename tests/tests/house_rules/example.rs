//! What a house rule changes in the worked example.

use std::collections::BTreeSet;
use std::sync::Arc;

use alamein_cases::{Asked, Case};
use alamein_engine::{Engine, Ruleset, RulesetConfig, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::{Question, Ruling};
use alamein_tests::{known, linked_plugins, root};
use serde_json::{Map, Value, json};

/// The worked example, with what a house rule needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Example {
    /// Layers that its map has besides its own.
    pub(crate) layers: Map<String, Value>,
    /// The options of the house rule.
    pub(crate) options: Map<String, Value>,
}

impl Example {
    /// Rules on it by the plugins that come with Alamein. What they know nothing of they ignore.
    fn without(&self) -> Ruled {
        let ignored: Vec<&String> = self.layers.keys().collect();
        self.rule(
            &linked_plugins().unwrap(),
            RulesetConfig::default(),
            &json!(ignored),
        )
    }

    /// Rules on it by a house rule besides.
    pub(crate) fn with(&self, rule: &NativePlugin) -> Ruled {
        self.by(&crate::with(rule), rule.id())
    }

    /// Rules on it by these plugins, of which this one is the house rule.
    pub(crate) fn by(&self, plugins: &[NativePlugin], rule: &str) -> Ruled {
        let mut config = RulesetConfig::default();
        config.options.insert(rule.to_owned(), self.options.clone());
        self.rule(plugins, config, &json!([]))
    }

    fn rule(&self, plugins: &[NativePlugin], config: RulesetConfig, ignored: &Value) -> Ruled {
        let engine = Engine::new(Ruleset::build(plugins, &config).unwrap()).unwrap();
        let case = self.case(&engine, ignored);
        let asked = |question: &alamein_cases::CaseQuestion| match &question.asked {
            Asked::Question(asked) => Some((question.id.clone(), (**asked).clone())),
            _ => None,
        };
        let (names, asked): (Vec<String>, Vec<Question>) =
            case.questions.iter().filter_map(asked).unzip();
        let position = Arc::clone(&case.position);
        let rulings = engine
            .adjudicate_here(&engine.ruleset(), position, &asked, Wanted::default())
            .unwrap();
        let rulings = rulings.into_iter().map(|ruled| ruled.unwrap().ruling);
        Ruled(names.into_iter().zip(rulings).collect())
    }

    fn case(&self, engine: &Engine, ignored: &Value) -> Case {
        let file = root().join("tests/cases/f4-example.json");
        let mut case: Value =
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let layers = case["map"]["layers"].as_object_mut().unwrap();
        layers.extend(self.layers.clone());
        for question in case["questions"].as_array_mut().unwrap() {
            question["ignore_layers"] = ignored.clone();
        }
        alamein_cases::parse("the example", &case.to_string(), &known(engine)).unwrap()
    }

    /// What a house rule changes in it. Checks that every verdict which differs names a rule of the
    /// plugin, and that without it none does.
    pub(crate) fn change(&self, rule: &NativePlugin) -> Change {
        let (before, after) = (self.without(), self.with(rule));
        let mut changed = Vec::new();
        for ((name, old), (_, new)) in before.0.iter().zip(&after.0) {
            assert_eq!(rules_of(old, rule.id()), BTreeSet::new(), "{name}");
            if old.verdict == new.verdict {
                continue;
            }
            let named = !rules_of(new, rule.id()).is_empty();
            assert!(named, "{name} changed for no reason: {new:#?}");
            changed.push(name.clone());
        }
        Change {
            before,
            after,
            changed,
        }
    }
}

/// What a house rule changes.
pub(crate) struct Change {
    pub(crate) before: Ruled,
    pub(crate) after: Ruled,
    /// The questions whose verdict differs, in their order.
    pub(crate) changed: Vec<String>,
}

/// The questions of the worked example, each with its ruling, in their order.
pub(crate) struct Ruled(pub(crate) Vec<(String, Ruling)>);

impl Ruled {
    /// The ruling on a question.
    pub(crate) fn on(&self, question: &str) -> &Ruling {
        let named = self.0.iter().find(|(name, _)| name == question);
        &named.unwrap().1
    }

    /// The canonical bytes of all.
    pub(crate) fn bytes(&self) -> Vec<Vec<u8>> {
        let bytes = |(_, ruling): &(String, Ruling)| ruling.canonical();
        self.0.iter().map(bytes).collect()
    }
}

/// The rules of a plugin that a ruling names: those that found or observed something, and those that
/// set something aside.
pub(crate) fn rules_of(ruling: &Ruling, plugin: &str) -> BTreeSet<String> {
    let found = ruling.findings.iter().map(|finding| &finding.by);
    let observed = ruling.observations.iter().map(|seen| &seen.by);
    let aside = ruling
        .observations
        .iter()
        .flat_map(|seen| &seen.set_aside_by);
    found
        .chain(observed)
        .chain(aside)
        .filter(|by| &*by.plugin == plugin)
        .map(|by| by.rule.to_string())
        .collect()
}

/// The rules by which a plugin says why it does nothing.
pub(crate) fn considered(ruling: &Ruling, plugin: &str) -> Vec<String> {
    let by = ruling.considered.iter().map(|finding| &finding.by);
    by.filter(|by| &*by.plugin == plugin)
        .map(|by| by.rule.to_string())
        .collect()
}
