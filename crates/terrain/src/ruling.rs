//! Rulings: what a client gets, in names rather than numbers.

mod canonical;

use sha2::{Digest as _, Sha256};
use smallvec::SmallVec;

use crate::canon::{Canon, Digest};
use crate::counter::MovementUnit;
use crate::question::{GrazingPolicy, Question};
use crate::saying::CostPart;
use crate::shared::{Cites, Name, Part, Text};

/// A plugin's rule, cited.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cited {
    /// The plugin's id.
    pub plugin: Name,
    /// The rule's id.
    pub rule: Name,
}

impl Cited {
    /// The rule's number: its id up to the slash.
    #[must_use]
    pub fn number(&self) -> &str {
        self.rule.split('/').next().unwrap_or(&self.rule)
    }
}

/// Where, in names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlaceName {
    /// The whole line or step.
    Whole,
    /// A hex.
    Hex(Name),
    /// A hexside, by the names of its hexes.
    Hexside(Name),
}

impl PlaceName {
    /// Its name; empty for the whole line or step.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Whole => "",
            Self::Hex(name) | Self::Hexside(name) => name,
        }
    }
}

/// A fact, in names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundFact {
    /// An obstacle.
    Obstacle {
        /// What it is.
        kind: Name,
        /// Its height in half levels.
        height: i16,
        /// Whether it fills its hex.
        inherent: bool,
    },
    /// A LOS Hindrance.
    Hindrance {
        /// What it is.
        kind: Name,
        /// What it adds.
        drm: i16,
    },
    /// Something noted.
    Mark {
        /// What it is.
        kind: Name,
        /// A number.
        value: i32,
    },
    /// A part of a step's cost.
    Cost {
        /// Which part.
        part: CostPart,
        /// How much.
        amount: i16,
    },
    /// A check that a step owes.
    Check {
        /// What it is.
        kind: Name,
        /// The Final DR at which it fails.
        fails_at: i16,
        /// How many DRs are owed.
        times: u8,
        /// Where it stands among the checks.
        order: u8,
    },
    /// A DRM to the checks of a kind.
    CheckDrm {
        /// Which checks.
        kind: Name,
        /// The DRM.
        drm: i16,
    },
}

/// An effect, in names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The same words as `Effect`.
pub enum FoundEffect {
    Blocks,
    Tem { group: Name, drm: i16 },
    HullDown,
    OnLane,
    Immune,
    OpenGround,
    NotOpenGround,
    Halved,
    MoraleDrm { drm: i16 },
    Cap { max: i16 },
    Limit { at: i16 },
    Prohibited,
    Allowed,
    Emplaced,
    MayBeUnemplaced,
    NotCovered,
    Considered,
}

/// An observation in a ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuledObservation {
    /// By whom, and which rule.
    pub by: Cited,
    /// What.
    pub fact: FoundFact,
    /// Where.
    pub place: PlaceName,
    /// The counter that it is about.
    pub subject: Option<Name>,
    /// It is about a counter that is not there.
    pub hypothetical: bool,
    /// What set it aside; it stands if there is nothing.
    pub set_aside_by: Part<Cited>,
    /// What to tell people.
    pub text: Text,
}

/// A finding in a ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuledFinding {
    /// By whom, and which rule.
    pub by: Cited,
    /// What it does.
    pub effect: FoundEffect,
    /// Where.
    pub place: PlaceName,
    /// The counter that it is about.
    pub subject: Option<Name>,
    /// It stands: nothing that it rests on was set aside, and its rule is not replaced.
    pub standing: bool,
    /// The rule that replaces its own, if one does.
    pub replaced_by: Option<Cited>,
    /// The observations that it rests on, by their place in the ruling.
    pub cites: Cites,
    /// What to tell people.
    pub text: Text,
}

/// Whether there is a LOS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LosResult {
    /// Nothing is in the way.
    Clear,
    /// Hindrances are.
    Hindered,
    /// There is no LOS.
    Blocked,
}

