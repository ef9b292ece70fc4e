//! Lines, steps and set-ups go through the same rounds, by methods of other names.

use alamein_terrain::{
    Fact, FeatureError, Finding, Kept, Line, LineBatch, MoveStep, Objection, Observation,
    PreparedFeature, Purpose, SeenBatch, SetUp, SetUpBatch, Spoken, StepBatch,
};

use crate::interests::Interests;
use crate::rounds::Rounds;

/// What a feature says, of which line, step or set-up, or that it failed.
pub(crate) type Answer<T> = Result<Vec<Spoken<T>>, FeatureError>;

/// What the rounds are held on: lines, steps or set-ups.
pub(crate) trait Asked: Sized {
    /// Whom it concerns, apart from those whom everything does.
    fn concerns(&self, interests: &Interests) -> u64;

    /// Who is to be asked about it, as a bit for each feature, where that can be read off the map's
    /// tables: of a line of which only LOS is wanted.
    fn speakers(&self, _rounds: &Rounds<'_>) -> Option<u64> {
        None
    }

    /// Whether an observation matters.
    fn wants(&self, observation: &Observation) -> bool;

    /// Round 1.
    async fn observe(to: To<'_, Self>) -> Answer<Observation>;

    /// Round 2.
    async fn object(to: To<'_, Self>, seen: &SeenBatch) -> Answer<Objection>;

    /// Round 3.
    async fn judge(to: To<'_, Self>, seen: &SeenBatch) -> Answer<Finding>;
}

/// To whom a question is put, and of what.
pub(crate) struct To<'a, A> {
    pub(crate) feature: &'a dyn PreparedFeature,
    pub(crate) rounds: &'a Rounds<'a>,
    pub(crate) asked: &'a [A],
    pub(crate) ask: &'a [u32],
    pub(crate) kept: Option<&'a Kept<'a>>,
}

macro_rules! rounds_of {
    ($observe:ident, $object:ident, $judge:ident) => {
        async fn observe(to: To<'_, Self>) -> Answer<Observation> {
            to.feature.$observe(to.batch(), to.rounds.budget).await
        }

        async fn object(to: To<'_, Self>, seen: &SeenBatch) -> Answer<Objection> {
            to.feature.$object(to.batch(), seen, to.rounds.budget).await
        }

        async fn judge(to: To<'_, Self>, seen: &SeenBatch) -> Answer<Finding> {
            to.feature.$judge(to.batch(), seen, to.rounds.budget).await
        }
    };
}

macro_rules! batch_of {
    ($asked:ident: $batch:ident { $field:ident $(, $kept:ident)? }) => {
        impl<'a> To<'a, $asked> {
            pub(crate) fn batch(&self) -> $batch<'a> {
                let prepared = self.rounds.prepared;
                $batch {
                    levels: &prepared.map.levels,
                    counters: &self.rounds.counters,
                    attributes: &self.rounds.attributes,
                    attribute_names: &self.rounds.attribute_names,
                    ec: prepared.position.environment().ec,
                    $field: self.asked,
                    ask: self.ask,
                    $($kept: self.kept,)?
                }
            }
        }
    };
}

batch_of!(Line: LineBatch { lines, kept });
batch_of!(MoveStep: StepBatch { steps });
batch_of!(SetUp: SetUpBatch { setups });

impl Asked for Line {
    fn concerns(&self, interests: &Interests) -> u64 {
        let by_hex = interests.any(self.trace.touched().map(|touch| touch.hex));
        match self.counters.is_empty() {
            true => by_hex,
            false => by_hex | interests.counters,
        }
    }

    fn speakers(&self, rounds: &Rounds<'_>) -> Option<u64> {
        // Of a line of fire all is told that there is for its target, LOS or not.
        let los_only = rounds.los_only && self.purpose == Purpose::Sight;
        if !self.obstacles_only && !los_only {
            return None;
        }
        let speakers = rounds.speakers([&self.from, &self.to])?;
        let planes = rounds.prepared.map.planes.as_ref()?;
        Some(match speakers.speak {
            0 => 0,
            _ => planes.in_rounds(speakers),
        })
    }

    fn wants(&self, observation: &Observation) -> bool {
        // Hindrances do not matter on the way to something that may itself be one.
        !self.obstacles_only || !matches!(observation.fact, Fact::Hindrance { .. })
    }

    rounds_of!(observe_lines, object_to_lines, judge_lines);
}

impl Asked for MoveStep {
    fn concerns(&self, interests: &Interests) -> u64 {
        interests.any([self.from, self.to].into_iter())
    }

    fn wants(&self, _: &Observation) -> bool {
        true
    }

    rounds_of!(observe_steps, object_to_steps, judge_steps);
}

impl Asked for SetUp {
    fn concerns(&self, interests: &Interests) -> u64 {
        interests.counters | interests.hex(self.hex)
    }

    fn wants(&self, _: &Observation) -> bool {
        true
    }

    rounds_of!(observe_setups, object_to_setups, judge_setups);
}
