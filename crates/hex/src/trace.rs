//! The exact course of a line over the hexes.

use crate::walk::Line;
use crate::{Aim, Contact, Event, Hex, Reading, Side, Touch, Vertex};

/// The course of a straight line from one aiming point to another, decided in whole numbers.
///
/// It is told in three ways:
///
/// * [`Trace::events`]: what the line itself does, in order;
/// * [`Trace::readings`]: the hexsides it crosses when shifted by an infinitesimal step to its
///   left and to its right, which says on which hexes a line along a hexside or through a
///   vertex could be said to run;
/// * [`Trace::touched`]: every hex it touches, and how.
///
/// Traced the other way round, a line gives the same events in reverse, and the same readings
/// in reverse with left and right swapped.
///
/// ```
/// use alamein_hex::{Aim, Contact, Grid, Trace};
///
/// let board = Grid::geomorphic();
/// let (from, to) = (board.hex("P6")?, board.hex("Q8")?);
/// let trace = Trace::new(Aim::centre(from), Aim::centre(to));
///
/// assert!(trace.grazing(), "it runs along the hexside between P7 and Q7");
/// let [left, right] = trace.readings().each_ref().map(|reading| {
///     reading.hexes().filter_map(|hex| board.name(hex)).collect::<Vec<_>>()
/// });
/// assert_eq!(left, ["P6", "Q7", "Q8"]);
/// assert_eq!(right, ["P6", "P7", "Q8"]);
/// let contacts: Vec<_> = trace.touched().iter().map(|touch| touch.contact()).collect();
/// assert_eq!(contacts, [Contact::End, Contact::Along, Contact::Along, Contact::End]);
/// # Ok::<(), alamein_hex::NameError>(())
/// ```
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct Trace {
    from: Aim,
    to: Aim,
    grazing: bool,
    events: Box<[Event]>,
    readings: [Reading; 2],
    touched: Box<[Touch]>,
    between: Box<[Hex]>,
}

impl Trace {
    /// Traces the line from one aim to another.
    #[must_use]
    #[inline]
    pub fn new(from: Aim, to: Aim) -> Trace {
        match Line::new(from.point(), to.point()) {
            Some(line) => Trace::along(&line, from, to),
            None => Trace::standing(from, to),
        }
    }

    fn along(line: &Line, from: Aim, to: Aim) -> Trace {
        let centre = |aim: Aim| aim.corner.is_none().then_some(aim.hex);
        let mut events = Vec::new();
        line.follow(centre(from), &mut |event| events.push(event));
        let grazing = events
            .iter()
            .any(|event| matches!(event, Event::Along(_) | Event::Through(_)));
        let read = |side| {
            let (start, crossings) = line.nudged(side, centre(from), centre(to));
            Reading::new(start, crossings)
        };
        let left = read(Side::Left);
        let right = if grazing {
            read(Side::Right)
        } else {
            // Meeting no vertex and no hexside lengthwise, both cross the same hexsides.
            left.clone()
        };
        let readings = [left, right];
        let touched = touched(from, to, &events, &readings);
        Trace {
            between: between(&touched),
            touched,
            from,
            to,
            grazing,
            events: events.into(),
            readings,
        }
    }

    /// Both aims are at one point: there is no line, and yet that point touches hexes.
    fn standing(from: Aim, to: Aim) -> Trace {
        let inside = from.corner.is_none().then_some(from.hex);
        let reading = Reading::new(inside, Vec::new());
        let readings = [reading.clone(), reading];
        let touched = touched(from, to, &[], &readings);
        Trace {
            between: between(&touched),
            touched,
            from,
            to,
            grazing: false,
            events: Box::default(),
            readings,
        }
    }

    /// Where the line starts.
    #[must_use]
    #[inline]
    pub fn from(&self) -> Aim {
        self.from
    }

    /// Where the line ends.
    #[must_use]
    #[inline]
    pub fn to(&self) -> Aim {
        self.to
    }

    /// The range in hexes between the hexes of the two aims.
    #[must_use]
    #[inline]
    pub fn range(&self) -> u16 {
        self.from.hex.range(self.to.hex)
    }

    /// Whether the line runs along a hexside, or meets a vertex other than those it is aimed
    /// from and at, whether or not that matters to any rule.
    #[must_use]
    #[inline]
    pub fn grazing(&self) -> bool {
        self.grazing
    }

