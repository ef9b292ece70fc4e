//! Maps and questions.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use alamein_hex::Grid;
use alamein_plugin_abi::{self as abi, Array, FULL, SeenView, Sink, Status};
use alamein_terrain::{
    Finding, Interest, LineBatch, Map, Objection, Observation, Problem, SeenBatch, Severity,
    Spoken, StepBatch,
};

use super::lent::Lent;
use super::{Called, Conditions, Tested, TrialInstance, Tried};
use crate::batch::{Lines, Steps};
use crate::call::Failure;
use crate::context::{Context, Matter};
use crate::map_view;
use crate::prepared::{Survey, survey_of};
use crate::saying::Saying;
use crate::seen::SeenViews;
use crate::sink::Collector;
use crate::texts::Texts;

/// What is asked about.
#[derive(Clone, Copy, Debug)]
pub enum Asked<'a> {
    /// Lines.
    Lines(LineBatch<'a>),
    /// Steps.
    Steps(StepBatch<'a>),
}

impl Asked<'_> {
    fn ask(&self) -> &[u32] {
        match self {
            Self::Lines(batch) => batch.ask,
            Self::Steps(batch) => batch.ask,
        }
    }
}

/// A map that an instance on trial has been shown.
#[derive(Debug)]
pub struct TrialMap {
    tested: Arc<Tested>,
    made: Made,
    grid: Grid,
    problems: Vec<Problem>,
    survey: Survey,
    /// It has been released.
    is_over: bool,
}

/// What nobody has let go of is let go of here, in this thread.
impl Drop for TrialMap {
    fn drop(&mut self) {
        if !self.is_over && !self.tested.instance.is_poisoned() {
            self.end();
        }
    }
}

/// What `prepare` made.
#[derive(Clone, Copy, Debug)]
struct Made(abi::Prepared);

// SAFETY: the ABI says that it may be used from any thread, and from several at once; `release`
// takes the map that holds it.
unsafe impl Send for Made {}
// SAFETY: as above.
unsafe impl Sync for Made {}

impl TrialInstance {
    /// Shows the instance a map. Nothing is asked yet: see [`TrialMap::survey`].
    pub fn prepare(&self, map: &Map, under: Conditions) -> Tried<TrialMap> {
        let tested = &self.inner;
        let texts = Texts::of_map(&tested.instance.marks);
        let mut made = ptr::null_mut();
        let prepare = tested.instance.plugin.table().prepare;
        let call = Called::make(tested.watch, &tested.kept, under, |lent| {
            map_view::with(map, |view| {
                let view = lent.map_or(ptr::from_ref(view), |lent| lent.map(view));
                let instance = tested.instance.made();
                // SAFETY: the instance lives, and all arguments live as long as the call.
                texts.lent(|sink| unsafe { prepare(instance, view, &mut made, sink) })
            })
        });
        let mut said = texts.taken();
        let failed = Failure::of(call.status, &mut said, None, under.budget());
        let plugin = tested.instance.plugin.id();
        let problem = |(severity, message)| Problem {
            severity,
            plugin: plugin.into(),
            message,
        };
        call.tried(tested.outcome(failed).map(|()| TrialMap {
            tested: Arc::clone(tested),
            made: Made(made),
            grid: map.grid,
            problems: said.problems.into_iter().map(problem).collect(),
            survey: Survey::default(),
            is_over: false,
        }))
    }
}

