//! What keeps plugins from making a ruleset together.
#![allow(clippy::unwrap_used)] // A test may.

use alamein_terrain::{Manifest, Replacements};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::ruleset::RulesetConfig;

/// A manifest with these rules, each with what it replaces.
fn plugin(id: &str, rules: &[(&str, &[&str])]) -> Value {
    let rule = |(id, replaces): &(&str, &[&str])| json!({"id": id, "title": "", "message": "", "replaces": replaces});
    json!({
        "manifest_version": 1, "id": id, "version": "0.1.0", "rules_revision": 1, "title": "",
        "rules": rules.iter().map(rule).collect::<Vec<_>>(),
    })
}

fn with(mut plugin: Value, field: &str, value: Value) -> Value {
    plugin[field] = value;
    plugin
}

fn look(plugins: &[Value], config: &RulesetConfig) -> (Vec<Conflict>, Replacements) {
    let parse = |plugin: &Value| Manifest::parse(&plugin.to_string()).unwrap();
    let manifests: Vec<Manifest> = plugins.iter().map(parse).collect();
    let rules: Vec<Vec<String>> = manifests
        .iter()
        .map(|manifest| manifest.rules.iter().map(|rule| rule.id.clone()).collect())
        .collect();
    let candidates = manifests.iter().zip(&rules);
    let candidates: Vec<Candidate<'_>> = candidates
        .map(|(manifest, rules)| Candidate { manifest, rules })
        .collect();
    find(&candidates, config)
}

/// The conflicts, each by its reason, its plugins and its sentence.
fn conflicts(plugins: &[Value]) -> Vec<(&'static str, String, String)> {
    let (conflicts, _) = look(plugins, &RulesetConfig::default());
    let told = |conflict: &Conflict| {
        let plugins = conflict.plugins().join(" ");
        (conflict.reason(), plugins, conflict.to_string())
    };
    conflicts.iter().map(told).collect()
}

fn one(plugins: &[Value], reason: &str, between: &str, says: &str) {
    let found = conflicts(plugins);
    let expected = (reason, between.to_owned(), says.to_owned());
    assert_eq!(found, [expected]);
}

fn dunes() -> Value {
    plugin(
        "dunes",
        &[("X4.5/tem", &[]), ("X4.5/hull", &[]), ("X4.51/half", &[])],
    )
}

#[test]
fn plugins_that_do_not_meet_do_not_clash() {
    let house = with(
        plugin("house", &[("H1/tem", &["X4.5/tem"])]),
        "requires",
        json!({"dunes": "^0.1"}),
    );
    let (conflicts, replacements) = look(&[dunes(), house], &RulesetConfig::default());
    assert_eq!(conflicts, []);
    assert_eq!(replacements.iter().collect::<Vec<_>>(), [((0, 0), (1, 0))]);
}

#[test]
fn two_that_replace_the_same_rule_are_both_named() {
    let plugins = [
        dunes(),
        plugin("deeper", &[("H1/tem", &["X4.5/tem"])]),
        plugin("flatter", &[("H2/none", &["X4.5"])]),
    ];
    one(
        &plugins,
        "REPLACED_TWICE",
        "deeper dunes flatter",
        "rule H1/tem of plugin deeper and rule H2/none of plugin flatter both replace rule X4.5/tem \
         of plugin dunes: leave one out",
    );
    // Two of one plugin clash as well.
    let both: &[(&str, &[&str])] = &[("H1/a", &["X4.5/tem"]), ("H1/b", &["X4.5/tem"])];
    let found = conflicts(&[dunes(), plugin("house", both)]);
    assert_eq!(found[0].0, "REPLACED_TWICE");
}

#[test]
fn a_circle_is_told_whole_however_long() {
    one(
        &[
            plugin("one", &[("A1/a", &["B1/b"])]),
            plugin("two", &[("B1/b", &["A1/a"])]),
        ],
        "CIRCLE",
        "one two",
        "rule A1/a of plugin one, which is replaced by rule B1/b of plugin two, which is replaced by \
         rule A1/a of plugin one: leave one of the plugins out",
    );
    let three = [
        plugin("one", &[("A1/a", &["C1/c"])]),
        plugin("two", &[("B1/b", &["A1/a"])]),
        plugin("three", &[("C1/c", &["B1/b"])]),
    ];
    let found = conflicts(&three);
    assert_eq!(
        (found.len(), found[0].0, found[0].1.as_str()),
        (1, "CIRCLE", "one three two")
    );
    let oneself = plugin("one", &[("A1/a", &["one:A1/a"])]);
    one(
        std::slice::from_ref(&oneself),
        "CIRCLE",
        "one",
        "rule A1/a of plugin one replaces itself: its author must mend that",
    );
    // By a bare name too, since no other has it.
    one(
        &[plugin("one", &[("A1/a", &["A1/a"])])],
        "CIRCLE",
        "one",
        "rule A1/a of plugin one replaces itself: its author must mend that",
    );
}

#[test]
fn what_a_plugin_requires_must_be_there_in_a_version_that_will_do() {
    let house = with(plugin("house", &[]), "requires", json!({"dunes": "^0.1"}));
    one(
        std::slice::from_ref(&house),
        "MISSING_DEPENDENCY",
        "dunes house",
        "plugin house needs plugin dunes ^0.1, which is not in the ruleset: add dunes, or leave house \
         out",
    );
    one(
        &[house, with(dunes(), "version", json!("0.2.3"))],
        "WRONG_VERSION",
        "dunes house",
        "plugin house needs plugin dunes ^0.1, and the ruleset has 0.2.3: take another dunes, or \
         another house",
    );
}

