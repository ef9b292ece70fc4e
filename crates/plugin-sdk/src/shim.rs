//! The functions behind the table: they make safe words of the ABI's views, catch panics and hand
//! over what was said. [`crate::export_plugin!`] is the only user.
#![allow(unsafe_code)]

use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use alamein_hex::Grid;
use alamein_plugin_abi as abi;
use alamein_terrain::{InShort, SightAnswer};

use crate::line::Surroundings;
use crate::view::{List, text};
use crate::{
    Findings, Line, Log, MapView, Objections, Observations, Problems, Seen, SetUp, SightSurvey,
    Step, Survey, TerrainPlugin,
};

struct Made<P> {
    plugin: P,
    log: Log,
}

struct Held<P: TerrainPlugin> {
    instance: *const Made<P>,
    grid: Grid,
    map: P::Map,
}

/// The table of a plugin.
#[must_use]
pub const fn table<P: TerrainPlugin>() -> abi::Table {
    abi::Table {
        struct_size: size_of::<abi::Table>(),
        create: create::<P>,
        destroy: destroy::<P>,
        prepare: prepare::<P>,
        release: release::<P>,
        survey: survey::<P>,
        observe_lines: observe_lines::<P>,
        object_to_lines: object_to_lines::<P>,
        judge_lines: judge_lines::<P>,
        observe_steps: observe_steps::<P>,
        object_to_steps: object_to_steps::<P>,
        judge_steps: judge_steps::<P>,
        observe_setups: Some(observe_setups::<P>),
        object_to_setups: Some(object_to_setups::<P>),
        judge_setups: Some(judge_setups::<P>),
        survey_sight: if P::SURVEYS_SIGHT {
            Some(survey_sight::<P>)
        } else {
            None
        },
        sight_lines: if P::ANSWERS_SIGHT {
            Some(sight_lines::<P>)
        } else {
            None
        },
    }
}

/// Why a call does not end well.
enum Stop {
    Failed(String),
    OutOfTime,
    Full,
}

/// Runs the plugin's code. Nothing unwinds out of here: not the code, not the drop of what it
/// panicked with, not the writing of the message.
fn guarded(error: abi::TextSink, run: impl FnOnce() -> Result<(), Stop>) -> abi::Status {
    let write = |said: &str| {
        let said = abi::Bytes {
            ptr: said.as_ptr(),
            len: said.len(),
        };
        // SAFETY: the host's function takes the host's context and a text lent for the call.
        unsafe { (error.write)(error.ctx, abi::TEXT_ERROR, said) };
    };
    let outcome = catch_unwind(AssertUnwindSafe(run));
    match outcome {
        Ok(Ok(())) => abi::OK,
        Ok(Err(Stop::OutOfTime)) => abi::OUT_OF_TIME,
        Ok(Err(Stop::Full)) => abi::FULL,
        Ok(Err(Stop::Failed(why))) => {
            write(&why);
            abi::FAILED
        }
        Err(payload) => {
            write(message(&*payload));
            drop_quietly(payload);
            abi::PANICKED
        }
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
}

/// A payload's own drop may panic; what that panics with is leaked rather than dropped again.
fn drop_quietly(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(move || drop(payload))) {
        std::mem::forget(again);
    }
}

/// For calls that have nowhere to write an error to.
unsafe extern "C" fn write_nowhere(_: *mut c_void, _: u32, _: abi::Bytes) {}

const NOWHERE: abi::TextSink = abi::TextSink {
    ctx: std::ptr::null_mut(),
    write: write_nowhere,
};

unsafe extern "C" fn create<P: TerrainPlugin>(
    host: *const abi::Host,
    options: abi::Bytes,
    made: *mut abi::Instance,
    error: abi::TextSink,
) -> abi::Status {
    guarded(error, || {
        // SAFETY: the host lends the options for the call.
        let options = unsafe { text(options) };
        let options = serde_json::from_str(options)
            .map_err(|error| Stop::Failed(format!("options: {error}")))?;
        // SAFETY: the host says that it outlives the instance.
        let log = unsafe { Log::new(host) };
        let plugin = P::create(options, log).map_err(Stop::Failed)?;
        let instance = Box::into_raw(Box::new(Made { plugin, log }));
        // SAFETY: the host lends a place for the instance.
        unsafe { *made = instance.cast() };
        Ok(())
    })
}

