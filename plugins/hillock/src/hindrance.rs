//! Hindrances as seen from a hillock (6.4).
//!
//! Between ends at one Base Level:
//!
//! * both on hillocks: grain and brush do not Hinder, and an AFV/wreck does only on a hillock;
//! * one on a hillock: grain and brush add no more than +1 together, and AFV/wrecks do not Hinder,
//!   unless an option says that they do;
//! * none: Hindrances act normally, that of an AFV/wreck on a hillock too.
//!
//! From a hillock down to a lower Base Level, grain and brush at the hillock's Base Level add no more
//! than +1 together too.

use alamein_plugin_sdk::prelude::*;

use crate::course::{Course, base_level_of};
use crate::hillocks::Hillocks;
use crate::options::Options;
use crate::rules::{
    AFV, BRUSH, GRAIN, GRAIN_ONCE, OVER_AFV, OVER_AFV_CONTESTED, OVER_GRAIN, OVER_VEHICLES, WRECK,
};

/// Grain and brush.
pub const FIELDS: [Kind; 2] = [GRAIN, BRUSH];
/// AFV and wrecks.
pub const VEHICLES: [Kind; 2] = [AFV, WRECK];

/// The rule by which a Hindrance in a hex does not count, if there is one. `on_hillocks`: how many
/// ends are on a hillock.
#[must_use]
pub fn does_not_hinder(
    options: Options,
    kind: Option<Kind>,
    in_hillock_hex: bool,
    on_hillocks: usize,
) -> Option<Rule> {
    let is_of = |kinds: [Kind; 2]| kind.is_some_and(|kind| kinds.contains(&kind));
    match on_hillocks {
        2 if is_of(FIELDS) => Some(OVER_GRAIN),
        2 if is_of(VEHICLES) && !in_hillock_hex => Some(OVER_VEHICLES),
        1 if is_of(VEHICLES) && options.hillock_sees_over_afv => Some(OVER_AFV),
        _ => None,
    }
}

/// Sets aside the Hindrances that do not count.
pub(crate) fn object(
    options: Options,
    hillocks: &Hillocks,
    line: &Line<'_>,
    seen: &Seen<'_>,
    say: &mut Objections,
) {
    let Some(course) = Course::of(hillocks, line) else {
        return;
    };
    let on_hillocks = course.ends_on_hillocks();
    for fact in at_base_level(hillocks, course.base_level, seen) {
        let in_hillock_hex = fact
            .hex()
            .is_some_and(|hex| hillocks.hillock_of(hex).is_some());
        if let Some(rule) = does_not_hinder(options, fact.kind(), in_hillock_hex, on_hillocks) {
            say.set_aside(&fact, rule);
        }
    }
}

/// The counters of a line that do not Hinder as AFV or wrecks, as far as 6.4 goes.
pub(crate) fn set_aside(
    options: Options,
    hillocks: &Hillocks,
    course: &Course,
    line: &Line<'_>,
) -> CounterSet {
    let on_hillocks = course.ends_on_hillocks();
    let counters = line.counters().enumerate();
    let set_aside = counters.filter(|(_, counter)| {
        let in_hillock_hex = hillocks.hillock_of(counter.hex()).is_some();
        let why = does_not_hinder(options, Some(AFV), in_hillock_hex, on_hillocks);
        why.is_some() && hillocks.base_level(counter.hex()) == course.base_level
    });
    set_aside.fold(0, |all, (place, _)| all | counter_at(place))
}

/// What comes of a LOS that no hillock blocks, of which 6.4 sets aside these AFV and wrecks.
pub(crate) fn answer(
    options: Options,
    course: &Course,
    line: &Line<'_>,
    set_aside: CounterSet,
) -> SightAnswer {
    let answer = SightAnswer::clear().setting_aside(set_aside);
    if course.ends_on_hillocks() != 1 {
        return answer;
    }
    // Of one that Hinders it is contested that it does.
    let may_hinder = |counter: Counter<'_>| {
        let touched = line.touches(counter.hex());
        let between = touched.is_some_and(|touched| touched.lies_between());
        between && (counter.is_afv() || counter.is_wreck())
    };
    match options.hillock_sees_over_afv {
        true => answer.contesting(OVER_AFV_CONTESTED.number(), set_aside),
        false if line.counters().any(may_hinder) => SightAnswer::ASK,
        false => answer,
    }
}

