//! Sinks that are full and time that is up.

use std::time::Duration;

use alamein_plugin_host::trial::{Asked, Conditions, Trial, TrialMap, Tried};
use alamein_terrain::{FeatureError, SeenBatch};

use crate::exam::{Matter, PATIENCE, Scene, Trouble};
use crate::options::Set;
use crate::questions::number;
use crate::trials::Tests;

/// Asks everything once with a sink that is full. Whether it ever was.
pub(crate) fn run(tests: &Tests<'_>, trial: &Trial, under: Conditions) -> Result<bool, Trouble> {
    let mut was_full = false;
    for set in tests.sets.iter().take(2) {
        let (_instance, maps) = tests.shown(trial, set, Conditions::default())?;
        for (map, scene) in maps.iter().zip(&tests.scenes) {
            for call in calls(tests, map, scene, under, set) {
                was_full |= call.full > 0;
                if call.full > 1 {
                    let message = format!(
                        "it pushed {} times more after its sink had said FULL; return FULL at once",
                        call.full - 1
                    );
                    return Err(call.failed(tests, message));
                }
                if let (true, Err(error)) = (call.full > 0, &call.outcome) {
                    let message = format!(
                        "its sink said FULL, and then: {error}; return FULL when the sink does"
                    );
                    return Err(call.failed(tests, message));
                }
            }
        }
    }
    Ok(was_full)
}

/// Asks everything with time, and when time is up. How long the longest call took.
pub(crate) fn in_time(tests: &Tests<'_>, scene: &Scene) -> Result<Duration, Trouble> {
    let trial = Trial::of(&tests.plugin);
    let mut longest = Duration::ZERO;
    let Some(set) = tests.sets.first() else {
        return Ok(longest);
    };
    let plain = Conditions::default();
    let up = Conditions {
        out_of_time: true,
        ..plain
    };
    let instance = tests.create(&trial, set, plain)?;
    let map = tests.examiner(set, plain).show(&instance, scene)?;
    if map.is_refused() {
        return Ok(longest);
    }
    for call in calls(tests, &map, scene, plain, set) {
        longest = longest.max(call.took);
        if call.took / (call.looks + 1) > PATIENCE {
            return Err(Trouble::Slow {
                doing: call.doing,
                took: call.took,
            });
        }
    }
    for call in calls(tests, &map, scene, up, set) {
        if call.took > PATIENCE {
            let message = format!(
                "its time was up before it began, and it went on for {:.1} s; long work asks \
                 `budget_exhausted` (in Rust: `log.out_of_time()`) and returns OUT_OF_TIME",
                call.took.as_secs_f32()
            );
            return Err(call.failed(tests, message));
        }
        if let Err(error @ (FeatureError::Rubbish { .. } | FeatureError::Failed { .. })) =
            &call.outcome
        {
            let message = format!("its time was up, and then: {error}");
            return Err(call.failed(tests, message));
        }
    }
    Ok(longest)
}

/// A call, with what came of it.
struct Call {
    doing: String,
    outcome: Result<(), FeatureError>,
    took: Duration,
    looks: u32,
    full: u32,
}

impl Call {
    fn of<T>(doing: String, tried: Tried<T>) -> Self {
        Self {
            doing,
            outcome: tried.outcome.map(|_| ()),
            took: tried.took,
            looks: tried.looks,
            full: tried.full,
        }
    }

    fn failed(self, tests: &Tests<'_>, message: String) -> Trouble {
        let plugin = tests.plugin.id().to_owned();
        Trouble::Call {
            doing: self.doing,
            error: FeatureError::Failed { plugin, message },
        }
    }
}

/// Every round of lines and steps, each in one call, on what others observed.
fn calls(
    tests: &Tests<'_>,
    map: &TrialMap,
    scene: &Scene,
    under: Conditions,
    set: &Set,
) -> Vec<Call> {
    let questions = &scene.questions;
    let examiner = tests.examiner(set, under);
    let mut calls = Vec::new();
    if map.is_refused() {
        return calls;
    }
    let base = &scene.shown.map;
    let levels: Vec<i16> = base.grid.hexes().map(|hex| base.level(hex) * 2).collect();
    for matter in Matter::BOTH {
        let (lines, steps) = (questions.lines.len(), questions.steps.len());
        let ask: Vec<u32> = match matter {
            Matter::Lines => (0..number(lines)).collect(),
            Matter::Steps => (0..number(steps)).collect(),
        };
        if ask.is_empty() {
            continue;
        }
        let asked = match matter {
            Matter::Lines => Asked::Lines(questions.lines(&levels, &ask)),
            Matter::Steps => Asked::Steps(questions.steps(&levels, &ask)),
        };
        let seen: SeenBatch = examiner.seen(map, scene, matter, asked);
        let doing = |what: &str| {
            let (name, map) = (matter.name(), scene.shown.name);
            let doing = format!("{what} {name}s on the map `{map}`");
            tests.notes.doing(&doing);
            doing
        };
        let observing = doing("observing");
        calls.push(Call::of(observing, map.observe(asked, under)));
        let objecting = doing("objecting to what is said of");
        calls.push(Call::of(objecting, map.object(asked, &seen, under)));
        let judging = doing("judging");
        calls.push(Call::of(judging, map.judge(asked, &seen, under)));
    }
    calls
}
