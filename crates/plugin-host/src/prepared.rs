//! A plugin that has seen a map.

use std::fmt;
use std::ptr;
use std::sync::Arc;

use alamein_hex::Grid;
use alamein_plugin_abi::{self as abi, INTEREST_COUNTERS, INTEREST_EVERYTHING, Sink, Status};
use alamein_terrain::{
    Budget, FeatureError, Finding, Interest, LineBatch, Map, Objection, Observation, Outlook,
    PreparedFeature, Problem, SeenBatch, SetUpBatch, Severity, SightAnswer, Spoken, StepBatch,
};
use async_trait::async_trait;

use crate::batch::{Lines, SetUps, Steps};
use crate::call::Failure;
use crate::context::{Context, Matter};
use crate::feature::{Instance, last_call};
use crate::last;
use crate::layout::unless_all;
use crate::limits::HEIGHT;
use crate::map_view;
use crate::saying::Saying;
use crate::seen::SeenViews;
use crate::services;
use crate::sight;
use crate::sink::Collector;
use crate::texts::Texts;
use crate::watch::Doing;

/// What a plugin made of a map.
#[derive(Debug)]
pub(crate) struct NativePrepared {
    handle: Handle,
    grid: Grid,
    problems: Vec<Problem>,
    survey: Survey,
    outlook: Option<Outlook>,
}

/// What `prepare` made. It is released when this is dropped.
struct Handle {
    instance: Arc<Instance>,
    made: abi::Prepared,
}

/// The same, on its way to the thread that releases it.
struct Made(abi::Prepared);

impl Made {
    /// It, whole: a closure would take the pointer alone, which is not [`Send`].
    fn whole(self) -> Self {
        self
    }
}

// SAFETY: the ABI says that it may be used from any thread.
unsafe impl Send for Made {}

// SAFETY: the ABI says that it may be used from any thread, and from several at once; `release`,
// which may not, is called when nothing else uses it.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // What a panic left behind is not touched again, not even to free it.
        if self.instance.is_poisoned() {
            return;
        }
        let release = self.instance.plugin.table().release;
        let (instance, made) = (Arc::clone(&self.instance), Made(self.made));
        last::call(move || {
            let Made(made) = made.whole();
            // SAFETY: `prepare` made it, and this is the last use of it.
            let release = || unsafe { release(made) };
            last_call(&instance.plugin, &instance.marks, Doing::Release, release);
        });
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handle").field(&self.instance).finish()
    }
}

/// What `survey` says.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub(crate) interest: Interest,
    pub(crate) levels: Vec<i16>,
}

/// What the plugin filled in, or what of it makes no sense.
pub(crate) fn survey_of(interest: Vec<u8>, levels: Vec<i16>, flags: u32) -> Result<Survey, String> {
    let known = INTEREST_COUNTERS | INTEREST_EVERYTHING;
    if flags & !known != 0 {
        return Err(format!("the unknown flags {flags:#x} of interest"));
    }
    let absurd = |level: &&i16| i32::from(**level).abs() > HEIGHT;
    if let Some(level) = levels.iter().find(absurd) {
        return Err(format!("a level of {level}, not {} to {HEIGHT}", -HEIGHT));
    }
    let interest = Interest {
        hexes: unless_all(&0, interest)
            .into_iter()
            .map(|byte| byte != 0)
            .collect(),
        counters: flags & INTEREST_COUNTERS != 0,
        everything: flags & INTEREST_EVERYTHING != 0,
    };
    Ok(Survey {
        interest,
        levels: unless_all(&0, levels),
    })
}

impl NativePrepared {
    pub(crate) fn new(instance: &Arc<Instance>, map: &Map) -> Result<Self, FeatureError> {
        instance.usable()?;
        let (handle, problems) = Handle::prepare(instance, map)?;
        // The map cannot be used, so that nothing is asked about it.
        let unusable = problems
            .iter()
            .any(|problem| problem.severity == Severity::Error);
        let (survey, outlook) = if unusable {
            (Survey::default(), None)
        } else {
            let hexes = map.grid.len();
            let outlook = sight::survey(&handle.instance, handle.made, hexes)?;
            (handle.survey(hexes)?, outlook)
        };
        Ok(Self {
            handle,
            grid: map.grid,
            problems,
            survey,
            outlook,
        })
    }

    fn instance(&self) -> &Instance {
        &self.handle.instance
    }

    fn table(&self) -> &abi::Table {
        self.instance().plugin.table()
    }

    /// Makes one call about what `context` is about, and checks what is said.
    fn ask<S: Saying>(
        &self,
        context: &Context<'_>,
        doing: Doing,
        budget: Budget,
        call: impl FnOnce(Sink) -> Status,
    ) -> Result<Vec<Spoken<S>>, FeatureError> {
        self.instance().usable()?;
        if let Some(error) = self.problems.iter().find(|p| p.severity == Severity::Error) {
            let message = format!("the map cannot be used: {}", error.message);
            return Err(self.instance().failed(Failure::Failed(message)));
        }
        if budget.exhausted() {
            return Err(self.instance().failed(Failure::OutOfTime));
        }
        let collector = Collector::<S>::new(context);
        let status = services::during(&self.instance().marks, doing, budget, || {
            collector.lent(call)
        });
        collector
            .finish(status, budget)
            .map_err(|failure| self.instance().failed(failure))
    }

