//! Which plugin a thread is in, as another thread sees it.
//!
//! A call cannot be ended from outside. What can be done is to see that a thread is in one, in
//! which and since when, and then to do without that thread and that instance:
//!
//! ```
//! use alamein_plugin_host::Whereabouts;
//!
//! let here = Whereabouts::default();
//! let seen_from_elsewhere = here.clone();
//! here.watch(|| {
//!     // Calls of plugins go here.
//!     assert!(seen_from_elsewhere.now().is_none(), "none is being made");
//! });
//! ```

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use alamein_terrain::FeatureError;

/// What a plugin is called for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Doing {
    Create,
    Destroy,
    Prepare,
    Release,
    Survey,
    ObserveLines,
    ObjectToLines,
    JudgeLines,
    ObserveSteps,
    ObjectToSteps,
    JudgeSteps,
    ObserveSetUps,
    ObjectToSetUps,
    JudgeSetUps,
    SurveySight,
    AnswerSights,
}

impl Doing {
    const ALL: [Self; 16] = [
        Self::Create,
        Self::Destroy,
        Self::Prepare,
        Self::Release,
        Self::Survey,
        Self::ObserveLines,
        Self::ObjectToLines,
        Self::JudgeLines,
        Self::ObserveSteps,
        Self::ObjectToSteps,
        Self::JudgeSteps,
        Self::ObserveSetUps,
        Self::ObjectToSetUps,
        Self::JudgeSetUps,
        Self::SurveySight,
        Self::AnswerSights,
    ];

    /// What it does then, in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Create => "making an instance",
            Self::Destroy => "giving up its instance",
            Self::Prepare => "preparing a map",
            Self::Release => "giving up a map",
            Self::Survey => "surveying a map",
            Self::ObserveLines => "observing lines",
            Self::ObjectToLines => "objecting to what was observed of lines",
            Self::JudgeLines => "judging lines",
            Self::ObserveSteps => "observing steps",
            Self::ObjectToSteps => "objecting to what was observed of steps",
            Self::JudgeSteps => "judging steps",
            Self::ObserveSetUps => "observing set-ups",
            Self::ObjectToSetUps => "objecting to what was observed of set-ups",
            Self::JudgeSetUps => "judging set-ups",
            Self::SurveySight => "surveying a map for sight",
            Self::AnswerSights => "answering lines of sight",
        }
    }
}

/// What an instance can be told by from another thread, and whether it is out of use.
#[derive(Debug)]
pub(crate) struct Marks {
    id: u32,
    plugin: String,
    poison: OnceLock<Poison>,
    /// Whether a misuse of its sinks has been told.
    warned: AtomicBool,
}

/// Why an instance is out of use.
#[derive(Clone, Debug)]
pub(crate) enum Poison {
    /// It panicked, and said this.
    Panicked(String),
    /// It did not come back from a call in which it was doing this.
    Overran(&'static str),
}

/// All instances there are, for whoever sees a thread in one of them.
static INSTANCES: Mutex<BTreeMap<u32, Weak<Marks>>> = Mutex::new(BTreeMap::new());
/// The number of the next instance. 0 is none.
static NEXT: AtomicU32 = AtomicU32::new(1);

impl Marks {
    /// The marks of a new instance.
    pub(crate) fn new(plugin: &str) -> Arc<Self> {
        let mut instances = INSTANCES.lock().unwrap_or_else(PoisonError::into_inner);
        // After four thousand million instances the numbers begin anew; those that are taken, and
        // that of none, are passed over.
        let id = loop {
            let id = NEXT.fetch_add(1, Ordering::Relaxed);
            if id != 0 && !instances.contains_key(&id) {
                break id;
            }
        };
        let marks = Arc::new(Self {
            id,
            plugin: plugin.to_owned(),
            poison: OnceLock::new(),
            warned: AtomicBool::new(false),
        });
        instances.insert(id, Arc::downgrade(&marks));
        marks
    }

    /// Its number, by which no other instance is called that there is now.
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    /// Why it is out of use, if it is.
    pub(crate) fn poison(&self) -> Option<&Poison> {
        self.poison.get()
    }

