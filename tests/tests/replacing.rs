//! House rules that replace rules of the seven plugins: what is said by a replaced rule is told and
//! does not count, whatever it is and in whichever order the plugins come.
#![allow(clippy::unwrap_used)] // A test may.

use std::collections::BTreeSet;
use std::sync::Arc;

use alamein_cases::{Asked, Case};
use alamein_engine::{Engine, QuestionError, Ruleset, RulesetConfig, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::{
    Adjudicated, Ask, Cited, FoundEffect, FoundFact, LosResult, Name, Question, Ruling, Verdict,
};
use alamein_tests::house::House;
use alamein_tests::{engine, known, linked_plugins, root};
use proptest::prelude::*;

type Ruled = Result<Adjudicated, QuestionError>;

/// A case file, ruled on by these plugins.
fn rule(plugins: &[NativePlugin], file: &str) -> Vec<(Question, Ruled)> {
    let engine = engine(plugins).unwrap();
    rule_by(&engine, file)
}

fn rule_by(engine: &Engine, file: &str) -> Vec<(Question, Ruled)> {
    let case = case(engine, file);
    let questions: Vec<Question> = case
        .questions
        .iter()
        .filter_map(|question| match &question.asked {
            Asked::Question(question) => Some((**question).clone()),
            _ => None,
        })
        .collect();
    let ruled = engine
        .adjudicate_here(
            &engine.ruleset(),
            Arc::clone(&case.position),
            &questions,
            Wanted::default(),
        )
        .unwrap();
    questions.into_iter().zip(ruled).collect()
}

fn case(engine: &Engine, file: &str) -> Case {
    let file = root().join("tests/cases").join(file);
    alamein_cases::load(&file, &known(engine)).unwrap()
}

fn with(house: House) -> Vec<NativePlugin> {
    let mut plugins = linked_plugins().unwrap();
    plugins.push(house.plugin().unwrap());
    plugins
}

fn ruling(ruled: &Ruled) -> &Ruling {
    &ruled.as_ref().unwrap().ruling
}

fn cited(plugin: &str, rule: &str) -> Cited {
    Cited {
        plugin: plugin.into(),
        rule: rule.into(),
    }
}

fn tem(ruling: &Ruling) -> Option<i16> {
    match &ruling.verdict {
        Verdict::LineOfFire(_, tem) => tem.tem,
        _ => None,
    }
}

#[test]
fn deeper_deirs_give_two() {
    let house = House::new("deeper-deirs")
        .rule("H1/tem", &["F4.5/tem"])
        .does("tem", 2);
    let plain = rule(&linked_plugins().unwrap(), "f4-example.json");
    let housed = rule(&with(house), "f4-example.json");
    let mut replaced = 0;
    for ((question, plain), (_, housed)) in plain.iter().zip(&housed) {
        let (Ok(plain), Ok(housed)) = (plain, housed) else {
            continue;
        };
        let (plain, housed) = (&plain.ruling, &housed.ruling);
        let Ask::LineOfFire { .. } = question.ask else {
            continue;
        };
        let was = plain.findings.iter().find(|f| &*f.by.rule == "F4.5/tem");
        let is = housed.findings.iter().find(|f| &*f.by.rule == "F4.5/tem");
        assert_eq!(was.is_some(), is.is_some());
        if let (Some(was), Some(is)) = (was, is) {
            assert!(was.standing && was.replaced_by.is_none());
            assert!(!is.standing);
            assert_eq!(is.replaced_by, Some(cited("deeper-deirs", "H1/tem")));
            replaced += 1;
        }
        if plain.verdict.los().unwrap().result != LosResult::Blocked {
            assert_eq!(tem(housed), tem(plain).max(Some(2)), "{question:?}");
        }
        assert_ne!(housed.canonical(), plain.canonical());
    }
    assert!(replaced > 3, "{replaced}");
}

/// Every rule by which something is said in a case file, but for what only explains.
fn rules_in(ruled: &[(Question, Ruled)]) -> BTreeSet<Cited> {
    let mut rules = BTreeSet::new();
    for (_, ruled) in ruled {
        let Ok(adjudicated) = ruled else { continue };
        let ruling = &adjudicated.ruling;
        for observation in &ruling.observations {
            rules.insert(observation.by.clone());
            rules.extend(observation.set_aside_by.iter().cloned());
        }
        rules.extend(ruling.findings.iter().map(|finding| finding.by.clone()));
    }
    rules
}

#[test]
fn what_is_said_by_a_replaced_rule_is_told_and_does_not_count() {
    let plain = linked_plugins().unwrap();
    let mut tried = 0;
    for file in [
        "combined-los.json",
        "deir-hindrance.json",
        "combined-movement.json",
    ] {
        let before = rule(&plain, file);
        for replaced in rules_in(&before) {
            let name = format!("{}:{}", replaced.plugin, replaced.rule);
            let plugins = with(House::new("house").rule("H1/nothing", &[&name]));
            let by = cited("house", "H1/nothing");
            for (question, ruled) in rule(&plugins, file) {
                let Ok(adjudicated) = ruled else { continue };
                check_one(&adjudicated.ruling, &replaced, &by, &question);
            }
            tried += 1;
        }
    }
    assert!(tried >= 30, "{tried}");
}

/// What must hold of any ruling in which a rule is replaced.
fn check_one(ruling: &Ruling, replaced: &Cited, by: &Cited, question: &Question) {
    for observation in &ruling.observations {
        let set_aside = &observation.set_aside_by;
        assert!(!set_aside.contains(replaced), "{question:?}");
        assert_eq!(
            set_aside.contains(by),
            observation.by == *replaced,
            "{question:?}"
        );
    }
    for finding in ruling.findings.iter().chain(&ruling.considered) {
        let is_replaced = finding.by == *replaced;
        assert_eq!(finding.replaced_by.as_ref(), is_replaced.then_some(by));
        let cites = |at: &u32| {
            let cited = &ruling.observations[*at as usize];
            cited.set_aside_by.is_empty()
        };
        let stands = !is_replaced && finding.cites.iter().all(cites);
        assert_eq!(finding.standing, stands, "{question:?}");
    }
    assert!(ruling.contested.iter().all(|option| option.by != *replaced));
    if let Verdict::Movement(step) = &ruling.verdict {
        assert!(step.items.iter().all(|item| item.by != *replaced));
        assert!(step.checks.iter().all(|check| check.by != *replaced));
        assert!(!step.prohibited_by.contains(replaced));
    }
    let hindering: BTreeSet<&Name> = ruling
        .observations
        .iter()
        .filter(|seen| seen.set_aside_by.is_empty() && !seen.hypothetical)
        .filter_map(|seen| seen.subject.as_ref())
        .collect();
    if let Some(los) = ruling.verdict.los() {
        assert!(
            los.hindering
                .iter()
                .all(|counter| hindering.contains(counter))
        );
    }
}

/// The rulings on a file in which something differs, each as it was and as it is.
fn changed(house: House, file: &str) -> Vec<(Ruled, Ruled)> {
    let before = rule(&linked_plugins().unwrap(), file);
    let after = rule(&with(house), file);
    let pairs = before.into_iter().zip(after);
    pairs
        .map(|((_, before), (_, after))| (before, after))
        .filter(|(before, after)| match (before, after) {
            (Ok(before), Ok(after)) => before.ruling.verdict != after.ruling.verdict,
            (before, after) => before.is_ok() != after.is_ok(),
        })
        .collect()
}

#[test]
fn an_observation_by_a_replaced_rule_is_set_aside() {
    let rules = linked_plugins().unwrap();
    let vehicle = rules
        .iter()
        .find(|plugin| plugin.id() == "vehicle")
        .unwrap();
    let hindrances: Vec<String> = rule(&rules, "deir-hindrance.json")
        .iter()
        .filter_map(|(_, ruled)| ruled.as_ref().ok())
        .flat_map(|adjudicated| &adjudicated.ruling.observations)
        .filter(|seen| &*seen.by.plugin == vehicle.id())
        .map(|seen| seen.by.rule.to_string())
        .collect();
    let all: BTreeSet<&str> = hindrances.iter().map(String::as_str).collect();
    let all: Vec<&str> = all.into_iter().collect();
    assert!(!all.is_empty());
    let changed = changed(
        House::new("house").rule("H1/none", &all),
        "deir-hindrance.json",
    );
    assert!(!changed.is_empty());
    for (before, after) in changed {
        let los = |ruled: &Ruled| ruling(ruled).verdict.los().unwrap().clone();
        assert!(!los(&before).hindering.is_empty());
        assert_eq!(los(&after).hindering, Vec::<String>::new());
        let seen = &ruling(&after).observations;
        let aside = seen.iter().filter(|seen| &*seen.by.plugin == "vehicle");
        for seen in aside {
            assert!(seen.set_aside_by.contains(&cited("house", "H1/none")));
        }
    }
}

#[test]
fn what_a_replaced_rule_observed_does_not_stand_for_those_who_may_object_either() {
    let zeal = House::new("zeal").rule("H2/all", &[]).does("objects", 0);
    let alone = with(zeal);
    let mut both = alone.clone();
    let house = House::new("house").rule("H1/none", &["D9.4/hindrance"]);
    both.push(house.plugin().unwrap());
    let set_aside_by = |plugins: &[NativePlugin]| -> Vec<Vec<Cited>> {
        let ruled = rule(plugins, "deir-hindrance.json").into_iter();
        let ruled = ruled.filter_map(|(_, ruled)| ruled.ok());
        let seen = ruled.flat_map(|adjudicated| adjudicated.ruling.observations.to_vec());
        let hindrances = seen.filter(|seen| matches!(seen.fact, FoundFact::Hindrance { .. }));
        hindrances.map(|seen| seen.set_aside_by.to_vec()).collect()
    };
    let zealous = cited("zeal", "H2/all");
    let (alone, both) = (set_aside_by(&alone), set_aside_by(&both));
    assert!(alone.len() > 10 && alone.iter().all(|by| by.contains(&zealous)));
    assert!(both.iter().all(|by| !by.contains(&zealous)));
}

#[test]
fn an_objection_by_a_replaced_rule_has_no_effect() {
    let house = House::new("house").rule("H1/count-them", &["F4.51/half-level"]);
    let changed = changed(house, "deir-hindrance.json");
    assert!(!changed.is_empty());
    for (before, after) in changed {
        let (before, after) = (ruling(&before), ruling(&after));
        let by_it = |ruling: &Ruling| {
            let mut all = ruling
                .observations
                .iter()
                .flat_map(|seen| &seen.set_aside_by);
            all.any(|by| &*by.rule == "F4.51/half-level")
        };
        assert!(by_it(before) && !by_it(after));
        let hindrance = |ruling: &Ruling| ruling.verdict.los().unwrap().hindrance;
        assert!(hindrance(after) > hindrance(before));
    }
}

#[test]
fn who_replaces_an_objection_may_object_instead_and_is_taken_for_it() {
    // A wreck in the hex of a Fire Lane would not Hinder, if 4.51 or what replaces it sets it aside.
    let plain = rule(&linked_plugins().unwrap(), "deir-fire-lane.json");
    let house = House::new("house")
        .rule("H1/aside", &["F4.51/half-level"])
        .does("objects", 0);
    let housed = rule(&with(house), "deir-fire-lane.json");
    let silent = House::new("house").rule("H1/aside", &["F4.51/half-level"]);
    let silent = rule(&with(silent), "deir-fire-lane.json");
    let immune = |ruled: &[(Question, Ruled)]| -> Vec<bool> {
        let verdict = |ruled: &Ruled| match &ruling(ruled).verdict {
            Verdict::FireLane(_, lane) => lane.immune,
            _ => false,
        };
        ruled.iter().map(|(_, ruled)| verdict(ruled)).collect()
    };
    let (plain, housed, silent) = (immune(&plain), immune(&housed), immune(&silent));
    assert!(plain.contains(&true));
    // Where it was immune, it still is: the house sets all aside that 4.51 did.
    assert!(
        plain
            .iter()
            .zip(&housed)
            .all(|(plain, housed)| !plain || *housed)
    );
    assert_ne!(silent, plain);
    assert_ne!(silent, housed);
}

#[test]
fn lines_within_lines_are_ruled_on_without_replaced_rules() {
    // Whether a vehicle Hinders turns on a LOS to it, which terrain between blocks.
    let rules = linked_plugins().unwrap();
    let files = [
        "combined-los.json",
        "deir-hindrance.json",
        "f4-example.json",
    ];
    let mut counted = 0;
    for file in files {
        let before = rule(&rules, file);
        let blockers: BTreeSet<Cited> = before
            .iter()
            .filter_map(|(_, ruled)| ruled.as_ref().ok())
            .flat_map(|adjudicated| &adjudicated.ruling.findings)
            .filter(|finding| finding.effect == FoundEffect::Blocks)
            .map(|finding| finding.by.clone())
            .collect();
        let names: Vec<String> = blockers
            .iter()
            .map(|rule| format!("{}:{}", rule.plugin, rule.rule))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let after = rule(&with(House::new("house").rule("H1/glass", &names)), file);
        for ((_, before), (_, after)) in before.iter().zip(&after) {
            let (Ok(before), Ok(after)) = (before, after) else {
                continue;
            };
            let (before, after) = (&before.ruling, &after.ruling);
            for (was, is) in before.observations.iter().zip(&after.observations) {
                // Set aside by its own rule: by the LOS that it needed.
                let needed =
                    |seen: &alamein_terrain::RuledObservation| seen.set_aside_by.contains(&seen.by);
                if needed(was) {
                    assert!(!needed(is), "{is:?}");
                    counted += 1;
                }
            }
        }
    }
    assert!(counted > 0);
}

#[test]
fn a_replaced_rule_that_is_not_implemented_refuses_nothing() {
    let vague = House::new("vague").rule("H1/vague", &[]).does("missing", 0);
    let mut plugins = with(vague);
    let refused = rule(&plugins, "combined-los.json");
    let missing = |ruled: &Ruled| matches!(ruled, Err(QuestionError::NotImplemented { .. }));
    assert!(refused.iter().all(|(_, ruled)| missing(ruled)));
    plugins.push(
        House::new("plain")
            .rule("H2/plain", &["H1/vague"])
            .plugin()
            .unwrap(),
    );
    let ruled = rule(&plugins, "combined-los.json");
    assert!(ruled.iter().all(|(_, ruled)| ruled.is_ok()));
}

#[test]
fn a_step_costs_nothing_by_a_rule_that_is_replaced() {
    let house = House::new("house").rule("H1/free", &["F4.3/exit"]);
    let changed = changed(house, "deir-movement.json");
    assert!(!changed.is_empty());
    for (before, after) in changed {
        let total = |ruled: &Ruled| match &ruling(ruled).verdict {
            Verdict::Movement(step) => step.total.unwrap(),
            _ => unreachable!("it is a step"),
        };
        assert!(total(&after) < total(&before));
    }
}

#[test]
fn a_number_means_all_its_rules() {
    let plugins = with(House::new("house").rule("H1/all", &["F4.5"]));
    let ruleset = Ruleset::build(&plugins, &RulesetConfig::default()).unwrap();
    let replaced: Vec<&Cited> = ruleset.replaced().map(|(replaced, _)| replaced).collect();
    let deir = plugins.iter().find(|plugin| plugin.id() == "deir").unwrap();
    let its: Vec<&str> = deir
        .rules()
        .iter()
        .map(String::as_str)
        .filter(|rule| rule.split('/').next() == Some("F4.5"))
        .collect();
    assert!(its.len() > 5);
    for rule in its {
        assert!(replaced.contains(&&cited("deir", rule)), "{rule}");
    }
    assert!(replaced.iter().all(|rule| rule.number() == "F4.5"));
}

#[test]
fn what_replaces_may_be_replaced() {
    let mut plugins = with(
        House::new("first")
            .rule("H1/tem", &["F4.5/tem"])
            .does("tem", 2),
    );
    let second = House::new("second")
        .rule("H2/tem", &["first:H1/tem"])
        .does("tem", 3);
    plugins.push(second.plugin().unwrap());
    for (_, ruled) in rule(&plugins, "f4-example.json") {
        let Ok(adjudicated) = ruled else { continue };
        for finding in &adjudicated.ruling.findings {
            let by = match &*finding.by.rule {
                "F4.5/tem" => Some(cited("first", "H1/tem")),
                "H1/tem" => Some(cited("second", "H2/tem")),
                _ => None,
            };
            assert_eq!(finding.replaced_by, by);
        }
        if let Verdict::LineOfFire(los, tem) = &adjudicated.ruling.verdict
            && los.result != LosResult::Blocked
        {
            assert_eq!(tem.tem, Some(3));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_order_of_plugins_gives_the_same(
        order in Just((0..10_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let mut plugins = linked_plugins().unwrap();
        let houses = [
            House::new("deeper").rule("H1/tem", &["F4.5/tem"]).does("tem", 2),
            House::new("alone").rule("H2/none", &["F4.51", "vehicle:D9.4/hindrance"]),
            House::new("zeal").rule("H3/tem", &["deeper:H1/tem"]).does("tem", 1),
        ];
        plugins.extend(houses.iter().map(|house| house.plugin().unwrap()));
        let shuffled: Vec<NativePlugin> =
            order.iter().filter_map(|at| plugins.get(*at)).cloned().collect();
        prop_assert_eq!(shuffled.len(), plugins.len());
        let bytes = |plugins: &[NativePlugin]| -> Vec<Option<Vec<u8>>> {
            let ruled = rule(plugins, "combined-los.json");
            let canonical = |ruled: Ruled| Some(ruled.ok()?.ruling.canonical());
            ruled.into_iter().map(|(_, ruled)| canonical(ruled)).collect()
        };
        prop_assert_eq!(bytes(&plugins), bytes(&shuffled));
    }
}
