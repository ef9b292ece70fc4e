//! LOS from hillocks over walls, hedges and rubble.

use serde_json::json;

use crate::{considered, contested, is_blocked, los, table};

#[test]
fn f6_4_q61_between_hillocks_three_hillocks_a_wall_and_rubble_do_not_block() {
    let table = table(json!({
        "hillock": ["J1", "J3", "J5", "J7", "J9"], "wall": ["J3|J4"], "rubble": ["J6"],
    }));
    let ruling = table.sight("J1", "J9");
    assert!(!is_blocked(&ruling));
    assert!(contested(&ruling).is_empty());
    assert!(considered(&ruling).contains(&"F6.4/both-on-hillocks"));
}

#[test]
fn f6_4_between_hillocks_rubble_on_a_third_hillock_does_not_block() {
    let table = table(json!({"hillock": ["J1", "J4", "J9"], "rubble": ["J4"]}));
    assert!(!is_blocked(&table.sight("J1", "J9")));
}

#[test]
fn f6_4_from_a_hillock_the_second_wall_or_hedge_blocks() {
    let one = table(json!({"hillock": ["J1"], "wall": ["J4|J5"]}));
    assert!(!is_blocked(&one.sight("J1", "J9")));
    let two = table(json!({"hillock": ["J1"], "wall": ["J4|J5"], "hedge": ["J6|J7"]}));
    assert_eq!(los(&two.sight("J1", "J9")).blocked_by, ["F6.4"]);
    assert_eq!(los(&two.sight("J9", "J1")).blocked_by, ["F6.4"]);
}

#[test]
fn f6_4_from_a_hillock_walls_at_the_ends_do_not_count() {
    let table = table(json!({"hillock": ["J1"], "wall": ["J1|J2", "J4|J5", "J8|J9"]}));
    assert!(!is_blocked(&table.sight("J1", "J9")));
}

#[test]
fn f6_4_from_a_hillock_a_wall_along_which_the_los_runs_counts_once() {
    // H5 to P5 runs along I5|I6, K5|K6, M5|M6 and O5|O6; the outer two are hexspines of the ends.
    let one = table(json!({"hillock": ["H5"], "wall": ["I5|I6", "K5|K6", "O5|O6"]}));
    assert!(!is_blocked(&one.sight("H5", "P5")));
    let two = table(json!({"hillock": ["H5"], "wall": ["K5|K6", "M5|M6"]}));
    assert!(is_blocked(&two.sight("H5", "P5")));
}

#[test]
fn f6_4_from_a_hillock_the_second_rubble_hex_blocks() {
    let one = table(json!({"hillock": ["J1"], "rubble": ["J4"]}));
    assert!(!is_blocked(&one.sight("J1", "J9")));
    let two = table(json!({"hillock": ["J1"], "rubble": ["J4", "J5"]}));
    assert_eq!(los(&two.sight("J1", "J9")).blocked_by, ["F6.4"]);
}

#[test]
fn f6_4_rubble_beside_a_grazing_los_counts_only_on_both_sides_and_then_once() {
    let one_side = table(json!({"hillock": ["H5"], "rubble": ["K5", "M5"]}));
    assert!(!is_blocked(&one_side.sight("H5", "P5")));
    let both_sides = table(json!({"hillock": ["H5"], "rubble": ["K5", "K6"]}));
    assert!(!is_blocked(&both_sides.sight("H5", "P5")));
    let twice = table(json!({"hillock": ["H5"], "rubble": ["K5", "K6", "L5"]}));
    assert!(is_blocked(&twice.sight("H5", "P5")));
}

#[test]
fn f6_4_from_a_hillock_one_of_each_kind_unless_an_option_counts_them_together() {
    let layers = json!({"hillock": ["J1", "J3"], "wall": ["J5|J6"], "rubble": ["J7"]});
    let per_kind = table(layers.clone()).sight("J1", "J9");
    assert!(!is_blocked(&per_kind));
    assert_eq!(contested(&per_kind), ["half_level_budget"]);
    let total = table(layers).options(json!({"half_level_budget": "total"}));
    let total = total.sight("J1", "J9");
    assert_eq!(los(&total).blocked_by, ["F6.4"]);
    assert_eq!(contested(&total), ["half_level_budget"]);
}

