//! The small drawings: what counters are, and marks in hexes.

use alamein_terrain::CounterClass;

use super::point::Point;

/// A drawing about 20 units wide and 12 high, around its middle: filled shapes, and lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawing {
    pub(super) shapes: &'static str,
    pub(super) lines: &'static str,
}

/// A man, his middle at the start of the path.
macro_rules! man {
    ($at:literal) => {
        concat!(
            "M",
            $at,
            "-4.4m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0z",
            "M",
            $at,
            " 5m-2.1 0v-4.6q0-2.2 2.1-2.2t2.1 2.2v4.6z"
        )
    };
}

/// A wheel around a point.
macro_rules! wheel {
    ($at:literal) => {
        concat!("M", $at, "m-2.2 0a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0z")
    };
}

/// Tracks and a hull above them.
macro_rules! tracked {
    () => {
        "M-7 5.4q-2.3 0-2.3-2.1t2.3-2.1h14q2.3 0 2.3 2.1t-2.3 2.1zM-7 .5l1.5-2.4h11l1.5 2.4z"
    };
}

/// The drawing of a class.
pub(super) fn of_class(class: CounterClass) -> Drawing {
    let (shapes, lines) = match class {
        CounterClass::Squad => (concat!(man!("-6"), man!("0"), man!("6")), ""),
        CounterClass::HalfSquad => (concat!(man!("-3"), man!("3")), ""),
        CounterClass::Leader => (
            concat!(
                man!("-3"),
                "M5-5.6l1.3 2.7 3 .4-2.2 2.1.5 2.9-2.6-1.4-2.6 1.4.5-2.9-2.2-2.1 3-.4z"
            ),
            "",
        ),
        CounterClass::Crew => (concat!(man!("-6"), man!("-1"), wheel!("6 3")), ""),
        CounterClass::Gun => (
            "M-3 2.4m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
            "M-9.4 5l6.4-2.8 12.4-5.4M1-5.2l2 6",
        ),
        CounterClass::Cavalry => (
            "M-7.6 5.2l.6-6.4h7.4l2.4-4.2 3.8 1.6-.8 2-2 .2-.6 6.8h-1.6l-.8-4h-5.2l-1.4 4zM-2.8-4.4m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0z",
            "M-2.8-2v2",
        ),
        CounterClass::Wagon => (
            concat!("M-8-4h13v4.4h-13z", wheel!("-5 3.2"), wheel!("3 3.2")),
            "M5 0h4.6",
        ),
        CounterClass::Motorcycle => (
            concat!(wheel!("-5.4 2.8"), wheel!("5.4 2.8")),
            "M-5.4 2.8l3-3.6h5l2.8 3.6M2.6-.8l1-3.2h2.4M-4.4-1.6h3",
        ),
        CounterClass::ArmoredCar => (
            concat!(
                "M-9 1.6l2.4-4h10l4.6 2.2.6 1.8zM-3-2.8v-2.6h5.6v2.6z",
                wheel!("-5 3.2"),
                wheel!("4.6 3.2")
            ),
            "M2-4.2h6",
        ),
        CounterClass::Tank => (concat!(tracked!(), "M-3.6-2.2l1-3h5.2l1 3z"), "M2-4h8"),
        CounterClass::Halftrack => (
            concat!(
                "M-7 5.4q-2 0-2-1.9t2-1.9h6q2 0 2 1.9t-2 1.9zM-8.6.8v-4.8h9.4v2.2h4.6l3.2 2.6z",
                wheel!("5.6 3.2")
            ),
            "",
        ),
        CounterClass::Truck => (
            concat!(
                "M-9.2 1.6v-6h10.4v6zM2 1.6v-4.6h3.8l2.8 2.6v2z",
                wheel!("-5.4 3.2"),
                wheel!("4.8 3.2")
            ),
            "",
        ),
        CounterClass::Wreck => (tracked!(), "M-7-6l14 10M7-6l-14 10"),
    };
    Drawing { shapes, lines }
}

/// How many marks there are.
pub(super) const GLYPHS: usize = 4;

/// A small mark around a point: a peak, a diamond, a square or a disc.
pub(super) fn glyph(number: usize, at: Point) -> String {
    match number % GLYPHS {
        0 => format!("M{}l3.6 6h-7.2z", at.by(0, -32)),
        1 => format!("M{}l3.2 3.6-3.2 3.6-3.2-3.6z", at.by(0, -36)),
        2 => format!("M{}h5v5h-5z", at.by(-25, -25)),
        _ => format!(
            "M{}a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0-5.4 0z",
            at.by(-27, 0)
        ),
    }
}
