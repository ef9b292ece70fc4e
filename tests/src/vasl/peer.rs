//! What VASL makes of a line over Open Ground, hills and hillocks.
//!
//! It takes a hillock for half a level higher than it is, since August 2016, so that none is seen over
//! from its own level, and its rule for hillocks (6.4) is never reached. [`Look::fault`] false is VASL
//! with that taken out. The other settings take out what else its rule does otherwise.

use std::collections::BTreeSet;

use alamein_hex::{Grid, Hex, Reading, Trace};
use alamein_maps::vasl::VaslBoard;
use anyhow::{Context, Result, ensure};

use super::golden::Spot;
use super::picture::{Picture, Pixel, Place, centre, midpoints, neighbour, vertex};
use super::walk::{End, Visit, is_along, range, visits};

/// The terrain code of hillocks.
const HILLOCK: u8 = 105;

/// How VASL looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// A hillock is half a level too high.
    pub fault: bool,
    /// The hexside by which a line leaves the hex of an end is found as VASL does, and not where it is.
    pub adjacency: bool,
    /// A hillock that the line leaves counts as crossed even if it ends on it.
    pub own_hillock: bool,
    /// The ground is as high as it is painted, and not as its hex.
    pub painted: bool,
    /// Ground as high as the higher end does not block if either end is on a hillock, the lower one
    /// too.
    pub over_hills: bool,
    /// A hex as far from one end as the other end is does not block, even if the line, aimed at a
    /// vertex, runs through it.
    pub far: bool,
}

impl Look {
    /// VASL as it is.
    pub const AS_IT_IS: Self = Self {
        fault: true,
        adjacency: true,
        own_hillock: true,
        painted: true,
        over_hills: true,
        far: true,
    };
    /// VASL with its fault taken out.
    pub const MENDED: Self = Self {
        fault: false,
        ..Self::AS_IT_IS
    };
}

/// Why a line is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The ground is higher than both ends, or as high as the higher one.
    Ground,
    /// The lower end is in a Blind Hex behind a bare Crest Line.
    BlindHex,
    /// The fault.
    HalfLevelTooHigh,
    /// By 6.4: between units on the ground, a hillock adjacent to neither.
    Hillock,
    /// By 6.4: from a hillock, the second one.
    SecondHillock,
}

/// Where and why a line is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The pixel.
    pub pixel: Pixel,
    /// The hex for which it was looked at.
    pub hex: Hex,
    /// Why.
    pub why: Why,
}

/// A board as VASL sees it.
pub struct Peer {
    picture: Picture,
    /// Its hexes, in the order of the picture's.
    grid: Grid,
    levels: Vec<i16>,
    /// The number of each hex's hillock.
    hillocks: Vec<Option<u32>>,
}

/// A line that VASL looks along.
pub struct Sight<'a> {
    peer: &'a Peer,
    ends: [End; 2],
    levels: [i16; 2],
    on_hillock: [bool; 2],
    trace: Trace,
    /// What it meets.
    pub visits: Vec<Visit>,
}

impl Peer {
    /// The same board, from its pixels and its hexes.
    ///
    /// # Errors
    /// Hexes that do not fit the picture.
    pub fn new(picture: Picture, board: &VaslBoard) -> Result<Self> {
        let count = board.grid.len();
        let last = picture.place(count.saturating_sub(1));
        ensure!(
            last.is_some() && picture.place(count).is_none(),
            "the picture has other hexes"
        );
        let levels = board.hexes.iter().map(|hex| i16::from(hex.base_level));
        let mut peer = Self {
            levels: levels.collect(),
            hillocks: vec![None; count],
            picture,
            grid: board.grid,
        };
        let is_hillock = |index: usize| {
            let hex = board.hexes.get(index);
            hex.is_some_and(|hex| hex.terrain.code == HILLOCK)
        };
        for (number, start) in (0..).zip(0..count) {
            let mut next = vec![start];
            while let Some(index) = next.pop() {
                if is_hillock(index) && peer.hillocks[index].is_none() {
                    peer.hillocks[index] = Some(number);
                    let place = peer.picture.place(index).context("a hex without a place")?;
                    let around = (0..6).map(|side| neighbour(place, side));
                    next.extend(around.filter_map(|place| peer.picture.index(place)));
                }
            }
        }
        Ok(peer)
    }

    /// Whether the board has hillocks at all.
    #[must_use]
    pub fn has_hillocks(&self) -> bool {
        self.hillocks.iter().any(Option::is_some)
    }

