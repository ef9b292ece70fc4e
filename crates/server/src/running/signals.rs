//! Signals: this is the one place where they are heard.

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{Background, Reloads, Supervisor};
use crate::transport::Control;

/// Stops the servers in order on SIGINT, SIGTERM, or when a part has failed; and at once on a second
/// signal.
pub(crate) fn hear_stop(controls: Vec<Control>, parts: &Background, supervisor: Supervisor) {
    let (mut interrupt, mut terminate) = (
        Hearing::of(SignalKind::interrupt()),
        Hearing::of(SignalKind::terminate()),
    );
    let failing = parts.clone();
    parts.spawn("signals", async move {
        tokio::select! {
            () = interrupt.heard() => {}
            () = terminate.heard() => {}
            () = failing.failure() => {}
        }
        // First what must be done: a log that nobody reads any more must not keep it from being done.
        controls.iter().for_each(Control::shutdown);
        supervisor.stopping();
        tracing::info!("asked to stop; once more stops at once");
        tokio::select! {
            () = interrupt.heard() => {}
            () = terminate.heard() => {}
        }
        controls.iter().for_each(Control::abort);
    });
}

/// Reads anew what can be, on SIGHUP.
pub(crate) fn hear_hangups(reloads: Reloads, parts: &Background, supervisor: Supervisor) {
    let mut hangup = Hearing::of(SignalKind::hangup());
    parts.spawn("reloading", async move {
        loop {
            hangup.heard().await;
            supervisor.reloading();
            let reloads = reloads.clone();
            // Each hook's panic is caught.
            let done = tokio::task::spawn_blocking(move || reloads.run()).await;
            supervisor.reloaded(done.unwrap_or(false));
        }
    });
}

/// A signal that is heard from the moment this is made.
struct Hearing(Option<Signal>);

impl Hearing {
    fn of(kind: SignalKind) -> Self {
        match signal(kind) {
            Ok(signal) => Self(Some(signal)),
            Err(error) => {
                tracing::warn!(
                    signal = kind.as_raw_value(),
                    "a signal cannot be heard: {error}"
                );
                Self(None)
            }
        }
    }

    async fn heard(&mut self) {
        if let Some(signal) = &mut self.0
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending().await
    }
}
