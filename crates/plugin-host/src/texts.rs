//! Taking texts from a plugin.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use alamein_plugin_abi::{Bytes, TEXT_ERROR, TEXT_MAP_ERROR, TEXT_MAP_WARNING, TextSink};
use alamein_terrain::Severity;

use crate::lease::{self, Number};
use crate::limits::PROBLEMS;
use crate::text;
use crate::watch::Marks;

/// Takes the texts of one call.
pub(crate) struct Texts {
    number: Number,
    taken: Mutex<Taken>,
    of_map: bool,
}

/// The texts of a call.
#[derive(Default)]
pub(crate) struct Taken {
    /// The first error.
    pub(crate) error: Option<String>,
    /// Problems with a map.
    pub(crate) problems: Vec<(Severity, String)>,
    /// The first thing that made no sense.
    pub(crate) rubbish: Option<String>,
    /// How many problems more there were, and the worst of them.
    dropped: Option<(usize, Severity)>,
}

impl Texts {
    /// For a call of that instance that takes errors only.
    pub(crate) fn of_errors(marks: &Marks) -> Self {
        Self {
            number: Number::next(marks),
            taken: Mutex::default(),
            of_map: false,
        }
    }

    /// For the call that takes problems with a map too.
    pub(crate) fn of_map(marks: &Marks) -> Self {
        Self {
            of_map: true,
            ..Self::of_errors(marks)
        }
    }

    /// The number of the call.
    pub(crate) fn number(&self) -> Number {
        self.number
    }

    /// Makes the call, with a sink to hand to the plugin.
    pub(crate) fn lent<T>(&self, call: impl FnOnce(TextSink) -> T) -> T {
        let _lease = lease::lend(self.number, self);
        call(self.sink())
    }

    /// What to hand to the plugin. It takes nothing but while this is lent.
    pub(crate) fn sink(&self) -> TextSink {
        TextSink {
            ctx: self.number.ctx(),
            write,
        }
    }

    /// What was said.
    pub(crate) fn taken(self) -> Taken {
        let mut taken = self
            .taken
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(misused) = self.number.misused() {
            taken.rubbish.get_or_insert(misused);
        }
        if let Some((more, severity)) = taken.dropped {
            taken
                .problems
                .push((severity, format!("and {more} problems more")));
        }
        taken
    }

    fn take(&self, tag: u32, text: Result<String, String>) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        match (tag, text) {
            (_, Err(why)) => {
                taken.rubbish.get_or_insert(format!("a text {why}"));
            }
            (TEXT_ERROR, Ok(text)) => {
                taken.error.get_or_insert(text);
            }
            (TEXT_MAP_ERROR, Ok(text)) if self.of_map => taken.problem(Severity::Error, text),
            (TEXT_MAP_WARNING, Ok(text)) if self.of_map => taken.problem(Severity::Warning, text),
            (tag, Ok(_)) => {
                taken
                    .rubbish
                    .get_or_insert(format!("a text with the tag {tag}"));
            }
        }
    }
}

impl Taken {
    fn problem(&mut self, severity: Severity, text: String) {
        if self.problems.len() < PROBLEMS {
            self.problems.push((severity, text));
            return;
        }
        let (more, worst) = self.dropped.unwrap_or((0, Severity::Warning));
        let worst = if severity == Severity::Error {
            severity
        } else {
            worst
        };
        self.dropped = Some((more + 1, worst));
    }
}

unsafe extern "C" fn write(ctx: *mut c_void, tag: u32, text: Bytes) {
    // Nothing below panics; were it to, it must not unwind into the plugin.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let Some(texts) = lease::texts(ctx) else {
            return;
        };
        // SAFETY: this thread has lent it, as `Texts`, and does so until the call is over.
        let texts = unsafe { &*texts.cast::<Texts>() };
        // SAFETY: the plugin lends the text for the length of this call.
        texts.take(tag, unsafe { text::message(text) });
    }));
}
