//! TEM and HD behind hillocks, with what else is in the target's hex.

use alamein_terrain::{Ruling, TemVerdict, Verdict};
use serde_json::{Value, json};

use crate::{Table, considered, contested, table};

fn tem(ruling: &Ruling) -> &TemVerdict {
    match &ruling.verdict {
        Verdict::LineOfFire(_, tem) => tem,
        other => panic!("{other:?}"),
    }
}

/// A target in J4 behind the hillock in J5.
fn behind(counters: Value) -> Table {
    table(json!({"hillock": ["J5"]})).counters(counters)
}

fn target(class: &str) -> Table {
    behind(json!([{"id": "t", "class": class, "hex": "J4"}]))
}

#[test]
fn f6_4_q65_behind_a_hillock_a_squad_has_plus_1() {
    let ruling = target("squad").fire("J9", "t", "direct");
    assert_eq!(tem(&ruling).tem, Some(1));
    assert_eq!(tem(&ruling).hull_down, Some(false));
    assert!(contested(&ruling).is_empty());
}

#[test]
fn f6_4_q65_behind_a_hillock_a_tank_may_claim_hd() {
    let ruling = target("tank").fire("J9", "t", "direct");
    assert_eq!(
        (tem(&ruling).tem, tem(&ruling).hull_down),
        (Some(0), Some(true))
    );
}

#[test]
fn f6_4_an_unarmored_vehicle_has_hd_or_tem_and_that_is_contested() {
    let hd = target("truck").fire("J9", "t", "direct");
    assert_eq!((tem(&hd).tem, tem(&hd).hull_down), (Some(0), Some(true)));
    assert_eq!(contested(&hd), ["unarmored_vehicle"]);
    let option = target("truck").options(json!({"unarmored_vehicle": "tem"}));
    let one = option.fire("J9", "t", "direct");
    assert_eq!((tem(&one).tem, tem(&one).hull_down), (Some(1), Some(false)));
}

#[test]
fn f6_4_indirect_fire_has_no_hillock_to_cross() {
    for attack in ["mortar", "oba"] {
        let ruling = target("squad").fire("J9", "t", attack);
        assert_eq!(tem(&ruling).tem, Some(0), "{attack}");
        assert_eq!(considered(&ruling).last(), Some(&"F6.4/indirect"));
    }
}

#[test]
fn f6_4_q65_a_firer_on_that_hillock_or_another_is_higher() {
    for (hillocks, firer) in [("J5", "J5"), ("J5 J6 J7", "J7"), ("J5 J7", "J7")] {
        let hexes: Vec<&str> = hillocks.split(' ').collect();
        let counters = json!([{"id": "t", "class": "squad", "hex": "J4"}]);
        let table = table(json!({"hillock": hexes})).counters(counters);
        let ruling = table.fire(firer, "t", "direct");
        assert_eq!(tem(&ruling).tem, Some(0), "{hillocks}");
        assert!(
            considered(&ruling).contains(&"F6.4/elevation"),
            "{hillocks}"
        );
    }
}

#[test]
fn f6_4_a_firer_on_a_hill_is_higher() {
    let ruling = target("squad")
        .levels(json!({"J9": 1}))
        .fire("J9", "t", "direct");
    assert_eq!(tem(&ruling).tem, Some(0));
    assert!(considered(&ruling).contains(&"F6.4/elevation"));
}

#[test]
fn f6_4_a_firer_who_shoots_over_the_hillock_beside_him_gives_no_tem() {
    let ruling = target("squad").fire("t", "J9", "direct");
    assert_eq!(tem(&ruling).tem, Some(0));
    assert!(considered(&ruling).contains(&"F6.4/not-adjacent"));
}

#[test]
fn f6_4_a_target_on_a_hillock_has_no_tem_of_another() {
    let table = table(json!({"hillock": ["J4", "J6"]}));
    let ruling = table.fire("J9", "J4", "direct");
    assert_eq!(tem(&ruling).tem, Some(0));
    assert!(considered(&ruling).contains(&"F6.4/target-on-hillock"));
}

