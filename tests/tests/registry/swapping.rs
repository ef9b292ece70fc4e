//! Names that follow, pins that stay, plugins that come and go under load.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI16, AtomicUsize, Ordering};

use alamein_rulesets::{PluginRef, PluginState, RegistryError, Settings};
use alamein_terrain::Adjudicated;

use crate::{bytes, registry, rule, shots, spec, tem};
use alamein_tests::swapped::{ID, Swapped};

#[test]
fn a_name_follows_and_what_is_pinned_stays() {
    let (registry, builds, shots) = (
        registry(Settings::default()),
        Swapped::new().unwrap(),
        shots(),
    );
    let first = registry.load(&builds.build("0.1.0", 3).unwrap()).unwrap();
    assert!(!first.known && first.moved.is_empty());
    let made = registry
        .create(&spec("default", &[(ID, "^0.1")]), false)
        .unwrap();
    let pinned = registry
        .create(&spec("pinned", &[(ID, "=0.1.0")]), false)
        .unwrap();
    assert!(
        !made.known && pinned.known,
        "the same plugins make the same revision"
    );
    let old = made.revision.fingerprint();
    assert_eq!(registry.tag("desert-2026", old, false).unwrap(), None);
    let before = bytes(&rule(&registry, &made.revision, &shots));

    let second = registry.load(&builds.build("0.1.1", 5).unwrap()).unwrap();
    let now = registry.resolve("").unwrap();
    assert_eq!(
        second.moved,
        [("default".to_owned(), old, now.fingerprint())]
    );
    assert_eq!(tem(&rule(&registry, &now, &shots)), 5);
    for name in ["pinned", "desert-2026", &old.to_string()] {
        let held = registry.resolve(name).unwrap();
        assert_eq!(held.fingerprint(), old);
        assert_eq!(bytes(&rule(&registry, &held, &shots)), before);
    }
    // A version that the spec does not let in moves nothing.
    let third = registry.load(&builds.build("0.2.0", 7).unwrap()).unwrap();
    assert_eq!(third.moved, []);
    assert_eq!(
        registry.resolve("default").unwrap().fingerprint(),
        now.fingerprint()
    );
    // Without the second, the first serves again.
    let retired = registry.retire(&PluginRef {
        version: Some("0.1.1".parse().unwrap()),
        ..PluginRef::of(ID)
    });
    assert_eq!(retired.unwrap().len(), 1);
    assert_eq!(registry.resolve("").unwrap().fingerprint(), old);
    assert_eq!(
        bytes(&rule(&registry, &registry.resolve("").unwrap(), &shots)),
        before
    );
    // What was retired goes on where it is pinned, and comes back when it is loaded again.
    let pin = now.fingerprint().to_string();
    assert_eq!(
        tem(&rule(&registry, &registry.resolve(&pin).unwrap(), &shots)),
        5
    );
    let again = registry.load(second.generation.folder().unwrap()).unwrap();
    assert!(again.known);
    assert_eq!(again.generation.number(), second.generation.number());
    assert_eq!(
        registry.resolve("").unwrap().fingerprint(),
        now.fingerprint()
    );
}

#[test]
fn what_is_replaced_is_retired_unless_a_name_pins_it() {
    let (registry, builds) = (registry(Settings::default()), Swapped::new().unwrap());
    registry.load(&builds.build("0.1.0", 3).unwrap()).unwrap();
    registry
        .create(&spec("default", &[(ID, "*")]), false)
        .unwrap();
    registry
        .create(&spec("pinned", &[(ID, "=0.1.0")]), false)
        .unwrap();
    let states = || {
        let plugins = registry.list().plugins.into_iter();
        let its = plugins.filter(|plugin| plugin.id == ID);
        its.map(|plugin| (plugin.version, plugin.state, plugin.rulesets))
            .collect::<Vec<_>>()
    };
    let state = |version: &str, state, names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        (version.to_owned(), state, names)
    };
    use PluginState::{Active, Retired};
    let replaced = registry
        .replace(ID, &builds.build("0.1.1", 4).unwrap())
        .unwrap();
    let stayed = replaced.stayed.iter();
    let stayed = stayed.map(|it| (&*it.ruleset, it.with.plugin().version(), &*it.wanted));
    let stayed: Vec<_> = stayed.collect();
    assert_eq!(stayed, [("pinned", "0.1.0", "version =0.1.0")]);
    let expected = [
        state("0.1.0", Active, &["pinned"]),
        state("0.1.1", Active, &["default"]),
    ];
    assert_eq!(states(), expected);
    // A lower version replaces too.
    registry
        .replace(ID, &builds.build("0.0.9", 5).unwrap())
        .unwrap();
    let expected = [
        state("0.1.0", Active, &["pinned"]),
        state("0.1.1", Retired, &[]),
        state("0.0.9", Active, &["default"]),
    ];
    assert_eq!(states(), expected);
    // Once no name pins it, it goes.
    registry
        .create(&spec("pinned", &[(ID, "*")]), false)
        .unwrap();
    let expected = [
        state("0.1.0", Retired, &[]),
        state("0.1.1", Retired, &[]),
        state("0.0.9", Active, &["default", "pinned"]),
    ];
    assert_eq!(states(), expected);
}

