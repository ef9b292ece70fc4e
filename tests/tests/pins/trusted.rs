//! The store is trusted no more than a folder, and its failures are told.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use alamein_plugin_host::{LOCK_FILE, Lock, TARGET, Trust};
use alamein_store::pinned::{BuildRecord, RevisionRecord, revision_ref};
use alamein_store::{Kind, Move, Moved, Room, Store as _, Tenant};
use alamein_terrain::Digest;
use alamein_tests::plugin_folder;
use alamein_tests::swapped::{ID, Swapped, temporary};
use tonic::{Code, Status};

use crate::odd::Odd;
use crate::{Side, Starting, count, spec, told};

const MAIN: &str = "main";

/// A store that keeps a ruleset whose eighth plugin only the first side has.
async fn kept(builds: &Swapped, store: &Arc<Odd>) -> String {
    let build = builds.build("1.0.0", 3).unwrap();
    let one = Starting::with(&[build.parent().unwrap()]).over(store).await;
    one.make(MAIN, &spec("ours", Some("*")), &[]).await
}

async fn refusal(side: &Side, made: &str) -> (String, Status) {
    let status = side.get(MAIN, made).await.unwrap_err();
    let (reason, with) = told(&status);
    assert_eq!(reason, "RULESET_NOT_AVAILABLE", "{status}");
    assert_eq!(with["rules_fingerprint"], made);
    assert_eq!(with.get("plugin").map(String::as_str), Some(ID), "{status}");
    assert!(status.message().contains(ID), "{status}");
    (with["refusal"].clone(), status)
}

