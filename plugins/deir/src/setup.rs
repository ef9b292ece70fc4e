//! Guns that set up in a deir (4.4).
//!
//! An Emplaced Gun in a deir hex that is no Lip hex has limited LOS ([`los`](crate::los)), which is why
//! players ask before they record it as Emplaced or not.

use alamein_plugin_sdk::prelude::*;

use crate::lips::Deirs;
use crate::rules::{LIMITED_LOS, LOS_SET_UP};

/// Marks that a Gun would have limited LOS if it is Emplaced.
pub(crate) fn observe(deirs: &Deirs, setup: &SetUp<'_>, say: &mut Observations) {
    let hex = setup.hex();
    if setup.is_gun() && deirs.is_non_lip_hex(hex) {
        say.mark(LOS_SET_UP, LIMITED_LOS, 0).at(hex);
    }
}