/// Caps grain and brush, and says where the total turned on an option.
pub(crate) fn judge(
    options: Options,
    hillocks: &Hillocks,
    line: &Line<'_>,
    seen: &Seen<'_>,
    say: &mut Findings,
) {
    if let Some(base_level) = looks_down_from(hillocks, line) {
        let fields = |fact: &SeenFact<'_>| {
            let of_kind = fact.kind().is_some_and(|kind| FIELDS.contains(&kind));
            of_kind && fact.stands() && !fact.is_hypothetical()
        };
        let capped: Vec<_> = at_base_level(hillocks, base_level, seen)
            .filter(fields)
            .collect();
        if capped.len() > 1 {
            let found = say.cap(GRAIN_ONCE, 1);
            capped.iter().fold(found, |found, fact| found.citing(fact));
        }
    }
    let one_end = Course::of(hillocks, line).filter(|course| course.ends_on_hillocks() == 1);
    let Some(course) = one_end else { return };
    for fact in at_base_level(hillocks, course.base_level, seen) {
        let vehicle = fact.kind().is_some_and(|kind| VEHICLES.contains(&kind));
        let turned = match options.hillock_sees_over_afv {
            true => seen.set_aside_only_by(&fact, OVER_AFV),
            false => vehicle && fact.stands(),
        };
        let counter = fact.subject().and_then(|index| line.counter(index));
        if let Some(vehicle) = counter.filter(|_| turned && !fact.is_hypothetical()) {
            say.contested(OVER_AFV_CONTESTED)
                .of(&vehicle)
                .at(vehicle.hex());
        }
    }
}

/// The Base Level of the hillock from which one end looks at another that is on none at that Base
/// Level, or down to a lower Base Level.
fn looks_down_from(hillocks: &Hillocks, line: &Line<'_>) -> Option<i16> {
    let from_hillock = |(end, other): (End<'_>, End<'_>)| {
        let [base_level, beyond] = [base_level_of(&end), base_level_of(&other)];
        let on = |end: End<'_>| hillocks.hillock_at(end.hex(), base_level).is_some();
        let looks_down = beyond < base_level || beyond == base_level && !on(other);
        (on(end) && looks_down).then_some(base_level)
    };
    line.ends().into_iter().find_map(from_hillock)
}

/// The Hindrances in hexes at this Base Level.
fn at_base_level<'a>(
    hillocks: &Hillocks,
    base_level: i16,
    seen: &Seen<'a>,
) -> impl Iterator<Item = SeenFact<'a>> {
    let at_it = move |fact: &SeenFact<'a>| {
        let hinders = matches!(fact.fact(), Fact::Hindrance { .. });
        hinders
            && fact
                .hex()
                .is_some_and(|hex| hillocks.base_level(hex) == base_level)
    };
    seen.facts().filter(at_it)
}

#[cfg(test)]
mod tests {
    use super::does_not_hinder;
    use crate::options::Options;
    use crate::rules::{AFV, BRUSH, GRAIN, OVER_AFV, OVER_GRAIN, OVER_VEHICLES, WRECK};

    #[test]
    fn f6_4_between_two_hillocks_grain_and_brush_do_not_hinder() {
        for kind in [GRAIN, BRUSH] {
            let why = does_not_hinder(Options::usual(), Some(kind), false, 2);
            assert_eq!(why, Some(OVER_GRAIN));
        }
    }

    #[test]
    fn f6_4_between_two_hillocks_a_vehicle_hinders_only_on_a_hillock() {
        for kind in [AFV, WRECK] {
            let below = does_not_hinder(Options::usual(), Some(kind), false, 2);
            assert_eq!(below, Some(OVER_VEHICLES));
            assert_eq!(does_not_hinder(Options::usual(), Some(kind), true, 2), None);
        }
    }

    #[test]
    fn f6_4_from_one_hillock_a_vehicle_does_not_hinder_unless_an_option_says_so() {
        for on_hillock in [false, true] {
            let over = does_not_hinder(Options::usual(), Some(AFV), on_hillock, 1);
            assert_eq!(over, Some(OVER_AFV));
            let normal = Options {
                hillock_sees_over_afv: false,
                ..Options::usual()
            };
            assert_eq!(does_not_hinder(normal, Some(AFV), on_hillock, 1), None);
        }
    }

    #[test]
    fn f6_4_from_one_hillock_grain_is_capped_and_not_ignored() {
        assert_eq!(
            does_not_hinder(Options::usual(), Some(GRAIN), false, 1),
            None
        );
    }

    #[test]
    fn f6_4_other_hindrances_act_normally() {
        for on_hillocks in 0..=2 {
            assert_eq!(
                does_not_hinder(Options::usual(), None, false, on_hillocks),
                None
            );
        }
        assert_eq!(does_not_hinder(Options::usual(), Some(AFV), false, 0), None);
        assert_eq!(does_not_hinder(Options::usual(), Some(AFV), true, 0), None);
    }
}