impl TrialMap {
    /// What is wrong with the map.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether the plugin refuses the map, so that nothing is to be asked about it.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        let is_error = |problem: &Problem| problem.severity == Severity::Error;
        self.problems.iter().any(is_error)
    }

    /// What concerns the plugin; nothing before [`survey`](Self::survey).
    #[must_use]
    pub fn interest(&self) -> &Interest {
        &self.survey.interest
    }

    /// Its part of the levels; nothing before [`survey`](Self::survey).
    #[must_use]
    pub fn levels(&self) -> &[i16] {
        &self.survey.levels
    }

    /// Asks what concerns the plugin, and for its part of the levels.
    pub fn survey(&mut self, under: Conditions) -> Tried<()> {
        let tested = &self.tested;
        let table = tested.instance.plugin.table();
        let hexes = self.grid.len();
        let (mut interest, mut levels, mut flags) = (vec![0_u8; hexes], vec![0_i16; hexes], 0);
        let texts = Texts::of_errors(&tested.instance.marks);
        let survey = table.survey;
        let call = Called::make(tested.watch, &tested.kept, under, |lent| {
            let Some(lent) = lent else {
                let (interest, levels) = (interest.as_mut_ptr(), levels.as_mut_ptr());
                // SAFETY: both arrays have an element for each hex, and live as long as the call.
                return texts.lent(|sink| unsafe {
                    survey(self.made.0, interest, levels, hexes, &mut flags, sink)
                });
            };
            let (at, levels_at) = (lent.all(&interest), lent.all(&levels));
            // SAFETY: as above; what the plugin wrote is read before it is taken back.
            texts.lent(|sink| unsafe {
                let status = survey(self.made.0, at, levels_at, hexes, &mut flags, sink);
                ptr::copy_nonoverlapping(at, interest.as_mut_ptr(), hexes);
                ptr::copy_nonoverlapping(levels_at, levels.as_mut_ptr(), hexes);
                status
            })
        });
        let surveyed = survey_of(interest, levels, flags);
        let (surveyed, rubbish) = match surveyed {
            Ok(survey) => (survey, None),
            Err(rubbish) => (Survey::default(), Some(rubbish)),
        };
        let failed = Failure::of(call.status, &mut texts.taken(), rubbish, under.budget());
        let outcome = tested.outcome(failed);
        self.survey = surveyed;
        call.tried(outcome)
    }

    /// Lets go of what the plugin made of the map.
    pub fn release(mut self) -> Tried<()> {
        self.end()
    }

    fn end(&mut self) -> Tried<()> {
        self.is_over = true;
        let tested = &self.tested;
        let release = tested.instance.plugin.table().release;
        let call = Called::make(tested.watch, &tested.kept, Conditions::default(), |_| {
            // SAFETY: `prepare` made it, and this is the last use of it.
            unsafe { release(self.made.0) }
        });
        tested.last(call, "release")
    }

    /// Round 1.
    pub fn observe(&self, asked: Asked<'_>, under: Conditions) -> Tried<Vec<Spoken<Observation>>> {
        let table = self.tested.instance.plugin.table();
        self.ask(asked, None, under, |asked, _, sink| {
            // SAFETY: what `prepare` made is alive, and all arguments live as long as the call.
            unsafe {
                match asked {
                    Views::Lines(view) => (table.observe_lines)(self.made.0, view, sink),
                    Views::Steps(view) => (table.observe_steps)(self.made.0, view, sink),
                }
            }
        })
    }

    /// Round 2.
    pub fn object(
        &self,
        asked: Asked<'_>,
        seen: &SeenBatch,
        under: Conditions,
    ) -> Tried<Vec<Spoken<Objection>>> {
        let table = self.tested.instance.plugin.table();
        self.ask(asked, Some(seen), under, |asked, seen, sink| {
            // SAFETY: as above.
            unsafe {
                match asked {
                    Views::Lines(view) => (table.object_to_lines)(self.made.0, view, seen, sink),
                    Views::Steps(view) => (table.object_to_steps)(self.made.0, view, seen, sink),
                }
            }
        })
    }

    /// Round 3.
    pub fn judge(
        &self,
        asked: Asked<'_>,
        seen: &SeenBatch,
        under: Conditions,
    ) -> Tried<Vec<Spoken<Finding>>> {
        let table = self.tested.instance.plugin.table();
        self.ask(asked, Some(seen), under, |asked, seen, sink| {
            // SAFETY: as above.
            unsafe {
                match asked {
                    Views::Lines(view) => (table.judge_lines)(self.made.0, view, seen, sink),
                    Views::Steps(view) => (table.judge_steps)(self.made.0, view, seen, sink),
                }
            }
        })
    }

    fn ask<S: Saying>(
        &self,
        asked: Asked<'_>,
        seen: Option<&SeenBatch>,
        under: Conditions,
        call: impl FnOnce(Views, *const SeenView, Sink) -> Status,
    ) -> Tried<Vec<Spoken<S>>> {
        let tested = &*self.tested;
        let (matter, counters) = match asked {
            Asked::Lines(batch) => (Matter::Lines, batch.counters.len()),
            Asked::Steps(batch) => (Matter::Steps, batch.counters.len()),
        };
        let context = Context {
            instance: &tested.instance,
            grid: self.grid,
            matter,
            ask: asked.ask(),
            counters,
            seen,
        };
        let collector = Collector::<S>::new(&context);
        let views = seen.map(|seen| SeenViews::new(seen, asked.ask(), &tested.instance));
        let full = AtomicU32::new(0);
        let mut called = Called::make(tested.watch, &tested.kept, under, |lent| {
            show(&asked, views.as_ref(), lent, |asked, seen| {
                collector.lent(|sink| match under.pushes {
                    None => call(asked, seen, sink),
                    Some(most) => {
                        let gate = Gate::new(sink, most, &full);
                        call(asked, seen, gate.sink())
                    }
                })
            })
        });
        called.full = full.load(Ordering::Relaxed);
        let outcome = match called.status {
            // The gate said so, of which the collector knows nothing.
            FULL if called.full > 0 => Ok(Vec::new()),
            status => collector.finish(status, under.budget()),
        };
        called.tried(tested.outcome(outcome))
    }
}

