//! Hindrances as seen from hillocks.

use alamein_terrain::Ruling;
use serde_json::{Value, json};

use crate::{contested, los, table};

fn hindrance(ruling: &Ruling) -> i16 {
    los(ruling).hindrance.unwrap()
}

fn wrecks(hexes: &[&str]) -> Value {
    let wreck = |hex: &&str| json!({"id": format!("w{hex}"), "class": "wreck", "hex": hex});
    hexes.iter().map(wreck).collect()
}

#[test]
fn f6_4_q64_from_a_hillock_three_grain_hexes_are_plus_1() {
    let fields = table(json!({"hillock": ["J1"], "grain": ["J3", "J4", "J5"]}));
    assert_eq!(hindrance(&fields.sight("J1", "J9")), 1);
    assert_eq!(hindrance(&fields.sight("J9", "J1")), 1);
    assert_eq!(hindrance(&fields.sight("J2", "J9")), 3, "from the ground");
}

#[test]
fn f6_4_q64_between_hillocks_grain_and_brush_do_not_hinder() {
    let fields = table(json!({"hillock": ["J1", "J9"], "grain": ["J3", "J4"], "brush": ["J5"]}));
    assert_eq!(hindrance(&fields.sight("J1", "J9")), 0);
}

#[test]
fn f6_4_from_a_hillock_grain_and_brush_count_once_together_and_others_each() {
    let layers =
        json!({"hillock": ["J1"], "grain": ["J3"], "brush": ["J4"], "marsh": ["J5", "J6"]});
    assert_eq!(hindrance(&table(layers).sight("J1", "J9")), 3);
}

#[test]
fn f6_4_from_a_hillock_down_grain_on_its_base_level_counts_once_too() {
    let layers = json!({"hillock": ["J1"], "grain": ["J2", "J3", "J7", "J8"]});
    let levels = json!({"J1": 1, "J2": 1, "J3": 1, "J4": 1});
    // The two hexes below are not for this rule.
    assert_eq!(
        hindrance(&table(layers).levels(levels).sight("J1", "J9")),
        3
    );
}

#[test]
fn f6_4_from_a_hillock_up_grain_acts_normally() {
    let layers = json!({"hillock": ["J1"], "grain": ["J3", "J4"]});
    let up = table(layers).levels(json!({"J9": 1}));
    assert_eq!(hindrance(&up.sight("J1", "J9")), 2);
}

#[test]
fn f6_4_between_hillocks_a_wreck_hinders_only_on_a_hillock() {
    let layers = json!({"hillock": ["J1", "J5", "J9"]});
    let table = table(layers).counters(wrecks(&["J4", "J5"]));
    let ruling = table.sight("J1", "J9");
    assert_eq!(los(&ruling).hindering, ["wJ5"]);
    assert!(contested(&ruling).is_empty());
}

#[test]
fn f6_4_from_a_hillock_wrecks_do_not_hinder_and_that_is_contested() {
    let on_option = |sees_over: bool| {
        let layers = json!({"hillock": ["J1", "J5"]});
        let table = table(layers).counters(wrecks(&["J4", "J5"]));
        table
            .options(json!({"hillock_sees_over_afv": sees_over}))
            .sight("J1", "J9")
    };
    let over = on_option(true);
    assert_eq!(hindrance(&over), 0);
    assert_eq!(contested(&over), ["hillock_sees_over_afv"]);
    let not_over = on_option(false);
    assert_eq!(los(&not_over).hindering, ["wJ4", "wJ5"]);
    assert_eq!(contested(&not_over), ["hillock_sees_over_afv"]);
}

#[test]
fn f6_4_between_units_on_the_ground_wrecks_act_normally_on_a_hillock_too() {
    let table = table(json!({"hillock": ["J2"]})).counters(wrecks(&["J2", "J5"]));
    let ruling = table.sight("J1", "J9");
    assert_eq!(los(&ruling).hindering, ["wJ2", "wJ5"]);
    assert!(contested(&ruling).is_empty());
}

#[test]
fn f6_4_six_hindrances_that_count_once_do_not_block() {
    let grain = json!(["J2", "J3", "J4", "J5", "J6", "J7"]);
    let fields = table(json!({"hillock": ["J1"], "grain": grain}));
    assert_eq!(hindrance(&fields.sight("J1", "J9")), 1);
}
