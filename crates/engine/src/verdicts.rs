//! What the fold says in numbers becomes verdicts in names.

use alamein_terrain::fold::{FoldedCheck, FoldedLine, FoldedSetUp, FoldedStep};
use alamein_terrain::{
    Cited, Emplacement, Fact, Line, LosResult, LosVerdict, MoveStep, MovementCheck, MovementItem,
    MovementVerdict, Name, Part, SetUpVerdict, TemVerdict,
};

use crate::ledger::{List, LosEntry};
use crate::naming::{Names, SaidOfOne};

impl Names<'_> {
    /// The LOS along a line. Its names are in the ledger.
    pub(crate) fn los(
        &self,
        line: &Line,
        said: &SaidOfOne<'_>,
        folded: &FoldedLine,
        names: &mut List<Name>,
    ) -> (LosVerdict, LosEntry) {
        let rule = |at: &usize| {
            let (feature, finding) = said.findings.get(*at)?;
            Some(Name::new(self.cite(*feature, finding.rule).number()))
        };
        let counter = |index: &u32| self.counter(*index).clone();
        let entry = LosEntry {
            blocked_by: names.add_sorted(folded.blocking.iter().filter_map(rule)),
            hindering: names.add_sorted(folded.hindering.iter().map(counter)),
        };
        let verdict = LosVerdict {
            result: folded.result,
            hindrance: (!folded.blocked_by_terrain).then_some(folded.hindrance),
            hindering: Part::default(),
            blocked_by: Part::default(),
            grazing: line.trace.grazing(),
            range: line.trace.range(),
        };
        (verdict, entry)
    }

    pub(crate) fn movement(
        &self,
        step: &MoveStep,
        said: &SaidOfOne<'_>,
        folded: &FoldedStep,
    ) -> MovementVerdict {
        let item = |(at, amount): &(usize, i16)| {
            let seen = said.seen.get(*at)?;
            let Fact::Cost { part, .. } = seen.observation.fact else {
                return None;
            };
            Some(MovementItem {
                by: self.cite(seen.feature, seen.observation.rule),
                part,
                amount: *amount,
                spent_in: self.place(seen.observation.place),
            })
        };
        let cited = |at: &usize| {
            let (feature, finding) = said.findings.get(*at)?;
            Some(self.cite(*feature, finding.rule))
        };
        let check = |check: &FoldedCheck| self.check(check, said);
        MovementVerdict {
            checks: folded.checks.iter().filter_map(check).collect(),
            unit: step.mover.class.movement_unit(),
            total: folded.total,
            items: folded.items.iter().filter_map(item).collect(),
            prohibited_by: folded.prohibiting.iter().filter_map(cited).collect(),
        }
    }

    pub(crate) fn setup_verdict(&self, said: &SaidOfOne<'_>, folded: &FoldedSetUp) -> SetUpVerdict {
        let found = |at: &usize| said.findings.get(*at);
        let rule =
            |at: &usize| found(at).map(|(feature, finding)| self.cite(*feature, finding.rule));
        let cited = folded.emplacing.iter().filter_map(found);
        let cited = cited.flat_map(|(_, finding)| &finding.cites);
        let mut emplacement_by: Vec<Cited> = match folded.emplacement {
            // What it rests on fell: the rules by which it did.
            Some(Emplacement::NotEmplaced) => cited
                .flat_map(|at| {
                    said.objections
                        .iter()
                        .filter(move |(_, _, o)| o.observation == *at)
                })
                .map(|(_, feature, objection)| self.cite(*feature, objection.rule))
                .collect(),
            _ => cited
                .filter_map(|at| said.seen.get(*at as usize))
                .map(|seen| self.cite(seen.feature, seen.observation.rule))
                .chain(folded.emplacing.iter().filter_map(rule))
                .collect(),
        };
        emplacement_by.sort();
        emplacement_by.dedup();
        SetUpVerdict {
            allowed: folded.allowed,
            prohibited_by: folded.prohibiting.iter().filter_map(rule).collect(),
            emplacement: folded.emplacement,
            emplacement_by,
        }
    }

    fn check(&self, folded: &FoldedCheck, said: &SaidOfOne<'_>) -> Option<MovementCheck> {
        let seen = said.seen.get(folded.at)?;
        let Fact::Check {
            kind,
            fails_at,
            times,
            ..
        } = seen.observation.fact
        else {
            return None;
        };
        let modifier = |(at, drm): &(usize, i16)| {
            let seen = said.seen.get(*at)?;
            Some((self.cite(seen.feature, seen.observation.rule), *drm))
        };
        // Of two dice: an Original DR of 2 is the least, 12 the most.
        let original = folded.drm.map(|drm| fails_at.saturating_sub(drm).max(2));
        Some(MovementCheck {
            by: self.cite(seen.feature, seen.observation.rule),
            kind: self.ruleset.kind(kind),
            place: self.place(seen.observation.place),
            times,
            fails_at,
            drm: folded.drm,
            modifiers: folded.modifiers.iter().filter_map(modifier).collect(),
            fails_at_original: original.filter(|original| *original <= 12),
        })
    }
}

pub(crate) fn tem(folded: &FoldedLine) -> TemVerdict {
    if folded.result == LosResult::Blocked {
        return TemVerdict::default();
    }
    TemVerdict {
        tem: Some(folded.tem),
        hull_down: Some(folded.hull_down),
        open_ground: folded.open_ground,
        halved: Some(folded.halved),
        morale_drm: Some(folded.morale_drm),
        total_drm: Some(folded.tem.saturating_add(folded.hindrance)),
    }
}
