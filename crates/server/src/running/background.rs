//! The parts of a service that go on in the background. None of them is gone in silence.

use std::future::Future;
use std::sync::{Arc, OnceLock};

use futures::FutureExt as _;
use tokio_util::sync::CancellationToken;

/// Parts that go on in the background. Clones are of the same service.
///
/// One that ends when it should not, in a panic or otherwise, is told in the log, and then the service
/// stops in order, so that whoever supervises it starts it anew: without that part it would only seem
/// to be well.
#[derive(Clone, Debug, Default)]
pub(crate) struct Background(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// The first that failed.
    failed: OnceLock<String>,
    one_failed: CancellationToken,
}

impl Background {
    /// Starts a part that may come to an end.
    pub(crate) fn spawn(
        &self,
        name: &'static str,
        part: impl Future<Output = ()> + Send + 'static,
    ) {
        let parts = self.clone();
        tokio::spawn(async move {
            let ended = std::panic::AssertUnwindSafe(part).catch_unwind().await;
            if let Err(payload) = ended {
                parts.fail(name, &words(&*payload));
                // Dropping what a panic carries may panic in its turn.
                std::mem::forget(payload);
            }
        });
    }

    /// Starts a part that goes on as long as the service does.
    pub(crate) fn spawn_endless(
        &self,
        name: &'static str,
        part: impl Future<Output = ()> + Send + 'static,
    ) {
        let parts = self.clone();
        self.spawn(name, async move {
            part.await;
            parts.fail(name, "it came to an end");
        });
    }

    /// Does the work of a part that is a thread.
    pub(crate) fn on_thread(&self, name: &'static str, work: impl FnOnce()) {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        if let Err(payload) = done {
            self.fail(name, &words(&*payload));
            std::mem::forget(payload);
        }
    }

    /// A part has failed.
    pub(crate) fn fail(&self, name: &'static str, why: &str) {
        tracing::error!(
            part = name,
            "a part of the service has failed: {why}; stopping, so that it can be started anew"
        );
        // The first counts.
        let _ = self.0.failed.set(name.to_owned());
        self.0.one_failed.cancel();
    }

    /// Which part failed first, if any did.
    pub(crate) fn failed(&self) -> Option<String> {
        self.0.failed.get().cloned()
    }

    /// Waits until one has failed.
    pub(crate) async fn failure(&self) {
        self.0.one_failed.cancelled().await;
    }
}

fn words(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.map_or("it panicked".into(), |text| format!("it panicked: {text}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn failed(parts: &Background) -> Option<String> {
        let waited = tokio::time::timeout(Duration::from_secs(30), parts.failure()).await;
        waited.unwrap();
        parts.failed()
    }

    #[tokio::test]
    async fn a_part_that_panics_is_noticed() {
        let parts = Background::default();
        parts.spawn("well", async {});
        parts.spawn("bad", async { panic!("no more") });
        assert_eq!(failed(&parts).await.as_deref(), Some("bad"));
    }

    #[tokio::test]
    async fn a_part_without_an_end_that_ends_is_noticed() {
        let parts = Background::default();
        parts.spawn_endless("listener", async {});
        assert_eq!(failed(&parts).await.as_deref(), Some("listener"));
    }

    #[tokio::test]
    async fn a_thread_that_panics_is_noticed() {
        let parts = Background::default();
        let of = parts.clone();
        std::thread::spawn(move || of.on_thread("watch", || panic!("gone")));
        assert_eq!(failed(&parts).await.as_deref(), Some("watch"));
    }
}
