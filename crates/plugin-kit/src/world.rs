//! What the rest of the world says of the lines and steps that a plugin is asked about.

use alamein_hex::Hex;
use alamein_terrain::fold::unite_objections;
use alamein_terrain::{Again, CostPart, Fact, Objection, Observation, Place, Seen, SeenBatch};

use crate::chance::Chance;
use crate::exam::{Matter, Scene, WORLD};
use crate::questions::number;

/// What others observed of a line or step, in these kinds.
pub(crate) fn observed(kinds: &[u32], scene: &Scene, matter: Matter, at: usize) -> Vec<Seen> {
    let mut chance = Chance::new(at as u64 * 2 + u64::from(matter == Matter::Steps));
    let places = places(scene, matter, at);
    let subjects = subjects(scene, matter, at);
    let mut seen = Vec::new();
    for rule in 0..chance.one([0, 1, 2, 4]) {
        let kind = chance.pick(kinds).copied().unwrap_or_default();
        let subject = chance
            .pick(&subjects)
            .copied()
            .filter(|_| chance.once_in(2));
        let place = chance.pick(&places).copied().unwrap_or(Place::Whole);
        let fact = match matter {
            Matter::Lines => chance.one([
                Fact::Hindrance { kind, drm: 1 },
                Fact::Hindrance { kind, drm: 3 },
                Fact::Obstacle {
                    kind,
                    height: 2,
                    inherent: true,
                },
                Fact::Obstacle {
                    kind,
                    height: 1,
                    inherent: false,
                },
                Fact::Mark { kind, value: 1 },
            ]),
            Matter::Steps => chance.one([
                Fact::Cost {
                    part: CostPart::Cot,
                    amount: 2,
                },
                Fact::Cost {
                    part: CostPart::Surcharge,
                    amount: 1,
                },
                Fact::Cost {
                    part: CostPart::Reduction { floor: 1 },
                    amount: 1,
                },
                Fact::Check {
                    kind,
                    fails_at: 12,
                    times: 1,
                    order: 3,
                },
                Fact::CheckDrm { kind, drm: 1 },
                Fact::Mark { kind, value: 1 },
            ]),
        };
        let observation = Observation {
            rule,
            place,
            subject,
            fact,
            needs_los: false,
        };
        let counter = subject.and_then(|at| scene.questions.counters.get(at as usize));
        seen.push(Seen {
            feature: WORLD,
            observation,
            hypothetical: counter.is_some_and(|counter| counter.probe),
            standing: true,
            again: Again::No,
        });
    }
    seen
}

/// Sets aside what is objected to. Others object too: by chance, to one observation of each line.
pub(crate) fn set_aside(batch: &mut SeenBatch, of: usize, mut objections: Vec<(u16, Objection)>) {
    let mut chance = Chance::new(of as u64);
    let range = batch.of[of].clone();
    if chance.once_in(2) && !range.is_empty() {
        let observation = number(chance.below(range.len()));
        objections.push((
            WORLD,
            Objection {
                observation,
                rule: 9,
            },
        ));
    }
    let from = batch.objections.len();
    for (feature, objection) in unite_objections(objections) {
        if let Some(seen) = batch.seen[range.clone()].get_mut(objection.observation as usize) {
            seen.standing = false;
            batch.objections.push((number(of), feature, objection));
        }
    }
    batch.objections_of.push(from..batch.objections.len());
}

/// Where something may be said to be, of a line or step.
fn places(scene: &Scene, matter: Matter, at: usize) -> Vec<Place> {
    match matter {
        Matter::Lines => {
            let line = scene.questions.lines.get(at);
            let touched = line.into_iter().flat_map(|line| line.trace.touched());
            let on_map = |hex: &Hex| scene.shown.map.grid.contains(*hex);
            touched
                .map(|touch| touch.hex)
                .filter(on_map)
                .map(Place::Hex)
                .collect()
        }
        Matter::Steps => {
            let step = scene.questions.steps.get(at);
            let hexes = step.into_iter().flat_map(|step| [step.from, step.to]);
            hexes.map(Place::Hex).chain([Place::Whole]).collect()
        }
    }
}

/// Of which counters something may be said, of a line; of a step of none.
fn subjects(scene: &Scene, matter: Matter, at: usize) -> Vec<u32> {
    let line = scene
        .questions
        .lines
        .get(at)
        .filter(|_| matter == Matter::Lines);
    line.map(|line| line.counters.to_vec()).unwrap_or_default()
}
