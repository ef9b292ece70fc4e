//! The course of a LOS among hillocks (6.4).
//!
//! Three things matter of a hillock to a LOS: whether an end is *on* it; whether it is *adjacent* to
//! an end that is on none; and whether it lies *between*. A hillock is adjacent to an end if the
//! hexside by which the LOS leaves that end's hex is shared with one of the hillock's hexes, or
//! either of two hexsides, if it leaves by a vertex: merely touching a hillock elsewhere is not
//! enough. It lies between if the LOS touches a hex of it other than those of the ends: a hillock is
//! Inherent Terrain, so along a hexside or at a vertex will do. But what a LOS touches nowhere but at
//! the vertex at which it is aimed, or from which it comes, lies beyond its end and not between.
//!
//! That holds of a LOS whose ends are at one Base Level, and of the hillocks at that Base Level.

use alamein_plugin_sdk::prelude::*;

use crate::hillocks::Hillocks;

/// A unit at an end of a LOS.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Its hex.
    pub hex: Hex,
    /// It is entrenched, or a Dug-In vehicle.
    pub entrenched: bool,
    /// It is an Emplaced Gun.
    pub emplaced: bool,
}

impl From<End<'_>> for Unit {
    fn from(end: End<'_>) -> Self {
        Self {
            hex: end.hex(),
            entrenched: end.is_entrenched() || end.is_dug_in(),
            emplaced: end.is_emplaced(),
        }
    }
}

/// A hex of a hillock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HillockHex {
    /// The hex.
    pub hex: Hex,
    /// The number of its hillock.
    pub hillock: u32,
}

/// An end of a LOS, and the hillocks around it.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The unit there.
    pub unit: Unit,
    /// The hillock on which it stands.
    pub on: Option<u32>,
    /// The adjacent hillock, by its hexes across the hexsides by which the LOS leaves. They are
    /// neighbours if there are two, and so of one hillock. Nothing if the unit is on a hillock.
    pub adjacent: Few<HillockHex>,
}

impl Spot {
    /// An end of a LOS that leaves it into these hexes, each at this Base Level.
    #[must_use]
    pub fn new(hillocks: &Hillocks, base_level: i16, unit: Unit, into: &[Hex]) -> Self {
        let hillock_hex = |hex: &Hex| {
            let hillock = hillocks.hillock_at(*hex, base_level)?;
            Some(HillockHex { hex: *hex, hillock })
        };
        let on = hillocks.hillock_at(unit.hex, base_level);
        let mut adjacent: Few<HillockHex> = into.iter().filter_map(hillock_hex).collect();
        adjacent.sort_unstable();
        adjacent.dedup();
        if on.is_some() {
            adjacent.clear();
        }
        Self { unit, on, adjacent }
    }

    /// Whether this hillock is adjacent to the unit.
    #[must_use]
    pub fn is_adjacent_to(&self, hillock: u32) -> bool {
        self.adjacent.iter().any(|hex| hex.hillock == hillock)
    }
}

/// A hillock hex between the ends.
#[derive(Clone, Copy, Debug)]
pub struct Between {
    /// The hex.
    pub at: HillockHex,
    /// How the LOS touches it.
    pub contact: Contact,
}

/// The hexes that a nudged reading runs through, in order. Most LOS that are asked about are short.
pub type Run = Few<Hex, 32>;

/// What each nudged reading of a LOS runs through.
pub type Readings = Few<Run, 2>;

/// A LOS among hillocks.
#[derive(Clone, Debug)]
pub struct Course {
    /// The Base Level of its ends.
    pub base_level: i16,
    /// Its ends.
    pub ends: [Spot; 2],
    /// The hillock hexes between, in order from its start.
    pub between: Few<Between>,
    /// The hexes that each of its nudged readings runs through, in order from its start.
    pub readings: Readings,
}

impl Course {
    /// The course between two units at this Base Level of a LOS that touches these hexes.
    #[must_use]
    pub fn new(
        hillocks: &Hillocks,
        base_level: i16,
        [from, to]: [Unit; 2],
        touched: impl Iterator<Item = (Hex, Contact)>,
        readings: Readings,
    ) -> Self {
        let into = [leaving(&readings, from.hex), entering(&readings, to.hex)];
        Self {
            readings,
            ..Self::between_spots(hillocks, base_level, [from, to], into, touched)
        }
    }

