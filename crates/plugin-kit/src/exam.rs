//! Putting questions to a plugin on trial, in rounds as the engine does.

use std::fmt;
use std::time::Duration;

use alamein_plugin_host::Vocabulary;
use alamein_plugin_host::trial::{Asked, Conditions, TrialInstance, TrialMap, Tried};
use alamein_terrain::fold::{Clash, unite_findings, unite_observations};
use alamein_terrain::{
    Again, FeatureError, Finding, Interest, Objection, Observation, Seen, SeenBatch,
};

use crate::maps::Shown;
use crate::notes::Notes;
use crate::questions::{Questions, number};
use crate::world;

/// The plugin's place in the ruleset of an examination, and that of the rest of the world.
pub(crate) const PLUGIN: u16 = 0;
pub(crate) const WORLD: u16 = 1;

/// Kinds of which the plugin has not heard.
pub(crate) const FOREIGN_KINDS: [&str; 2] = ["conformance-kit-fog", "conformance-kit-rubble"];

/// How long a call may take without a look at the clock.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

/// Lines, or steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matter {
    Lines,
    Steps,
}

impl Matter {
    pub(crate) const BOTH: [Self; 2] = [Self::Lines, Self::Steps];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Lines => "line",
            Self::Steps => "step",
        }
    }

    fn count(self, questions: &Questions) -> usize {
        match self {
            Self::Lines => questions.lines.len(),
            Self::Steps => questions.steps.len(),
        }
    }
}

/// How questions are put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// All in one call.
    Together,
    /// All in one call, the last first.
    Backwards,
    /// Each in a call of its own.
    OneByOne,
    /// Only those that concern the plugin, as the engine does.
    Concerned,
}

/// Something that ends an examination.
#[derive(Clone, Debug)]
pub(crate) enum Trouble {
    /// A call came to nothing.
    Call { doing: String, error: FeatureError },
    /// It says two things by one rule, of one place and one subject.
    Clash { doing: String, rule: String },
    /// A call took too long.
    Slow { doing: String, took: Duration },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call { doing, error } => write!(f, "while {doing}: {}", inside(error)),
            Self::Clash { doing, rule } => write!(
                f,
                "while {doing}: it says two different things by the rule {rule}, of one place and one \
                 counter; say one of them, or split the rule"
            ),
            Self::Slow { doing, took } => write!(
                f,
                "while {doing}: it took {:.1} s and did not look at the clock",
                took.as_secs_f32()
            ),
        }
    }
}

/// An error without the plugin's name, which everybody knows here.
fn inside(error: &FeatureError) -> String {
    match error {
        FeatureError::Panicked { message, .. } => format!("it panicked: {message}"),
        FeatureError::Rubbish { message, .. } => format!("it answered rubbish: {message}"),
        FeatureError::Failed { message, .. } => format!("it failed: {message}"),
        other => other.to_string(),
    }
}

/// What a plugin says of one line or step, in its canonical form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) observations: Vec<Observation>,
    pub(crate) objections: Vec<Objection>,
    pub(crate) findings: Vec<Finding>,
}

impl Said {
    pub(crate) fn is_nothing(&self) -> bool {
        self.observations.is_empty() && self.objections.is_empty() && self.findings.is_empty()
    }
}

/// What a plugin makes of one map and of all that is asked on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    pub(crate) problems: Vec<String>,
    pub(crate) is_refused: bool,
    pub(crate) interest: Interest,
    pub(crate) levels: Vec<i16>,
    pub(crate) lines: Vec<Said>,
    pub(crate) steps: Vec<Said>,
}

impl Heard {
    pub(crate) fn of(&self, matter: Matter) -> &[Said] {
        match matter {
            Matter::Lines => &self.lines,
            Matter::Steps => &self.steps,
        }
    }
}

/// A map with what is asked on it.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) shown: Shown,
    pub(crate) questions: Questions,
}

/// A plugin that is asked, under some conditions.
#[derive(Clone, Copy)]
pub(crate) struct Examiner<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) notes: &'a Notes,
    pub(crate) under: Conditions,
    /// The plugin's rules, by index.
    pub(crate) rules: &'a [String],
    /// Others speak of kinds alone of which the plugin has not heard.
    pub(crate) strangers: bool,
    /// How the set of options is called.
    pub(crate) set: &'a str,
}

