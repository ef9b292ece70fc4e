//! Ruleset files: reading, writing, what is wrong with them, and their schema.
#![allow(clippy::unwrap_used)] // A test may.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::json;

use super::*;

const WHOLE: &str = r#"format = 1
name = "our-club"
title = "Our club's desert"
description = "As we have played it since 1986."
grazing_policy = "BOTH"

[plugins]
dunes = "^0.1"
sight = "*"

[plugins.deeper-dunes]
version = ">=0.2, <0.5"
sha256 = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

[plugins.deeper-dunes.options]
by = 2
words = ["a", "b"]
"#;

fn schema() -> jsonschema::Validator {
    let schema: Json =
        serde_json::from_str(include_str!("../../../schema/ruleset.schema.json")).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// What is wrong with a file in TOML.
fn wrong(text: &str) -> Vec<String> {
    let wrong = RulesetSpec::from_toml(text).unwrap_err();
    wrong.iter().map(ToString::to_string).collect()
}

#[test]
fn a_file_says_what_a_ruleset_is() {
    let spec = RulesetSpec::from_toml(WHOLE).unwrap();
    assert_eq!(spec.name, "our-club");
    assert_eq!(spec.title, "Our club's desert");
    assert_eq!(spec.grazing_policy, GrazingPolicy::Both);
    let ids: Vec<&str> = spec.plugins.keys().map(String::as_str).collect();
    assert_eq!(ids, ["deeper-dunes", "dunes", "sight"]);
    let deeper = &spec.plugins["deeper-dunes"];
    assert!(deeper.version.matches(&"0.4.9".parse().unwrap()));
    assert!(!deeper.version.matches(&"0.5.0".parse().unwrap()));
    assert_eq!(deeper.options["by"], json!(2));
    assert_eq!(deeper.options["words"], json!(["a", "b"]));
    let config = spec.config();
    assert_eq!(config.policy, GrazingPolicy::Both);
    assert_eq!(config.options.len(), 1);
}

#[test]
fn a_file_is_written_as_people_write_it() {
    let spec = RulesetSpec::from_toml(WHOLE).unwrap();
    let written = spec.to_toml().unwrap();
    let lines: Vec<&str> = written.lines().filter(|line| !line.is_empty()).collect();
    let starts = [
        "format = 1",
        "name = ",
        "title = ",
        "description = ",
        "grazing_policy = ",
    ];
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start), "{written}");
    }
    assert!(
        lines.contains(&"[plugins.deeper-dunes.options]"),
        "{written}"
    );
}

#[test]
fn all_that_is_wrong_is_told_at_once_with_its_line() {
    let text = r#"format = 2
nmae = "x"
grazing_policy = "SOMETIMES"
title = 5
[plugins]
Dunes = "^0.1"
sight = "0.x.y"
[plugins.sand]
sha256 = "ab"
verson = "1"
[plugins.sand.options]
since = 1986-01-01
"#;
    assert_eq!(
        wrong(text),
        [
            "line 2: nmae: there is no such field; did you mean name?",
            "name: is missing",
            "line 1: format: is 2; this program reads format 1",
            "line 3: grazing_policy: \"SOMETIMES\" is no grazing policy; write EITHER, BOTH, \
             NEITHER_IF_GRAZING",
            "line 6: plugins.Dunes: is no plugin's id: lower-case letters, digits and hyphens",
            "line 10: plugins.sand.verson: there is no such field; did you mean version?",
            "line 12: plugins.sand.options.since: is a date, which no option can be",
            "line 9: plugins.sand.sha256: is no SHA-256: it has 64 lower-case hexadecimal digits",
            "line 7: plugins.sight: \"0.x.y\" is no version: unexpected character after wildcard in \
             version req; write ^0.1, =0.1.2 or *",
            "line 4: title: is a number, not a text",
        ]
    );
}

#[test]
fn what_is_missing_or_of_another_kind_is_told() {
    let missing = |text| wrong(text);
    assert_eq!(missing(""), ["name: is missing", "plugins: is missing"]);
    assert_eq!(
        missing("name = \"a\"\nplugins = []"),
        ["line 2: plugins: is a list, not the plugins"]
    );
    assert_eq!(
        missing("name = \"a\"\n[plugins]"),
        ["line 2: plugins: names no plugin; a ruleset needs at least one"]
    );
    assert_eq!(
        missing("name = \"A\"\n[plugins]\ndunes = 1"),
        [
            "line 1: name: \"A\" names no ruleset: use lower-case letters, digits and hyphens, a \
             letter first",
            "line 3: plugins.dunes: is a number, not a plugin: write its version, or a table of \
             version, sha256 and options",
        ]
    );
    // TOML itself sees to a plugin that stands there twice.
    let twice = wrong("name = \"a\"\n[plugins]\ndunes = \"1\"\ndunes = \"2\"");
    assert!(
        twice[0].starts_with("line 4: ") && twice[0].contains("duplicate"),
        "{twice:?}"
    );
    let twice =
        RulesetSpec::from_json("{\"name\": \"a\",\n\"plugins\": {\"x\": \"1\",\n\"x\": \"2\"}}");
    let twice = twice.unwrap_err()[0].to_string();
    assert!(
        twice.starts_with("line 3: \"x\" stands there twice"),
        "{twice}"
    );
}

