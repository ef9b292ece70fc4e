//! Shelter behind a bank (SB2) and behind piled stones (SB3).
//!
//! A target in a bank hex has +1 TEM against Direct Fire whose LOF comes over a bank hexside of its
//! hex, unless the firer is a level or more above it. Infantry that has piled up stones there has +2.
//! It is not cumulative with another TEM of the Location: the best counts.

use alamein_plugin_sdk::prelude::*;

use crate::banks::Banks;
use crate::options::{Options, Vehicles};
use crate::rules::{
    GRAZING, HIGHER, INDIRECT, LOCATION, NO_BANK, NOT_OPEN_GROUND, PILED, TEM, VEHICLE,
};

/// The attribute of a counter that has piled up stones.
pub const PILED_STONES: &str = "stony-bank.piled";

/// A full level, in half levels.
const LEVEL: i16 = 2;

/// The TEM of a bank.
const BANK_TEM: i16 = 1;

/// That of piled stones behind one. Both are TEM of one Location, so that this counts instead.
const PILED_TEM: i16 = 2;

/// Says what a bank does for the target of an attack.
pub(crate) fn judge(options: Options, banks: &Banks, line: &Line<'_>, say: &mut Findings) {
    let target = line.to();
    if line.attack().is_none() || !banks.is_bank(target.hex()) || target.is_prc() {
        return;
    }
    let bank = match bank_before(banks, line) {
        Ok(bank) => bank,
        Err(why) => {
            say.considered(why).of_end(&target);
            return;
        }
    };
    if target.class().is_vehicle() {
        say.contested(VEHICLE).of_end(&target);
        if options.vehicles == Vehicles::NoTem {
            return;
        }
    }
    say.tem(TEM, LOCATION, BANK_TEM).of_end(&target).on(bank);
    if target.is_infantry() && has_piled(line, &target) {
        say.tem(PILED, LOCATION, PILED_TEM).of_end(&target);
    }
    say.not_open_ground(NOT_OPEN_GROUND).of_end(&target);
}

/// The bank hexside over which the LOF comes; or why there is none.
fn bank_before(banks: &Banks, line: &Line<'_>) -> Result<Hexside, Rule> {
    let (firer, target) = (line.from(), line.to());
    let crossed = |reading: &Reading<'_>| banks.bank_crossed(target.hex(), reading.crossings());
    let somewhere = line.readings().find_map(|reading| crossed(&reading));
    match somewhere {
        None => Err(NO_BANK),
        Some(_) if line.attack() != Some(Attack::Direct) => Err(INDIRECT),
        Some(_) if firer.level() - target.level() >= LEVEL => Err(HIGHER),
        Some(bank) if line.holds(|reading| crossed(reading).is_some()) => Ok(bank),
        Some(_) => Err(GRAZING),
    }
}

fn has_piled(line: &Line<'_>, target: &End<'_>) -> bool {
    let counter = target.counter().and_then(|index| line.counter(index));
    counter.is_some_and(|counter| counter.attribute(PILED_STONES) == Some(1))
}
