//! What is told of revisions: failures, what differs, which rulings change.

use std::sync::Arc;
use std::time::Duration;

use alamein_engine::{EngineConfig, Threads, Wanted};
use alamein_rulesets::{Diff, PluginState, Registry, RulesetSpec, Settings, compare};
use alamein_terrain::{GrazingPolicy, Verdict};
use alamein_tests::house::House;
use serde_json::json;

use crate::{registry, rule, shots, spec};
use alamein_tests::swapped::{ID, Swapped};

#[test]
fn a_revision_that_a_plugin_put_out_of_use_is_marked() {
    let (registry, shots) = (registry(Settings::default()), shots());
    let house = House::new("falling").rule("H1/falls", &[]).does("panic", 0);
    registry.adopt(house.plugin().unwrap()).unwrap();
    let made = registry
        .create(&spec("default", &[("falling", "*")]), false)
        .unwrap()
        .revision;
    let sound = registry
        .create(&spec("sound", &[]), false)
        .unwrap()
        .revision;
    assert_eq!(made.failure(), None);
    let (case, questions) = &shots;
    let engine = registry.threads().engine(made.ruleset());
    let position = Arc::clone(&case.position);
    let rulings = engine.adjudicate_here(&made.ruleset(), position, questions, Wanted::default());
    assert!(rulings.unwrap().iter().all(Result::is_err));
    let failure = made.failure().unwrap();
    assert_eq!(failure.plugin, "falling");
    assert!(failure.why.contains("the house falls"), "{}", failure.why);
    let listing = registry.list();
    let its = listing
        .plugins
        .iter()
        .find(|plugin| plugin.id == "falling")
        .unwrap();
    assert!(matches!(&its.state, PluginState::Failed { why } if why.contains("the house falls")));
    let named: Vec<_> = listing
        .rulesets
        .iter()
        .map(|ruleset| (ruleset.name.as_str(), ruleset.failure.is_some()))
        .collect();
    assert_eq!(named, [("default", true), ("sound", false)]);
    assert_eq!(rule(&registry, &sound, &shots).len(), questions.len());
    // Made again, it is fit again, and is the same revision by name.
    let again = registry
        .create(&spec("default", &[("falling", "*")]), false)
        .unwrap();
    assert!(!again.known);
    assert_eq!(again.revision.fingerprint(), made.fingerprint());
    assert_eq!(registry.resolve("").unwrap().failure(), None);
}

#[test]
fn a_plugin_that_does_not_come_back_keeps_nobody() {
    let config = EngineConfig {
        budget: Duration::from_millis(200),
        grace: Duration::from_millis(200),
        ..EngineConfig::default()
    };
    let registry = Registry::new(Threads::with(config).unwrap(), Settings::default());
    let house = |id: &str| House::new(id).rule("H1/none", &[]);
    registry
        .adopt(house("stuck").does("hang", 0).plugin().unwrap())
        .unwrap();
    registry.adopt(house("sound").plugin().unwrap()).unwrap();
    let of = |name: &str, id: &str| RulesetSpec::of(name, [(id, "*".parse().unwrap())]);
    let error = registry.create(&of("default", "stuck"), false).unwrap_err();
    assert_eq!(error.reason(), "RULESET_IMPOSSIBLE");
    assert!(error.to_string().contains("plugin stuck"), "{error}");
    registry.create(&of("default", "sound"), false).unwrap();
    assert_eq!(registry.threads().health().lost_now(), 1);
}

