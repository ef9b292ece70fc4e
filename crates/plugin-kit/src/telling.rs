//! Telling people what was said, and where two accounts of the same differ.

use alamein_terrain::{Effect, Fact};

use crate::exam::{Heard, Matter, Said, Scene};

/// What differs between two accounts of the same, in words; nothing if they agree.
pub(crate) fn difference(
    scene: &Scene,
    one: &Heard,
    other: &Heard,
    rules: &[String],
) -> Option<String> {
    let map = scene.shown.name;
    if one.problems != other.problems || one.is_refused != other.is_refused {
        return Some(format!("what is wrong with the map `{map}`"));
    }
    if one.interest != other.interest || one.levels != other.levels {
        return Some(format!(
            "which hexes of the map `{map}` concern it, or their levels"
        ));
    }
    for matter in Matter::BOTH {
        let pairs = one.of(matter).iter().zip(other.of(matter)).enumerate();
        let mut differing = pairs.filter(|(_, (one, other))| one != other);
        if let Some((at, (one, other))) = differing.next() {
            let which = which(scene, matter, at);
            let (one, other) = (told(one, rules), told(other, rules));
            return Some(format!(
                "{which} on the map `{map}`: {one}; and then: {other}"
            ));
        }
    }
    None
}

/// A line or step, by its hexes.
pub(crate) fn which(scene: &Scene, matter: Matter, at: usize) -> String {
    let grid = &scene.shown.map.grid;
    let label = |hex| grid.label(hex);
    let ends = match matter {
        Matter::Lines => scene
            .questions
            .lines
            .get(at)
            .map(|l| (l.from.hex, l.to.hex)),
        Matter::Steps => scene.questions.steps.get(at).map(|s| (s.from, s.to)),
    };
    match ends {
        Some((from, to)) => format!(
            "the {} from {} to {}",
            matter.name(),
            label(from),
            label(to)
        ),
        None => format!("a {}", matter.name()),
    }
}

/// What was said, in a few words: by which rules.
pub(crate) fn told(said: &Said, rules: &[String]) -> String {
    let rule = |rule: u16| rules.get(usize::from(rule)).map_or("?", String::as_str);
    let observed = said
        .observations
        .iter()
        .map(|it| format!("{} observes {}", rule(it.rule), fact(&it.fact)));
    let objected = said
        .objections
        .iter()
        .map(|it| format!("{} objects to number {}", rule(it.rule), it.observation));
    let found = said
        .findings
        .iter()
        .map(|it| format!("{} finds {}", rule(it.rule), effect(&it.effect)));
    let all: Vec<String> = observed.chain(objected).chain(found).collect();
    match all.len() {
        0 => "nothing".into(),
        1..=6 => all.join(", "),
        more => format!("{}, and {} more", all[..6].join(", "), more - 6),
    }
}

fn fact(fact: &Fact) -> String {
    match fact {
        Fact::Obstacle { height, .. } => format!("an obstacle of {height}"),
        Fact::Hindrance { drm, .. } => format!("a Hindrance of {drm}"),
        Fact::Mark { value, .. } => format!("a mark of {value}"),
        Fact::Cost { amount, .. } => format!("a cost of {amount}"),
        Fact::Check { times, .. } => format!("{times} checks"),
        Fact::CheckDrm { drm, .. } => format!("a DRM of {drm} to checks"),
    }
}

fn effect(effect: &Effect) -> String {
    match effect.value() {
        Some(value) => format!("{effect:?} ({value})"),
        None => format!("{effect:?}"),
    }
}
