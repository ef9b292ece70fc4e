//! The trait behind which every terrain's rules stand, and what it is shown in each round.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use alamein_hex::{Hex, TraceRef};
use async_trait::async_trait;
use smallvec::SmallVec;

use crate::counter::{CounterClass, CounterFlags};
use crate::failure::{Budget, FeatureError};
use crate::kept::Kept;
use crate::manifest::Manifest;
use crate::map::{EnvironmentCondition, Map};
use crate::outlook::{Outlook, SightAnswer};
use crate::question::{Attack, GrazingPolicy, LaneMover, Mover, Munition, Way};
use crate::replacing::Replacements;
use crate::replacing::RuleAt;
use crate::saying::{Finding, Objection, Observation};
use crate::setup::SetUp;

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Purpose {
    /// Only whether the ends see each other.
    Sight = 1,
    /// A shot: TEM and HD are wanted too.
    Fire = 2,
    /// A Fire Lane.
    Lane = 3,
}

/// A counter, as features see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterFacts {
    /// Its class.
    pub class: CounterClass,
    /// What the players say of it.
    pub flags: CounterFlags,
    /// Where it is.
    pub hex: Hex,
    /// Its level, in half levels.
    pub level: i16,
    /// Its side, a number that is the same for counters of one side; 0 is no side.
    pub side: u32,
    /// The counter that carries it.
    pub aboard: Option<u32>,
    /// It is not really there: it is asked about.
    pub probe: bool,
}

/// An attribute that a counter carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeFact {
    /// The counter.
    pub counter: u32,
    /// Its name, among all names.
    pub name: u32,
    /// Its value.
    pub value: i64,
}

/// An end of a line, as features see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndFacts {
    /// Its hex.
    pub hex: Hex,
    /// The vertex of the hex that is aimed at, if not the centre.
    pub corner: Option<u8>,
    /// The counter there, or an ordinary unit.
    pub counter: Option<u32>,
    /// Its level, in half levels.
    pub level: i16,
    /// Its class.
    pub class: CounterClass,
    /// What the players say of it.
    pub flags: CounterFlags,
    /// Its side, 0 for none.
    pub side: u32,
    /// Whether a vehicle carries it.
    pub aboard: bool,
}

/// What is asked of a Fire Lane. The line runs from the MG to the counter's hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneFacts {
    /// The hex in which something moves.
    pub hex: Hex,
    /// What moves there.
    pub mover: LaneMover,
    /// A hypothetical wreck in that hex, among the counters.
    pub probe: Option<u32>,
}

/// A line, as features see it.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its trace.
    pub trace: TraceRef,
    /// Which of the trace's two readings stay on the map.
    pub readings_on_map: [bool; 2],
    /// Where it starts: the firer, or the MG of a Fire Lane.
    pub from: EndFacts,
    /// Where it ends.
    pub to: EndFacts,
    /// What it is for.
    pub purpose: Purpose,
    /// How the shot travels, if there is one.
    pub attack: Option<Attack>,
    /// What the shot is made of.
    pub munition: Munition,
    /// The grazing policy.
    pub policy: GrazingPolicy,
    /// What is asked of a Fire Lane.
    pub lane: Option<LaneFacts>,
    /// The counters in the hexes that it touches, its ends included, in the order of the hexes.
    pub counters: SmallVec<[u32; 8]>,
    /// Only obstacles are wanted: it is the line from an end to something in between.
    pub obstacles_only: bool,
}

/// Lines on one map, asked about together.
#[derive(Clone, Copy, Debug)]
pub struct LineBatch<'a> {
    /// The level of each hex of the grid, in half levels.
    pub levels: &'a [i16],
    /// The counters of the position, then the probes.
    pub counters: &'a [CounterFacts],
    /// The attributes that counters carry, sorted by counter.
    pub attributes: &'a [AttributeFact],
    /// The names of the attributes, sorted.
    pub attribute_names: &'a [String],
    /// Environmental Conditions.
    pub ec: EnvironmentCondition,
    /// The lines.
    pub lines: &'a [Line],
    /// Which of them this feature is asked about.
    pub ask: &'a [u32],
    /// What its host keeps of this batch from one round to the next, where it is asked in several.
    pub kept: Option<&'a Kept<'a>>,
}

