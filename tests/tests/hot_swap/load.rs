//! A hundred plugins replaced under load, and what that costs.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use alamein_client::{ErrorReason, v1};
use alamein_tests::stage::{Expected, Stage, bytes, shots};
use alamein_tests::swapped::{ID, Swapped};

use crate::{admin, ask, client, reason, tem};

/// How often the plugin is replaced.
const TIMES: i16 = 100;
/// The most mappings that a generation of a small plugin may cost: those of its library (5 segments
/// as a rule), and what its revision takes. README.md and ARCHITECTURE.md state it.
const MAPPINGS: usize = 8;
/// The most memory that a generation may cost, in KiB.
const KIB: usize = 1024;

/// What a process holds: how many mappings, and how many KiB of memory.
fn held(pid: u32) -> (usize, usize) {
    let read = |what: &str| std::fs::read_to_string(format!("/proc/{pid}/{what}")).unwrap();
    let status = read("status");
    let rss = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let rss = rss.unwrap().trim().trim_end_matches(" kB");
    (read("maps").lines().count(), rss.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_replaced_under_load_lose_and_corrupt_no_answer() {
    let (builds, shots) = (Swapped::new().unwrap(), shots().unwrap());
    let folders: Vec<PathBuf> = (0..=TIMES)
        .map(|turn| builds.build(&format!("1.0.{turn}"), turn).unwrap())
        .collect();
    let mut expected = Expected::of(shots.clone()).unwrap();
    for folder in &folders {
        expected.add(folder).unwrap();
    }
    let stage = Stage::start(&folders[0], &[]).unwrap();
    let (client, admin) = (client(&stage).await, admin(&stage).await);
    let first = ask(&client, &shots).await;
    let pin = expected.check(&first).unwrap();
    let pinned = client.clone().with_ruleset(pin.to_string());
    let before = held(stage.server.pid());

    let (expected, over) = (Arc::new(expected), Arc::new(AtomicBool::new(false)));
    let answered = Arc::new(AtomicUsize::new(0));
    let askers: Vec<_> = (0..4)
        .map(|number| {
            let client = if number == 3 {
                pinned.clone()
            } else {
                client.clone()
            };
            let (expected, over) = (Arc::clone(&expected), Arc::clone(&over));
            let (answered, shots) = (Arc::clone(&answered), shots.clone());
            tokio::spawn(async move {
                let mut last = 0;
                while !over.load(Ordering::Acquire) {
                    let said = ask(&client, &shots).await;
                    let by = expected.check(&said).unwrap();
                    assert!(number != 3 || by == pin, "a pin does not move");
                    assert!(tem(&said) >= last, "nor does a name go back");
                    last = tem(&said);
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for (turn, folder) in (0..=TIMES).zip(&folders).skip(1) {
        let name = format!("build-{turn}");
        stage.lay(&name, folder).unwrap();
        let replaced = admin.replace(&name, Some(ID)).await.unwrap();
        assert_eq!(replaced.rulesets.len(), 1);
        // Who asks now gets the new code: its number, and the build that states it.
        let said = ask(&client, &shots).await;
        expected.check(&said).unwrap();
        assert_eq!(tem(&said), turn);
        assert_eq!(
            said[0].ruling.rules.to_string(),
            replaced.rulesets[0].after_fingerprint
        );
    }
    over.store(true, Ordering::Release);
    for asker in askers {
        asker.await.unwrap();
    }
    let answered = answered.load(Ordering::Relaxed);
    assert!(answered >= 50, "{answered}");
    assert_eq!(bytes(&ask(&pinned, &shots).await), bytes(&first));

    let after = held(stage.server.pid());
    let times = usize::try_from(TIMES).unwrap();
    let each = (
        after.0.saturating_sub(before.0) / times,
        after.1.saturating_sub(before.1) / times,
    );
    println!(
        "{answered} answers; a generation costs {} mappings, {} KiB",
        each.0, each.1
    );
    assert!(each.0 <= MAPPINGS, "{before:?} {after:?}");
    assert!(each.1 <= KIB, "{before:?} {after:?}");

    let stock = admin.list().await.unwrap();
    let its: Vec<_> = stock
        .plugins
        .iter()
        .filter(|it| it.plugin_id == ID)
        .collect();
    assert_eq!(its.len(), times + 1);
    let fit = its
        .iter()
        .filter(|it| it.state() == v1::PluginBuildState::Available);
    assert_eq!(fit.count(), 1);
    assert_eq!(stock.libraries_held, u64::try_from(times).unwrap() + 8);
    assert!(its.iter().all(|it| it.calls_in_flight == 0), "{its:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn libraries_are_capped_and_the_cap_is_told() {
    let (builds, shots) = (Swapped::new().unwrap(), shots().unwrap());
    let first = builds.build("1.0.0", 0).unwrap();
    let stage = Stage::start(&first, &["--max-libraries", "10"]).unwrap();
    let (client, admin) = (client(&stage).await, admin(&stage).await);
    for turn in 1..=2 {
        let name = format!("build-{turn}");
        let build = builds.build(&format!("1.0.{turn}"), turn).unwrap();
        stage.lay(&name, &build).unwrap();
        admin.replace(&name, None).await.unwrap();
    }
    let stock = admin.list().await.unwrap();
    assert_eq!((stock.libraries_held, stock.libraries_max), (10, 10));
    let said = ask(&client, &shots).await;
    stage
        .lay("one-more", &builds.build("1.0.3", 3).unwrap())
        .unwrap();
    let error = admin.replace("one-more", None).await.unwrap_err();
    assert_eq!(reason(&error), ErrorReason::LibrariesFull);
    let metadata = &error.remote().unwrap().metadata;
    assert_eq!((&*metadata["held"], &*metadata["max"]), ("10", "10"));
    assert_eq!(bytes(&ask(&client, &shots).await), bytes(&said));
    // What is loaded already costs nothing.
    assert!(admin.load("build-2").await.unwrap().known);
}