impl Examiner<'_> {
    fn doing(&self, what: &str, scene: &Scene) -> String {
        let doing = format!("{what} on the map `{}` with {}", scene.shown.name, self.set);
        self.notes.doing(&doing);
        doing
    }

    /// What a call came to.
    pub(crate) fn result<T>(&self, doing: String, tried: Tried<T>) -> Result<T, Trouble> {
        let outcome = match tried.outcome {
            Ok(outcome) => outcome,
            Err(error) => return Err(Trouble::Call { doing, error }),
        };
        if tried.took / (tried.looks + 1) > PATIENCE {
            let took = tried.took;
            return Err(Trouble::Slow { doing, took });
        }
        Ok(outcome)
    }

    /// The kinds of which others speak.
    fn kinds(&self) -> Vec<u32> {
        let names = self.vocabulary.names().iter();
        let spoken = |name: &str| !self.strangers || FOREIGN_KINDS.contains(&name);
        (0..)
            .zip(names)
            .filter(|(_, name)| spoken(name))
            .map(|(kind, _)| kind)
            .collect()
    }

    /// Shows a map, and asks what concerns the plugin.
    pub(crate) fn show(&self, to: &TrialInstance, scene: &Scene) -> Result<TrialMap, Trouble> {
        let doing = self.doing("preparing", scene);
        let mut map = self.result(doing, to.prepare(&scene.shown.map, self.under))?;
        if !map.is_refused() {
            let doing = self.doing("surveying", scene);
            let surveyed = map.survey(self.under);
            self.result(doing, surveyed)?;
        }
        Ok(map)
    }

    /// Lets go of a map.
    pub(crate) fn release(&self, map: TrialMap, scene: &Scene) -> Result<(), Trouble> {
        let doing = self.doing("releasing what it kept", scene);
        self.result(doing, map.release())
    }

    /// Asks all that there is to ask on a map.
    pub(crate) fn ask(
        &self,
        map: &TrialMap,
        scene: &Scene,
        style: Style,
    ) -> Result<Heard, Trouble> {
        let mut heard = Heard {
            problems: map.problems().iter().map(|p| p.message.clone()).collect(),
            is_refused: map.is_refused(),
            interest: map.interest().clone(),
            levels: map.levels().to_vec(),
            ..Heard::default()
        };
        if !heard.is_refused {
            heard.lines = self.rounds(map, scene, Matter::Lines, style)?;
            heard.steps = self.rounds(map, scene, Matter::Steps, style)?;
        }
        Ok(heard)
    }

    /// The three rounds.
    fn rounds(
        &self,
        map: &TrialMap,
        scene: &Scene,
        matter: Matter,
        style: Style,
    ) -> Result<Vec<Said>, Trouble> {
        let questions = &scene.questions;
        let count = matter.count(questions);
        let levels = levels(map, scene);
        let calls = calls(map, scene, matter, style);
        let asked = |ask| match matter {
            Matter::Lines => Asked::Lines(questions.lines(&levels, ask)),
            Matter::Steps => Asked::Steps(questions.steps(&levels, ask)),
        };
        let name = matter.name();
        let mut said = vec![Said::default(); count];

        let kinds = self.kinds();
        let mut seen: Vec<Vec<Seen>> = (0..count)
            .map(|at| world::observed(&kinds, scene, matter, at))
            .collect();
        for ask in &calls {
            let doing = self.doing(&format!("observing {name}s"), scene);
            for spoken in self.result(doing, map.observe(asked(ask), self.under))? {
                let of = spoken.of as usize;
                said[of].observations.push(spoken.said);
                seen[of].push(seen_of(spoken.said, questions));
            }
        }
        let doing = || format!("observing {name}s on the map `{}`", scene.shown.name);
        let clash = |clash: Clash| Trouble::Clash {
            doing: doing(),
            rule: self
                .rules
                .get(usize::from(clash.rule))
                .cloned()
                .unwrap_or_default(),
        };
        let mut batch = SeenBatch::default();
        for (of, seen) in seen.into_iter().enumerate() {
            let start = batch.seen.len();
            let united = unite_observations(seen);
            batch.seen.extend(united.map_err(clash)?);
            batch.of.push(start..batch.seen.len());
            said[of].observations.sort_unstable();
            said[of].observations.dedup();
        }

        let mut objections = vec![Vec::new(); count];
        for ask in &calls {
            let doing = self.doing(&format!("objecting to what is said of {name}s"), scene);
            for spoken in self.result(doing, map.object(asked(ask), &batch, self.under))? {
                let of = spoken.of as usize;
                said[of].objections.push(spoken.said);
                objections[of].push((PLUGIN, spoken.said));
            }
        }
        for (of, objections) in objections.into_iter().enumerate() {
            said[of].objections.sort_unstable();
            said[of].objections.dedup();
            world::set_aside(&mut batch, of, objections);
        }

        let mut findings = vec![Vec::new(); count];
        for ask in &calls {
            let doing = self.doing(&format!("judging {name}s"), scene);
            for spoken in self.result(doing, map.judge(asked(ask), &batch, self.under))? {
                findings[spoken.of as usize].push((PLUGIN, spoken.said));
            }
        }
        for (of, findings) in findings.into_iter().enumerate() {
            let united = unite_findings(findings).map_err(clash)?;
            said[of].findings = united.into_iter().map(|(_, finding)| finding).collect();
        }
        Ok(said)
    }

    /// What the plugin and others observe of everything, all of it standing. Where the plugin's own
    /// observations cannot be had, there are those of others.
    pub(crate) fn seen(
        &self,
        map: &TrialMap,
        scene: &Scene,
        matter: Matter,
        asked: Asked<'_>,
    ) -> SeenBatch {
        let questions = &scene.questions;
        let count = matter.count(questions);
        let kinds = self.kinds();
        let mut seen: Vec<Vec<Seen>> = (0..count)
            .map(|at| world::observed(&kinds, scene, matter, at))
            .collect();
        let own = map.observe(asked, Conditions::default());
        for spoken in own.outcome.unwrap_or_default() {
            seen[spoken.of as usize].push(seen_of(spoken.said, questions));
        }
        let mut batch = SeenBatch::default();
        for (of, seen) in seen.into_iter().enumerate() {
            let start = batch.seen.len();
            batch
                .seen
                .extend(unite_observations(seen).unwrap_or_default());
            batch.of.push(start..batch.seen.len());
            world::set_aside(&mut batch, of, Vec::new());
        }
        batch
    }
}

