//! TEM and HD (4.5).
//!
//! A non-PRC target in a deir hex has +1 TEM, or HD if it is a vehicle, against Direct Fire from
//! the same elevation whose LOF crosses a Lip Hexside that is no part of the firer's hex; or, where
//! firer and target are in separate deirs, from the ADJACENT hex across their common Lip Hexside.
//! That the target is so sheltered is observed, as a mark; what it gets for it rests on that mark.
//! It is not cumulative with another TEM of the Location: the best counts.

use alamein_plugin_sdk::prelude::*;

use crate::lips::Deirs;
use crate::options::{CavalryTarget, Options, UnarmoredVehicle};
use crate::rules;

/// The first Lip Hexside of any deir on a LOF that is no part of the firer's hex.
pub fn lip_beyond_firer(
    deirs: &Deirs,
    firer: Hex,
    lof: impl Iterator<Item = Crossing>,
) -> Option<Hexside> {
    let mut lips = lof
        .map(Crossing::hexside)
        .filter(|side| deirs.is_lip_hexside(*side));
    lips.find(|side| !side.touches(firer))
}

/// The Lip Hexside that two ADJACENT hexes of separate deirs share. No grazing policy touches it.
#[must_use]
pub fn lip_of_adjacent_deirs(deirs: &Deirs, firer: Hex, target: Hex) -> Option<Hexside> {
    let shared = Hexside::between(firer, target)?;
    (deirs.is_lip_hexside(shared) && deirs.are_separate(firer, target)).then_some(shared)
}

/// What a target gets for the protection of a deir.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Benefit {
    /// +1 TEM.
    Tem,
    /// HD may be claimed.
    HullDown,
}

/// What a target of this class gets, armored or not.
#[must_use]
pub fn benefit(options: Options, class: CounterClass, armored: bool) -> Benefit {
    let as_vehicle = armored || options.unarmored_vehicle == UnarmoredVehicle::Hd;
    if class.is_vehicle() && as_vehicle {
        Benefit::HullDown
    } else {
        Benefit::Tem
    }
}

/// Notes the Lip Hexside that shelters the target of an attack, and what that is worth. All that 4.5
/// gives rests on it, so that another plugin may set it aside, or give something else for it.
pub(crate) fn observe(options: Options, deirs: &Deirs, line: &Line<'_>, say: &mut Observations) {
    let target = line.to();
    if !may_be_protected(line) || is_prc(options, &target) {
        return;
    }
    if let Ok(lip) = protecting_lip(deirs, line) {
        let kind = match benefit(options, target.class(), target.is_afv()) {
            Benefit::Tem => rules::DEIR_TEM,
            Benefit::HullDown => rules::DEIR_HULL_DOWN,
        };
        say.mark(rules::BEHIND_LIP, kind, 1).on(lip);
    }
}

/// Says what 4.5 does for the target of an attack.
pub(crate) fn judge(
    options: Options,
    deirs: &Deirs,
    line: &Line<'_>,
    seen: &Seen<'_>,
    say: &mut Findings,
) {
    let target = line.to();
    if !may_be_protected(line) {
        return;
    }
    if let Err(why) = protecting_lip(deirs, line) {
        if let Some(why) = why {
            say.considered(why).of_end(&target);
        }
        return;
    }
    if target.class() == CounterClass::Cavalry {
        say.contested(rules::CAVALRY).of_end(&target);
        if is_prc(options, &target) {
            say.considered(rules::PRC).of_end(&target);
            return;
        }
    }
    if target.class().is_vehicle() && !target.is_afv() {
        say.contested(rules::UNARMORED_VEHICLE).of_end(&target);
    }
    let mut noted = seen.facts();
    let behind_lip = noted.find(|fact| fact.own_rule() == Some(rules::BEHIND_LIP));
    let Some((fact, lip)) = behind_lip.and_then(|fact| Some((fact, fact.hexside()?))) else {
        return;
    };
    let found = match benefit(options, target.class(), target.is_afv()) {
        Benefit::Tem => say.tem(rules::TEM, rules::LOCATION, 1),
        Benefit::HullDown => say.hull_down(rules::HULL_DOWN),
    };
    found.of_end(&target).on(lip).citing(&fact);
    say.not_open_ground(rules::NOT_OPEN_GROUND)
        .of_end(&target)
        .citing(&fact);
}

/// It is a shot, and not at a wreck.
fn may_be_protected(line: &Line<'_>) -> bool {
    line.attack().is_some() && line.to().class() != CounterClass::Wreck
}

/// Cavalry, where the option makes it PRC, whom no deir protects.
fn is_prc(options: Options, target: &End<'_>) -> bool {
    target.class() == CounterClass::Cavalry && options.cavalry_target == CavalryTarget::Prc
}

/// The Lip Hexside behind which the target is protected; or the reason why there is none, where
/// players may have expected one.
fn protecting_lip(deirs: &Deirs, line: &Line<'_>) -> Result<Hexside, Option<Rule>> {
    let (firer, target) = (line.from(), line.to());
    let crossed = |reading: &Reading<'_>| lip_beyond_firer(deirs, firer.hex(), reading.crossings());
    let somewhere = line.readings().find_map(|reading| crossed(&reading));
    if !deirs.is_deir_hex(target.hex()) {
        return Err(somewhere.map(|_| rules::NOT_IN_DEIR));
    }
    if firer.hex() == target.hex() {
        return Err(Some(rules::SAME_HEX));
    }
    if line.attack() != Some(Attack::Direct) {
        return Err(Some(rules::INDIRECT));
    }
    if target.is_prc() {
        return Err(Some(rules::PRC));
    }
    if !line.is_level() {
        return Err(Some(rules::ELEVATION));
    }
    if let Some(lip) = lip_of_adjacent_deirs(deirs, firer.hex(), target.hex()) {
        return Ok(lip);
    }
    match somewhere {
        Some(lip) if line.holds(|reading| crossed(reading).is_some()) => Ok(lip),
        Some(_) => Err(Some(rules::GRAZING)),
        None => Err(Some(without_lip(deirs, line))),
    }
}

