//! Plugins that misbehave over the bare ABI.

use crate::Checked;
use crate::fixtures::Plugin;

#[track_caller]
fn fails(defines: &[&str], check: &str, says: &str) {
    let plugin = Plugin::raw(defines);
    Checked::of(plugin.path(), &[]).fails(&defines.join(" "), check, says);
}

#[test]
fn one_that_does_not() {
    let plugin = Plugin::raw(&[]);
    let checked = Checked::of(plugin.path(), &["loud=true"]);
    checked.passes("raw");
    assert_eq!(checked.with("not applicable"), [""; 0]);
}

#[test]
fn loading() {
    fails(&["UNDEFINED"], "loads", "nobody_has_this");
    fails(&["UNIQUE"], "loads", "code that was loaded before");
    fails(&["CONSTRUCTOR=abort()"], "loads", "signal 6");
    fails(&["CONSTRUCTOR=_exit(0)"], "loads", "exit with status 0");
}

#[test]
fn options_refused() {
    fails(
        &["CREATE_STATUS=ALAMEIN_FAILED"],
        "options",
        "it refuses its defaults: it will not be made",
    );
}

#[test]
fn rubbish() {
    for (define, says) in [
        ("OF=9999", "it is of line number 9999"),
        ("RULE_INDEX=7", "its rule is number 7"),
        ("FACT=99", "unknown fact 99"),
        ("FACT=ALAMEIN_FACT_COT", "which"),
        ("KIND=3", "its kind is number 3"),
        ("DRM=(1<<30)", "its DRM is"),
        ("FLAGS=64", "its flags are"),
        ("SUBJECT=4000", "its subject is counter number 4000"),
        ("PLACE={9,{0,0},{0,0}}", "unknown tag 9"),
        ("PLACE={ALAMEIN_PLACE_HEX,{900,900},{0,0}}", "off the map"),
        ("PLACE={ALAMEIN_PLACE_HEXSIDE,{1,1},{1,1}}", "not adjacent"),
        ("STRIDE=4", "bytes apart"),
        ("STATUS=77", "unknown status 77"),
        ("STATUS=ALAMEIN_OUT_OF_TIME", "time was up, and it was not"),
        ("CREATE_STATUS=77", "unknown status 77"),
        ("PREPARE_STATUS=77", "unknown status 77"),
        ("RELEASE_STATUS=77", "unknown status 77"),
        ("DESTROY_STATUS=77", "unknown status 77"),
        ("IN_CALL=stale_sink(to)", "not lent for this call"),
        ("EFFECT=99", "unknown effect 99"),
        ("EFFECT=ALAMEIN_EFFECT_PROHIBITED", "no line has"),
        ("INTEREST=64", "unknown flags"),
        ("LEVEL=9999", "a level of 9999"),
    ] {
        fails(&[define], "sayings", says);
    }
}

#[test]
fn failing() {
    fails(&["STATUS=ALAMEIN_FAILED"], "answers", "raw as it is");
    fails(
        &["PREPARE_STATUS=ALAMEIN_FAILED"],
        "answers",
        "does not like the map",
    );
}

#[test]
fn answers_that_change() {
    // From call to call, from instance to instance, from process to process.
    fails(
        &["DRM=(1+count()%2)"],
        "determinism",
        "it answers otherwise",
    );
    fails(
        &["IN_CREATE=count()", "DRM=(1+calls%2)"],
        "determinism",
        "it answers otherwise",
    );
    fails(
        &["DRM=(1+(int)(getpid()%97))"],
        "determinism",
        "in another process",
    );
    fails(
        &["DRM=(1+(int)((uintptr_t)&calls>>12)%97)"],
        "determinism",
        "it answers otherwise",
    );
}

#[test]
fn answers_that_depend_on_other_questions() {
    fails(
        &["DRM=(1+(int)batch->lines.len%2)"],
        "batches",
        "one by one",
    );
    fails(&["DRM=(1+(int)i%2)"], "batches", "it answers otherwise");
}

#[test]
fn answers_to_what_does_not_concern_it() {
    fails(&["NO_INTEREST"], "mask", "Name more in `survey`");
}

#[test]
fn los_in_short() {
    let says = "is Clear by what it answers in short, and Hindered(1) by its rounds";
    fails(&["SIGHT_MARK=0"], "sight", says);
    fails(&["SIGHT_MARK=64"], "sight", "unknown marks 0x40");
}

#[test]
fn a_full_sink() {
    fails(&["DEAF"], "sink", "after its sink had said FULL");
}

#[test]
fn time() {
    fails(
        &["IN_CALL=slowly()", "NEVER_LOOKS"],
        "budget",
        "did not look at the clock",
    );
    let plugin = Plugin::raw(&["AT_LINE=forever()"]);
    let checked = Checked::in_seconds(3, plugin.path(), &[]);
    checked.fails(
        "forever",
        "budget",
        "had not come back after 3 s, while observing lines",
    );
}

#[test]
fn memory() {
    fails(&["LEAK_INSTANCE"], "memory", "is made and ended");
    fails(&["LEAK_MAP"], "memory", "shown a map");
    fails(&["IN_CALL=leak(24)"], "memory", "asked about lines");
}

#[test]
fn what_was_lent_before() {
    let says = "Copy what you want to keep".to_lowercase();
    fails(&["IN_CALL=stale_batch(batch)"], "stale-pointers", &says);
    fails(&["IN_CALL=stale_map()"], "stale-pointers", "signal 11");
}

#[test]
fn several_threads() {
    fails(
        &["DRM=(pthread_equal(pthread_self(),creator)?1:2)"],
        "threads",
        "by several threads at once",
    );
}

#[test]
fn what_is_left_behind() {
    fails(
        &["IN_CREATE=start(sleeper,host,0)"],
        "left-behind",
        "still running",
    );
    fails(
        &["IN_CREATE=start(caller,host,1)"],
        "left-behind",
        "from outside of a call",
    );
    fails(
        &["IN_CALL=leave_for_the_end()"],
        "thread-end",
        "when a thread ends",
    );
}
