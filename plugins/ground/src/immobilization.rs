//! Immobilization in hammada (F3.31).
//!
//! A vehicle that is not fully-tracked owes an Immobilization DR each time that it
//!
//! * enters a hammada hex, or changes VCA in one: one DR, or one for each hexside turned;
//! * enters, or changes VCA in, an Open Ground hex to which hammada is Accessible: the same, however
//!   many hammada hexes there are. Scrub and sand are no Open Ground here.
//!
//! It is Immobilized on a Final DR of 12 or more. DRM: +1 for a heavy truck, +1 for a motorcycle, +1
//! unless it spends twice the cost, which is more than the cost that is said here; -1 beside hammada.
//! It comes before any Sand Bog DR.

use alamein_plugin_sdk::prelude::*;

use crate::rules::{
    BESIDE_HAMMADA, BESIDE_HAMMADA_DRM, HEAVY_TRUCK, IMMOBILIZATION, IN_HAMMADA, MOTORCYCLE,
    NOT_OPEN_GROUND, SINGLE_COST, WEIGHT_UNKNOWN,
};
use crate::terrain::Ground;

/// The Final DR at which a vehicle is Immobilized.
pub const IMMOBILIZED_AT: i16 = 12;
/// It is checked before Sand Bog.
pub const ORDER: CheckOrder = CheckOrder(10);
/// From this weight on, in kilograms, a truck is a heavy one.
pub const HEAVY: u32 = 4000;

/// Where a vehicle may be Immobilized by hammada.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footing {
    /// In a hammada hex.
    InHammada,
    /// In an Open Ground hex to which hammada is Accessible.
    BesideHammada,
}

/// The footing of a hex, if hammada may Immobilize there.
#[must_use]
pub fn footing(ground: &Ground, hex: Hex) -> Option<Footing> {
    if ground.is_hammada(hex) {
        return Some(Footing::InHammada);
    }
    let open_ground = !ground.is_scrub(hex) && !ground.is_sand(hex);
    (open_ground && ground.is_accessible_to_hammada(hex)).then_some(Footing::BesideHammada)
}

/// Whether hammada may Immobilize a class at all.
#[must_use]
pub fn may_be_immobilized(class: CounterClass) -> bool {
    class.is_vehicle() && class != CounterClass::Tank
}

/// Whether it spends MP as a truck, weighs 4 tons or more and is not British-built; nothing if its
/// weight would tell and is not known.
#[must_use]
pub fn is_heavy_truck(
    class: CounterClass,
    weight_kg: Option<u32>,
    british_built: bool,
) -> Option<bool> {
    if class != CounterClass::Truck || british_built {
        return Some(false);
    }
    weight_kg.map(|weight| weight >= HEAVY)
}

fn is_heavy(step: &Step<'_>) -> Option<bool> {
    is_heavy_truck(step.class(), step.weight_kg(), step.is_british_built())
}

/// The check that a step owes, and its DRM.
pub(crate) fn observe(ground: &Ground, step: &Step<'_>, say: &mut Observations) {
    let hex = step.to();
    let Some(footing) = footing(ground, hex).filter(|_| may_be_immobilized(step.class())) else {
        return;
    };
    let check = match footing {
        Footing::InHammada => IN_HAMMADA,
        Footing::BesideHammada => BESIDE_HAMMADA,
    };
    let times = step.turns_by().unwrap_or(1);
    say.check(check, IMMOBILIZATION, times, IMMOBILIZED_AT, ORDER)
        .at(hex);
    let beside = footing == Footing::BesideHammada;
    for (applies, rule, drm) in [
        (is_heavy(step) == Some(true), HEAVY_TRUCK, 1),
        (step.class() == CounterClass::Motorcycle, MOTORCYCLE, 1),
        (true, SINGLE_COST, 1),
        (beside, BESIDE_HAMMADA_DRM, -1),
    ] {
        if applies {
            say.check_drm(rule, IMMOBILIZATION, drm).at(hex);
        }
    }
}

/// Says what of the DRM is not known, and why there is no check where one may have expected it.
pub(crate) fn judge(ground: &Ground, step: &Step<'_>, seen: &Seen<'_>, say: &mut Findings) {
    let hex = step.to();
    let own = |fact: &SeenFact<'_>| matches!(fact.own_rule(), Some(IN_HAMMADA | BESIDE_HAMMADA));
    if let Some(check) = seen.facts().find(own) {
        if is_heavy(step).is_none() {
            say.not_covered(WEIGHT_UNKNOWN).at(hex).citing(&check);
        }
    } else if may_be_immobilized(step.class()) && ground.is_accessible_to_hammada(hex) {
        say.considered(NOT_OPEN_GROUND).at(hex);
    }
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::CounterClass as Class;

    use super::{Footing, footing, is_heavy_truck, may_be_immobilized};
    use crate::terrain::tests::{ground, hex};

    #[test]
    fn f3_31_in_hammada_and_in_open_ground_beside_it() {
        let ground = ground();
        assert_eq!(footing(&ground, hex("J6")), Some(Footing::InHammada));
        assert_eq!(footing(&ground, hex("J5")), Some(Footing::BesideHammada));
        assert_eq!(footing(&ground, hex("J2")), None);
    }

    #[test]
    fn f3_31_scrub_and_sand_beside_hammada_are_no_open_ground() {
        let ground = ground();
        assert!(ground.is_accessible_to_hammada(hex("L6")));
        assert_eq!(footing(&ground, hex("L6")), None, "sand");
        let both = footing(&ground, hex("J8"));
        assert_eq!(both, Some(Footing::InHammada), "scrub in hammada");
    }

    #[test]
    fn f3_31_all_vehicles_but_the_fully_tracked() {
        let owe: Vec<Class> = Class::ALL
            .into_iter()
            .filter(|class| may_be_immobilized(*class))
            .collect();
        let vehicles = [
            Class::Wagon,
            Class::Motorcycle,
            Class::ArmoredCar,
            Class::Halftrack,
            Class::Truck,
        ];
        assert_eq!(owe, vehicles);
    }

    #[test]
    fn f3_31_a_truck_of_four_tons_is_heavy_unless_it_is_british_built() {
        assert_eq!(is_heavy_truck(Class::Truck, Some(4000), false), Some(true));
        assert_eq!(is_heavy_truck(Class::Truck, Some(3999), false), Some(false));
        assert_eq!(is_heavy_truck(Class::Truck, None, true), Some(false));
        assert_eq!(is_heavy_truck(Class::Truck, None, false), None);
        assert_eq!(is_heavy_truck(Class::Halftrack, None, false), Some(false));
    }
}
