//! Comparing rulings with what a file expects.

use crate::common::{case, cited, fire, known, los, ruling, tem};
use alamein_cases::{CaseQuestion, Outcome, Said, judge};
use alamein_terrain::{
    Adjudicated, CostPart, GrazingPolicy, IgnoredLayer, LaneVerdict, LosResult, MovementItem,
    MovementUnit, MovementVerdict, PlaceName, Ruling, Verdict,
};
use serde_json::{Value, json};

fn question(expect: Value) -> CaseQuestion {
    question_with(json!({"expect": expect}))
}

fn question_with(mut fields: Value) -> CaseQuestion {
    for (key, value) in [
        ("id", "q"),
        ("kind", "line_of_fire"),
        ("from", "K1"),
        ("to", "K5"),
    ] {
        if fields.get(key).is_none() {
            fields[key] = json!(value);
        }
    }
    case(json!({}), json!([]), json!([fields]))
        .questions
        .remove(0)
}

fn ruled(ruling: Ruling) -> Said {
    Said::Ruled(Box::new(Adjudicated {
        ruling,
        other_policies: Vec::new(),
    }))
}

/// The keys that differ; what is said instead, if it was skipped.
fn outcome(expect: Value, ruling: Ruling) -> Result<Vec<String>, String> {
    match judge(&question(expect), &ruled(ruling), &known(), false) {
        Outcome::Passed => Ok(Vec::new()),
        Outcome::Failed { differences, .. } => Ok(differences
            .into_iter()
            .map(|difference| difference.key)
            .collect()),
        Outcome::Skipped(why) => Err(why),
    }
}

fn hindered() -> Ruling {
    let verdict = fire(los(LosResult::Hindered, Some(1), &["tk2", "tk1"]));
    ruling(
        verdict,
        vec![tem("X1.1/tem", 1, true), tem("X1.2/tem", 3, false)],
    )
}

fn blocked() -> Ruling {
    let mut los = los(LosResult::Blocked, None, &["tk1"]);
    los.blocked_by = vec!["X2".into(), "X1.9".into()].into();
    ruling(fire(los), vec![tem("X1.1/tem", 1, true)])
}

#[test]
fn only_what_is_expected_is_compared() {
    let none: [&str; 0] = [];
    let cases = [
        (json!({}), &none[..]),
        (
            json!({"result": "hindered", "hindrance": 1, "hindering": ["tk1", "tk2"]}),
            &none[..],
        ),
        (
            json!({"hindrance": 1.0, "range": 5, "grazing": false, "hull_down": false}),
            &none[..],
        ),
        (
            json!({"result": "clear", "hindrance": 0, "hindering": ["tk1"]}),
            &["hindering", "hindrance", "result"][..],
        ),
        (json!({"result_in": ["clear", "hindered"]}), &none[..]),
        (
            json!({"result_in": ["clear", "blocked"]}),
            &["result_in"][..],
        ),
        (json!({"hinders": {"tk1": true, "tk9": false}}), &none[..]),
        (json!({"hinders": {"tk1": false}}), &["hinders"][..]),
        (
            json!({"total_drm": 2, "open_ground": false}),
            &["open_ground"][..],
        ),
        // What a case does not judge it leaves empty.
        (json!({"tem": null, "range": null}), &none[..]),
        // A finding that does not stand reports nothing.
        (json!({"tem": 1, "bog_protection": true}), &none[..]),
        (json!({"tem": 3}), &["tem"][..]),
    ];
    for (expect, differences) in cases {
        assert_eq!(
            outcome(expect.clone(), hindered()).unwrap(),
            differences,
            "{expect}"
        );
    }
}

#[test]
fn nothing_is_reported_where_there_is_no_los() {
    assert_eq!(
        outcome(
            json!({"result": "blocked", "hindrance": null, "blocked_by": ["X1.9", "X2"],
                   "tem": null, "hull_down": null, "bog_protection": null}),
            blocked(),
        ),
        Ok(vec![]),
    );
    assert_eq!(
        outcome(
            json!({"hindrance": 0, "tem": 0, "blocked_by": ["X2"]}),
            blocked()
        ),
        Ok(vec!["blocked_by".into(), "hindrance".into(), "tem".into()]),
    );
}

#[test]
fn what_no_rule_covers_is_unknown() {
    let mut ruling = hindered();
    let unknown = [tem("X1.3/unknown", 0, true)];
    ruling.findings = ruling.findings.iter().cloned().chain(unknown).collect();
    assert_eq!(outcome(json!({"tem": null}), ruling.clone()), Ok(vec![]));
    assert_eq!(outcome(json!({"tem": 1}), ruling), Ok(vec!["tem".into()]));
}

#[test]
fn of_what_nothing_loaded_reports_only_nothing_can_be_expected() {
    for neutral in [
        json!(false),
        json!(0),
        json!(null),
        json!([]),
        json!({"required": false, "drm": null, "items": []}),
    ] {
        assert_eq!(
            outcome(json!({"quicksand": neutral}), hindered()),
            Ok(vec![])
        );
    }
    for something in [
        json!(true),
        json!(1),
        json!("low"),
        json!(["a"]),
        json!({"required": true, "drm": 0}),
    ] {
        assert_eq!(
            outcome(json!({"quicksand": something}), hindered()),
            Err("no loaded plugin reports `quicksand`".into()),
        );
    }
}

