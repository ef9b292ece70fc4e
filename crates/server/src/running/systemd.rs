//! What a supervisor that speaks systemd's protocol is told: `Type=notify-reload`, `WatchdogSec=`.

use sd_notify::NotifyState;
use tokio::sync::watch;

use super::{Background, Readiness};

/// Tells the supervisor how the service is. Where there is none, `NOTIFY_SOCKET` is not set, and
/// nothing is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Supervisor;

impl Supervisor {
    /// Tells how far the service is, and that it lives, until the process ends.
    ///
    /// It counts as started once all that it starts with is loaded, or refused: then it answers, if
    /// only with what was refused, and its plugins can be administered.
    pub(crate) fn follow(self, mut readiness: watch::Receiver<Readiness>, parts: &Background) {
        parts.spawn("readiness", async move {
            loop {
                match *readiness.borrow_and_update() {
                    Readiness::Loading => self.tell(&[NotifyState::Status("loading the rules")]),
                    Readiness::Serving => {
                        self.tell(&[NotifyState::Ready, NotifyState::Status("serving")]);
                    }
                    Readiness::NotServing => self.tell(&[
                        NotifyState::Ready,
                        NotifyState::Status("not serving; the log says why"),
                    ]),
                }
                if readiness.changed().await.is_err() {
                    return;
                }
            }
        });
        let Some(limit) = sd_notify::watchdog_enabled() else {
            return;
        };
        parts.spawn("watchdog", async move {
            let mut often = tokio::time::interval(limit / 2);
            loop {
                often.tick().await;
                self.tell(&[NotifyState::Watchdog]);
            }
        });
    }

    pub(crate) fn stopping(self) {
        self.tell(&[NotifyState::Stopping, NotifyState::Status("stopping")]);
    }

    pub(crate) fn reloading(self) {
        match NotifyState::monotonic_usec_now() {
            Ok(now) => self.tell(&[NotifyState::Reloading, now]),
            Err(error) => tracing::debug!("no monotonic clock: {error}"),
        }
    }

    pub(crate) fn reloaded(self, well: bool) {
        let status = match well {
            true => "reloaded",
            false => "not all was reloaded; the log says why",
        };
        self.tell(&[NotifyState::Ready, NotifyState::Status(status)]);
    }

    fn tell(self, states: &[NotifyState<'_>]) {
        if let Err(error) = sd_notify::notify(states) {
            tracing::debug!("the supervisor cannot be told: {error}");
        }
    }
}
