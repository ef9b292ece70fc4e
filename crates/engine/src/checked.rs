//! A feature as the engine asks it: some calls are made twice, and must answer the same.
//!
//! A plugin that is not deterministic cannot be told by one call. Where the configuration asks for
//! it, one call of so many is made again at once, with the same question; if what is said differs,
//! in anything but the order of the sayings, the question fails with the plugin's name.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use alamein_terrain::{
    Budget, FeatureError, Finding, Interest, LineBatch, Map, Objection, Observation, Outlook,
    PreparedFeature, Problem, SeenBatch, SetUpBatch, SightAnswer, Spoken, StepBatch,
    TerrainFeature,
};
use async_trait::async_trait;

/// Shows a feature a map; `every` says which calls are made twice, of which 0 means none.
pub(crate) async fn prepare(
    feature: &dyn TerrainFeature,
    map: &Map,
    every: u32,
) -> Result<Arc<dyn PreparedFeature>, FeatureError> {
    let prepared = feature.prepare(map).await?;
    if every == 0 {
        return Ok(prepared);
    }
    let plugin = feature.manifest().id.clone();
    let again = feature.prepare(map).await?;
    if said_of_map(&*prepared) != said_of_map(&*again) {
        return Err(differs(&plugin, "preparing a map"));
    }
    Ok(Arc::new(Checked {
        feature: prepared,
        plugin,
        every,
        asked: AtomicU32::new(0),
    }))
}

/// What a feature says of a map.
type OfMap<'a> = (&'a [Problem], &'a [i16], &'a Interest, Option<&'a Outlook>);

fn said_of_map(feature: &dyn PreparedFeature) -> OfMap<'_> {
    let (levels, interest) = (feature.levels(), feature.interest());
    (feature.problems(), levels, interest, feature.outlook())
}

fn differs(plugin: &str, doing: &str) -> FeatureError {
    FeatureError::Rubbish {
        plugin: plugin.to_owned(),
        message: format!("asked the same twice while {doing}, it answers differently"),
    }
}

/// A feature that has seen a map, some of whose calls are made twice.
#[derive(Debug)]
struct Checked {
    feature: Arc<dyn PreparedFeature>,
    plugin: String,
    every: u32,
    asked: AtomicU32,
}

impl Checked {
    /// Whether it is this call's turn to be made twice.
    fn is_due(&self) -> bool {
        self.asked
            .fetch_add(1, Ordering::Relaxed)
            .is_multiple_of(self.every)
    }

    /// Checks that two answers are the same, in whatever order.
    fn same<S: Debug + PartialEq>(
        &self,
        doing: &str,
        one: &[Spoken<S>],
        other: &[Spoken<S>],
    ) -> Result<(), FeatureError> {
        let sorted = |said: &[Spoken<S>]| {
            let mut said: Vec<String> = said.iter().map(|said| format!("{said:?}")).collect();
            said.sort_unstable();
            said.dedup();
            said
        };
        if one == other || sorted(one) == sorted(other) {
            return Ok(());
        }
        Err(differs(&self.plugin, doing))
    }
}

/// Asks, and where it is due asks again and compares.
macro_rules! ask {
    ($self:ident, $doing:literal, $call:ident($batch:ident $(, $more:ident)*)) => {{
        let said = $self.feature.$call($batch $(, $more)*).await?;
        if $self.is_due() {
            let again = $self.feature.$call($batch $(, $more)*).await?;
            $self.same($doing, &said, &again)?;
        }
        Ok(said)
    }};
}

#[async_trait]
impl PreparedFeature for Checked {
    fn problems(&self) -> &[Problem] {
        self.feature.problems()
    }

    fn levels(&self) -> &[i16] {
        self.feature.levels()
    }

    fn interest(&self) -> &Interest {
        self.feature.interest()
    }

    fn outlook(&self) -> Option<&Outlook> {
        self.feature.outlook()
    }

    async fn answer_sights(
        &self,
        batch: LineBatch<'_>,
        budget: Budget,
    ) -> Result<Vec<SightAnswer>, FeatureError> {
        let answers = self.feature.answer_sights(batch, budget).await?;
        if self.is_due() && self.feature.answer_sights(batch, budget).await? != answers {
            return Err(differs(&self.plugin, "answering lines of sight"));
        }
        Ok(answers)
    }

    async fn observe_lines(
        &self,
        batch: LineBatch<'_>,
        budget: Budget,
    ) -> Result<Vec<Spoken<Observation>>, FeatureError> {
        ask!(self, "observing lines", observe_lines(batch, budget))
    }

    async fn object_to_lines(
        &self,
        batch: LineBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Objection>>, FeatureError> {
        ask!(self, "objecting", object_to_lines(batch, seen, budget))
    }

    async fn judge_lines(
        &self,
        batch: LineBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Finding>>, FeatureError> {
        ask!(self, "judging lines", judge_lines(batch, seen, budget))
    }

    async fn observe_steps(
        &self,
        batch: StepBatch<'_>,
        budget: Budget,
    ) -> Result<Vec<Spoken<Observation>>, FeatureError> {
        ask!(self, "observing steps", observe_steps(batch, budget))
    }

    async fn object_to_steps(
        &self,
        batch: StepBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Objection>>, FeatureError> {
        ask!(self, "objecting", object_to_steps(batch, seen, budget))
    }

    async fn judge_steps(
        &self,
        batch: StepBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Finding>>, FeatureError> {
        ask!(self, "judging steps", judge_steps(batch, seen, budget))
    }

    async fn observe_setups(
        &self,
        batch: SetUpBatch<'_>,
        budget: Budget,
    ) -> Result<Vec<Spoken<Observation>>, FeatureError> {
        ask!(self, "observing set-ups", observe_setups(batch, budget))
    }

    async fn object_to_setups(
        &self,
        batch: SetUpBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Objection>>, FeatureError> {
        ask!(self, "objecting", object_to_setups(batch, seen, budget))
    }

    async fn judge_setups(
        &self,
        batch: SetUpBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Finding>>, FeatureError> {
        ask!(self, "judging set-ups", judge_setups(batch, seen, budget))
    }
}
