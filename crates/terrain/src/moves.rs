//! Moves as players make them: a path of several steps, and all that an allowance reaches.
//!
//! Each step of them is a question of its own, with a ruling of its own. What is here is what a
//! player adds up from those. It is about terrain alone: other units, stacking and the Minimum Move,
//! by which a unit may move although its allowance does not suffice, are not judged.

use alamein_hex::Hex;

use crate::canon::Digest;
use crate::counter::{Counter, MovementUnit};
use crate::map::EnvironmentCondition;
use crate::question::{Ask, GrazingPolicy, Mover, Question, Step, Way};
use crate::ruling::{Cited, ContestedOption, IgnoredLayer, MovementCheck, PlaceName, Ruling};

/// Who moves, and what else the questions about all steps of a move have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moving {
    /// Who moves.
    pub mover: Mover,
    /// Environmental Conditions, where they differ from the position's.
    pub ec: Option<EnvironmentCondition>,
    /// The grazing policy, if questions are to name one. No step depends on it.
    pub policy: Option<GrazingPolicy>,
    /// Counters that are not there.
    pub probes: Vec<Counter>,
    /// Layers that may be on the map though no plugin owns them.
    pub ignore_layers: Vec<String>,
}

impl Moving {
    /// A mover, with no exceptions.
    #[must_use]
    pub fn new(mover: Mover) -> Self {
        Self {
            mover,
            ec: None,
            policy: None,
            probes: Vec::new(),
            ignore_layers: Vec::new(),
        }
    }

    /// The question about one step.
    #[must_use]
    pub fn question(&self, step: Step) -> Question {
        Question {
            ask: Ask::Movement {
                mover: self.mover.clone(),
                step,
                ec: self.ec,
            },
            policy: self.policy,
            probes: self.probes.clone(),
            ignore_layers: self.ignore_layers.clone(),
        }
    }
}

/// What does this path cost?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathQuestion {
    /// Who moves.
    pub moving: Moving,
    /// The steps, each of which begins where the one before it ended.
    pub steps: Vec<Step>,
    /// The MF or MP that there are.
    pub allowance: Option<u16>,
}

/// Where a path is none: a step that does not fit those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The step.
    pub step: usize,
    /// The path came to this hex; or entered it from there, if `entered_from` is at fault.
    pub expected: Hex,
    /// The step says this.
    pub given: Hex,
    /// It is not where the step begins that is wrong, but from where it says that it came.
    pub entered_from: bool,
}

impl PathQuestion {
    /// The steps, with what each knows from those before it: a change of VCA from which hex its own
    /// was entered.
    ///
    /// # Errors
    /// The first step that does not begin where the one before it ended, or that says that its hex
    /// was entered from another than it was.
    pub fn joined(&self) -> Result<Vec<Step>, Gap> {
        let mut joined: Vec<Step> = Vec::with_capacity(self.steps.len());
        let mut came_from: Option<Hex> = None;
        for (at, step) in self.steps.iter().enumerate() {
            let gap = |expected, given, entered_from| Gap {
                step: at,
                expected,
                given,
                entered_from,
            };
            if let Some(before) = joined.last() {
                let (expected, given) = (before.ends_in(), step.begins_in());
                if expected != given {
                    return Err(gap(expected, given, false));
                }
            }
            let mut step = step.clone();
            match &mut step {
                Step::Enter { from, .. } => came_from = Some(*from),
                Step::Turn { entered_from, .. } => match (came_from, *entered_from) {
                    (Some(expected), Some(given)) if expected != given => {
                        return Err(gap(expected, given, true));
                    }
                    (known, said) => {
                        came_from = known.or(said);
                        *entered_from = came_from;
                    }
                },
            }
            joined.push(step);
        }
        Ok(joined)
    }
}

/// A rule that applies and is not known here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingRule {
    /// Which rule, and whose.
    pub by: Cited,
    /// Where.
    pub place: PlaceName,
    /// What to tell people.
    pub text: String,
}

/// The ruling on a step, or the rule that would decide and is not implemented.
pub type StepRuling = Result<Ruling, MissingRule>;

/// What a step spends in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Where Defensive First Fire that is drawn by it finds the mover.
    pub place: PlaceName,
    /// How much; `None` where that is not known.
    pub amount: Option<i32>,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PricedStep {
    /// The ruling on it.
    pub ruling: StepRuling,
    /// What the path costs up to its end; `None` from the first step on whose cost is not known.
    pub total_after: Option<i32>,
    /// It is a change of VCA and no plugin says what that costs: it adds nothing, which is less than
    /// it should.
    pub turn_not_judged: bool,
    /// Where it spends what, in the order of its items.
    pub spent: Vec<Spent>,
}

/// A step that is forbidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProhibitedStep {
    /// The step, by its place in the path.
    pub step: usize,
    /// The rules that forbid it.
    pub by: Vec<Cited>,
}

/// A check that is owed on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwedCheck {
    /// The step that owes it, by its place in the path.
    pub step: usize,
    /// The check.
    pub check: MovementCheck,
}

