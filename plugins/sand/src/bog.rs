//! Sand Bog (7.31).
//!
//! A vehicle, wagons included and motorcycles not, owes a Sand Bog DR each time that it
//!
//! * enters a sand hex, or changes VCA in one: one DR, or one for each hexside turned;
//! * enters, or changes VCA in, an Open Ground hex to which sand is Accessible: the same, however many
//!   sand hexes there are. Hammada is no Open Ground here; scrub, deirs and hillocks are.
//!
//! It bogs on a Final DR of 12 or more. It owes none along a track or a road, for those who know of
//! tracks and roads to say. The dice are the players'.

use alamein_plugin_sdk::prelude::*;

use crate::movement::is_firm;
use crate::rules::{
    BESIDE_SAND, BESIDE_SAND_DRM, BOG, ENTRY_UNKNOWN, GROUND_PRESSURE, HAMMADA, HEAVY_TRUCK,
    IN_SAND, MOTORCYCLE, NOT_FULLY_TRACKED, PRESSURE_UNKNOWN, VIA_CREST, WAGON, WEIGHT_UNKNOWN,
    WET_OR_MUD,
};
use crate::sands::Sands;

/// The Final DR at which a vehicle bogs.
pub const BOGS_AT: i16 = 12;
/// It is checked after any Immobilization DR for hammada.
pub const ORDER: CheckOrder = CheckOrder(20);
/// From this weight on, in kilograms, a truck is a heavy one.
pub const HEAVY: u32 = 4000;

/// Where a vehicle may bog in sand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footing {
    /// In a sand hex.
    InSand,
    /// In an Open Ground hex to which sand is Accessible.
    BesideSand,
}

/// The footing of a hex, if one may bog there.
#[must_use]
pub fn footing(sands: &Sands, hex: Hex) -> Option<Footing> {
    if sands.is_sand(hex) {
        return Some(Footing::InSand);
    }
    let open_ground = !sands.is_hammada(hex);
    (open_ground && sands.is_accessible_to_sand(hex)).then_some(Footing::BesideSand)
}

/// Whether a class may bog in sand at all.
#[must_use]
pub fn may_bog(class: CounterClass) -> bool {
    class.is_vehicle() && class != CounterClass::Motorcycle
}

