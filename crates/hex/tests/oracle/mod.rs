//! The course of a line found the slow way, to check the fast one against.
//!
//! It shares no idea with the crate: another plane (three across for a column, two down for a
//! row), no walking from hex to hex, but the line as a segment with a parameter t from 0 to 1,
//! cut with each hexside of each hex anywhere near, in exact fractions. Nudged readings are
//! made with a real nudge: one too small to carry a vertex across the line, and real cuts again.

use std::cmp::Ordering;

use alamein_hex::{Aim, Contact, Direction, Event, Hex, Hexside, Vertex};

/// An exact fraction with a positive denominator.
#[derive(Copy, Clone, Debug)]
struct Fraction {
    above: i128,
    below: i128,
}

impl Fraction {
    const ZERO: Fraction = Fraction { above: 0, below: 1 };
    const ONE: Fraction = Fraction { above: 1, below: 1 };

    fn new(above: i128, below: i128) -> Fraction {
        let sign = below.signum();
        assert_ne!(sign, 0);
        Fraction {
            above: above * sign,
            below: below * sign,
        }
    }

    fn middle(self, other: Fraction) -> Fraction {
        Fraction {
            above: self.above * other.below + other.above * self.below,
            below: 2 * self.below * other.below,
        }
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Fraction) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Fraction {}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        (self.above * other.below).cmp(&(other.above * self.below))
    }
}

type Spot = (i128, i128);

/// The corners of a hex seen from its centre: north-east, then clockwise.
const CORNERS: [Spot; 6] = [(1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)];

fn cross(a: Spot, b: Spot) -> i128 {
    a.0 * b.1 - a.1 * b.0
}

fn minus(a: Spot, b: Spot) -> Spot {
    (a.0 - b.0, a.1 - b.1)
}

fn centre(hex: Hex) -> Spot {
    let (q, r) = (i128::from(hex.q), i128::from(hex.r));
    (3 * q, q + 2 * r)
}

fn corner(hex: Hex, k: usize) -> Spot {
    let (c, to) = (centre(hex), CORNERS[k % 6]);
    (c.0 + to.0, c.1 + to.1)
}

fn spot(aim: Aim) -> Spot {
    match aim.corner {
        Some(k) => corner(aim.hex, usize::from(k)),
        None => centre(aim.hex),
    }
}

/// A segment, and how many times its plane is enlarged.
#[derive(Copy, Clone)]
struct Segment {
    start: Spot,
    step: Spot,
    scale: i128,
}

/// How a segment meets a hexside.
enum Cut {
    /// Between the hexside's ends, at that t.
    Inside(Fraction),
    /// At an end of the hexside.
    End(Fraction),
    /// All along a stretch of it.
    Along(Fraction, Fraction),
}

impl Segment {
    /// Cuts the segment with hexside `k` of a hex, ends included on both.
    fn cut(&self, hex: Hex, k: usize) -> Option<Cut> {
        let enlarged = |(x, y): Spot| (x * self.scale, y * self.scale);
        let (p, q) = (corner(hex, k + 5), corner(hex, k));
        let edge = minus(q, p);
        let (p, q) = (enlarged(p), enlarged(q));
        let away = minus(p, self.start);
        let turn = cross(self.step, edge);
        if turn == 0 {
            if cross(away, self.step) != 0 {
                return None;
            }
            // On one line. Compare along the axis on which the segment is longer.
            let along = |at: Spot| {
                if self.step.0.abs() >= self.step.1.abs() {
                    Fraction::new(at.0 - self.start.0, self.step.0)
                } else {
                    Fraction::new(at.1 - self.start.1, self.step.1)
                }
            };
            let (first, last) = (along(p).min(along(q)), along(p).max(along(q)));
            let (first, last) = (first.max(Fraction::ZERO), last.min(Fraction::ONE));
            return match first.cmp(&last) {
                Ordering::Less => Some(Cut::Along(first, last)),
                Ordering::Equal => Some(Cut::End(first)),
                Ordering::Greater => None,
            };
        }
        // start + t * step = p + s * scale * edge
        let t = Fraction::new(cross(away, edge), turn);
        let s = Fraction::new(cross(away, self.step), turn * self.scale);
        if t < Fraction::ZERO || t > Fraction::ONE || s < Fraction::ZERO || s > Fraction::ONE {
            return None;
        }
        if s == Fraction::ZERO || s == Fraction::ONE {
            Some(Cut::End(t))
        } else {
            Some(Cut::Inside(t))
        }
    }

