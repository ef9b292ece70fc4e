//! Going over a bank (SB5), and along a road through it (SB6).
//!
//! | who goes over a bank hexside            | costs more |
//! |-----------------------------------------|------------|
//! | Infantry                                | 1 MF       |
//! | Cavalry                                 | 2 MF       |
//! | tracks: a tank, a halftrack             | 2 MP       |
//! | wheels: any other vehicle, or a wagon   | may not    |
//!
//! Up or down is the same. Where a road crosses the hexside there is no bank to go over.

use alamein_plugin_sdk::prelude::*;

use crate::banks::Banks;
use crate::rules::{BANK, CLIMB, NO_WHEELS, ROAD, ROAD_CUT, WHEELS};

/// What going over a bank costs on top of the COT; nothing for those who may not.
#[must_use]
pub fn climb(class: CounterClass) -> Option<i16> {
    match class {
        CounterClass::Cavalry | CounterClass::Tank | CounterClass::Halftrack => Some(2),
        class if class.is_vehicle() => None,
        _ => Some(1),
    }
}

/// A bank that is in the way: what it costs, or that there is one.
pub(crate) fn observe(banks: &Banks, step: &Step<'_>, say: &mut Observations) {
    let Some(bank) = step.hexside().filter(|side| banks.drops_on(*side)) else {
        return;
    };
    match climb(step.class()) {
        Some(cost) => say.surcharge(CLIMB, cost).at(step.to()),
        None => say.mark(WHEELS, BANK, 1).on(bank),
    };
}

/// A road cuts through the bank: nothing of it is in the way. Where the roads are is for another plugin
/// to observe.
pub(crate) fn object(seen: &Seen<'_>, say: &mut Objections) {
    let is_road = |fact: SeenFact<'_>| fact.kind() == Some(ROAD);
    if !seen.facts().any(is_road) {
        return;
    }
    for fact in seen.facts() {
        if matches!(fact.own_rule(), Some(CLIMB | WHEELS)) {
            say.set_aside(&fact, ROAD_CUT);
        }
    }
}

/// Wheels do not go over a bank. This rests on the bank, and falls where a road cuts through it.
pub(crate) fn judge(seen: &Seen<'_>, say: &mut Findings) {
    let banks = seen.facts().filter(|fact| fact.own_rule() == Some(WHEELS));
    for bank in banks {
        let found = say.prohibited(NO_WHEELS).citing(&bank);
        if let Some(hexside) = bank.hexside() {
            found.on(hexside);
        }
    }
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::CounterClass as Class;

    use super::climb;

    #[test]
    fn sb5_each_class_has_its_cost() {
        let may = [
            Class::Squad,
            Class::Gun,
            Class::Cavalry,
            Class::Tank,
            Class::Halftrack,
        ];
        assert_eq!(
            may.map(climb),
            [Some(1), Some(1), Some(2), Some(2), Some(2)]
        );
        let may_not = [
            Class::Wagon,
            Class::Motorcycle,
            Class::ArmoredCar,
            Class::Truck,
        ];
        assert_eq!(may_not.map(climb), [None; 4]);
    }
}