/// What a plugin is shown of what is asked.
enum Views {
    Lines(*const abi::LineBatch),
    Steps(*const abi::StepBatch),
}

/// Shows what is asked and what was seen, in pages to be taken back if there are any.
fn show(
    asked: &Asked<'_>,
    seen: Option<&SeenViews>,
    mut lent: Option<&mut Lent>,
    call: impl FnOnce(Views, *const SeenView) -> Status,
) -> Status {
    let count = asked.ask().len();
    let seen = match (seen, lent.as_deref_mut()) {
        (None, _) => ptr::null(),
        (Some(seen), None) => seen.as_ptr(),
        (Some(seen), Some(lent)) => lent.seen(seen.as_ptr(), count),
    };
    match asked {
        Asked::Lines(batch) => {
            let lines = Lines::new(batch);
            let view = lines.view();
            let view = lent.map_or(ptr::from_ref(&view), |lent| lent.lines(&view));
            call(Views::Lines(view), seen)
        }
        Asked::Steps(batch) => {
            let steps = Steps::new(batch);
            let view = steps.view();
            let view = lent.map_or(ptr::from_ref(&view), |lent| lent.steps(&view));
            call(Views::Steps(view), seen)
        }
    }
}

/// Stands before a sink, and says that it is full after so many pushes.
struct Gate<'a> {
    behind: Sink,
    most: usize,
    pushed: AtomicUsize,
    full: &'a AtomicU32,
}

impl<'a> Gate<'a> {
    fn new(behind: Sink, most: usize, full: &'a AtomicU32) -> Self {
        Self {
            behind,
            most,
            pushed: AtomicUsize::new(0),
            full,
        }
    }

    fn sink(&self) -> Sink {
        Sink {
            ctx: ptr::from_ref(self).cast_mut().cast(),
            push,
            error: self.behind.error,
        }
    }
}

unsafe extern "C" fn push(ctx: *mut c_void, said: Array) -> Status {
    if ctx.is_null() {
        return FULL;
    }
    // SAFETY: plugins give back the context of `Gate::sink`, within the call.
    let gate = unsafe { &*ctx.cast::<Gate<'_>>() };
    let before = gate.pushed.fetch_add(1, Ordering::Relaxed);
    if before >= gate.most {
        gate.full.fetch_add(1, Ordering::Relaxed);
        return FULL;
    }
    // SAFETY: as the plugin says, which lends what it pushes for the length of this call.
    unsafe { (gate.behind.push)(gate.behind.ctx, said) }
}
