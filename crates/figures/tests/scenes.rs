//! The scenes are what their names say, on every machine.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use alamein_figures::scenes::{self, DENSE, DENSE_COUNTERS};
use alamein_maps::{Catalogue, MapFile};
use alamein_terrain::CounterClass;

/// `ALAMEIN_WRITE=1 cargo test -p alamein-figures --test scenes` writes the map anew.
#[test]
fn the_dense_desert_is_the_one_that_lies_in_the_docs() {
    let made = scenes::desert(4).unwrap();
    let text = format!(
        "# Four boards of desert with every overlay there is, as `alamein bench` measures on. Code makes\n\
         # this file: crates/figures/src/scenes/desert.rs.\n\n{}",
        made.to_toml().unwrap()
    );
    if std::env::var_os("ALAMEIN_WRITE").is_some() {
        let file = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/maps/dense-desert.toml"
        );
        std::fs::write(file, &text).unwrap();
        return;
    }
    assert_eq!(text, DENSE);
}

#[test]
fn the_dense_desert_has_every_overlay_and_sixty_counters_of_many_classes() {
    let file = MapFile::from_toml(DENSE).unwrap();
    assert_eq!(file.boards.len(), 4);
    let laid: BTreeSet<&str> = file.overlays.iter().map(|it| it.id.as_str()).collect();
    let all: BTreeSet<&str> = Catalogue::bundled()
        .iter()
        .map(|it| it.id.as_str())
        .collect();
    assert_eq!((laid, file.overlays.len()), (all.clone(), all.len()));

    let scene = scenes::dense().unwrap();
    let counters = scene.position.counters();
    assert_eq!(counters.len(), DENSE_COUNTERS);
    let classes: BTreeSet<CounterClass> = counters.iter().map(|it| it.class).collect();
    assert!(classes.len() > 8, "{classes:?}");
    assert!(scene.shots.len() >= 100, "{}", scene.shots.len());
}

#[test]
fn deserts_have_the_boards_that_are_asked_for() {
    for (boards, columns, rows) in [(1, 33, 10), (2, 65, 10), (8, 129, 20), (64, 257, 80)] {
        let scene = scenes::of_size(boards, 30).unwrap();
        let grid = scene.position.map().grid;
        assert_eq!(
            (grid.columns(), grid.rows()),
            (columns, rows),
            "{boards} boards"
        );
        assert_eq!(scene.position.counters().len(), 30);
        assert!(!scene.shots.is_empty());
    }
    assert!(scenes::desert(65).is_err());
}

#[test]
fn pairs_are_within_their_range_and_the_same_each_time() {
    let scene = scenes::empty().unwrap();
    let pairs = scenes::pairs_within(&scene.position, 50, 7..=9);
    assert_eq!(pairs.len(), 50);
    assert!(
        pairs
            .iter()
            .all(|(from, to)| (7..=9).contains(&from.range(*to)))
    );
    assert_eq!(pairs, scenes::pairs_within(&scene.position, 50, 7..=9));
    // No two hexes of a board are so far apart: it ends all the same.
    assert!(scenes::pairs_within(&scene.position, 2, 90..=90).is_empty());
}
