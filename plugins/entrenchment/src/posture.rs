//! TEM of a target's own posture: beneath a foxhole (B27), or an Emplaced Gun (C11.2).
//!
//! Neither is cumulative with another TEM of the Location: the best counts. PRC and vehicles get
//! neither. Fire from the target's own hex is not covered.
//!
//! The posture is observed first and its TEM rests on that, so that terrain in which it is worth less
//! can set it aside and say what it is worth there.

use alamein_plugin_sdk::prelude::*;

use crate::rules::{
    EMPLACED, EMPLACED_NOT_COVERED, EMPLACED_NOT_OPEN_GROUND, EMPLACEMENT_TEM, FOXHOLE,
    FOXHOLE_NOT_COVERED, FOXHOLE_NOT_OPEN_GROUND, FOXHOLE_TEM, IN_FOXHOLE, IN_PLACE, LOCATION,
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

/// A posture, and by which rules and kind it is spoken of.
struct Posture {
    tem: Option<i16>,
    observed: (Rule, Kind),
    given: Rule,
    not_open_ground: Rule,
    not_covered: Rule,
}

/// The postures of the target of an attack.
fn postures(line: &Line<'_>) -> Few<Posture> {
    let (target, mut postures) = (line.to(), Few::new());
    let Some(attack) = line.attack().filter(|_| target.is_infantry()) else {
        return postures;
    };
    let same_hex = line.from().hex() == target.hex();
    if target.is_entrenched() {
        postures.push(Posture {
            tem: foxhole(attack, same_hex),
            observed: (IN_FOXHOLE, FOXHOLE_TEM),
            given: FOXHOLE,
            not_open_ground: FOXHOLE_NOT_OPEN_GROUND,
            not_covered: FOXHOLE_NOT_COVERED,
        });
    }
    if target.is_emplaced() {
        postures.push(Posture {
            tem: emplaced(attack, same_hex),
            observed: (IN_PLACE, EMPLACEMENT_TEM),
            given: EMPLACED,
            not_open_ground: EMPLACED_NOT_OPEN_GROUND,
            not_covered: EMPLACED_NOT_COVERED,
        });
    }
    postures
}

/// Observes the postures that give TEM, with the TEM that they give.
pub(crate) fn observe(line: &Line<'_>, say: &mut Observations) {
    let counter = line.to().counter().and_then(|index| line.counter(index));
    let Some(target) = counter else { return };
    for posture in postures(line) {
        let (rule, kind) = posture.observed;
        if let Some(drm) = posture.tem {
            say.mark(rule, kind, drm).of(&target);
        }
    }
}

/// Says what the target's posture does for it.
pub(crate) fn judge(line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
    let target = line.to();
    for posture in postures(line) {
        let rule = Some(posture.observed.0);
        let observed = seen.facts().find(|fact| fact.own_rule() == rule);
        let (Some(drm), Some(observed)) = (posture.tem, observed) else {
            say.not_covered(posture.not_covered).of_end(&target);
            continue;
        };
        say.tem(posture.given, LOCATION, drm)
            .of_end(&target)
            .citing(&observed);
        say.not_open_ground(posture.not_open_ground)
            .of_end(&target)
            .citing(&observed);
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
