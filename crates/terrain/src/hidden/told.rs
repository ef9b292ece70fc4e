//! What a side is told of a ruling.
//!
//! A question is ruled on twice: on the position as it is, and on the position as the side knows it. The
//! second ruling holds nothing that is hidden. The side is told that one, with as much of the true verdict
//! as differs: its numbers, and none of its names. So what a side is told depends on nothing but what it
//! knows and on the numbers of the true verdict.

use crate::canon::{Canon, Digest};
use crate::moves::{
    MissingRule, OwedCheck, PricedPath, PricedStep, ProhibitedStep, Reach, UnknownStep, Unpriced,
};
use crate::ruling::{
    Adjudicated, Cited, LosResult, LosVerdict, MovementCheck, MovementVerdict, PlaceName, Ruling,
    SetUpVerdict, Verdict,
};
use crate::shared::{Name, Part};
use crate::sight::{FieldOfView, Sight};

impl Cited {
    /// What stands for a rule of which a side may not know why it applies.
    #[must_use]
    pub fn hidden() -> Self {
        Self {
            plugin: Name::default(),
            rule: Name::new_static("hidden"),
        }
    }
}

impl Adjudicated {
    /// What a side is told: this is what is ruled on what it knows, and `truth` on what is. Tells also
    /// whether what is hidden makes a difference.
    #[must_use]
    pub fn told(self, truth: &Self) -> (Self, bool) {
        let (ruling, mut matters) = self.ruling.told(&truth.ruling);
        let mut others = Vec::new();
        for (policy, seen) in self.other_policies {
            let mut true_ones = truth.other_policies.iter();
            // Both are of the same line, so that it grazes in both or in neither.
            let Some((_, truth)) = true_ones.find(|(other, _)| *other == policy) else {
                continue;
            };
            let (told, differs) = seen.told(truth);
            matters |= differs;
            others.push((policy, told));
        }
        let told = Self {
            ruling,
            other_policies: others,
        };
        (told, matters)
    }
}

impl Ruling {
    /// The same of one ruling.
    #[must_use]
    pub fn told(mut self, truth: &Self) -> (Self, bool) {
        let verdict = verdict(&self.verdict, &truth.verdict);
        if verdict == self.verdict {
            return (self, false);
        }
        self.verdict = verdict;
        self.id = id_of(&self);
        (self, true)
    }
}

/// The id of a ruling that is told though it is not what is ruled on what the side knows.
fn id_of(told: &Ruling) -> Digest {
    Canon::new("alamein/told-id/1")
        .put(told.id)
        .put(&told.verdict)
        .digest()
}

fn verdict(seen: &Verdict, truth: &Verdict) -> Verdict {
    match (seen, truth) {
        (Verdict::LineOfSight(seen), Verdict::LineOfSight(truth)) => {
            Verdict::LineOfSight(los(seen, truth))
        }
        (Verdict::LineOfFire(seen, _), Verdict::LineOfFire(truth, tem)) => {
            Verdict::LineOfFire(los(seen, truth), tem.clone())
        }
        (Verdict::FireLane(seen, _), Verdict::FireLane(truth, lane)) => {
            Verdict::FireLane(los(seen, truth), lane.clone())
        }
        (Verdict::Movement(seen), Verdict::Movement(truth)) => {
            Verdict::Movement(movement(seen, truth))
        }
        (Verdict::SetUp(seen), Verdict::SetUp(truth)) => Verdict::SetUp(set_up(seen, truth)),
        // Both are of the same question.
        _ => seen.clone(),
    }
}

fn los(seen: &LosVerdict, truth: &LosVerdict) -> LosVerdict {
    if seen.result == LosResult::Blocked && truth.result == LosResult::Blocked {
        // By how much more is nobody's business.
        return seen.clone();
    }
    let blocked = seen.result == LosResult::Blocked;
    LosVerdict {
        result: truth.result,
        hindrance: truth.hindrance,
        blocked_by: match blocked {
            true => Part::default(),
            false => seen.blocked_by.clone(),
        },
        ..seen.clone()
    }
}

fn movement(seen: &MovementVerdict, truth: &MovementVerdict) -> MovementVerdict {
    MovementVerdict {
        unit: seen.unit,
        total: truth.total,
        items: seen.items.clone(),
        checks: checks(&seen.checks, &truth.checks),
        prohibited_by: rules(&seen.prohibited_by, &truth.prohibited_by),
    }
}

fn set_up(seen: &SetUpVerdict, truth: &SetUpVerdict) -> SetUpVerdict {
    let same = seen.emplacement == truth.emplacement;
    SetUpVerdict {
        allowed: truth.allowed,
        prohibited_by: rules(&seen.prohibited_by, &truth.prohibited_by),
        emplacement: truth.emplacement,
        emplacement_by: match truth.emplacement {
            _ if same => seen.emplacement_by.clone(),
            Some(_) => vec![Cited::hidden()],
            None => Vec::new(),
        },
    }
}

