//! What a supervisor that speaks systemd's protocol is told: `Type=notify-reload`, `WatchdogSec=`.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use super::{Background, Readiness};
use crate::transport::{Control, Pulse};

/// Tells the supervisor how the service is. Where there is none, `NOTIFY_SOCKET` is not set, and
/// nothing is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Supervisor;

impl Supervisor {
    /// Tells how far the service is, until the process ends.
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
    }

    /// Tells that the service lives for as long as it accepts connections, or goes down in order, if that is
    /// to be told. Whether it has rules to judge by is another matter: a start mends no ruleset.
    pub(crate) fn show_life(self, control: Control, pulse: Pulse, parts: &Background) {
        if let Some(limit) = sd_notify::watchdog_enabled() {
            let tell = move || self.tell(&[NotifyState::Watchdog]);
            parts.spawn("watchdog", show_life(limit / 3, control, pulse, tell));
        }
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

async fn show_life(often: Duration, control: Control, pulse: Pulse, tell: impl Fn()) {
    let mut often = tokio::time::interval(often);
    often.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        often.tick().await;
        tokio::select! {
            () = pulse.felt() => {}
            () = control.stopping() => {}
        }
        tell();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Instant;

    use super::*;
    use crate::transport::{ServerBuilder, ServerConfig};

    const OFTEN: Duration = Duration::from_millis(10);

    /// Waits until something was told so often.
    async fn until(told: &AtomicU32, times: u32) {
        let start = Instant::now();
        while told.load(Ordering::Relaxed) < times {
            assert!(start.elapsed() < Duration::from_secs(60), "nothing is told");
            tokio::time::sleep(OFTEN).await;
        }
    }

    #[tokio::test]
    async fn life_is_shown_while_connections_are_accepted_or_it_goes_down() {
        let config = ServerConfig {
            listen: "127.0.0.1:0".parse().unwrap(),
            lame_duck: Duration::from_secs(60),
            ..ServerConfig::default()
        };
        let server = ServerBuilder::new(config).bind().await.unwrap();
        let (control, pulse) = (server.control(), server.pulse());
        let told = Arc::new(AtomicU32::new(0));
        let telling = Arc::clone(&told);
        let tell = move || {
            telling.fetch_add(1, Ordering::Relaxed);
        };
        let life = tokio::spawn(show_life(OFTEN, control.clone(), pulse, tell));
        // The runtime turns, and yet nobody accepts.
        tokio::time::sleep(OFTEN * 20).await;
        assert_eq!(told.load(Ordering::Relaxed), 0);
        let serving = tokio::spawn(server.serve());
        until(&told, 3).await;
        control.shutdown();
        let before = told.load(Ordering::Relaxed);
        until(&told, before + 3).await;
        serving.abort();
        life.abort();
    }

    #[tokio::test]
    async fn a_server_that_is_gone_shows_no_life() {
        let config = ServerConfig {
            listen: "127.0.0.1:0".parse().unwrap(),
            ..ServerConfig::default()
        };
        let server = ServerBuilder::new(config).bind().await.unwrap();
        let pulse = server.pulse();
        drop(server);
        let felt = tokio::time::timeout(OFTEN * 10, pulse.felt()).await;
        assert!(felt.is_err());
    }
}
