//! TEM and HD behind a hillock (6.4).
//!
//! A target that is on no hillock has +1 TEM, or HD if it is a vehicle, against Direct Fire from the
//! same elevation whose LOF enters its hex across a hexside shared with a hillock hex. Of a grazing
//! LOF one of its nudged readings is enough, whatever the grazing policy. A firer on a hillock is
//! higher, so it does not count. PRC get nothing. The TEM is not cumulative with another TEM of the
//! Location: the best counts.

use alamein_plugin_sdk::prelude::*;

use crate::course::{Spot, base_level_of, entering, leaving, readings};
use crate::hillocks::Hillocks;
use crate::options::{Options, Prc, UnarmoredVehicle};
use crate::rules;

/// What a target gets for the protection of a hillock.
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

/// Whether a hillock protects a target: PRC, Cavalry, or another.
#[must_use]
pub fn may_protect(options: Options, prc: bool, cavalry: bool) -> bool {
    match options.prc {
        Prc::Unprotected => !prc,
        Prc::UnprotectedWithCavalry => !prc && !cavalry,
        Prc::Protected => true,
    }
}

/// The firer and the target of a LOF.
#[derive(Clone, Debug)]
pub struct Ends {
    /// The firer.
    pub firer: Spot,
    /// The target.
    pub target: Spot,
}

impl Ends {
    fn of(hillocks: &Hillocks, line: &Line<'_>) -> Self {
        let readings = readings(line);
        let (firer, target) = (line.from(), line.to());
        let [out, into] = [
            leaving(&readings, firer.hex()),
            entering(&readings, target.hex()),
        ];
        Self {
            firer: Spot::new(hillocks, base_level_of(&firer), firer.into(), &out),
            target: Spot::new(hillocks, base_level_of(&target), target.into(), &into),
        }
    }

    /// The hexside behind which the target is: that across which the LOF enters its hex from a
    /// hillock hex.
    #[must_use]
    pub fn shelter(&self) -> Option<Hexside> {
        let beside = self.target.adjacent.first()?;
        Hexside::between(beside.hex, self.target.unit.hex)
    }

    /// Whether the target's hillock is adjacent to the firer too.
    #[must_use]
    pub fn share_a_hillock(&self) -> bool {
        let mut hexes = self.target.adjacent.iter();
        hexes.any(|at| self.firer.is_adjacent_to(at.hillock))
    }
}

/// Says what a hillock does for the target of an attack.
pub(crate) fn judge(options: Options, hillocks: &Hillocks, line: &Line<'_>, say: &mut Findings) {
    let target = line.to();
    if line.attack().is_none() || target.class() == CounterClass::Wreck {
        return;
    }
    let ends = Ends::of(hillocks, line);
    let Some(shelter) = ends.shelter() else {
        consider_other_hillocks(hillocks, &ends, line, say);
        return;
    };
    let refused = match line.attack() {
        Some(Attack::Direct) if line.is_level() => None,
        Some(Attack::Direct) => Some(rules::ELEVATION),
        _ => Some(rules::INDIRECT),
    };
    if let Some(why) = refused {
        say.considered(why).of_end(&target).on(shelter);
        return;
    }
    if !options_allow(options, &ends, line, say) {
        return;
    }
    match benefit(options, target.class(), target.is_afv()) {
        Benefit::HullDown => say.hull_down(rules::HULL_DOWN).of_end(&target).on(shelter),
        Benefit::Tem => {
            if has_other_cover(hillocks, line) {
                say.contested(rules::CUMULATIVE).of_end(&target);
            }
            let group = match options.tem_cumulative {
                true => rules::BEHIND_HILLOCK,
                false => rules::LOCATION,
            };
            say.tem(rules::TEM, group, 1).of_end(&target).on(shelter)
        }
    };
    say.not_open_ground(rules::NOT_OPEN_GROUND).of_end(&target);
}

/// Whether the target gets what the rule gives, as the options have it; and what of that is
/// contested.
fn options_allow(options: Options, ends: &Ends, line: &Line<'_>, say: &mut Findings) -> bool {
    let target = line.to();
    let (prc, cavalry) = (target.is_prc(), target.class() == CounterClass::Cavalry);
    if prc || cavalry {
        say.contested(rules::PRC_CONTESTED).of_end(&target);
    }
    if !may_protect(options, prc, cavalry) {
        say.considered(rules::PRC).of_end(&target);
        return false;
    }
    if ends.share_a_hillock() {
        say.contested(rules::BOTH_ADJACENT_CONTESTED)
            .of_end(&target);
        if !options.both_adjacent_benefit {
            say.considered(rules::BOTH_ADJACENT).of_end(&target);
            return false;
        }
    }
    if target.class().is_vehicle() && !target.is_afv() {
        say.contested(rules::UNARMORED_VEHICLE).of_end(&target);
    }
    true
}