/// A change of VCA, as features see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnFacts {
    /// By how many hexsides.
    pub hexsides: u8,
    /// The hex from which the mover entered the one it turns in, if known.
    pub entered_from: Option<Hex>,
}

/// A step, as features see it.
#[derive(Clone, Debug)]
pub struct MoveStep {
    /// Who moves.
    pub mover: Mover,
    /// The hex it leaves.
    pub from: Hex,
    /// The hex it enters; the same one where it only turns.
    pub to: Hex,
    /// What it follows, by what the mover says.
    pub way: Way,
    /// It does not leave its hex but changes VCA there.
    pub turn: Option<TurnFacts>,
    /// Environmental Conditions.
    pub ec: EnvironmentCondition,
}

/// Steps on one map, asked about together.
#[derive(Clone, Copy, Debug)]
pub struct StepBatch<'a> {
    /// The level of each hex of the grid, in half levels.
    pub levels: &'a [i16],
    /// The counters of the position, then the probes.
    pub counters: &'a [CounterFacts],
    /// The attributes that counters carry, sorted by counter.
    pub attributes: &'a [AttributeFact],
    /// The names of the attributes, sorted.
    pub attribute_names: &'a [String],
    /// Environmental Conditions of the position; a step may have its own.
    pub ec: EnvironmentCondition,
    /// The steps.
    pub steps: &'a [MoveStep],
    /// Which of them this feature is asked about.
    pub ask: &'a [u32],
}

/// Set-ups on one map, asked about together.
#[derive(Clone, Copy, Debug)]
pub struct SetUpBatch<'a> {
    /// The level of each hex of the grid, in half levels.
    pub levels: &'a [i16],
    /// The counters of the position, then the probes.
    pub counters: &'a [CounterFacts],
    /// The attributes that counters carry, sorted by counter.
    pub attributes: &'a [AttributeFact],
    /// The names of the attributes, sorted.
    pub attribute_names: &'a [String],
    /// Environmental Conditions.
    pub ec: EnvironmentCondition,
    /// The set-ups.
    pub setups: &'a [SetUp],
    /// Which of them this feature is asked about.
    pub ask: &'a [u32],
}

/// Something said, and of which line, step or set-up of the batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken<T> {
    /// The place in the batch of what it is said of.
    pub of: u32,
    /// What was said.
    pub said: T,
}

/// An observation as all features see it in the rounds after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    /// Which feature observed it.
    pub feature: u16,
    /// What it observed.
    pub observation: Observation,
    /// It is about a probe, so it never adds.
    pub hypothetical: bool,
    /// No objection has set it aside, and its rule is not replaced. In the round of objections all
    /// stand whose rule is not.
    pub standing: bool,
    /// Whether it is said again, or says something again, where a rule is replaced with a number.
    pub again: Again,
}

/// Whether an observation is said again with another number, by a rule that replaces its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Again {
    /// Neither.
    #[default]
    No,
    /// It is said again.
    Said,
    /// It says again what was said by this rule, whose feature takes it for its own.
    Of(RuleAt),
}

/// All observations of a batch and the objections to them.
#[derive(Clone, Debug, Default)]
pub struct SeenBatch {
    /// The observations, those of each line together and in their canonical order.
    pub seen: Vec<Seen>,
    /// For each line, where its observations are.
    pub of: Vec<Range<usize>>,
    /// The objections, in the order of the lines: the line, the feature that objects, what it says.
    pub objections: Vec<(u32, u16, Objection)>,
    /// For each line, where its objections are.
    pub objections_of: Vec<Range<usize>>,
    /// Which rules are replaced: an objection by what replaces a rule is one by that rule too, for
    /// the feature whose rule it is.
    pub replacements: Arc<Replacements>,
}

impl SeenBatch {
    /// What was seen of a line.
    #[must_use]
    pub fn of(&self, line: usize) -> &[Seen] {
        self.of
            .get(line)
            .and_then(|range| self.seen.get(range.clone()))
            .unwrap_or_default()
    }

