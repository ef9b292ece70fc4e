//! What a plugin says.
//!
//! Each call says one thing and gives it back, so that the place, the counter and the grounds can
//! be added: `say.tem(TEM, LOCATION, 1).at(hex).citing(&seen)`.

use alamein_hex::{Hex, Hexside};
use alamein_plugin_abi as abi;

use crate::view::coord;
use crate::{Counter, End, Kind, Rule, SeenFact};

const WHOLE: abi::PlaceView = abi::PlaceView {
    tag: abi::PLACE_WHOLE,
    a: abi::HexCoord { q: 0, r: 0 },
    b: abi::HexCoord { q: 0, r: 0 },
};

fn in_hex(hex: Hex) -> abi::PlaceView {
    abi::PlaceView {
        tag: abi::PLACE_HEX,
        a: coord(hex),
        b: coord(hex),
    }
}

fn on_hexside(hexside: Hexside) -> abi::PlaceView {
    let [a, b] = hexside.hexes();
    abi::PlaceView {
        tag: abi::PLACE_HEXSIDE,
        a: coord(a),
        b: coord(b),
    }
}

/// Takes observations.
#[derive(Default)]
pub struct Observations {
    pub(crate) of: u32,
    pub(crate) said: Vec<abi::Observation>,
}

/// An observation just made, to which more can be said.
pub struct Observed<'a>(&'a mut abi::Observation);

impl Observations {
    fn push(&mut self, rule: Rule, fact: u32, kind: u32, value: i16) -> Observed<'_> {
        let at = self.said.len();
        self.said.push(abi::Observation {
            of: self.of,
            rule: rule.index(),
            fact,
            kind,
            value: value.into(),
            flags: 0,
            subject: abi::NONE,
            place: WHOLE,
            floor: 0,
            times: 0,
            order: 0,
        });
        Observed(&mut self.said[at])
    }

    /// A LOS Hindrance.
    pub fn hindrance(&mut self, rule: Rule, kind: Kind, drm: i16) -> Observed<'_> {
        self.push(rule, abi::FACT_HINDRANCE, kind.index(), drm)
    }

    /// An obstacle to LOS, whose top is that many half levels above its hex's level.
    pub fn obstacle(&mut self, rule: Rule, kind: Kind, half_levels: i16) -> Observed<'_> {
        self.push(rule, abi::FACT_OBSTACLE, kind.index(), half_levels)
    }

    /// Something that other plugins may want to know of.
    pub fn mark(&mut self, rule: Rule, kind: Kind, value: i16) -> Observed<'_> {
        self.push(rule, abi::FACT_MARK, kind.index(), value)
    }

    /// The Cost of Terrain of the hex entered.
    pub fn cot(&mut self, rule: Rule, amount: i16) -> Observed<'_> {
        self.push(rule, abi::FACT_COT, abi::NONE, amount)
    }

    /// MF or MP on top of the COT.
    pub fn surcharge(&mut self, rule: Rule, amount: i16) -> Observed<'_> {
        self.push(rule, abi::FACT_SURCHARGE, abi::NONE, amount)
    }

    /// MF or MP off the total, which does not fall below `floor` by it.
    pub fn reduction(&mut self, rule: Rule, amount: i16, floor: i16) -> Observed<'_> {
        let observed = self.push(rule, abi::FACT_REDUCTION, abi::NONE, amount);
        observed.0.floor = floor.into();
        observed
    }
}

/// Where a check stands among those of one step: what comes first is made first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckOrder(pub u8);

impl Observations {
    /// A check that a step owes: so many DRs, each of which fails at this Final DR and above.
    pub fn check(
        &mut self,
        rule: Rule,
        kind: Kind,
        times: u8,
        fails_at: i16,
        order: CheckOrder,
    ) -> Observed<'_> {
        let observed = self.push(rule, abi::FACT_CHECK, kind.index(), fails_at);
        (observed.0.times, observed.0.order) = (times.into(), order.0.into());
        observed
    }

    /// A DRM to the checks of a kind.
    pub fn check_drm(&mut self, rule: Rule, kind: Kind, drm: i16) -> Observed<'_> {
        self.push(rule, abi::FACT_CHECK_DRM, kind.index(), drm)
    }
}

impl Observed<'_> {
    /// Where: in a hex. A cost is spent there.
    pub fn at(self, hex: Hex) -> Self {
        self.0.place = in_hex(hex);
        self
    }

    /// Where: on a hexside.
    pub fn on(self, hexside: Hexside) -> Self {
        self.0.place = on_hexside(hexside);
        self
    }

    /// Of which counter, which also says where.
    pub fn of(self, counter: &Counter<'_>) -> Self {
        self.0.subject = counter.index();
        self.at(counter.hex())
    }

    /// It fills its hex, hexsides and vertices included (Inherent Terrain).
    pub fn inherent(self) -> Self {
        self.0.flags |= abi::SAID_INHERENT;
        self
    }

    /// It holds only if both ends of the line have LOS to its hex; the host finds that out.
    pub fn if_both_ends_see_it(self) -> Self {
        self.0.flags |= abi::SAID_NEEDS_LOS;
        self
    }
}

/// Takes objections.
#[derive(Default)]
pub struct Objections {
    pub(crate) of: u32,
    pub(crate) said: Vec<abi::Objection>,
}

