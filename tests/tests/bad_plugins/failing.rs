//! Plugins that are let in and fail at work.

use std::fs;
use std::time::{Duration, Instant};

use alamein_tests::python;
use serde_json::{Value, json};

use crate::folders::Folder;
use crate::{Bad, Server, check, fog};

/// The rogue, which does this there. `asked` is what reaches it there.
fn rogue(name: &'static str, at: &str, how: &str, asked: &str, says: &str) -> Bad {
    let expected = json!({
        "plugin": "rogue", "asked": asked, "says": says, "poisoned": how != "contradict",
        "logged": format!("plugin rogue"),
    });
    let options = [("at", at), ("how", how)];
    Bad::with_options(name, Folder::with_the_rogue(), &options, expected)
}

/// The fog, built with these macros.
fn foggy(name: &'static str, defines: &[&str], expected: Value) -> Bad {
    let folder = Folder::of_all();
    fog::add(&folder, defines);
    Bad::new(name, folder, expected)
}

#[test]
fn a_panic_names_its_plugin_and_puts_it_out_of_use() {
    let panicked = |at: &'static str, asked| rogue(at, at, "panic", asked, "panicked");
    check(
        "failing_plugins.py",
        vec![
            panicked("prepare", "map"),
            panicked("survey", "map"),
            panicked("observe", "line"),
            panicked("object", "line"),
            panicked("judge", "line"),
            panicked("observe_step", "step"),
            panicked("object_to_step", "step"),
            panicked("judge_step", "step"),
            rogue("an index", "judge", "index", "line", "panicked"),
            rogue("a bomb", "judge", "panic_with_a_bomb", "line", "panicked"),
            rogue(
                "no text",
                "judge",
                "panic_with_a_number",
                "line",
                "panicked",
            ),
        ],
    );
}

#[test]
fn rubbish_is_never_part_of_a_ruling() {
    let rubbish = |name, define: &str| {
        let expected = json!({
            "plugin": "fog-bank", "asked": "fog", "says": "makes no sense", "poisoned": false,
        });
        foggy(name, &[define], expected)
    };
    check(
        "failing_plugins.py",
        vec![
            rubbish("a rule that it has not", "RULE=3"),
            rubbish("an unknown fact", "FACT=99"),
            rubbish("an unknown kind", "KIND=2"),
            rubbish("a DRM beyond all", "VALUE=65537"),
            rubbish("unknown flags", "FLAGS=16"),
            rubbish("an unknown place", "PLACE={4, at, {0, 0}}"),
            rubbish("a place off the map", "PLACE={1, {99, 99}, {0, 0}}"),
            rubbish("of a line that was not asked", "OF=UINT32_MAX"),
            rubbish("of a counter that is not there", "SUBJECT=9999"),
            rubbish("an unknown effect", "EFFECT=99"),
            rubbish("what nobody observed", "CITES={(uint32_t[]){9}, 1, 4}"),
            rubbish("a null pointer", "PUSH={NULL, 1, sizeof said}"),
            rubbish("an unknown status", "STATUS=99"),
            rubbish("a status that is not so", "STATUS=OUT_OF_TIME"),
            rubbish("a flood", "TIMES=100000000"),
            rubbish("from a thread of its own", "PUSH_FROM_A_THREAD=1"),
        ],
    );
}

#[test]
fn a_failure_that_is_no_panic_is_told_too() {
    let failed = json!({
        "plugin": "fog-bank", "asked": "fog", "says": "failed", "poisoned": false,
    });
    let unprepared = json!({
        "plugin": "fog-bank", "asked": "map", "says": "failed", "poisoned": false,
    });
    check(
        "failing_plugins.py",
        vec![
            foggy("it says so", &["STATUS=FAILED"], failed),
            foggy("it cannot prepare", &["PREPARE_STATUS=FAILED"], unprepared),
            rogue(
                "it contradicts itself",
                "observe",
                "contradict",
                "line",
                "makes no sense",
            ),
        ],
    );
}

#[test]
fn a_plugin_in_c_judges_beside_those_in_rust() {
    check("fog.py", vec![foggy("the fog", &[], json!({}))]);
}

#[test]
fn a_map_that_a_plugin_objects_to_is_refused_in_a_few_words() {
    let expected = json!({"plugin": "fog-bank"});
    check(
        "fog_objects.py",
        vec![foggy("5000 objections", &["MAP_ERRORS=5000"], expected)],
    );
}

#[test]
fn what_is_slow_is_waited_for_and_no_longer_than_the_deadline() {
    let options = [("at", "judge"), ("how", "sleep")];
    let judging = json!({"slow": "judge"});
    let slow = Bad::with_options("slow", Folder::with_the_rogue(), &options, judging);
    let waiting = foggy("waiting", &["WAIT=1"], json!({"slow": "fog"}));
    check("slow_plugins.py", vec![slow, waiting]);
    // It is asked at once.
    let options = [("at", "create"), ("how", "sleep_long")];
    let creating = json!({"slow": "create"});
    let late = Bad::with_options("late", Folder::with_the_rogue(), &options, creating);
    check("slow_plugins.py", vec![late]);
}

#[test]
fn a_counters_attributes_reach_the_plugin_that_declares_them() {
    let rogue = Bad::new("loud", Folder::with_the_rogue(), json!({}));
    check("attributes.py", vec![rogue]);
}

#[test]
fn what_ends_the_process_is_mended_by_starting_it_again() {
    if python::python().is_none() {
        eprintln!("SKIPPED: set ALAMEIN_PYTHON to a Python with grpcio-tools");
        return;
    }
    for how in ["abort", "exit", "overflow_the_stack", "segfault"] {
        let (folder, mended) = (Folder::with_the_rogue(), Folder::with_the_rogue());
        let mut flags = vec![
            "--set=rogue.at=judge".to_owned(),
            format!("--set=rogue.how={how}"),
        ];
        if how == "segfault" {
            fog::add(&folder, &["SEGFAULT=1", "INTEREST=2"]);
            flags.clear();
        }
        let mut server = Server::start(folder.path(), &flags).unwrap();
        let ask = |server: &Server, ends: bool| {
            python::run(
                "ending_plugins.py",
                server.address(),
                &json!({"ends": ends}),
            )
            .unwrap();
        };
        ask(&server, true);
        let start = Instant::now();
        while server.ended().unwrap().is_none() {
            assert!(start.elapsed() < Duration::from_secs(20), "{how}: it runs");
            std::thread::sleep(Duration::from_millis(50));
        }
        let status = server.ended().unwrap().unwrap();
        assert!(!status.success(), "{how}: {status}");
        // As whoever keeps it running starts it: with the same flags. What does not end it is answered.
        let server = Server::start(folder.path(), &flags).unwrap();
        python::run("ended_plugins.py", server.address(), &json!(null)).unwrap();
        drop(server);
        ask(&Server::start(mended.path(), &flags[..0]).unwrap(), false);
    }
}

#[test]
fn a_plugin_that_is_not_there_is_not_judged_without() {
    let folder = Folder::of_all();
    fs::remove_file(folder.plugin("deir").sidecar()).unwrap();
    check("left_out.py", vec![Bad::new("left out", folder, json!({}))]);
}
