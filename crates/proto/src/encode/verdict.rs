//! Verdicts.

use std::collections::BTreeMap;

use alamein_terrain::{
    Cited, FoundEffect, LosVerdict, MovementCheck, MovementItem, MovementVerdict, RuledFinding,
    Ruling, SetUpVerdict, TemVerdict, Verdict,
};

use super::book::RuleBook;
use super::ruling::names;
use super::said::{cost_part, place};
use crate::v1::{self, verdict::Verdict as Given};
use crate::words::Word;

pub(crate) fn verdict(ruling: &Ruling, book: &RuleBook) -> v1::Verdict {
    let verdict = match &ruling.verdict {
        Verdict::LineOfSight(los) => Given::LineOfSight(self::los(los)),
        Verdict::LineOfFire(los, tem) => Given::LineOfFire(fire(los, tem, &ruling.findings, book)),
        Verdict::FireLane(los, lane) => Given::FireLane(v1::FireLaneVerdict {
            line: Some(self::los(los)),
            on_lane: lane.on_lane,
            immune: lane.immune,
            attacked: lane.attacked,
        }),
        Verdict::Movement(step) => Given::Movement(movement(step, book)),
        Verdict::SetUp(verdict) => Given::SetUp(setup(verdict, book)),
    };
    v1::Verdict {
        verdict: Some(verdict),
    }
}

fn los(los: &LosVerdict) -> v1::LineOfSightVerdict {
    v1::LineOfSightVerdict {
        result: los.result.number(),
        hindrance: los.hindrance.map(i32::from),
        hindering_counter_ids: names(&los.hindering),
        blocked_by: names(&los.blocked_by),
        grazing: los.grazing,
        range: los.range.into(),
    }
}

fn fire(
    los: &LosVerdict,
    tem: &TemVerdict,
    findings: &[RuledFinding],
    book: &RuleBook,
) -> v1::LineOfFireVerdict {
    // Where the LOS is blocked there is no TEM, and so nothing to claim.
    let claims = tem.tem.map(|_| tem_claims(findings, book));
    v1::LineOfFireVerdict {
        line: Some(self::los(los)),
        tem: tem.tem.map(i32::from),
        hull_down: tem.hull_down,
        open_ground: tem.open_ground,
        total_drm: tem.total_drm.map(i32::from),
        halved: tem.halved,
        morale_drm: tem.morale_drm.map(i32::from),
        tem_claims: claims.unwrap_or_default(),
    }
}

/// Every TEM that stands. Of each group the best counts, and of equals the first.
fn tem_claims(findings: &[RuledFinding], book: &RuleBook) -> Vec<v1::TemClaim> {
    let mut claims = Vec::new();
    let mut best: BTreeMap<&str, (usize, i16)> = BTreeMap::new();
    for found in findings.iter().filter(|found| found.standing) {
        let FoundEffect::Tem { group, drm } = &found.effect else {
            continue;
        };
        let here = (claims.len(), *drm);
        let counted = best.entry(group).or_insert(here);
        if *drm > counted.1 {
            *counted = here;
        }
        claims.push(v1::TemClaim {
            plugin_id: found.by.plugin.as_str().to_owned(),
            rule: Some(book.reference(&found.by)),
            drm: (*drm).into(),
            group: group.as_str().to_owned(),
            counted: false,
        });
    }
    for (at, _) in best.into_values() {
        claims[at].counted = true;
    }
    claims
}

fn movement(step: &MovementVerdict, book: &RuleBook) -> v1::MovementVerdict {
    v1::MovementVerdict {
        unit: step.unit.number(),
        total: step.total.map(i32::from),
        prohibited: !step.prohibited_by.is_empty(),
        items: step.items.iter().map(|it| item(it, book)).collect(),
        prohibited_by: citations(&step.prohibited_by, book),
        checks: step.checks.iter().map(|it| check(it, book)).collect(),
    }
}

fn setup(verdict: &SetUpVerdict, book: &RuleBook) -> v1::SetUpVerdict {
    v1::SetUpVerdict {
        allowed: verdict.allowed,
        prohibited_by: citations(&verdict.prohibited_by, book),
        emplacement: verdict.emplacement.map_or(0, Word::number),
        emplacement_by: citations(&verdict.emplacement_by, book),
    }
}

fn citations(rules: &[Cited], book: &RuleBook) -> Vec<v1::Citation> {
    let cited = |by: &Cited| v1::Citation {
        plugin_id: by.plugin.as_str().to_owned(),
        rule: Some(book.reference(by)),
    };
    rules.iter().map(cited).collect()
}

pub(crate) fn check(check: &MovementCheck, book: &RuleBook) -> v1::MovementCheck {
    let modifier = |(by, drm): &(Cited, i16)| v1::CheckModifier {
        what: book.item(by),
        plugin_id: by.plugin.as_str().to_owned(),
        rule: Some(book.reference(by)),
        drm: (*drm).into(),
    };
    v1::MovementCheck {
        what: check.kind.as_str().to_owned(),
        plugin_id: check.by.plugin.as_str().to_owned(),
        rule: Some(book.reference(&check.by)),
        r#where: place(&check.place),
        times: check.times.into(),
        fails_at_final_dr: check.fails_at.into(),
        drm: check.drm.map(i32::from),
        modifiers: check.modifiers.iter().map(modifier).collect(),
        fails_at_original_dr: check.fails_at_original.map(i32::from),
    }
}

fn item(item: &MovementItem, book: &RuleBook) -> v1::MovementItem {
    let (part, floor) = cost_part(item.part);
    v1::MovementItem {
        what: book.item(&item.by),
        plugin_id: item.by.plugin.as_str().to_owned(),
        rule: Some(book.reference(&item.by)),
        amount: item.amount.into(),
        spent_in: place(&item.spent_in),
        part: part.into(),
        floor,
    }
}
