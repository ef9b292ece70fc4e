//! What each view of a ruling holds, and what is said beside the ruling itself.

use alamein_hex::Grid;
use alamein_proto::encode::{self, RuleBook};
use alamein_proto::v1::{self, View, message_param::Value, verdict::Verdict as Given};
use alamein_terrain::{
    Adjudicated, Ask, Cited, ContestedOption, CostPart, Crossed, Digest, End, FoundEffect,
    FoundFact, Grazing, GrazingPolicy, IgnoredLayer, LosResult, LosVerdict, Manifest, MovementItem,
    MovementUnit, MovementVerdict, Name, Part, PlaceName, Question, RuledFinding, RuledObservation,
    Ruling, TemVerdict, Text, Verdict,
};

fn manifest() -> Manifest {
    Manifest::parse(
        r#"{
            "manifest_version": 1, "id": "fog", "version": "1.2.3", "rules_revision": 4,
            "title": "Fog", "description": "Fog in hollows.",
            "layers": [{"name": "fog", "look": "grey", "fields": [
                {"name": "hexes", "kind": "hexes"}, {"name": "edge", "kind": "hexside_values"}]}],
            "attributes": [{"name": "wet", "minimum": 0, "maximum": 1},
                           {"name": "depth", "minimum": -2, "maximum": 9}],
            "rules": [
                {"id": "X9.2/tem", "title": "Fog TEM", "message": "{value} for {subject} in {place}",
                 "reports": [{"key": "fog_tem", "as": "best"}]},
                {"id": "X9.1/cost", "title": "Fog cost", "message": "",
                 "reports": [{"key": "groping", "as": "item"}]},
                {"id": "X9.3/lift", "title": "Fog lifts", "message": "{place} is clear",
                 "option": "thick"},
                {"id": "X9.4/deep", "title": "Deep fog", "message": "",
                 "replaces": ["X9.2/tem", "mist:X8.1/drm"], "with": {"option": "depth"}},
                {"id": "X9.5/thin", "title": "Thin fog", "message": "",
                 "replaces": ["X8"], "with": -1}],
            "options": {"type": "object", "properties": {"depth": {"default": 3}, "thick": {
                "type": "boolean", "default": false, "description": "How thick.",
                "x-contested": "Players differ."}}}
        }"#,
    )
    .unwrap()
}

fn by(rule: &str) -> Cited {
    Cited {
        plugin: "fog".into(),
        rule: rule.into(),
    }
}

fn tem(group: &str, drm: i16, standing: bool) -> RuledFinding {
    RuledFinding {
        by: by("X9.2/tem"),
        effect: FoundEffect::Tem {
            group: Name::new(group),
            drm,
        },
        place: PlaceName::Hex("P6".into()),
        subject: None,
        standing,
        replaced_by: None,
        cites: [0][..].into(),
        text: "said".into(),
    }
}

fn ruling(verdict: Verdict) -> Ruling {
    let layer = |layer: &str, met| IgnoredLayer {
        layer: layer.into(),
        met,
    };
    Ruling {
        id: Digest::of(b"ruling"),
        rules: Digest::of(b"rules"),
        position: Digest::of(b"position"),
        policy: GrazingPolicy::Either,
        verdict,
        observations: vec![RuledObservation {
            by: by("X9.1/cost"),
            fact: FoundFact::Hindrance {
                kind: "fog".into(),
                drm: 1,
            },
            place: PlaceName::Hexside("P6|P7".into()),
            subject: None,
            hypothetical: false,
            set_aside_by: vec![by("X9.3/lift")].into(),
            text: Text::default(),
        }]
        .into(),
        findings: vec![
            tem("cover", 1, true),
            tem("cover", 3, false),
            tem("cover", 2, true),
            tem("cover", 2, true),
            tem("fog", -1, true),
        ]
        .into(),
        considered: vec![RuledFinding {
            effect: FoundEffect::Considered,
            ..tem("", 0, true)
        }]
        .into(),
        contested: vec![ContestedOption {
            by: by("X9.3/lift"),
            option: "thick".into(),
            value: "false".into(),
            text: "thick or not".into(),
        }],
        grazing: Grazing {
            grazes: true,
            touched: vec!["P6".into(), "P7".into()].into(),
            readings: vec![Part::from(vec![
                Crossed {
                    from: "P7".into(),
                    to: "P6".into(),
                },
                Crossed {
                    from: "P9".into(),
                    to: "Q10".into(),
                },
            ])]
            .into(),
            ..Grazing::default()
        },
        ignored: vec![layer("mist", true), layer("snow", false)],
    }
}

