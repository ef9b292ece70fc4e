//! The picture of a question.

use alamein_cases::Case;
use alamein_hex::Aim;
use alamein_picture::{Label, Scene, draw};
use alamein_terrain::{Ask, Counter, End, Position, Question, Step};

use crate::facts::Facts;
use crate::paint;

/// The plain picture of a position, in the colours that the manifests give its layers.
pub(crate) fn scene<'a>(position: &'a Position, facts: &Facts) -> Scene<'a> {
    let mut scene = Scene::of(position);
    scene.looks.clone_from(&facts.looks);
    scene.colours = paint::wanted();
    scene
}

/// The part of the map that a question is about.
pub(crate) fn of_question(case: &Case, question: &Question, facts: &Facts) -> String {
    let mut scene = scene(&case.position, facts);
    let aim = |end| aim(case, &question.probes, end);
    match &question.ask {
        Ask::LineOfSight { from, to } | Ask::LineOfFire { from, to, .. } => {
            scene.line = Some((aim(from), aim(to)));
        }
        Ask::FireLane {
            mg,
            counter_hex,
            mover_hex,
            ..
        } => {
            scene.line = Some((aim(mg), Aim::centre(*counter_hex)));
            scene.labels.push(Label {
                hex: *mover_hex,
                word: "mover?".into(),
            });
        }
        Ask::Movement {
            step: Step::Enter { from, to, .. },
            ..
        } => scene.line = Some((Aim::centre(*from), Aim::centre(*to))),
        Ask::Movement {
            step: Step::Turn { hex, .. },
            ..
        } => scene.labels.push(Label {
            hex: *hex,
            word: "turns?".into(),
        }),
        Ask::SetUp(setup) => scene.labels.push(Label {
            hex: setup.hex,
            word: "set up?".into(),
        }),
    }
    draw(&scene)
}

/// Where an end aims: at a hex, or at that of a counter or probe.
pub(crate) fn aim(case: &Case, probes: &[Counter], end: &End) -> Aim {
    match end {
        End::Hex(aim) => *aim,
        End::Counter { id, corner } => {
            let probe = || probes.iter().find(|probe| probe.id == *id);
            let counter = case.position.counter(id).or_else(probe);
            Aim {
                hex: counter.map(|counter| counter.hex).unwrap_or_default(),
                corner: *corner,
            }
        }
    }
}