#[test]
fn what_nobody_has_cannot_be_replaced() {
    let house = |replaces| [dunes(), plugin("house", &[("H1/tem", &[replaces])])];
    for (replaces, says) in [
        ("X4.5/tme", "; did you mean X4.5/tem?"),
        ("X4.6", "; did you mean X4.5?"),
        ("dunes:X4.5/tam", "; did you mean dunes:X4.5/tem?"),
        ("dune:X4.5/tem", "; did you mean dunes:X4.5/tem?"),
        ("Q9", ": add the plugin that has it, or leave house out"),
        ("house:X4.5/tem", "; did you mean dunes:X4.5/tem?"),
    ] {
        let says = format!(
            "rule H1/tem of plugin house replaces {replaces}, which no plugin of the ruleset has{says}"
        );
        one(&house(replaces), "UNKNOWN_RULE", "house", &says);
    }
}

#[test]
fn a_rule_that_two_plugins_have_needs_its_plugin() {
    let other = plugin("drifts", &[("X4.5/tem", &[])]);
    let house = |replaces| plugin("house", &[("H1/tem", &[replaces])]);
    one(
        &[dunes(), other.clone(), house("X4.5/tem")],
        "AMBIGUOUS_RULE",
        "drifts dunes house",
        "rule H1/tem of plugin house replaces X4.5/tem, which plugins drifts and dunes have: its \
         author must say whose, as in drifts:X4.5/tem",
    );
    let (found, replacements) = look(
        &[dunes(), other.clone(), house("drifts:X4.5/tem")],
        &RulesetConfig::default(),
    );
    assert_eq!(found, []);
    assert_eq!(replacements.iter().collect::<Vec<_>>(), [((1, 0), (2, 0))]);
    // A number means the rules of both.
    let (found, replacements) = look(&[dunes(), other, house("X4.5")], &RulesetConfig::default());
    assert_eq!(found, []);
    assert_eq!(replacements.iter().count(), 3);
}

#[test]
fn ones_own_rule_of_the_same_name_is_not_meant() {
    let house = plugin("house", &[("X4.5/tem", &["X4.5"])]);
    let (found, replacements) = look(&[dunes(), house], &RulesetConfig::default());
    assert_eq!(found, []);
    let pairs: Vec<_> = replacements.iter().collect();
    assert_eq!(pairs, [((0, 0), (1, 0)), ((0, 1), (1, 0))]);
}

#[test]
fn a_plugin_is_there_once_and_a_layer_is_owned_once() {
    one(
        &[
            with(dunes(), "version", json!("0.10.0")),
            with(dunes(), "version", json!("0.9.0")),
        ],
        "PLUGIN_TWICE",
        "dunes",
        "plugin dunes is there twice, as 0.9.0 and 0.10.0: leave one out",
    );
    let layers = json!([{"name": "sand", "fields": [{"name": "hexes", "kind": "hexes"}]}]);
    let own = |id| with(plugin(id, &[]), "layers", layers.clone());
    one(
        &[own("b"), own("a")],
        "LAYER_TWICE",
        "a b",
        "plugins a and b both own the layer \"sand\": leave one out",
    );
}

#[test]
fn options_are_for_plugins_that_are_there_and_as_their_schemas_say() {
    let schema = json!({"type": "object", "additionalProperties": false, "properties": {
        "depth": {"type": "integer", "default": 1, "maximum": 3},
        "words": {"type": "array", "default": [], "items": {"type": "string"}},
    }});
    let dunes = with(dunes(), "options", schema);
    let set = |plugin: &str, options: Value| {
        let options = options.as_object().unwrap().clone();
        (plugin.to_owned(), options)
    };
    let config = RulesetConfig {
        options: [
            set("dunes", json!({"depth": 4, "words": ["a", 2], "width": 1})),
            set("dune", json!({})),
        ]
        .into(),
        ..RulesetConfig::default()
    };
    let (found, _) = look(&[dunes], &config);
    let told: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "options.dune: no such plugin in the ruleset; did you mean dunes?",
            "options.dunes: Additional properties are not allowed ('width' was unexpected)",
            "options.dunes.depth: 4 is greater than the maximum of 3",
            "options.dunes.words.1: 2 is not of type \"string\"",
        ]
    );
    assert_eq!(found[2].plugins(), ["dunes"]);
}

/// Plugins with much that is wrong among them.
fn troubled() -> Vec<Value> {
    let layer = json!([{"name": "sand", "fields": [{"name": "hexes", "kind": "hexes"}]}]);
    vec![
        with(dunes(), "layers", layer.clone()),
        with(
            plugin("a", &[("A1/a", &["X4.5/tem", "B1/b"])]),
            "layers",
            layer,
        ),
        plugin("b", &[("B1/b", &["X4.5", "A1/a"])]),
        with(
            plugin("c", &[("C1/c", &["X9.9/gone"])]),
            "requires",
            json!({"gone": "*", "a": "^2"}),
        ),
        with(dunes(), "version", json!("3.0.0")),
    ]
}

proptest! {
    #[test]
    fn conflicts_are_the_same_in_any_order(plugins in Just(troubled()).prop_shuffle()) {
        let expected = conflicts(&troubled());
        prop_assert_eq!(expected.len(), 7, "{:#?}", expected);
        prop_assert_eq!(conflicts(&plugins), expected);
    }
}