/// Why no Lip Hexside protects: there is none on the LOF, or only the firer's own.
fn without_lip(deirs: &Deirs, line: &Line<'_>) -> Rule {
    let is_lip = |crossing: Crossing| deirs.is_lip_hexside(crossing.hexside());
    let any = line
        .readings()
        .any(|reading| reading.crossings().any(is_lip));
    if any { rules::OWN_LIP } else { rules::NO_LIP }
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::hex::trace_between;
    use alamein_plugin_sdk::prelude::*;

    use super::{Benefit, benefit, lip_beyond_firer, lip_of_adjacent_deirs};
    use crate::lips::Deirs;
    use crate::lips::tests::{deirs, example, hex, hexside, separate_deirs};
    use crate::options::{CavalryTarget, Options, UnarmoredVehicle};

    /// The protecting Lip Hexside on each reading of the LOF.
    fn readings(deirs: &Deirs, firer: &str, target: &str) -> [Option<Hexside>; 2] {
        let trace = trace_between(hex(firer), hex(target));
        Side::BOTH.map(|side| lip_beyond_firer(deirs, hex(firer), trace.crossings(side)))
    }

    fn protects(deirs: &Deirs, firer: &str, target: &str) -> bool {
        readings(deirs, firer, target).iter().any(Option::is_some)
    }

    #[test]
    fn f4_5_a_lip_hexside_that_is_no_part_of_the_firers_hex_protects() {
        assert_eq!(
            readings(&example(), "R10", "R8"),
            [Some(hexside("R8|R9")); 2]
        );
    }

    #[test]
    fn f4_5_the_firers_own_lip_hexside_does_not_protect() {
        assert!(!protects(&example(), "R9", "R8"));
        assert!(!protects(&example(), "R9", "R6"), "however deep the target");
    }

    #[test]
    fn f4_5_a_lof_that_leaves_the_deir_and_enters_it_again_is_protected() {
        // B and D of the example are in one deir, and P7 lies between.
        assert!(protects(&example(), "Q8", "P6"));
        assert!(protects(&example(), "P6", "Q8"));
    }

    #[test]
    fn f4_5_inside_one_deir_nothing_protects() {
        assert!(!protects(&example(), "R5", "R8"));
    }

    #[test]
    fn f4_5_a_lof_along_a_lip_hexside_crosses_it_on_one_side() {
        let [left, right] = readings(&example(), "Q8", "P6");
        assert_eq!(
            [left, right].iter().flatten().count(),
            1,
            "{left:?} {right:?}"
        );
    }

    #[test]
    fn f4_5_a_lof_that_enters_at_a_vertex_crosses_the_lip_there() {
        // P5 to S10 meets the deir at the vertex of P5, P6 and Q6: both hexsides are the firer's.
        assert!(!protects(&example(), "P5", "R8"));
    }

    #[test]
    fn f4_5_adjacent_separate_deirs_keep_tem() {
        let two = separate_deirs(&["J4 J5", "K4 K5"]);
        let lip = lip_of_adjacent_deirs(&two, hex("J4"), hex("K4"));
        assert_eq!(lip, Some(hexside("J4|K4")));
        assert_eq!(lip_of_adjacent_deirs(&two, hex("J4"), hex("J5")), None);
        assert_eq!(lip_of_adjacent_deirs(&two, hex("I4"), hex("J4")), None);
    }

    #[test]
    fn f4_5_separate_deirs_that_are_not_adjacent_need_the_targets_own_lip() {
        let two = deirs("J4 J5 M4 M5");
        assert!(protects(&two, "J5", "M5"));
    }

    #[test]
    fn f4_5_a_third_deir_counts_too() {
        // Both ends in one ring-shaped deir, another deir inside it.
        let ring = separate_deirs(&["J2 J3 K3 L3 M3 N3 N2", "L1 L2"]);
        assert!(protects(&ring, "J2", "N2"));
    }

    #[test]
    fn f4_5_vehicles_claim_hd_and_others_have_tem() {
        let options = Options {
            unarmored_vehicle: UnarmoredVehicle::Hd,
            cavalry_target: CavalryTarget::NonPrc,
        };
        assert_eq!(
            benefit(options, CounterClass::Tank, true),
            Benefit::HullDown
        );
        assert_eq!(
            benefit(options, CounterClass::Truck, false),
            Benefit::HullDown
        );
        assert_eq!(benefit(options, CounterClass::Gun, false), Benefit::Tem);
        assert_eq!(benefit(options, CounterClass::Cavalry, false), Benefit::Tem);
        let tem = Options {
            unarmored_vehicle: UnarmoredVehicle::Tem,
            ..options
        };
        assert_eq!(benefit(tem, CounterClass::Truck, false), Benefit::Tem);
        assert_eq!(benefit(tem, CounterClass::Wagon, false), Benefit::Tem);
        assert_eq!(
            benefit(tem, CounterClass::Halftrack, true),
            Benefit::HullDown
        );
    }
}