#[test]
fn f6_4_a_hillock_between_firer_and_target_protects_both_and_that_is_contested() {
    let usual = target("squad");
    for (firer, at) in [("J6", "t"), ("t", "J6")] {
        let ruling = usual.fire(firer, at, "direct");
        assert_eq!(tem(&ruling).tem, Some(1));
        assert_eq!(contested(&ruling), ["both_adjacent_benefit"]);
    }
    let neither = target("squad").options(json!({"both_adjacent_benefit": false}));
    for (firer, at) in [("J6", "t"), ("t", "J6")] {
        let ruling = neither.fire(firer, at, "direct");
        assert_eq!(tem(&ruling).tem, Some(0));
        assert_eq!(contested(&ruling), ["both_adjacent_benefit"]);
        assert!(considered(&ruling).contains(&"F6.4/both-adjacent"));
    }
    assert_eq!(tem(&neither.fire("J7", "t", "direct")).tem, Some(1));
}

#[test]
fn f6_4_tem_is_not_cumulative_and_that_is_contested() {
    let dug_in = json!([{"id": "t", "class": "squad", "hex": "J4", "entrenched": true}]);
    let best = behind(dug_in.clone()).fire("J7", "t", "direct");
    assert_eq!(
        tem(&best).tem,
        None,
        "entrenched, it does not see over the hillock"
    );
    // A firer adjacent to the hillock sees over it.
    let best = behind(dug_in.clone()).fire("J6", "t", "direct");
    assert_eq!(tem(&best).tem, Some(2));
    assert!(contested(&best).contains(&"tem_cumulative"));
    let both = behind(dug_in).options(json!({"tem_cumulative": true}));
    let both = both.fire("J6", "t", "direct");
    assert_eq!(tem(&both).tem, Some(3));
    assert!(contested(&both).contains(&"tem_cumulative"));
}

#[test]
fn f6_4_whether_tem_adds_is_contested_only_where_there_may_be_other_tem() {
    let beside = |class: &str, hex: &str| {
        let counters = json!([
            {"id": "t", "class": "squad", "hex": "J4"}, {"id": "v", "class": class, "hex": hex}]);
        let ruling = behind(counters).fire("J9", "t", "direct");
        contested(&ruling).contains(&"tem_cumulative")
    };
    assert!(beside("wreck", "J4"));
    assert!(beside("tank", "J4"));
    assert!(!beside("truck", "J4"));
    assert!(!beside("wreck", "J8"));
    let in_deir = table(json!({"hillock": ["J5"], "deir": ["J4"]}));
    assert_eq!(
        contested(&in_deir.fire("J9", "J4", "direct")),
        ["tem_cumulative"]
    );
}

#[test]
fn f6_4_prc_are_not_protected_and_that_is_contested() {
    let carried = json!([
        {"id": "h", "class": "halftrack", "hex": "J4"},
        {"id": "t", "class": "squad", "hex": "J4", "aboard": "h"}]);
    let none = behind(carried.clone()).fire("J9", "t", "direct");
    assert_eq!(tem(&none).tem, Some(0));
    assert_eq!(contested(&none), ["prc"]);
    assert!(considered(&none).contains(&"F6.4/prc"));
    let all = behind(carried).options(json!({"prc": "protected"}));
    assert_eq!(tem(&all.fire("J9", "t", "direct")).tem, Some(1));
}

#[test]
fn f6_4_cavalry_are_protected_unless_they_are_prc() {
    let usual = target("cavalry").fire("J9", "t", "direct");
    assert_eq!((tem(&usual).tem, contested(&usual)), (Some(1), vec!["prc"]));
    let option = target("cavalry").options(json!({"prc": "unprotected_with_cavalry"}));
    assert_eq!(tem(&option.fire("J9", "t", "direct")).tem, Some(0));
}
