//! LOS Hindrances (A6.7).
//!
//! Hindrances of 6 or more block the LOS. Along a hexside, Hindrances of one kind of terrain in the
//! two hexes that flank it add no more than +1 together; vehicles are counted each, unless an
//! option says otherwise.

use alamein_plugin_sdk::prelude::*;

use crate::options::Options;
use crate::rules::{
    AFV, BRIDGE, BRUSH, CRAG, DEBRIS, GRAIN, GRAVEYARD, HEXSIDE_PAIR, LIMIT, MARSH, ORCHARD,
    VEHICLES_ALONG_HEXSIDE, VEHICLES_CONTESTED, VINEYARD, WRECK,
};

/// How many Hindrances block.
pub const BLOCKING: u8 = 6;

const VEHICLES: [Kind; 2] = [AFV, WRECK];
const TERRAIN: [Kind; 9] = [
    BRUSH, BRIDGE, CRAG, DEBRIS, GRAIN, GRAVEYARD, MARSH, ORCHARD, VINEYARD,
];

/// Says what A6.7 does with the Hindrances on a line.
pub(crate) fn judge(options: Options, line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
    let hindrances: Few<_> = seen.hindrances().collect();
    if hindrances.is_empty() {
        return;
    }
    say.limit(LIMIT, BLOCKING.into());
    for hexside in line.along() {
        let of = |kinds: &[Kind]| -> Few<SeenFact<'_>> {
            let flanks = |fact: &&SeenFact<'_>| fact.hex().is_some_and(|hex| hexside.touches(hex));
            let kind = |fact: &&SeenFact<'_>| fact.kind().is_some_and(|kind| kinds.contains(&kind));
            hindrances
                .iter()
                .filter(flanks)
                .filter(kind)
                .copied()
                .collect()
        };
        cap_terrain(hexside, &of(&TERRAIN), say);
        cap_vehicles(options, hexside, &of(&VEHICLES), say);
    }
}

/// Each kind of terrain adds +1 at most.
fn cap_terrain(hexside: Hexside, terrain: &[SeenFact<'_>], say: &mut Findings) {
    let mut kinds: Few<Option<Kind>> = Few::new();
    for kind in terrain.iter().map(SeenFact::kind) {
        note(&mut kinds, kind);
    }
    if terrain.len() > kinds.len() {
        cap(say, HEXSIDE_PAIR, kinds.len(), hexside, terrain);
    }
}

fn cap_vehicles(options: Options, hexside: Hexside, vehicles: &[SeenFact<'_>], say: &mut Findings) {
    if vehicles.len() < 2 {
        return;
    }
    say.contested(VEHICLES_CONTESTED).on(hexside);
    if options.cap_vehicles_along_hexside {
        cap(say, VEHICLES_ALONG_HEXSIDE, 1, hexside, vehicles);
    }
}

fn cap(say: &mut Findings, rule: Rule, max: usize, at: Hexside, capped: &[SeenFact<'_>]) {
    let max = i16::try_from(max).unwrap_or(i16::MAX);
    let mut found = say.cap(rule, max).on(at);
    for fact in capped {
        found = found.citing(fact);
    }
}