    /// Puts it out of use. What it was first put out of use for stays.
    pub(crate) fn put_out_of_use(&self, why: Poison) {
        let _ = self.poison.set(why);
    }
}

impl Drop for Marks {
    fn drop(&mut self) {
        let mut instances = INSTANCES.lock().unwrap_or_else(PoisonError::into_inner);
        instances.remove(&self.id);
    }
}

thread_local! {
    /// Where this thread notes the call that it makes, if somebody watches it.
    static SLOT: Cell<*const AtomicU64> = const { Cell::new(ptr::null()) };
    /// The number of its last call. Threads begin far apart.
    static CALLS: Cell<u32> = Cell::new(THREADS.fetch_add(1 << 20, Ordering::Relaxed));
}

/// Where the next thread begins to count its calls.
static THREADS: AtomicU32 = AtomicU32::new(1);

/// The number of the next call of this thread.
pub(crate) fn next_call() -> u32 {
    let call = CALLS.get().wrapping_add(1);
    CALLS.set(call);
    call
}

/// The instance of that number, if there is one.
fn instance(id: u32) -> Option<Arc<Marks>> {
    let instances = INSTANCES.lock().unwrap_or_else(PoisonError::into_inner);
    instances.get(&id).and_then(Weak::upgrade)
}

/// Tells once of each instance that a sink of its was used where it was not lent.
pub(crate) fn warn_of_misuse(id: u32) {
    let marks = instance(id);
    let plugin = marks.as_ref().map_or("(gone)", |marks| &marks.plugin);
    let told = |marks: &Arc<Marks>| marks.warned.swap(true, Ordering::Relaxed);
    if !marks.as_ref().is_some_and(told) {
        tracing::warn!(
            plugin,
            "used a sink after the call that it was lent for, or from a thread of its own"
        );
    }
}

/// Where a thread is. Clones are of the same thread.
#[derive(Clone, Debug, Default)]
pub struct Whereabouts(Arc<AtomicU64>);

impl Whereabouts {
    /// Runs something on this thread; which calls of plugins it makes can be seen meanwhile.
    pub fn watch<T>(&self, run: impl FnOnce() -> T) -> T {
        /// Puts back what was before, even if it unwinds.
        struct Before(*const AtomicU64);
        impl Drop for Before {
            fn drop(&mut self) {
                SLOT.set(self.0);
            }
        }
        let _before = Before(SLOT.replace(Arc::as_ptr(&self.0)));
        run()
    }

    /// The call in which the thread is now, if it is in one.
    #[must_use]
    pub fn now(&self) -> Option<Stay> {
        let word = self.0.load(Ordering::Acquire);
        (word != 0).then_some(Stay(word))
    }
}

/// A call in which a thread was seen. No other call of the thread is equal to it, for a long time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay(u64);

impl Stay {
    fn new(instance: u32, call: u32, doing: Doing) -> Self {
        let call = u64::from(call & 0x00ff_ffff);
        Self(u64::from(instance) << 32 | call << 8 | doing as u64)
    }

    /// Gives up on the call, which takes too long. The instance that is in it is out of use from
    /// now on: whoever asks it anything is told so at once, for other threads would be lost in it
    /// too. Gives the error to tell those who wait; nothing if the instance is gone.
    #[must_use]
    pub fn give_up(self) -> Option<FeatureError> {
        let instance = (self.0 >> 32) as u32;
        let marks = self::instance(instance)?;
        let doing = Doing::ALL.get(usize::from(self.0 as u8));
        let doing = doing.map_or("at work", |doing| doing.words());
        marks.put_out_of_use(Poison::Overran(doing));
        Some(FeatureError::Overran {
            plugin: marks.plugin.clone(),
            doing: doing.to_owned(),
        })
    }
}

/// Notes that this thread is in a call, until this is dropped.
pub(crate) struct Noted {
    slot: *const AtomicU64,
    before: u64,
}

/// Notes a call that this thread makes.
pub(crate) fn note(marks: &Marks, doing: Doing) -> Noted {
    let slot = SLOT.get();
    let mut before = 0;
    if !slot.is_null() {
        // SAFETY: `watch` runs around this, on this thread, and keeps what it points to.
        let slot = unsafe { &*slot };
        before = slot.load(Ordering::Relaxed);
        slot.store(Stay::new(marks.id, next_call(), doing).0, Ordering::Release);
    }
    Noted { slot, before }
}

impl Drop for Noted {
    fn drop(&mut self) {
        if !self.slot.is_null() {
            // SAFETY: as in `note`: this is dropped where it was made, before `watch` returns.
            unsafe { &*self.slot }.store(self.before, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_seen_from_another_thread_and_only_while_it_lasts() {
        let marks = Marks::new("fog");
        let here = Whereabouts::default();
        here.watch(|| {
            let first = {
                let _noted = note(&marks, Doing::JudgeLines);
                std::thread::scope(|scope| scope.spawn(|| here.now()).join().unwrap())
            };
            assert!(first.is_some());
            assert_eq!(here.now(), None);
            let _noted = note(&marks, Doing::JudgeLines);
            assert_ne!(here.now(), first, "it is another call");
        });
        let _noted = note(&marks, Doing::JudgeLines);
        assert_eq!(here.now(), None, "nobody watches");
    }

    #[test]
    fn who_is_given_up_is_named_and_out_of_use() {
        let (marks, other) = (Marks::new("fog"), Marks::new("fog"));
        let here = Whereabouts::default();
        for doing in Doing::ALL {
            let stay = here.watch(|| {
                let _noted = note(&marks, doing);
                here.now().unwrap()
            });
            let (plugin, doing) = ("fog".to_owned(), doing.words().to_owned());
            assert_eq!(
                stay.give_up(),
                Some(FeatureError::Overran { plugin, doing })
            );
        }
        assert!(
            matches!(marks.poison(), Some(Poison::Overran(doing)) if *doing == "making an instance")
        );
        assert!(other.poison().is_none());
    }

    #[test]
    fn an_instance_that_is_gone_is_not_given_up() {
        let here = Whereabouts::default();
        let marks = Marks::new("fog");
        let stay = here.watch(|| {
            let _noted = note(&marks, Doing::Prepare);
            here.now().unwrap()
        });
        drop(marks);
        assert_eq!(stay.give_up(), None);
    }
}
