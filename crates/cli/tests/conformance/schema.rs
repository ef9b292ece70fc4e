//! The published schema of `plugin.json` takes what the code takes, and refuses what it refuses.

use alamein_plugin_kit::MANIFEST_SCHEMA;
use alamein_terrain::Manifest;
use serde_json::{Value, json};

/// A manifest that says everything that one may say.
fn whole() -> Value {
    json!({
        "manifest_version": 1, "id": "whole", "version": "1.0.0", "rules_revision": 1,
        "title": "Whole", "description": "All of it.",
        "layers": [{"name": "l", "description": "L.", "look": "golden", "fields": [
            {"name": "a", "kind": "hexes", "description": "A."}, {"name": "b", "kind": "hexsides"},
            {"name": "c", "kind": "hex_values"}, {"name": "d", "kind": "hexside_values"}]}],
        "attributes": [{"name": "n", "description": "N.", "minimum": 0, "maximum": 3}],
        "requires": {"other": "^0.1"},
        "rules": [{"id": "X1.1/a", "title": "A", "message": "A.", "option": "o",
                   "replaces": ["X2.1/b"], "with": 2, "reports": [{"key": "k", "as": "flag"}]}],
        "options": {"type": "object", "properties": {"o": {"type": "boolean", "default": true}}},
        "artifact": {"file": "f", "size": 1, "sha256": "0", "target": "t", "build_id": "b"},
    })
}

fn agree(manifest: &Value, what: &str) {
    let schema: Value = serde_json::from_str(MANIFEST_SCHEMA).unwrap();
    let by_schema = jsonschema::is_valid(&schema, manifest);
    let by_code = Manifest::parse(&manifest.to_string());
    assert_eq!(by_schema, by_code.is_ok(), "{what}: {by_code:?}");
}

/// The places of all objects and values within a value, as JSON pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    // A schema of options is anything, but for its defaults.
    if at.starts_with("/options/") && !at.ends_with("/default") {
        return;
    }
    found.push(at.to_owned());
    match value {
        Value::Object(members) => members
            .iter()
            .for_each(|(name, value)| places(value, &format!("{at}/{name}"), found)),
        Value::Array(items) => (0..)
            .zip(items)
            .for_each(|(index, value): (usize, _)| places(value, &format!("{at}/{index}"), found)),
        _ => {}
    }
}

#[test]
fn they_agree_on_a_manifest_that_says_everything_and_on_all_that_it_might_say_wrongly() {
    let whole = whole();
    agree(&whole, "the whole");
    Manifest::parse(&whole.to_string()).unwrap();
    let mut all = Vec::new();
    places(&whole, "", &mut all);
    assert!(all.len() > 40);
    for place in all.iter().filter(|place| !place.is_empty()) {
        let (parent, name) = place.rsplit_once('/').unwrap();
        let mut without = whole.clone();
        match without.pointer_mut(parent).unwrap() {
            Value::Object(members) => drop(members.remove(name)),
            Value::Array(items) => drop(items.remove(name.parse().unwrap())),
            _ => {}
        }
        // Whoever removes the option that a rule names leaves a rule that names none: that is for
        // the code to see.
        if !place.starts_with("/options") {
            agree(&without, &format!("without {place}"));
        }
        for wrong in [
            json!(7),
            json!("no such word"),
            json!([]),
            json!({}),
            json!(null),
            json!(""),
        ] {
            let mut other = whole.clone();
            *other.pointer_mut(place).unwrap() = wrong.clone();
            let (schema, code) = (
                verdict_of_schema(&other),
                Manifest::parse(&other.to_string()),
            );
            // What two parts of a manifest say of each other no schema can tell, nor which versions
            // there may be. What the schema refuses the code refuses; what it takes the code takes or
            // says why by name.
            if schema {
                let named = code
                    .err()
                    .map(|error| error.to_string())
                    .unwrap_or_default();
                let may = named.is_empty() || BEYOND.iter().any(|it| named.contains(it));
                assert!(may, "{place} = {wrong}: {named}");
            } else {
                assert!(code.is_err(), "{place} = {wrong}");
            }
        }
        if matches!(whole.pointer(place), Some(Value::Object(_))) && place != "/requires" {
            let mut more = whole.clone();
            more.pointer_mut(place).unwrap()["stranger"] = json!(1);
            if !place.starts_with("/options") {
                agree(&more, &format!("a stranger in {place}"));
            }
        }
    }
}

/// What only the code can tell.
const BEYOND: [&str; 4] = [
    "names the unknown option",
    "requires",
    "version",
    "replaces",
];

fn verdict_of_schema(manifest: &Value) -> bool {
    let schema: Value = serde_json::from_str(MANIFEST_SCHEMA).unwrap();
    jsonschema::is_valid(&schema, manifest)
}

/// The members that the code knows of the object there: it tells them when it meets another.
fn known(place: &str) -> Vec<String> {
    let mut manifest = whole();
    manifest.pointer_mut(place).unwrap()["no such member"] = json!(1);
    let error = Manifest::parse(&manifest.to_string())
        .unwrap_err()
        .to_string();
    let (_, listed) = error
        .split_once("expected")
        .unwrap_or_else(|| panic!("{error}"));
    let mut names: Vec<String> = listed
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}

#[test]
fn the_schema_has_every_member_that_the_code_knows_and_no_other() {
    let schema: Value = serde_json::from_str(MANIFEST_SCHEMA).unwrap();
    for (place, defined) in [
        ("", ""),
        ("/layers/0", "/$defs/layer"),
        ("/layers/0/fields/0", "/$defs/field"),
        ("/attributes/0", "/$defs/attribute"),
        ("/rules/0", "/$defs/rule"),
        ("/rules/0/reports/0", "/$defs/report"),
        ("/artifact", "/$defs/artifact"),
    ] {
        let members = schema.pointer(&format!("{defined}/properties")).unwrap();
        let listed: Vec<String> = members.as_object().unwrap().keys().cloned().collect();
        assert_eq!(listed, known(place), "{place}");
    }
}
