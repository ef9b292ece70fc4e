//! LOS among hillocks, clause by clause. Columns J and K have hexes in a row from north to south.

use super::{blocking, turned_on};
use crate::course::tests::{course, course_of, unit};
use crate::course::{Course, Unit};
use crate::half_level::{Class, Obstacle, Place};
use crate::hillocks::Hillocks;
use crate::hillocks::tests::{grid, hex, hillocks};
use crate::options::{Budget, Emplaced, GrazingSides, Options, VertexTouch};
use crate::rules::{BUDGET, EMPLACED, GRAZING_SIDES, VERTEX_TOUCH};

/// How many obstacles block.
fn blocked(course: &Course) -> usize {
    blocking(Options::usual(), course, &[]).len()
}

fn blocked_on(map: &str, from: &str, to: &str) -> usize {
    blocked(&course(&hillocks(map), from, to))
}

fn entrenched(name: &str) -> Unit {
    Unit {
        entrenched: true,
        ..unit(name)
    }
}

fn emplaced(name: &str) -> Unit {
    Unit {
        emplaced: true,
        ..unit(name)
    }
}

fn others(listed: &[(Class, &str)]) -> Vec<Obstacle> {
    let place = |name: &str| match grid().hexside(name) {
        Ok(hexside) => Place::Hexside(hexside),
        Err(_) => Place::Hex(hex(name)),
    };
    let other = |(class, name): &(Class, &str)| Obstacle {
        class: *class,
        place: place(name),
    };
    listed.iter().map(other).collect()
}

// === Neither end on a hillock ===

#[test]
fn f6_4_a_hillock_between_units_on_the_ground_blocks() {
    assert_eq!(blocked_on("J5", "J2", "J8"), 1);
}

#[test]
fn f6_4_each_hillock_between_units_on_the_ground_blocks() {
    assert_eq!(blocked_on("J4 J6", "J2", "J8"), 2);
}

#[test]
fn f6_4_a_unit_sees_over_the_hillock_adjacent_to_it() {
    assert_eq!(blocked_on("J5", "J4", "J8"), 0);
    assert_eq!(blocked_on("J5", "J2", "J6"), 0);
}

#[test]
fn f6_4_and_over_all_hexes_of_it() {
    assert_eq!(blocked_on("J4 J5 J6", "J3", "J9"), 0);
}

#[test]
fn f6_4_but_not_over_another_hillock_beyond() {
    assert_eq!(blocked_on("J4 J6", "J3", "J9"), 1);
}

#[test]
fn f6_4_two_units_see_over_the_hillock_of_each() {
    assert_eq!(blocked_on("J4 J7", "J3", "J8"), 0);
    assert_eq!(
        blocked_on("J4 J6 J8", "J3", "J9"),
        1,
        "not one between these"
    );
}

#[test]
fn f6_4_a_hillock_beside_the_unit_but_not_across_its_hexside_is_not_adjacent() {
    // K4 is beside J3, but the LOS leaves J3 southward, and meets that hillock in J5.
    assert_eq!(blocked_on("K4 K5 J5", "J3", "J8"), 1);
}

#[test]
fn f6_4_an_entrenched_unit_does_not_see_over_the_hillock_adjacent_to_it() {
    let map = hillocks("J5");
    assert_eq!(blocked(&course_of(&map, [entrenched("J4"), unit("J8")])), 1);
    assert_eq!(blocked(&course_of(&map, [unit("J8"), entrenched("J4")])), 1);
}

#[test]
fn f6_4_an_entrenched_unit_elsewhere_does_not_matter() {
    let map = hillocks("J5");
    assert_eq!(blocked(&course_of(&map, [unit("J4"), entrenched("J8")])), 0);
}

#[test]
fn f6_4_one_end_that_is_not_entrenched_is_enough() {
    let map = hillocks("J5");
    assert_eq!(blocked(&course_of(&map, [unit("J4"), entrenched("J6")])), 0);
    let both = course_of(&map, [entrenched("J4"), entrenched("J6")]);
    assert_eq!(blocked(&both), 1);
}

#[test]
fn f6_4_an_emplaced_gun_is_restricted_and_that_is_contested() {
    let course = course_of(&hillocks("J5"), [emplaced("J4"), unit("J8")]);
    assert_eq!(blocked(&course), 1);
    assert_eq!(turned_on(Options::usual(), &course, &[]), [EMPLACED]);
    let free = Options {
        emplaced_adjacent: Emplaced::SeesOver,
        ..Options::usual()
    };
    assert!(blocking(free, &course, &[]).is_empty());
    assert_eq!(turned_on(free, &course, &[]), [EMPLACED]);
}

#[test]
fn f6_4_nothing_is_contested_of_an_emplaced_gun_that_is_entrenched_too() {
    let dug_in = Unit {
        entrenched: true,
        ..emplaced("J4")
    };
    let course = course_of(&hillocks("J5"), [dug_in, unit("J8")]);
    assert_eq!(turned_on(Options::usual(), &course, &[]), []);
}

