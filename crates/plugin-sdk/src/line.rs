//! Lines, as a plugin sees them.
#![allow(unsafe_code)]

use alamein_hex::{Contact, Crossing, Grid, Hex, Hexside, Side};
use alamein_plugin_abi as abi;
use alamein_terrain::{Attack, EnvironmentCondition, GrazingPolicy, LaneMover, Munition};

use crate::view::{List, hex};
use crate::{Counter, End, Few, Lane};

/// What a batch holds beside its lines or steps.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) grid: Grid,
    pub(crate) counters: List<'a, abi::CounterView>,
    pub(crate) levels: List<'a, i16>,
    pub(crate) attributes: List<'a, abi::AttributeView>,
    pub(crate) attribute_names: List<'a, abi::Bytes>,
    pub(crate) ec: u32,
}

impl<'a> Surroundings<'a> {
    #[inline]
    pub(crate) fn level(&self, hex: Hex) -> i16 {
        self.grid
            .index(hex)
            .and_then(|at| self.levels.get(at))
            .copied()
            .unwrap_or_default()
    }

    #[inline]
    pub(crate) fn counter(&self, index: u32) -> Option<Counter<'a>> {
        let view = self.counters.get(index as usize)?;
        Some(Counter {
            index,
            view,
            around: *self,
        })
    }
}

/// A line of sight, of fire, or of a Fire Lane.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    view: &'a abi::LineView,
    around: Surroundings<'a>,
}

impl<'a> Line<'a> {
    /// The view and all that it points to must be valid, which is why only this crate makes lines.
    #[inline]
    pub(crate) fn new(view: &'a abi::LineView, around: Surroundings<'a>) -> Self {
        Self { view, around }
    }

