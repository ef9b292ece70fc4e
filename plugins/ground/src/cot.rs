//! Cost of Terrain (F1, F2, F3).
//!
//! What entering a hex costs by the Desert Terrain Chart:
//!
//! | class                    | Open Ground | scrub | hammada |
//! |--------------------------|-------------|-------|---------|
//! | Infantry                 | 1           | 1     | 1       |
//! | Cavalry, wagon           | 1           | 2     | 3       |
//! | motorcycle, armored car  | 1           | 4     | 4       |
//! | fully-tracked            | 1           | 2     | 2       |
//! | halftrack                | 1           | 3     | 3       |
//! | truck                    | 1           | 6     | 6       |
//!
//! Where a hex is of two kinds, the higher COT counts. What pushing a Gun costs is refused.

use alamein_plugin_sdk::prelude::*;

use crate::rules::{COT, HAMMADA_COT, PUSHING, SCRUB_COT};
use crate::terrain::Ground;

/// The COT of desert Open Ground, whatever the class.
pub const OPEN_GROUND: i16 = 1;

/// The COT of scrub.
#[must_use]
pub fn scrub(class: CounterClass) -> i16 {
    use CounterClass as Class;
    match class {
        Class::Cavalry | Class::Wagon | Class::Tank => 2,
        Class::Halftrack => 3,
        Class::Motorcycle | Class::ArmoredCar => 4,
        Class::Truck => 6,
        _ => 1,
    }
}

/// The COT of hammada.
#[must_use]
pub fn hammada(class: CounterClass) -> i16 {
    match class {
        CounterClass::Cavalry | CounterClass::Wagon => 3,
        class => scrub(class),
    }
}

/// The COT of the hex that a step enters. A change of VCA enters none.
pub(crate) fn observe(ground: &Ground, step: &Step<'_>, say: &mut Observations) {
    let hex = step.to();
    if step.turns_by().is_some() {
        return;
    }
    let (in_scrub, in_hammada) = (ground.is_scrub(hex), ground.is_hammada(hex));
    if in_scrub {
        say.cot(SCRUB_COT, scrub(step.class())).at(hex);
    }
    if in_hammada {
        say.cot(HAMMADA_COT, hammada(step.class())).at(hex);
    }
    if !in_scrub && !in_hammada {
        say.cot(COT, OPEN_GROUND).at(hex);
    }
}

/// Refuses to say what pushing a Gun costs.
pub(crate) fn judge(step: &Step<'_>, say: &mut Findings) {
    if step.class() == CounterClass::Gun {
        say.not_implemented(PUSHING).at(step.to());
    }
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::CounterClass as Class;

    use super::{hammada, scrub};

    #[test]
    fn f2_scrub_costs_each_class_its_own() {
        let classes = [
            Class::Squad,
            Class::Leader,
            Class::Cavalry,
            Class::Wagon,
            Class::Motorcycle,
            Class::ArmoredCar,
            Class::Tank,
            Class::Halftrack,
            Class::Truck,
        ];
        assert_eq!(classes.map(scrub), [1, 1, 2, 2, 4, 4, 2, 3, 6]);
        assert_eq!(classes.map(hammada), [1, 1, 3, 3, 4, 4, 2, 3, 6]);
    }
}
