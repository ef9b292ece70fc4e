//! Files that a disk has damaged: nothing wrong is ever answered, and nothing falls over.

use std::fs;
use std::panic;
use std::path::Path;
use std::sync::Once;

use alamein_store::{
    Embedded, EmbeddedConfig, Keeper, KeeperConfig, Kind, Move, RefKind, RefName, Store,
    StoreError, Tenant,
};

use crate::{map, put};

/// How many maps are kept, and how often a game has moved.
const MAPS: usize = 40;
const MOVES: u64 = 12;

/// What redb panics about is contained; it need not be read.
fn quietly() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |about| {
            let redb = about
                .location()
                .is_some_and(|at| at.file().contains("/redb-"));
            if !redb {
                usual(about);
            }
        }));
    });
}

async fn filled(folder: &Path) {
    let store = Embedded::open(&EmbeddedConfig::new(folder)).unwrap();
    for number in 0..MAPS {
        put(&store, &map(number, 20 + number * 300)).await.unwrap();
    }
    for from in 0..MOVES {
        let change = Move {
            at: RefName::game("g"),
            from,
            value: format!("{from}").into(),
            log: Some(map(from as usize, 20 + from as usize * 300).id()),
            objects: Vec::new(),
        };
        store.advance(&Tenant::main(), change).await.unwrap();
    }
    store.close().await;
}

/// Whether all that is there reads as it was written. What is damaged must be an error.
async fn reads(folder: &Path) -> Result<(), StoreError> {
    let config = EmbeddedConfig::new(folder);
    let store = tokio::task::spawn_blocking(move || Embedded::open(&config));
    let store: std::sync::Arc<dyn Store> = std::sync::Arc::new(store.await.unwrap()?);
    let keeper = Keeper::new(std::sync::Arc::clone(&store), KeeperConfig::default());
    let main = Tenant::main();
    for number in 0..MAPS {
        let object = map(number, 20 + number * 300);
        let found = keeper.object(&main, Kind::Map, object.id()).await?;
        assert_eq!(found, Some(object), "map {number}");
    }
    let at = RefName::game("g");
    let state = store.read(&main, &at).await?.expect("a game is gone");
    assert_eq!(
        (state.version, &state.value[..]),
        (MOVES, format!("{}", MOVES - 1).as_bytes())
    );
    assert_eq!(store.refs(&main, RefKind::Game, None, 9).await?.len(), 1);
    let log = store.log(&main, &at, 0, 100).await?;
    let ids: Vec<_> = log.iter().map(|line| line.id).collect();
    let written = (0..MOVES as usize).map(|from| map(from, 20 + from * 300).id());
    assert_eq!(ids, written.collect::<Vec<_>>());
    assert_eq!(store.list(&main, Kind::Map, None, 100).await?.len(), MAPS);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_byte_is_wrong_nothing_wrong_is_answered() {
    quietly();
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path()).await;
    reads(folder.path()).await.unwrap();
    let file = folder.path().join("alamein.redb");
    let whole = fs::read(&file).unwrap();
    let many = std::env::var("ALAMEIN_FLIPS").map_or(250, |it| it.parse().unwrap());
    let (mut told, mut unharmed) = (0, 0);
    for flip in 0..many {
        let mut damaged = whole.clone();
        // The head byte for byte, and then all over the file.
        let at = if flip < 100 {
            flip
        } else {
            flip * 6_700_417 % damaged.len()
        };
        damaged[at] ^= 1 << (flip % 8);
        fs::write(&file, damaged).unwrap();
        let mut read = reads(folder.path()).await;
        // What was opened before may not have let go of the folder yet.
        for _ in 0..100 {
            if !matches!(&read, Err(StoreError::Settings { what }) if what.contains("in use")) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            read = reads(folder.path()).await;
        }
        match read {
            Ok(()) => unharmed += 1,
            Err(StoreError::Damaged { .. } | StoreError::Version { .. }) => told += 1,
            Err(error) => panic!("byte {at}: {error:?}"),
        }
    }
    // Much of a file is not in use; what is, is found.
    assert!(told > many / 10, "{told} told, {unharmed} unharmed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_cut_off_or_is_another_is_told() {
    quietly();
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path()).await;
    let file = folder.path().join("alamein.redb");
    let whole = fs::read(&file).unwrap();
    let zeroed = [&whole[..whole.len() / 2], &vec![0; whole.len() / 2][..]].concat();
    for damaged in [
        &whole[..whole.len() / 2],
        &whole[..5000],
        &whole[..100],
        b"PK",
        &zeroed,
    ] {
        fs::write(&file, damaged).unwrap();
        let error = reads(folder.path()).await.unwrap_err();
        assert!(
            matches!(error, StoreError::Damaged { .. }),
            "{}: {error:?}",
            damaged.len()
        );
        assert!(error.to_string().contains("alamein store check"), "{error}");
        // It is left as it is, for whoever mends it.
        assert_eq!(fs::read(&file).unwrap().len(), damaged.len());
    }
}
