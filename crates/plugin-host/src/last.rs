//! The last calls of a plugin: what it made is given back to it.
//!
//! Whoever drops the last of something cannot be kept waiting by a plugin: it may be a thread that
//! serves connections, or hold a lock. So last calls are made on a thread of their own. One that does
//! not come back is left there, and another thread takes its place, up to a few; after that what is
//! given up is no longer given back, and stays in memory.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::watch::Whereabouts;

/// How long a last call may take before others do not wait for it any more.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many threads may be left behind.
const LEFT_BEHIND: u32 = 4;

type Call = Box<dyn FnOnce() + Send>;

/// The thread that makes last calls.
struct Undertaker {
    calls: Sender<Call>,
    busy: Arc<Busy>,
}

/// What it does.
#[derive(Default)]
struct Busy {
    whereabouts: Whereabouts,
    /// Since when it makes the call that it is in.
    since: Mutex<Option<Instant>>,
}

static UNDERTAKER: Mutex<Option<Undertaker>> = Mutex::new(None);
/// How many were left behind.
static LOST: AtomicU32 = AtomicU32::new(0);

/// Makes a last call, soon. What it logs goes where this thread's log goes.
pub(crate) fn call(call: impl FnOnce() + Send + 'static) {
    let log = tracing::dispatcher::get_default(Clone::clone);
    send(Box::new(move || {
        tracing::dispatcher::with_default(&log, call);
    }));
}

/// Waits until all last calls are made that were to be made by now: of instances, and of what these
/// made of maps, that nobody holds any more. Whether they were, within that time.
#[must_use]
pub fn last_calls_made(within: Duration) -> bool {
    let so_far = || {
        let (told, made) = channel();
        send(Box::new(move || {
            let _ = told.send(());
        }));
        made.recv_timeout(within).is_ok()
    };
    // The last of a map may be what held the instance, whose own last call comes after it then.
    so_far() && so_far()
}

fn send(call: Call) {
    let mut undertaker = UNDERTAKER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(Undertaker { busy, .. }) = undertaker.take_if(|it| it.busy.too_long()) {
        // Its calls that wait are lost with it.
        let error = busy.whereabouts.now().and_then(|stay| stay.give_up());
        let error = error.map_or_else(String::new, |error| error.to_string());
        tracing::error!("a last call does not come back: {error}");
        LOST.fetch_add(1, Ordering::Relaxed);
    }
    if undertaker.is_none() && LOST.load(Ordering::Relaxed) <= LEFT_BEHIND {
        *undertaker = start();
    }
    let sent = undertaker.as_ref().map(|it| it.calls.send(call));
    if !matches!(sent, Some(Ok(()))) {
        tracing::warn!("what a plugin made is not given back to it: no thread is left to do that");
    }
}

fn start() -> Option<Undertaker> {
    let (calls, to_make) = channel();
    let busy = Arc::new(Busy::default());
    let same = Arc::clone(&busy);
    let started = thread::Builder::new()
        .name("plugin-last-calls".to_owned())
        .spawn(move || make(&to_make, &same));
    started.ok().map(|_| Undertaker { calls, busy })
}

fn make(calls: &Receiver<Call>, busy: &Busy) {
    for call in calls {
        busy.set(Some(Instant::now()));
        // What may panic is the log that it writes to.
        let _ = catch_unwind(AssertUnwindSafe(|| busy.whereabouts.watch(call)));
        busy.set(None);
    }
}

impl Busy {
    fn set(&self, since: Option<Instant>) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }

    fn too_long(&self) -> bool {
        let since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        since.is_some_and(|since| since.elapsed() >= PATIENCE)
    }
}
