//! Midday haze, the house rule in C.

use alamein_terrain::LosResult;
use alamein_tests::linked_plugins;
use serde_json::{Map, Value, json};

use crate::example::{Ruled, before_and_after, rules_of};
use crate::{check_cases, loaded, with};

const ID: &str = "midday-haze";

fn from_hexes(number: i64) -> Map<String, Value> {
    Map::from_iter([("from_hexes".to_owned(), json!(number))])
}

#[test]
fn its_cases_pass() {
    check_cases(&loaded(ID));
}

#[test]
fn the_example_is_too_small_for_haze() {
    let (_, _, changed) = before_and_after(&loaded(ID), Map::new());
    assert_eq!(changed, Vec::<String>::new());
}

#[test]
fn haze_that_begins_closer_hinders_the_example() {
    let (without, with, changed) = before_and_after(&loaded(ID), from_hexes(4));
    // H looks at L over 4 hexes; the tank A stands between them.
    let (old, new) = (without.on("hind-A-H-L"), with.on("hind-A-H-L"));
    let (old, new) = (old.verdict.los().unwrap(), new.verdict.los().unwrap());
    assert_eq!((old.result, old.hindrance), (LosResult::Hindered, Some(1)));
    assert_eq!(old.hindering, ["A"]);
    assert_eq!((new.result, new.hindrance), (LosResult::Hindered, Some(1)));
    assert_eq!(
        new.hindering,
        Vec::<String>::new(),
        "the haze alone Hinders"
    );
    let rules = rules_of(with.on("hind-A-H-L"), ID);
    assert_eq!(Vec::from_iter(rules), ["MH1/hindrance", "MH2/vehicles"]);

    for (name, ruling) in &with.0 {
        let Some(los) = ruling.verdict.los() else {
            continue;
        };
        let hazy = los.range >= 4 && rules_of(ruling, ID).contains("MH1/hindrance");
        let was = changed.contains(name);
        assert!(!was || hazy, "{name} changed over {} hexes", los.range);
    }
    assert!(changed.len() > 20, "{changed:?}");
}

#[test]
fn wherever_it_stands_among_the_plugins() {
    let haze = loaded(ID);
    let options = || Some((ID, Value::Object(from_hexes(4))));
    let expected = Ruled::by(&with(&haze), options()).bytes();
    let mut plugins = vec![haze];
    plugins.extend(linked_plugins().unwrap());
    assert_eq!(Ruled::by(&plugins, options()).bytes(), expected);
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
