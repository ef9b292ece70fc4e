//! What comes of calls that fail, and of a plugin that panicked.

use std::time::{Duration, Instant};

use alamein_plugin_host::limits::PROBLEMS;
use alamein_plugin_host::{NativeFeature, Vocabulary, last_calls_made};
use alamein_terrain::{
    Budget, FeatureError, Observation, PreparedFeature, Severity, Spoken, TerrainFeature,
};
use futures::executor::block_on;
use serde_json::json;

use crate::support::{Fixture, instantiate, line, lines, map, prepared};

const PLUGIN: &str = "fog-bank";

/// A feature of a fixture with these macros.
fn feature(defines: &[&str]) -> NativeFeature {
    instantiate(
        &Fixture::with(defines).build().load().expect("a plugin"),
        true,
    )
}

fn observe(
    prepared: &dyn PreparedFeature,
    budget: Budget,
) -> Result<Vec<Spoken<Observation>>, FeatureError> {
    let questions = [line("A1", "A4")];
    block_on(prepared.observe_lines(lines(&questions, &[0]), budget))
}

fn within(time: Duration) -> Budget {
    Budget {
        deadline: Some(Instant::now() + time),
    }
}

#[test]
fn what_a_failed_call_said_is_dropped() {
    let error = observe(&*prepared(&["STATUS=FAILED"]), Budget::default());
    let message = "so it  [31mwas ".to_owned();
    assert_eq!(
        error,
        Err(FeatureError::Failed {
            plugin: PLUGIN.into(),
            message
        })
    );
}

#[test]
fn statuses_are_known() {
    let message = |define: &str| {
        let error = observe(&*prepared(&[define]), Budget::default()).expect_err("it fails");
        assert!(matches!(error, FeatureError::Rubbish { .. }), "{error}");
        error.to_string()
    };
    assert_eq!(
        message("STATUS=5"),
        "plugin fog-bank: answered rubbish: the unknown status 5"
    );
    assert!(message("STATUS=FULL").contains("its sink was full, and it was not"));
    assert!(message("STATUS=OUT_OF_TIME").contains("time was up, and it was not"));
}

#[test]
fn texts_have_known_tags() {
    let error = observe(&*prepared(&["STATUS=FAILED", "TAG=9"]), Budget::default());
    let message = "a text with the tag 9".to_owned();
    assert_eq!(
        error,
        Err(FeatureError::Rubbish {
            plugin: PLUGIN.into(),
            message
        })
    );
    let error = observe(
        &*prepared(&["STATUS=FAILED", "TAG=TEXT_MAP_ERROR"]),
        Budget::default(),
    );
    assert!(
        matches!(error, Err(FeatureError::Rubbish { .. })),
        "no map is looked at here"
    );
}

#[test]
fn after_a_panic_the_instance_is_out_of_use() {
    let feature = feature(&["STATUS=PANICKED"]);
    let (one, other) = (
        block_on(feature.prepare(&map())),
        block_on(feature.prepare(&map())),
    );
    let (one, other) = (one.expect("a map"), other.expect("a map"));
    let (plugin, message) = (PLUGIN.to_owned(), "so it  [31mwas ".to_owned());
    let error = observe(&*one, Budget::default());
    assert_eq!(
        error,
        Err(FeatureError::Panicked {
            plugin: plugin.clone(),
            message: message.clone()
        })
    );

    let poisoned = FeatureError::Poisoned { plugin, message };
    assert_eq!(feature.poison(), Some("so it  [31mwas "));
    assert_eq!(observe(&*one, Budget::default()).as_ref(), Err(&poisoned));
    assert_eq!(observe(&*other, Budget::default()).as_ref(), Err(&poisoned));
    assert_eq!(
        block_on(feature.prepare(&map())).expect_err("it is out of use"),
        poisoned
    );

    let fresh = instantiate(feature.plugin(), true);
    block_on(fresh.prepare(&map())).expect("another instance is none the worse");
}

#[test]
fn a_panic_on_the_way_out_is_no_end() {
    let feature = feature(&["RELEASE_STATUS=PANICKED"]);
    let prepared = block_on(feature.prepare(&map())).expect("a map");
    assert_eq!(
        observe(&*prepared, Budget::default())
            .expect("it works")
            .len(),
        1
    );
    drop(prepared);
    assert!(last_calls_made(Duration::from_secs(10)));
    assert_eq!(feature.poison(), Some("in release"));
}

