//! What is measured in this process: geometry, rulings with all their findings, maps made ready.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use alamein_engine::{Engine, Ruleset, Threads, Wanted};
use alamein_hex::{Aim, Hex, trace_between};
use alamein_terrain::{End, FieldQuestion, Position, Question};
use anyhow::{Context, Result};

use crate::clock::{self, Took, time};
use crate::scenes::{self, Scene};
use crate::{Figure, Unit};

/// From how many hexes of a map it is looked at most.
const VIEWPOINTS: usize = if cfg!(debug_assertions) { 3 } else { 48 };

/// Lines looked up and walked, with nothing asked about them: what geometry alone costs. Range up to 32,
/// on a map of four boards.
///
/// # Errors
/// None that this map can bring about.
pub fn geometry(budget: Duration) -> Result<Vec<Figure>> {
    let scene = scenes::dense()?;
    let pairs = scenes::pairs_within(&scene.position, 1000, 1..=32);
    let took = time(budget, pairs.len(), || walk(&pairs));
    Ok(vec![Figure::rate("geometry", Unit::LinesPerSecond, took)])
}

/// Walks lines, and gives a number that depends on every hex of theirs.
#[must_use]
pub fn walk(pairs: &[(Hex, Hex)]) -> i64 {
    let line = |(from, to): &(Hex, Hex)| {
        let trace = trace_between(black_box(*from), black_box(*to));
        let touched = trace.touched();
        touched.map(|touch| i64::from(touch.hex.q)).sum::<i64>()
    };
    pairs.iter().map(line).sum()
}

/// Someone who judges scenes on the thread that asks.
#[derive(Clone, Debug)]
pub struct Here {
    engine: Engine,
    ruleset: Arc<Ruleset>,
}

impl Here {
    /// Judges by this engine and its ruleset.
    #[must_use]
    pub fn new(engine: Engine) -> Self {
        Self {
            ruleset: engine.ruleset(),
            engine,
        }
    }

    /// The same ruleset on threads of its own, which have no map ready.
    ///
    /// # Errors
    /// Where no threads can be had.
    pub fn afresh(&self) -> Result<Self> {
        let threads = Threads::new().context("no threads to judge on")?;
        Ok(Self::new(threads.engine(Arc::clone(&self.ruleset))))
    }

    /// Rules on questions with every finding.
    ///
    /// # Errors
    /// Where one of them cannot be ruled on: what fails fast is no measure.
    pub fn rule(&self, position: &Arc<Position>, questions: &[Question]) -> Result<usize> {
        let position = Arc::clone(position);
        let wanted = Wanted::default();
        let rulings = self
            .engine
            .adjudicate_here(&self.ruleset, position, questions, wanted)?;
        let mut good = 0;
        for ruling in rulings {
            black_box(ruling?);
            good += 1;
        }
        Ok(good)
    }

    /// Judges the line of sight from a hex to every hex of the map, and gives how many there are.
    ///
    /// # Errors
    /// Where that cannot be judged.
    pub fn look(&self, position: &Arc<Position>, from: Hex) -> Result<usize> {
        let question = FieldQuestion::new(End::Hex(Aim::centre(from)));
        let (ruleset, position) = (Arc::clone(&self.ruleset), Arc::clone(position));
        let field =
            self.engine
                .field_of_view_here(ruleset, position, &question, Wanted::default())?;
        Ok(black_box(field).sights.len())
    }