    fn lines<'a>(&'a self, batch: &'a LineBatch<'_>, seen: Option<&'a SeenBatch>) -> Context<'a> {
        self.context(Matter::Lines, batch.ask, batch.counters.len(), seen)
    }

    fn steps<'a>(&'a self, batch: &StepBatch<'a>, seen: Option<&'a SeenBatch>) -> Context<'a> {
        self.context(Matter::Steps, batch.ask, batch.counters.len(), seen)
    }

    fn setups<'a>(&'a self, batch: &SetUpBatch<'a>, seen: Option<&'a SeenBatch>) -> Context<'a> {
        self.context(Matter::SetUps, batch.ask, batch.counters.len(), seen)
    }

    fn context<'a>(
        &'a self,
        matter: Matter,
        ask: &'a [u32],
        counters: usize,
        seen: Option<&'a SeenBatch>,
    ) -> Context<'a> {
        Context {
            instance: self.instance(),
            grid: self.grid,
            matter,
            ask,
            counters,
            seen,
        }
    }
}

impl Handle {
    /// Shows the plugin a map.
    fn prepare(instance: &Arc<Instance>, map: &Map) -> Result<(Self, Vec<Problem>), FeatureError> {
        let texts = Texts::of_map(&instance.marks);
        let mut made = ptr::null_mut();
        let prepare = instance.plugin.table().prepare;
        let status = services::during(&instance.marks, Doing::Prepare, Budget::default(), || {
            map_view::with(map, |view| {
                // SAFETY: the instance is usable, and all arguments live as long as the call.
                texts.lent(|sink| unsafe { prepare(instance.made(), view, &mut made, sink) })
            })
        });
        let mut said = texts.taken();
        // Of a call that failed, nobody knows what it made: it is not released.
        Failure::of(status, &mut said, None, Budget::default())
            .map_err(|failure| instance.failed(failure))?;
        let plugin = instance.plugin.id();
        let problem = |(severity, message)| Problem {
            severity,
            plugin: plugin.into(),
            message,
        };
        let problems = said.problems.into_iter().map(problem).collect();
        Ok((
            Self {
                instance: Arc::clone(instance),
                made,
            },
            problems,
        ))
    }

    /// Asks what concerns the plugin on a map of that many hexes, and for its part of the levels.
    fn survey(&self, hexes: usize) -> Result<Survey, FeatureError> {
        let marks = &self.instance.marks;
        let texts = Texts::of_errors(marks);
        let (mut interest, mut levels, mut flags) = (vec![0_u8; hexes], vec![0_i16; hexes], 0);
        let survey = self.instance.plugin.table().survey;
        let status = services::during(marks, Doing::Survey, Budget::default(), || {
            let (interest, levels) = (interest.as_mut_ptr(), levels.as_mut_ptr());
            // SAFETY: both arrays have an element for each hex, and live as long as the call.
            texts.lent(|sink| unsafe {
                survey(self.made, interest, levels, hexes, &mut flags, sink)
            })
        });
        let (survey, rubbish) = match survey_of(interest, levels, flags) {
            Ok(survey) => (survey, None),
            Err(rubbish) => (Survey::default(), Some(rubbish)),
        };
        Failure::of(status, &mut texts.taken(), rubbish, Budget::default())
            .map_err(|failure| self.instance.failed(failure))?;
        Ok(survey)
    }
}

#[async_trait]
impl PreparedFeature for NativePrepared {
    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn levels(&self) -> &[i16] {
        &self.survey.levels
    }

    fn interest(&self) -> &Interest {
        &self.survey.interest
    }

    fn outlook(&self) -> Option<&Outlook> {
        self.outlook.as_ref()
    }

    async fn answer_sights(
        &self,
        batch: LineBatch<'_>,
        budget: Budget,
    ) -> Result<Vec<SightAnswer>, FeatureError> {
        sight::answer(self.instance(), self.handle.made, &batch, budget)
    }

    async fn observe_lines(
        &self,
        batch: LineBatch<'_>,
        budget: Budget,
    ) -> Result<Vec<Spoken<Observation>>, FeatureError> {
        if batch.ask.is_empty() {
            return Ok(Vec::new());
        }
        let lines = Lines::new(&batch);
        let call = self.table().observe_lines;
        self.ask(
            &self.lines(&batch, None),
            Doing::ObserveLines,
            budget,
            |sink| {
                // SAFETY: the handle is usable, and all arguments live as long as the call.
                unsafe { call(self.handle.made, &lines.view(), sink) }
            },
        )
    }

