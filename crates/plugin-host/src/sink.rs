//! Taking what a plugin says.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use alamein_plugin_abi::{Array, FULL, OK, Sink, Status};
use alamein_terrain::{Budget, Spoken};

use crate::call::Failure;
use crate::context::Context;
use crate::lease;
use crate::limits::{SAYINGS_A_CALL, SAYINGS_A_LINE};
use crate::saying::{Saying, copies};
use crate::texts::Texts;

/// Takes what is said in one call.
pub(crate) struct Collector<'a, S> {
    context: &'a Context<'a>,
    texts: Texts,
    // A lock, since what is shared with foreign code is not to be borrowed twice.
    said: Mutex<Said<S>>,
}

struct Said<S> {
    said: Vec<Spoken<S>>,
    /// How much has been said of each line or step asked about.
    weights: Vec<usize>,
    weight: usize,
    /// The first thing that made no sense. Nothing is taken after it.
    rubbish: Option<String>,
}

impl<'a, S: Saying> Collector<'a, S> {
    pub(crate) fn new(context: &'a Context<'a>) -> Self {
        let weights = vec![0; context.ask.len()];
        let said = Said {
            said: Vec::new(),
            weights,
            weight: 0,
            rubbish: None,
        };
        Self {
            context,
            texts: Texts::of_errors(&context.instance.marks),
            said: Mutex::new(said),
        }
    }

    /// Makes the call, with a sink to hand to the plugin. It takes nothing once the call is over.
    pub(crate) fn lent<T>(&self, call: impl FnOnce(Sink) -> T) -> T {
        let number = self.texts.number();
        let _lease = lease::lend_both(number, &self.texts, self, S::NAME);
        call(Sink {
            ctx: number.ctx(),
            push: push::<S>,
            error: self.texts.sink(),
        })
    }

    /// What was said, if the call went well. What a failed call said is dropped.
    pub(crate) fn finish(self, status: Status, budget: Budget) -> Result<Vec<Spoken<S>>, Failure> {
        let said = self
            .said
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        Failure::of(status, &mut self.texts.taken(), said.rubbish, budget)?;
        Ok(said.said)
    }

    /// # Safety
    /// As for [`copies`], and what the elements point to must be valid for reads.
    unsafe fn take(&self, pushed: &Array) -> Status {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.rubbish.is_some() {
            return FULL;
        }
        // SAFETY: as the caller says.
        match unsafe { said.take(pushed, self.context) } {
            Ok(()) => OK,
            Err(why) => {
                said.rubbish = Some(why);
                FULL
            }
        }
    }
}

impl<S: Saying> Said<S> {
    /// # Safety
    /// As for [`Collector::take`].
    unsafe fn take(&mut self, pushed: &Array, context: &Context<'_>) -> Result<(), String> {
        if pushed.len > SAYINGS_A_CALL - self.said.len() {
            return Err(format!("more than {SAYINGS_A_CALL} sayings in one call"));
        }
        // SAFETY: as the caller says.
        let raws = unsafe { copies::<S::Raw>(pushed) };
        let raws = raws.map_err(|why| format!("{}s that {why}", S::NAME))?;
        self.said.reserve(pushed.len);
        for raw in raws {
            // SAFETY: as the caller says.
            let taken = unsafe { self.one(&raw, context) };
            taken.map_err(|why| format!("{} number {}: {why}", S::NAME, self.said.len()))?;
        }
        Ok(())
    }

    /// # Safety
    /// As for [`Collector::take`].
    unsafe fn one(&mut self, raw: &S::Raw, context: &Context<'_>) -> Result<(), String> {
        let thing = context.matter.name();
        let asked = S::of(raw);
        let (Some(of), Some(weight)) = (
            context.ask.get(asked as usize),
            self.weights.get_mut(asked as usize),
        ) else {
            return Err(format!(
                "it is of {thing} number {asked}, of {}",
                context.ask.len()
            ));
        };
        // SAFETY: as the caller says.
        let said = unsafe { S::read(raw, *of, context) }?;
        *weight += said.weight();
        self.weight += said.weight();
        if *weight > SAYINGS_A_LINE {
            return Err(format!("more than {SAYINGS_A_LINE} sayings of one {thing}"));
        }
        if self.weight > SAYINGS_A_CALL {
            return Err(format!("more than {SAYINGS_A_CALL} sayings in one call"));
        }
        self.said.push(Spoken { of: *of, said });
        Ok(())
    }
}

unsafe extern "C" fn push<S: Saying>(ctx: *mut c_void, pushed: Array) -> Status {
    // What a log does with a warning must not unwind into the plugin.
    let lent = catch_unwind(AssertUnwindSafe(|| lease::sayings(ctx, S::NAME)));
    let Ok(Some(collector)) = lent else {
        return FULL;
    };
    // SAFETY: this thread has lent it, as one of sayings of this name, which is of this type, and
    // does so until the call is over.
    let collector = unsafe { &*collector.cast::<Collector<'_, S>>() };
    // Nothing in there panics; were it to, it must not unwind into the plugin, nor be forgotten.
    // SAFETY: the plugin lends the array for the length of this call.
    let taken = catch_unwind(AssertUnwindSafe(|| unsafe { collector.take(&pushed) }));
    taken.unwrap_or_else(|_| {
        let mut said = collector
            .said
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        said.rubbish = Some("something at which the host panicked".into());
        FULL
    })
}