#[test]
fn f6_4_a_hillock_on_one_side_of_a_grazing_los_blocks() {
    // H5 to P5 runs along I5|I6, K5|K6, M5|M6 and O5|O6.
    for hillock in ["K5", "K6", "M5", "M6"] {
        assert_eq!(blocked_on(hillock, "H5", "P5"), 1, "{hillock}");
    }
}

#[test]
fn f6_4_a_vertex_of_a_hillock_blocks() {
    assert_eq!(blocked_on("L4", "J3", "Q5"), 1);
    assert_eq!(blocked_on("L5", "J3", "Q5"), 0, "not touched");
}

#[test]
fn f6_4_leaving_by_a_vertex_the_hillock_on_either_side_is_adjacent() {
    for hillock in ["I5", "I6", "I5 I6", "O5", "O6"] {
        assert_eq!(blocked_on(hillock, "H5", "P5"), 0, "{hillock}");
    }
}

#[test]
fn f6_4_other_half_level_terrain_between_units_on_the_ground_is_not_for_this_rule() {
    let course = course(&hillocks("A1"), "J2", "J8");
    let rubble = others(&[(Class::Rubble, "J4"), (Class::Rubble, "J6")]);
    assert!(blocking(Options::usual(), &course, &rubble).is_empty());
}

// === One end on a hillock ===

#[test]
fn f6_4_from_a_hillock_one_sees_over_one_hillock() {
    assert_eq!(blocked_on("J2 J5", "J2", "J9"), 0);
    assert_eq!(blocked_on("J2 J5", "J9", "J2"), 0);
}

#[test]
fn f6_4_from_a_hillock_the_second_hillock_blocks() {
    assert_eq!(blocked_on("J2 J4 J6", "J2", "J9"), 1);
    assert_eq!(blocked_on("J2 J4 J6 J8", "J1", "J10"), 3, "from the ground");
}

#[test]
fn f6_4_from_a_hillock_the_one_adjacent_to_the_other_end_does_not_count() {
    assert_eq!(blocked_on("J2 J5 J8", "J2", "J9"), 0);
    assert_eq!(blocked_on("J2 J4 J6 J8", "J2", "J9"), 1);
}

#[test]
fn f6_4_nor_if_the_unit_there_is_entrenched() {
    let map = hillocks("J2 J5 J8");
    let course = course_of(&map, [unit("J2"), entrenched("J9")]);
    assert_eq!(blocked(&course), 0);
}

#[test]
fn f6_4_an_entrenched_unit_on_a_hillock_sees_as_far() {
    let course = course_of(&hillocks("J2 J5"), [entrenched("J2"), unit("J9")]);
    assert_eq!(blocked(&course), 0);
}

#[test]
fn f6_4_crossing_ones_own_hillock_again_does_not_count() {
    // One hillock bent around J5; then another.
    assert_eq!(blocked_on("J4 K4 K5 K6 J6 J8", "J4", "J10"), 0);
}

#[test]
fn f6_4_a_hillock_met_at_a_vertex_counts_and_that_is_contested() {
    let course = course(&hillocks("J3 L4 N4"), "J3", "Q5");
    assert_eq!(blocked(&course), 1);
    assert_eq!(turned_on(Options::usual(), &course, &[]), [VERTEX_TOUCH]);
    let misses = Options {
        vertex_touch: VertexTouch::Misses,
        ..Options::usual()
    };
    assert!(blocking(misses, &course, &[]).is_empty());
}

#[test]
fn f6_4_the_vertex_of_a_hillock_that_is_crossed_elsewhere_too_is_not_contested() {
    let course = course(&hillocks("J3 L4 M4 O4 O5"), "J3", "Q5");
    assert_eq!(blocked(&course), 1);
    assert_eq!(turned_on(Options::usual(), &course, &[]), []);
}

#[test]
fn f6_4_hillocks_on_both_sides_of_a_grazing_los_count_and_that_is_contested() {
    let course = course(&hillocks("H5 K5 M6"), "H5", "P5");
    assert_eq!(blocked(&course), 1);
    assert_eq!(turned_on(Options::usual(), &course, &[]), [GRAZING_SIDES]);
    let one = Options {
        grazing_sides: GrazingSides::One,
        ..Options::usual()
    };
    assert!(blocking(one, &course, &[]).is_empty());
}

#[test]
fn f6_4_hillocks_on_one_side_of_a_grazing_los_count_whatever_the_option() {
    let course = course(&hillocks("H5 K5 M5"), "H5", "P5");
    assert_eq!(blocked(&course), 1);
    assert_eq!(turned_on(Options::usual(), &course, &[]), []);
}

#[test]
fn f6_4_from_a_hillock_one_sees_over_one_wall_and_one_rubble_hex() {
    let course = course(&hillocks("J2"), "J2", "J9");
    let count =
        |listed: &[(Class, &str)]| blocking(Options::usual(), &course, &others(listed)).len();
    assert_eq!(count(&[(Class::Wall, "J4|J5")]), 0);
    assert_eq!(count(&[(Class::Wall, "J4|J5"), (Class::Wall, "J6|J7")]), 1);
    assert_eq!(count(&[(Class::Rubble, "J4")]), 0);
    assert_eq!(count(&[(Class::Rubble, "J4"), (Class::Rubble, "J5")]), 1);
    assert_eq!(
        count(&[(Class::DuneCrest, "J4|J5"), (Class::HighDune, "J7")]),
        0
    );
}

