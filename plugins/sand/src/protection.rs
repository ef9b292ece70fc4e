//! TEM of a Dune Crest (7.5).
//!
//! A target has +1 TEM against Direct Fire that crosses a Dune Crest hexside of its hex as it enters, or
//! runs along one, from an elevation that is not higher than the target's. It is not cumulative with
//! another TEM of the Location: the best counts. Its hex is not Open Ground for that attack. PRC get
//! nothing; what a vehicle gets is not known, unless an option says.

use alamein_plugin_sdk::prelude::*;

use crate::options::{Options, Vehicle};
use crate::rules;
use crate::sands::Sands;

/// The TEM.
pub const TEM: i16 = 1;

/// The Dune Crest by which a course of a LOF enters the target's hex, if it does so over one.
pub fn crest_entered_over(
    sands: &Sands,
    target: Hex,
    mut course: impl Iterator<Item = Crossing>,
) -> Option<Hexside> {
    let entry = course.find(|crossing| crossing.to == target)?;
    Some(entry.hexside()).filter(|hexside| sands.is_crest(*hexside))
}

/// Says what a Dune Crest does for the target of an attack.
pub(crate) fn judge(options: Options, sands: &Sands, line: &Line<'_>, say: &mut Findings) {
    let target = line.to();
    if line.attack().is_none() || target.class() == CounterClass::Wreck {
        return;
    }
    let crest = match protecting_crest(sands, line) {
        Ok(crest) => crest,
        Err(Some((why, hexside))) => {
            say.considered(why).of_end(&target).on(hexside);
            return;
        }
        Err(None) => return,
    };
    if crest.touches(line.from().hex()) {
        say.contested(rules::SHARED_CONTESTED).of_end(&target);
        if !options.shared_crest_protects {
            say.considered(rules::SHARED).of_end(&target).on(crest);
            return;
        }
    }
    if target.class().is_vehicle() {
        judge_vehicle(options, &target, crest, say);
        return;
    }
    say.tem(rules::TEM, rules::LOCATION, TEM)
        .of_end(&target)
        .on(crest);
    say.not_open_ground(rules::NOT_OPEN_GROUND).of_end(&target);
}

/// What a vehicle gets.
fn judge_vehicle(options: Options, target: &End<'_>, crest: Hexside, say: &mut Findings) {
    say.contested(rules::VEHICLE_CONTESTED).of_end(target);
    match options.vehicle_behind_crest {
        Vehicle::NotCovered => {
            say.not_covered(rules::VEHICLE).of_end(target).on(crest);
        }
        Vehicle::HullDown => {
            say.hull_down(rules::HULL_DOWN).of_end(target).on(crest);
            say.not_open_ground(rules::NOT_OPEN_GROUND).of_end(target);
        }
        Vehicle::Nothing => {}
    }
}

/// The Dune Crest behind which the target is; or the reason why one on the LOF does not protect it.
fn protecting_crest(sands: &Sands, line: &Line<'_>) -> Result<Hexside, Option<(Rule, Hexside)>> {
    let (firer, target) = (line.from(), line.to());
    let over = |reading: &Reading<'_>| crest_entered_over(sands, target.hex(), reading.crossings());
    let is_crest = |hexside: &Hexside| sands.is_crest(*hexside);
    let along = line
        .along()
        .filter(is_crest)
        .find(|hexside| hexside.touches(target.hex()));
    let somewhere = line.readings().find_map(|reading| over(&reading));
    let Some(crest) = along.or(somewhere) else {
        let crossed = |reading: Reading<'_>| {
            let mut hexsides = reading.crossings().map(Crossing::hexside);
            hexsides.find(is_crest)
        };
        let other = line.readings().find_map(crossed);
        return Err(other.map(|crest| (rules::NOT_OF_TARGET, crest)));
    };
    let refused = |why: Rule| Err(Some((why, crest)));
    if line.attack() != Some(Attack::Direct) {
        return refused(rules::INDIRECT);
    }
    if firer.level() > target.level() {
        return refused(rules::ELEVATION);
    }
    if target.is_prc() {
        return refused(rules::PRC);
    }
    if along.is_none() && !line.holds(|reading| over(reading).is_some()) {
        return refused(rules::GRAZING);
    }
    Ok(crest)
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::hex::trace_between;
    use alamein_plugin_sdk::prelude::*;

    use super::crest_entered_over;
    use crate::sands::tests::{hex, hexside, sands};

    /// The protecting Dune Crest on each reading of the LOF.
    fn readings(crests: &str, firer: &str, target: &str) -> [Option<Hexside>; 2] {
        let trace = trace_between(hex(firer), hex(target));
        let sands = sands("", crests, "");
        Side::BOTH.map(|side| crest_entered_over(&sands, hex(target), trace.crossings(side)))
    }

    #[test]
    fn f7_5_a_lof_over_a_crest_of_the_targets_hex() {
        let crest = Some(hexside("J4|J5"));
        assert_eq!(readings("J4|J5", "J9", "J4"), [crest; 2]);
        assert_eq!(readings("J4|J5", "J5", "J4"), [crest; 2]);
    }

    #[test]
    fn f7_5_a_crest_of_another_hex_does_not_protect() {
        assert_eq!(readings("J5|J6", "J9", "J4"), [None; 2]);
        assert_eq!(readings("J4|J5", "J4", "J9"), [None; 2], "the firer's own");
        assert_eq!(
            readings("J3|J4", "J9", "J4"),
            [None; 2],
            "behind the target"
        );
    }

    #[test]
    fn f7_5_at_a_vertex_one_side_enters_over_the_crest() {
        // J5 to L5 runs along K5|K6 and enters L5 at a vertex.
        let [left, right] = readings("K5|L5", "J5", "L5");
        assert_ne!(left.is_some(), right.is_some());
    }
}
