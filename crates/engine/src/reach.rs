//! How far an allowance reaches: steps priced for a search, and what it found put into names.

use std::collections::BTreeSet;

use alamein_hex::Hex;
use alamein_terrain::fold::{fold_step, stands};
use alamein_terrain::{
    ContestedOption, Effect, Fact, MissingRule, MoveStep, Reach, ReachQuestion, UnknownStep,
    Unpriced,
};
use futures::executor::block_on;

use crate::engine::{Batch, said_of};
use crate::error::QuestionError;
use crate::naming::{Names, SaidOfOne};
use crate::resolve::{Probes, Resolver};
use crate::rounds::Rounds;
use crate::search::{Found, Outlook, Outlooks, Price, Searched, search};

/// Finds all hexes within an allowance.
pub(crate) fn reach(batch: &Batch<'_>, question: &ReachQuestion) -> Result<Reach, QuestionError> {
    let mut resolver = Resolver {
        ruleset: batch.ruleset,
        prepared: batch.prepared,
        probes: Probes::default(),
    };
    let first = resolver.first_step(question)?;
    let probes = resolver.probes;
    let pricer = Pricer {
        rounds: &Rounds::new(batch, &probes),
        names: &Names {
            ruleset: batch.ruleset,
            prepared: batch.prepared,
            probes: &probes,
            verdicts_only: false,
        },
        first,
    };
    let price = |hexes: &BTreeSet<Hex>| pricer.price(hexes);
    let searched = search(question.from, question.allowance.into(), price)?;
    Ok(pricer.reach(searched))
}

/// Prices steps.
struct Pricer<'a> {
    rounds: &'a Rounds<'a>,
    names: &'a Names<'a>,
    /// What all steps are but for their hexes.
    first: MoveStep,
}

impl Pricer<'_> {
    /// Prices the steps out of each of some hexes, in one batch.
    fn price(&self, hexes: &BTreeSet<Hex>) -> Result<Outlooks, QuestionError> {
        if self.rounds.budget.exhausted() {
            return Err(QuestionError::OutOfTime);
        }
        let grid = self.rounds.prepared.map.map.grid;
        let mut steps = Vec::new();
        for from in hexes {
            let on_map = from
                .neighbours()
                .into_iter()
                .filter(|to| grid.contains(*to));
            steps.extend(on_map.map(|to| MoveStep {
                from: *from,
                to,
                ..self.first.clone()
            }));
        }
        let said = block_on(self.rounds.steps(&steps));
        let mut priced: Outlooks = hexes.iter().map(|hex| (*hex, Vec::new())).collect();
        for (at, step) in steps.iter().enumerate() {
            let outlook = self.outlook(step.to, &said_of(&said, at)?);
            priced.entry(step.from).or_default().push(outlook);
        }
        Ok(priced)
    }

    fn outlook(&self, to: Hex, said: &SaidOfOne<'_>) -> Outlook {
        let contested = said.findings.iter();
        let contested = contested.filter(|(_, finding)| finding.effect == Effect::Contested);
        let not_covered = said.findings.iter();
        let not_covered = not_covered.filter(|(_, finding)| {
            finding.effect == Effect::NotCovered && stands(finding, said.seen)
        });
        Outlook {
            to,
            found: self.found(said),
            contested: contested
                .filter_map(|(feature, finding)| self.names.contested(*feature, finding))
                .collect(),
            not_covered: not_covered
                .map(|(feature, finding)| self.names.missing_rule(*feature, finding))
                .collect(),
        }
    }

    fn found(&self, said: &SaidOfOne<'_>) -> Found {
        if let Some(refusal) = self.names.not_implemented(said) {
            return Found::Unknown(Unpriced::NotImplemented(refusal));
        }
        let folded = fold_step(said.seen, said.findings);
        if !folded.prohibiting.is_empty() {
            return Found::Prohibited;
        }
        let Some(total) = folded.total else {
            return Found::Unknown(Unpriced::NoCost);
        };
        let Ok(cost) = u32::try_from(total) else {
            return Found::Unknown(Unpriced::LessThanNothing);
        };
        let checks = folded.checks.iter();
        let seen = checks.filter_map(|check| said.seen.get(check.at));
        let times = seen.filter_map(|seen| match seen.observation.fact {
            Fact::Check { times, .. } => Some(u32::from(times)),
            _ => None,
        });
        Found::Open(Price::of_step(cost, times.sum()))
    }

    fn reach(&self, searched: Searched) -> Reach {
        let mut steps = Vec::new();
        let mut unknown = Vec::new();
        let mut contested: Vec<ContestedOption> = Vec::new();
        let mut not_covered: Vec<MissingRule> = Vec::new();
        let outlooks = searched.steps.iter();
        let outlooks = outlooks.flat_map(|(from, outlooks)| outlooks.iter().map(|it| (*from, it)));
        for (from, outlook) in outlooks {
            let to = outlook.to;
            steps.push((from, to));
            if let Found::Unknown(why) = &outlook.found {
                let why = why.clone();
                unknown.push(UnknownStep { from, to, why });
            }
            contested.extend(outlook.contested.iter().cloned());
            not_covered.extend(outlook.not_covered.iter().cloned());
        }
        unknown.sort();
        // Each is said once, of the first place at which it mattered.
        contested.sort();
        contested.dedup_by(|one, other| (&one.by, &one.option) == (&other.by, &other.option));
        not_covered.sort();
        not_covered.dedup_by(|one, other| one.by == other.by);
        Reach {
            rules: self.names.ruleset.fingerprint(),
            position: self.names.prepared.position.id(),
            unit: self.first.mover.class.movement_unit(),
            hexes: searched.hexes,
            unknown,
            contested,
            not_covered,
            ignored: self.names.ignored_by_steps(&steps),
        }
    }
}
