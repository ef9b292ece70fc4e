//! No HD behind a Lip, the house rule that forbids.

use alamein_plugin_host::NativePlugin;
use alamein_tests::linked_plugins;
use serde_json::{Map, json};

use crate::example::{Example, considered, rules_of};
use crate::{check_cases, loaded, shot};

const ID: &str = "no-lip-hd";

fn linked() -> NativePlugin {
    NativePlugin::linked(&alamein_no_lip_hd::alamein_plugin_no_lip_hd).unwrap()
}

#[test]
fn its_cases_pass() {
    check_cases(&loaded(ID));
    check_cases(&linked());
}

#[test]
fn no_tank_has_hd_behind_a_lip() {
    let change = Example::default().change(&loaded(ID));
    let (before, after) = (change.before.on("tem-H-A"), change.after.on("tem-H-A"));
    assert_eq!(shot(before).hull_down, Some(true));
    assert_eq!(shot(after).hull_down, Some(false));
    assert_eq!(Vec::from_iter(rules_of(after, ID)), ["NL1/no-hull-down"]);
    let old = after
        .findings
        .iter()
        .find(|f| &*f.by.rule == "F4.5/hull-down");
    assert!(!old.unwrap().standing, "told, and fallen");

    let had = |name: &str| {
        let tem = change.before.on(name).verdict.clone();
        matches!(tem, alamein_terrain::Verdict::LineOfFire(_, tem) if tem.hull_down == Some(true))
    };
    let names = change.before.0.iter().map(|(name, _)| name.clone());
    let those_with_hd: Vec<String> = names.filter(|name| had(name)).collect();
    assert_eq!(change.changed, those_with_hd, "those, and no other");
    // The squad K has its TEM.
    assert_eq!(shot(change.after.on("tem-H-K")).tem, Some(1));
}

#[test]
fn or_none_against_fire_from_close_by() {
    let example = Example {
        options: Map::from_iter([("within_hexes".to_owned(), json!(3))]),
        ..Example::default()
    };
    let change = example.change(&loaded(ID));
    // H fires at A over 3 hexes and at B over more.
    assert_eq!(shot(change.after.on("tem-H-A")).hull_down, Some(false));
    assert_eq!(shot(change.after.on("tem-H-B")).hull_down, Some(true));
    assert_eq!(considered(change.after.on("tem-H-B"), ID), ["NL1/far"]);
}

#[test]
fn beside_other_house_rules() {
    let mut plugins = linked_plugins().unwrap();
    plugins.extend([
        loaded(ID),
        loaded("deeper-deirs"),
        loaded("midday-haze"),
        loaded("stony-bank"),
    ]);
    let ruled = Example::default().by(&plugins, ID);
    assert_eq!(shot(ruled.on("tem-H-A")).hull_down, Some(false));
    assert_eq!(shot(ruled.on("tem-H-K")).tem, Some(2));
    plugins.reverse();
    assert_eq!(Example::default().by(&plugins, ID).bytes(), ruled.bytes());
}

#[test]
fn loaded_or_linked_it_says_the_same() {
    let expected = Example::default().with(&linked()).bytes();
    assert_eq!(Example::default().with(&loaded(ID)).bytes(), expected);
}