fn fire() -> Ruling {
    let los = LosVerdict {
        result: LosResult::Hindered,
        hindrance: Some(1),
        hindering: Part::default(),
        blocked_by: Part::default(),
        grazing: true,
        range: 1,
    };
    ruling(Verdict::LineOfFire(
        los,
        TemVerdict {
            tem: Some(1),
            ..TemVerdict::default()
        },
    ))
}

fn encoded(ruling: Ruling, view: View) -> v1::Ruling {
    let other = Ruling {
        policy: GrazingPolicy::Both,
        ..ruling.clone()
    };
    let adjudicated = Adjudicated {
        ruling,
        other_policies: vec![(GrazingPolicy::Both, other)],
    };
    let (grid, manifest) = (Grid::geomorphic(), manifest());
    let end = |name: &str| End::Hex(grid.hex(name).unwrap().into());
    let question = Question::new(Ask::LineOfSight {
        from: end("P6"),
        to: end("P7"),
    });
    let book = RuleBook::new(std::iter::once(&manifest));
    encode::ruling(&adjudicated, &question, &grid, &book, view)
}

#[test]
fn a_verdict_comes_without_its_grounds() {
    let ruling = encoded(fire(), View::Verdict);
    assert_eq!(ruling.view(), View::Verdict);
    assert!(ruling.verdict.is_some() && ruling.question.is_some());
    assert_eq!(ruling.ruling_id, Digest::of(b"ruling").to_string());
    assert_eq!(ruling.contested_options.len(), 1);
    let met: Vec<&str> = ruling.ignored_layers.iter().map(|it| &*it.layer).collect();
    assert_eq!(met, ["mist"]);
    assert!(ruling.findings.is_empty() && ruling.observations.is_empty());
    assert!(ruling.considered.is_empty() && ruling.other_policies.is_empty());
    assert!(ruling.trace.is_none());
}

#[test]
fn an_unspecified_view_is_full_and_only_explain_tells_what_was_considered() {
    let full = encoded(fire(), View::Unspecified);
    assert_eq!(full.view(), View::Full);
    assert_eq!((full.findings.len(), full.observations.len()), (5, 1));
    assert!(full.considered.is_empty());
    assert_eq!(full.ignored_layers.len(), 2);
    let other = &full.other_policies[0];
    assert!(!other.differs);
    let other = other.ruling.as_ref().unwrap();
    assert_eq!(other.grazing_policy(), v1::GrazingPolicy::Both);
    assert!(other.policy_overridden && !full.policy_overridden);
    let options = other.question.as_ref().unwrap().options.as_ref().unwrap();
    assert_eq!(options.grazing_policy(), v1::GrazingPolicy::Both);

    let explained = encoded(fire(), View::Explain);
    assert_eq!(explained.considered.len(), 1);
    let rest = v1::Ruling {
        considered: vec![],
        ..explained
    };
    assert_eq!(rest.findings, full.findings);
}

#[test]
fn of_each_group_the_best_tem_counts_and_of_equals_the_first() {
    let claims = |ruling| match encoded(ruling, View::Verdict).verdict.unwrap().verdict {
        Some(Given::LineOfFire(fire)) => fire.tem_claims,
        other => panic!("{other:?}"),
    };
    let given: Vec<(String, i32, bool)> = claims(fire())
        .into_iter()
        .map(|claim| (claim.group, claim.drm, claim.counted))
        .collect();
    let expected = [
        ("cover".to_owned(), 1, false),
        ("cover".to_owned(), 2, true),
        ("cover".to_owned(), 2, false),
        ("fog".to_owned(), -1, true),
    ];
    assert_eq!(given, expected);

    let mut blocked = fire();
    let Verdict::LineOfFire(_, tem) = &mut blocked.verdict else {
        unreachable!()
    };
    *tem = TemVerdict::default();
    assert!(claims(blocked).is_empty());
}

