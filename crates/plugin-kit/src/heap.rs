//! Whether a plugin gives back what it takes.

use alamein_plugin_host::trial::{Conditions, Trial, TrialMap, heap_in_use};

use crate::check::Check;
use crate::exam::{Scene, Style, Trouble};
use crate::maps::Filling;
use crate::notes::Note;
use crate::options::Set;
use crate::trials::Tests;

/// How often something is done before anything is measured: what is made once is made by then.
const WARM: usize = 12;
/// How often it is done between two measurements.
const ROUNDS: usize = 24;
/// So many bytes each time may be chance.
const CHANCE: u64 = 8;

/// Does each thing again and again, and measures.
pub(crate) fn run(tests: &Tests<'_>) {
    if heap_in_use().is_none() {
        let why = "this system does not tell how much of the heap is in use";
        tests
            .notes
            .write(&Note::NotApplicable(Check::Memory, why.into()));
        return;
    }
    if let Err(trouble) = measured(tests) {
        tests.notes.fault(Check::Memory, trouble.to_string());
    }
}

fn measured(tests: &Tests<'_>) -> Result<(), Trouble> {
    let Some(set) = tests.sets.first() else {
        return Ok(());
    };
    let trial = Trial::of(&tests.plugin);
    let plain = Conditions::default();
    let create = || -> Result<(), Trouble> {
        let instance = tests.create(&trial, set, plain)?;
        tests
            .examiner(set, plain)
            .result(String::new(), instance.destroy())
    };
    report(
        tests,
        growth(create)?,
        "is made and ended",
        "`create` makes and `destroy` does not free",
    );

    let instance = tests.create(&trial, set, plain)?;
    let examiner = tests.examiner(set, plain);
    for scene in scenes(tests) {
        let show = || {
            let map = examiner.show(&instance, scene)?;
            examiner.release(map, scene)
        };
        let what = "is shown a map and lets go of it";
        report(
            tests,
            growth(show)?,
            what,
            "`prepare` makes and `release` does not free",
        );

        let map = examiner.show(&instance, scene)?;
        let grown = growth(|| ask(tests, set, &map, scene))?;
        report(
            tests,
            grown,
            "is asked about lines and steps",
            "grows with each call",
        );
        examiner.release(map, scene)?;
    }
    Ok(())
}

/// The maps on which there is most to do.
fn scenes<'a>(tests: &'a Tests<'_>) -> impl Iterator<Item = &'a Scene> {
    let worth = |scene: &&Scene| matches!(scene.shown.filling, Filling::Patch | Filling::Scattered);
    tests.scenes.iter().filter(worth).take(2)
}

fn ask(tests: &Tests<'_>, set: &Set, map: &TrialMap, scene: &Scene) -> Result<(), Trouble> {
    let examiner = tests.examiner(set, Conditions::default());
    examiner.ask(map, scene, Style::Together).map(|_| ())
}

/// By how many bytes the heap grows each time, if it does so steadily.
fn growth(mut again: impl FnMut() -> Result<(), Trouble>) -> Result<u64, Trouble> {
    let mut times = |count| -> Result<u64, Trouble> {
        for _ in 0..count {
            again()?;
        }
        Ok(heap_in_use().unwrap_or_default())
    };
    let start = times(WARM)?;
    let middle = times(ROUNDS)?;
    let end = times(ROUNDS)?;
    let each = |from: u64, to: u64| to.saturating_sub(from) / ROUNDS as u64;
    Ok(each(start, middle).min(each(middle, end)))
}

fn report(tests: &Tests<'_>, bytes: u64, when: &str, look: &str) {
    if bytes >= CHANCE {
        let what = format!(
            "each time it {when}, {bytes} bytes stay behind; look for what {look}, and at what is \
             kept in a static"
        );
        tests.notes.fault(Check::Memory, what);
    }
}
