//! Watching a game, over connections that may be lost.

use std::time::{Duration, Instant};

use alamein_proto::v1;
use tonic::{Code, Request, Status, Streaming};

use crate::client::Client;
use crate::error::{Error, RemoteError};
use crate::trace;

/// A watch on a game, as [`Client::watch_game`] gives it: its entries, each once, in order and without
/// gaps, whatever becomes of the connection.
#[derive(Debug)]
pub struct GameWatch {
    client: Client,
    /// The next request: it says which entry came last.
    request: v1::WatchGameRequest,
    stream: Option<Open>,
    patience: Duration,
    /// Since when nothing has come of it, and how often it was tried.
    trouble: Option<(Instant, u32)>,
    /// The id of the last entry that came; empty before the first.
    newest: String,
}

#[derive(Debug)]
struct Open {
    since: Instant,
    stream: Streaming<v1::WatchGameResponse>,
}

impl GameWatch {
    pub(super) fn new(client: Client, id: &str, after: u64, as_side: Option<&str>) -> Self {
        Self {
            request: v1::WatchGameRequest {
                game_id: id.to_owned(),
                after_number: after,
                as_side: as_side.unwrap_or_default().to_owned(),
            },
            stream: None,
            patience: client.settings().deadline,
            trouble: None,
            newest: String::new(),
            client,
        }
    }

    /// The same watch, which bears with a server that is not there for so long. Without this it is the
    /// deadline of calls.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The number of the last entry that came: where another watch would go on.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.request.after_number
    }

    /// Waits for the next entry, and connects again where the connection was lost. It may be dropped while it
    /// waits, and no entry is lost.
    ///
    /// # Errors
    /// Where the game is not there or was deleted (`GAME_NOT_FOUND`), has no such entry
    /// (`ENTRY_NOT_FOUND`), another game has its name by now, or the server stays away for longer than is borne with. It can be asked again
    /// all the same.
    pub async fn next(&mut self) -> Result<v1::GameEntry, Error> {
        loop {
            let broken = match &mut self.stream {
                None => match self.open().await {
                    Ok(()) => continue,
                    Err(error) => error,
                },
                Some(open) => match open.stream.message().await {
                    Ok(Some(answer)) => return self.entry(answer),
                    Ok(None) => Status::unavailable("the server ended the stream").into(),
                    Err(status) => status.into(),
                },
            };
            self.wait(broken).await?;
        }
    }

    async fn open(&mut self) -> Result<(), Error> {
        let mut request = Request::new(self.request.clone());
        trace::join(request.metadata_mut());
        let deadline = self.client.settings().deadline;
        let mut stub = self.client.games();
        // The stream itself may stay open for as long as anybody likes.
        let opened = tokio::time::timeout(deadline, stub.watch_game(request)).await;
        let stream = opened.map_err(|_| Error::Deadline(deadline))??.into_inner();
        self.stream = Some(Open {
            since: Instant::now(),
            stream,
        });
        Ok(())
    }

    fn entry(&mut self, answer: v1::WatchGameResponse) -> Result<v1::GameEntry, Error> {
        let entry = answer.entry;
        let entry = entry.ok_or_else(|| Error::Answer("no entry in it".into()))?;
        let (last, number) = (self.last(), entry.number);
        if number != last + 1 {
            self.stream = None;
            let what = format!("entry {number} after entry {last}");
            return Err(Error::Answer(what));
        }
        // Entries are chained by their ids: a game that was begun anew under the name goes on with another.
        if !self.newest.is_empty() && !entry.parent_id.is_empty() && entry.parent_id != self.newest
        {
            self.stream = None;
            let what = format!(
                "entry {number} does not follow entry {last}: there is another game of this name now"
            );
            return Err(Error::Answer(what));
        }
        self.newest.clone_from(&entry.entry_id);
        self.request.after_number = number;
        self.trouble = None;
        Ok(entry)
    }

    /// Waits a little before it is tried again, unless that is of no use.
    async fn wait(&mut self, broken: Error) -> Result<(), Error> {
        let settings = *self.client.settings();
        // One that was there for a while was no failure: connections have an age at which they end.
        let lasted = self.stream.take().map(|open| open.since.elapsed());
        if lasted.is_some_and(|lasted| lasted > settings.longest_wait) {
            self.trouble = None;
        }
        let retry_after = match &broken {
            Error::Remote(error) if may_pass(error) => error.retry_after,
            Error::Deadline(_) => None,
            _ => return Err(broken),
        };
        let (since, tries) = self.trouble.get_or_insert((Instant::now(), 0));
        *tries += 1;
        let wait = settings.pause(*tries, retry_after);
        if since.elapsed() + wait > self.patience {
            self.trouble = None;
            return Err(broken);
        }
        tokio::time::sleep(wait).await;
        Ok(())
    }
}

/// Whether a watch that broke off so may go on a little later. What the service does not say itself is said
/// by something on the way to it.
fn may_pass(error: &RemoteError) -> bool {
    let of_the_way = matches!(
        error.code,
        Code::Cancelled | Code::DeadlineExceeded | Code::Aborted
    );
    error.is_transient() || (!error.of_service && of_the_way)
}
