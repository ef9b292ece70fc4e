//! A process that is killed while it writes has lost nothing that it acknowledged.
//!
//! `ALAMEIN_KILLS` says how often it is killed; five times if it does not.

use std::collections::BTreeSet;

use alamein_store::{Embedded, EmbeddedConfig, Kind, RefName, Store, Tenant};

use crate::child::{lines, role};
use crate::map;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_is_there_after_a_kill() {
    let kills = std::env::var("ALAMEIN_KILLS").map_or(5, |it| it.parse::<u64>().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let (mut maps, mut game) = (BTreeSet::new(), 0);
    for kill in 0..kills {
        // Each time after some more of what it tells, and at some moment after that.
        let many = 3 + (kill * 7919) % 60;
        let pause = std::time::Duration::from_micros((kill * 104_729) % 9_000);
        let program = std::env::current_exe().unwrap();
        let mut child = role(&program, "write", folder.path()).spawn().unwrap();
        let mut told = lines(&mut child);
        let mut read: Vec<String> = told.by_ref().take(many as usize).collect();
        std::thread::sleep(pause);
        child.kill().unwrap();
        child.wait().unwrap();
        read.extend(told);
        assert!(read.len() >= many as usize, "it ended by itself: {read:?}");
        for line in &read {
            let (what, number) = line.split_once(' ').unwrap();
            let number: u64 = number.parse().unwrap();
            match what {
                "map" => drop(maps.insert(number as usize)),
                "begun" => assert!(number >= game, "{number} of {game}"),
                _ => game = number,
            }
        }
        let store = Embedded::open(&EmbeddedConfig::new(folder.path())).unwrap();
        for number in &maps {
            let object = map(*number, 10 + number % 9000);
            let found = store.get(&Tenant::main(), Kind::Map, object.id()).await;
            assert_eq!(
                found.unwrap().as_ref(),
                Some(object.bytes()),
                "map {number} of kill {kill}"
            );
        }
        check_game(&store, game).await;
        drop(store);
    }
    assert!(!maps.is_empty());
}

/// A game stands where it was acknowledged to stand, or one further, and its log is whole.
async fn check_game(store: &Embedded, acknowledged: u64) {
    let (main, at) = (Tenant::main(), RefName::game("g"));
    let state = store.read(&main, &at).await.unwrap();
    let version = state.as_ref().map_or(0, |state| state.version);
    assert!(
        (acknowledged..=acknowledged + 1).contains(&version),
        "{version} of {acknowledged}"
    );
    let log = store.log(&main, &at, 0, usize::MAX >> 1).await.unwrap();
    let versions: Vec<u64> = log.iter().map(|line| line.version).collect();
    assert_eq!(versions, (1..=version).collect::<Vec<_>>());
    for line in log {
        assert!(
            store
                .get(&main, Kind::Map, line.id)
                .await
                .unwrap()
                .is_some()
        );
    }
}
