//! Attacks on targets in sand (7.4).
//!
//! HE of ordnance, mortars and OBA, and a Bombardment, have half their FP against an unarmored target
//! in sand. The MC that a Bombardment causes there has a DRM of -2. Whether Wet or Mud EC change the
//! former is not known: an option says. Small arms, MG and AP are as elsewhere, and a track changes
//! nothing of it.

use alamein_plugin_sdk::prelude::*;

use crate::movement::is_firm;
use crate::options::Options;
use crate::rules::{ARMORED, BOMBARDMENT_MC, FIRM_CONTESTED, HALVED};
use crate::sands::Sands;

/// The DRM to the MC of a Bombardment.
pub const BOMBARDMENT_DRM: i16 = -2;

/// Whether sand halves an attack of this kind on an unarmored target.
#[must_use]
pub fn halves(options: Options, munition: Munition, ec: EnvironmentCondition) -> bool {
    munition != Munition::Other && (!is_firm(ec) || options.firm_sand_halves)
}

/// Says what sand does to an attack.
pub(crate) fn judge(options: Options, sands: &Sands, line: &Line<'_>, say: &mut Findings) {
    let (target, munition) = (line.to(), line.munition());
    let fired_at = line.attack().is_some() && target.class() != CounterClass::Wreck;
    if !fired_at || munition == Munition::Other || !sands.is_sand(target.hex()) {
        return;
    }
    if target.is_afv() {
        say.considered(ARMORED).of_end(&target);
        return;
    }
    if is_firm(line.ec()) {
        say.contested(FIRM_CONTESTED).of_end(&target);
    }
    if halves(options, munition, line.ec()) {
        say.halved(HALVED).of_end(&target);
    }
    if munition == Munition::Bombardment && !target.class().is_vehicle() {
        say.morale_drm(BOMBARDMENT_MC, BOMBARDMENT_DRM)
            .of_end(&target);
    }
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::{EnvironmentCondition as Ec, Munition};

    use super::halves;
    use crate::options::{Entrenched, Options, Vehicle};

    fn options(firm_sand_halves: bool) -> Options {
        Options {
            entrenched_behind_crest: Entrenched::Blocked,
            shared_crest_protects: true,
            vehicle_behind_crest: Vehicle::NotCovered,
            firm_sand_halves,
            wire_and_mines: true,
        }
    }

    #[test]
    fn f7_4_he_and_bombardments_are_halved_and_nothing_else() {
        assert!(halves(options(false), Munition::He, Ec::Dry));
        assert!(halves(options(false), Munition::Bombardment, Ec::Moist));
        assert!(!halves(options(true), Munition::Other, Ec::Dry));
    }

    #[test]
    fn f7_4_in_wet_or_mud_only_if_an_option_says_so() {
        for ec in [Ec::Wet, Ec::Mud] {
            assert!(!halves(options(false), Munition::He, ec));
            assert!(halves(options(true), Munition::He, ec));
        }
    }
}
