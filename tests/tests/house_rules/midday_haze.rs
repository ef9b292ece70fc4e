//! Midday haze, the house rule in C.

use alamein_terrain::LosResult;
use alamein_tests::linked_plugins;
use serde_json::{Map, json};

use crate::example::{Example, rules_of};
use crate::{check_cases, loaded};

const ID: &str = "midday-haze";

/// The example on a day when the haze begins this close.
fn from_hexes(number: i64) -> Example {
    Example {
        options: Map::from_iter([("from_hexes".to_owned(), json!(number))]),
        ..Example::default()
    }
}

#[test]
fn its_cases_pass() {
    check_cases(&loaded(ID));
}

#[test]
fn the_example_is_too_small_for_haze() {
    let change = Example::default().change(&loaded(ID));
    assert_eq!(change.changed, Vec::<String>::new());
}

#[test]
fn haze_that_begins_closer_hinders_the_example() {
    let change = from_hexes(4).change(&loaded(ID));
    // H looks at L over 4 hexes; the tank A stands between them.
    let (old, new) = (
        change.before.on("hind-A-H-L"),
        change.after.on("hind-A-H-L"),
    );
    let (old, new) = (old.verdict.los().unwrap(), new.verdict.los().unwrap());
    assert_eq!((old.result, old.hindrance), (LosResult::Hindered, Some(1)));
    assert_eq!(old.hindering, ["A"]);
    assert_eq!((new.result, new.hindrance), (LosResult::Hindered, Some(1)));
    assert_eq!(
        new.hindering,
        Vec::<String>::new(),
        "the haze alone Hinders"
    );
    let rules = rules_of(change.after.on("hind-A-H-L"), ID);
    assert_eq!(Vec::from_iter(rules), ["MH1/hindrance", "MH2/vehicles"]);

    for (name, ruling) in &change.after.0 {
        let Some(los) = ruling.verdict.los() else {
            continue;
        };
        let hazy = los.range >= 4 && rules_of(ruling, ID).contains("MH1/hindrance");
        let was = change.changed.contains(name);
        assert!(!was || hazy, "{name} changed over {} hexes", los.range);
    }
    assert!(change.changed.len() > 20, "{:?}", change.changed);
}

#[test]
fn wherever_it_stands_among_the_plugins() {
    let haze = loaded(ID);
    let expected = from_hexes(4).with(&haze).bytes();
    let mut plugins = vec![haze];
    plugins.extend(linked_plugins().unwrap());
    assert_eq!(from_hexes(4).by(&plugins, ID).bytes(), expected);
}

#[test]
fn its_own_words_are_heard_where_an_option_is_wrong() {
    let haze = loaded(ID);
    let kinds = alamein_plugin_host::Vocabulary::of([&haze]);
    // As a host would that had not checked the options.
    let made = haze.instantiate(json!({"from_hexes": "far"}), &kinds, 0);
    let error = made.err().unwrap().to_string();
    assert!(error.contains("from_hexes: give a number"), "{error}");
}
