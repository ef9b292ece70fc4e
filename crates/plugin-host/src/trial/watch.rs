//! Services that count how they are used.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};

use alamein_plugin_abi::{Bytes, Host};

thread_local! {
    /// What this thread's call has done so far, if it is in one.
    static CALL: Cell<Option<Call>> = const { Cell::new(None) };
}

#[derive(Clone, Copy)]
struct Call {
    looks: u32,
    out_of_time: bool,
}

/// What was before a call.
pub(crate) struct Before(Option<Call>);

/// The services of a trial. They are never freed.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    strays: AtomicU32,
    host: std::sync::OnceLock<Lent>,
}

/// The services, as a plugin gets them.
#[derive(Debug)]
struct Lent(*const Host);

// SAFETY: it points to what is never changed and never freed.
unsafe impl Send for Lent {}
// SAFETY: as above.
unsafe impl Sync for Lent {}

impl Watch {
    pub(crate) fn leak() -> &'static Self {
        let watch: &'static Self = Box::leak(Box::default());
        let host = Box::leak(Box::new(Host {
            struct_size: size_of::<Host>(),
            ctx: std::ptr::from_ref(watch).cast_mut().cast(),
            log,
            budget_exhausted,
        }));
        watch.host.get_or_init(|| Lent(host));
        watch
    }

    /// What to hand to the plugin.
    pub(crate) fn host(&self) -> *const Host {
        self.host.get().map_or(std::ptr::null(), |lent| lent.0)
    }

    pub(crate) fn strays(&self) -> u32 {
        self.strays.load(Ordering::Relaxed)
    }

    /// A call begins in this thread.
    pub(crate) fn begin(&self, out_of_time: bool) -> Before {
        let call = Call {
            looks: 0,
            out_of_time,
        };
        Before(CALL.replace(Some(call)))
    }

    /// It is over. How often the plugin looked at the clock.
    pub(crate) fn end(&self, before: Before) -> u32 {
        CALL.replace(before.0).map_or(0, |call| call.looks)
    }
}

/// Counts a use of the services. What the thread's call has been told of the time.
fn used(ctx: *mut c_void, look: bool) -> u32 {
    // A thread that ends has no such value any more; then it is in no call either.
    let call = CALL.try_with(Cell::get).ok().flatten();
    let Some(call) = call else {
        if !ctx.is_null() {
            // SAFETY: plugins give back the context that `leak` made, which is never freed.
            let watch = unsafe { &*ctx.cast::<Watch>() };
            watch.strays.fetch_add(1, Ordering::Relaxed);
        }
        return 0;
    };
    CALL.set(Some(Call {
        looks: call.looks.saturating_add(look.into()),
        ..call
    }));
    call.out_of_time.into()
}

unsafe extern "C" fn log(ctx: *mut c_void, _level: u32, _text: Bytes) {
    used(ctx, false);
}

unsafe extern "C" fn budget_exhausted(ctx: *mut c_void) -> u32 {
    used(ctx, true)
}
