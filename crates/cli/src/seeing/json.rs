//! Fields of view as JSON.

use alamein_hex::Hex;
use alamein_terrain::{FieldOfView, Sight};
use serde_json::{Value, json};

use super::rows::name;
use crate::json::{contested, ignored};
use crate::moving::missing_rule;

/// What somebody sees.
pub(super) fn field(field: &FieldOfView) -> Value {
    let label = |hex: Hex| field.grid.label(hex);
    let hex = |(hex, sight): &(Hex, Sight)| {
        json!({
            "hex": label(*hex),
            "sight": name(*sight),
            "hindrance": sight.hindrance(),
            "range": field.viewer.range(*hex),
        })
    };
    let missing = field.not_implemented.iter();
    json!({
        "rules_fingerprint": field.rules.to_string(),
        "position_id": field.position.to_string(),
        "policy": field.policy.name(),
        "viewer": label(field.viewer),
        "hexes": field.sights.iter().map(hex).collect::<Value>(),
        "contested": field.contested.iter().map(contested).collect::<Value>(),
        "not_implemented": missing.map(missing_rule).collect::<Value>(),
        "not_covered": field.not_covered.iter().map(missing_rule).collect::<Value>(),
        "ignored_layers": field.ignored.iter().map(ignored).collect::<Value>(),
    })
}
