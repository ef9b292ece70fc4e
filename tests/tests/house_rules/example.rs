//! What a house rule changes in the worked example.

use std::collections::BTreeSet;
use std::sync::Arc;

use alamein_cases::{Asked, Case};
use alamein_engine::{Engine, Ruleset, RulesetConfig, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::{Question, Ruling};
use alamein_tests::{known, linked_plugins, root};
use serde_json::{Map, Value};

/// The questions of the worked example, each with its ruling, in their order.
pub(crate) struct Ruled(pub(crate) Vec<(String, Ruling)>);

impl Ruled {
    /// Rules on the worked example by these plugins, one of them with options.
    pub(crate) fn by(plugins: &[NativePlugin], options: Option<(&str, Value)>) -> Self {
        let mut config = RulesetConfig::default();
        if let Some((plugin, Value::Object(set))) = options {
            config.options.insert(plugin.to_owned(), set);
        }
        let engine = Engine::new(Ruleset::build(plugins, &config).unwrap()).unwrap();
        let case = example(&engine);
        let (names, asked): (Vec<String>, Vec<Question>) = questions(&case).unzip();
        let position = Arc::clone(&case.position);
        let rulings = engine
            .adjudicate_here(&engine.ruleset(), position, &asked, Wanted::default())
            .unwrap();
        let rulings = rulings.into_iter().map(|ruled| ruled.unwrap().ruling);
        Self(names.into_iter().zip(rulings).collect())
    }

    /// The ruling on a question.
    pub(crate) fn on(&self, question: &str) -> &Ruling {
        let named = self.0.iter().find(|(name, _)| name == question);
        &named.unwrap().1
    }

    /// The canonical bytes of all.
    pub(crate) fn bytes(&self) -> Vec<Vec<u8>> {
        self.0
            .iter()
            .map(|(_, ruling)| ruling.canonical())
            .collect()
    }
}

fn example(engine: &Engine) -> Case {
    let file = root().join("tests/cases/f4-example.json");
    alamein_cases::load(&file, &known(engine)).unwrap()
}

fn questions(case: &Case) -> impl Iterator<Item = (String, Question)> {
    case.questions
        .iter()
        .filter_map(|question| match &question.asked {
            Asked::Question(asked) => Some((question.id.clone(), (**asked).clone())),
            _ => None,
        })
}

/// The rules of a plugin that a ruling names: those that found something, and those that set
/// something aside.
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

/// The worked example without a house rule, and with it. Checks that every verdict which differs
/// names a rule of it, and that what names none is ruled on as before.
pub(crate) fn before_and_after(
    rule: &NativePlugin,
    options: Map<String, Value>,
) -> (Ruled, Ruled, Vec<String>) {
    let without = Ruled::by(&linked_plugins().unwrap(), None);
    let with = Ruled::by(
        &crate::with(rule),
        Some((rule.id(), Value::Object(options))),
    );
    let mut changed = Vec::new();
    for ((name, old), (_, new)) in without.0.iter().zip(&with.0) {
        assert_eq!(rules_of(old, rule.id()), BTreeSet::new(), "{name}");
        if old.verdict == new.verdict {
            continue;
        }
        assert!(
            !rules_of(new, rule.id()).is_empty(),
            "{name} changed for no reason"
        );
        changed.push(name.clone());
    }
    (without, with, changed)
}
