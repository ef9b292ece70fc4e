//! Signals: this is the one place where they are heard.

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{Background, Reloads, Supervisor};
use crate::transport::Control;

/// The signals to a service. From the moment this is made none ends the process, and what comes before
/// somebody heeds them is heard then.
pub(crate) struct Signals {
    interrupt: Hearing,
    terminate: Hearing,
    hangup: Hearing,
    /// A file that may not become larger: whoever writes is told so by an error, which is handled there.
    _too_large: Hearing,
}

impl Signals {
    pub(crate) fn hear() -> Self {
        Self {
            interrupt: Hearing::of(SignalKind::interrupt()),
            terminate: Hearing::of(SignalKind::terminate()),
            hangup: Hearing::of(SignalKind::hangup()),
            _too_large: Hearing::of(SignalKind::from_raw(libc::SIGXFSZ)),
        }
    }

    /// Does what they ask for, from now on.
    pub(crate) fn heed(
        self,
        controls: Vec<Control>,
        reloads: Reloads,
        parts: &Background,
        supervisor: Supervisor,
    ) {
        let stop = (self.interrupt, self.terminate);
        heed_stop(stop, controls, parts, supervisor);
        heed_hangups(self.hangup, reloads, parts, supervisor);
    }
}

/// Stops the servers in order on SIGINT, SIGTERM, or when a part has failed; and at once on a second
/// signal.
fn heed_stop(
    (mut interrupt, mut terminate): (Hearing, Hearing),
    controls: Vec<Control>,
    parts: &Background,
    supervisor: Supervisor,
) {
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
fn heed_hangups(mut hangup: Hearing, reloads: Reloads, parts: &Background, supervisor: Supervisor) {
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
