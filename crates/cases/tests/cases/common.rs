//! A manifest, a small case and rulings to test with.

use alamein_cases::{Case, Known, parse};
use alamein_terrain::{
    Cited, Cites, Digest, FoundEffect, Grazing, GrazingPolicy, LosResult, LosVerdict, Manifest,
    Part, PlaceName, RuledFinding, Ruling, TemVerdict, Verdict,
};
use serde_json::{Value, json};

pub(crate) fn manifest() -> Manifest {
    let manifest = json!({
        "manifest_version": 1, "id": "bog", "version": "1.0.0", "rules_revision": 1, "title": "",
        "layers": [
            {"name": "bog", "fields": [
                {"name": "hexes", "kind": "hexes"},
                {"name": "rims", "kind": "hexsides"},
                {"name": "bog_of", "kind": "hex_values"},
                {"name": "depths", "kind": "hexside_values"}]},
            {"name": "rim", "fields": [{"name": "sides", "kind": "hexsides"}]}],
        "rules": [
            {"id": "X1.1/tem", "title": "", "message": "",
             "reports": [{"key": "tem", "as": "best"}, {"key": "bog_protection", "as": "flag"}]},
            {"id": "X1.2/tem", "title": "", "message": "",
             "reports": [{"key": "tem", "as": "best"}]},
            {"id": "X1.3/unknown", "title": "", "message": "",
             "reports": [{"key": "tem", "as": "unknown"}]},
            {"id": "X1.4/cot", "title": "", "message": "",
             "reports": [{"key": "cot", "as": "item"}]}],
        "options": {"type": "object", "properties": {
            "deep": {"type": "boolean", "default": false}}}
    });
    Manifest::parse(&manifest.to_string()).unwrap()
}

pub(crate) fn known() -> Known {
    Known::of([&manifest()])
}

/// A case with this map, these counters and these questions.
pub(crate) fn case(layers: Value, counters: Value, questions: Value) -> Case {
    let case = json!({
        "id": "t", "map": {"board": "33x10 geomorphic", "layers": layers},
        "counters": counters, "questions": questions,
    });
    parse("t.json", &case.to_string(), &known()).unwrap()
}

/// What is wrong with a case.
pub(crate) fn wrong(case: Value) -> String {
    parse("t.json", &case.to_string(), &known())
        .unwrap_err()
        .to_string()
}

pub(crate) fn cited(rule: &str) -> Cited {
    Cited {
        plugin: "bog".into(),
        rule: rule.into(),
    }
}

pub(crate) fn los(result: LosResult, hindrance: Option<i16>, hindering: &[&str]) -> LosVerdict {
    LosVerdict {
        result,
        hindrance,
        hindering: hindering.iter().map(|id| (*id).into()).collect(),
        blocked_by: Part::default(),
        grazing: false,
        range: 5,
    }
}

pub(crate) fn fire(los: LosVerdict) -> Verdict {
    let tem = match los.result {
        LosResult::Blocked => TemVerdict::default(),
        _ => TemVerdict {
            tem: Some(1),
            hull_down: Some(false),
            open_ground: None,
            total_drm: Some(1 + los.hindrance.unwrap_or_default()),
            halved: Some(false),
            morale_drm: Some(0),
        },
    };
    Verdict::LineOfFire(los, tem)
}

pub(crate) fn ruling(verdict: Verdict, findings: Vec<RuledFinding>) -> Ruling {
    Ruling {
        id: Digest::of(b"ruling"),
        rules: Digest::of(b"rules"),
        position: Digest::of(b"position"),
        policy: GrazingPolicy::Either,
        verdict,
        observations: Part::default(),
        findings: findings.into(),
        considered: Part::default(),
        contested: Vec::new(),
        grazing: Grazing::default(),
        ignored: Vec::new(),
    }
}

pub(crate) fn tem(rule: &str, drm: i16, standing: bool) -> RuledFinding {
    RuledFinding {
        by: cited(rule),
        effect: FoundEffect::Tem {
            group: "terrain".into(),
            drm,
        },
        place: PlaceName::Hex("K5".into()),
        subject: None,
        standing,
        replaced_by: None,
        cites: Cites::new(),
        text: "the bog protects".into(),
    }
}