#[test]
fn f6_4_kinds_are_counted_each_by_itself_and_that_is_contested() {
    let course = course(&hillocks("J2 J5"), "J2", "J9");
    let one_of_each = others(&[(Class::Wall, "J6|J7"), (Class::Rubble, "J8")]);
    let total = Options {
        half_level_budget: Budget::Total,
        ..Options::usual()
    };
    assert!(blocking(Options::usual(), &course, &one_of_each).is_empty());
    assert_eq!(blocking(total, &course, &one_of_each)[..], one_of_each);
    assert_eq!(turned_on(Options::usual(), &course, &one_of_each), [BUDGET]);
    assert!(blocking(total, &course, &[]).is_empty());
}

// === Both ends on hillocks ===

#[test]
fn f6_4_between_hillocks_nothing_of_half_level_blocks() {
    let map = "J1 J3 J5 J7 J9";
    assert_eq!(blocked_on(map, "J1", "J9"), 0);
    let course = course(&hillocks(map), "J1", "J9");
    let walls = others(&[
        (Class::Wall, "J3|J4"),
        (Class::Wall, "J5|J6"),
        (Class::Rubble, "J6"),
    ]);
    assert!(blocking(Options::usual(), &course, &walls).is_empty());
    assert_eq!(turned_on(Options::usual(), &course, &walls), []);
}

#[test]
fn f6_4_on_one_hillock_nothing_blocks() {
    assert_eq!(blocked_on("J2 J3 J4 J5", "J2", "J5"), 0);
}

// === What holds everywhere ===

/// Hillocks of many shapes, scattered over the hexes around L5.
fn many_maps() -> Vec<Hillocks> {
    let area: Vec<_> = grid()
        .hexes()
        .filter(|at| at.range(hex("L5")) <= 3)
        .collect();
    // Every map has about a third of the hexes, another third each time.
    let chosen = |map: usize| {
        let is_hillock =
            |(at, _): &(usize, &alamein_plugin_sdk::hex::Hex)| (at * 7 + map * at * at) % 11 < 4;
        area.iter()
            .enumerate()
            .filter(is_hillock)
            .map(|(_, hex)| *hex)
            .collect()
    };
    (0..6)
        .map(|map| Hillocks::new(grid(), &chosen(map), |_| 0))
        .collect()
}

/// Every course around L5 on many maps, both ways round, and which of its ends are entrenched.
fn every_course(mut check: impl FnMut(&Course, &Course, [bool; 2])) {
    let around: Vec<_> = grid()
        .hexes()
        .filter(|at| at.range(hex("L5")) <= 3)
        .collect();
    for map in many_maps() {
        for (from, to) in around
            .iter()
            .flat_map(|from| around.iter().map(move |to| (from, to)))
        {
            for entrenched in [[false, false], [true, false], [true, true]] {
                let [one, other] =
                    [(*from, entrenched[0]), (*to, entrenched[1])].map(|(hex, entrenched)| Unit {
                        hex,
                        entrenched,
                        emplaced: false,
                    });
                let there = course_of(&map, [one, other]);
                let back = course_of(&map, [other, one]);
                check(&there, &back, entrenched);
            }
        }
    }
}

#[test]
fn a6_5_los_is_reciprocal() {
    let options = [Options::usual()].into_iter();
    let options = options.chain(Options::usual().otherwise_in_los().map(|(_, other)| other));
    let options: Vec<Options> = options.collect();
    every_course(|there, back, _| {
        for options in &options {
            let [there, back] = [there, back].map(|course| {
                let blocked = blocking(*options, course, &[]).len();
                (blocked, turned_on(*options, course, &[]))
            });
            assert_eq!(there, back);
        }
    });
}

#[test]
fn f6_4_between_hillocks_there_is_always_a_los() {
    every_course(|course, _, _| {
        if course.ends_on_hillocks() == 2 {
            assert_eq!(blocked(course), 0);
        }
    });
}

#[test]
fn f6_4_from_a_hillock_entrenching_changes_nothing() {
    let mut last = 0;
    every_course(|course, _, entrenched| {
        if entrenched == [false, false] {
            last = blocked(course);
        } else if course.ends_on_hillocks() > 0 {
            assert_eq!(blocked(course), last);
        } else {
            assert!(
                blocked(course) >= last,
                "on the ground it never opens a LOS"
            );
        }
    });
}

#[test]
fn f6_4_whoever_misses_a_hillock_sees_no_less() {
    let misses = Options {
        vertex_touch: VertexTouch::Misses,
        grazing_sides: GrazingSides::One,
        ..Options::usual()
    };
    every_course(|course, _, _| {
        assert!(blocking(misses, course, &[]).len() <= blocked(course));
    });
}