/// Lets the store have another build of the eighth plugin.
async fn forge(store: &Odd, made: &str, change: impl Fn(&mut BuildRecord)) {
    let (main, house) = (Tenant::main(), Tenant::house());
    let at = revision_ref(made.parse().unwrap());
    let state = store.read(&main, &at).await.unwrap().unwrap();
    let id = Digest::from_bytes(state.value.as_ref().try_into().unwrap());
    let record = store.get(&main, Kind::Ruleset, id).await.unwrap().unwrap();
    let mut record = RevisionRecord::read(&record).unwrap();
    let its = record.plugins.iter_mut().find(|it| it.id == ID).unwrap();
    let object = its.builds[0].object.unwrap();
    let bytes = store
        .get(&house, Kind::Build, object)
        .await
        .unwrap()
        .unwrap();
    let mut build = BuildRecord::read(&bytes).unwrap();
    change(&mut build);
    let build = build.object();
    its.builds[0].object = Some(build.id());
    store.put(&house, &[build], &Room::default()).await.unwrap();
    let record = record.object();
    let change = Move {
        at,
        from: state.version,
        value: record.id().as_bytes().to_vec().into(),
        log: None,
        objects: vec![record],
    };
    let moved = store.advance(&main, change).await.unwrap();
    assert!(matches!(moved, Moved::Done(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_was_tampered_with_is_refused_by_name() {
    let (builds, store) = (Swapped::new().unwrap(), Arc::new(Odd::default()));
    let made = kept(&builds, &store).await;
    let side = Starting::with(&[]).over(&store).await;
    store.rotten.store(true, Ordering::Relaxed);
    assert_eq!(refusal(&side, &made).await.0, "DAMAGED");
    // Whoever asks again at once is not answered by reading it again.
    let read = count(&store.builds);
    assert_eq!(refusal(&side, &made).await.0, "DAMAGED");
    assert_eq!(count(&store.builds), read);
    store.rotten.store(false, Ordering::Relaxed);

    // Whoever can write to the store makes the ids fit, too.
    let flip = |build: &mut BuildRecord| {
        let mut library = build.library.to_vec();
        let middle = library.len() / 2;
        library[middle] ^= 1;
        build.library = library.into();
    };
    forge(&store, &made, flip).await;
    let side = Starting::with(&[]).over(&store).await;
    assert_eq!(refusal(&side, &made).await.0, "DIGEST_MISMATCH");
    let listed = side.rules.registry().unwrap().list().plugins;
    let refused = |it: &alamein_rulesets::PluginStatus| matches!(&it.state, alamein_rulesets::PluginState::Refused { reason, .. } if reason == "DIGEST_MISMATCH");
    assert!(listed.iter().any(refused), "it is shown");
    // Once more, so that the bit is back; and cases that do not hold.
    forge(&store, &made, flip).await;
    forge(&store, &made, |build| {
        build.cases = vec![("own.json".into(), "{}".into())];
    })
    .await;
    let side = Starting::with(&[]).over(&store).await;
    assert_eq!(refusal(&side, &made).await.0, "CASES_FAIL");
    let held = side.rules.registry().unwrap().list().libraries_held;
    let start = Instant::now();
    loop {
        let (word, _) = refusal(&side, &made).await;
        if word == "UNFIT" {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "{word}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let now = side.rules.registry().unwrap().list().libraries_held;
    assert!(now >= held);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_no_lock_file_lists_is_refused() {
    let (builds, store) = (Swapped::new().unwrap(), Arc::new(Odd::default()));
    let made = kept(&builds, &store).await;
    // The seven plugins, locked.
    let locked = temporary().unwrap();
    for entry in fs::read_dir(plugin_folder().unwrap()).unwrap() {
        let entry = entry.unwrap();
        if entry.path().join("plugin.json").is_file() {
            copy(&entry.path(), &locked.path().join(entry.file_name()));
        }
    }
    let lock = Lock::of_folder(locked.path(), &Trust::default()).unwrap();
    let file = locked.path().join(LOCK_FILE);
    fs::write(&file, lock.to_string()).unwrap();
    let mut starting = Starting::with(&[]);
    starting.source.folder = locked.path().to_owned();
    let side = starting.clone().over(&store).await;
    assert!(side.get(MAIN, "default").await.is_ok());
    assert_eq!(refusal(&side, &made).await.0, "NOT_LOCKED");

    // Once it is listed, it is let in.
    let build = builds.build("1.0.0", 3).unwrap();
    let its = Lock::of_folder(build.parent().unwrap(), &Trust::default()).unwrap();
    let its = its.to_string();
    let (_, entry) = its.split_once("[[plugin]]").unwrap();
    fs::write(&file, format!("{lock}\n[[plugin]]{entry}")).unwrap();
    let start = Instant::now();
    while side.get(MAIN, &made).await.is_err() {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "it is not let in"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_store_lacks_and_what_it_cannot_say_is_told() {
    let (builds, store) = (Swapped::new().unwrap(), Arc::new(Odd::default()));
    let build = builds.build("1.0.0", 3).unwrap();
    let mut without = Starting::with(&[build.parent().unwrap()]);
    without.limits.store_builds = false;
    let one = without.over(&store).await;
    let made = one.make(MAIN, &spec("ours", Some("*")), &["cup"]).await;
    let side = Starting::with(&[]).over(&store).await;
    let (word, status) = refusal(&side, &made).await;
    assert_eq!((&*word, &*told(&status).1["target"]), ("NO_BUILD", TARGET));
    // Where the plugin is in a folder, no build is needed.
    let there = Starting::with(&[build.parent().unwrap()])
        .over(&store)
        .await;
    assert_eq!(there.get(MAIN, "cup").await.unwrap().fingerprint, made);

    // As long as the store cannot be reached, what is held is answered, and the rest may be tried again.
    store.down.store(true, Ordering::Relaxed);
    assert!(there.ask(MAIN, &made).await.is_ok());
    assert!(there.ask(MAIN, "default").await.is_ok());
    for asked in [&*made, "cup", "ours"] {
        let status = side.ask(MAIN, asked).await.unwrap_err();
        assert_eq!(status.code(), Code::Unavailable, "{status}");
        assert_eq!(told(&status).0, "STORE_UNAVAILABLE");
    }
    let status = there
        .create(MAIN, &spec("more", None), &[])
        .await
        .unwrap_err();
    assert_eq!(status.code(), Code::Unavailable, "{status}");
    store.down.store(false, Ordering::Relaxed);
    assert!(
        there.get(MAIN, "more").await.is_err(),
        "nothing was told to be kept"
    );

    // Once somebody keeps its build, it is there.
    let with = Starting::with(&[build.parent().unwrap()])
        .over(&store)
        .await;
    with.make(MAIN, &spec("ours", Some("*")), &[]).await;
    let start = Instant::now();
    while side.get(MAIN, &made).await.is_err() {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "it does not come"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_build_of_the_same_version_is_not_taken_for_it() {
    let (builds, store) = (Swapped::new().unwrap(), Arc::new(Odd::default()));
    let made = kept(&builds, &store).await;
    let other = builds.build("1.0.0", 9).unwrap();
    let side = Starting::with(&[other.parent().unwrap()])
        .over(&store)
        .await;
    assert_eq!(refusal(&side, &made).await.0, "BUILDS_DIFFER");
}