impl Objections {
    /// This observation does not count, by this rule.
    pub fn set_aside(&mut self, seen: &SeenFact<'_>, rule: Rule) {
        let (of, rule) = (self.of, rule.index());
        self.said.push(abi::Objection {
            of,
            rule,
            observation: seen.index(),
        });
    }
}

/// Takes findings.
#[derive(Default)]
pub struct Findings {
    pub(crate) of: u32,
    pub(crate) said: Vec<Said>,
    pub(crate) cited: Vec<u32>,
}

/// A finding whose grounds are still indices into one list of all.
pub(crate) struct Said {
    pub(crate) finding: abi::Finding,
    pub(crate) cites: std::ops::Range<usize>,
}

/// A finding just made, to which more can be said.
pub struct Found<'a> {
    said: &'a mut Said,
    cited: &'a mut Vec<u32>,
}

impl Findings {
    fn push(&mut self, rule: Rule, effect: u32, kind: u32, value: i16) -> Found<'_> {
        let (at, from) = (self.said.len(), self.cited.len());
        let none = abi::Array {
            ptr: std::ptr::null(),
            len: 0,
            stride: size_of::<u32>(),
        };
        let finding = abi::Finding {
            of: self.of,
            rule: rule.index(),
            effect,
            kind,
            value: value.into(),
            subject: abi::NONE,
            place: WHOLE,
            cites: none,
        };
        self.said.push(Said {
            finding,
            cites: from..from,
        });
        Found {
            said: &mut self.said[at],
            cited: &mut self.cited,
        }
    }

    fn plain(&mut self, rule: Rule, effect: u32) -> Found<'_> {
        self.push(rule, effect, abi::NONE, 0)
    }

    /// The LOS is blocked.
    pub fn blocks(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_BLOCKS)
    }

    /// TEM. Of one exclusive group the best for the target counts; groups add.
    pub fn tem(&mut self, rule: Rule, group: Kind, drm: i16) -> Found<'_> {
        self.push(rule, abi::EFFECT_TEM, group.index(), drm)
    }

    /// The target may claim HD against this firer.
    pub fn hull_down(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_HULL_DOWN)
    }

    /// The mover's hex is on the Fire Lane.
    pub fn on_lane(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_ON_LANE)
    }

    /// The mover is immune to the Fire Lane.
    pub fn immune(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_IMMUNE)
    }

    /// The target's hex is Open Ground, unless something says otherwise for this attack.
    pub fn open_ground(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_OPEN_GROUND)
    }

    /// The target's hex is not Open Ground for this attack.
    pub fn not_open_ground(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_NOT_OPEN_GROUND)
    }

    /// The attack's FP is halved.
    pub fn halved(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_HALVED)
    }

    /// A DRM to the MC that the attack causes.
    pub fn morale_drm(&mut self, rule: Rule, drm: i16) -> Found<'_> {
        self.push(rule, abi::EFFECT_MORALE_DRM, abi::NONE, drm)
    }

    /// The Hindrances that it cites add no more than this together.
    pub fn cap(&mut self, rule: Rule, max: i16) -> Found<'_> {
        self.push(rule, abi::EFFECT_CAP, abi::NONE, max)
    }

    /// Hindrances that come to this in all block the LOS.
    pub fn limit(&mut self, rule: Rule, at: i16) -> Found<'_> {
        self.push(rule, abi::EFFECT_LIMIT, abi::NONE, at)
    }

    /// The step or the set-up is not allowed.
    pub fn prohibited(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_PROHIBITED)
    }

    /// It may set up there, unless something prohibits it.
    pub fn allowed(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_ALLOWED)
    }

    /// The Gun that sets up is Emplaced, as long as all stands that this cites.
    pub fn emplaced(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_EMPLACED)
    }

    /// The Gun may be recorded as not Emplaced.
    pub fn may_be_unemplaced(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_MAY_BE_UNEMPLACED)
    }

    /// The rules known here do not cover this.
    pub fn not_covered(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_NOT_COVERED)
    }

    /// A rule was looked at and does not apply; the message of `why` says why. Players ask for it
    /// when they miss a modifier.
    pub fn considered(&mut self, why: Rule) -> Found<'_> {
        self.plain(why, abi::EFFECT_CONSIDERED)
    }

    /// The ruling turned on the option that the manifest names for this rule.
    pub fn contested(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_CONTESTED)
    }

    /// What decides this is not implemented: no ruling may be given.
    pub fn not_implemented(&mut self, rule: Rule) -> Found<'_> {
        self.plain(rule, abi::EFFECT_NOT_IMPLEMENTED)
    }
}

impl Found<'_> {
    /// Where: in a hex.
    pub fn at(self, hex: Hex) -> Self {
        self.said.finding.place = in_hex(hex);
        self
    }

    /// Where: on a hexside.
    pub fn on(self, hexside: Hexside) -> Self {
        self.said.finding.place = on_hexside(hexside);
        self
    }

    /// Of which counter.
    pub fn of(self, counter: &Counter<'_>) -> Self {
        self.said.finding.subject = counter.index();
        self
    }

    /// Of the counter at an end, in its hex.
    pub fn of_end(self, end: &End<'_>) -> Self {
        self.said.finding.subject = end.counter().unwrap_or(abi::NONE);
        self.at(end.hex())
    }

    /// It rests on this observation, and falls with it.
    pub fn citing(self, seen: &SeenFact<'_>) -> Self {
        self.cited.push(seen.index());
        self.said.cites.end = self.cited.len();
        self
    }
}
