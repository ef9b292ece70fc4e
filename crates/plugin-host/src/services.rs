//! What the host does for a plugin: a log, and a look at the clock.
//!
//! Nothing here unwinds: these functions are called from foreign code.

use std::cell::Cell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use alamein_plugin_abi::{Bytes, Host};
use alamein_terrain::Budget;

use crate::limits::LOG_LINES;
use crate::text;
use crate::watch::{self, Doing, Marks};

/// What is known of the call that this thread is in.
#[derive(Clone, Copy)]
struct Call {
    deadline: Option<Instant>,
    logged: u32,
}

const NO_CALL: Call = Call {
    deadline: None,
    logged: 0,
};

thread_local! {
    static CALL: Cell<Call> = const { Cell::new(NO_CALL) };
}

/// Makes a call of a plugin, which sees this budget. Whoever watches this thread sees the call.
pub(crate) fn during<T>(
    marks: &Marks,
    doing: Doing,
    budget: Budget,
    call: impl FnOnce() -> T,
) -> T {
    /// Puts back what was before, even if the call unwinds.
    struct Before(Call);
    impl Drop for Before {
        fn drop(&mut self) {
            CALL.set(self.0);
        }
    }
    let _before = Before(CALL.replace(Call {
        deadline: budget.deadline,
        logged: 0,
    }));
    let _noted = watch::note(marks, doing);
    call()
}

/// The services for the plugin of this id. They are never freed: a thread that a plugin should not
/// have started may still call them.
pub(crate) fn host(plugin: &str) -> &'static Host {
    let plugin: &'static String = Box::leak(Box::new(plugin.to_owned()));
    Box::leak(Box::new(Host {
        struct_size: size_of::<Host>(),
        ctx: std::ptr::from_ref(plugin).cast_mut().cast(),
        log,
        budget_exhausted,
    }))
}

unsafe extern "C" fn log(ctx: *mut c_void, level: u32, text: Bytes) {
    // What a subscriber does must not unwind into the plugin.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        if ctx.is_null() {
            return;
        }
        // SAFETY: plugins give back the context that `host` made, which is never freed.
        let plugin: &str = unsafe { &*ctx.cast::<String>() };
        let call = CALL.get();
        CALL.set(Call {
            logged: call.logged.saturating_add(1),
            ..call
        });
        if call.logged == LOG_LINES {
            tracing::warn!(
                plugin,
                "wrote {LOG_LINES} lines in one call; the rest is left out"
            );
        }
        if call.logged >= LOG_LINES {
            return;
        }
        // SAFETY: the plugin lends the text for the length of this call.
        match unsafe { text::message(text) } {
            Ok(text) => write(plugin, level, &text),
            Err(why) => tracing::warn!(plugin, "wrote a line to the log that {why}"),
        }
    }));
}

fn write(plugin: &str, level: u32, text: &str) {
    match level {
        1 => tracing::error!(plugin, "{text}"),
        2 => tracing::warn!(plugin, "{text}"),
        3 => tracing::info!(plugin, "{text}"),
        4 => tracing::debug!(plugin, "{text}"),
        5 => tracing::trace!(plugin, "{text}"),
        other => tracing::warn!(plugin, "(unknown level {other}) {text}"),
    }
}

unsafe extern "C" fn budget_exhausted(_ctx: *mut c_void) -> u32 {
    let Call { deadline, .. } = CALL.get();
    u32::from(Budget { deadline }.exhausted())
}