    /// Whether the point at an end of the segment lies strictly inside a hex.
    fn inside(&self, hex: Hex, point: Spot) -> bool {
        (0..6).all(|k| {
            let (p, q) = (corner(hex, k + 5), corner(hex, k));
            let p = (p.0 * self.scale, p.1 * self.scale);
            cross(
                (q.0 * self.scale - p.0, q.1 * self.scale - p.1),
                minus(point, p),
            ) > 0
        })
    }

    fn end(&self) -> Spot {
        (self.start.0 + self.step.0, self.start.1 + self.step.1)
    }

    /// The stretch of the segment in the closed hex, and whether it is more than a part of the
    /// hex's edge.
    fn stretch(&self, hex: Hex) -> Option<(Fraction, Fraction, bool)> {
        let mut at = Vec::new();
        let mut on_edge = false;
        for k in 0..6 {
            match self.cut(hex, k) {
                Some(Cut::Inside(t) | Cut::End(t)) => at.push(t),
                Some(Cut::Along(first, last)) => {
                    on_edge = true;
                    at.extend([first, last]);
                }
                None => {}
            }
        }
        if self.inside(hex, self.start) {
            at.push(Fraction::ZERO);
        }
        if self.inside(hex, self.end()) {
            at.push(Fraction::ONE);
        }
        let (first, last) = (at.iter().min()?, at.iter().max()?);
        Some((*first, *last, first < last && !on_edge))
    }
}

/// What the oracle says of a line.
pub(crate) struct Course {
    /// As `Trace::events`.
    pub(crate) events: Vec<Event>,
    /// The hexes of the left and of the right nudged reading.
    pub(crate) readings: [Vec<Hex>; 2],
    /// As `Trace::touched`: hex, contact, readings.
    pub(crate) touched: Vec<(Hex, Contact, u8)>,
    /// As `Trace::grazing`.
    pub(crate) grazing: bool,
}

/// Follows the line between two aims that are not at one point.
pub(crate) fn course(from: Aim, to: Aim) -> Course {
    let (start, end) = (spot(from), spot(to));
    let step = minus(end, start);
    assert_ne!(step, (0, 0));
    let exact = Segment {
        start,
        step,
        scale: 1,
    };
    let near = near(from, to, &exact);
    let events = events(&exact, &near);
    let readings = [-1, 1].map(|side| reading(from, to, side, &near));
    let mut touched: Vec<_> = near
        .iter()
        .filter_map(|&hex| {
            let (first, last, through) = exact.stretch(hex)?;
            let contact = if hex == from.hex || hex == to.hex {
                Contact::End
            } else if through {
                Contact::Through
            } else if first < last {
                Contact::Along
            } else {
                Contact::Vertex
            };
            let bits = (0..2).filter(|&side| readings[side].contains(&hex));
            Some((first, hex, contact, bits.map(|side| 1 << side).sum()))
        })
        .collect();
    touched.sort_by_key(|&(first, hex, ..)| (first, hex));
    Course {
        grazing: events
            .iter()
            .any(|event| matches!(event, Event::Along(_) | Event::Through(_))),
        events,
        readings,
        touched: touched
            .into_iter()
            .map(|(_, h, c, bits)| (h, c, bits))
            .collect(),
    }
}

