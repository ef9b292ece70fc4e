//! What is read anew on SIGHUP.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

type Hook = Arc<dyn Fn() -> Result<String, String> + Send + Sync>;

/// What can be read anew while a service runs: certificates, tokens, the log's filter. Clones are of
/// the same service.
///
/// A hook says in a few words what it did, or what kept it from it. Then it must have left what was in
/// force as it was.
///
/// ```
/// use alamein_server::Reloads;
///
/// let reloads = Reloads::default();
/// reloads.add("tokens", || Ok("3 tokens".into()));
/// reloads.add("certificate", || Err("server.pem: no certificate in PEM".into()));
/// assert!(!reloads.run(), "one went wrong, and the other was done all the same");
/// ```
#[derive(Clone, Default)]
pub struct Reloads {
    hooks: Arc<Mutex<Vec<(String, Hook)>>>,
    counts: Family<Done, Counter>,
}

/// What was read anew, and whether it could be: `ok`, `failed`.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Done {
    what: String,
    outcome: &'static str,
}

impl Reloads {
    /// Adds something that can be read anew. It is called on a thread that may wait.
    pub fn add(
        &self,
        name: impl Into<String>,
        hook: impl Fn() -> Result<String, String> + Send + Sync + 'static,
    ) {
        let mut hooks = self.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        hooks.push((name.into(), Arc::new(hook)));
    }

    /// Puts the counters of what was read anew into a registry.
    pub fn register(&self, registry: &mut Registry) {
        registry.register(
            "reloads",
            "What was read anew on SIGHUP, by what it was and outcome",
            self.counts.clone(),
        );
    }

    fn count(&self, what: &str, outcome: &'static str) {
        let what = what.to_owned();
        self.counts.get_or_create(&Done { what, outcome }).inc();
    }

    /// Reads everything anew, tells in the log what came of each, and says whether all went well.
    pub fn run(&self) -> bool {
        let hooks = self.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        let hooks = hooks.clone();
        if hooks.is_empty() {
            tracing::info!("asked to reload; there is nothing that can be read anew");
        }
        let mut well = true;
        for (what, hook) in hooks {
            let done = catch_unwind(AssertUnwindSafe(|| hook()));
            match done.unwrap_or_else(|_| Err("it panicked".into())) {
                Ok(how) => {
                    self.count(&what, "ok");
                    tracing::info!(what, "reloaded: {how}");
                }
                Err(why) => {
                    self.count(&what, "failed");
                    well = false;
                    tracing::error!(what, "not reloaded, what was in force stays: {why}");
                }
            }
        }
        well
    }
}

impl fmt::Debug for Reloads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hooks = self.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_list()
            .entries(hooks.iter().map(|it| &it.0))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn one_that_goes_wrong_keeps_none_from_being_run() {
        let (reloads, ran) = (Reloads::default(), Arc::new(AtomicU32::new(0)));
        assert!(reloads.run());
        let count = Arc::clone(&ran);
        reloads.add("bad", || Err("no".into()));
        reloads.add("worse", || panic!("not at all"));
        reloads.add("good", move || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok("done".into())
        });
        assert!(!reloads.run());
        assert_eq!(ran.load(Ordering::Relaxed), 1);
        assert_eq!(format!("{reloads:?}"), r#"["bad", "worse", "good"]"#);
    }
}
