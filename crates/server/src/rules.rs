//! What a server judges by: rulesets, each request's found once, and what was refused.

mod faults;
mod refused;
mod startup;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use alamein_cases::{Known, Settings};
use alamein_engine::{Engine, Ruleset};
use alamein_proto::encode::RuleBook;
use alamein_proto::v1::ErrorReason;
use alamein_rulesets::{InFlight, Registry, Revision, RulesetSpec};
use lru::LruCache;
use tokio::sync::watch;
use tonic::Response;
use tonic::metadata::{Ascii, MetadataValue};

use crate::fault::Fault;
use crate::maps::aside;

pub(crate) use faults::{Doing, elsewhere, of_registry, option_path};
pub use refused::Refused;
pub use startup::RulesSource;
use startup::Usual;

/// The ruleset that is meant where none is named.
pub(crate) const DEFAULT: &str = "default";

/// Of how many revisions it is kept ready what their manifests say.
const READY: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");

/// The rules of a server. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Rules(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// There once the server has begun to load.
    registry: OnceLock<Registry>,
    /// Set once everything that it starts with is loaded, or refused.
    loaded: OnceLock<()>,
    /// The rulesets that could not be made, by name.
    refused: RwLock<BTreeMap<String, Arc<Refused>>>,
    /// Of what the usual ruleset is made, where no file says so.
    usual: OnceLock<Mutex<Usual>>,
    /// Whether none is.
    whole: watch::Sender<bool>,
    /// Goes on whenever names may have come to mean something new.
    changed: watch::Sender<u64>,
    /// By the number of the revision.
    ready: Mutex<LruCache<u64, Arc<Ready>>>,
    /// Held by the request whose turn it is to change something.
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            registry: OnceLock::new(),
            loaded: OnceLock::new(),
            refused: RwLock::default(),
            usual: OnceLock::new(),
            whole: watch::Sender::new(true),
            changed: watch::Sender::new(0),
            ready: Mutex::new(LruCache::new(READY)),
            turn: Arc::default(),
        }
    }
}

/// A revision that can be judged by, and what is needed to speak of it.
#[derive(Debug)]
pub struct Ready {
    /// The revision.
    pub revision: Arc<Revision>,
    /// What judges by it.
    pub engine: Engine,
    /// What the manifests say of the rules.
    pub book: RuleBook,
    /// What the manifests say of case files.
    pub known: Known,
    /// What the ruleset sets that differs from what is usual.
    pub settings: Settings,
    /// The fingerprint as headers bear it.
    header: Option<MetadataValue<Ascii>>,
}

impl Ready {
    fn of(registry: &Registry, revision: &Arc<Revision>) -> Self {
        let ruleset = revision.ruleset();
        let members = ruleset.members();
        let manifests = || members.iter().map(|member| member.manifest());
        let options = members
            .iter()
            .map(|member| (member.manifest(), &member.options));
        Self {
            revision: Arc::clone(revision),
            header: revision.fingerprint().to_string().parse().ok(),
            book: RuleBook::new(manifests()),
            known: Known::of(manifests()),
            settings: Settings::differing(ruleset.policy(), options),
            engine: registry.threads().engine(Arc::clone(&ruleset)),
        }
    }
}

/// The rules by which a request is judged, from its beginning to its end. As long as this lives, the
/// request counts among the calls of these rules' plugins.
#[derive(Debug)]
pub struct InForce {
    ready: Arc<Ready>,
    /// Which of the service's own revisions it is; 0 if it is none.
    number: u64,
    _in_flight: InFlight,
}

impl InForce {
    /// What judges, and what is needed to speak of it.
    #[must_use]
    pub fn ready(&self) -> &Arc<Ready> {
        &self.ready
    }

    /// The rules.
    #[must_use]
    pub fn ruleset(&self) -> Arc<Ruleset> {
        self.ready.revision.ruleset()
    }

    /// The fingerprint of the rules.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        self.ready.revision.fingerprint().to_string()
    }

    /// An answer that bears, in its headers, by which rules it was given.
    pub(crate) fn answer<T>(&self, message: T) -> Response<T> {
        let mut response = Response::new(message);
        let headers = response.metadata_mut();
        if let Some(fingerprint) = &self.ready.header {
            headers.insert("alamein-rules", fingerprint.clone());
        }
        headers.insert("alamein-generation", MetadataValue::from(self.number));
        response
    }
}

/// What a name of the service's own meant.
#[derive(Clone, Debug)]
pub(crate) struct Same {
    name: String,
    /// The revision.
    revision: u64,
    /// Which of the service's own it was.
    number: u64,
}

/// By which rules a request wants to be judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct By<'a> {
    /// The name, a tag or the fingerprint of a ruleset; empty for the usual one.
    pub(crate) ruleset: &'a str,
    /// The fingerprint that the rules must have; empty if any will do.
    pub(crate) fingerprint: &'a str,
    /// The field that names the ruleset.
    pub(crate) field: &'static str,
}

impl<'a> By<'a> {
    /// By the ruleset that the field `ruleset` names.
    pub(crate) fn named(ruleset: &'a str) -> Self {
        Self::field(ruleset, "ruleset")
    }

    /// What is asked for, and the field that names it.
    pub(crate) fn asked(&self) -> (&'a str, &'static str) {
        match (self.ruleset, self.fingerprint) {
            ("", fingerprint) if !fingerprint.is_empty() => (fingerprint, "rules_fingerprint"),
            (ruleset, _) => (ruleset, self.field),
        }
    }

