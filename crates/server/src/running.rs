//! What keeps a service running, and brings it down: the parts that go on in the background, signals,
//! and the supervisor that started it.

mod background;
mod reloads;
mod signals;
mod systemd;

pub(crate) use background::Background;
pub use reloads::Reloads;
pub(crate) use signals::Signals;
pub(crate) use systemd::Supervisor;

/// How far a service is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Plugins and rulesets are being loaded.
    Loading,
    /// It serves.
    Serving,
    /// It is there, and does not serve: a ruleset is refused, or too many threads are lost.
    NotServing,
}
