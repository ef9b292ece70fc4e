//! A ruling as JSON.

use alamein_terrain::{
    Adjudicated, Cited, ContestedOption, CostPart, Emplacement, FoundEffect, FoundFact,
    IgnoredLayer, LosResult, LosVerdict, MovementCheck, MovementUnit, PlaceName, RuledFinding,
    RuledObservation, Ruling, Verdict,
};
use serde_json::{Value, json};

/// A ruling and what other policies would give. `explain`: with what was considered.
pub(crate) fn adjudicated(ruled: &Adjudicated, explain: bool) -> Value {
    let mut value = ruling(&ruled.ruling, explain);
    let others = ruled.other_policies.iter();
    let others: Value = others
        .map(|(policy, other)| (policy.name().to_owned(), ruling(other, explain)))
        .collect();
    value["other_policies"] = others;
    value
}

pub(crate) fn ruling(ruling: &Ruling, explain: bool) -> Value {
    let mut value = json!({
        "ruling_id": ruling.id.to_string(),
        "rules_fingerprint": ruling.rules.to_string(),
        "position_id": ruling.position.to_string(),
        "policy": ruling.policy.name(),
        "verdict": verdict(&ruling.verdict),
        "findings": ruling.findings.iter().map(finding).collect::<Value>(),
        "observations": ruling.observations.iter().map(observation).collect::<Value>(),
        "contested": ruling.contested.iter().map(contested).collect::<Value>(),
        "grazing": {
            "grazes": ruling.grazing.grazes,
            "along": ruling.grazing.along,
            "through": ruling.grazing.through,
            "readings": ruling.grazing.readings.iter().map(|reading| {
                let crossed = reading.iter().map(|crossed| json!([crossed.from, crossed.to]));
                crossed.collect::<Value>()
            }).collect::<Value>(),
        },
        "ignored_layers": ruling.ignored.iter().map(ignored).collect::<Value>(),
    });
    if explain {
        value["considered"] = ruling.considered.iter().map(finding).collect();
    }
    value
}

pub(crate) fn contested(option: &ContestedOption) -> Value {
    json!({
        "plugin": *option.by.plugin,
        "rule": *option.by.rule,
        "option": option.option,
        "value": serde_json::from_str::<Value>(&option.value).unwrap_or_default(),
        "text": option.text,
    })
}

pub(crate) fn ignored(layer: &IgnoredLayer) -> Value {
    json!({"layer": layer.layer, "met": layer.met})
}

pub(crate) fn unit(unit: MovementUnit) -> &'static str {
    match unit {
        MovementUnit::Mf => "MF",
        MovementUnit::Mp => "MP",
    }
}

fn verdict(verdict: &Verdict) -> Value {
    match verdict {
        Verdict::LineOfSight(line) => with_kind("line_of_sight", los(line)),
        Verdict::LineOfFire(line, target) => {
            let mut value = with_kind("line_of_fire", los(line));
            value["tem"] = json!(target.tem);
            value["hull_down"] = json!(target.hull_down);
            value["open_ground"] = json!(target.open_ground);
            value["total_drm"] = json!(target.total_drm);
            value["halved"] = json!(target.halved);
            value["morale_drm"] = json!(target.morale_drm);
            value
        }
        Verdict::FireLane(line, lane) => {
            let mut value = with_kind("fire_lane", los(line));
            value["on_lane"] = json!(lane.on_lane);
            value["immune"] = json!(lane.immune);
            value["attacked"] = json!(lane.attacked);
            value
        }
        Verdict::Movement(step) => json!({
            "kind": "movement",
            "unit": unit(step.unit),
            "total": step.total,
            "items": step.items.iter().map(|item| {
                let mut value = cited(&item.by);
                value["part"] = part(item.part);
                value["amount"] = json!(item.amount);
                value["spent_in"] = place(&item.spent_in);
                value
            }).collect::<Value>(),
            "checks": step.checks.iter().map(check).collect::<Value>(),
            "prohibited_by": step.prohibited_by.iter().map(cited).collect::<Value>(),
        }),
        Verdict::SetUp(setup) => json!({
            "kind": "setup",
            "allowed": setup.allowed,
            "prohibited_by": setup.prohibited_by.iter().map(cited).collect::<Value>(),
            "emplacement": setup.emplacement.map(|emplacement| match emplacement {
                Emplacement::NotEmplaced => "not_emplaced",
                Emplacement::Emplaced => "emplaced",
                Emplacement::UnlessRecorded => "unless_recorded",
            }),
            "emplacement_by": setup.emplacement_by.iter().map(cited).collect::<Value>(),
        }),
    }
}

