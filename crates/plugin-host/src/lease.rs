//! Sinks that are lent for one call.
//!
//! What a plugin is handed as a sink's context is no pointer but the number of the call that it is
//! lent for. It is looked up among what this thread has lent now. So a plugin that keeps a sink and
//! uses it later, or hands it to a thread of its own, reaches nothing: it is refused, and the call
//! that it should have gone to fails.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::watch::{self, Marks};

/// How many misused numbers are remembered, of which each is looked for once, soon.
const REMEMBERED: usize = 1024;

/// What is lent in a call.
#[derive(Clone, Copy)]
struct Lent {
    number: usize,
    /// What its texts go to.
    texts: *const c_void,
    /// What its sayings go to, if it has any, and what these are called.
    sayings: *const c_void,
    name: &'static str,
}

const NOTHING: Lent = Lent {
    number: 0,
    texts: ptr::null(),
    sayings: ptr::null(),
    name: "",
};

thread_local! {
    static LENT: Cell<Lent> = const { Cell::new(NOTHING) };
}

/// The numbers of calls whose sinks were used where they were not lent.
static MISUSED: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());
/// How many there are, so that usually nobody needs the lock.
static MISUSES: AtomicUsize = AtomicUsize::new(0);

/// The number of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(usize);

impl Number {
    /// The number of the next call that this thread makes of that instance.
    pub(crate) fn next(marks: &Marks) -> Self {
        Self((marks.id() as usize) << 32 | watch::next_call() as usize)
    }

    /// What to hand to the plugin as the context of a sink.
    pub(crate) fn ctx(self) -> *mut c_void {
        ptr::without_provenance_mut(self.0)
    }

    /// What makes no sense about the call, if one of its sinks was misused. It is forgotten then.
    pub(crate) fn misused(self) -> Option<String> {
        if MISUSES.load(Ordering::Acquire) == 0 {
            return None;
        }
        let mut misused = MISUSED.lock().unwrap_or_else(PoisonError::into_inner);
        let it = misused.remove(&self.0);
        MISUSES.store(misused.len(), Ordering::Release);
        it.then(|| "something through a sink that it was not lent for this call".to_owned())
    }
}

/// What is lent until this is dropped.
pub(crate) struct Lease<'a> {
    before: Lent,
    lent: PhantomData<&'a ()>,
}

/// Lends what takes the texts of a call.
pub(crate) fn lend<T>(number: Number, texts: &T) -> Lease<'_> {
    begin(Lent {
        number: number.0,
        texts: ptr::from_ref(texts).cast(),
        ..NOTHING
    })
}

/// Lends what takes the texts and the sayings of a call.
pub(crate) fn lend_both<'a, T, S>(
    number: Number,
    texts: &'a T,
    sayings: &'a S,
    name: &'static str,
) -> Lease<'a> {
    begin(Lent {
        number: number.0,
        texts: ptr::from_ref(texts).cast(),
        sayings: ptr::from_ref(sayings).cast(),
        name,
    })
}

fn begin<'a>(lent: Lent) -> Lease<'a> {
    Lease {
        before: LENT.replace(lent),
        lent: PhantomData,
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        LENT.set(self.before);
    }
}

/// What takes the texts of the call that `ctx` was lent for, if this thread is in it.
pub(crate) fn texts(ctx: *mut c_void) -> Option<*const c_void> {
    let lent = LENT.get();
    let found = lent.number == ctx.addr() && !lent.texts.is_null();
    if !found {
        misuse(ctx.addr(), lent.number);
    }
    found.then_some(lent.texts)
}

/// What takes sayings of that name in the call that `ctx` was lent for, if this thread is in it.
pub(crate) fn sayings(ctx: *mut c_void, name: &str) -> Option<*const c_void> {
    let lent = LENT.get();
    let found = lent.number == ctx.addr() && !lent.sayings.is_null() && lent.name == name;
    if !found {
        misuse(ctx.addr(), lent.number);
    }
    found.then_some(lent.sayings)
}

/// Notes that a sink was used that was not lent: the call that it names fails, if it still goes on,
/// and so does the one that this thread is in.
fn misuse(used: usize, in_call: usize) {
    watch::warn_of_misuse((used >> 32) as u32);
    let mut misused = MISUSED.lock().unwrap_or_else(PoisonError::into_inner);
    misused.extend([used, in_call].into_iter().filter(|number| *number != 0));
    while misused.len() > REMEMBERED {
        misused.pop_first();
    }
    MISUSES.store(misused.len(), Ordering::Release);
}
