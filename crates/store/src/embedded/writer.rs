//! The thread that writes. Whatever waits to be written goes into one transaction, so that a disk that
//! takes its time to confirm is asked once for all.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::failed::Failed;
use super::shared::Shared;
use super::tables::Tables;
use crate::error::StoreError;

/// How many may wait to be written; more wait to be let in.
const WAITING: usize = 1024;
/// How many are written at once.
const AT_ONCE: usize = 256;
/// How many bytes are written at once, if it is not one thing alone that has more.
const BYTES_AT_ONCE: usize = 16 << 20;

/// Where to send what is to be written.
pub(super) type Sender = mpsc::Sender<Box<dyn Work>>;

/// Something to be written, and whoever waits for it.
pub(super) trait Work: Send {
    /// About how many bytes it writes.
    fn bytes(&self) -> usize;
    /// Whether nobody waits for it any more.
    fn is_given_up(&self) -> bool;
    /// Does it. It may be done again where it was not committed.
    fn run(&mut self, tables: &mut Tables<'_>) -> Result<(), Failed>;
    /// Tells whoever waits, now that it is on the disk or is not.
    fn tell(self: Box<Self>, committed: Result<(), StoreError>);
}

/// Some work of a closure.
pub(super) struct Asked<T, F> {
    pub(super) bytes: usize,
    pub(super) work: F,
    pub(super) outcome: Option<Result<T, StoreError>>,
    pub(super) waits: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Work for Asked<T, F>
where
    T: Send,
    F: Fn(&mut Tables<'_>) -> Result<Result<T, StoreError>, Failed> + Send,
{
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn is_given_up(&self) -> bool {
        self.waits.is_closed()
    }

    fn run(&mut self, tables: &mut Tables<'_>) -> Result<(), Failed> {
        self.outcome = Some((self.work)(tables)?);
        Ok(())
    }

    fn tell(self: Box<Self>, committed: Result<(), StoreError>) {
        let outcome = match (committed, self.outcome) {
            (Ok(()), Some(outcome)) => outcome,
            (Err(error), _) => Err(error),
            // It was not done, so nobody can say that it was.
            (Ok(()), None) => return,
        };
        // Whoever waited may have given up.
        let _ = self.waits.send(outcome);
    }
}

/// Starts the thread. It ends, and the file is closed, when nobody can send it anything any more.
pub(super) fn start(shared: Arc<Shared>) -> std::io::Result<(Sender, std::thread::JoinHandle<()>)> {
    let (send, receive) = mpsc::channel(WAITING);
    let run = move || write(&shared, receive);
    let thread = std::thread::Builder::new()
        .name("store".into())
        .spawn(run)?;
    Ok((send, thread))
}

fn write(shared: &Shared, mut waiting: mpsc::Receiver<Box<dyn Work>>) {
    while let Some(first) = waiting.blocking_recv() {
        let mut bytes = first.bytes();
        let mut batch = vec![first];
        while batch.len() < AT_ONCE && bytes < BYTES_AT_ONCE {
            let Ok(next) = waiting.try_recv() else {
                break;
            };
            bytes += next.bytes();
            batch.push(next);
        }
        batch.retain(|work| !work.is_given_up());
        if !batch.is_empty() {
            write_batch(shared, batch, bytes);
        }
    }
}

fn write_batch(shared: &Shared, mut batch: Vec<Box<dyn Work>>, bytes: usize) {
    let mut all = |tables: &mut Tables<'_>| batch.iter_mut().try_for_each(|work| work.run(tables));
    let ready = shared.make_ready(bytes);
    let committed = ready.and_then(|()| shared.write(&mut all));
    for work in batch {
        work.tell(committed.clone());
    }
}