/// Whether something else in the target's hex may be TEM for it: a foxhole, Emplacement, a vehicle,
/// the terrain.
fn has_other_cover(hillocks: &Hillocks, line: &Line<'_>) -> bool {
    let target = line.to();
    let vehicle = |counter: &Counter<'_>| {
        let other = Some(counter.index()) != target.counter() && !counter.is_probe();
        let shelters = counter.is_afv() || counter.is_wreck();
        other && shelters && counter.hex() == target.hex()
    };
    let posture = target.is_entrenched() || target.is_emplaced();
    posture || line.counters().any(|it| vehicle(&it)) || hillocks.has_cover(target.hex())
}

/// No hillock is behind the target's hexside: says why a hillock on the LOF does not protect it.
fn consider_other_hillocks(hillocks: &Hillocks, ends: &Ends, line: &Line<'_>, say: &mut Findings) {
    let target = line.to();
    let on = ends.target.on;
    let other = |hex: &Hex| {
        hillocks
            .hillock_of(*hex)
            .is_some_and(|hillock| Some(hillock) != on)
    };
    let Some(hex) = line.between().map(|touched| touched.hex).find(other) else {
        return;
    };
    let why = match on {
        Some(_) => rules::TARGET_ON_HILLOCK,
        None => rules::NOT_ADJACENT,
    };
    say.considered(why).of_end(&target).at(hex);
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::CounterClass;

    use super::{Benefit, Ends, benefit, may_protect};
    use crate::course::tests::course;
    use crate::hillocks::tests::{grid, hillocks};
    use crate::options::{Options, Prc, UnarmoredVehicle};

    fn ends(map: &str, firer: &str, target: &str) -> Ends {
        let [firer, target] = course(&hillocks(map), firer, target).ends;
        Ends { firer, target }
    }

    fn shelter(map: &str, firer: &str, target: &str) -> Option<String> {
        let shelter = ends(map, firer, target).shelter()?;
        grid().hexside_name(shelter)
    }

    #[test]
    fn f6_4_a_target_is_protected_where_the_lof_enters_its_hex_from_a_hillock() {
        assert_eq!(shelter("J5", "J9", "J4").as_deref(), Some("J4|J5"));
    }

    #[test]
    fn f6_4_a_hillock_that_is_adjacent_to_the_firer_alone_protects_nobody() {
        assert_eq!(shelter("J5", "J4", "J9"), None);
    }

    #[test]
    fn f6_4_a_hillock_beside_the_target_that_the_lof_does_not_cross_protects_nobody() {
        assert_eq!(shelter("K5 I5 J3", "J9", "J4"), None);
    }

    #[test]
    fn f6_4_a_target_on_a_hillock_is_not_protected() {
        assert_eq!(shelter("J4 J5", "J9", "J4"), None);
    }

    #[test]
    fn f6_4_a_firer_in_the_next_hex_has_no_hillock_to_cross() {
        assert_eq!(shelter("J3", "J5", "J4"), None);
    }

    #[test]
    fn f6_4_on_a_grazing_lof_a_hillock_on_either_side_protects() {
        // P5 to H5 enters H5 along I5|I6.
        assert_eq!(shelter("I5", "P5", "H5").as_deref(), Some("H5|I5"));
        assert_eq!(shelter("I6", "P5", "H5").as_deref(), Some("H5|I6"));
        assert_eq!(shelter("I7", "P5", "H5"), None);
    }

    #[test]
    fn f6_4_firer_and_target_may_share_the_hillock_between_them() {
        assert!(ends("J5", "J4", "J6").share_a_hillock());
        assert!(ends("J5 J6 J7", "J4", "J8").share_a_hillock());
        assert!(!ends("J5", "J4", "J7").share_a_hillock());
        assert!(!ends("J5 J7", "J4", "J8").share_a_hillock());
    }

    #[test]
    fn f6_4_vehicles_claim_hd_and_others_have_tem() {
        let usual = Options::usual();
        for vehicle in [CounterClass::Tank, CounterClass::Halftrack] {
            assert_eq!(benefit(usual, vehicle, true), Benefit::HullDown);
        }
        assert_eq!(
            benefit(usual, CounterClass::Truck, false),
            Benefit::HullDown
        );
        assert_eq!(benefit(usual, CounterClass::Squad, false), Benefit::Tem);
        assert_eq!(benefit(usual, CounterClass::Gun, false), Benefit::Tem);
        let tem = Options {
            unarmored_vehicle: UnarmoredVehicle::Tem,
            ..usual
        };
        assert_eq!(benefit(tem, CounterClass::Truck, false), Benefit::Tem);
        assert_eq!(benefit(tem, CounterClass::Tank, true), Benefit::HullDown);
    }

    #[test]
    fn f6_4_prc_are_not_protected_unless_an_option_says_so() {
        let protects = |prc: Prc| {
            let options = Options {
                prc,
                ..Options::usual()
            };
            [(true, false), (false, true), (false, false)]
                .map(|(prc, cavalry)| may_protect(options, prc, cavalry))
        };
        assert_eq!(Options::usual().prc, Prc::Unprotected);
        assert_eq!(protects(Prc::Unprotected), [false, true, true]);
        assert_eq!(protects(Prc::UnprotectedWithCavalry), [false, false, true]);
        assert_eq!(protects(Prc::Protected), [true, true, true]);
    }
}
