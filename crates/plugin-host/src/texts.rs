//! Taking texts from a plugin.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use alamein_plugin_abi::{Bytes, TEXT_ERROR, TEXT_MAP_ERROR, TEXT_MAP_WARNING, TextSink};
use alamein_terrain::Severity;

use crate::limits::PROBLEMS;
use crate::text;

/// Takes the texts of one call.
#[derive(Default)]
pub(crate) struct Texts {
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
    /// For a call that takes errors only.
    pub(crate) fn of_errors() -> Self {
        Self::default()
    }

    /// For the call that takes problems with a map too.
    pub(crate) fn of_map() -> Self {
        Self {
            of_map: true,
            ..Self::default()
        }
    }

    /// What to hand to the plugin. It must not be used longer than `self` lives.
    pub(crate) fn sink(&self) -> TextSink {
        TextSink {
            ctx: std::ptr::from_ref(self).cast_mut().cast(),
            write,
        }
    }

    /// What was said.
    pub(crate) fn taken(self) -> Taken {
        let mut taken = self
            .taken
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
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
        if ctx.is_null() {
            return;
        }
        // SAFETY: plugins give back the context of `Texts::sink`, within the call.
        let texts = unsafe { &*ctx.cast::<Texts>() };
        // SAFETY: the plugin lends the text for the length of this call.
        texts.take(tag, unsafe { text::message(text) });
    }));
}
