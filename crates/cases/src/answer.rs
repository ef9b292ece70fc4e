//! What a ruling answers, in the words of case files.

use std::collections::{BTreeMap, BTreeSet};

use alamein_terrain::{
    Cited, Emplacement, FoundEffect, LaneVerdict, LosResult, LosVerdict, MovementCheck,
    MovementUnit, MovementVerdict, PlaceName, ReportAs, Ruling, SetUpVerdict, TemVerdict, Verdict,
};
use serde_json::{Value, json};

use crate::known::{How, Known};

/// What a ruling answers, by key.
pub type Answer = BTreeMap<String, Value>;

/// What a ruling answers: what its verdict says, and by the keys of the manifests what stands of
/// the rules that report.
#[must_use]
pub fn answer(ruling: &Ruling, known: &Known) -> Answer {
    let mut answer: Answer = known
        .keys()
        .map(|(key, hows)| {
            let hows: Vec<How> = hows.iter().copied().collect();
            (key.to_owned(), reported(key, &hows, ruling, known))
        })
        .collect();
    // What a verdict says goes before what rules report under the same key.
    for (key, value) in verdict(ruling, known) {
        answer.insert(key.to_owned(), value);
    }
    answer
}

/// The word for a result.
pub(crate) fn result_word(result: LosResult) -> &'static str {
    match result {
        LosResult::Clear => "clear",
        LosResult::Hindered => "hindered",
        LosResult::Blocked => "blocked",
    }
}

fn verdict(ruling: &Ruling, known: &Known) -> Vec<(&'static str, Value)> {
    match &ruling.verdict {
        Verdict::LineOfSight(line) => los(line),
        Verdict::LineOfFire(line, target) => [los(line), tem(target)].concat(),
        Verdict::FireLane(line, mover) => [los(line), lane(line, mover)].concat(),
        Verdict::Movement(step) => movement(step, known),
        Verdict::SetUp(verdict) => setup(verdict),
    }
}

fn los(verdict: &LosVerdict) -> Vec<(&'static str, Value)> {
    vec![
        ("result", json!(result_word(verdict.result))),
        ("hindrance", json!(verdict.hindrance)),
        ("hindering", json!(verdict.hindering)),
        ("blocked_by", json!(verdict.blocked_by)),
        ("grazing", json!(verdict.grazing)),
        ("range", json!(verdict.range)),
    ]
}

fn tem(verdict: &TemVerdict) -> Vec<(&'static str, Value)> {
    vec![
        ("hull_down", json!(verdict.hull_down)),
        ("open_ground", json!(verdict.open_ground)),
        ("total_drm", json!(verdict.total_drm)),
        ("halved", json!(verdict.halved)),
        ("morale_drm", json!(verdict.morale_drm)),
    ]
}

fn lane(line: &LosVerdict, verdict: &LaneVerdict) -> Vec<(&'static str, Value)> {
    vec![
        ("on_lane", json!(verdict.on_lane)),
        ("immune", json!(verdict.immune)),
        ("attacked", json!(verdict.attacked)),
        ("lane_hindering", json!(line.hindering)),
    ]
}

fn movement(verdict: &MovementVerdict, known: &Known) -> Vec<(&'static str, Value)> {
    let unit = match verdict.unit {
        MovementUnit::Mf => "MF",
        MovementUnit::Mp => "MP",
    };
    let items = verdict.items.iter().filter(|item| item.amount != 0);
    let items: Vec<Value> = items
        .map(|item| {
            let spent_in = match &item.spent_in {
                PlaceName::Hex(name) | PlaceName::Hexside(name) => Some(name),
                PlaceName::Whole => None,
            };
            json!({
                "what": known.item(&item.by),
                "amount": item.amount,
                "spent_in": spent_in,
            })
        })
        .collect();
    vec![
        ("total", json!(verdict.total)),
        ("unit", json!(unit)),
        ("items", json!(items)),
        ("prohibited_by", numbers(&verdict.prohibited_by)),
    ]
}

fn setup(verdict: &SetUpVerdict) -> Vec<(&'static str, Value)> {
    let emplacement = verdict.emplacement.map(|emplacement| match emplacement {
        Emplacement::NotEmplaced => "not_emplaced",
        Emplacement::Emplaced => "emplaced",
        Emplacement::UnlessRecorded => "unless_recorded",
    });
    vec![
        ("allowed", json!(verdict.allowed)),
        ("prohibited_by", numbers(&verdict.prohibited_by)),
        ("emplacement", json!(emplacement)),
        ("emplacement_by", numbers(&verdict.emplacement_by)),
    ]
}

/// The numbers of rules, sorted.
fn numbers(rules: &[Cited]) -> Value {
    let numbers: BTreeSet<&str> = rules.iter().map(Cited::number).collect();
    json!(numbers)
}

/// The value of a key that rules report. There is none where the LOS is blocked.
fn reported(key: &str, hows: &[How], ruling: &Ruling, known: &Known) -> Value {
    if hows.contains(&How::Check) {
        return check(key, ruling, known);
    }
    let blocked = |los: &LosVerdict| los.result == LosResult::Blocked;
    if ruling.verdict.los().is_some_and(blocked) {
        return Value::Null;
    }
    let mut found = false;
    let mut best = None;
    for finding in ruling.standing_findings() {
        let reports = known.reports(&finding.by).iter();
        for report in reports.filter(|report| report.key == key) {
            match report.how {
                ReportAs::Unknown => return Value::Null,
                ReportAs::Flag => found = true,
                ReportAs::Best => best = best.max(number(&finding.effect)),
                ReportAs::Item | ReportAs::Check => {}
            }
        }
    }
    if hows.contains(&How::Best) {
        json!(best.unwrap_or_default())
    } else {
        json!(found)
    }
}

/// The check that a key holds, if the step owes one.
fn check(key: &str, ruling: &Ruling, known: &Known) -> Value {
    let Verdict::Movement(step) = &ruling.verdict else {
        return Value::Null;
    };
    let held = |check: &&MovementCheck| {
        let mut reports = known.reports(&check.by).iter();
        reports.any(|report| report.key == key && report.how == ReportAs::Check)
    };
    let Some(check) = step.checks.iter().find(held) else {
        return json!({"required": false, "drm": null});
    };
    let mut fields = json!({"required": true, "drm": check.drm, "checks": check.times});
    if check.drm.is_some() {
        let item = |(by, drm): &(Cited, i16)| json!({"what": known.item(by), "drm": drm});
        fields["items"] = check.modifiers.iter().map(item).collect();
        fields["bogs_on_original_dr"] = json!(check.fails_at_original);
    }
    fields
}

fn number(effect: &FoundEffect) -> Option<i16> {
    match effect {
        FoundEffect::Tem { drm, .. } | FoundEffect::MoraleDrm { drm } => Some(*drm),
        FoundEffect::Cap { max } => Some(*max),
        FoundEffect::Limit { at } => Some(*at),
        _ => None,
    }
}
