//! Calling a plugin under conditions that a host does not meet every day.
//!
//! A conformance kit must see what a host never shows: whether a plugin stops when its sink is full,
//! whether it looks at the clock, whether it reads what it was lent after the call, what `destroy`
//! and `release` answer. A [`Trial`] makes the calls that a [`NativeFeature`](crate::NativeFeature)
//! makes, through the same table and with the same checks of what is said, but under [`Conditions`],
//! and tells of each call what came of it ([`Tried`]).
//!
//! Whoever tries a plugin that may end the process does so in a process of its own.

mod calls;
mod heap;
mod lent;
mod watch;

use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use alamein_plugin_abi::{self as abi, Bytes, Status};
use alamein_terrain::{Budget, FeatureError};

use crate::call::Failure;
use crate::feature::Instance;
use crate::plugin::NativePlugin;
use crate::texts::Texts;
use crate::vocabulary::{KindMap, Vocabulary};
use crate::watch::Marks;

pub use calls::{Asked, TrialMap};
pub use heap::{heap_in_use, thread_count};

use lent::Lent;
use watch::Watch;

/// What a call is made under.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// What is lent cannot be read any more once the call is over: whoever does so ends the process
    /// with a segmentation fault.
    pub guarded: bool,
    /// The sink takes so many pushes and no more.
    pub pushes: Option<usize>,
    /// The time for the call is up from the beginning.
    pub out_of_time: bool,
}

/// What came of a call.
#[derive(Debug)]
pub struct Tried<T> {
    /// What a host would have had of it.
    pub outcome: Result<T, FeatureError>,
    /// The status that the plugin answered.
    pub status: Status,
    /// How often the plugin looked at the clock.
    pub looks: u32,
    /// How long it took.
    pub took: Duration,
    /// How often the sink had said that it was full.
    pub full: u32,
}

/// A plugin on trial.
#[derive(Debug)]
pub struct Trial {
    plugin: NativePlugin,
    watch: &'static Watch,
    /// What was lent under guard. It stays out of reach for as long as the trial lasts, so that
    /// nothing else comes to lie there.
    kept: Arc<Mutex<Vec<Lent>>>,
}

/// An instance on trial.
#[derive(Debug)]
pub struct TrialInstance {
    inner: Arc<Tested>,
}

#[derive(Debug)]
struct Tested {
    instance: Instance,
    watch: &'static Watch,
    kept: Arc<Mutex<Vec<Lent>>>,
}

impl Trial {
    /// Puts a plugin on trial. A few bytes of each trial are never freed: a thread that the plugin
    /// should not have started may still call on them.
    #[must_use]
    pub fn of(plugin: &NativePlugin) -> Self {
        Self {
            plugin: plugin.clone(),
            watch: Watch::leak(),
            kept: Arc::default(),
        }
    }

    /// How often the plugin has called the host's services from outside of any call.
    #[must_use]
    pub fn stray_calls(&self) -> u32 {
        self.watch.strays()
    }

    /// Makes an instance.
    pub fn create(
        &self,
        options: &serde_json::Value,
        vocabulary: &Vocabulary,
        index: u16,
        under: Conditions,
    ) -> Tried<TrialInstance> {
        let kinds = match KindMap::new(&self.plugin, vocabulary) {
            Ok(kinds) => kinds,
            Err(error) => {
                let plugin = self.plugin.id().to_owned();
                let message = error.to_string();
                return Tried::not_called(FeatureError::Failed { plugin, message });
            }
        };
        let options = options.to_string();
        let bytes = Bytes {
            ptr: options.as_ptr(),
            len: options.len(),
        };
        let mut made = ptr::null_mut();
        let create = self.plugin.table().create;
        let marks = Marks::new(self.plugin.id());
        let texts = Texts::of_errors(&marks);
        let call = Called::make(self.watch, &self.kept, under, |lent| {
            let bytes = lent.map_or(bytes, |lent| lent.text(bytes));
            let host = self.watch.host();
            // SAFETY: all arguments live as long as the call, the host's services for ever.
            texts.lent(|sink| unsafe { create(host, bytes, &mut made, sink) })
        });
        let failed = Failure::of(call.status, &mut texts.taken(), None, under.budget());
        let outcome = failed.map_err(|failure| failure.of_feature(self.plugin.id()));
        call.tried(outcome.map(|()| TrialInstance {
            inner: Arc::new(Tested {
                instance: Instance::made_of(&self.plugin, kinds, index, made, marks),
                watch: self.watch,
                kept: Arc::clone(&self.kept),
            }),
        }))
    }
}