fn seen_of(observation: Observation, questions: &Questions) -> Seen {
    let counter = observation
        .subject
        .and_then(|at| questions.counters.get(at as usize));
    Seen {
        feature: PLUGIN,
        observation,
        hypothetical: counter.is_some_and(|counter| counter.probe),
        standing: true,
        again: Again::No,
    }
}

/// The level of each hex: its Base Level and the plugin's part.
fn levels(map: &TrialMap, scene: &Scene) -> Vec<i16> {
    let map_of = &scene.shown.map;
    let base = map_of
        .grid
        .hexes()
        .map(|hex| map_of.level(hex).saturating_mul(2));
    let mut levels: Vec<i16> = base.collect();
    for (level, part) in levels.iter_mut().zip(map.levels()) {
        *level = level.saturating_add(*part);
    }
    levels
}

/// Which lines or steps each call asks about.
fn calls(map: &TrialMap, scene: &Scene, matter: Matter, style: Style) -> Vec<Vec<u32>> {
    let count = number(matter.count(&scene.questions));
    let calls = match style {
        Style::Together => vec![(0..count).collect()],
        Style::Backwards => vec![(0..count).rev().collect()],
        Style::OneByOne => (0..count).map(|at| vec![at]).collect(),
        Style::Concerned => {
            let concerned = |at: &u32| concerns(map.interest(), scene, matter, *at as usize);
            vec![(0..count).filter(concerned).collect()]
        }
    };
    calls.into_iter().filter(|call| !call.is_empty()).collect()
}

/// Whether a line or step concerns a plugin of that interest, by the engine's rule.
fn concerns(interest: &Interest, scene: &Scene, matter: Matter, at: usize) -> bool {
    let grid = &scene.shown.map.grid;
    let hex = |hex| {
        let index = grid.index(hex);
        index
            .and_then(|index| interest.hexes.get(index))
            .copied()
            .unwrap_or_default()
    };
    if interest.everything {
        return true;
    }
    match matter {
        Matter::Lines => scene.questions.lines.get(at).is_some_and(|line| {
            let counters = interest.counters && !line.counters.is_empty();
            counters || line.trace.touched().any(|touch| hex(touch.hex))
        }),
        Matter::Steps => {
            let step = scene.questions.steps.get(at);
            step.is_some_and(|step| hex(step.from) || hex(step.to))
        }
    }
}
