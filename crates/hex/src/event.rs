//! What a line meets on its way.

use crate::{Hex, Hexside, Vertex};

/// One thing that a line does on its way from one aiming point to the other.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Event {
    /// It runs through the inside of a hex. A line that starts at a hex's centre enters that
    /// hex first of all.
    Enter(Hex),
    /// It crosses a hexside between its ends.
    Cross(Hexside),
    /// It runs along a hexside, from one end to the other.
    Along(Hexside),
    /// It meets a vertex strictly between its aiming points.
    Through(Vertex),
}

impl Event {
    /// The same event on a map shifted by that offset.
    #[must_use]
    pub fn shifted(self, by: Hex) -> Event {
        match self {
            Event::Enter(hex) => Event::Enter(hex + by),
            Event::Cross(side) => Event::Cross(side.shifted(by)),
            Event::Along(side) => Event::Along(side.shifted(by)),
            Event::Through(vertex) => Event::Through(vertex.shifted(by)),
        }
    }
}