#[test]
fn a_map_may_be_refused() {
    let error = |defines: &[&str]| {
        block_on(feature(defines).prepare(&map()))
            .expect_err("it fails")
            .to_string()
    };
    assert_eq!(
        error(&["PREPARE_STATUS=FAILED"]),
        "plugin fog-bank: cannot prepare"
    );
    assert_eq!(
        error(&["PREPARE_STATUS=PANICKED"]),
        "plugin fog-bank: panicked: cannot prepare"
    );
    assert_eq!(
        error(&["SURVEY_STATUS=FAILED"]),
        "plugin fog-bank: it does not say why"
    );
    let rubbish = "plugin fog-bank: answered rubbish: ";
    assert_eq!(
        error(&["INTEREST=4"]),
        format!("{rubbish}the unknown flags 0x4 of interest")
    );
    assert_eq!(
        error(&["LEVEL=-300"]),
        format!("{rubbish}a level of -300, not -256 to 256")
    );
}

#[test]
fn problems_with_a_map_are_told() {
    let mut bare = map();
    bare.layers.clear();
    let prepared = block_on(feature(&[]).prepare(&bare)).expect("a map");
    let problems = prepared.problems();
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].severity, Severity::Warning);
    assert_eq!(
        (&*problems[0].plugin, &*problems[0].message),
        (PLUGIN, "no fog anywhere")
    );
    assert_eq!(observe(&*prepared, Budget::default()), Ok(vec![]));
    assert!(prepared.interest().hexes.is_empty() && prepared.levels().is_empty());
}

#[test]
fn a_map_that_cannot_be_used_is_not_asked_about() {
    let prepared = prepared(&["MAP_ERRORS=1002"]);
    let problems = prepared.problems();
    assert_eq!(problems.len(), PROBLEMS + 1);
    assert_eq!(problems[PROBLEMS].message, "and 2 problems more");
    assert_eq!(problems[PROBLEMS].severity, Severity::Error);
    let error = observe(&*prepared, Budget::default()).expect_err("the map is bad");
    let expected = "plugin fog-bank: the map cannot be used: A1: too foggy";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_plugin_sees_its_budget() {
    // The fixture waits until its time is up.
    let prepared = prepared(&["WAIT"]);
    let started = Instant::now();
    let error = observe(&*prepared, within(Duration::from_millis(20)));
    let out_of_time = Err(FeatureError::OutOfTime {
        plugin: PLUGIN.into(),
    });
    assert_eq!(error, out_of_time);
    assert!(started.elapsed() >= Duration::from_millis(20));
    // With no time left it is not even called.
    assert_eq!(observe(&*prepared, within(Duration::ZERO)), out_of_time);
}

#[test]
fn nobody_is_asked_about_nothing() {
    let questions = [line("A1", "A4")];
    let prepared = prepared(&["STATUS=PANICKED"]);
    let observed = prepared.observe_lines(lines(&questions, &[]), Budget::default());
    assert_eq!(block_on(observed), Ok(vec![]));
}

#[test]
fn an_instance_may_be_refused() {
    let error = |defines: &[&str]| {
        let plugin = Fixture::with(defines).build().load().expect("a plugin");
        let kinds = Vocabulary::of([&plugin]);
        plugin
            .instantiate(json!({}), &kinds, 0)
            .expect_err("it is refused")
    };
    let refused = error(&["CREATE_STATUS=FAILED"]);
    assert_eq!(refused.reason(), "NOT_CREATED");
    assert_eq!(
        refused.to_string(),
        "plugin fog-bank: refuses its options: no such option"
    );
    let panicked = error(&["CREATE_STATUS=PANICKED"]);
    assert_eq!(panicked.reason(), "CREATE_FAILED");
    assert!(
        panicked.to_string().contains("it panicked: no such option"),
        "{panicked}"
    );
    let rubbish = error(&["CREATE_STATUS=77"]);
    assert!(
        rubbish.to_string().contains("the unknown status 77"),
        "{rubbish}"
    );
}

#[test]
fn a_vocabulary_has_all_kinds() {
    let plugin = Fixture::new().build().load().expect("a plugin");
    let kinds = Vocabulary::of([&plugin, &plugin]);
    assert_eq!(kinds.names(), ["fog", "mist"]);
    assert_eq!((kinds.kind("mist"), kinds.kind("smoke")), (Some(1), None));
    assert_eq!((kinds.name(0), kinds.name(2)), (Some("fog"), None));
    let error = plugin
        .instantiate(json!({}), &Vocabulary::default(), 0)
        .expect_err("it has none");
    assert_eq!(error.reason(), "UNKNOWN_KIND");
}

#[test]
fn many_threads_may_ask_at_once() {
    let prepared = prepared(&[]);
    let expected = observe(&*prepared, Budget::default());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..200 {
                    assert_eq!(observe(&*prepared, Budget::default()), expected);
                }
            });
        }
    });
}