    async fn object_to_lines(
        &self,
        batch: LineBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Objection>>, FeatureError> {
        if batch.ask.is_empty() {
            return Ok(Vec::new());
        }
        let lines = Lines::new(&batch);
        let views = SeenViews::new(seen, batch.ask, self.instance());
        let call = self.table().object_to_lines;
        self.ask(
            &self.lines(&batch, Some(seen)),
            Doing::ObjectToLines,
            budget,
            |sink| {
                // SAFETY: the handle is usable, and all arguments live as long as the call.
                unsafe { call(self.handle.made, &lines.view(), views.as_ptr(), sink) }
            },
        )
    }

    async fn judge_lines(
        &self,
        batch: LineBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Finding>>, FeatureError> {
        if batch.ask.is_empty() {
            return Ok(Vec::new());
        }
        let lines = Lines::new(&batch);
        let views = SeenViews::new(seen, batch.ask, self.instance());
        let call = self.table().judge_lines;
        self.ask(
            &self.lines(&batch, Some(seen)),
            Doing::JudgeLines,
            budget,
            |sink| {
                // SAFETY: the handle is usable, and all arguments live as long as the call.
                unsafe { call(self.handle.made, &lines.view(), views.as_ptr(), sink) }
            },
        )
    }

    async fn observe_steps(
        &self,
        batch: StepBatch<'_>,
        budget: Budget,
    ) -> Result<Vec<Spoken<Observation>>, FeatureError> {
        if batch.ask.is_empty() {
            return Ok(Vec::new());
        }
        let steps = Steps::new(&batch);
        let call = self.table().observe_steps;
        self.ask(
            &self.steps(&batch, None),
            Doing::ObserveSteps,
            budget,
            |sink| {
                // SAFETY: the handle is usable, and all arguments live as long as the call.
                unsafe { call(self.handle.made, &steps.view(), sink) }
            },
        )
    }

    async fn object_to_steps(
        &self,
        batch: StepBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Objection>>, FeatureError> {
        if batch.ask.is_empty() {
            return Ok(Vec::new());
        }
        let steps = Steps::new(&batch);
        let views = SeenViews::new(seen, batch.ask, self.instance());
        let call = self.table().object_to_steps;
        self.ask(
            &self.steps(&batch, Some(seen)),
            Doing::ObjectToSteps,
            budget,
            |sink| {
                // SAFETY: the handle is usable, and all arguments live as long as the call.
                unsafe { call(self.handle.made, &steps.view(), views.as_ptr(), sink) }
            },
        )
    }

    async fn judge_steps(
        &self,
        batch: StepBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Finding>>, FeatureError> {
        if batch.ask.is_empty() {
            return Ok(Vec::new());
        }
        let steps = Steps::new(&batch);
        let views = SeenViews::new(seen, batch.ask, self.instance());
        let call = self.table().judge_steps;
        self.ask(
            &self.steps(&batch, Some(seen)),
            Doing::JudgeSteps,
            budget,
            |sink| {
                // SAFETY: the handle is usable, and all arguments live as long as the call.
                unsafe { call(self.handle.made, &steps.view(), views.as_ptr(), sink) }
            },
        )
    }

    async fn observe_setups(
        &self,
        batch: SetUpBatch<'_>,
        budget: Budget,
    ) -> Result<Vec<Spoken<Observation>>, FeatureError> {
        let Some(call) = self
            .table()
            .observe_setups
            .filter(|_| !batch.ask.is_empty())
        else {
            return Ok(Vec::new());
        };
        let setups = SetUps::new(&batch);
        self.ask(
            &self.setups(&batch, None),
            Doing::ObserveSetUps,
            budget,
            |sink| {
                // SAFETY: the handle is usable, and all arguments live as long as the call.
                unsafe { call(self.handle.made, &setups.view(), sink) }
            },
        )
    }

    async fn object_to_setups(
        &self,
        batch: SetUpBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Objection>>, FeatureError> {
        let Some(call) = self
            .table()
            .object_to_setups
            .filter(|_| !batch.ask.is_empty())
        else {
            return Ok(Vec::new());
        };
        let setups = SetUps::new(&batch);
        let views = SeenViews::new(seen, batch.ask, self.instance());
        self.ask(
            &self.setups(&batch, Some(seen)),
            Doing::ObjectToSetUps,
            budget,
            |sink| {
                // SAFETY: the handle is usable, and all arguments live as long as the call.
                unsafe { call(self.handle.made, &setups.view(), views.as_ptr(), sink) }
            },
        )
    }

    async fn judge_setups(
        &self,
        batch: SetUpBatch<'_>,
        seen: &SeenBatch,
        budget: Budget,
    ) -> Result<Vec<Spoken<Finding>>, FeatureError> {
        let Some(call) = self.table().judge_setups.filter(|_| !batch.ask.is_empty()) else {
            return Ok(Vec::new());
        };
        let setups = SetUps::new(&batch);
        let views = SeenViews::new(seen, batch.ask, self.instance());
        self.ask(
            &self.setups(&batch, Some(seen)),
            Doing::JudgeSetUps,
            budget,
            |sink| {
                // SAFETY: the handle is usable, and all arguments live as long as the call.
                unsafe { call(self.handle.made, &setups.view(), views.as_ptr(), sink) }
            },
        )
    }
}
