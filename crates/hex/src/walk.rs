//! Following a line from hex to hex.
//!
//! Everything is decided by the sign of a cross product: to which side of the line a corner
//! lies. A hex is convex, so going round its corners the sign changes exactly twice, once where
//! the line comes in and once where it goes out. A nudged line has no corner on it: one that
//! lies on the line itself counts as being on the side away from the nudge.

use crate::lattice::Point;
use crate::{Crossing, Direction, Event, Hex, Hexside, Side, Vertex};

/// A hex on the way, with its centre.
///
/// The hex wraps at the ends of `i16`, the centre does not: all decisions are made on the
/// centre.
#[derive(Copy, Clone)]
struct Stand {
    hex: Hex,
    centre: Point,
}

impl Stand {
    fn at(hex: Hex) -> Stand {
        Stand {
            hex,
            centre: Point::centre(hex),
        }
    }

    fn corner(self, k: u8) -> Point {
        self.centre.plus(Point::to_corner(k))
    }

    fn beyond(self, direction: Direction) -> Stand {
        Stand {
            hex: self.hex.neighbour(direction),
            centre: self.centre.plus(Point::to_neighbour(direction)),
        }
    }

    /// The three hexes at a vertex, each with the number of the vertex's corner of it.
    fn around(vertex: Point) -> [(Stand, u8); 3] {
        Vertex::from_point(vertex).corners().map(|(hex, corner)| {
            let centre = vertex.minus(Point::to_corner(corner));
            (Stand { hex, centre }, corner)
        })
    }
}

/// Where a line that leaves a vertex goes.
#[derive(Copy, Clone)]
enum Ahead {
    /// Into the inside of a hex.
    Inside(Stand),
    /// Along a hexside, named from the hex to the line's left.
    Between(Stand, Direction),
}

/// A line between two different points, endless for the purpose of asking on which side of it
/// a point lies.
pub(crate) struct Line {
    from: Point,
    to: Point,
    direction: Point,
    /// How much further right each corner lies than its hex's centre.
    corners: [i64; 6],
}

impl Line {
    /// The line through two points, or nothing if they are one.
    pub(crate) fn new(from: Point, to: Point) -> Option<Line> {
        let direction = to.minus(from);
        let corners = [0, 1, 2, 3, 4, 5].map(|k| direction.cross(Point::to_corner(k)));
        (from != to).then_some(Line {
            from,
            to,
            direction,
            corners,
        })
    }

    /// Negative left of the line, 0 on it, positive right of it.
    fn side(&self, point: Point) -> i64 {
        self.direction.cross(point.minus(self.from))
    }

    /// The same for the six corners of a hex.
    fn sides(&self, stand: Stand) -> [i64; 6] {
        let centre = self.side(stand.centre);
        self.corners.map(|corner| centre + corner)
    }

    /// How far the edges of a hex on both sides of its corner `k` are turned from the line's
    /// direction: both positive where that direction, put at the corner, points into the hex's
    /// inside; the first 0 where it points along the edge clockwise from the corner, the second
    /// 0 where along the edge anticlockwise from it.
    fn opening(&self, k: u8) -> (i64, i64) {
        let at = |k: u8| self.corners[usize::from(k % 6)];
        (at(k) - at(k + 1), at(k + 5) - at(k))
    }

    /// The hex into which the line, nudged, leaves a vertex (`back` false) or from which it
    /// comes to a vertex (`back` true).
    fn nudged_at(&self, vertex: Point, nudge: Side, back: bool) -> Option<Stand> {
        // A line looked along the other way has its left on the other side.
        let right = (nudge == Side::Right) != back;
        Stand::around(vertex)
            .into_iter()
            .find(|&(_, corner)| {
                let (clockwise, anticlockwise) = match (self.opening(corner), back) {
                    (opening, false) => opening,
                    ((c, a), true) => (-c, -a),
                };
                // Clockwise of an edge that it runs along is to the line's right.
                (clockwise > 0 || clockwise == 0 && right)
                    && (anticlockwise > 0 || anticlockwise == 0 && !right)
            })
            .map(|(stand, _)| stand)
    }

