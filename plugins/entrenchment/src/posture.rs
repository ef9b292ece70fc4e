//! TEM of a target's own posture: beneath a foxhole (B27), or an Emplaced Gun (C11.2).
//!
//! Neither is cumulative with another TEM of the Location: the best counts. PRC and vehicles get
//! neither. Fire from the target's own hex is not covered.

use alamein_plugin_sdk::prelude::*;

use crate::rules::{
    EMPLACED, EMPLACED_NOT_COVERED, EMPLACED_NOT_OPEN_GROUND, FOXHOLE, FOXHOLE_NOT_COVERED,
    FOXHOLE_NOT_OPEN_GROUND, LOCATION,
};

/// The TEM of Infantry beneath a foxhole; nothing where that is not covered.
#[must_use]
pub fn foxhole(attack: Attack, same_hex: bool) -> Option<i16> {
    match attack {
        _ if same_hex => None,
        Attack::Direct => Some(2),
        Attack::Oba => Some(4),
        Attack::Mortar => None,
    }
}

/// The TEM of an Emplaced Gun and its crew; nothing where that is not covered.
#[must_use]
pub fn emplaced(attack: Attack, same_hex: bool) -> Option<i16> {
    (attack == Attack::Direct && !same_hex).then_some(2)
}

/// Says what the target's posture does for it.
pub(crate) fn judge(line: &Line<'_>, say: &mut Findings) {
    let target = line.to();
    let Some(attack) = line.attack() else { return };
    if !target.is_infantry() {
        return;
    }
    let same_hex = line.from().hex() == target.hex();
    if target.is_entrenched() {
        let rules = [FOXHOLE, FOXHOLE_NOT_OPEN_GROUND, FOXHOLE_NOT_COVERED];
        give(foxhole(attack, same_hex), rules, &target, say);
    }
    if target.is_emplaced() {
        let rules = [EMPLACED, EMPLACED_NOT_OPEN_GROUND, EMPLACED_NOT_COVERED];
        give(emplaced(attack, same_hex), rules, &target, say);
    }
}

fn give(tem: Option<i16>, rules: [Rule; 3], target: &End<'_>, say: &mut Findings) {
    let [rule, not_open_ground, not_covered] = rules;
    if let Some(drm) = tem {
        say.tem(rule, LOCATION, drm).of_end(target);
        say.not_open_ground(not_open_ground).of_end(target);
    } else {
        say.not_covered(not_covered).of_end(target);
    }
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::Attack;

    use super::{emplaced, foxhole};

    #[test]
    fn b27_a_foxhole_gives_2_and_4_against_oba() {
        assert_eq!(foxhole(Attack::Direct, false), Some(2));
        assert_eq!(foxhole(Attack::Oba, false), Some(4));
    }

    #[test]
    fn b27_mortars_and_fire_from_the_same_hex_are_not_covered() {
        assert_eq!(foxhole(Attack::Mortar, false), None);
        assert_eq!(foxhole(Attack::Direct, true), None);
        assert_eq!(foxhole(Attack::Oba, true), None);
    }

    #[test]
    fn c11_2_an_emplaced_gun_has_2_against_direct_fire() {
        assert_eq!(emplaced(Attack::Direct, false), Some(2));
        assert_eq!(emplaced(Attack::Mortar, false), None);
        assert_eq!(emplaced(Attack::Oba, false), None);
        assert_eq!(emplaced(Attack::Direct, true), None);
    }
}