    /// What was objected of a line.
    #[must_use]
    pub fn objections_of(&self, line: usize) -> &[(u32, u16, Objection)] {
        let range = self.objections_of.get(line);
        range
            .and_then(|range| self.objections.get(range.clone()))
            .unwrap_or_default()
    }
}

/// What concerns a feature. It is not asked about other lines, steps and set-ups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interest {
    /// For each hex of the grid: whether a line that touches it, a step from or to it, or a
    /// set-up in it concerns the feature. Empty means none.
    pub hexes: Vec<bool>,
    /// Every line that has a counter on it, and every set-up, which puts one there.
    pub counters: bool,
    /// Every line, step and set-up.
    pub everything: bool,
}

/// How bad a problem with a layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Worth telling.
    Warning,
    /// The map cannot be used.
    Error,
}

/// Something wrong with a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How bad.
    pub severity: Severity,
    /// Which plugin says so.
    pub plugin: String,
    /// What, with hex names.
    pub message: String,
}

/// A terrain's rules. A native plugin, a sandboxed one and a remote one all fit behind it.
#[async_trait]
pub trait TerrainFeature: fmt::Debug + Send + Sync {
    /// What the plugin says of itself.
    fn manifest(&self) -> &Manifest;

    /// The ids of its rules, in the order by which sayings name them.
    fn rules(&self) -> &[String];

    /// Why it is out of use, if it is.
    fn failure(&self) -> Option<String> {
        None
    }

    /// Gives the feature a map, once. Problems with its layers are part of the answer.
    ///
    /// # Errors
    /// Where the feature fails.
    async fn prepare(&self, map: &Map) -> Result<Arc<dyn PreparedFeature>, FeatureError>;
}

/// A feature that has seen a map.
#[async_trait]
pub trait PreparedFeature: fmt::Debug + Send + Sync {
    /// What is wrong with the layers.
    fn problems(&self) -> &[Problem];

    /// Its part of how far units in each hex of the grid stand above or below the Base Level, in
    /// half levels. Empty means nothing anywhere. The parts of all features add.
    fn levels(&self) -> &[i16];

    /// What concerns it.
    fn interest(&self) -> &Interest;

    /// On which lines it speaks where nothing but LOS is wanted. A feature that does not say is asked
    /// about whatever [`interest`](Self::interest) names.
    fn outlook(&self) -> Option<&Outlook> {
        None
    }

    /// Answers lines of sight on which it speaks, one answer for each that it is asked about.
    ///
    /// # Errors
    /// Where the feature fails.
    async fn answer_sights(
        &self,
        batch: LineBatch<'_>,
        _budget: Budget,
    ) -> Result<Vec<SightAnswer>, FeatureError> {
        Ok(vec![SightAnswer::ASK; batch.ask.len()])
    }

    /// Round 1 of a line.
    ///
    /// # Errors
    /// Where the feature fails; the same holds for all rounds.
    async fn observe_lines(
        &self,
        batch: LineBatch<'_>,
        budget: Budget,
    ) -> Result<Vec<Spoken<Observation>>, FeatureError>;

    /// Round 2 of a line.
    async fn object_to_lines(
        &self,
        batch: LineBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Objection>>, FeatureError>;

    /// Round 3 of a line.
    async fn judge_lines(
        &self,
        batch: LineBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Finding>>, FeatureError>;

    /// Round 1 of a step.
    async fn observe_steps(
        &self,
        batch: StepBatch<'_>,
        budget: Budget,
    ) -> Result<Vec<Spoken<Observation>>, FeatureError>;

    /// Round 2 of a step.
    async fn object_to_steps(
        &self,
        batch: StepBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Objection>>, FeatureError>;

    /// Round 3 of a step.
    async fn judge_steps(
        &self,
        batch: StepBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Finding>>, FeatureError>;

    /// Round 1 of a set-up.
    async fn observe_setups(
        &self,
        batch: SetUpBatch<'_>,
        budget: Budget,
    ) -> Result<Vec<Spoken<Observation>>, FeatureError>;

    /// Round 2 of a set-up.
    async fn object_to_setups(
        &self,
        batch: SetUpBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Objection>>, FeatureError>;

    /// Round 3 of a set-up.
    async fn judge_setups(
        &self,
        batch: SetUpBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Finding>>, FeatureError>;
}