    /// Whether it is flat: on such a board nothing that is known here blocks.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        !self.has_hillocks() && self.levels.iter().all(|level| *level == 0)
    }

    /// The number of a hex's hillock.
    #[must_use]
    pub fn hillock_of(&self, hex: Hex) -> Option<u32> {
        self.hillocks[self.index(hex)?]
    }

    /// The hex in a place.
    #[must_use]
    pub fn hex_at(&self, place: Place) -> Option<Hex> {
        self.grid.hex_at(self.picture.index(place)?)
    }

    fn level_at(&self, place: Place) -> Option<i16> {
        self.levels.get(self.picture.index(place)?).copied()
    }

    fn index(&self, hex: Hex) -> Option<usize> {
        self.grid.index(hex)
    }

    fn hillock_at(&self, place: Place) -> Option<u32> {
        self.hillocks[self.picture.index(place)?]
    }

    fn end(&self, spot: Spot) -> Result<(End, i16, bool)> {
        let index = self.index(spot.aim.hex).context("an end off the board")?;
        let hex = self.picture.place(index).context("a hex without a place")?;
        let point = match spot.aim.corner {
            None => centre(hex),
            Some(corner) => vertex(hex, corner + 1),
        };
        let on_hillock = match spot.hexside {
            None => self.hillocks[index].is_some(),
            Some(side) => {
                let middle = midpoints(hex)[usize::from(side % 6)];
                self.picture
                    .at(middle)
                    .is_some_and(|(_, code)| code == HILLOCK)
            }
        };
        let is_centre = spot.aim.corner.is_none();
        let end = End {
            hex,
            point,
            is_centre,
        };
        Ok((end, self.levels[index], on_hillock))
    }

    /// The line from one end to the other.
    ///
    /// # Errors
    /// An end that is not on the board.
    pub fn sight(&self, spots: [Spot; 2]) -> Result<Sight<'_>> {
        let [from, to] = [self.end(spots[0])?, self.end(spots[1])?];
        let ends = [from.0, to.0];
        let is_hillock = |place: Place| self.hillock_at(place).is_some();
        // Within one hex a line from or to its centre is not looked at.
        let apart = ends[0].hex != ends[1].hex || !ends[0].is_centre && !ends[1].is_centre;
        let visits = match apart {
            true => visits(&self.picture, ends, HILLOCK, is_hillock),
            false => Vec::new(),
        };
        Ok(Sight {
            peer: self,
            ends,
            levels: [from.1, to.1],
            on_hillock: [from.2, to.2],
            trace: Trace::new(spots[0].aim, spots[1].aim),
            visits,
        })
    }
}