/// The LOS along a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LosVerdict {
    /// Whether there is one.
    pub result: LosResult,
    /// The total Hindrance DRM; `None` where terrain blocks the LOS.
    pub hindrance: Option<i16>,
    /// The counters that Hinder, sorted.
    pub hindering: Part<Name>,
    /// The numbers of the rules that block, sorted.
    pub blocked_by: Part<Name>,
    /// The line meets a vertex or runs along a hexside.
    pub grazing: bool,
    /// How many hexes from end to end.
    pub range: u16,
}

/// What the terrain does for a target. Everything is `None` where the LOS is blocked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemVerdict {
    /// The TEM: the best of each exclusive group, the groups added.
    pub tem: Option<i16>,
    /// Whether the target may claim HD against this firer.
    pub hull_down: Option<bool>,
    /// Whether the target's hex is Open Ground for this attack; `None` too if no plugin says.
    pub open_ground: Option<bool>,
    /// Hindrance and TEM together.
    pub total_drm: Option<i16>,
    /// Whether the terrain halves the attack's FP.
    pub halved: Option<bool>,
    /// The DRM that the terrain gives to the MC that the attack causes.
    pub morale_drm: Option<i16>,
}

/// Whether a Fire Lane attacks a mover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneVerdict {
    /// The mover's hex is on the lane.
    pub on_lane: bool,
    /// The mover is immune there.
    pub immune: bool,
    /// On the lane and not immune.
    pub attacked: bool,
}

/// An item of a step's cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovementItem {
    /// By which rule.
    pub by: Cited,
    /// Which part of the cost.
    pub part: CostPart,
    /// MF or MP; negative for a reduction.
    pub amount: i16,
    /// The hex in which it is spent.
    pub spent_in: PlaceName,
}

/// A check that a step owes: a DR with its DRM. The dice are the client's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovementCheck {
    /// By which rule.
    pub by: Cited,
    /// What it is.
    pub kind: Name,
    /// Where.
    pub place: PlaceName,
    /// How many DRs are owed.
    pub times: u8,
    /// The Final DR at which, and above which, it fails.
    pub fails_at: i16,
    /// The sum of the modifiers; `None` where the rules do not say what it is.
    pub drm: Option<i16>,
    /// What the sum is made of.
    pub modifiers: Vec<(Cited, i16)>,
    /// The Original DR at which, and above which, it fails; `None` if it cannot fail, or where the
    /// DRM is not known.
    pub fails_at_original: Option<i16>,
}

/// What a step costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovementVerdict {
    /// What it is counted in.
    pub unit: MovementUnit,
    /// The sum; `None` if no plugin knows what the terrain costs.
    pub total: Option<i16>,
    /// What it is made of.
    pub items: Vec<MovementItem>,
    /// The checks that it owes, in the order in which they are made.
    pub checks: Vec<MovementCheck>,
    /// The rules that forbid it.
    pub prohibited_by: Vec<Cited>,
}

/// Whether a Gun that sets up is Emplaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Emplacement {
    /// It is not.
    NotEmplaced,
    /// It is.
    Emplaced,
    /// It is, unless it is recorded as not Emplaced.
    UnlessRecorded,
}

/// Whether something may set up in a hex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetUpVerdict {
    /// Whether it may; `None` if no plugin says.
    pub allowed: Option<bool>,
    /// The rules that forbid it.
    pub prohibited_by: Vec<Cited>,
    /// Whether it is Emplaced; `None` if no plugin says, as of all that is no Gun.
    pub emplacement: Option<Emplacement>,
    /// The rules by which it is or is not, sorted.
    pub emplacement_by: Vec<Cited>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// To a question of LOS.
    LineOfSight(LosVerdict),
    /// To a shot.
    LineOfFire(LosVerdict, TemVerdict),
    /// To a Fire Lane.
    FireLane(LosVerdict, LaneVerdict),
    /// To a step.
    Movement(MovementVerdict),
    /// To a set-up.
    SetUp(SetUpVerdict),
}

impl Verdict {
    /// The LOS, where the question was about a line.
    #[must_use]
    pub fn los(&self) -> Option<&LosVerdict> {
        match self {
            Self::LineOfSight(los) | Self::LineOfFire(los, _) | Self::FireLane(los, _) => Some(los),
            Self::Movement(_) | Self::SetUp(_) => None,
        }
    }
}

