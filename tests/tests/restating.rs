//! House rules that replace a rule with a number: they say what it says, where it says it, with that
//! number, and nothing else changes.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;

use alamein_cases::Asked;
use alamein_engine::{QuestionError, Ruleset, RulesetConfig, RulesetError, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::{Adjudicated, Cited, FoundEffect, FoundFact, Question, Ruling, Verdict};
use alamein_tests::house::House;
use alamein_tests::{engine, known, linked_plugins, root};
use serde_json::json;

type Ruled = Result<Adjudicated, QuestionError>;

/// A case file, ruled on by these plugins.
fn rule(plugins: &[NativePlugin], file: &str) -> Vec<(Question, Ruled)> {
    let engine = engine(plugins).unwrap();
    let file = root().join("tests/cases").join(file);
    let case = alamein_cases::load(&file, &known(&engine)).unwrap();
    let asked = case.questions.iter().filter_map(|it| match &it.asked {
        Asked::Question(question) => Some((**question).clone()),
        _ => None,
    });
    let questions: Vec<Question> = asked.collect();
    let (ruleset, position) = (engine.ruleset(), Arc::clone(&case.position));
    let ruled = engine.adjudicate_here(&ruleset, position, &questions, Wanted::default());
    questions.into_iter().zip(ruled.unwrap()).collect()
}

fn with(houses: &[House]) -> Vec<NativePlugin> {
    let mut plugins = linked_plugins().unwrap();
    plugins.extend(houses.iter().map(|house| house.plugin().unwrap()));
    plugins
}

fn ruling(ruled: &Ruled) -> &Ruling {
    &ruled.as_ref().unwrap().ruling
}

/// The TEM that stands by a rule.
fn tem_by(ruling: &Ruling, rule: &str) -> Option<i16> {
    ruling.findings.iter().find_map(|found| match found.effect {
        FoundEffect::Tem { drm, .. } if found.standing && &*found.by.rule == rule => Some(drm),
        _ => None,
    })
}

fn tem(ruling: &Ruling) -> Option<i16> {
    match &ruling.verdict {
        Verdict::LineOfFire(_, tem) => tem.tem,
        _ => None,
    }
}

#[test]
fn a_replaced_rules_tem_is_given_with_the_number_where_and_only_where_it_was() {
    let deeper = House::new("deeper")
        .rule("H1/tem", &["F4.5/tem"])
        .with(json!(2));
    let plain = rule(&linked_plugins().unwrap(), "f4-example.json");
    let housed = rule(&with(&[deeper]), "f4-example.json");
    let mut met = 0;
    for ((question, plain), (_, housed)) in plain.iter().zip(&housed) {
        let (Ok(plain), Ok(housed)) = (plain, housed) else {
            assert_eq!(plain.is_ok(), housed.is_ok(), "{question:?}");
            continue;
        };
        let (plain, housed) = (&plain.ruling, &housed.ruling);
        let was = tem_by(plain, "F4.5/tem");
        assert_eq!(tem_by(housed, "F4.5/tem"), None);
        assert_eq!(tem_by(housed, "H1/tem"), was.map(|_| 2), "{question:?}");
        if was.is_some() {
            let replaced = housed.findings.iter().find(|it| &*it.by.rule == "F4.5/tem");
            let by = replaced.unwrap().replaced_by.clone();
            assert_eq!(
                by,
                Some(Cited {
                    plugin: "deeper".into(),
                    rule: "H1/tem".into()
                })
            );
            met += 1;
        }
        assert_eq!(
            tem(housed),
            if was.is_some() { Some(2) } else { tem(plain) }
        );
    }
    assert!(met > 3, "{met}");
}

#[test]
fn the_number_may_be_an_option() {
    let house = || {
        House::new("deeper")
            .rule("H1/tem", &["F4.5/tem"])
            .with(json!({"option": "by"}))
    };
    let ruled = rule(&with(&[house().does("nothing", 3)]), "f4-example.json");
    assert!(
        ruled
            .iter()
            .any(|(_, it)| it.as_ref().is_ok_and(|it| tem(&it.ruling) == Some(3)))
    );

    let far = with(&[house().does("nothing", 101)]);
    let Err(RulesetError::Conflicts(conflicts)) = Ruleset::build(&far, &RulesetConfig::default())
    else {
        panic!("101 is no DRM");
    };
    let told: Vec<String> = conflicts.iter().map(ToString::to_string).collect();
    assert!(
        told.iter()
            .any(|it| it.contains("deeper") && it.contains("-100 to 100")),
        "{told:?}"
    );
}

#[test]
fn a_manifest_names_an_option_that_there_is_and_a_rule_to_replace() {
    for (house, told) in [
        (
            House::new("h")
                .rule("H1", &["F4.5/tem"])
                .with(json!({"option": "depth"})),
            "depth",
        ),
        (House::new("h").rule("H1", &[]).with(json!(2)), "replaces"),
    ] {
        let error = house.plugin().unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn a_number_that_replaces_is_itself_replaced() {
    let deeper = House::new("deeper")
        .rule("H1/tem", &["F4.5/tem"])
        .with(json!(2));
    let deepest = House::new("deepest")
        .rule("H2/tem", &["H1/tem"])
        .with(json!(4));
    let mut plugins = with(&[deeper, deepest]);
    let ruled = rule(&plugins, "f4-example.json");
    let with_both = ruled
        .iter()
        .filter(|(_, it)| it.as_ref().is_ok_and(|it| tem(&it.ruling) == Some(4)));
    assert!(with_both.count() > 3);
    plugins.reverse();
    for ((_, one), (_, other)) in ruled.iter().zip(rule(&plugins, "f4-example.json")) {
        let [one, other] = [one, &other].map(|it| it.as_ref().ok().map(|it| it.ruling.canonical()));
        assert_eq!(one, other);
    }
}

/// The DRMs of the Hindrances that stand.
fn hindrances(ruling: &Ruling, rule: &str) -> Vec<i16> {
    let of_rule = ruling
        .observations
        .iter()
        .filter(|it| it.set_aside_by.is_empty() && &*it.by.rule == rule);
    of_rule
        .filter_map(|it| match it.fact {
            FoundFact::Hindrance { drm, .. } => Some(drm),
            _ => None,
        })
        .collect()
}

#[test]
fn what_is_observed_with_another_number_goes_through_the_rounds_like_the_first() {
    let rule_id = "D9.4/hindrance";
    let big = House::new("big").rule("H1/big", &[rule_id]).with(json!(3));
    let plain = rule(&linked_plugins().unwrap(), "deir-hindrance.json");
    let housed = rule(&with(&[big]), "deir-hindrance.json");
    let (mut stood, mut fell) = (0, 0);
    for ((question, plain), (_, housed)) in plain.iter().zip(&housed) {
        let (Ok(_), Ok(_)) = (plain, housed) else {
            continue;
        };
        let (plain, housed) = (ruling(plain), ruling(housed));
        let was = hindrances(plain, rule_id);
        // What was set aside is set aside as before, whoever set it aside.
        assert_eq!(
            hindrances(housed, "H1/big"),
            vec![3; was.len()],
            "{question:?}"
        );
        assert!(hindrances(housed, rule_id).is_empty());
        stood += was.len();
        fell += plain
            .observations
            .iter()
            .filter(|it| &*it.by.rule == rule_id)
            .count()
            - was.len();
    }
    assert!(stood > 3 && fell > 3, "{stood} stood, {fell} fell");
}

#[test]
fn a_cost_may_have_another_number_but_not_less_than_none() {
    let steep = |with| {
        House::new("steep")
            .rule("H1/exit", &["F4.3/exit"])
            .with(json!(with))
    };
    let total = |ruled: &Ruled| match &ruling(ruled).verdict {
        Verdict::Movement(it) => it.total,
        _ => None,
    };
    let plain = rule(&linked_plugins().unwrap(), "deir-movement.json");
    let housed = rule(&with(&[steep(3)]), "deir-movement.json");
    let mut dearer = 0;
    for ((question, plain), (_, housed)) in plain.iter().zip(&housed) {
        let over = ruling(plain)
            .observations
            .iter()
            .any(|it| it.set_aside_by.is_empty() && &*it.by.rule == "F4.3/exit");
        let more = if over { 2 } else { 0 };
        assert_eq!(
            total(housed),
            total(plain).map(|it| it + more),
            "{question:?}"
        );
        dearer += u32::from(over);
    }
    assert!(dearer > 3, "{dearer}");

    let less = rule(&with(&[steep(-1)]), "deir-movement.json");
    let error = less
        .into_iter()
        .find_map(|(_, ruled)| ruled.err())
        .unwrap()
        .to_string();
    assert!(
        error.contains("steep") && error.contains("H1/exit"),
        "{error}"
    );
}