#[test]
fn items_are_called_as_reports_call_them() {
    let item = |rule: &str| MovementItem {
        by: by(rule),
        part: CostPart::Surcharge,
        amount: 0,
        spent_in: PlaceName::Hex("P6".into()),
    };
    let movement = ruling(Verdict::Movement(MovementVerdict {
        unit: MovementUnit::Mp,
        total: None,
        items: vec![item("X9.1/cost"), item("X9.3/lift"), item("X9.4")],
        checks: Vec::new(),
        prohibited_by: vec![by("X9.3/lift")],
    }));
    let Some(Given::Movement(step)) = encoded(movement, View::Verdict).verdict.unwrap().verdict
    else {
        panic!("no movement");
    };
    let names: Vec<&str> = step.items.iter().map(|item| &*item.what).collect();
    assert_eq!(names, ["groping", "lift", "X9.4"]);
    assert!(step.prohibited);
    let rule = step.prohibited_by[0].rule.as_ref().unwrap();
    assert_eq!((&*rule.number, &*rule.title), ("X9.3", "Fog lifts"));
}

#[test]
fn words_carry_what_fills_their_template() {
    let ruling = encoded(fire(), View::Full);
    let message = ruling.findings[0].message.as_ref().unwrap();
    assert_eq!(message.template, "{value} for {subject} in {place}");
    assert_eq!(message.text, "said");
    let params: Vec<(&str, Option<&Value>)> = message
        .params
        .iter()
        .map(|param| (&*param.name, param.value.as_ref()))
        .collect();
    let expected = [
        ("value", Some(&Value::IntValue(1))),
        ("place", Some(&Value::Hex("P6".into()))),
    ];
    assert_eq!(params, expected, "no counter is meant, so none is named");
    let set_aside = &ruling.observations[0].set_aside_by[0];
    assert_eq!(set_aside.message.as_ref().unwrap().text, "P6|P7 is clear");
    assert_eq!(
        ruling.findings[0].rule.as_ref().unwrap().report_keys,
        ["fog_tem"]
    );
}

#[test]
fn crossings_name_their_hexside_as_the_map_does() {
    let trace = encoded(fire(), View::Full).trace.unwrap();
    let sides: Vec<&str> = trace.readings[0]
        .crossings
        .iter()
        .map(|crossing| &*crossing.hexside)
        .collect();
    assert_eq!(sides, ["P6|P7", "P9|Q10"]);
}

#[test]
fn a_plugin_is_shown_with_the_options_in_force() {
    let options = serde_json::json!({"thick": true});
    let plugin = encode::plugin(&manifest(), &options);
    let ids: Vec<&str> = plugin.rules.iter().map(|rule| &*rule.rule_id).collect();
    let expected = [
        "X9.1/cost",
        "X9.2/tem",
        "X9.3/lift",
        "X9.4/deep",
        "X9.5/thin",
    ];
    assert_eq!(ids, expected);
    let [deep, thin] = [&plugin.rules[3], &plugin.rules[4]];
    assert_eq!(deep.replaces, ["X9.2/tem", "mist:X8.1/drm"]);
    assert_eq!(deep.says, Some(v1::rule::Says::WithOption("depth".into())));
    assert_eq!(thin.replaces, ["X8"]);
    assert_eq!(thin.says, Some(v1::rule::Says::WithNumber(-1)));
    assert_eq!(plugin.rules[0].says, None);
    let option = &plugin.options[1];
    assert_eq!(
        (&*option.value_json, &*option.default_json),
        ("true", "false")
    );
    assert!(option.contested);
    assert_eq!(option.rule_ids, ["X9.3/lift"]);
    let attributes: Vec<(&str, v1::AttributeType)> = plugin
        .counter_attributes
        .iter()
        .map(|it| (&*it.name, it.r#type()))
        .collect();
    let expected = [
        ("fog.depth", v1::AttributeType::Int),
        ("fog.wet", v1::AttributeType::Bool),
    ];
    assert_eq!(attributes, expected);
    let kinds: Vec<v1::LayerFieldKind> = plugin.layers[0]
        .fields
        .iter()
        .map(v1::LayerFieldSchema::kind)
        .collect();
    let expected = [v1::LayerFieldKind::Hexes, v1::LayerFieldKind::HexsideValues];
    assert_eq!(kinds, expected);
    assert_eq!(plugin.rules_revision, 4);
}
