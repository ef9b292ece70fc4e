//! Threads on which is waited for others.

use anyhow::{Context as _, Result};
use tokio::runtime::{Builder, Runtime};

/// So many threads; as many as the machine has cores if it is not said.
pub(crate) fn threads(count: Option<usize>) -> Result<Runtime> {
    let mut threads = Builder::new_multi_thread();
    if let Some(count) = count {
        threads.worker_threads(count);
    }
    let runtime = threads.enable_all().build();
    runtime.context("no threads to wait on")
}