#[test]
fn no_more_is_told_than_anybody_reads() {
    let many: String = (0..500).map(|n| format!("x{n} = 1\n")).collect();
    assert_eq!(wrong(&many).len(), MOST_WRONG);
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let schema = schema();
    let good = |value: &Json| RulesetSpec::from_json(&value.to_string()).is_ok();
    let whole = json!({"name": "a", "plugins": {"dunes": "1"}});
    assert!(good(&whole) && schema.is_valid(&whole));
    for (pointer, value) in [
        ("/format", json!(2)),
        ("/name", json!("A")),
        ("/name", json!("a".repeat(64))),
        ("/name", json!(1)),
        ("/title", json!(false)),
        ("/grazing_policy", json!("either")),
        ("/plugins", json!({})),
        ("/plugins", json!({"A": "1"})),
        ("/plugins/dunes", json!(1)),
        ("/plugins/dunes", json!("?")),
        ("/plugins/dunes", json!({"version": 1})),
        ("/plugins/dunes", json!({"sha256": "x"})),
        ("/plugins/dunes", json!({"options": []})),
        ("/plugins/dunes", json!({"verson": "1"})),
        ("/stranger", json!(1)),
    ] {
        let mut bad = whole.clone();
        let (above, field) = pointer.rsplit_once('/').unwrap();
        let above = bad.pointer_mut(above).unwrap().as_object_mut().unwrap();
        above.insert(field.to_owned(), value.clone());
        assert!(!good(&bad), "{pointer} {value}");
        assert!(!schema.is_valid(&bad), "{pointer} {value}");
    }
    for needed in ["name", "plugins"] {
        let mut bad = whole.clone();
        bad.as_object_mut().unwrap().remove(needed);
        assert!(!good(&bad) && !schema.is_valid(&bad));
    }
}

prop_compose! {
    fn plugin()(
        version in prop_oneof![
            Just("*".to_owned()), "[\\^=~<]?(0|[1-9][0-9]?)(\\.(0|[1-9][0-9]?)){0,2}"],
        sha256 in proptest::option::of("[0-9a-f]{64}"),
        options in btree_map("[a-z \"\\.]{1,6}", option(), 0..4),
    ) -> PluginSpec {
        PluginSpec {
            version: version.parse().unwrap(),
            sha256,
            options: options.into_iter().collect(),
        }
    }
}

fn option() -> impl Strategy<Value = Json> {
    let plain = prop_oneof![
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        "\\PC{0,8}".prop_map(Json::from),
        (-1e9..1e9_f64).prop_map(Json::from),
    ];
    plain.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Json::from),
            btree_map("[a-z]{1,4}", inner, 0..3)
                .prop_map(|fields| Json::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(
        name in "[a-z][a-z0-9-]{0,8}", title in "\\PC{0,12}", description in "[ -~\n\"]{0,20}",
        policy in proptest::sample::select(&GrazingPolicy::ALL),
        plugins in btree_map("[a-z][a-z0-9-]{0,6}", plugin(), 1..4),
    ) {
        let spec = RulesetSpec { name, title, description, grazing_policy: policy, plugins };
        let (toml, json) = (spec.to_toml().unwrap(), spec.to_json().unwrap());
        prop_assert_eq!(RulesetSpec::from_toml(&toml), Ok(spec.clone()), "{}", toml);
        prop_assert_eq!(RulesetSpec::from_json(&json), Ok(spec), "{}", json);
        let value: Json = serde_json::from_str(&json).unwrap();
        prop_assert!(schema().is_valid(&value), "{}", json);
    }
}

#[test]
fn what_is_too_long_is_refused_by_its_field() {
    let title = "\u{e9}".repeat(RulesetSpec::LONGEST_TEXT);
    let told = wrong(&format!(
        "name = \"a\"\ntitle = \"{title}\"\nplugins.a = \"*\"\n"
    ));
    assert_eq!(told, ["line 2: title: has 8192 bytes; it may have 4096"]);
    let plugins: String = (0..=RulesetSpec::MOST_PLUGINS)
        .map(|i| format!("p{i} = \"*\"\n"))
        .collect();
    let told = wrong(&format!("name = \"a\"\n[plugins]\n{plugins}"));
    assert_eq!(
        told,
        ["line 2: plugins: names 257 plugins; a ruleset may have 256"]
    );
}
