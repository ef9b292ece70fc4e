//! Paths and allowances as JSON.

use alamein_hex::{Grid, Hex};
use alamein_terrain::{
    MissingRule, OwedCheck, PricedPath, PricedStep, Reach, Spent, UnknownStep, Unpriced,
};
use serde_json::{Value, json};

use crate::json::{check, cited, contested, ignored, place, ruling, unit};

/// A path. `explain`: with what was considered of each step.
pub(super) fn path(priced: &PricedPath, explain: bool) -> Value {
    let prohibited = priced.prohibited.iter().map(|step| {
        let by: Value = step.by.iter().map(cited).collect();
        json!({"step": step.step, "prohibited_by": by})
    });
    let owed = |owed: &OwedCheck| {
        let mut value = check(&owed.check);
        value["step"] = json!(owed.step);
        value
    };
    json!({
        "rules_fingerprint": priced.rules.to_string(),
        "position_id": priced.position.to_string(),
        "unit": unit(priced.unit),
        "total": priced.total,
        "exceeds_at_step": priced.exceeds_at,
        "prohibited": prohibited.collect::<Value>(),
        "checks": priced.checks.iter().map(owed).collect::<Value>(),
        "steps": priced.steps.iter().map(|it| step(it, explain)).collect::<Value>(),
    })
}

fn step(step: &PricedStep, explain: bool) -> Value {
    let (ruling, missing) = match &step.ruling {
        Ok(it) => (ruling(it, explain), Value::Null),
        Err(rule) => (Value::Null, missing_rule(rule)),
    };
    let spent = |spent: &Spent| json!({"place": place(&spent.place), "amount": spent.amount});
    json!({
        "ruling": ruling,
        "not_implemented": missing,
        "total_after": step.total_after,
        "vca_change_not_judged": step.turn_not_judged,
        "spent": step.spent.iter().map(spent).collect::<Value>(),
    })
}

pub(crate) fn missing_rule(rule: &MissingRule) -> Value {
    let mut value = cited(&rule.by);
    value["place"] = place(&rule.place);
    value["text"] = json!(rule.text);
    value
}

/// What an allowance reaches.
pub(super) fn reach(reach: &Reach, grid: &Grid) -> Value {
    let name = |hex: Hex| grid.label(hex);
    let hexes = reach.hexes.iter().map(|reached| {
        json!({
            "hex": name(reached.hex),
            "cost": reached.cost,
            "came_from": reached.came_from.map(name),
            "checks": reached.checks,
        })
    });
    let unknown = |step: &UnknownStep| {
        let (reason, rule) = match &step.why {
            Unpriced::NotImplemented(rule) => ("not_implemented", missing_rule(rule)),
            Unpriced::NoCost => ("no_cost", Value::Null),
            Unpriced::LessThanNothing => ("negative", Value::Null),
        };
        let (from, to) = (name(step.from), name(step.to));
        json!({"from": from, "to": to, "reason": reason, "not_implemented": rule})
    };
    json!({
        "rules_fingerprint": reach.rules.to_string(),
        "position_id": reach.position.to_string(),
        "unit": unit(reach.unit),
        "hexes": hexes.collect::<Value>(),
        "unknown": reach.unknown.iter().map(unknown).collect::<Value>(),
        "contested": reach.contested.iter().map(contested).collect::<Value>(),
        "not_covered": reach.not_covered.iter().map(missing_rule).collect::<Value>(),
        "ignored_layers": reach.ignored.iter().map(ignored).collect::<Value>(),
    })
}