#[test]
fn items_of_cost_are_a_set() {
    let item = |rule: &str, amount, hex: &str| MovementItem {
        by: cited(rule),
        part: CostPart::Cot,
        amount,
        spent_in: PlaceName::Hex(hex.into()),
    };
    let movement = || {
        let verdict = MovementVerdict {
            unit: MovementUnit::Mp,
            total: Some(3),
            items: vec![
                item("X1.4/cot", 1, "K6"),
                item("X9", 2, "K5"),
                item("X8", 0, "K5"),
            ],
            checks: Vec::new(),
            prohibited_by: vec![cited("X7.1/no")],
        };
        ruling(Verdict::Movement(verdict), vec![])
    };
    let cot = json!({"what": "cot", "amount": 1, "spent_in": "K6"});
    let other = json!({"what": "X9", "amount": 2, "spent_in": "K5"});
    assert_eq!(
        outcome(
            json!({"total": 3, "unit": "MP", "items": [other, cot], "prohibited_by": ["X7.1"]}),
            movement(),
        ),
        Ok(vec![]),
    );
    let short = json!([{"what": "cot", "amount": 1}, {"what": "X9", "amount": 2}]);
    assert_eq!(outcome(json!({"items": short}), movement()), Ok(vec![]));
    assert_eq!(
        outcome(json!({"items": [cot]}), movement()),
        Ok(vec!["items".into()])
    );
    assert_eq!(
        outcome(json!({"items": []}), movement()),
        Ok(vec!["items".into()])
    );
}

#[test]
fn a_fire_lane_has_its_own_words() {
    let lane = LaneVerdict {
        on_lane: true,
        immune: false,
        attacked: true,
    };
    let los = los(LosResult::Hindered, Some(1), &["tk1"]);
    let lane = ruling(Verdict::FireLane(los, lane), vec![]);
    let expect = json!({"on_lane": true, "immune": false, "attacked": true,
                        "lane_hindering": ["tk1"], "grazing": false});
    assert_eq!(outcome(expect, lane), Ok(vec![]));
}

#[test]
fn other_policies_give_what_is_listed_or_else_the_same() {
    let policies = |both: Ruling, neither: Ruling| {
        let with = |policy, ruling| Ruling { policy, ..ruling };
        Said::Ruled(Box::new(Adjudicated {
            ruling: hindered(),
            other_policies: vec![
                (GrazingPolicy::Both, with(GrazingPolicy::Both, both)),
                (
                    GrazingPolicy::NeitherIfGrazing,
                    with(GrazingPolicy::NeitherIfGrazing, neither),
                ),
            ],
        }))
    };
    let question = question_with(json!({
        "expect": {"result": "hindered"},
        "expect_other_policies": {"NEITHER_IF_GRAZING": {"result": "blocked"}}}));
    assert!(question.wants_other_policies());
    let judged = |said| judge(&question, &said, &known(), false);
    assert_eq!(judged(policies(hindered(), blocked())), Outcome::Passed);
    let Outcome::Failed { differences, .. } = judged(policies(blocked(), hindered())) else {
        panic!()
    };
    let policies: Vec<_> = differences.iter().map(|d| d.policy).collect();
    assert_eq!(
        policies,
        [GrazingPolicy::Both, GrazingPolicy::NeitherIfGrazing]
    );
    // A line that does not graze gives the same under each.
    let Outcome::Failed { differences, .. } = judged(ruled(hindered())) else {
        panic!()
    };
    assert_eq!(differences[0].policy, GrazingPolicy::NeitherIfGrazing);
}

#[test]
fn what_cannot_be_compared_is_skipped_or_fails_with_a_reason() {
    let skipped = |fields: Value, said: &Said, contested| match judge(
        &question_with(fields),
        said,
        &known(),
        contested,
    ) {
        Outcome::Skipped(why) => why,
        other => panic!("{other:?}"),
    };
    let said = ruled(hindered());
    let contested = json!({"contested": true, "expect": {"range": 5}});
    assert_eq!(
        skipped(contested.clone(), &said, false),
        "the rules leave it open"
    );
    let asked = judge(&question_with(contested), &said, &known(), true);
    assert_eq!(asked, Outcome::Passed);

    let kind = json!({"kind": "seance", "expect": {}});
    let why = skipped(kind, &said, false);
    assert_eq!(why, "nothing answers questions of the kind `seance`");

    let expect = json!({"expect": {"range": 5}});
    let mut ruling = hindered();
    ruling.ignored = vec![
        IgnoredLayer {
            layer: "scrub".into(),
            met: false,
        },
        IgnoredLayer {
            layer: "wall".into(),
            met: true,
        },
    ];
    let why = skipped(expect.clone(), &ruled(ruling), false);
    assert_eq!(
        why,
        "it meets the layer `wall`, which no loaded plugin owns"
    );

    let (plugin, rule) = ("bog".to_owned(), "X1.5".to_owned());
    let why = skipped(
        expect.clone(),
        &Said::NotImplemented { plugin, rule },
        false,
    );
    assert_eq!(why, "plugin bog does not implement its rule X1.5");

    let refused = Said::Refused("plugin bog failed".into());
    let Outcome::Failed { why, .. } = judge(&question_with(expect), &refused, &known(), false)
    else {
        panic!()
    };
    assert_eq!(why.unwrap(), "there is no ruling: plugin bog failed");
    let unreadable = question_with(json!({"from": "nowhere", "expect": {}}));
    assert!(matches!(
        judge(&unreadable, &said, &known(), false),
        Outcome::Failed { .. }
    ));
}

#[test]
fn a_failure_gives_the_rulings_reasons() {
    let judged = judge(
        &question(json!({"range": 6})),
        &ruled(hindered()),
        &known(),
        false,
    );
    let Outcome::Failed { reasons, .. } = judged else {
        panic!()
    };
    assert_eq!(reasons[0], "X1.1/tem (bog) at K5: the bog protects");
    assert!(reasons[1].ends_with("(does not stand: what it rests on was set aside)"));
}
