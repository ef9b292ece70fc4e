//! Stony wadi banks, the house rule that brings a terrain of its own.

use alamein_plugin_host::NativePlugin;
use serde_json::{Map, json};

use crate::example::{Example, Ruled, considered, rules_of};
use crate::{check_cases, loaded, shot};

const ID: &str = "stony-bank";

fn linked() -> NativePlugin {
    NativePlugin::linked(&alamein_stony_bank::alamein_plugin_stony_bank).unwrap()
}

/// The example with a bank in K's hex that drops off to A's.
fn example() -> Example {
    let bank = json!({"hexes": ["Q7"], "hexsides": ["Q7|R6"]});
    Example {
        layers: Map::from_iter([("stony_bank".to_owned(), bank)]),
        ..Example::default()
    }
}

#[test]
fn its_cases_pass() {
    check_cases(&loaded(ID));
    check_cases(&linked());
}

#[test]
fn a_bank_before_k_shelters_it_from_a() {
    let change = example().change(&loaded(ID));
    let answer = |ruled: &Ruled, question: &str| {
        let tem = shot(ruled.on(question));
        (tem.total_drm, tem.open_ground)
    };
    assert_eq!(answer(&change.before, "tem-A-K"), (Some(0), Some(true)));
    assert_eq!(answer(&change.after, "tem-A-K"), (Some(1), Some(false)));
    let rules = rules_of(change.after.on("tem-A-K"), ID);
    assert!(rules.contains("SB2/tem"), "{rules:?}");
    // E fires from the other side.
    assert_eq!(
        answer(&change.before, "tem-E-K"),
        answer(&change.after, "tem-E-K")
    );
    let why = considered(change.after.on("tem-E-K"), ID);
    assert_eq!(why, ["SB2/no-bank"]);
    for name in &change.changed {
        assert!(name.ends_with("-K"), "{name} is no shot at K");
    }
}

#[test]
fn a_map_without_banks_is_ruled_on_as_before() {
    let change = Example::default().change(&loaded(ID));
    assert_eq!(change.changed, Vec::<String>::new());
}

#[test]
fn loaded_or_linked_it_says_the_same() {
    let expected = example().with(&linked()).bytes();
    assert_eq!(example().with(&loaded(ID)).bytes(), expected);
}
