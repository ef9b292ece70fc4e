//! Guns that set up (C11.2).
//!
//! A Gun that its crew mans and that is not limbered is Emplaced where it sets up. This is observed
//! first and judged last, so that terrain in which it needs more than that can set it aside. What
//! terrain it is that lets it be Emplaced there others mark, and the finding names it.

use alamein_plugin_sdk::prelude::*;

use crate::rules::{EMPLACEMENT, EMPLACING_TERRAIN, SET_UP, SET_UP_EMPLACED};

/// Observes that a Gun sets up.
pub(crate) fn observe(setup: &SetUp<'_>, say: &mut Observations) {
    if setup.is_gun() {
        say.mark(SET_UP, EMPLACEMENT, 0).at(setup.hex());
    }
}

/// Says that it is Emplaced, if that stands.
pub(crate) fn judge(setup: &SetUp<'_>, seen: &Seen<'_>, say: &mut Findings) {
    let sets_up = |fact: &SeenFact<'_>| fact.own_rule() == Some(SET_UP);
    let Some(observed) = seen.facts().find(sets_up) else {
        return;
    };
    let terrain = |fact: &SeenFact<'_>| fact.kind() == Some(EMPLACING_TERRAIN) && fact.stands();
    let found = say
        .emplaced(SET_UP_EMPLACED)
        .at(setup.hex())
        .citing(&observed);
    let terrain = seen.facts().filter(terrain);
    terrain.fold(found, |found, fact| found.citing(&fact));
}
