//! AFV and wrecks as a LOS Hindrance (D9.4).
//!
//! An AFV or a wreck that does not burn is a +1 Hindrance to a same-level LOS through its hex or
//! along one of its hexsides, if both ends have a LOS to it. PRC and unarmored vehicles are none.
//! One in the hex of either end never Hinders. Levels are full levels here: who stands half a level
//! up is at the level below, unless the terrain that raised it objects.

use alamein_plugin_sdk::prelude::*;

use crate::options::{Counts, Options, VertexContact};
use crate::rules::{AFV, HINDRANCE, PER_HEX, VERTEX, WRECK};

/// What a counter is to D9.4, if it is anything.
fn kind(counter: &Counter<'_>) -> Option<Kind> {
    match (counter.is_wreck(), counter.is_afv()) {
        (true, _) if counter.is_burning() => None,
        (true, _) => Some(WRECK),
        (_, true) => Some(AFV),
        _ => None,
    }
}

/// The classes of counters that may be AFV or wrecks.
pub const MAY_HINDER: [CounterClass; 4] = [
    CounterClass::ArmoredCar,
    CounterClass::Tank,
    CounterClass::Halftrack,
    CounterClass::Wreck,
];

/// The full level of a level in half levels.
fn full_level(half_levels: i16) -> i16 {
    half_levels.div_euclid(2)
}

/// The vehicles between the ends that may Hinder, each with its place among the line's counters, what it is
/// and how the line touches its hex.
fn may_hinder<'a>(line: &Line<'a>) -> impl Iterator<Item = (usize, Counter<'a>, Kind, Touched)> {
    let [level, other] = [line.from(), line.to()].map(|end| full_level(end.level()));
    let counters = line.counters().enumerate();
    let counters = counters.filter(move |_| level == other);
    counters.filter_map(move |(place, counter)| {
        let kind = kind(&counter)?;
        let touched = line.touches(counter.hex());
        let touched = touched.filter(Touched::lies_between)?;
        (full_level(counter.level()) == level).then_some((place, counter, kind, touched))
    })
}

/// What comes of a LOS by these rules alone: some Hinder it, or nothing comes of it.
pub(crate) fn answer(options: Options, line: &Line<'_>) -> SightAnswer {
    if line.obstacles_only() {
        return SightAnswer::clear();
    }
    let (mut hinder, mut at_vertices): (CounterSet, CounterSet) = (0, 0);
    let (mut met, mut along) = (None, false);
    for (place, _, _, touched) in may_hinder(line) {
        let here = counter_at(place);
        // Of several in a hex, or beside each other along a hexside, options say which count.
        let again = met.replace(touched.hex) == Some(touched.hex);
        let beside = along && touched.contact == Contact::Along;
        along |= touched.contact == Contact::Along;
        let vertex = touched.contact == Contact::Vertex;
        let by_option = vertex && options.vertex_contact == VertexContact::Hinders;
        if again || beside || by_option || here == 0 {
            return SightAnswer::ASK;
        }
        if vertex {
            at_vertices |= here;
        } else {
            hinder |= here;
        }
    }
    let answer = if hinder == 0 {
        SightAnswer::clear()
    } else {
        SightAnswer::hinders(hinder)
    };
    answer.contesting(VERTEX.number(), at_vertices)
}

/// Observes every vehicle that may Hinder, those met at a vertex included: where the option does not
/// count these, whether both ends see them is not asked.
pub(crate) fn observe(options: Options, line: &Line<'_>, say: &mut Observations) {
    if line.obstacles_only() {
        return;
    }
    for (_, counter, kind, touched) in may_hinder(line) {
        let observed = say.hindrance(HINDRANCE, kind, 1).of(&counter);
        if touched.contact != Contact::Vertex || options.vertex_contact == VertexContact::Hinders {
            observed.if_both_ends_see_it();
        }
    }
}

/// Sets aside what the options do not count.
pub(crate) fn object(options: Options, line: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
    let mut counted: Few<_> = Few::new();
    for fact in own(seen) {
        if options.vertex_contact == VertexContact::NoHindrance && at_vertex(line, &fact) {
            say.set_aside(&fact, VERTEX);
        }
        // What is only asked about takes no real vehicle's place.
        let first = fact.is_hypothetical() || note(&mut counted, fact.hex());
        if options.hindrance_counts == Counts::PerHex && !first {
            say.set_aside(&fact, PER_HEX);
        }
    }
}

/// Says where the total turned on an option.
pub(crate) fn judge(options: Options, line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
    let mut counted: Few<_> = Few::new();
    for fact in own(seen).filter(|fact| !fact.is_hypothetical()) {
        let Some((hex, vehicle)) = fact.hex().zip(fact.subject()) else {
            continue;
        };
        let vertex = match options.vertex_contact {
            VertexContact::NoHindrance => seen.set_aside_only_by(&fact, VERTEX),
            VertexContact::Hinders => fact.stands() && at_vertex(line, &fact),
        };
        if let Some(vehicle) = line.counter(vehicle).filter(|_| vertex) {
            say.contested(VERTEX).of(&vehicle).at(hex);
        }
        let per_hex = match options.hindrance_counts {
            Counts::PerVehicle => fact.stands() && !note(&mut counted, hex),
            Counts::PerHex => seen.set_aside_only_by(&fact, PER_HEX),
        };
        if per_hex {
            say.contested(PER_HEX).at(hex);
        }
    }
}

/// The Hindrances that this plugin observed, in the order of the counters.
fn own<'a>(seen: &Seen<'a>) -> impl Iterator<Item = SeenFact<'a>> {
    let mut own: Few<_> = seen
        .facts()
        .filter(|fact| fact.own_rule() == Some(HINDRANCE))
        .collect();
    own.sort_by_key(SeenFact::subject);
    own.into_iter()
}

fn at_vertex(line: &Line<'_>, fact: &SeenFact<'_>) -> bool {
    let touched = fact.hex().and_then(|hex| line.touches(hex));
    touched.is_some_and(|hex| hex.contact == Contact::Vertex)
}