    /// The nudged reading: the first hex and the crossings from there. The aims' hexes are
    /// given where the line starts or ends at a centre.
    pub(crate) fn nudged(
        &self,
        nudge: Side,
        from: Option<Hex>,
        to: Option<Hex>,
    ) -> (Option<Hex>, Vec<Crossing>) {
        let start = match from {
            Some(hex) => Some(Stand::at(hex)),
            None => self.nudged_at(self.from, nudge, false),
        };
        let end = match to {
            Some(hex) => Some(Stand::at(hex)),
            None => self.nudged_at(self.to, nudge, true),
        };
        let mut crossings = Vec::new();
        if let (Some(mut at), Some(end)) = (start, end) {
            while at.centre != end.centre {
                let Some(direction) = self.nudged_exit(at, nudge) else {
                    debug_assert!(false, "a nudged line leaves every hex that it enters");
                    break;
                };
                let next = at.beyond(direction);
                crossings.push(Crossing {
                    from: at.hex,
                    to: next.hex,
                });
                at = next;
            }
        }
        (start.map(|stand| stand.hex), crossings)
    }

    /// The hexside by which the nudged line leaves a hex: going round clockwise, the one that
    /// leads from the line's left to its right.
    fn nudged_exit(&self, stand: Stand, nudge: Side) -> Option<Direction> {
        let right = self
            .sides(stand)
            .map(|side| side > 0 || side == 0 && nudge == Side::Left);
        Direction::ALL.into_iter().find(|direction| {
            let k = usize::from(direction.index());
            !right[(k + 5) % 6] && right[k]
        })
    }

    /// Where the line itself goes from a vertex on it.
    fn ahead(&self, vertex: Point) -> Option<Ahead> {
        let around = Stand::around(vertex);
        let opening = |corner| self.opening(corner);
        if let Some(&(stand, _)) = around.iter().find(|&&(_, corner)| {
            let (clockwise, anticlockwise) = opening(corner);
            clockwise > 0 && anticlockwise > 0
        }) {
            return Some(Ahead::Inside(stand));
        }
        let &(left, corner) = around.iter().find(|&&(_, corner)| {
            let (clockwise, anticlockwise) = opening(corner);
            clockwise > 0 && anticlockwise == 0
        })?;
        // From its corner k anticlockwise runs a hex's hexside k.
        let side = Direction::ALL[usize::from(corner)];
        Some(Ahead::Between(left, side))
    }

    /// What the line meets, told to `report` in order.
    pub(crate) fn follow(&self, from: Option<Hex>, report: &mut impl FnMut(Event)) {
        let mut place = match from {
            Some(hex) => Some(Ahead::Inside(Stand::at(hex))),
            None => self.ahead(self.from),
        };
        while let Some(at) = place {
            let vertex = match at {
                Ahead::Inside(stand) => {
                    report(Event::Enter(stand.hex));
                    if stand.centre == self.to {
                        return;
                    }
                    match self.exit(stand) {
                        Some(Exit::Over(direction)) => {
                            report(Event::Cross(Hexside::of(stand.hex, direction)));
                            place = Some(Ahead::Inside(stand.beyond(direction)));
                            continue;
                        }
                        Some(Exit::By(vertex)) => vertex,
                        None => break,
                    }
                }
                Ahead::Between(left, side) => {
                    report(Event::Along(Hexside::of(left.hex, side)));
                    left.corner(side.index() + 5)
                }
            };
            if vertex == self.to {
                return;
            }
            report(Event::Through(Vertex::from_point(vertex)));
            place = self.ahead(vertex);
        }
        debug_assert!(false, "a line goes on from everywhere but its end");
    }

    /// How the line leaves a hex through whose inside it runs.
    fn exit(&self, stand: Stand) -> Option<Exit> {
        let sides = self.sides(stand);
        (0..6u8).find_map(|k| {
            let before = sides[usize::from((k + 5) % 6)];
            let here = sides[usize::from(k)];
            let after = sides[usize::from((k + 1) % 6)];
            if before < 0 && here > 0 {
                Some(Exit::Over(Direction::ALL[usize::from(k)]))
            } else if here == 0 && after > 0 {
                // At a corner by which the line came in, the next one is to its left.
                Some(Exit::By(stand.corner(k)))
            } else {
                None
            }
        })
    }
}

/// How a line leaves the inside of a hex.
enum Exit {
    /// Over a hexside.
    Over(Direction),
    /// By a vertex.
    By(Point),
}