/// Every hex that could have to do with the line, and more.
fn near(from: Aim, to: Aim, exact: &Segment) -> Vec<Hex> {
    let range = |a: i16, b: i16| a.min(b) - 2..=a.max(b) + 2;
    // By the measure of the cross product, no corner is further from its hex's centre.
    let reach = exact.step.0.abs() + 2 * exact.step.1.abs();
    range(from.hex.q, to.hex.q)
        .flat_map(|q| range(from.hex.r, to.hex.r).map(move |r| Hex::new(q, r)))
        .filter(|&hex| cross(exact.step, minus(centre(hex), exact.start)).abs() <= reach)
        .collect()
}

fn events(exact: &Segment, near: &[Hex]) -> Vec<Event> {
    let between_ends = |t: Fraction| Fraction::ZERO < t && t < Fraction::ONE;
    let mut events = Vec::new();
    for &hex in near {
        if let Some((first, last, true)) = exact.stretch(hex) {
            events.push((first.middle(last), Event::Enter(hex)));
        }
        // Three of the six, for the other three are the neighbours'.
        for k in 0..3 {
            let side = Hexside::of(hex, Direction::ALL[k]);
            match exact.cut(hex, k) {
                Some(Cut::Inside(t)) => events.push((t, Event::Cross(side))),
                Some(Cut::Along(first, last)) => {
                    events.push((first.middle(last), Event::Along(side)));
                }
                Some(Cut::End(_)) | None => {}
            }
        }
        for (k, vertex) in (0..6).filter_map(|k| Some((k, Vertex::of(hex, k)?))) {
            let away = minus(corner(hex, usize::from(k)), exact.start);
            if cross(away, exact.step) == 0 {
                let along = away.0 * exact.step.0 + away.1 * exact.step.1;
                let all = exact.step.0.pow(2) + exact.step.1.pow(2);
                let t = Fraction::new(along, all);
                if between_ends(t) {
                    events.push((t, Event::Through(vertex)));
                }
            }
        }
    }
    events.sort();
    events.dedup();
    events.into_iter().map(|(_, event)| event).collect()
}

/// The hexes of a nudged reading; `side` is -1 for left, 1 for right.
fn reading(from: Aim, to: Aim, side: i128, near: &[Hex]) -> Vec<Hex> {
    // Steps stay below 2^8 each way, so cross products with an edge stay below 2^10. Events on
    // the line are then at least 2^-10 in t from its ends, which are drawn in by 2^-14. The
    // nudge of 2^-30 shifts an event by less than 2^-20 in t; and it moves the line by less
    // than 2^-13, as the cross product measures it, where a vertex off the line is at least 1
    // away.
    const SCALE: i128 = 1 << 30;
    const DRAWN_IN: i128 = 1 << 14;
    let (start, end) = (spot(from), spot(to));
    let step = minus(end, start);
    assert!(step.0.abs().max(step.1.abs()) < 256);
    // Right of a step is a quarter turn clockwise, with y downward.
    let nudge = (-step.1 * side, step.0 * side);
    // Only an aim at a vertex needs drawing in: a nudged centre stays in its hex.
    let drawn = |aim: Aim| {
        if aim.corner.is_some() {
            SCALE / DRAWN_IN
        } else {
            0
        }
    };
    let (ahead, back) = (drawn(from), drawn(to));
    let nudged_start = (
        start.0 * SCALE + step.0 * ahead + nudge.0,
        start.1 * SCALE + step.1 * ahead + nudge.1,
    );
    let nudged_end = (
        end.0 * SCALE - step.0 * back + nudge.0,
        end.1 * SCALE - step.1 * back + nudge.1,
    );
    let nudged = Segment {
        start: nudged_start,
        step: minus(nudged_end, nudged_start),
        scale: SCALE,
    };
    let mut hexes: Vec<_> = near
        .iter()
        .filter_map(|&hex| {
            let (first, last, through) = nudged.stretch(hex)?;
            assert!(through && first < last, "a nudged line meets no vertex");
            Some((first, hex))
        })
        .collect();
    hexes.sort();
    hexes.into_iter().map(|(_, hex)| hex).collect()
}
