//! Set-ups in sand (7.41, 7.42, 8.2).
//!
//! A Gun may be Emplaced in sand, concealed or not. There is no trench, pillbox or sangar in sand, and
//! so nothing sets up beneath one; a foxhole there may be. Of wire and mines the rules known here say
//! nothing: an option does.

use alamein_plugin_sdk::prelude::*;

use crate::options::Options;
use crate::rules::{
    EMPLACING_SAND, EMPLACING_TERRAIN, NO_PILLBOX, NO_SANGAR, NO_TRENCH, NO_WIRE, WIRE_CONTESTED,
};
use crate::sands::Sands;

/// The rule by which there is none in sand, if there is one.
#[must_use]
pub fn prohibited(fortification: Fortification) -> Option<Rule> {
    match fortification {
        Fortification::Trench => Some(NO_TRENCH),
        Fortification::Pillbox => Some(NO_PILLBOX),
        Fortification::Sangar => Some(NO_SANGAR),
        _ => None,
    }
}

/// Marks that a Gun may be Emplaced in sand.
pub(crate) fn observe(sands: &Sands, setup: &SetUp<'_>, say: &mut Observations) {
    if setup.is_gun() && sands.is_sand(setup.hex()) {
        say.mark(EMPLACING_SAND, EMPLACING_TERRAIN, 0)
            .at(setup.hex());
    }
}

/// Says what may not be in sand.
pub(crate) fn judge(options: Options, sands: &Sands, setup: &SetUp<'_>, say: &mut Findings) {
    let hex = setup.hex();
    let Some(fortification) = setup.fortifies_with().filter(|_| sands.is_sand(hex)) else {
        return;
    };
    if let Some(rule) = prohibited(fortification) {
        say.prohibited(rule).at(hex);
    }
    if matches!(fortification, Fortification::Wire | Fortification::Mines) {
        say.contested(WIRE_CONTESTED).at(hex);
        if !options.wire_and_mines {
            say.prohibited(NO_WIRE).at(hex);
        }
    }
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::Fortification;

    use super::prohibited;

    #[test]
    fn f7_42_no_trench_pillbox_or_sangar_in_sand() {
        let allowed = Fortification::ALL.into_iter();
        let allowed: Vec<_> = allowed.filter(|one| prohibited(*one).is_none()).collect();
        let others = [
            Fortification::Foxhole,
            Fortification::Wire,
            Fortification::Mines,
        ];
        assert_eq!(allowed, others);
    }
}
