//! HE on hammada (3.4).
//!
//! HE of ordnance, mortars and OBA has a TEM of -1 against an unarmored target in hammada. It adds to
//! another TEM of the Location, unless an option says that only the best counts. It makes the hex no
//! less Open Ground.

use alamein_plugin_sdk::prelude::*;

use crate::options::Options;
use crate::rules::{FLYING_STONES, HAMMADA_ARMORED, HAMMADA_TEM, LOCATION, STONES_CONTESTED};
use crate::terrain::Ground;

/// The TEM.
pub const TEM: i16 = -1;

/// Says what hammada does to an attack.
pub(crate) fn judge(options: Options, ground: &Ground, line: &Line<'_>, say: &mut Findings) {
    let target = line.to();
    let fired_at = line.attack().is_some() && target.class() != CounterClass::Wreck;
    let by_he = line.munition() == Munition::He;
    if !fired_at || !by_he || !ground.is_hammada(target.hex()) {
        return;
    }
    if target.is_afv() {
        say.considered(HAMMADA_ARMORED).of_end(&target);
        return;
    }
    if has_other_cover(ground, line) {
        say.contested(STONES_CONTESTED).of_end(&target);
    }
    let group = match options.hammada_tem_cumulative {
        true => FLYING_STONES,
        false => LOCATION,
    };
    say.tem(HAMMADA_TEM, group, TEM).of_end(&target);
}

/// Whether something else in the target's hex may be TEM for it.
fn has_other_cover(ground: &Ground, line: &Line<'_>) -> bool {
    let target = line.to();
    let vehicle = |counter: &Counter<'_>| {
        let shelters = counter.is_afv() || counter.is_wreck();
        shelters && counter.hex() == target.hex() && !counter.is_probe()
    };
    let posture = target.is_entrenched() || target.is_emplaced();
    posture || line.counters().any(|it| vehicle(&it)) || ground.is_deir_hex(target.hex())
}
