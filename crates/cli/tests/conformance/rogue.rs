//! A plugin in Rust, which panics wherever it can.

use crate::Checked;
use crate::fixtures::rogue;

#[track_caller]
fn fails(at: &str, how: &str, check: &str, says: &str) {
    let options = [format!("at={at}"), format!("how={how}")];
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let checked = Checked::in_seconds(4, rogue(), &options);
    checked.fails(&format!("{how} at {at}"), check, says);
}

#[test]
fn one_that_behaves() {
    Checked::of(rogue(), &[]).passes("the rogue");
}

#[test]
fn a_panic_in_every_call() {
    for at in [
        "create",
        "prepare",
        "survey",
        "observe",
        "object",
        "judge",
        "observe_step",
        "object_to_step",
        "judge_step",
    ] {
        fails(at, "panic", "panics", &format!("the rogue panics in {at}"));
    }
    fails("release", "panic", "panics", "in release");
    fails("destroy", "panic", "panics", "in destroy");
}

#[test]
fn other_panics() {
    fails(
        "judge",
        "panic_with_a_bomb",
        "panics",
        "it panicked: no message",
    );
    fails(
        "judge",
        "panic_with_a_number",
        "panics",
        "it panicked: no message",
    );
    fails("observe", "index", "panics", "index out of bounds");
}

#[test]
fn what_no_panic_handler_catches() {
    fails(
        "judge",
        "abort",
        "alive",
        "signal 6 (abort), while judging lines",
    );
    fails("survey", "overflow_the_stack", "alive", "stack overflow");
    fails(
        "release",
        "exit",
        "alive",
        "exit with status 3, while releasing",
    );
}

#[test]
fn answers_that_vary() {
    fails("observe", "vary", "determinism", "it answers otherwise");
}

#[test]
fn other_faults() {
    fails(
        "create",
        "refuse",
        "options",
        "the rogue does not like its options",
    );
    fails(
        "observe",
        "contradict",
        "sayings",
        "two different things by the rule X1.1/said",
    );
    fails("judge_step", "loop", "budget", "while judging steps");
    fails("prepare", "sleep", "budget", "did not look at the clock");
}
