//! Templates and traces at the limits.

mod common;

use alamein_hex::{Aim, Grid, Hex, Side, TEMPLATE_RANGE, Trace, template, trace_between};

use common::{aims_of, offsets};

fn check_ref(from: Aim, to: Aim) {
    let direct = Trace::new(from, to);
    let line = trace_between(from, to);
    assert_eq!((line.from(), line.to()), (from, to));
    assert_eq!(line.range(), direct.range());
    assert_eq!(line.grazing(), direct.grazing());
    assert!(line.events().eq(direct.events().iter().copied()));
    assert!(line.touched().eq(direct.touched().iter().copied()));
    for side in Side::BOTH {
        let crossings = direct.reading(side).crossings().iter().copied();
        assert!(line.crossings(side).eq(crossings));
    }
}

#[test]
fn a_template_is_the_trace_of_its_offset() {
    let here = Hex::new(0, 0);
    for offset in offsets(TEMPLATE_RANGE as i16) {
        let held = template(offset).unwrap();
        assert_eq!(*held, Trace::new(here.into(), offset.into()), "{offset:?}");
        let again = template(offset).unwrap();
        assert!(std::ptr::eq(held, again), "computed once");
    }
    for q in -70..=70 {
        for r in -140..=140 {
            let offset = Hex::new(q, r);
            let near = here.range(offset) <= TEMPLATE_RANGE;
            if !near {
                assert!(template(offset).is_none());
            }
        }
    }
}

#[test]
fn a_trace_from_elsewhere_is_the_template_shifted() {
    for from in [Hex::new(0, 0), Hex::new(15, -2), Hex::new(-300, 777)] {
        for offset in offsets(15) {
            check_ref(Aim::centre(from), Aim::centre(from + offset));
        }
    }
}

#[test]
fn a_trace_to_a_vertex_or_far_away_is_its_own() {
    let from = Hex::new(4, 9);
    for to in aims_of(Hex::new(9, 7)) {
        for from in aims_of(from) {
            check_ref(from, to);
        }
    }
    for far in [Hex::new(65, 0), Hex::new(33, 33), Hex::new(-500, 1200)] {
        check_ref(Aim::centre(from), Aim::centre(from + far));
    }
}

#[test]
fn lines_at_the_ends_of_i16_end() {
    for hex in [(i16::MIN, i16::MAX), (i16::MAX, i16::MAX), (-1, i16::MIN)] {
        let hex = Hex::new(hex.0, hex.1);
        for (to, corner) in [((1, 1), 0), ((2, -1), 3), ((-3, 0), 4)] {
            // Where the sum wraps, the other end is 65 000 hexes away.
            let to = Aim::centre(hex + Hex::new(to.0, to.1));
            let trace = Trace::new(Aim::corner(hex, corner).unwrap(), to);
            assert_eq!(trace.reading(Side::Left).end(), Some(to.hex));
        }
    }
    let (one, other) = (Hex::new(i16::MIN, 0), Hex::new(i16::MAX, 1));
    let line = trace_between(one, other);
    assert_eq!(line.trace().reading(Side::Left).end(), Some(other));
    assert!(line.range() > TEMPLATE_RANGE);
}

#[test]
fn a_corner_above_5_counts_round_again() {
    let aim = |corner| Aim {
        hex: Hex::new(1, 2),
        corner: Some(corner),
    };
    let to = Aim::centre(Hex::new(5, 5));
    assert_eq!(aim(255).vertex(), aim(3).vertex());
    assert_eq!(
        Trace::new(aim(255), to).events(),
        Trace::new(aim(3), to).events()
    );
}

#[test]
fn a_line_between_hexes_inside_stays_on_the_map() {
    for (columns, rows) in [(3, 3), (4, 5), (9, 4), (12, 12), (33, 10)] {
        let grid = Grid::new(columns, rows).unwrap();
        let inside: Vec<Hex> = grid.hexes().filter(|hex| grid.is_inside(*hex)).collect();
        assert!(!inside.is_empty());
        for from in &inside {
            for to in &inside {
                // Of some all that a line can aim at.
                let some = (from.q + to.r) % 7 == 0 && columns < 12;
                let aims = |hex: &Hex| match some {
                    true => aims_of(*hex).collect(),
                    false => vec![Aim::centre(*hex)],
                };
                for (from, to) in aims(from)
                    .into_iter()
                    .zip(aims(to).into_iter().cycle().skip(1))
                {
                    check_on_map(&grid, from, to);
                }
                check_on_map(&grid, (*from).into(), (*to).into());
            }
        }
    }
}

fn check_on_map(grid: &Grid, from: Aim, to: Aim) {
    let line = trace_between(from, to);
    for side in Side::BOTH {
        let mut crossed = line.crossings(side).flat_map(|over| [over.from, over.to]);
        assert!(crossed.all(|hex| grid.contains(hex)), "{from:?} {to:?}");
    }
}
