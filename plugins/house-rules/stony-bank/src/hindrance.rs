//! What stands behind a bank (SB4).
//!
//! An AFV or a wreck in a bank hex does not Hinder a LOS that crosses a bank hexside of that hex: it
//! stands behind the bank. That it would Hinder is for another plugin to observe. This one objects.

use alamein_plugin_sdk::prelude::*;

use crate::banks::Banks;
use crate::rules::{AFV, BELOW_THE_BANK, WRECK};

/// Sets aside the Hindrances of vehicles behind a bank.
pub(crate) fn object(banks: &Banks, line: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
    for fact in seen.facts() {
        let hinders = matches!(fact.fact(), Fact::Hindrance { .. });
        let vehicle = matches!(fact.kind(), Some(AFV | WRECK));
        let Some(hex) = fact.hex().filter(|hex| banks.is_bank(*hex)) else {
            continue;
        };
        let behind_bank =
            |reading: &Reading<'_>| banks.bank_crossed(hex, reading.crossings()).is_some();
        if hinders && vehicle && line.holds(behind_bank) {
            say.set_aside(&fact, BELOW_THE_BANK);
        }
    }
}