#[test]
fn a_hundred_replaced_under_load_lose_and_confuse_nothing() {
    const TIMES: i16 = 100;
    let (registry, builds, shots) = (
        registry(Settings::default()),
        Swapped::new().unwrap(),
        shots(),
    );
    let folders: Vec<PathBuf> = (0..=TIMES)
        .map(|turn| builds.build(&format!("1.0.{turn}"), turn).unwrap())
        .collect();
    registry.load(&folders[0]).unwrap();
    let made = registry
        .create(&spec("default", &[(ID, "*")]), false)
        .unwrap();
    let pinned = made.revision.fingerprint();
    let expected = bytes(&rule(&registry, &made.revision, &shots));
    drop(made);
    let (over, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
    let newest = AtomicI16::new(0);
    let ask = || {
        let at_least = newest.load(Ordering::Acquire);
        let revision = registry.resolve("").unwrap();
        let rulings = rule(&registry, &revision, &shots);
        // The ruling names its rules, and they are those of the code that gave it.
        let gave = tem(&rulings);
        let mut its = revision.generations().iter().map(|g| g.plugin());
        let plugin = its.find(|plugin| plugin.id() == ID).unwrap();
        assert_eq!(plugin.version(), format!("1.0.{gave}"));
        assert!(gave >= at_least, "{gave} of old code");
        let named = |adjudicated: &Adjudicated| adjudicated.ruling.rules == revision.fingerprint();
        assert!(rulings.iter().all(named));
        let held = registry.resolve(&pinned.to_string()).unwrap();
        assert_eq!(bytes(&rule(&registry, &held, &shots)), expected);
        asked.fetch_add(1, Ordering::Relaxed);
    };
    std::thread::scope(|scope| {
        // However the swapping ends, the asking does.
        let asking = [(); 2].map(|()| {
            scope.spawn(|| {
                while !over.load(Ordering::Acquire) {
                    ask();
                }
            })
        });
        let swapping = catch_unwind(AssertUnwindSafe(|| {
            for (turn, folder) in (0..=TIMES).zip(&folders).skip(1) {
                let loaded = registry.replace(ID, folder).unwrap();
                assert_eq!(loaded.moved.len(), 1);
                newest.store(turn, Ordering::Release);
                let now = rule(&registry, &registry.resolve("").unwrap(), &shots);
                assert_eq!(tem(&now), turn);
            }
        }));
        over.store(true, Ordering::Release);
        for thread in asking {
            thread.join().unwrap();
        }
        swapping.unwrap();
    });
    assert!(asked.load(Ordering::Relaxed) > 0);
    let listing = registry.list();
    let its: Vec<_> = listing
        .plugins
        .iter()
        .filter(|plugin| plugin.id == ID)
        .collect();
    assert_eq!(its.len(), usize::try_from(TIMES).unwrap() + 1);
    let active = its
        .iter()
        .filter(|plugin| plugin.state == PluginState::Active);
    assert_eq!(active.count(), 1);
    assert!(its.iter().all(|plugin| plugin.calls_in_flight == 0));
    assert!(listing.libraries_held > u64::try_from(TIMES).unwrap());
    let again = registry.resolve(&pinned.to_string()).unwrap();
    assert_eq!(bytes(&rule(&registry, &again, &shots)), expected);
}

#[test]
fn calls_in_flight_are_counted_for_each_plugin() {
    let (registry, builds) = (registry(Settings::default()), Swapped::new().unwrap());
    let loaded = registry.load(&builds.build("0.1.0", 3).unwrap()).unwrap();
    let with = registry
        .create(&spec("with", &[(ID, "*")]), false)
        .unwrap()
        .revision;
    let without = registry
        .create(&spec("without", &[]), false)
        .unwrap()
        .revision;
    let one = with.enter();
    let two = without.enter();
    let three = with.enter();
    assert_eq!((with.calls_in_flight(), without.calls_in_flight()), (2, 1));
    assert_eq!(loaded.generation.calls_in_flight(), 2);
    let deir = registry
        .list()
        .plugins
        .into_iter()
        .find(|plugin| plugin.id == "deir")
        .unwrap();
    assert_eq!((deir.calls_in_flight, deir.revisions), (3, 2));
    drop((one, two));
    assert!(Arc::ptr_eq(three.revision(), &with));
    assert_eq!(loaded.generation.calls_in_flight(), 1);
    drop(three);
    assert_eq!(
        (with.calls_in_flight(), loaded.generation.calls_in_flight()),
        (0, 0)
    );
}

#[test]
fn the_oldest_revision_goes_that_nothing_names() {
    let settings = Settings {
        most_revisions: 3,
        ..Settings::default()
    };
    let (registry, builds) = (registry(settings), Swapped::new().unwrap());
    registry.load(&builds.build("0.0.0", 1).unwrap()).unwrap();
    let tagged = registry
        .create(&spec("default", &[(ID, "*")]), false)
        .unwrap();
    registry
        .tag("kept", tagged.revision.fingerprint(), false)
        .unwrap();
    let mut fingerprints = Vec::new();
    for turn in 1..=3 {
        registry
            .replace(ID, &builds.build(&format!("0.0.{turn}"), turn).unwrap())
            .unwrap();
        fingerprints.push(registry.resolve("").unwrap().fingerprint().to_string());
    }
    assert_eq!(registry.list().revisions, 3);
    registry.resolve("kept").unwrap();
    registry.resolve(&fingerprints[2]).unwrap();
    registry.resolve(&fingerprints[1]).unwrap();
    let error = registry.resolve(&fingerprints[0]).unwrap_err();
    assert!(matches!(error, RegistryError::UnknownRuleset { .. }));
    assert!(
        error
            .to_string()
            .contains("no revision of that fingerprint is held"),
        "{error}"
    );
}