    /// Verdicts: whether there is a line of sight, from one hex after another to every hex of the map,
    /// on this thread; and how long it takes to see all that is seen from one.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub fn verdicts(&self, scene: &Scene, budget: Duration) -> Result<Vec<Figure>> {
        let field = self.field(scene, budget)?;
        let lines = scene.position.map().grid.len() as f64;
        let line = Took {
            middle: field.middle / lines,
            best: field.best / lines,
        };
        let name = |what: &str| format!("{what}/{}", scene.name);
        Ok(vec![
            Figure::rate(name("verdicts"), Unit::LinesPerSecond, line),
            Figure::millis(name("field"), field),
            Figure::millis(name("first field"), self.first_field(scene, budget)?),
        ])
    }

    /// How long it takes to see for the first time all that is seen from a hex, of a map that is ready.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub fn first_field(&self, scene: &Scene, budget: Duration) -> Result<Took> {
        let some = viewpoints(scene);
        let (start, mut rounds) = (Instant::now(), Vec::new());
        while rounds.is_empty() || start.elapsed() < budget {
            let anew = self.afresh()?;
            anew.rule(&scene.position, scene.shots.get(..1).unwrap_or_default())?;
            for hex in &some {
                let begun = Instant::now();
                anew.look(&scene.position, *hex)?;
                rounds.push(begun.elapsed().as_secs_f64());
            }
        }
        Ok(Took::of(rounds))
    }

    /// How long it takes to see all that is seen from a hex.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub fn field(&self, scene: &Scene, budget: Duration) -> Result<Took> {
        let some = viewpoints(scene);
        // What is known of a line the first time is there from then on.
        for hex in &some {
            self.look(&scene.position, *hex)?;
        }
        let mut from = some.iter().cycle();
        Ok(time(budget, 1, || {
            from.next().map(|hex| self.look(&scene.position, *hex))
        }))
    }

    /// How long a ruling takes with every finding, one question asked at a time.
    ///
    /// # Errors
    /// As [`rule`](Self::rule).
    pub fn one_by_one(&self, scene: &Scene, budget: Duration) -> Result<Took> {
        self.rule(&scene.position, &scene.shots)?;
        Ok(time(budget, scene.shots.len(), || {
            for shot in &scene.shots {
                let _ = black_box(self.rule(&scene.position, std::slice::from_ref(shot)));
            }
        }))
    }

    /// How long each of a batch of so many takes, with every finding.
    ///
    /// # Errors
    /// As [`rule`](Self::rule).
    pub fn batch(&self, scene: &Scene, count: usize, budget: Duration) -> Result<Took> {
        let questions = again_and_again(&scene.shots, count);
        self.rule(&scene.position, &questions)?;
        Ok(time(budget, questions.len(), || {
            self.rule(&scene.position, &questions)
        }))
    }

    /// How many rulings so many threads make in a second, each asking batches of so many.
    ///
    /// # Errors
    /// As [`rule`](Self::rule).
    pub fn on_threads(
        &self,
        scene: &Scene,
        count: usize,
        threads: usize,
        budget: Duration,
    ) -> Result<f64> {
        let questions = again_and_again(&scene.shots, count);
        self.rule(&scene.position, &questions)?;
        Ok(clock::rate_on(threads, budget, questions.len(), || {
            self.rule(&scene.position, &questions)
        }))
    }

    /// How long it takes until the first question about a map is answered that no one asked about yet.
    ///
    /// # Errors
    /// As [`rule`](Self::rule).
    pub fn first(&self, scene: &Scene, budget: Duration) -> Result<Took> {
        let shot = scene.shots.first().context("the scene has no shots")?;
        let shot = std::slice::from_ref(shot);
        self.rule(&scene.position, shot)?;
        let mut rounds = Vec::new();
        let start = std::time::Instant::now();
        while rounds.len() < 3 || start.elapsed() < budget {
            let fresh = self.afresh()?;
            let began = std::time::Instant::now();
            fresh.rule(&scene.position, shot)?;
            rounds.push(began.elapsed().as_secs_f64());
        }
        Ok(Took::of(rounds))
    }

    /// Rulings with all findings: one at a time, in batches of a thousand on one thread and on two, and
    /// how long a map takes that is new.
    ///
    /// # Errors
    /// As [`rule`](Self::rule).
    pub fn findings(&self, scene: &Scene, budget: Duration) -> Result<Vec<Figure>> {
        let name = |what: &str| format!("{what}/{}", scene.name);
        let rate = |what: &str, took| Figure::rate(name(what), Unit::RulingsPerSecond, took);
        let two = self.on_threads(scene, 1000, 2, budget)?;
        Ok(vec![
            rate("one by one", self.one_by_one(scene, budget)?),
            rate("findings", self.batch(scene, 1000, budget)?),
            Figure::one(name("findings on two"), Unit::RulingsPerSecond, two),
            Figure::millis(name("new map"), self.first(scene, budget)?),
        ])
    }
}

/// So many questions: these, over and over.
#[must_use]
pub fn again_and_again(questions: &[Question], count: usize) -> Vec<Question> {
    questions.iter().cycle().take(count).cloned().collect()
}

/// Some hexes, spread over a map, to look from.
#[must_use]
pub fn viewpoints(scene: &Scene) -> Vec<Hex> {
    let grid = scene.position.map().grid;
    let step = grid.len() / VIEWPOINTS + 1;
    grid.hexes().step_by(step).collect()
}