/// The rules that a side is told for something that there is if there is any.
fn rules(seen: &[Cited], truth: &[Cited]) -> Vec<Cited> {
    match (truth.is_empty(), seen.is_empty()) {
        (true, _) => Vec::new(),
        (false, false) => seen.to_vec(),
        (false, true) => vec![Cited::hidden()],
    }
}

/// The checks that a side must know of, since it rolls the dice for them.
fn checks(seen: &[MovementCheck], truth: &[MovementCheck]) -> Vec<MovementCheck> {
    let bare = |check: &MovementCheck| MovementCheck {
        place: PlaceName::Whole,
        modifiers: Vec::new(),
        ..check.clone()
    };
    let known = |check: &MovementCheck| {
        let known = seen.iter().find(|known| bare(known) == bare(check));
        known.cloned().unwrap_or_else(|| bare(check))
    };
    truth.iter().map(known).collect()
}

impl PricedPath {
    /// What a side is told of a path: this is what is ruled on what it knows, and `truth` on what is.
    /// Nothing, where a rule that is not implemented decides in one of the two alone.
    #[must_use]
    pub fn told(self, truth: &Self) -> Option<(Self, bool)> {
        let mut told = Self {
            steps: Vec::new(),
            total: truth.total,
            exceeds_at: truth.exceeds_at,
            prohibited: Vec::new(),
            checks: Vec::new(),
            ..self.clone()
        };
        let mut matters = Vec::new();
        for (step, (seen, truth)) in self.steps.iter().zip(&truth.steps).enumerate() {
            let ruling = match (&seen.ruling, &truth.ruling) {
                (Ok(seen), Ok(truth)) => {
                    let (ruling, differs) = seen.clone().told(truth);
                    matters.push(differs);
                    Ok(ruling)
                }
                (Err(missing), Err(_)) => Err(missing.clone()),
                _ => return None,
            };
            if let Ok(Verdict::Movement(verdict)) = ruling.as_ref().map(|it| &it.verdict) {
                let owed = verdict.checks.iter().cloned();
                told.checks
                    .extend(owed.map(|check| OwedCheck { step, check }));
                if !verdict.prohibited_by.is_empty() {
                    let by = verdict.prohibited_by.clone();
                    told.prohibited.push(ProhibitedStep { step, by });
                }
            }
            told.steps.push(PricedStep {
                ruling,
                total_after: truth.total_after,
                turn_not_judged: truth.turn_not_judged,
                spent: seen.spent.clone(),
            });
        }
        let matters = matters.contains(&true) || told != self;
        Some((told, matters))
    }
}

impl Reach {
    /// What a side is told of what an allowance reaches: this is what it would be by what the side knows,
    /// and `truth` what it is.
    #[must_use]
    pub fn told(self, truth: &Self) -> (Self, bool) {
        let unknown = truth.unknown.iter().map(|step| {
            let mut seen = self.unknown.iter();
            let known = seen.find(|seen| (seen.from, seen.to) == (step.from, step.to));
            known.cloned().unwrap_or_else(|| UnknownStep {
                why: bare(&step.why),
                ..step.clone()
            })
        });
        let unknown: Vec<UnknownStep> = unknown.collect();
        let told = Self {
            hexes: truth.hexes.clone(),
            unknown,
            ..self.clone()
        };
        let matters = told != self;
        (told, matters)
    }
}

/// Why a step cannot be priced, without what is hidden.
fn bare(why: &Unpriced) -> Unpriced {
    match why {
        Unpriced::NotImplemented(_) => Unpriced::NotImplemented(MissingRule {
            by: Cited::hidden(),
            place: PlaceName::Whole,
            text: String::new(),
        }),
        why => why.clone(),
    }
}

impl Sight {
    /// What a side is told of a sight: this is what it is by what the side knows, and `truth` what it is.
    #[must_use]
    pub fn told(self, truth: Self) -> Self {
        match (self, truth) {
            // What the side cannot ask by itself is not answered by what it cannot know.
            (Self::NotImplemented, _) => self,
            // By how much more is nobody's business.
            (seen, truth) if seen.is_blocked() && truth.is_blocked() => seen,
            (_, truth) => truth,
        }
    }
}

impl FieldOfView {
    /// What a side is told of what somebody sees: this is what it is by what the side knows, and `truth`
    /// what it is. Tells also whether what is hidden makes a difference.
    #[must_use]
    pub fn told(mut self, truth: &Self) -> (Self, bool) {
        let mut matters = false;
        // Both are of the same hexes.
        for ((_, seen), (_, truth)) in self.sights.iter_mut().zip(&truth.sights) {
            let told = seen.told(*truth);
            matters |= told != *seen;
            *seen = told;
        }
        (self, matters)
    }
}