    /// By the ruleset that a field names.
    pub(crate) fn field(ruleset: &'a str, field: &'static str) -> Self {
        Self {
            ruleset,
            fingerprint: "",
            field,
        }
    }
}

impl Rules {
    /// The registry, once everything is loaded that the server starts with.
    ///
    /// # Errors
    /// The fault that answers a request before that.
    pub fn registry(&self) -> Result<&Registry, Fault> {
        let registry = self.0.registry.get().filter(|_| self.is_loaded());
        registry.ok_or_else(|| {
            let text = "the rules are being loaded; try again";
            let fault = Fault::new(ErrorReason::RulesetNotReady, text);
            fault.retry_after(std::time::Duration::from_millis(200))
        })
    }

    /// Whether everything that the server starts with is loaded, or refused.
    #[must_use]
    pub fn is_loaded(&self) -> bool {
        self.0.loaded.get().is_some()
    }

    /// The rules of the service itself that are meant by a name or a fingerprint; by nothing, those
    /// called `default`.
    ///
    /// # Errors
    /// The fault that answers a request where there are none.
    pub fn now(&self, ruleset: &str) -> Result<InForce, Fault> {
        let registry = self.registry()?;
        let revision = registry.resolve(ruleset).map_err(|error| {
            let refused = self.refused(ruleset);
            refused.map_or_else(|| of_registry(&error, Doing::Asking), |it| it.fault())
        })?;
        Ok(self.in_force(registry, &revision))
    }

    /// Why there is no ruleset of a name, where one was to be.
    #[must_use]
    pub fn refused(&self, name: &str) -> Option<Arc<Refused>> {
        let name = if name.is_empty() { DEFAULT } else { name };
        let refused = self.0.refused.read();
        let refused = refused.unwrap_or_else(PoisonError::into_inner);
        refused.get(name).cloned()
    }

    /// A revision in force, for a request that takes it once and keeps it to its end.
    pub(crate) fn in_force(&self, registry: &Registry, revision: &Arc<Revision>) -> InForce {
        InForce {
            _in_flight: revision.enter(),
            number: registry
                .snapshot()
                .named_number(revision.fingerprint())
                .unwrap_or_default(),
            ready: self.make_ready(registry, revision),
        }
    }

    /// What tells later whether a name still means these rules; nothing of a name that is not the service's
    /// own.
    pub(crate) fn same(&self, rules: &InForce, asked: &str) -> Option<Same> {
        let name = if asked.is_empty() { DEFAULT } else { asked };
        let same = Same {
            name: name.to_owned(),
            revision: rules.ready.revision.number(),
            number: rules.number,
        };
        self.are_still(&same).then_some(same)
    }

    /// Whether a name still means what it did, and that can be judged by.
    pub(crate) fn are_still(&self, same: &Same) -> bool {
        let Ok(registry) = self.registry() else {
            return false;
        };
        let now = registry.snapshot();
        now.names().contains_key(&same.name)
            && now.resolve(&same.name).is_ok_and(|revision| {
                let number = now.named_number(revision.fingerprint());
                let now = (revision.number(), number.unwrap_or_default());
                now == (same.revision, same.number) && revision.failure().is_none()
            })
    }

    /// Tells whenever names may have come to mean something new.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.0.changed.subscribe()
    }

    /// Names may have come to mean something new.
    pub(crate) fn note_change(&self) {
        self.0.changed.send_modify(|count| *count += 1);
    }

    fn make_ready(&self, registry: &Registry, revision: &Arc<Revision>) -> Arc<Ready> {
        let kept = || self.0.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let number = revision.number();
        if let Some(ready) = kept().get(&number) {
            return Arc::clone(ready);
        }
        let ready = Arc::new(Ready::of(registry, revision));
        kept().put(number, Arc::clone(&ready));
        ready
    }

    /// Does work that changes the registry, on a thread that may wait, when it is its turn. Whoever
    /// waits takes up no thread, and is gone once its request is.
    pub(crate) async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let turn = Arc::clone(&self.0.turn).lock_owned().await;
        aside(move || {
            let _turn = turn;
            work()
        })
        .await
    }

    /// Whether every ruleset is there that was to be, from now on.
    pub(crate) fn whole(&self) -> watch::Receiver<bool> {
        self.0.whole.subscribe()
    }

    /// A ruleset of this name could be made: what was told against it before holds no longer.
    pub(crate) fn cleared(&self, name: &str) {
        let refused = self.0.refused.write();
        let mut refused = refused.unwrap_or_else(PoisonError::into_inner);
        refused.remove(name);
        self.0.whole.send_replace(refused.is_empty());
    }

    /// Of what the rulesets were to be made that could not be.
    fn lacking(&self) -> Vec<(String, RulesetSpec)> {
        let refused = self.0.refused.read();
        let refused = refused.unwrap_or_else(PoisonError::into_inner);
        let specs = refused.iter();
        let specs = specs.filter_map(|(name, it)| Some((name.clone(), *it.spec.clone()?)));
        specs.collect()
    }

    fn refuse(&self, name: &str, refused: Refused) {
        tracing::error!(ruleset = name, "no rules to judge by: {}", refused.why);
        let all = self.0.refused.write();
        let mut all = all.unwrap_or_else(PoisonError::into_inner);
        all.insert(name.to_owned(), Arc::new(refused));
        self.0.whole.send_replace(false);
    }
}
