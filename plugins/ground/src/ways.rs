//! Tracks (F9) and roads (B3).
//!
//! A move follows a track or a road if it crosses a hexside that the track or road crosses, or if the
//! mover says so. A change of VCA does if the mover came into its hex that way.
//!
//! A track takes 1 off what entering the hex costs in all, down to 1. Along it no DR is owed for sand or
//! hammada. On a road the road rate stands for what the terrain of the hex costs, and no such DR is
//! owed either.

use alamein_plugin_sdk::prelude::*;

use crate::options::{Options, RoadSurcharges};
use crate::rules::{
    FOLLOWS_ROAD, IMMOBILIZATION, MUD_BOG, ROAD, ROAD_COT, ROAD_NO_CHECK, ROAD_RATE,
    ROAD_SURCHARGES, ROAD_VEHICLES, SAND_BOG, TRACK, TRACK_NO_CHECK,
};
use crate::terrain::Ground;

/// What entering a hex along a road costs.
pub const ROAD_COST: i16 = 1;

/// What a step follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Following {
    /// A track.
    pub track: bool,
    /// A road.
    pub road: bool,
}

/// What a mover follows who came into its hex over this hexside, and says that it follows `way`.
#[must_use]
pub fn following(ground: &Ground, way: Way, over: Option<Hexside>) -> Following {
    Following {
        track: way == Way::Track || over.is_some_and(|hexside| ground.has_track(hexside)),
        road: way == Way::Road || over.is_some_and(|hexside| ground.has_road(hexside)),
    }
}

fn followed(ground: &Ground, step: &Step<'_>) -> Following {
    following(ground, step.way(), step.entered_over())
}

/// What a step costs along a road, and what a track takes off.
pub(crate) fn observe(ground: &Ground, step: &Step<'_>, say: &mut Observations) {
    let Some(hexside) = step.hexside() else {
        return;
    };
    let following = followed(ground, step);
    if following.road {
        say.mark(FOLLOWS_ROAD, ROAD, 1).on(hexside);
        say.cot(ROAD_COT, ROAD_COST).at(step.to());
    }
    if following.track {
        say.reduction(TRACK, 1, 1).at(step.to());
    }
}

/// Sets aside the checks that are not owed along a track or a road, and what the road rate stands for.
pub(crate) fn object(
    options: Options,
    ground: &Ground,
    step: &Step<'_>,
    seen: &Seen<'_>,
    say: &mut Objections,
) {
    let following = followed(ground, step);
    let replaced = options.road_surcharges == RoadSurcharges::Replaced;
    for fact in seen.facts() {
        if is_check(&fact) {
            if following.track {
                say.set_aside(&fact, TRACK_NO_CHECK);
            }
            if following.road {
                say.set_aside(&fact, ROAD_NO_CHECK);
            }
        }
        let other_cot = fact.is_cot() && fact.own_rule() != Some(ROAD_COT);
        let surcharge = fact.is_surcharge() && replaced;
        if following.road && (other_cot || surcharge) {
            say.set_aside(&fact, ROAD_RATE);
        }
    }
}

fn is_check(fact: &SeenFact<'_>) -> bool {
    let of_terrain = matches!(fact.kind(), Some(SAND_BOG | IMMOBILIZATION));
    of_terrain && matches!(fact.fact(), Fact::Check { .. })
}

/// Says what of it is not known, and what turned on an option.
pub(crate) fn judge(
    options: Options,
    ground: &Ground,
    step: &Step<'_>,
    seen: &Seen<'_>,
    say: &mut Findings,
) {
    let (following, hex) = (followed(ground, step), step.to());
    let in_mud = step.ec() == EnvironmentCondition::Mud && step.class().is_vehicle();
    if following.track && in_mud {
        say.not_covered(MUD_BOG).at(hex);
    }
    if !following.road || step.hexside().is_none() {
        return;
    }
    if step.spends_mp() {
        say.not_covered(ROAD_VEHICLES).at(hex);
    }
    let turned = |fact: &SeenFact<'_>| match options.road_surcharges {
        RoadSurcharges::Replaced => seen.set_aside_only_by(fact, ROAD_RATE),
        RoadSurcharges::Added => fact.stands(),
    };
    let mut surcharges = seen.facts().filter(SeenFact::is_surcharge);
    if surcharges.any(|fact| turned(&fact)) {
        say.contested(ROAD_SURCHARGES).at(hex);
    }
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::Way;

    use super::{Following, following};
    use crate::terrain::tests::{ground, hexside};

    const TRACK: Following = Following {
        track: true,
        road: false,
    };
    const ROAD: Following = Following {
        track: false,
        road: true,
    };

    #[test]
    fn f9_crossing_a_hexside_with_a_track_follows_it() {
        let over = |name: &str| following(&ground(), Way::Open, Some(hexside(name)));
        assert_eq!(over("N4|N5"), TRACK);
        assert_eq!(over("P4|P5"), ROAD);
        assert_eq!(over("N5|N6"), Following::default());
    }

    #[test]
    fn f9_the_mover_may_say_what_it_follows() {
        assert_eq!(following(&ground(), Way::Track, None), TRACK);
        assert_eq!(
            following(&ground(), Way::Road, Some(hexside("N5|N6"))),
            ROAD
        );
        assert_eq!(following(&ground(), Way::Open, None), Following::default());
    }
}
