//! Plugins that misbehave where nobody asks: on the way out, between calls, in threads of their own.

use std::time::Duration;

use alamein_plugin_host::last_calls_made;
use alamein_terrain::FeatureError;
use alamein_tests::python;
use serde_json::json;

use crate::folders::Folder;
use crate::lost::{Trial, patient};
use crate::{Bad, Server, check, fog};

fn rogue(name: &'static str, flags: &[&str]) -> Bad {
    let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    Bad::with_flags(
        name,
        Folder::with_the_rogue(),
        &flags,
        json!({"plugin": "rogue"}),
    )
}

#[test]
fn what_it_does_between_calls_and_on_the_way_out_ends_nothing() {
    let at = |at, how| {
        [
            format!("--set=rogue.at={at}"),
            format!("--set=rogue.how={how}"),
        ]
    };
    let rows = [
        ("release panics", at("release", "panic")),
        (
            "release panics with a bomb",
            at("release", "panic_with_a_bomb"),
        ),
        ("release does not come back", at("release", "loop")),
        ("a thread of its own", at("observe", "spawn")),
        ("thread-local values", at("observe", "leave_a_value")),
    ];
    let bad = rows.iter().map(|(name, flags)| {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        rogue(name, &flags)
    });
    check("way_out.py", bad.collect());
}

#[test]
fn an_instance_that_panics_when_it_is_destroyed_ends_nothing() {
    for how in ["panic", "panic_with_a_bomb"] {
        let trial = Trial::new(patient());
        let ruleset = trial.rogue("destroy", how);
        assert!(trial.ask(&ruleset).is_ok());
        // Its maps are held by the engine.
        drop((ruleset, trial));
        assert!(last_calls_made(Duration::from_secs(20)), "{how}");
    }
    Trial::new(patient()).judges();
}

#[test]
fn values_that_it_leaves_in_threads_are_dropped_when_these_end() {
    let trial = Trial::new(patient());
    let ruleset = trial.rogue("observe", "leave_a_value");
    assert!(trial.ask(&ruleset).is_ok());
    // The engine's threads end, and the code of what they drop is still there.
    drop((ruleset, trial));
    std::thread::sleep(Duration::from_millis(200));
    Trial::new(patient()).judges();
}

#[test]
fn who_answers_the_same_question_differently_is_found_when_asked_twice() {
    let answers = |verify_every| {
        let mut config = patient();
        config.verify_every = verify_every;
        let trial = Trial::new(config);
        trial.judges();
        let rulings = trial.ask(&trial.rogue("observe", "vary")).unwrap();
        let failed: Vec<String> = rulings
            .into_iter()
            .filter_map(Result::err)
            .map(|error| error.to_string())
            .collect();
        failed
    };
    assert_eq!(answers(0), [""; 0], "it cannot be seen in one call");
    let message = "asked the same twice while observing lines, it answers differently".to_owned();
    let plugin = "rogue".to_owned();
    let expected = FeatureError::Rubbish { plugin, message }.to_string();
    let failed = answers(1);
    assert!(
        !failed.is_empty() && failed.iter().all(|it| *it == expected),
        "{failed:?}"
    );
}

#[test]
fn a_service_that_asks_twice_names_who_differs() {
    let expected = json!({
        "plugin": "rogue", "asked": "line", "says": "makes no sense", "poisoned": false,
    });
    let flags = [
        "--set=rogue.at=observe",
        "--set=rogue.how=vary",
        "--verify-every=1",
    ];
    let flags = flags.map(str::to_owned);
    let differs = Bad::with_flags("differs", Folder::with_the_rogue(), &flags, expected);
    check("failing_plugins.py", vec![differs]);
}

#[test]
fn a_sink_that_is_kept_takes_nothing_in_a_later_call() {
    let folder = Folder::of_all();
    fog::add(&folder, &["KEEP_THE_SINK=1"]);
    // The same is asked each time.
    let flags = ["--answer-cache=0".to_owned()];
    let expected = json!({"plugin": "fog-bank"});
    check(
        "kept_sinks.py",
        vec![Bad::with_flags("kept", folder, &flags, expected)],
    );
}

#[test]
fn it_stops_in_order_whatever_a_plugin_left_running() {
    if python::python().is_none() {
        eprintln!("SKIPPED: set ALAMEIN_PYTHON to a Python with grpcio-tools");
        return;
    }
    for how in ["spawn", "leave_a_value"] {
        let folder = Folder::with_the_rogue();
        let flags = [
            "--set=rogue.at=observe".to_owned(),
            format!("--set=rogue.how={how}"),
            "--lame-duck=0".to_owned(),
        ];
        let mut server = Server::start(folder.path(), &flags).unwrap();
        python::run(
            "ending_plugins.py",
            server.address(),
            &json!({"ends": false}),
        )
        .unwrap();
        assert!(server.stop().unwrap().success(), "{how}: {}", server.log());
    }
}
