//! The trace against a slow oracle that shares no idea with it.

mod common;
mod oracle;

use alamein_hex::{Aim, Hex, Side, Trace};

use common::{aims_of, offsets};

fn check(from: Aim, to: Aim) {
    let trace = Trace::new(from, to);
    let course = oracle::course(from, to);
    let line = || format!("{from:?} to {to:?}");

    assert_eq!(trace.events(), course.events, "{}", line());
    assert_eq!(trace.grazing(), course.grazing, "{}", line());
    for side in Side::BOTH {
        let reading = trace.reading(side);
        let hexes: Vec<_> = reading.hexes().collect();
        assert_eq!(hexes, course.readings[side as usize], "{side:?} {}", line());
        for pair in reading.crossings().windows(2) {
            assert_eq!(pair[0].to, pair[1].from, "{side:?} {}", line());
        }
        for crossing in reading.crossings() {
            assert!(crossing.hexside().touches(crossing.from));
        }
    }
    if !trace.grazing() {
        assert_eq!(trace.readings()[0], trace.readings()[1], "{}", line());
    }
    let touched: Vec<_> = trace
        .touched()
        .iter()
        .map(|touch| (touch.hex, touch.contact(), touch.readings))
        .collect();
    assert_eq!(touched, course.touched, "{}", line());
}

#[test]
fn centre_to_centre_within_range_40() {
    let here = Hex::new(0, 0);
    for offset in offsets(40).filter(|&offset| offset != here) {
        check(Aim::centre(here), Aim::centre(offset));
    }
}

#[test]
fn to_and_from_every_vertex_within_range_12() {
    let here = Hex::new(0, 0);
    for offset in offsets(12) {
        for from in aims_of(here) {
            for to in aims_of(offset) {
                let at_one_point = from == to
                    || matches!((from.vertex(), to.vertex()), (Some(a), Some(b)) if a == b);
                let between_centres = from.corner.is_none() && to.corner.is_none();
                if !at_one_point && !between_centres {
                    check(from, to);
                }
            }
        }
    }
}