    /// The course between two units, each of whom it leaves into these hexes.
    fn between_spots(
        hillocks: &Hillocks,
        base_level: i16,
        [from, to]: [Unit; 2],
        [into, back_into]: [Few<Hex>; 2],
        touched: impl Iterator<Item = (Hex, Contact)>,
    ) -> Self {
        let between = |(hex, contact): (Hex, Contact)| {
            let hillock = hillocks.hillock_at(hex, base_level)?;
            let at = HillockHex { hex, hillock };
            (contact != Contact::End).then_some(Between { at, contact })
        };
        let spot = |unit: Unit, into: Few<Hex>| Spot::new(hillocks, base_level, unit, &into);
        Self {
            base_level,
            ends: [spot(from, into), spot(to, back_into)],
            between: touched.filter_map(between).collect(),
            readings: Readings::new(),
        }
    }

    /// The course of a line; nothing if its ends are at different Base Levels.
    pub(crate) fn of(hillocks: &Hillocks, line: &Line<'_>) -> Option<Self> {
        let base_level = base_level_of(&line.from());
        (base_level_of(&line.to()) == base_level).then(|| {
            let ends = [line.from().into(), line.to().into()];
            let touched = line.between().map(|touched| (touched.hex, touched.contact));
            Self::new(hillocks, base_level, ends, touched, readings(line))
        })
    }

    /// The same of a line between centres, without its readings, for whoever does not look at them: it is
    /// made much faster.
    pub(crate) fn without_readings(hillocks: &Hillocks, line: &Line<'_>) -> Option<Self> {
        let base_level = base_level_of(&line.from());
        if base_level_of(&line.to()) != base_level {
            return None;
        }
        let ends = [line.from().into(), line.to().into()];
        let touched = line.between().map(|touched| (touched.hex, touched.contact));
        let first = |reading: Reading<'_>| Some(reading.crossings().next()?.to);
        let last = |reading: Reading<'_>| Some(reading.crossings().next_back()?.from);
        let into = [
            line.readings().filter_map(first).collect(),
            line.readings().filter_map(last).collect(),
        ];
        Some(Self::between_spots(
            hillocks, base_level, ends, into, touched,
        ))
    }

    /// How many of its ends are on a hillock.
    #[must_use]
    pub fn ends_on_hillocks(&self) -> usize {
        self.ends.iter().filter(|end| end.on.is_some()).count()
    }

    /// The hillocks between, those on which the ends stand left out: of each the hex that the LOS
    /// meets first. Only hexes for which `counts` is true are looked at.
    pub fn hillocks_between(&self, counts: impl Fn(&Between) -> bool) -> Few<HillockHex> {
        let mut met: Few<HillockHex> = Few::new();
        let counted = self.between.iter().filter(|between| counts(between));
        for at in counted.map(|between| between.at) {
            let at_end = self.ends.iter().any(|end| end.on == Some(at.hillock));
            if !at_end && met.iter().all(|one| one.hillock != at.hillock) {
                met.push(at);
            }
        }
        met
    }

    /// The hillock of which a hex between is one.
    #[must_use]
    pub fn hillock_at(&self, hex: Hex) -> Option<u32> {
        let mut between = self.between.iter().map(|between| between.at);
        between.find(|at| at.hex == hex).map(|at| at.hillock)
    }

    /// The course with only those hillock hexes between for which `holds` is true.
    #[must_use]
    pub(crate) fn keeping(mut self, holds: impl Fn(Hex) -> bool) -> Self {
        self.between.retain(|between| holds(between.at.hex));
        self
    }
}

/// The Base Level at which a unit counts, in full levels. Half a level up, it is still at it.
pub(crate) fn base_level_of(end: &End<'_>) -> i16 {
    end.level().div_euclid(2)
}

/// The hexes that each nudged reading of a line runs through, in order.
pub(crate) fn readings(line: &Line<'_>) -> Readings {
    let hexes = |reading: Reading<'_>| -> Run {
        let Some(first) = reading.crossings().next() else {
            // It crosses no hexside at all: then it runs through one hex.
            let on_it = line.touched().filter(|hex| hex.is_on(reading.side()));
            return on_it.map(|touched| touched.hex).collect();
        };
        let entered = reading.crossings().map(|crossing| crossing.to);
        std::iter::once(first.from).chain(entered).collect()
    };
    line.readings().map(hexes).collect()
}

/// The hexes into which the readings leave the hex where a line starts.
pub(crate) fn leaving(readings: &[Run], from: Hex) -> Few<Hex> {
    let next = |hexes: &Run| hexes.iter().copied().find(|hex| *hex != from);
    readings.iter().filter_map(next).collect()
}