#[test]
fn what_differs_is_told() {
    let (registry, builds) = (registry(Settings::default()), Swapped::new().unwrap());
    registry.load(&builds.build("0.1.0", 3).unwrap()).unwrap();
    let mut one = spec("one", &[(ID, "*")]);
    one.plugins.remove("hillock");
    let one = registry.create(&one, false).unwrap().revision;
    let newer = builds
        .build_with("0.2.0", 4, |manifest| {
            manifest["rules"][0]["replaces"] = json!(["F4.5/hull-down"]);
            manifest["rules"][0]["title"] = json!("Deeper");
        })
        .unwrap();
    registry.load(&newer).unwrap();
    let house = House::new("house").rule("H7/none", &["F4.3/exit"]);
    registry.adopt(house.plugin().unwrap()).unwrap();
    let mut two = spec("two", &[(ID, "*"), ("house", "*")]);
    two.plugins.remove("hillock");
    two.plugins.remove("entrenchment");
    two.grazing_policy = GrazingPolicy::Both;
    let deir = two.plugins.get_mut("deir").unwrap();
    deir.options
        .insert("unarmored_vehicle".into(), json!("tem"));
    let two = registry.create(&two, false).unwrap().revision;

    let diff = Diff::between(&one.ruleset(), &two.ruleset());
    let plugins: Vec<_> = diff
        .plugins
        .iter()
        .map(|change| {
            let version = |side: &Option<(String, String)>| side.as_ref().map(|it| it.0.clone());
            (
                change.plugin.as_str(),
                version(&change.before),
                version(&change.after),
            )
        })
        .collect();
    let version = |text: &str| Some(text.to_owned());
    assert_eq!(
        plugins,
        [
            ("entrenchment", version("0.1.0"), None),
            ("house", None, version("0.1.0")),
            (ID, version("0.1.0"), version("0.2.0")),
        ]
    );
    assert_eq!(diff.options.len(), 1);
    let option = &diff.options[0];
    assert_eq!(
        (option.plugin.as_str(), option.option.as_str()),
        ("deir", "unarmored_vehicle")
    );
    assert_eq!(
        (&option.before, &option.after),
        (&Some(json!("hd")), &Some(json!("tem")))
    );
    let of_swapped: Vec<_> = diff
        .rules
        .iter()
        .filter(|c| &*c.rule.plugin == ID)
        .collect();
    assert_eq!(of_swapped.len(), 1);
    assert!(of_swapped[0].before.is_some() && of_swapped[0].after.is_some());
    let replaced: Vec<_> = diff
        .replacements
        .iter()
        .map(|change| {
            let rule = |rule: &Option<alamein_terrain::Cited>| {
                rule.as_ref().map(|rule| rule.rule.to_string())
            };
            (
                change.replaced.rule.to_string(),
                rule(&change.before),
                rule(&change.after),
            )
        })
        .collect();
    let rule = |text: &str| Some(text.to_owned());
    assert_eq!(
        replaced,
        [
            ("F4.3/exit".into(), None, rule("H7/none")),
            ("F4.5/hull-down".into(), None, rule("H1/tem")),
            ("F4.5/tem".into(), rule("H1/tem"), None),
        ]
    );
    assert_eq!(
        diff.grazing_policy,
        Some((GrazingPolicy::Either, GrazingPolicy::Both))
    );
    assert!(Diff::between(&one.ruleset(), &one.ruleset()).is_empty());
}

#[test]
fn every_ruling_that_changes_is_given_with_both_explanations() {
    let (registry, (case, questions)) = (registry(Settings::default()), shots());
    let plain = registry
        .create(&spec("default", &[]), false)
        .unwrap()
        .revision;
    let silent = House::new("silent").rule("H0/nothing", &[]);
    let deeper = House::new("deeper")
        .rule("H1/tem", &["F4.5/tem"])
        .does("tem", 2);
    for house in [silent, deeper] {
        registry.adopt(house.plugin().unwrap()).unwrap();
    }
    let silent = registry
        .create(&spec("silent", &[("silent", "*")]), false)
        .unwrap()
        .revision;
    let deeper = registry
        .create(&spec("deeper", &[("deeper", "*")]), false)
        .unwrap()
        .revision;
    let compared = |after| {
        let position = Arc::clone(&case.position);
        let asked = [
            (Arc::clone(&position), questions.clone()),
            (position, Vec::new()),
        ];
        compare(registry.threads(), &plain, after, Wanted::default(), asked).collect::<Vec<_>>()
    };
    // Other rules, another fingerprint, and the same rulings.
    let same = compared(&silent);
    assert_eq!(same.len(), 2);
    assert_eq!((same[0].asked, same[0].changed.len()), (questions.len(), 0));
    let changed = &compared(&deeper)[0].changed;
    assert!(changed.len() > 3);
    for change in changed {
        assert_eq!(change.position, 0);
        assert_eq!(change.asked, questions[change.question]);
        let (before, after) = (
            change.before.as_ref().unwrap(),
            change.after.as_ref().unwrap(),
        );
        assert_eq!(
            (before.rules, after.rules),
            (plain.fingerprint(), deeper.fingerprint())
        );
        assert_eq!(change.verdict, before.verdict != after.verdict);
        assert!(
            after
                .findings
                .iter()
                .any(|finding| &*finding.by.rule == "H1/tem")
        );
        assert!(matches!(after.verdict, Verdict::LineOfFire(..)));
    }
    // All that is no shot is as it was.
    let shots = questions.iter();
    let shots = shots.filter(|q| matches!(q.ask, alamein_terrain::Ask::LineOfFire { .. }));
    assert_eq!(changed.len(), shots.count());
}
