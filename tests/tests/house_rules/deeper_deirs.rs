//! Deeper deirs, the house rule that changes a number.

use alamein_engine::{Ruleset, RulesetConfig};
use alamein_plugin_host::NativePlugin;
use alamein_tests::linked_plugins;
use serde_json::{Map, json};

use crate::example::{Example, rules_of};
use crate::{check_cases, loaded, shot};

const ID: &str = "deeper-deirs";

fn linked() -> NativePlugin {
    NativePlugin::linked(&alamein_deeper_deirs::alamein_plugin_deeper_deirs).unwrap()
}

#[test]
fn its_cases_pass() {
    check_cases(&loaded(ID));
    check_cases(&linked());
}

#[test]
fn who_had_one_behind_a_lip_has_two() {
    let change = Example::default().change(&loaded(ID));
    // H fires at K, with the tank A between them, over a Lip.
    let (before, after) = (change.before.on("tem-H-K"), change.after.on("tem-H-K"));
    assert_eq!(
        (shot(before).tem, shot(before).total_drm),
        (Some(1), Some(2))
    );
    assert_eq!((shot(after).tem, shot(after).total_drm), (Some(2), Some(3)));
    assert_eq!(Vec::from_iter(rules_of(after, ID)), ["DD1/tem"]);
    let old = after.findings.iter().find(|f| &*f.by.rule == "F4.5/tem");
    let old = old.unwrap();
    assert!(
        !old.standing && old.replaced_by.is_some(),
        "told as replaced"
    );

    // A tank has HD behind the same Lip, and that is as it was.
    assert_eq!(shot(change.after.on("tem-H-A")).hull_down, Some(true));
    for (name, after) in &change.after.0 {
        let sheltered = rules_of(after, ID).contains("DD1/tem");
        let before = change.before.on(name);
        assert_eq!(
            sheltered,
            rules_of(before, "deir").contains("F4.5/tem"),
            "{name}"
        );
    }
    assert!(change.changed.len() > 3, "{:?}", change.changed);
}

#[test]
fn as_deep_as_the_option_says() {
    let example = Example {
        options: Map::from_iter([("tem".to_owned(), json!(0))]),
        ..Example::default()
    };
    let change = example.change(&loaded(ID));
    let after = shot(change.after.on("tem-H-K"));
    assert_eq!((after.tem, after.total_drm), (Some(0), Some(1)));
}

#[test]
fn without_deirs_there_are_no_deeper_ones() {
    let mut plugins = linked_plugins().unwrap();
    plugins.retain(|plugin| plugin.id() != "deir");
    plugins.push(linked());
    let refused = Ruleset::build(&plugins, &RulesetConfig::default());
    let refused = refused.err().unwrap().to_string();
    for name in [ID, "deir", "F4.5/tem"] {
        assert!(refused.contains(name), "{name}: {refused}");
    }
}

#[test]
fn loaded_or_linked_it_says_the_same() {
    let expected = Example::default().with(&linked()).bytes();
    assert_eq!(Example::default().with(&loaded(ID)).bytes(), expected);
}