unsafe extern "C" fn destroy<P: TerrainPlugin>(instance: abi::Instance) -> abi::Status {
    guarded(NOWHERE, || {
        // SAFETY: the host gives back what `create` made, once and last.
        drop(unsafe { Box::from_raw(instance.cast::<Made<P>>()) });
        Ok(())
    })
}

unsafe extern "C" fn prepare<P: TerrainPlugin>(
    instance: abi::Instance,
    map: *const abi::MapView,
    made: *mut abi::Prepared,
    sink: abi::TextSink,
) -> abi::Status {
    guarded(sink, || {
        let instance: *const Made<P> = instance.cast();
        // SAFETY: the host gives what `create` made and has not destroyed it.
        let plugin = unsafe { &(*instance).plugin };
        // SAFETY: the host lends a valid map for the call.
        let map = unsafe { MapView::new(&*map) }.map_err(Stop::Failed)?;
        let mut problems = Problems::default();
        let grid = map.grid();
        let map = plugin.prepare(&map, &mut problems);
        for (tag, said) in &problems.said {
            let said = abi::Bytes {
                ptr: said.as_ptr(),
                len: said.len(),
            };
            // SAFETY: the host's function takes the host's context and a text lent for the call.
            unsafe { (sink.write)(sink.ctx, *tag, said) };
        }
        let held = Box::into_raw(Box::new(Held::<P> {
            instance,
            grid,
            map,
        }));
        // SAFETY: the host lends a place for it.
        unsafe { *made = held.cast() };
        Ok(())
    })
}

unsafe extern "C" fn release<P: TerrainPlugin>(prepared: abi::Prepared) -> abi::Status {
    guarded(NOWHERE, || {
        // SAFETY: the host gives back what `prepare` made, once and last.
        drop(unsafe { Box::from_raw(prepared.cast::<Held<P>>()) });
        Ok(())
    })
}

unsafe extern "C" fn survey<P: TerrainPlugin>(
    prepared: abi::Prepared,
    interest: *mut u8,
    levels: *mut i16,
    len: usize,
    flags: *mut u32,
    error: abi::TextSink,
) -> abi::Status {
    guarded(error, || {
        // SAFETY: the host gives what `prepare` made and has not released it.
        let (held, plugin, _) = unsafe { held::<P>(prepared) };
        if len != held.grid.len() {
            return Err(Stop::Failed(format!(
                "survey of {len} hexes, the map has others"
            )));
        }
        // SAFETY: the host lends arrays of `len` elements for the call.
        let (interest, levels) = unsafe {
            (
                std::slice::from_raw_parts_mut(interest, len),
                std::slice::from_raw_parts_mut(levels, len),
            )
        };
        let mut survey = Survey {
            grid: held.grid,
            interest,
            levels,
            flags: 0,
        };
        plugin.survey(&held.map, &mut survey);
        // SAFETY: the host lends a place for the flags.
        unsafe { *flags = survey.flags };
        Ok(())
    })
}

unsafe extern "C" fn survey_sight<P: TerrainPlugin>(
    prepared: abi::Prepared,
    hexes: *mut u8,
    len: usize,
    counters: *mut u32,
    flags: *mut u32,
    error: abi::TextSink,
) -> abi::Status {
    guarded(error, || {
        // SAFETY: the host gives what `prepare` made and has not released it.
        let (held, plugin, _) = unsafe { held::<P>(prepared) };
        if len != held.grid.len() {
            return Err(Stop::Failed(format!(
                "survey of {len} hexes, the map has others"
            )));
        }
        // SAFETY: the host lends an array of `len` elements for the call.
        let hexes = unsafe { std::slice::from_raw_parts_mut(hexes, len) };
        let mut survey = SightSurvey {
            grid: held.grid,
            hexes,
            counters: 0,
            flags: 0,
        };
        plugin.survey_sight(&held.map, &mut survey);
        // SAFETY: the host lends places for both.
        unsafe {
            *counters = survey.counters;
            *flags = survey.flags;
        }
        Ok(())
    })
}

