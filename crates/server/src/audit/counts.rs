//! How it goes with an audit log.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How it goes with an audit log.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Whether the last line could not be written.
    pub(super) failing: AtomicBool,
    /// Whether its file could not be opened anew.
    pub(super) stale: AtomicBool,
    lost: AtomicU64,
    left_out: AtomicU64,
}

impl Counts {
    /// A line is lost: it should be in the log, and never will be. The first is told in the other log; how
    /// many more there are, the metrics say.
    pub(super) fn lose(&self, why: &str) {
        if self.lost.fetch_add(1, Ordering::Relaxed) == 0 {
            tracing::error!("{why}, and a line of it was lost");
        }
    }

    /// A refusal is left out: there were too many.
    pub(super) fn leave_out(&self) {
        self.left_out.fetch_add(1, Ordering::Relaxed);
    }

    /// How many lines were lost.
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// How many refusals were left out.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }
}