impl TrialInstance {
    /// Ends the instance. Nothing that was made of it may be left.
    pub fn destroy(self) -> Tried<()> {
        match Arc::try_unwrap(self.inner) {
            Ok(tested) => tested.destroy(),
            Err(tested) => {
                let plugin = tested.instance.plugin.id().to_owned();
                let message = "it is still in use".to_owned();
                Tried::not_called(FeatureError::Failed { plugin, message })
            }
        }
    }
}

impl Tested {
    fn destroy(&self) -> Tried<()> {
        let destroy = self.instance.plugin.table().destroy;
        let call = Called::make(self.watch, &self.kept, Conditions::default(), |_| {
            // SAFETY: `create` made it, and this is the last use of it: it is set aside now.
            unsafe { destroy(self.instance.made()) }
        });
        self.instance.set_aside("it was destroyed");
        self.last(call, "destroy")
    }

    /// What a last call came to, which has nowhere to write an error to.
    fn last(&self, call: Called, name: &str) -> Tried<()> {
        let mut nothing = Texts::of_errors(&self.instance.marks).taken();
        let outcome = Failure::of(call.status, &mut nothing, None, Budget::default());
        let outcome = outcome.map_err(|failure| match failure {
            Failure::Panicked(_) => Failure::Panicked(format!("in {name}")),
            Failure::Failed(_) => Failure::Failed(format!("{name} failed")),
            other => other,
        });
        call.tried(self.outcome(outcome))
    }

    /// What a host would have had. What panicked is not called again, not even to end it.
    fn outcome<T>(&self, outcome: Result<T, Failure>) -> Result<T, FeatureError> {
        outcome.map_err(|failure| self.instance.failed(failure))
    }
}

/// What nobody has ended is ended here, in this thread.
impl Drop for Tested {
    fn drop(&mut self) {
        if !self.instance.is_poisoned() {
            self.destroy();
        }
    }
}

impl Conditions {
    fn budget(self) -> Budget {
        Budget {
            deadline: self.out_of_time.then(Instant::now),
        }
    }
}

/// A call that was made, of which nothing but this is known.
struct Called {
    status: Status,
    looks: u32,
    took: Duration,
    full: u32,
}

impl Called {
    /// Makes a call. What it lends is copied where it can be guarded, if that is wanted.
    fn make(
        watch: &'static Watch,
        kept: &Mutex<Vec<Lent>>,
        under: Conditions,
        call: impl FnOnce(Option<&mut Lent>) -> Status,
    ) -> Self {
        let mut lent = under.guarded.then(Lent::default);
        let before = watch.begin(under.out_of_time);
        let start = Instant::now();
        let status = call(lent.as_mut());
        let took = start.elapsed();
        let looks = watch.end(before);
        if let Some(mut lent) = lent {
            lent.take_back();
            kept.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(lent);
        }
        Self {
            status,
            looks,
            took,
            full: 0,
        }
    }

    fn tried<T>(self, outcome: Result<T, FeatureError>) -> Tried<T> {
        Tried {
            outcome,
            status: self.status,
            looks: self.looks,
            took: self.took,
            full: self.full,
        }
    }
}

impl<T> Tried<T> {
    fn not_called(error: FeatureError) -> Self {
        Self {
            outcome: Err(error),
            status: abi::FAILED,
            looks: 0,
            took: Duration::ZERO,
            full: 0,
        }
    }
}
