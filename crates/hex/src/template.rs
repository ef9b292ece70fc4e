//! Traces between hex centres, computed once for each offset.

use std::sync::OnceLock;

use crate::{Aim, Crossing, Event, Hex, Side, Touch, Trace};

/// The greatest range for which [`template`] keeps traces.
///
/// Longer lines are rare and traced each time. A process that has asked for every offset holds
/// some 26 MB of templates.
pub const TEMPLATE_RANGE: u16 = 64;

const REACH: usize = TEMPLATE_RANGE as usize;
const WIDTH: usize = 2 * REACH + 1;

static TEMPLATES: [OnceLock<Box<Trace>>; WIDTH * WIDTH] =
    [const { OnceLock::new() }; WIDTH * WIDTH];

/// The trace from the centre of hex (0, 0) to the centre of the hex at that offset; nothing if
/// it is further away than [`TEMPLATE_RANGE`].
///
/// The line between any two centres is this one shifted, so a caller adds its own `from` to
/// what it reads. The first call for an offset traces the line; later ones look it up, without
/// allocating.
///
/// ```
/// use alamein_hex::{Hex, template};
///
/// let trace = template(Hex::new(3, 1)).expect("near enough");
/// assert_eq!(trace.range(), 4);
/// assert!(template(Hex::new(65, 0)).is_none());
/// ```
#[must_use]
#[inline]
pub fn template(offset: Hex) -> Option<&'static Trace> {
    const HERE: Hex = Hex::new(0, 0);
    if HERE.range(offset) > TEMPLATE_RANGE {
        return None;
    }
    // Within the range both coordinates are too, so neither sum is negative.
    let column = (i32::from(offset.q) + REACH as i32) as usize;
    let row = (i32::from(offset.r) + REACH as i32) as usize;
    let cell = TEMPLATES.get(column * WIDTH + row)?;
    Some(cell.get_or_init(|| Box::new(Trace::new(Aim::centre(HERE), Aim::centre(offset)))))
}

/// A trace at its place on the map: a template and where it starts, or for a long line or one
/// to or from a vertex a trace of its own.
///
/// ```
/// use alamein_hex::{Grid, Side, trace_between};
///
/// let board = Grid::geomorphic();
/// let line = trace_between(board.hex("Q9")?, board.hex("R7")?);
/// assert_eq!(line.range(), 2);
/// let crossed: Vec<_> = line
///     .crossings(Side::Left)
///     .filter_map(|crossing| board.hexside_name(crossing.hexside()))
///     .collect();
/// assert_eq!(crossed, ["Q8|Q9", "Q8|R7"]);
/// # Ok::<(), alamein_hex::NameError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TraceRef {
    origin: Hex,
    trace: Held,
}

#[derive(Clone, Debug)]
enum Held {
    Template(&'static Trace),
    Own(Box<Trace>),
}

/// The trace between two aims, by template wherever there is one.
#[must_use]
pub fn trace_between(from: impl Into<Aim>, to: impl Into<Aim>) -> TraceRef {
    let (from, to) = (from.into(), to.into());
    let between_centres = from.corner.is_none() && to.corner.is_none();
    // Asked before subtracting, for an offset beyond i16 would wrap to a near one.
    let near = from.hex.range(to.hex) <= TEMPLATE_RANGE;
    if between_centres
        && near
        && let Some(trace) = template(to.hex - from.hex)
    {
        return TraceRef {
            origin: from.hex,
            trace: Held::Template(trace),
        };
    }
    TraceRef {
        origin: Hex::new(0, 0),
        trace: Held::Own(Box::new(Trace::new(from, to))),
    }
}

impl TraceRef {
    /// What is to be added to every hex of [`TraceRef::trace`].
    #[must_use]
    #[inline]
    pub fn origin(&self) -> Hex {
        self.origin
    }

    /// The trace, shifted by minus [`TraceRef::origin`].
    #[must_use]
    #[inline]
    pub fn trace(&self) -> &Trace {
        match &self.trace {
            Held::Template(trace) => trace,
            Held::Own(trace) => trace,
        }
    }

    /// Where the line starts.
    #[must_use]
    #[inline]
    pub fn from(&self) -> Aim {
        self.trace().from().shifted(self.origin)
    }

    /// Where the line ends.
    #[must_use]
    #[inline]
    pub fn to(&self) -> Aim {
        self.trace().to().shifted(self.origin)
    }

    /// As [`Trace::range`].
    #[must_use]
    #[inline]
    pub fn range(&self) -> u16 {
        self.trace().range()
    }

    /// As [`Trace::grazing`].
    #[must_use]
    #[inline]
    pub fn grazing(&self) -> bool {
        self.trace().grazing()
    }

    /// As [`Trace::events`], at their place on the map.
    #[inline]
    pub fn events(&self) -> impl ExactSizeIterator<Item = Event> + DoubleEndedIterator + '_ {
        let origin = self.origin;
        self.trace().events().iter().map(move |e| e.shifted(origin))
    }

    /// The crossings of one nudged reading, at their place on the map.
    #[inline]
    pub fn crossings(
        &self,
        side: Side,
    ) -> impl ExactSizeIterator<Item = Crossing> + DoubleEndedIterator + '_ {
        let origin = self.origin;
        let crossings = self.trace().reading(side).crossings();
        crossings.iter().map(move |c| c.shifted(origin))
    }

    /// The hexes of one nudged reading, at their place on the map; as
    /// [`Reading::hexes`](crate::Reading::hexes).
    #[inline]
    pub fn hexes(&self, side: Side) -> impl Iterator<Item = Hex> + '_ {
        let origin = self.origin;
        self.trace().reading(side).hexes().map(move |h| h + origin)
    }

    /// As [`Trace::touched`], at their place on the map.
    ///
    /// Hexes met at once keep the order of their offsets, which is the order on the map too.
    #[inline]
    pub fn touched(&self) -> impl ExactSizeIterator<Item = Touch> + DoubleEndedIterator + '_ {
        let origin = self.origin;
        self.trace()
            .touched()
            .iter()
            .map(move |t| t.shifted(origin))
    }
}