#[test]
fn f6_4_the_hillock_adjacent_to_the_other_end_takes_no_share_of_the_budget() {
    let layers = json!({"hillock": ["J1", "J8"], "wall": ["J5|J6"]});
    let total = table(layers).options(json!({"half_level_budget": "total"}));
    assert!(!is_blocked(&total.sight("J1", "J9")));
}

#[test]
fn f6_4_between_units_on_the_ground_other_obstacles_act_normally() {
    let table = table(json!({"hillock": ["J3"], "rubble": ["J6"]}));
    // The hillock is adjacent to J2, so what blocks is the rubble, in its own name.
    assert_eq!(los(&table.sight("J2", "J9")).blocked_by, ["X3.1"]);
    assert_eq!(los(&table.sight("J1", "J9")).blocked_by, ["F6.4", "X3.1"]);
}

#[test]
fn f6_4_a_hillock_that_another_rule_sets_aside_does_not_count() {
    let table = table(json!({"hillock": ["J4"], "flattened": ["J4"]}));
    assert!(!is_blocked(&table.sight("J1", "J9")));
    assert!(is_blocked(
        &super::table(json!({"hillock": ["J4"]})).sight("J1", "J9")
    ));
}

#[test]
fn f6_4_between_different_base_levels_a_hillock_is_any_half_level_obstacle() {
    let table = table(json!({"hillock": ["J4", "J5", "J6"]})).levels(json!({"J1": 1}));
    let ruling = table.sight("J1", "J9");
    assert!(!is_blocked(&ruling), "no Blind Hexes either");
    assert_eq!(considered(&ruling), ["F6.4/base-levels"]);
}

#[test]
fn f6_4_a_hillock_below_both_ends_does_not_count() {
    let table = table(json!({"hillock": ["J4"]})).levels(json!({"J1": 1, "J9": 1}));
    assert!(!is_blocked(&table.sight("J1", "J9")));
}

#[test]
fn f6_4_hillocks_on_a_hill_are_judged_at_their_own_base_level() {
    let hill: serde_json::Map<_, _> = (0..=10).map(|row| (format!("J{row}"), json!(1))).collect();
    let one = table(json!({"hillock": ["J4"]})).levels(json!(hill));
    assert_eq!(los(&one.sight("J1", "J9")).blocked_by, ["F6.4"]);
    assert!(!is_blocked(&one.sight("J3", "J9")));
}

#[test]
fn f6_4_a_hillock_that_only_shares_the_vertex_of_an_end_does_not_lie_between() {
    // The north-east vertex of J5 is one of J4 and of K5 too. The LOS to J9 leaves it southward.
    let vertex = json!({"hex": "J5", "corner": 0});
    for other in [
        json!("J9"),
        json!("J5"),
        json!("J6"),
        json!({"hex": "J8", "corner": 1}),
    ] {
        for hillock in ["J4", "K5"] {
            let table = table(json!({"hillock": [hillock]}));
            assert!(
                !is_blocked(&table.sight_between(&vertex, &other)),
                "{hillock}, {other}"
            );
            assert!(
                !is_blocked(&table.sight_between(&other, &vertex)),
                "{hillock}, {other}"
            );
        }
    }
}

#[test]
fn f6_4_a_hillock_into_which_the_los_leaves_a_vertex_is_adjacent() {
    let vertex = json!({"hex": "J5", "corner": 0});
    let one = table(json!({"hillock": ["J4"]}));
    assert!(!is_blocked(&one.sight_between(&vertex, &json!("J1"))));
    let beyond = table(json!({"hillock": ["J3"]}));
    assert!(is_blocked(&beyond.sight_between(&vertex, &json!("J1"))));
}

#[test]
fn f6_4_a_vertex_on_the_way_still_counts_when_the_los_is_aimed_at_one() {
    // X7 to the east vertex of Z1, which is one of AA1 too, passes a vertex of Z4.
    let (from, to) = (json!("X7"), json!({"hex": "Z1", "corner": 1}));
    let blocked = |hillock: &str| {
        let table = table(json!({"hillock": [hillock]}));
        is_blocked(&table.sight_between(&from, &to))
    };
    assert!(blocked("Y5"), "through");
    assert!(blocked("Z4"), "at a vertex");
    assert!(!blocked("AA1"), "at the end");
}
