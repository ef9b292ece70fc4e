//! Turning, mirroring, reversing or shifting a line does the same to its trace.

mod common;

use alamein_hex::{Aim, Contact, Event, Hex, Side, Symmetry, Touch, Trace};
use proptest::prelude::*;

use common::{aims_of, offsets};

/// The touched hexes whatever their order.
fn sorted(touched: impl IntoIterator<Item = Touch>) -> Vec<(Hex, Contact, u8)> {
    let mut list: Vec<_> = touched
        .into_iter()
        .map(|touch| (touch.hex, touch.contact(), touch.readings))
        .collect();
    list.sort_unstable();
    list
}

fn swapped(touch: Touch) -> Touch {
    Touch {
        readings: touch.readings >> 1 | (touch.readings & 1) << 1,
        ..touch
    }
}

fn check_reversal(trace: &Trace) {
    let back = Trace::new(trace.to(), trace.from());
    let name = || format!("{:?} to {:?}", trace.from(), trace.to());
    let events: Vec<_> = back.events().iter().rev().copied().collect();
    assert_eq!(trace.events(), events, "{}", name());
    assert_eq!(trace.grazing(), back.grazing());
    assert_eq!(trace.range(), back.range());
    for side in Side::BOTH {
        let other = back.reading(side.other());
        let crossings: Vec<_> = other
            .crossings()
            .iter()
            .rev()
            .map(|c| c.reversed())
            .collect();
        assert_eq!(trace.reading(side).crossings(), crossings, "{}", name());
        assert_eq!(trace.reading(side).start(), other.end(), "{}", name());
        assert_eq!(trace.reading(side).end(), other.start(), "{}", name());
    }
    assert_eq!(
        sorted(trace.touched().iter().copied()),
        sorted(back.touched().iter().copied().map(swapped)),
        "{}",
        name()
    );
}

fn check_symmetry(trace: &Trace, symmetry: Symmetry) {
    let image = Trace::new(symmetry.aim(trace.from()), symmetry.aim(trace.to()));
    let name = || format!("{symmetry:?} of {:?} to {:?}", trace.from(), trace.to());
    let events: Vec<_> = trace
        .events()
        .iter()
        .map(|&event| match event {
            Event::Enter(hex) => Event::Enter(symmetry.hex(hex)),
            Event::Cross(side) => Event::Cross(symmetry.hexside(side)),
            Event::Along(side) => Event::Along(symmetry.hexside(side)),
            Event::Through(vertex) => Event::Through(symmetry.vertex(vertex)),
        })
        .collect();
    assert_eq!(image.events(), events, "{}", name());
    assert_eq!(image.grazing(), trace.grazing());
    assert_eq!(image.range(), trace.range());
    for side in Side::BOTH {
        let seen = if symmetry.mirrored() {
            side.other()
        } else {
            side
        };
        let hexes = trace.reading(side).hexes().map(|hex| symmetry.hex(hex));
        assert!(image.reading(seen).hexes().eq(hexes), "{}", name());
    }
    let touched = trace.touched().iter().map(|&touch| {
        let touch = if symmetry.mirrored() {
            swapped(touch)
        } else {
            touch
        };
        Touch {
            hex: symmetry.hex(touch.hex),
            ..touch
        }
    });
    assert_eq!(
        sorted(image.touched().iter().copied()),
        sorted(touched),
        "{}",
        name()
    );
}

fn check_shift(trace: &Trace, by: Hex) {
    let image = Trace::new(trace.from().shifted(by), trace.to().shifted(by));
    assert!(
        trace
            .events()
            .iter()
            .map(|e| e.shifted(by))
            .eq(image.events().iter().copied())
    );
    assert!(
        trace
            .touched()
            .iter()
            .map(|t| t.shifted(by))
            .eq(image.touched().iter().copied())
    );
    for side in Side::BOTH {
        let crossings = trace
            .reading(side)
            .crossings()
            .iter()
            .map(|c| c.shifted(by));
        assert!(crossings.eq(image.reading(side).crossings().iter().copied()));
    }
}

#[test]
fn between_centres_within_range_20() {
    for offset in offsets(20) {
        let trace = Trace::new(Aim::centre(Hex::new(0, 0)), Aim::centre(offset));
        check_reversal(&trace);
        check_shift(&trace, Hex::new(31, -17));
        for symmetry in Symmetry::all() {
            check_symmetry(&trace, symmetry);
        }
    }
}

#[test]
fn between_vertices_within_range_4() {
    for offset in offsets(4) {
        for from in aims_of(Hex::new(0, 0)) {
            for to in aims_of(offset) {
                let trace = Trace::new(from, to);
                check_reversal(&trace);
                check_shift(&trace, Hex::new(-9, 40));
                for symmetry in Symmetry::all() {
                    check_symmetry(&trace, symmetry);
                }
            }
        }
    }
}

#[test]
fn every_hex_touched_between_centres_is_on_a_reading() {
    for offset in offsets(40) {
        let trace = Trace::new(Aim::centre(Hex::new(0, 0)), Aim::centre(offset));
        for touch in trace.touched() {
            assert_ne!(touch.readings, 0, "{touch:?} to {offset:?}");
            let through = matches!(touch.contact(), Contact::End | Contact::Through);
            assert!(
                !through || touch.readings == 0b11,
                "{touch:?} to {offset:?}"
            );
        }
    }
}

fn any_hex(reach: i16) -> impl Strategy<Value = Hex> {
    (-reach..=reach, -reach..=reach).prop_map(|(q, r)| Hex::new(q, r))
}

fn any_aim(reach: i16) -> impl Strategy<Value = Aim> {
    (any_hex(reach), proptest::option::of(0u8..6)).prop_map(|(hex, corner)| Aim { hex, corner })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn between_any_two_aims(
        from in any_aim(100),
        to in any_aim(100),
        turns in 0u8..6,
        mirrored: bool,
        by in any_hex(1000),
    ) {
        let trace = Trace::new(from, to);
        check_reversal(&trace);
        check_symmetry(&trace, Symmetry::new(turns, mirrored));
        check_shift(&trace, by);
    }

    /// Whole multiples of short offsets, for at random hardly any long line grazes.
    #[test]
    fn between_aims_that_often_graze(
        step in any_hex(4),
        times in 1i16..40,
        from_corner in proptest::option::of(0u8..6),
        to_corner in proptest::option::of(0u8..6),
        turns in 0u8..6,
        mirrored: bool,
    ) {
        let here = Hex::new(0, 0);
        let there = Hex::new(step.q * times, step.r * times);
        let trace = Trace::new(
            Aim { hex: here, corner: from_corner },
            Aim { hex: there, corner: to_corner },
        );
        check_reversal(&trace);
        check_symmetry(&trace, Symmetry::new(turns, mirrored));
    }
}