    /// Where it starts: the firer, or the MG of a Fire Lane.
    #[must_use]
    #[inline]
    pub fn from(&self) -> End<'a> {
        End {
            view: &self.view.from,
        }
    }

    /// Where it ends: the target, or the hex of a Fire Lane's counter.
    #[must_use]
    #[inline]
    pub fn to(&self) -> End<'a> {
        End {
            view: &self.view.to,
        }
    }

    /// Both ends, each with the other.
    #[must_use]
    #[inline]
    pub fn ends(&self) -> [(End<'a>, End<'a>); 2] {
        [(self.from(), self.to()), (self.to(), self.from())]
    }

    /// Both ends are at the same level, half levels included.
    #[must_use]
    #[inline]
    pub fn is_level(&self) -> bool {
        self.from().level() == self.to().level()
    }

    /// How the shot travels; nothing if only the LOS is asked, or a Fire Lane.
    #[must_use]
    #[inline]
    pub fn attack(&self) -> Option<Attack> {
        match self.view.attack {
            1 => Some(Attack::Direct),
            2 => Some(Attack::Mortar),
            3 => Some(Attack::Oba),
            _ => None,
        }
    }

    /// What the shot is made of, where terrain asks.
    #[must_use]
    #[inline]
    pub fn munition(&self) -> Munition {
        match self.view.munition {
            1 => Munition::He,
            2 => Munition::Bombardment,
            _ => Munition::Other,
        }
    }

    /// What is asked of a Fire Lane; nothing of another line.
    #[must_use]
    pub fn lane(&self) -> Option<Lane<'a>> {
        let mover = match self.view.lane_mover {
            1 => LaneMover::Infantry,
            2 => LaneMover::Cavalry,
            3 => LaneMover::Vehicle,
            4 => LaneMover::VulnerablePrc,
            _ => return None,
        };
        let probe = self.around.counter(self.view.lane_probe);
        Some(Lane {
            hex: hex(self.view.lane_hex),
            mover,
            probe,
        })
    }

    /// Only obstacles matter: it is the line from an end to something on the way.
    #[must_use]
    #[inline]
    pub fn obstacles_only(&self) -> bool {
        self.view.flags & abi::LINE_OBSTACLES_ONLY != 0
    }

    /// How many hexes from end to end.
    #[must_use]
    #[inline]
    pub fn range(&self) -> u16 {
        u16::try_from(self.view.range).unwrap_or(u16::MAX)
    }

    /// The line meets a vertex or runs along a hexside.
    #[must_use]
    #[inline]
    pub fn grazes(&self) -> bool {
        self.view.flags & abi::LINE_GRAZES != 0
    }

    /// The grazing policy; [`holds`](Self::holds) applies it.
    #[must_use]
    #[inline]
    pub fn policy(&self) -> GrazingPolicy {
        match self.view.policy {
            2 => GrazingPolicy::Both,
            3 => GrazingPolicy::NeitherIfGrazing,
            _ => GrazingPolicy::Either,
        }
    }

    /// Environmental Conditions.
    #[must_use]
    #[inline]
    pub fn ec(&self) -> EnvironmentCondition {
        condition(self.around.ec)
    }

    /// The level of units that stand in a hex, in half levels.
    #[must_use]
    #[inline]
    pub fn level_of(&self, hex: Hex) -> i16 {
        self.around.level(hex)
    }

    /// The hexes that the line touches, its ends included, in order. Hexes that only share the vertex
    /// at which it starts or ends are among them; [`between`](Self::between) leaves those out.
    #[inline]
    pub fn touched(&self) -> impl DoubleEndedIterator<Item = Touched> + 'a {
        // SAFETY: the line is valid, and this array holds touches.
        let touched: List<'a, abi::TouchView> = unsafe { List::new(self.view.touched) };
        let origin = hex(self.view.origin);
        touched.iter().map(move |touch| Touched {
            hex: hex(touch.hex) + origin,
            contact: Contact::from_index(touch.contact).unwrap_or(Contact::Vertex),
            sides: touch.readings,
        })
    }

    /// The hexes that the line touches between its ends, as [`Touched::lies_between`] says.
    #[inline]
    pub fn between(&self) -> impl DoubleEndedIterator<Item = Touched> + 'a {
        self.touched().filter(Touched::lies_between)
    }

    /// The hexsides along which the line runs, in order. A line that aims at a vertex may run along a
    /// hexside of its own end's hex.
    pub fn along(&self) -> impl Iterator<Item = Hexside> + 'a {
        let beside = |side: Side| {
            // Along a hexside, one reading runs through each of the two hexes that share it. Through
            // the inside of a hex both do, or neither; met at a vertex a hex may be on one of them.
            let on_it = move |touched: &Touched| {
                let may_be = matches!(touched.contact, Contact::Along | Contact::End);
                may_be && touched.is_on(side) && !touched.is_on(side.other())
            };
            self.touched().filter(on_it).map(|touched| touched.hex)
        };
        let rights: Few<Hex> = beside(Side::Right).collect();
        let shared = move |left: Hex| {
            rights
                .iter()
                .find_map(|right| Hexside::between(left, *right))
        };
        beside(Side::Left).filter_map(shared)
    }

    /// How the line touches a hex, if it does.
    #[must_use]
    #[inline]
    pub fn touches(&self, hex: Hex) -> Option<Touched> {
        self.touched().find(|touched| touched.hex == hex)
    }

    /// The counters in the hexes that the line touches, its ends included, in the order of hexes.
    /// Probes are among them.
    #[inline]
    pub fn counters(&self) -> impl Iterator<Item = Counter<'a>> + 'a {
        // SAFETY: the line is valid, and this array holds indices.
        let counters: List<'a, u32> = unsafe { List::new(self.view.counters) };
        let around = self.around;
        counters
            .iter()
            .filter_map(move |index| around.counter(*index))
    }

    /// The counter of this index.
    #[must_use]
    #[inline]
    pub fn counter(&self, index: u32) -> Option<Counter<'a>> {
        self.around.counter(index)
    }

    /// The line's nudged readings: one where it does not graze, else the left and the right one;
    /// a reading that leaves the map is no reading.
    #[inline]
    pub fn readings(&self) -> impl Iterator<Item = Reading<'a>> + 'a {
        let flags = self.view.flags;
        let off_map = |flag: u32| flags & flag != 0;
        let left = Reading::new(self.view.left, hex(self.view.origin), Side::Left);
        let right = Reading::new(self.view.right, hex(self.view.origin), Side::Right);
        let both = [
            (!off_map(abi::LINE_LEFT_OFF_MAP)).then_some(left),
            (self.grazes() && !off_map(abi::LINE_RIGHT_OFF_MAP)).then_some(right),
        ];
        both.into_iter().flatten()
    }

    /// Whether a predicate holds of the line by the grazing policy, which combines what it says of
    /// each nudged reading.
    #[inline]
    pub fn holds(&self, predicate: impl Fn(&Reading<'a>) -> bool) -> bool {
        self.holds_on(|_| true, predicate)
    }

    /// The same, where only some readings have a say: those for which `concerns` is true.
    pub fn holds_on(
        &self,
        concerns: impl Fn(&Reading<'a>) -> bool,
        predicate: impl Fn(&Reading<'a>) -> bool,
    ) -> bool {
        let mut readings = self
            .readings()
            .filter(|reading| concerns(reading))
            .peekable();
        if !self.grazes() {
            return readings.any(|reading| predicate(&reading));
        }
        match self.policy() {
            GrazingPolicy::Either => readings.any(|reading| predicate(&reading)),
            GrazingPolicy::Both => {
                readings.peek().is_some() && readings.all(|reading| predicate(&reading))
            }
            GrazingPolicy::NeitherIfGrazing => false,
        }
    }
}

/// A hex that a line touches.
#[derive(Clone, Copy, Debug)]
pub struct Touched {
    /// The hex.
    pub hex: Hex,
    /// How it is touched.
    pub contact: Contact,
    sides: u8,
}

impl Touched {
    /// Whether it lies between the ends. A vertex on the way is passed on one side or the other, so
    /// that a reading runs through each hex around it; none does through a hex that only shares the
    /// vertex at which the line starts or ends.
    #[must_use]
    #[inline]
    pub fn lies_between(&self) -> bool {
        let passed = Side::BOTH.into_iter().any(|side| self.is_on(side));
        self.contact != Contact::End && passed
    }

    /// Whether this nudged reading runs through the hex.
    #[must_use]
    #[inline]
    pub fn is_on(&self, side: Side) -> bool {
        self.sides & side.bit() != 0
    }
}

/// A line nudged by an infinitesimal step to one side: it crosses only insides of hexsides.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    crossings: List<'a, abi::CrossingView>,
    origin: Hex,
    side: Side,
}

impl<'a> Reading<'a> {
    #[inline]
    fn new(crossings: abi::Array, origin: Hex, side: Side) -> Self {
        // SAFETY: a line is only made of a valid view, and both of these arrays hold crossings.
        Self {
            crossings: unsafe { List::new(crossings) },
            origin,
            side,
        }
    }

    /// To which side it is nudged.
    #[must_use]
    #[inline]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The passages from hex to hex, in order from the line's start.
    #[inline]
    pub fn crossings(&self) -> impl DoubleEndedIterator<Item = Crossing> + 'a {
        let origin = self.origin;
        self.crossings.iter().map(move |crossing| Crossing {
            from: hex(crossing.from) + origin,
            to: hex(crossing.to) + origin,
        })
    }

    /// The same seen from an end of the line: in order from there, each passage outward.
    pub fn outward_from(&self, end: &End<'_>) -> impl Iterator<Item = Crossing> + 'a {
        let starts_here = self
            .crossings()
            .next()
            .is_none_or(|first| first.from == end.hex());
        let forward = starts_here.then(|| self.crossings());
        let backward = (!starts_here).then(|| {
            self.crossings().rev().map(|c| Crossing {
                from: c.to,
                to: c.from,
            })
        });
        forward
            .into_iter()
            .flatten()
            .chain(backward.into_iter().flatten())
    }

    /// The passages up to and including the one by which it enters a hex; nothing if it does not.
    #[must_use]
    #[inline]
    pub fn until_it_enters(&self, hex: Hex) -> Option<impl Iterator<Item = Crossing> + 'a> {
        let entry = self.crossings().position(|crossing| crossing.to == hex)?;
        Some(self.crossings().take(entry + 1))
    }
}

#[inline]
pub(crate) fn condition(ec: u32) -> EnvironmentCondition {
    match ec {
        2 => EnvironmentCondition::Moist,
        3 => EnvironmentCondition::Wet,
        4 => EnvironmentCondition::Mud,
        5 => EnvironmentCondition::Snow,
        _ => EnvironmentCondition::Dry,
    }
}