unsafe extern "C" fn sight_lines<P: TerrainPlugin>(
    prepared: abi::Prepared,
    batch: *const abi::LineBatch,
    answers: *mut abi::SightAnswer,
    error: abi::TextSink,
) -> abi::Status {
    guarded(error, || {
        // SAFETY: the host gives what `prepare` made and lends a valid batch.
        let (held, plugin, log) = unsafe { held::<P>(prepared) };
        // SAFETY: as above.
        for (at, line) in unsafe { lines(&*batch, held.grid) } {
            look_at_the_clock(at, log)?;
            let answer = plugin.answer_sight(&held.map, &line);
            // SAFETY: the host lends a place for each line of the batch.
            unsafe { *answers.add(at) = as_told(answer) };
        }
        Ok(())
    })
}

fn as_told(answer: SightAnswer) -> abi::SightAnswer {
    let verdict = match answer.verdict {
        InShort::Clear => abi::SIGHT_CLEAR,
        InShort::Blocked => abi::SIGHT_BLOCKED,
        InShort::Ask => abi::SIGHT_ASK,
        InShort::Hinders => abi::SIGHT_HINDERS,
    };
    let leaves = if answer.leaves_hexsides {
        abi::SIGHT_LEAVES_HEXSIDES
    } else {
        0
    };
    abi::SightAnswer {
        verdict: verdict | leaves,
        contested_by: answer.contested_by.into(),
        hinders: answer.hinders,
        sets_aside: answer.sets_aside,
        contested: answer.contested,
    }
}

/// # Safety
/// `prepared` is what `prepare::<P>` made, not yet released.
unsafe fn held<'a, P: TerrainPlugin>(prepared: abi::Prepared) -> (&'a Held<P>, &'a P, Log) {
    // SAFETY: the caller says so; the host keeps the instance for as long as what it prepared.
    unsafe {
        let held: &Held<P> = &*prepared.cast_const().cast();
        let made = &*held.instance;
        (held, &made.plugin, made.log)
    }
}

/// How many lines, steps or set-ups go by between two looks at the clock, which is the host's.
const LINES_BETWEEN_LOOKS: usize = 64;

fn look_at_the_clock(at: usize, log: Log) -> Result<(), Stop> {
    let due = at.is_multiple_of(LINES_BETWEEN_LOOKS);
    if due && log.out_of_time() {
        Err(Stop::OutOfTime)
    } else {
        Ok(())
    }
}

/// Hands over what was said, in one go: a call that fails has said nothing.
fn hand_over<T>(sink: abi::Sink, said: &[T]) -> Result<(), Stop> {
    if said.is_empty() {
        return Ok(());
    }
    let said = abi::Array {
        ptr: said.as_ptr().cast(),
        len: said.len(),
        stride: size_of::<T>(),
    };
    // SAFETY: the host's function takes the host's context and an array lent for the call.
    match unsafe { (sink.push)(sink.ctx, said) } {
        abi::OK => Ok(()),
        abi::FULL => Err(Stop::Full),
        status => Err(Stop::Failed(format!("the host's sink answered {status}"))),
    }
}

fn hand_over_findings(sink: abi::Sink, say: Findings) -> Result<(), Stop> {
    let Findings { said, cited, .. } = say;
    let findings: Vec<abi::Finding> = said
        .into_iter()
        .map(|said| {
            let cites = &cited[said.cites];
            let cites = abi::Array {
                ptr: cites.as_ptr().cast(),
                len: cites.len(),
                stride: size_of::<u32>(),
            };
            abi::Finding {
                cites,
                ..said.finding
            }
        })
        .collect();
    hand_over(sink, &findings)
}

