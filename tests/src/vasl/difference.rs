//! Why VASL and Alamein differ on a line.

use std::collections::BTreeSet;

use alamein_hex::{Contact, Grid, Hex, Side, Touch};
use alamein_terrain::{FoundEffect, LosResult, PlaceName, Ruling};

use super::peer::{Blocked, Look, Peer, Sight, Why};

/// Why they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// VASL takes a hillock for half a level higher than it is.
    HalfLevelTooHigh,
    /// The line meets the hillock that blocks it at a vertex only, and VASL's pixels miss it.
    VertexOnTheWay,
    /// VASL counts as crossed the hillock on which the line ends, if a pixel of the line leaves it.
    OwnHillock,
    /// The line leaves the hex of a unit that is aimed at, or aims, at a vertex over another hexside than
    /// VASL thinks, so that another hillock is adjacent.
    AdjacentAtVertex,
    /// The hex that blocks only shares the vertex that is an end of the line; VASL's last pixel is in it.
    VertexOfEnd,
    /// The line passes a hill hex where the picture shows lower ground: its Crest Line runs through it.
    CrestLineInHex,
    /// VASL lets who is on a hillock below a hill see over it, up to the level of its ground.
    HillockBelow,
    /// The line, aimed at a vertex, runs through a hill hex as far away as its end, and VASL does not look
    /// there.
    FarAsTheEnd,
    /// An end is a vertex off the picture, where VASL stops looking and says that there is a LOS.
    OffThePicture,
    /// The line runs along a hexside with a hill on one side, and VASL's pixels are in it.
    HillBeside,
}

impl Difference {
    /// Every one.
    pub const ALL: [Self; 10] = [
        Self::HalfLevelTooHigh,
        Self::VertexOnTheWay,
        Self::OwnHillock,
        Self::AdjacentAtVertex,
        Self::VertexOfEnd,
        Self::CrestLineInHex,
        Self::HillockBelow,
        Self::FarAsTheEnd,
        Self::OffThePicture,
        Self::HillBeside,
    ];

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HalfLevelTooHigh => "a hillock half a level too high",
            Self::VertexOnTheWay => "a vertex on the way",
            Self::OwnHillock => "the hillock of the line's own end",
            Self::AdjacentAtVertex => "the hillock adjacent to a vertex",
            Self::VertexOfEnd => "the vertex of an end",
            Self::CrestLineInHex => "a Crest Line within a hex",
            Self::HillockBelow => "a hillock below a hill",
            Self::FarAsTheEnd => "a hill as far away as a vertex that is an end",
            Self::OffThePicture => "an end off the picture",
            Self::HillBeside => "a hill on one side of a hexside",
        }
    }
}

/// A line on which the two may differ.
pub struct Case<'a> {
    /// What Alamein says.
    pub ruling: &'a Ruling,
    /// What VASL sees.
    pub sight: &'a Sight<'a>,
    /// The board.
    pub peer: &'a Peer,
    /// The grid whose names the ruling uses.
    pub grid: Grid,
}

