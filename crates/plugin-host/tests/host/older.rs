//! A plugin of ABI 1.0 is never asked about set-ups, of which its ABI knows nothing.

use alamein_terrain::{Budget, CounterClass, Fact, SeenBatch};
use futures::executor::block_on;

use crate::support::{prepared, seen, setup, setups, step, steps};

/// Everything that a fixture with these macros says of something that sets up in fog, where a step
/// costs 2 and a wreck does not move.
fn says_nothing_of_set_ups(defines: &[&str]) {
    let prepared = prepared(defines);
    let questions = [
        setup("A4", CounterClass::Gun),
        setup("A4", CounterClass::Wreck),
    ];
    let batch = setups(&questions, &[0, 1]);
    let nothing: SeenBatch = seen(&[vec![], vec![]]);
    let budget = Budget::default();
    assert_eq!(block_on(prepared.observe_setups(batch, budget)), Ok(vec![]));
    let objected = prepared.object_to_setups(batch, &nothing, budget);
    assert_eq!(block_on(objected), Ok(vec![]));
    let judged = prepared.judge_setups(batch, &nothing, budget);
    assert_eq!(block_on(judged), Ok(vec![]));

    let moves = [step("A3", "A4", CounterClass::Squad)];
    let observed = block_on(prepared.observe_steps(steps(&moves, &[0]), budget));
    let observed = observed.expect("it is asked about steps");
    assert!(matches!(
        observed[0].said.fact,
        Fact::Cost { amount: 2, .. }
    ));
}

#[test]
fn a_plugin_of_abi_1_0_is_not_asked_about_set_ups() {
    says_nothing_of_set_ups(&["MINOR=0"]);
}

#[test]
fn what_its_abi_does_not_know_is_not_read_off_a_longer_table() {
    says_nothing_of_set_ups(&["MINOR=0", "TABLE_SIZE=4096"]);
}

#[test]
fn a_plugin_of_abi_1_1_may_have_a_short_table() {
    says_nothing_of_set_ups(&["MINOR=1"]);
}