pub(crate) fn check(check: &MovementCheck) -> Value {
    let modifier = |(by, drm): &(Cited, i16)| {
        let mut value = cited(by);
        value["drm"] = json!(drm);
        value
    };
    let mut value = cited(&check.by);
    value["kind"] = json!(*check.kind);
    value["place"] = place(&check.place);
    value["times"] = json!(check.times);
    value["fails_at"] = json!(check.fails_at);
    value["drm"] = json!(check.drm);
    value["modifiers"] = check.modifiers.iter().map(modifier).collect();
    value["fails_at_original"] = json!(check.fails_at_original);
    value
}

fn with_kind(kind: &str, mut value: Value) -> Value {
    value["kind"] = json!(kind);
    value
}

fn los(los: &LosVerdict) -> Value {
    json!({
        "result": match los.result {
            LosResult::Clear => "clear",
            LosResult::Hindered => "hindered",
            LosResult::Blocked => "blocked",
        },
        "hindrance": los.hindrance,
        "hindering": los.hindering,
        "blocked_by": los.blocked_by,
        "grazing": los.grazing,
        "range": los.range,
    })
}

pub(crate) fn cited(by: &Cited) -> Value {
    json!({"plugin": *by.plugin, "rule": *by.rule, "number": by.number()})
}

pub(crate) fn place(place: &PlaceName) -> Value {
    match place {
        PlaceName::Whole => Value::Null,
        PlaceName::Hex(name) | PlaceName::Hexside(name) => json!(name),
    }
}

fn finding(finding: &RuledFinding) -> Value {
    let mut value = cited(&finding.by);
    let (effect, number) = effect(&finding.effect);
    value["effect"] = json!(effect);
    value["value"] = json!(number);
    value["place"] = place(&finding.place);
    value["subject"] = json!(finding.subject);
    value["stands"] = json!(finding.standing);
    if let Some(by) = &finding.replaced_by {
        value["replaced_by"] = cited(by);
    }
    value["cites"] = json!(finding.cites.as_slice());
    value["text"] = json!(finding.text);
    value
}

fn effect(effect: &FoundEffect) -> (&'static str, Option<i16>) {
    match effect {
        FoundEffect::Blocks => ("blocks", None),
        FoundEffect::Tem { drm, .. } => ("tem", Some(*drm)),
        FoundEffect::HullDown => ("hull_down", None),
        FoundEffect::OnLane => ("on_lane", None),
        FoundEffect::Immune => ("immune", None),
        FoundEffect::OpenGround => ("open_ground", None),
        FoundEffect::NotOpenGround => ("not_open_ground", None),
        FoundEffect::Halved => ("halved", None),
        FoundEffect::MoraleDrm { drm } => ("morale_drm", Some(*drm)),
        FoundEffect::Cap { max } => ("hindrance_cap", Some(*max)),
        FoundEffect::Limit { at } => ("hindrance_limit", Some(*at)),
        FoundEffect::Prohibited => ("prohibited", None),
        FoundEffect::Allowed => ("allowed", None),
        FoundEffect::Emplaced => ("emplaced", None),
        FoundEffect::MayBeUnemplaced => ("may_be_unemplaced", None),
        FoundEffect::NotCovered => ("not_covered", None),
        FoundEffect::Considered => ("considered", None),
    }
}

fn observation(observation: &RuledObservation) -> Value {
    let mut value = cited(&observation.by);
    let fact = match &observation.fact {
        FoundFact::Obstacle {
            kind,
            height,
            inherent,
        } => {
            json!({"fact": "obstacle", "kind": **kind, "half_levels": height, "inherent": inherent})
        }
        FoundFact::Hindrance { kind, drm } => {
            json!({"fact": "hindrance", "kind": **kind, "drm": drm})
        }
        FoundFact::Mark { kind, value } => {
            json!({"fact": "mark", "kind": **kind, "value": value})
        }
        FoundFact::Check {
            kind,
            fails_at,
            times,
            order,
        } => {
            json!({
                "fact": "check", "kind": **kind, "fails_at": fails_at, "times": times,
                "order": order,
            })
        }
        FoundFact::CheckDrm { kind, drm } => {
            json!({"fact": "check_drm", "kind": **kind, "drm": drm})
        }
        FoundFact::Cost { part: of, amount } => {
            json!({"fact": "cost", "part": part(*of), "amount": amount})
        }
    };
    if let (Some(value), Value::Object(fact)) = (value.as_object_mut(), fact) {
        value.extend(fact);
    }
    value["place"] = place(&observation.place);
    value["subject"] = json!(observation.subject);
    value["hypothetical"] = json!(observation.hypothetical);
    value["set_aside_by"] = observation.set_aside_by.iter().map(cited).collect();
    value["text"] = json!(observation.text);
    value
}

fn part(part: CostPart) -> Value {
    json!(match part {
        CostPart::Cot => "cot",
        CostPart::Surcharge => "surcharge",
        CostPart::Reduction { .. } => "reduction",
    })
}
