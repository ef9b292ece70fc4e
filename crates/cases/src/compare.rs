//! Comparing what a file expects with what a ruling answers.

use alamein_terrain::{GrazingPolicy, LosResult, Ruling};
use serde_json::{Map, Value, json};

use crate::answer::{Answer, answer};
use crate::known::Known;

/// An answer that is not the one expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The grazing policy under which it was given.
    pub policy: GrazingPolicy,
    /// What differs.
    pub key: String,
    /// What the file expects.
    pub expected: Value,
    /// What the ruling says.
    pub ruled: Value,
}

/// How an answer compares with the one expected.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// What differs.
    pub differences: Vec<Difference>,
    /// Keys of which nothing that is loaded says anything, though the file expects something.
    pub unreported: Vec<String>,
}

/// Compares what is expected, and only that, with a ruling.
#[must_use]
pub fn compare(expected: &Map<String, Value>, ruling: &Ruling, known: &Known) -> Comparison {
    let answer = answer(ruling, known);
    let blocked = ruling
        .verdict
        .los()
        .is_some_and(|los| los.result == LosResult::Blocked);
    let mut comparison = Comparison::default();
    for (key, expected) in expected {
        // What a case does not judge it leaves empty. Where there is no LOS, everything is.
        if expected.is_null() && !blocked {
            continue;
        }
        let Some(ruled) = ruled(key, expected, &answer) else {
            if !is_neutral(expected) {
                comparison.unreported.push(key.clone());
            }
            continue;
        };
        if !agrees(key, expected, &ruled) {
            comparison.differences.push(Difference {
                policy: ruling.policy,
                key: key.clone(),
                expected: expected.clone(),
                ruled,
            });
        }
    }
    comparison
}

/// What the ruling says of a key; nothing if nothing that is loaded ever would.
fn ruled(key: &str, expected: &Value, answer: &Answer) -> Option<Value> {
    match key {
        "result_in" => answer.get("result").cloned(),
        "hinders" => {
            let hindering = answer.get("hindering")?.as_array()?;
            let hinders = |counter: &String| {
                let hinders = hindering.iter().any(|id| id.as_str() == Some(counter));
                (counter.clone(), json!(hinders))
            };
            Some(expected.as_object()?.keys().map(hinders).collect())
        }
        "items" => {
            let items = answer.get(key)?.as_array()?;
            let items = items.iter().map(|item| like(item, expected));
            Some(Value::Array(items.collect()))
        }
        _ => answer.get(key).cloned(),
    }
}

/// An item with only those fields that some expected item has.
fn like(item: &Value, expected: &Value) -> Value {
    let Some(fields) = item.as_object() else {
        return item.clone();
    };
    let items = || expected.as_array().into_iter().flatten();
    if items().next().is_none() {
        return item.clone();
    }
    let wanted = |field: &String| items().any(|item| item.get(field).is_some());
    let fields = fields.iter().filter(|(field, _)| wanted(field));
    fields
        .map(|(field, value)| (field.clone(), value.clone()))
        .collect()
}

fn agrees(key: &str, expected: &Value, ruled: &Value) -> bool {
    match (key, expected) {
        ("result_in", Value::Array(any)) => any.contains(ruled),
        (_, Value::Array(expected)) => {
            let sorted = |items: &[Value]| {
                let mut items: Vec<String> = items.iter().map(Value::to_string).collect();
                items.sort();
                items
            };
            ruled
                .as_array()
                .is_some_and(|ruled| sorted(expected) == sorted(ruled))
        }
        // Of an object only the fields that are expected count.
        (_, Value::Object(expected)) => expected.iter().all(|(field, expected)| {
            ruled
                .get(field)
                .is_some_and(|ruled| agrees(field, expected, ruled))
        }),
        (_, Value::Number(expected)) => expected.as_f64() == ruled.as_f64(),
        _ => expected == ruled,
    }
}

/// Whether a value says that there is nothing to say.
fn is_neutral(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) | Value::String(_) => false,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.values().all(is_neutral),
    }
}
