//! Plugins that end the process: that is a finding, and not the end of the check.

use crate::Checked;
use crate::fixtures::Plugin;

#[test]
fn the_end_of_the_process_is_told_with_what_was_being_done() {
    for (define, says) in [
        (
            "IN_CREATE=crash()",
            "signal 11 (it touched memory that is not its own), while creating",
        ),
        (
            "IN_PREPARE=abort()",
            "signal 6 (abort), while preparing on the map `one hex`",
        ),
        ("IN_CALL=crash()", "signal 11"),
        // Which signal depends on where exactly the stack ended.
        ("IN_CALL=overflow()", "it ended the process: signal"),
        (
            "IN_CALL=exit(0)",
            "exit with status 0, while observing lines",
        ),
        ("AT_LINE=_exit(9)", "exit with status 9"),
    ] {
        let plugin = Plugin::raw(&[define]);
        let checked = Checked::of(plugin.path(), &[]);
        checked.fails(define, "alive", says);
        assert!(checked.messages("threads").contains("not tried"));
    }
}