/// What a path costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PricedPath {
    /// The fingerprint of the rules.
    pub rules: Digest,
    /// The id of the position.
    pub position: Digest,
    /// What it is counted in.
    pub unit: MovementUnit,
    /// The steps.
    pub steps: Vec<PricedStep>,
    /// The sum; `None` if the cost of some step is not known.
    pub total: Option<i32>,
    /// The first step after which the sum is above the allowance. The Minimum Move, by which a unit
    /// may move although its allowance does not suffice, is not judged.
    pub exceeds_at: Option<usize>,
    /// The steps that are forbidden. Their costs are in the sum all the same.
    pub prohibited: Vec<ProhibitedStep>,
    /// The checks that are owed, in the order in which they are made.
    pub checks: Vec<OwedCheck>,
}

/// Where does an allowance reach?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachQuestion {
    /// Who moves.
    pub moving: Moving,
    /// From where.
    pub from: Hex,
    /// The MF or MP that there are.
    pub allowance: u16,
    /// What every step follows, whatever the map shows.
    pub way: Way,
}

/// A hex that an allowance reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached {
    /// What the cheapest way to it costs.
    pub cost: u32,
    /// The hex.
    pub hex: Hex,
    /// The hex before it on that way; `None` where the move begins. Of several cheapest ways it is
    /// one that owes the fewest DRs, then one of the fewest steps, then the first in the order of
    /// hexes.
    pub came_from: Option<Hex>,
    /// How many DRs that way owes.
    pub checks: u32,
}

/// Why nobody can say what a step costs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unpriced {
    /// The rule that would decide is not implemented.
    NotImplemented(MissingRule),
    /// No plugin knows what the terrain costs.
    NoCost,
    /// It would give MF or MP back. No search can end on that.
    LessThanNothing,
}

/// A step out of a reached hex that was not taken, since its cost is not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnknownStep {
    /// The hex that it leaves, which is reached.
    pub from: Hex,
    /// The hex that it enters.
    pub to: Hex,
    /// Why.
    pub why: Unpriced,
}

/// All that an allowance reaches.
///
/// A vehicle's facing is not judged: what it spends on changes of VCA is not counted, so it may
/// reach less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The fingerprint of the rules.
    pub rules: Digest,
    /// The id of the position.
    pub position: Digest,
    /// What it is counted in.
    pub unit: MovementUnit,
    /// The hexes: first where the move begins, then the others by cost and in the order of hexes.
    pub hexes: Vec<Reached>,
    /// The steps out of them whose cost is not known, sorted. They were not taken: what lies beyond
    /// may be reached too, and more cheaply than is said.
    pub unknown: Vec<UnknownStep>,
    /// The contested options on which the steps out of them turned, each once.
    pub contested: Vec<ContestedOption>,
    /// The rules that apply to steps out of them and are left out of account, since no plugin covers
    /// them; each once, for the first place.
    pub not_covered: Vec<MissingRule>,
    /// The layers ignored, and whether a step out of them meets them.
    pub ignored: Vec<IgnoredLayer>,
}

#[cfg(test)]
mod tests {
    use alamein_hex::Grid;

    use super::*;
    use crate::counter::CounterClass;

    fn hex(name: &str) -> Hex {
        Grid::geomorphic().hex(name).unwrap()
    }

    fn enter(from: &str, to: &str) -> Step {
        Step::enter(hex(from), hex(to))
    }

    fn turn(at: &str, entered_from: Option<&str>) -> Step {
        Step::Turn {
            hex: hex(at),
            entered_from: entered_from.map(hex),
            hexsides: 1,
            way: Way::Open,
        }
    }

    fn joined(steps: &[Step]) -> Result<Vec<Step>, Gap> {
        let moving = Moving::new(Mover::new(CounterClass::Tank));
        let (steps, allowance) = (steps.to_vec(), None);
        let question = PathQuestion {
            moving,
            steps,
            allowance,
        };
        question.joined()
    }

    #[test]
    fn a_turn_learns_from_where_its_hex_was_entered() {
        let path = [
            turn("P6", None),
            enter("P6", "P7"),
            turn("P7", None),
            turn("P7", Some("P6")),
        ];
        let known = turn("P7", Some("P6"));
        let expected = [path[0].clone(), path[1].clone(), known.clone(), known];
        assert_eq!(joined(&path).unwrap(), expected);
        // What only the first step knows holds for those that follow it in the hex.
        let started = [turn("P6", Some("P5")), turn("P6", None)];
        assert_eq!(joined(&started).unwrap()[1], started[0]);
    }

    #[test]
    fn a_step_begins_where_the_one_before_it_ended() {
        let gap = joined(&[enter("P6", "P7"), turn("P7", None), enter("P6", "P5")]).unwrap_err();
        let expected = Gap {
            step: 2,
            expected: hex("P7"),
            given: hex("P6"),
            entered_from: false,
        };
        assert_eq!(gap, expected);
        let gap = joined(&[enter("P6", "P7"), turn("P7", Some("P8"))]).unwrap_err();
        let expected = Gap {
            step: 1,
            expected: hex("P6"),
            given: hex("P8"),
            entered_from: true,
        };
        assert_eq!(gap, expected);
    }
}