impl Case<'_> {
    /// Whether Alamein says that the line is blocked.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        let los = self.ruling.verdict.los();
        los.is_some_and(|los| los.result == LosResult::Blocked)
    }

    /// Why it differs from what VASL, looking so, finds; nothing if that is not known.
    #[must_use]
    pub fn why(&self, look: Look, found: Option<Blocked>) -> Option<Difference> {
        match found {
            Some(found) => self.why_it_blocks(look, found),
            None => self.why_it_sees(look),
        }
    }

    /// Why VASL says that there is a LOS: what else it would have to do to find what blocks it.
    fn why_it_sees(&self, look: Look) -> Option<Difference> {
        if self.sight.is_off_the_picture() {
            return Some(Difference::OffThePicture);
        }
        if self.only_a_vertex_blocks() {
            return Some(Difference::VertexOnTheWay);
        }
        let over_hills = Look {
            over_hills: false,
            ..look
        };
        let painted = Look {
            painted: false,
            ..look
        };
        let far = Look { far: false, ..look };
        // Some hills take two things, one of which is that the picture shows lower ground.
        let also_painted = |look: Look| Look {
            painted: false,
            ..look
        };
        let tried = [
            (over_hills, Difference::HillockBelow),
            (painted, Difference::CrestLineInHex),
            (far, Difference::FarAsTheEnd),
            (also_painted(over_hills), Difference::HillockBelow),
            (also_painted(far), Difference::FarAsTheEnd),
        ];
        let blocked = |(look, _): &(Look, Difference)| self.sight.blocked(*look).is_some();
        tried.into_iter().find(blocked).map(|(_, why)| why)
    }

    /// Why VASL says that there is none.
    fn why_it_blocks(&self, look: Look, found: Blocked) -> Option<Difference> {
        let adjacency = false;
        let own_hillock = false;
        let sees = |look: Look| self.sight.blocked(look).is_none();
        match found.why {
            Why::HalfLevelTooHigh => Some(Difference::HalfLevelTooHigh),
            _ if self.meeting(found.hex) == Some(Meeting::VertexOfEnd) => {
                Some(Difference::VertexOfEnd)
            }
            Why::SecondHillock
                if sees(Look {
                    own_hillock,
                    ..look
                }) =>
            {
                Some(Difference::OwnHillock)
            }
            Why::Hillock if sees(Look { adjacency, ..look }) => Some(Difference::AdjacentAtVertex),
            Why::Ground if self.meeting(found.hex) == Some(Meeting::Along) => {
                Some(Difference::HillBeside)
            }
            _ => None,
        }
    }

    /// All that blocks is hillocks that the line meets at vertices on its way and nowhere else, and no
    /// pixel of them is among those at which VASL looks.
    fn only_a_vertex_blocks(&self) -> bool {
        let blocking = self.blocking();
        let by_a_vertex = |hillock: &Option<u32>| {
            let is_of_it = |hex: Hex| hillock.is_some() && self.peer.hillock_of(hex) == *hillock;
            let touched = self.sight.trace().touched().iter();
            let mut met = touched
                .filter(|touched| is_of_it(touched.hex))
                .map(Meeting::of);
            let mut visits = self.sight.visits.iter().filter(|visit| visit.hillock);
            met.clone().any(|met| met == Meeting::VertexOnTheWay)
                && met.all(|met| matches!(met, Meeting::VertexOnTheWay | Meeting::VertexOfEnd))
                && !visits.any(|visit| self.peer.hex_at(visit.hex).is_some_and(is_of_it))
        };
        !blocking.is_empty() && blocking.iter().all(by_a_vertex)
    }

    /// The hillocks that block, by the ruling; nothing in the place of what is no hillock.
    fn blocking(&self) -> BTreeSet<Option<u32>> {
        let findings = self.ruling.standing_findings();
        findings
            .filter(|finding| finding.effect == FoundEffect::Blocks)
            .map(|finding| match &finding.place {
                PlaceName::Hex(name) => self.peer.hillock_of(self.grid.hex(name).ok()?),
                PlaceName::Whole | PlaceName::Hexside(_) => None,
            })
            .collect()
    }

    /// How the line meets a hex, if it does.
    fn meeting(&self, hex: Hex) -> Option<Meeting> {
        let mut touched = self.sight.trace().touched().iter();
        touched.find(|touched| touched.hex == hex).map(Meeting::of)
    }
}

/// How a line meets a hex.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    /// At a vertex past which it runs.
    VertexOnTheWay,
    /// At the vertex at which it starts or ends.
    VertexOfEnd,
    /// Along a hexside of it.
    Along,
    /// Through it, or it starts or ends there.
    Inside,
}

impl Meeting {
    fn of(touched: &Touch) -> Self {
        let passed = Side::BOTH.into_iter().any(|side| touched.is_on(side));
        match (touched.contact(), passed) {
            (Contact::Vertex, true) => Self::VertexOnTheWay,
            (Contact::Vertex, false) => Self::VertexOfEnd,
            (Contact::Along, _) => Self::Along,
            (Contact::Through | Contact::End, _) => Self::Inside,
        }
    }
}