impl Sight<'_> {
    /// How the line itself touches hexes.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Whether an end is off the picture, as some vertices of the hexes at its edge are.
    #[must_use]
    pub fn is_off_the_picture(&self) -> bool {
        let picture = &self.peer.picture;
        self.ends.iter().any(|end| picture.at(end.point).is_none())
    }

    /// Where it is blocked, if it is.
    #[must_use]
    pub fn blocked(&self, look: Look) -> Option<Blocked> {
        let mut state = State {
            adjacent: self.adjacent(look),
            crossing: self
                .peer
                .hillock_at(self.ends[0].hex)
                .filter(|_| self.on_hillock[0]),
            crossed: BTreeSet::new(),
            at: self.ends[0].hex,
        };
        let own = self.peer.hillock_at(self.ends[1].hex);
        for visit in &self.visits {
            state.enter(self.peer, visit.hex);
            if !look.own_hillock {
                state.crossed.retain(|hillock| Some(*hillock) != own);
            }
            if let Some(why) = self
                .looks_at(look, visit)
                .then(|| self.rule(look, &state, visit))
                .flatten()
            {
                let hex = self.peer.hex_at(visit.hex)?;
                let pixel = visit.pixel;
                return Some(Blocked { pixel, hex, why });
            }
        }
        None
    }

    /// Whether what stands at a pixel matters: it is in no end's hex and not as far from an end as the
    /// other end is; but at an end that is a vertex, what fills its hex does.
    fn looks_at(&self, look: Look, visit: &Visit) -> bool {
        let [from, to] = self.ends;
        let whole = range(from.hex, to.hex);
        let ranges = [from, to].map(|end| range(visit.hex, end.hex));
        let [at_from, at_to] = [from, to].map(|end| visit.hex == end.hex && !end.is_centre);
        let along = is_along([from.point, to.point], whole);
        let beside = ranges[0] == whole && along && !to.is_centre;
        let behind = look.far && ranges.contains(&whole);
        let between = !behind && !ranges.contains(&0);
        between || visit.hillock && (at_from || at_to || beside)
    }

    fn rule(&self, look: Look, state: &State, visit: &Visit) -> Option<Why> {
        let hillock = self.peer.hillock_at(visit.hex);
        if visit.hillock && hillock.is_none() {
            return None;
        }
        let ground = match look.painted {
            true => visit.level,
            false => self.peer.level_at(visit.hex)?,
        };
        let [from, to] = self.levels;
        let (lower, higher) = (from.min(to), from.max(to));
        if look.fault && visit.hillock && ground == higher {
            return Some(Why::HalfLevelTooHigh);
        }
        if ground != lower || lower != higher {
            return self.hill(look, visit.hex, ground);
        }
        let discount = |end: usize| usize::from(state.adjacent[end].is_some());
        match self.on_hillock {
            [true, true] => None,
            [true, false] => (state.crossed.len() > 2 + discount(1)).then_some(Why::SecondHillock),
            [false, true] => (state.crossed.len() > 1 + discount(0)).then_some(Why::SecondHillock),
            [false, false] if hillock.is_some() && state.adjacent.contains(&hillock) => None,
            [false, false] => visit.hillock.then_some(Why::Hillock),
        }
    }

    /// What ground at this level does, if it is not the one level of both ends.
    fn hill(&self, look: Look, hex: Place, ground: i16) -> Option<Why> {
        let upper = usize::from(self.levels[1] > self.levels[0]);
        let (higher, lower) = (self.levels[upper], self.levels[1 - upper]);
        let on_hillock = match look.over_hills {
            true => self.on_hillock.contains(&true),
            false => self.on_hillock[upper],
        };
        if ground > higher || ground == higher && !on_hillock {
            return Some(Why::Ground);
        }
        let ranges = self.ends.map(|end| range(hex, end.hex));
        let hidden = 2 * i32::from(ground) + ranges[upper] / 5 - i32::from(higher + lower);
        let hides = ranges[1 - upper] <= hidden.max(0);
        (lower < ground && ground < higher && hides).then_some(Why::BlindHex)
    }

    /// The hillock adjacent to each end that is on none.
    fn adjacent(&self, look: Look) -> [Option<u32>; 2] {
        let found = if look.adjacency {
            [0, 1].map(|end| {
                let sides = self.hexsides_of(end).into_iter();
                sides
                    .map(|side| neighbour(self.ends[end].hex, side))
                    .filter_map(|place| self.peer.hillock_at(place))
                    .next_back()
            })
        } else {
            let beside = |end: usize| {
                let next = self
                    .trace
                    .readings()
                    .iter()
                    .filter_map(|reading| next_to(end, reading, &self.trace));
                next.filter_map(|hex| self.peer.hillock_of(hex)).next_back()
            };
            [0, 1].map(beside)
        };
        [0, 1].map(|end: usize| found[end].filter(|_| !self.on_hillock[end]))
    }

    /// By which hexsides the line leaves an end's hex, as VASL has it. For a centre it looks at where
    /// the line starts, and takes the opposite hexsides for where it ends, even if it starts at a vertex.
    fn hexsides_of(&self, end: usize) -> Vec<u8> {
        let [from, to] = self.ends;
        let line = [from.point, to.point];
        if !self.ends[end].is_centre {
            let hex = self.ends[end].hex;
            let mut met = self.peer.picture.hexsides_met(hex, line);
            if met.len() > 2 {
                let ends_there = |side: u8| line.contains(&vertex(hex, side));
                met.retain(|side| !ends_there(*side) && !ends_there(side + 1));
            }
            met.truncate(2);
            return met;
        }
        let (dx, dy) = (to.point.0 - from.point.0, to.point.1 - from.point.1);
        let leaving = match (dx.signum(), dy.signum()) {
            (0, -1) => vec![0],
            (0, _) => vec![3],
            (1, 0) => vec![1, 2],
            (_, 0) => vec![4, 5],
            (right, down) if is_along(line, range(from.hex, to.hex)) => match (right, down) {
                (1, 1) => vec![2, 3],
                (1, _) => vec![0, 1],
                (_, 1) => vec![3, 4],
                _ => vec![5, 0],
            },
            _ => {
                let met = self.peer.picture.hexsides_met(from.hex, line);
                met.into_iter().take(1).collect()
            }
        };
        let opposite = |side: u8| (side + 3) % 6;
        match end {
            0 => leaving,
            _ => leaving.into_iter().map(opposite).collect(),
        }
    }
}

/// The hex into which a reading of a line leaves the hex of an end.
fn next_to(end: usize, reading: &Reading, trace: &Trace) -> Option<Hex> {
    let mut hexes: Vec<Hex> = reading.hexes().collect();
    let of_end = [trace.from(), trace.to()][end].hex;
    if end == 1 {
        hexes.reverse();
    }
    hexes.into_iter().find(|hex| *hex != of_end)
}

/// What VASL keeps in mind along a line.
struct State {
    adjacent: [Option<u32>; 2],
    crossing: Option<u32>,
    crossed: BTreeSet<u32>,
    at: Place,
}

impl State {
    fn enter(&mut self, peer: &Peer, hex: Place) {
        if hex == self.at {
            return;
        }
        self.at = hex;
        match (self.crossing, peer.hillock_at(hex)) {
            (Some(left), None) => {
                self.crossed.insert(left);
                self.crossing = None;
            }
            (None, entered) => self.crossing = entered,
            (Some(_), Some(_)) => {}
        }
    }
}