/// A passage from one hex to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossed {
    /// The hex left.
    pub from: Name,
    /// The hex entered.
    pub to: Name,
}

/// How a line lies on the grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grazing {
    /// Whether it meets a vertex or runs along a hexside.
    pub grazes: bool,
    /// The hexes that it touches, its ends included, in order.
    pub touched: Part<Name>,
    /// The hexsides along which it runs.
    pub along: Part<Name>,
    /// The vertices that it meets, each by the hexes around it.
    pub through: Part<Name>,
    /// Its nudged readings, left then right; one that leaves the map is absent, and the right one
    /// too where it is the same.
    pub readings: SmallVec<[Part<Crossed>; 2]>,
}

/// An option on which a ruling turned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContestedOption {
    /// The rule that is contested.
    pub by: Cited,
    /// The option.
    pub option: String,
    /// What the ruleset sets it to, as JSON.
    pub value: String,
    /// What to tell people.
    pub text: String,
}

/// A layer that was ignored because the question said so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IgnoredLayer {
    /// Its name.
    pub layer: Name,
    /// Whether the line or step meets it.
    pub met: bool,
}

/// A ruling.
///
/// It depends on the rules, the position and the question alone. Nothing in it speaks of the
/// request's time, of a replica or of how the plugins were loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The hash of the three things that it depends on.
    pub id: Digest,
    /// The fingerprint of the rules.
    pub rules: Digest,
    /// The id of the position.
    pub position: Digest,
    /// The grazing policy that held.
    pub policy: GrazingPolicy,
    /// The answer.
    pub verdict: Verdict,
    /// What was observed.
    pub observations: Part<RuledObservation>,
    /// What was found.
    pub findings: Part<RuledFinding>,
    /// What was considered and does not apply.
    pub considered: Part<RuledFinding>,
    /// The contested options on which it turned.
    pub contested: Vec<ContestedOption>,
    /// How the line lies on the grid.
    pub grazing: Grazing,
    /// The layers ignored.
    pub ignored: Vec<IgnoredLayer>,
}

impl Ruling {
    /// The id of the ruling by rules of this fingerprint, on a position of this id, of a question: a hash of
    /// the three.
    #[must_use]
    pub fn id_of(rules: Digest, position: Digest, question: &Question) -> Digest {
        RulingIds::new(rules, position).of(question)
    }

    /// The canonical form.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let mut canon = Canon::new("alamein/ruling/2");
        canon.put(self);
        canon.into_bytes()
    }

    /// Everything that stands and was found by a rule, or observed by it.
    pub fn standing_findings(&self) -> impl Iterator<Item = &RuledFinding> {
        self.findings.iter().filter(|finding| finding.standing)
    }
}

/// The ids of rulings by the same rules on the same position, of many questions. What they have in common
/// is hashed once.
#[derive(Debug)]
pub struct RulingIds {
    begun: Sha256,
    question: Canon,
}

impl RulingIds {
    /// By rules of this fingerprint, on a position of this id.
    #[must_use]
    pub fn new(rules: Digest, position: Digest) -> Self {
        let mut canon = Canon::new("alamein/ruling-id/1");
        canon.put(rules).put(position);
        Self {
            begun: Sha256::new_with_prefix(canon.bytes()),
            question: Canon::default(),
        }
    }

    /// The id of the ruling on a question: see [`Ruling::id_of`].
    pub fn of(&mut self, question: &Question) -> Digest {
        self.question.clear();
        self.question.put(question);
        let hash = self.begun.clone().chain_update(self.question.bytes());
        Digest::from_bytes(hash.finalize().into())
    }
}

/// A ruling, and what the other grazing policies would give where the line grazes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjudicated {
    /// The ruling.
    pub ruling: Ruling,
    /// The rulings under the other policies, where they were asked for and the line grazes.
    pub other_policies: Vec<(GrazingPolicy, Ruling)>,
}