/// What a batch holds differs in the types of its views alone.
macro_rules! each_of {
    ($($name:ident: $batch:ident { $field:ident: $view:ident } as $asked:ident;)*) => {$(
        /// # Safety
        /// The batch and all that it points to are valid for `'a`.
        unsafe fn $name<'a>(
            batch: &'a abi::$batch,
            grid: Grid,
        ) -> impl Iterator<Item = (usize, $asked<'a>)> + 'a {
            // SAFETY: the caller says so, and the ABI says what each array holds.
            let (asked, around) = unsafe {
                let asked: List<'a, abi::$view> = List::new(batch.$field);
                let around = Surroundings {
                    grid,
                    counters: List::new(batch.counters),
                    levels: List::new(batch.levels),
                    attributes: List::new(batch.attributes),
                    attribute_names: List::new(batch.attribute_names),
                    ec: batch.ec,
                };
                (asked, around)
            };
            let asked = asked.iter().enumerate();
            asked.map(move |(at, view)| (at, $asked::new(view, around)))
        }
    )*};
}

each_of! {
    lines: LineBatch { lines: LineView } as Line;
    steps: StepBatch { steps: StepView } as Step;
    setups: SetUpBatch { setups: SetUpView } as SetUp;
}

/// The rounds differ in what is asked (lines, steps or set-ups), what is shown and what is said.
macro_rules! rounds {
    ($($name:ident: $batch:ident $each:ident observe $method:ident;)*) => {$(
        unsafe extern "C" fn $name<P: TerrainPlugin>(
            prepared: abi::Prepared,
            batch: *const abi::$batch,
            sink: abi::Sink,
        ) -> abi::Status {
            guarded(sink.error, || {
                // SAFETY: the host gives what `prepare` made and lends a valid batch.
                let (held, plugin, log) = unsafe { held::<P>(prepared) };
                let mut say = Observations::default();
                // SAFETY: as above.
                for (at, question) in unsafe { $each(&*batch, held.grid) } {
                    look_at_the_clock(at, log)?;
                    say.of = at as u32;
                    plugin.$method(&held.map, &question, &mut say);
                }
                hand_over(sink, &say.said)
            })
        }
    )*};
    ($($name:ident: $batch:ident $each:ident $say:ident $method:ident $hand_over:expr;)*) => {$(
        unsafe extern "C" fn $name<P: TerrainPlugin>(
            prepared: abi::Prepared,
            batch: *const abi::$batch,
            seen: *const abi::SeenView,
            sink: abi::Sink,
        ) -> abi::Status {
            guarded(sink.error, || {
                // SAFETY: the host gives what `prepare` made and lends a valid batch.
                let (held, plugin, log) = unsafe { held::<P>(prepared) };
                let mut say = $say::default();
                // SAFETY: as above.
                for (at, question) in unsafe { $each(&*batch, held.grid) } {
                    look_at_the_clock(at, log)?;
                    // SAFETY: the host lends a view for each element of the batch.
                    let seen = unsafe { Seen::new(&*seen.add(at)) };
                    say.of = at as u32;
                    plugin.$method(&held.map, &question, &seen, &mut say);
                }
                $hand_over(sink, say)
            })
        }
    )*};
}

rounds! {
    observe_lines: LineBatch lines observe observe;
    observe_steps: StepBatch steps observe observe_step;
    observe_setups: SetUpBatch setups observe observe_setup;
}

rounds! {
    object_to_lines: LineBatch lines Objections object hand_over_objections;
    judge_lines: LineBatch lines Findings judge hand_over_findings;
    object_to_steps: StepBatch steps Objections object_to_step hand_over_objections;
    judge_steps: StepBatch steps Findings judge_step hand_over_findings;
    object_to_setups: SetUpBatch setups Objections object_to_setup hand_over_objections;
    judge_setups: SetUpBatch setups Findings judge_setup hand_over_findings;
}

fn hand_over_objections(sink: abi::Sink, say: Objections) -> Result<(), Stop> {
    hand_over(sink, &say.said)
}
