//! The register of plugins, rulesets and revisions, with plugins that are built and loaded.
#![allow(clippy::unwrap_used)] // A test may.

mod refused;
mod swapping;
mod told;

use std::sync::Arc;

use alamein_cases::{Asked, Case, Known};
use alamein_engine::{Threads, Wanted};
use alamein_rulesets::{Registry, Revision, RulesetSpec, Settings};
use alamein_terrain::{Adjudicated, Question, Verdict};
use alamein_tests::{linked_plugins, root};

/// A registry that has the seven plugins.
fn registry(settings: Settings) -> Registry {
    let registry = Registry::new(Threads::new().unwrap(), settings);
    for plugin in linked_plugins().unwrap() {
        registry.adopt(plugin).unwrap();
    }
    registry
}

/// A spec of the seven plugins and of others in these versions.
fn spec(name: &str, others: &[(&str, &str)]) -> RulesetSpec {
    let plugins = linked_plugins().unwrap();
    let seven = plugins.iter().map(|plugin| (plugin.id(), "*"));
    let all = seven.chain(others.iter().copied());
    RulesetSpec::of(
        name,
        all.map(|(id, version)| (id, version.parse().unwrap())),
    )
}

/// The case of a deir's TEM, and the questions of it that are shots.
fn shots() -> (Case, Vec<Question>) {
    let plugins = linked_plugins().unwrap();
    let known = Known::of(plugins.iter().map(|plugin| plugin.manifest()));
    let case = alamein_cases::load(&root().join("tests/cases/deir-tem.json"), &known).unwrap();
    let asked = case
        .questions
        .iter()
        .filter_map(|question| match &question.asked {
            Asked::Question(asked) => Some((**asked).clone()),
            _ => None,
        });
    let asked = asked.collect();
    (case, asked)
}

/// The rulings on the shots.
fn rule(
    registry: &Registry,
    revision: &Arc<Revision>,
    shots: &(Case, Vec<Question>),
) -> Vec<Adjudicated> {
    let _in_flight = revision.enter();
    let (case, questions) = shots;
    let engine = registry.threads().engine(revision.ruleset());
    let position = Arc::clone(&case.position);
    let rulings =
        engine.adjudicate_here(&revision.ruleset(), position, questions, Wanted::default());
    rulings.unwrap().into_iter().map(Result::unwrap).collect()
}

fn bytes(rulings: &[Adjudicated]) -> Vec<Vec<u8>> {
    rulings
        .iter()
        .map(|adjudicated| adjudicated.ruling.canonical())
        .collect()
}

/// The TEM that the first shot gives.
fn tem(rulings: &[Adjudicated]) -> i16 {
    match &rulings[0].ruling.verdict {
        Verdict::LineOfFire(_, tem) => tem.tem.unwrap(),
        _ => unreachable!("it is a shot"),
    }
}
