//! Set-ups on desert ground (F.1A, F1).
//!
//! Whatever sets up may do so in desert Open Ground, and so in all that counts as such, unless other
//! terrain prohibits it.
//!
//! On a Desert Board a Gun is Emplaced only if it sets up
//!
//! * concealed or hidden in Concealment Terrain, which scrub is for Guns;
//! * in sand (as the rules of sand say);
//! * beneath a Trench counter.
//!
//! Where nothing but scrub or sand lets it be Emplaced, it may be recorded as not Emplaced. All of this
//! is void under Broken or Steppe Terrain: an option says so.

use alamein_plugin_sdk::prelude::*;

use crate::options::Options;
use crate::rules::{
    ALLOWED, CONCEALED_IN_SCRUB, DESERT_EMPLACEMENT, EMPLACEMENT, EMPLACEMENT_VOID,
    EMPLACING_TERRAIN, IN_TRENCH, MAY_RECORD, NOT_CONCEALED, PAVED,
};
use crate::terrain::Ground;

/// Marks what lets a Gun be Emplaced.
pub(crate) fn observe(ground: &Ground, setup: &SetUp<'_>, say: &mut Observations) {
    let hex = setup.hex();
    if !setup.is_gun() {
        return;
    }
    if ground.is_scrub(hex) && setup.is_out_of_sight() {
        say.mark(CONCEALED_IN_SCRUB, EMPLACING_TERRAIN, 0).at(hex);
    }
    if is_in_trench(setup) {
        say.mark(IN_TRENCH, EMPLACING_TERRAIN, 0).at(hex);
    }
}

fn is_in_trench(setup: &SetUp<'_>) -> bool {
    setup.beneath() == Some(Fortification::Trench)
}

fn is_emplacement(fact: &SeenFact<'_>) -> bool {
    fact.kind() == Some(EMPLACEMENT)
}

/// Sets Emplacement aside where nothing lets a Gun be Emplaced.
pub(crate) fn object(options: Options, seen: &Seen<'_>, say: &mut Objections) {
    let mut facts = seen.facts();
    if !options.desert_emplacement || facts.any(|fact| fact.kind() == Some(EMPLACING_TERRAIN)) {
        return;
    }
    for fact in seen.facts().filter(is_emplacement) {
        say.set_aside(&fact, DESERT_EMPLACEMENT);
    }
}

/// Says what may set up, and what else there is to say of a Gun.
pub(crate) fn judge(
    options: Options,
    ground: &Ground,
    setup: &SetUp<'_>,
    seen: &Seen<'_>,
    say: &mut Findings,
) {
    let hex = setup.hex();
    say.allowed(ALLOWED).at(hex);
    if !setup.is_gun() {
        return;
    }
    if ground.is_on_road(hex) {
        say.not_covered(PAVED).at(hex);
    }
    if !options.desert_emplacement {
        say.considered(EMPLACEMENT_VOID).at(hex);
        return;
    }
    if ground.is_scrub(hex) && !setup.is_out_of_sight() {
        say.considered(NOT_CONCEALED).at(hex);
    }
    let emplacement = seen.facts().find(is_emplacement);
    if let Some(emplacement) = emplacement.filter(|_| !is_in_trench(setup)) {
        say.may_be_unemplaced(MAY_RECORD)
            .at(hex)
            .citing(&emplacement);
    }
}