/// The hexes from which the readings enter the hex where a line ends.
pub(crate) fn entering(readings: &[Run], to: Hex) -> Few<Hex> {
    let last = |hexes: &Run| hexes.iter().rev().copied().find(|hex| *hex != to);
    readings.iter().filter_map(last).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use alamein_plugin_sdk::hex::trace_between;
    use alamein_plugin_sdk::prelude::*;

    use super::{Course, Unit};
    use crate::hillocks::Hillocks;
    use crate::hillocks::tests::{hex, hillocks};

    /// An ordinary unit.
    pub(crate) fn unit(name: &str) -> Unit {
        Unit {
            hex: hex(name),
            entrenched: false,
            emplaced: false,
        }
    }

    /// The course at Base Level 0 between two units.
    pub(crate) fn course_of(hillocks: &Hillocks, ends: [Unit; 2]) -> Course {
        let trace = trace_between(ends[0].hex, ends[1].hex);
        let reading = |side| {
            let entered = trace.crossings(side).map(|crossing| crossing.to);
            std::iter::once(ends[0].hex).chain(entered).collect()
        };
        let touched = trace.touched().map(|touch| (touch.hex, touch.contact()));
        let readings = Side::BOTH.into_iter().map(reading).collect();
        Course::new(hillocks, 0, ends, touched, readings)
    }

    pub(crate) fn course(hillocks: &Hillocks, from: &str, to: &str) -> Course {
        course_of(hillocks, [unit(from), unit(to)])
    }

    fn adjacent(map: &str, from: &str, to: &str) -> [Vec<Hex>; 2] {
        let course = course(&hillocks(map), from, to);
        let hexes = |end: &super::Spot| end.adjacent.iter().map(|at| at.hex).collect::<Vec<Hex>>();
        [hexes(&course.ends[0]), hexes(&course.ends[1])]
    }

    #[test]
    fn f6_4_a_hillock_is_adjacent_across_the_hexside_by_which_the_los_leaves() {
        assert_eq!(adjacent("J4", "J3", "J8"), [vec![hex("J4")], vec![]]);
        assert_eq!(adjacent("J4", "J8", "J3"), [vec![], vec![hex("J4")]]);
    }

    #[test]
    fn f6_4_a_hillock_elsewhere_beside_the_unit_is_not_adjacent() {
        assert_eq!(adjacent("K4 I4 J2", "J3", "J8"), [vec![], vec![]]);
    }

    #[test]
    fn f6_4_leaving_by_a_vertex_either_hexside_will_do() {
        // J5 to L5 runs along K5|K6.
        assert_eq!(adjacent("K6", "J5", "N5")[0], [hex("K6")]);
        assert_eq!(adjacent("K5", "J5", "N5")[0], [hex("K5")]);
        assert_eq!(adjacent("K5 K6", "J5", "N5")[0].len(), 2);
    }

    #[test]
    fn f6_4_who_is_on_a_hillock_has_no_adjacent_one() {
        assert_eq!(adjacent("J3 J4", "J3", "J8"), [vec![], vec![]]);
    }

    #[test]
    fn f6_4_a_hillock_touched_at_a_vertex_or_along_a_hexside_lies_between() {
        let met = |map: &str, from: &str, to: &str| {
            let course = course(&hillocks(map), from, to);
            course.hillocks_between(|_| true).len()
        };
        assert_eq!(met("K5", "J5", "L5"), 1, "along");
        // P5 to S10 meets the vertex of P5, P6 and Q6 and runs along P6|Q6.
        assert_eq!(met("P6", "P5", "S10"), 1, "along");
        assert_eq!(met("K7", "J5", "L5"), 0, "not touched");
    }

    #[test]
    fn f6_4_the_hillocks_of_the_ends_do_not_lie_between_however_often_crossed() {
        let bent = hillocks("J4 K4 K5 K6 J6");
        assert_eq!(bent.hillock_of(hex("J4")), bent.hillock_of(hex("J6")));
        let course = course(&bent, "J4", "J8");
        assert!(!course.between.is_empty());
        assert!(course.hillocks_between(|_| true).is_empty());
    }

    #[test]
    fn f6_4_hillocks_are_counted_and_not_their_hexes() {
        let course = course(&hillocks("J4 J5 J7"), "J2", "J9");
        assert_eq!(course.between.len(), 3);
        assert_eq!(course.hillocks_between(|_| true).len(), 2);
    }

    #[test]
    fn f6_4_a_hillock_at_another_base_level_does_not_count() {
        let course = course(&hillocks("C3"), "C1", "C6");
        assert!(course.between.is_empty());
    }
}
