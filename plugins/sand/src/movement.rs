//! Movement (7.3, 7.5).
//!
//! Entering sand costs something on top of the COT of the hex, by the class of who enters:
//!
//! | class                                   | dry | Wet or Mud |
//! |-----------------------------------------|-----|------------|
//! | Infantry                                | 1   | 0          |
//! | Cavalry, wagon, fully-tracked           | 2   | 1          |
//! | halftrack                               | 3   | 2          |
//! | armored car, motorcycle                 | 4   | 3          |
//! | truck                                   | 6   | 5          |
//!
//! Crossing a Dune Crest, either way, costs every class 1 more, whatever the EC. All of it is spent in
//! the hex entered. A road leads through sand at its own rate.

use alamein_plugin_sdk::prelude::*;

use crate::rules::{CROSSING, ROAD, ROAD_RATE, SURCHARGE};
use crate::sands::Sands;

/// What crossing a Dune Crest costs.
pub const CREST: i16 = 1;

/// Whether sand is firm: by Wet or Mud EC.
#[must_use]
pub fn is_firm(ec: EnvironmentCondition) -> bool {
    matches!(ec, EnvironmentCondition::Wet | EnvironmentCondition::Mud)
}

/// What entering sand costs on top of the COT.
#[must_use]
pub fn surcharge(class: CounterClass, ec: EnvironmentCondition) -> i16 {
    use CounterClass as Class;
    let dry = match class {
        Class::Squad | Class::HalfSquad | Class::Leader | Class::Crew | Class::Gun => 1,
        Class::Cavalry | Class::Wagon | Class::Tank => 2,
        Class::Halftrack => 3,
        Class::ArmoredCar | Class::Motorcycle => 4,
        Class::Truck => 6,
        Class::Wreck => 0,
    };
    if is_firm(ec) && dry > 0 { dry - 1 } else { dry }
}

/// What a step costs for the sand that it enters and the Dune Crest that it crosses. MP of a change of
/// VCA are not judged here.
pub(crate) fn observe(sands: &Sands, step: &Step<'_>, say: &mut Observations) {
    let Some(hexside) = step.hexside() else {
        return;
    };
    let amount = surcharge(step.class(), step.ec());
    if sands.is_sand(step.to()) && amount > 0 {
        say.surcharge(SURCHARGE, amount).at(step.to());
    }
    if sands.is_crest(hexside) {
        say.surcharge(CROSSING, CREST).at(step.to());
    }
}

/// Sets aside what sand costs on a road.
pub(crate) fn object(seen: &Seen<'_>, say: &mut Objections) {
    if !seen.facts().any(|fact| fact.kind() == Some(ROAD)) {
        return;
    }
    for fact in seen.facts() {
        if fact.own_rule() == Some(SURCHARGE) {
            say.set_aside(&fact, ROAD_RATE);
        }
    }
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::{CounterClass as Class, EnvironmentCondition as Ec};

    use super::surcharge;

    #[test]
    fn f7_3_sand_costs_each_class_its_own() {
        for (class, dry) in [
            (Class::Squad, 1),
            (Class::Cavalry, 2),
            (Class::Wagon, 2),
            (Class::Tank, 2),
            (Class::Halftrack, 3),
            (Class::ArmoredCar, 4),
            (Class::Motorcycle, 4),
            (Class::Truck, 6),
        ] {
            assert_eq!(surcharge(class, Ec::Dry), dry, "{class}");
            assert_eq!(surcharge(class, Ec::Moist), dry, "{class}, Moist");
        }
    }

    #[test]
    fn f7_3_wet_or_mud_makes_it_one_less() {
        for class in Class::ALL
            .into_iter()
            .filter(|class| *class != Class::Wreck)
        {
            for ec in [Ec::Wet, Ec::Mud] {
                assert_eq!(
                    surcharge(class, ec),
                    surcharge(class, Ec::Dry) - 1,
                    "{class}"
                );
            }
        }
    }
}
