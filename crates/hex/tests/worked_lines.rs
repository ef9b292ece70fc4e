//! Lines on the geomorphic board whose course is known from the printed map.

#![allow(clippy::unwrap_used, reason = "a helper here is part of a test")]

use alamein_hex::{Aim, Contact, Event, Grid, Hex, Side, Touch, Trace, trace_between};

fn hex(name: &str) -> Hex {
    Grid::geomorphic().hex(name).unwrap()
}

/// The events, written out by name.
fn told(from: &str, to: &str) -> Vec<String> {
    let board = Grid::geomorphic();
    trace_between(hex(from), hex(to))
        .events()
        .map(|event| match event {
            Event::Enter(hex) => board.label(hex),
            Event::Cross(side) => format!("over {}", board.hexside_name(side).unwrap()),
            Event::Along(side) => format!("along {}", board.hexside_name(side).unwrap()),
            Event::Through(vertex) => {
                let mut names = vertex.hexes().map(|hex| board.label(hex));
                names.sort();
                format!("vertex {}", names.join("/"))
            }
        })
        .collect()
}

fn read(from: &str, to: &str, side: Side) -> Vec<String> {
    let board = Grid::geomorphic();
    let line = trace_between(hex(from), hex(to));
    std::iter::once(hex(from))
        .chain(line.crossings(side).map(|crossing| crossing.to))
        .map(|hex| board.label(hex))
        .collect()
}

#[test]
fn p5_to_s10_runs_along_hexsides() {
    assert_eq!(
        told("P5", "S10"),
        [
            "P5",
            "vertex P5/P6/Q6",
            "along P6|Q6",
            "vertex P6/Q6/Q7",
            "Q7",
            "vertex Q7/Q8/R7",
            "along Q8|R7",
            "vertex Q8/R7/R8",
            "R8",
            "vertex R8/R9/S9",
            "along R9|S9",
            "vertex R9/S10/S9",
            "S10",
        ]
    );
    let left = ["P5", "Q6", "Q7", "R7", "R8", "S9", "S10"];
    let right = ["P5", "P6", "Q7", "Q8", "R8", "R9", "S10"];
    assert_eq!(read("P5", "S10", Side::Left), left);
    assert_eq!(read("P5", "S10", Side::Right), right);
    assert!(trace_between(hex("P5"), hex("S10")).grazing());
}

#[test]
fn two_hexes_along_a_hexspine_run_along_one_hexside() {
    for (from, to, along) in [("P6", "Q8", "along P7|Q7"), ("Q9", "R7", "along Q8|R8")] {
        let told = told(from, to);
        assert_eq!(told.len(), 5, "{told:?}");
        assert_eq!(told[2], along);
    }
}

#[test]
fn a_straight_line_down_a_column_does_not_graze() {
    assert_eq!(
        told("E2", "E4"),
        ["E2", "over E2|E3", "E3", "over E3|E4", "E4"]
    );
    let line = trace_between(hex("E2"), hex("E4"));
    assert!(!line.grazing());
    assert_eq!(read("E2", "E4", Side::Left), read("E2", "E4", Side::Right));
}

#[test]
fn a_line_can_meet_a_vertex_on_its_way_through_hexes() {
    // Offset (4, 1): in by one hex of the vertex and out by the second, past the third.
    let trace = Trace::new(Hex::new(0, 0).into(), Hex::new(4, 1).into());
    let past: Vec<_> = trace
        .touched()
        .iter()
        .filter(|touch| touch.contact() == Contact::Vertex)
        .collect();
    assert_eq!(past.len(), 2);
    for touch in past {
        assert_ne!(touch.is_on(Side::Left), touch.is_on(Side::Right));
    }
    let [left, right] = trace.readings();
    assert_eq!(left.crossings().len() + right.crossings().len(), 12);
}

#[test]
fn a_line_of_no_length_touches_its_hex() {
    let trace = Trace::new(hex("K5").into(), hex("K5").into());
    assert_eq!(trace.events(), []);
    assert!(!trace.grazing());
    assert_eq!(trace.range(), 0);
    let end = Touch {
        hex: hex("K5"),
        contact: Contact::End as u8,
        readings: 0b11,
    };
    assert_eq!(trace.touched(), [end]);
    for reading in trace.readings() {
        assert_eq!(reading.crossings(), []);
        assert_eq!(reading.start(), Some(hex("K5")));
        assert_eq!(reading.end(), Some(hex("K5")));
    }
}

#[test]
fn a_line_of_no_length_at_a_vertex_touches_three_hexes_and_runs_through_none() {
    let here = Hex::new(0, 0);
    for k in 0..6 {
        let from = Aim::corner(here, k).unwrap();
        for other in from.vertex().unwrap().hexes() {
            let to = (0..6)
                .filter_map(|k| Aim::corner(other, k))
                .find(|aim| aim.vertex() == from.vertex())
                .unwrap();
            let trace = Trace::new(from, to);
            assert_eq!(trace.events(), []);
            assert!(!trace.grazing());
            assert_eq!(trace.range(), here.range(other));
            assert_eq!(trace.readings()[0].hexes().count(), 0);
            assert_eq!(trace.readings()[0], trace.readings()[1]);
            assert_eq!(trace.touched().len(), 3);
            for touch in trace.touched() {
                let end = touch.hex == here || touch.hex == other;
                assert_eq!(touch.contact() == Contact::End, end);
                assert_eq!(touch.readings, 0);
            }
        }
    }
}

#[test]
fn along_one_hexside_from_end_to_end() {
    // From the north-east corner of a hex to its eastern one, along its own hexside NE.
    let here = Hex::new(0, 0);
    let aim = |k| Aim::corner(here, k).unwrap();
    let trace = Trace::new(aim(0), aim(1));
    let side = here.hexsides()[1];
    assert_eq!(trace.events(), [Event::Along(side)]);
    assert!(trace.grazing());
    let [left, right] = trace.readings();
    assert_eq!(left.start(), side.beyond(here));
    assert_eq!(right.start(), Some(here));
    assert!(left.crossings().is_empty() && right.crossings().is_empty());
}

#[test]
fn from_a_vertex_away_from_its_hex() {
    // Out of the east corner of a hex due east: the line is never in that hex, which yet is
    // where the firer is.
    let here = Hex::new(0, 0);
    let trace = Trace::new(Aim::corner(here, 1).unwrap(), Hex::new(2, -1).into());
    assert!(trace.grazing());
    let [first, ..] = trace.touched() else {
        panic!("a line touches hexes")
    };
    assert_eq!((first.hex, first.contact()), (here, Contact::End));
    assert_eq!(first.readings, 0);
    assert_eq!(trace.reading(Side::Left).start(), Some(Hex::new(1, -1)));
    assert_eq!(trace.reading(Side::Right).start(), Some(Hex::new(1, 0)));
}
