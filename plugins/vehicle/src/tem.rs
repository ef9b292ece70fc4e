//! AFV and wrecks as TEM (D9.3).
//!
//! Infantry in the Location of a wreck, of a friendly AFV or of an abandoned enemy AFV has +1 TEM,
//! unless fired on from that Location. A burning wreck gives none, nor does a vehicle that is
//! entrenched or Dug-In, at another level, or such that Case J would apply to it at that moment.
//! It is not cumulative with another TEM of the Location: the best counts.

use alamein_plugin_sdk::prelude::*;

use crate::options::Options;
use crate::rules::{
    BURNING, DUG_IN, IN_MOTION, INDIRECT, LOCATION, NOT_OPEN_GROUND, SAME_HEX, TEM,
};

/// A vehicle, as Infantry in its Location see it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vehicle {
    /// It is a wreck.
    pub wreck: bool,
    /// It is an AFV.
    pub afv: bool,
    /// It is of the Infantry's side.
    pub friendly: bool,
    /// It has no crew.
    pub abandoned: bool,
    /// It is at the Infantry's level.
    pub same_level: bool,
    /// It burns.
    pub burning: bool,
    /// It is entrenched or Dug-In.
    pub dug_in: bool,
    /// Case J would apply to it at this moment.
    pub in_motion: bool,
}

impl Vehicle {
    fn of(counter: &Counter<'_>, infantry: &End<'_>) -> Self {
        Self {
            wreck: counter.is_wreck(),
            afv: counter.is_afv(),
            friendly: counter.side().is_some() && counter.side() == infantry.side(),
            abandoned: counter.is_abandoned(),
            same_level: counter.level() == infantry.level(),
            burning: counter.is_burning(),
            dug_in: counter.is_dug_in(),
            in_motion: counter.is_in_motion(),
        }
    }

    /// Whether it is a vehicle that D9.3 speaks of: an unarmored one is only as a wreck.
    #[must_use]
    pub fn shelters(self) -> bool {
        self.same_level && (self.wreck || self.afv && (self.friendly || self.abandoned))
    }

    /// Why it gives no TEM all the same.
    #[must_use]
    pub fn exception(self) -> Option<Rule> {
        let exceptions = [
            (self.burning, BURNING),
            (self.dug_in, DUG_IN),
            (self.in_motion, IN_MOTION),
        ];
        exceptions
            .into_iter()
            .find(|(holds, _)| *holds)
            .map(|(_, why)| why)
    }
}

/// Says what the vehicles in the target's hex do for it.
pub(crate) fn judge(options: Options, line: &Line<'_>, say: &mut Findings) {
    let target = line.to();
    let Some(attack) = line.attack() else { return };
    if !target.is_infantry() {
        return;
    }
    let in_hex = |counter: &Counter<'_>| counter.hex() == target.hex() && !counter.is_probe();
    for counter in line.counters().filter(in_hex) {
        let vehicle = Vehicle::of(&counter, &target);
        if !vehicle.shelters() {
            continue;
        }
        if let Some(why) = exception(line, vehicle) {
            say.considered(why).of(&counter).at(target.hex());
            continue;
        }
        if attack != Attack::Direct {
            say.contested(INDIRECT).of_end(&target);
        }
        if attack == Attack::Direct || options.tem_vs_indirect {
            say.tem(TEM, LOCATION, 1).of(&counter).at(target.hex());
            say.not_open_ground(NOT_OPEN_GROUND).of_end(&target);
        }
    }
}

fn exception(line: &Line<'_>, vehicle: Vehicle) -> Option<Rule> {
    if line.from().hex() == line.to().hex() {
        return Some(SAME_HEX);
    }
    vehicle.exception()
}

#[cfg(test)]
mod tests {
    use super::Vehicle;
    use crate::rules::{BURNING, DUG_IN, IN_MOTION};

    const WRECK: Vehicle = Vehicle {
        wreck: true,
        afv: false,
        friendly: false,
        abandoned: false,
        same_level: true,
        burning: false,
        dug_in: false,
        in_motion: false,
    };
    const TANK: Vehicle = Vehicle {
        wreck: false,
        afv: true,
        friendly: true,
        ..WRECK
    };

    #[test]
    fn d9_3_wrecks_and_friendly_afv_give_tem() {
        for vehicle in [WRECK, TANK] {
            assert!(vehicle.shelters());
            assert_eq!(vehicle.exception(), None);
        }
    }

    #[test]
    fn d9_3_an_enemy_afv_gives_tem_once_abandoned() {
        let enemy = Vehicle {
            friendly: false,
            ..TANK
        };
        assert!(!enemy.shelters());
        assert!(
            Vehicle {
                abandoned: true,
                ..enemy
            }
            .shelters()
        );
    }

    #[test]
    fn d9_3_an_unarmored_vehicle_gives_tem_only_as_a_wreck() {
        let truck = Vehicle { afv: false, ..TANK };
        assert!(!truck.shelters());
        assert!(
            !Vehicle {
                abandoned: true,
                ..truck
            }
            .shelters()
        );
    }

    #[test]
    fn d9_3_a_vehicle_at_another_level_gives_none() {
        assert!(
            !Vehicle {
                same_level: false,
                ..WRECK
            }
            .shelters()
        );
    }

    #[test]
    fn d9_3_burning_dug_in_or_moving_vehicles_give_none() {
        assert_eq!(
            Vehicle {
                burning: true,
                ..WRECK
            }
            .exception(),
            Some(BURNING)
        );
        assert_eq!(
            Vehicle {
                dug_in: true,
                ..TANK
            }
            .exception(),
            Some(DUG_IN)
        );
        assert_eq!(
            Vehicle {
                in_motion: true,
                ..TANK
            }
            .exception(),
            Some(IN_MOTION)
        );
    }
}
