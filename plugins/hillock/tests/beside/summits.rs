//! Summit hexes, of which F6 says nothing: ruled on as other hillock hexes, and told.

use alamein_terrain::{FoundEffect, PlaceName, RuledFinding, Ruling};
use serde_json::json;

use crate::{Table, los, table};

fn hills() -> Table {
    table(json!({"hillock": {"hexes": ["J4", "J5", "O5"], "summit": ["J4"]}}))
}

/// Where the ruling says that what a Summit does is not known.
fn told(ruling: &Ruling) -> Vec<PlaceName> {
    let is_summit = |found: &&RuledFinding| &*found.by.rule == "F6/summit";
    let told = ruling.findings.iter().filter(is_summit);
    told.map(|found| {
        assert_eq!(found.effect, FoundEffect::NotCovered);
        found.place.clone()
    })
    .collect()
}

#[test]
fn f6_a_line_that_meets_a_summit_hex_says_that_its_rule_is_not_known() {
    for (from, to) in [("J4", "J9"), ("J9", "J4"), ("J1", "J9")] {
        assert_eq!(told(&hills().sight(from, to)).len(), 1, "{from} {to}");
    }
    assert_eq!(told(&hills().sight("O1", "O9")), []);
    assert_eq!(told(&hills().sight("A1", "A9")), []);
}

#[test]
fn f6_a_summit_hex_is_ruled_on_as_any_other_hillock_hex() {
    let plain = table(json!({"hillock": ["J4", "J5", "O5"]}));
    for (from, to) in [("J4", "J9"), ("J1", "J9"), ("J1", "J6"), ("J4", "O5")] {
        let (summit, plain) = (hills().sight(from, to), plain.sight(from, to));
        assert_eq!(los(&summit), los(&plain), "{from} {to}");
    }
}