/// The DRM for ground pressure; nothing if there is none to know.
#[must_use]
pub fn pressure_drm(pressure: GroundPressure) -> i16 {
    match pressure {
        GroundPressure::Low => 0,
        GroundPressure::Normal => 1,
        GroundPressure::High => 2,
    }
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

/// The check that a step owes, and its DRM.
pub(crate) fn observe(sands: &Sands, step: &Step<'_>, say: &mut Observations) {
    let hex = step.to();
    let Some(footing) = footing(sands, hex).filter(|_| may_bog(step.class())) else {
        return;
    };
    let check = match footing {
        Footing::InSand => IN_SAND,
        Footing::BesideSand => BESIDE_SAND,
    };
    let times = step.turns_by().unwrap_or(1);
    say.check(check, BOG, times, BOGS_AT, ORDER).at(hex);
    if step.class() == CounterClass::Wagon {
        return; // Whose DRM nobody knows.
    }
    let pressure = step.ground_pressure().map_or(0, pressure_drm);
    let heavy = is_heavy_truck(step.class(), step.weight_kg(), step.is_british_built());
    let over_crest = step.entered_over().is_some_and(|side| sands.is_crest(side));
    for (applies, rule, drm) in [
        (pressure > 0, GROUND_PRESSURE, pressure),
        (step.class() != CounterClass::Tank, NOT_FULLY_TRACKED, 1),
        (heavy == Some(true), HEAVY_TRUCK, 1),
        (over_crest, VIA_CREST, 1),
        (footing == Footing::BesideSand, BESIDE_SAND_DRM, -1),
        (is_firm(step.ec()), WET_OR_MUD, -1),
    ] {
        if applies {
            say.check_drm(rule, BOG, drm).at(hex);
        }
    }
}

/// Says what of the DRM is not known, and why there is no check where one may have expected it.
pub(crate) fn judge(sands: &Sands, step: &Step<'_>, seen: &Seen<'_>, say: &mut Findings) {
    let hex = step.to();
    let own = |fact: &SeenFact<'_>| matches!(fact.own_rule(), Some(IN_SAND | BESIDE_SAND));
    if let Some(check) = seen.facts().find(own) {
        for rule in unknown(sands, step) {
            say.not_covered(rule).at(hex).citing(&check);
        }
    } else if step.class() == CounterClass::Motorcycle && footing(sands, hex).is_some() {
        say.considered(MOTORCYCLE).at(hex);
    } else if may_bog(step.class()) && sands.is_accessible_to_sand(hex) {
        say.considered(HAMMADA).at(hex);
    }
}

/// What of the DRM of a vehicle that owes a check is not known.
fn unknown(sands: &Sands, step: &Step<'_>) -> Vec<Rule> {
    if step.class() == CounterClass::Wagon {
        return vec![WAGON];
    }
    let heavy = is_heavy_truck(step.class(), step.weight_kg(), step.is_british_built());
    let entry = step.entered_over().is_none() && sands.has_crest(step.to());
    let unknown = [
        (step.ground_pressure().is_none(), PRESSURE_UNKNOWN),
        (heavy.is_none(), WEIGHT_UNKNOWN),
        (entry, ENTRY_UNKNOWN),
    ];
    let applies = unknown.into_iter().filter(|(applies, _)| *applies);
    applies.map(|(_, rule)| rule).collect()
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::{CounterClass as Class, GroundPressure};

    use super::{Footing, footing, is_heavy_truck, may_bog, pressure_drm};
    use crate::sands::tests::{hex, sands};

    #[test]
    fn f7_31_in_sand_and_in_open_ground_beside_it() {
        let sands = sands("J4 J5", "", "J3");
        assert_eq!(footing(&sands, hex("J4")), Some(Footing::InSand));
        assert_eq!(footing(&sands, hex("J6")), Some(Footing::BesideSand));
        assert_eq!(footing(&sands, hex("J8")), None);
    }

    #[test]
    fn f7_31_not_in_hammada_beside_sand() {
        let sands = sands("J4 J5", "", "J3 J5");
        assert_eq!(footing(&sands, hex("J3")), None);
        let both = footing(&sands, hex("J5"));
        assert_eq!(both, Some(Footing::InSand), "hammada in sand is sand");
    }

    #[test]
    fn f7_31_vehicles_bog_wagons_too_and_motorcycles_not() {
        let bogs: Vec<Class> = Class::ALL
            .into_iter()
            .filter(|class| may_bog(*class))
            .collect();
        let vehicles = [
            Class::Wagon,
            Class::ArmoredCar,
            Class::Tank,
            Class::Halftrack,
            Class::Truck,
        ];
        assert_eq!(bogs, vehicles);
    }

    #[test]
    fn f7_31_ground_pressure() {
        let drm = [
            GroundPressure::Low,
            GroundPressure::Normal,
            GroundPressure::High,
        ]
        .map(pressure_drm);
        assert_eq!(drm, [0, 1, 2]);
    }

    #[test]
    fn f7_31_a_truck_of_four_tons_is_heavy_unless_it_is_british_built() {
        assert_eq!(is_heavy_truck(Class::Truck, Some(4000), false), Some(true));
        assert_eq!(is_heavy_truck(Class::Truck, Some(3999), false), Some(false));
        assert_eq!(is_heavy_truck(Class::Truck, Some(9000), true), Some(false));
        assert_eq!(
            is_heavy_truck(Class::ArmoredCar, Some(9000), false),
            Some(false)
        );
    }

    #[test]
    fn f7_31_the_weight_of_a_truck_may_be_unknown() {
        assert_eq!(is_heavy_truck(Class::Truck, None, false), None);
        assert_eq!(is_heavy_truck(Class::Truck, None, true), Some(false));
        assert_eq!(is_heavy_truck(Class::Tank, None, false), Some(false));
    }
}