    /// What the line does, in order. Empty if both aims are at one point.
    #[must_use]
    #[inline]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The two nudged readings, left then right; equal if the line does not graze.
    ///
    /// A reading starts in the aim's hex where the aim is at the centre. Where it is at a
    /// vertex, it starts in the hex just ahead, and a reading to a vertex ends in the hex just
    /// before it: the hexsides that meet in an aiming point are not crossed there.
    #[must_use]
    #[inline]
    pub fn readings(&self) -> &[Reading; 2] {
        &self.readings
    }

    /// The nudged reading on one side.
    #[must_use]
    #[inline]
    pub fn reading(&self, side: Side) -> &Reading {
        let [left, right] = &self.readings;
        match side {
            Side::Left => left,
            Side::Right => right,
        }
    }

    /// Every hex that the line touches with its ends included, each once, in the order in which
    /// it is first met; hexes met at once are sorted.
    #[must_use]
    #[inline]
    pub fn touched(&self) -> &[Touch] {
        &self.touched
    }

    /// The hexes that lie between the ends, in the order of [`Trace::touched`]: those touched that
    /// hold neither end and through which a nudged reading runs. A hex that only shares the vertex at
    /// which the line starts or ends is not between.
    ///
    /// ```
    /// use alamein_hex::{Aim, Grid, Trace};
    ///
    /// let board = Grid::geomorphic();
    /// let trace = Trace::new(Aim::centre(board.hex("P6")?), Aim::centre(board.hex("Q8")?));
    /// let between: Vec<_> = trace.between().iter().filter_map(|hex| board.name(*hex)).collect();
    /// assert_eq!(between, ["P7", "Q7"]);
    /// # Ok::<(), alamein_hex::NameError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn between(&self) -> &[Hex] {
        &self.between
    }
}

#[inline]
fn between(touched: &[Touch]) -> Box<[Hex]> {
    let lies_between = |touch: &&Touch| touch.contact() != Contact::End && touch.readings != 0;
    let between = touched.iter().filter(lies_between);
    between.map(|touch| touch.hex).collect()
}

/// Collects the hexes that a line touches.
fn touched(from: Aim, to: Aim, events: &[Event], readings: &[Reading; 2]) -> Box<[Touch]> {
    let mut list = Touched(Vec::new());
    list.meet_aim(from);
    for &event in events {
        match event {
            Event::Enter(hex) => list.meet(hex, Contact::Through),
            Event::Along(side) => {
                for hex in side.hexes() {
                    list.meet(hex, Contact::Along);
                }
            }
            Event::Through(vertex) => list.meet_vertex(vertex),
            // The hex beyond is entered next.
            Event::Cross(_) => {}
        }
    }
    list.meet_aim(to);
    for side in Side::BOTH {
        list.mark(&readings[side as usize], side);
    }
    list.0.into()
}

/// The hexes touched so far, in the order in which they were met.
struct Touched(Vec<Touch>);

impl Touched {
    /// How many of the hexes met last may still be touched.
    ///
    /// While the line touches a hex, it touches no others but that hex's six neighbours. So
    /// whatever is met again is among the last seven, and two hexes that the line touches in
    /// one point stand no further apart than that. Looking no further back keeps the time for
    /// a line proportional to its length.
    const RECENT: usize = 7;

    #[inline]
    fn meet(&mut self, hex: Hex, contact: Contact) {
        let recent = self.0.len().saturating_sub(Touched::RECENT);
        match self.0[recent..].iter_mut().find(|touch| touch.hex == hex) {
            Some(touch) => touch.contact = touch.contact.min(contact.index()),
            None => self.0.push(Touch {
                hex,
                contact: contact.index(),
                readings: 0,
            }),
        }
    }

    #[inline]
    fn meet_vertex(&mut self, vertex: Vertex) {
        for hex in vertex.hexes() {
            self.meet(hex, Contact::Vertex);
        }
    }

    #[inline]
    fn meet_aim(&mut self, aim: Aim) {
        if let Some(vertex) = aim.vertex() {
            self.meet_vertex(vertex);
        }
        self.meet(aim.hex, Contact::End);
    }

    /// Notes which hexes a reading runs through.
    #[inline]
    fn mark(&mut self, reading: &Reading, side: Side) {
        let mut last = 0;
        for hex in reading.hexes() {
            let near = last - last.min(Touched::RECENT);
            let found = self.0[near..].iter().position(|touch| touch.hex == hex);
            debug_assert!(found.is_some(), "a reading runs through touched hexes only");
            if let Some(further) = found {
                last = near + further;
                self.0[last].readings |= side.bit();
            }
        }
    }
}
