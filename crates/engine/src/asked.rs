//! Lines, steps and set-ups go through the same rounds, by methods of other names.

use alamein_terrain::{
    Fact, FeatureError, Finding, Interest, Line, LineBatch, MoveStep, Objection, Observation,
    PreparedFeature, SeenBatch, SetUp, SetUpBatch, Spoken, StepBatch,
};

use crate::rounds::Rounds;

/// What a feature says, of which line, step or set-up, or that it failed.
pub(crate) type Answer<T> = Result<Vec<Spoken<T>>, FeatureError>;

/// What the rounds are held on: lines, steps or set-ups.
pub(crate) trait Asked: Sized {
    /// Whether it concerns a feature of that interest, apart from features that everything does.
    fn concerns(&self, rounds: &Rounds<'_>, interest: &Interest) -> bool;

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
    ($asked:ident: $batch:ident { $field:ident }) => {
        impl To<'_, $asked> {
            fn batch(&self) -> $batch<'_> {
                let prepared = self.rounds.prepared;
                $batch {
                    levels: &prepared.map.levels,
                    counters: &self.rounds.counters,
                    attributes: &self.rounds.attributes,
                    attribute_names: &self.rounds.attribute_names,
                    ec: prepared.position.environment().ec,
                    $field: self.asked,
                    ask: self.ask,
                }
            }
        }
    };
}

batch_of!(Line: LineBatch { lines });
batch_of!(MoveStep: StepBatch { steps });
batch_of!(SetUp: SetUpBatch { setups });

impl Asked for Line {
    fn concerns(&self, rounds: &Rounds<'_>, interest: &Interest) -> bool {
        let counters = interest.counters && !self.counters.is_empty();
        let mut touched = self.trace.touched();
        counters || touched.any(|touch| rounds.concerns_hex(interest, touch.hex))
    }

    fn wants(&self, observation: &Observation) -> bool {
        // Hindrances do not matter on the way to something that may itself be one.
        !self.obstacles_only || !matches!(observation.fact, Fact::Hindrance { .. })
    }

    rounds_of!(observe_lines, object_to_lines, judge_lines);
}

impl Asked for MoveStep {
    fn concerns(&self, rounds: &Rounds<'_>, interest: &Interest) -> bool {
        [self.from, self.to]
            .iter()
            .any(|hex| rounds.concerns_hex(interest, *hex))
    }

    fn wants(&self, _: &Observation) -> bool {
        true
    }

    rounds_of!(observe_steps, object_to_steps, judge_steps);
}

impl Asked for SetUp {
    fn concerns(&self, rounds: &Rounds<'_>, interest: &Interest) -> bool {
        interest.counters || rounds.concerns_hex(interest, self.hex)
    }

    fn wants(&self, _: &Observation) -> bool {
        true
    }

    rounds_of!(observe_setups, object_to_setups, judge_setups);
}
