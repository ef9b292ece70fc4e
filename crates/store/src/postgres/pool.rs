//! Connections, and how often something is tried.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::{Connection as _, PgConnection};

use super::config::PostgresConfig;
use super::failed::Failed;
use crate::error::StoreError;
use crate::metrics::tried_again;

/// After how long without work a connection is asked whether it is still there.
const IDLE: Duration = Duration::from_secs(1);
/// How long it may take to say so.
const HELLO: Duration = Duration::from_millis(500);
/// How often a server that is to be read alone is looked for anew.
const READ_ALONE: Duration = Duration::from_secs(5);
/// How long a connection is waited for at least.
const LEAST_WAIT: Duration = Duration::from_secs(1);
/// How long the first wait before another try is; each is twice the one before.
const FIRST_WAIT: Duration = Duration::from_millis(25);
/// How long such a wait is at most.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Something that is done on a connection, perhaps several times until it is.
#[async_trait]
pub(super) trait Work: Sync {
    /// What comes of it.
    type Out: Send;

    /// Whether it may take as long as it takes.
    fn is_long(&self) -> bool {
        false
    }

    /// Does it once. `again`: an earlier try may have been done after all, and its answer been lost.
    async fn run(&self, on: &mut PgConnection, again: bool) -> Result<Self::Out, Failed>;
}

/// Connections to a database.
#[derive(Debug)]
pub(super) struct Connections {
    pub(super) pool: PgPool,
    read_alone: Arc<ReadAlone>,
    most: u32,
    statement: Duration,
    patience: Duration,
}

impl Connections {
    pub(super) fn new(config: &PostgresConfig) -> Result<Self, StoreError> {
        let read_alone = Arc::new(ReadAlone::default());
        // Whoever would wait longer for a connection than is tried again is told before.
        let waits = config
            .patience
            .max(LEAST_WAIT)
            .min(config.statement_timeout);
        let options = settings(config.statement_timeout, &read_alone)
            .max_connections(config.most_connections)
            .acquire_timeout(waits);
        Ok(Self {
            pool: options.connect_lazy_with(config.options()?),
            read_alone,
            most: config.most_connections,
            statement: config.statement_timeout,
            patience: config.patience,
        })
    }

    /// How many there may be.
    pub(super) fn most(&self) -> u32 {
        self.most
    }

    /// Does something, and tries again for a while where the database is not well.
    pub(super) async fn run<W: Work>(&self, work: &W) -> Result<W::Out, StoreError> {
        self.run_for(work, self.patience)
            .await
            .map_err(Failed::told)
    }

    /// The same, for this long.
    pub(super) async fn run_for<W: Work>(
        &self,
        work: &W,
        patience: Duration,
    ) -> Result<W::Out, Failed> {
        let (start, mut wait, mut again) = (Instant::now(), FIRST_WAIT, false);
        loop {
            let failed = match self.once(work, &mut again).await {
                Ok(out) => return Ok(out),
                Err(failed) => failed,
            };
            if failed.is_read_alone() && self.read_alone.is_news() {
                tried_again();
                continue;
            }
            let pause = jittered(wait);
            if !failed.is_transient() || start.elapsed() + pause > patience {
                return Err(failed);
            }
            tracing::debug!(?failed, "tried again in {pause:?}");
            tried_again();
            tokio::time::sleep(pause).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    async fn once<W: Work>(&self, work: &W, again: &mut bool) -> Result<W::Out, Failed> {
        let mut held = Held {
            connection: Some(self.pool.acquire().await?),
            fine: false,
        };
        let Some(connection) = held.connection.as_mut() else {
            return Err(sqlx::Error::PoolClosed.into());
        };
        // The database gives up a statement itself; this is for one that is not heard from any more.
        let run = work.run(connection, *again);
        let ran = if work.is_long() {
            run.await
        } else {
            let ran = tokio::time::timeout(self.statement + HELLO, run).await;
            ran.unwrap_or(Err(Failed::TimedOut))
        };
        held.fine = ran.as_ref().err().is_none_or(Failed::leaves_connection);
        *again |= !held.fine;
        ran
    }
}

/// A connection at work. Where the work is dropped or the connection is lost, it is not used again.
struct Held {
    connection: Option<PoolConnection<sqlx::Postgres>>,
    fine: bool,
}

impl Drop for Held {
    fn drop(&mut self) {
        if !self.fine
            && let Some(connection) = self.connection.take()
        {
            // What it was in the midst of is undone when the database sees that it is gone.
            drop(connection.detach());
        }
    }
}

/// Two connections for telling and hearing of moves.
pub(super) fn for_moves(config: &PostgresConfig) -> Result<PgPool, StoreError> {
    let options = settings(config.statement_timeout, &Arc::default()).max_connections(2);
    let options = options.acquire_timeout(config.statement_timeout);
    Ok(options.connect_lazy_with(config.options()?))
}

fn settings(statement: Duration, read_alone: &Arc<ReadAlone>) -> PgPoolOptions {
    let milliseconds = statement.as_millis().to_string();
    let read_alone = Arc::clone(read_alone);
    PgPoolOptions::new()
        .test_before_acquire(false)
        .before_acquire(move |connection, about| {
            let stale = read_alone.is_of_before(about.age);
            Box::pin(async move {
                if stale || about.idle_for < IDLE {
                    return Ok(!stale);
                }
                let hello = tokio::time::timeout(HELLO, connection.ping()).await;
                Ok(hello.is_ok_and(|hello| hello.is_ok()))
            })
        })
        .after_connect(move |connection, _| {
            let milliseconds = milliseconds.clone();
            Box::pin(async move {
                let set = sqlx::query(SET).bind(milliseconds);
                set.execute(connection).await.map(|_| ())
            })
        })
}

/// When a server last said that it is to be read alone. It may have been followed by another since, so that
/// all connections of before are of no use; now and then that is tried.
#[derive(Debug, Default)]
struct ReadAlone(Mutex<Option<Instant>>);

impl ReadAlone {
    /// Notes it now, and tells whether it was not noted of late.
    fn is_news(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let news = last.is_none_or(|last| last.elapsed() > READ_ALONE);
        if news {
            *last = Some(Instant::now());
        }
        news
    }

    /// Whether a connection of this age is from before.
    fn is_of_before(&self, age: Duration) -> bool {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some_and(|last| last.elapsed() < age)
    }
}

/// What every connection is told first. An id is answered when it is on the disk, whatever the database
/// does otherwise.
const SET: &str = "select set_config('statement_timeout', $1, false), \
    set_config('idle_in_transaction_session_timeout', $1, false), \
    case when current_setting('synchronous_commit') = 'off' \
         then set_config('synchronous_commit', 'on', false) end";

/// Between half of a wait and all of it, so that those who failed together do not try again together.
fn jittered(wait: Duration) -> Duration {
    let random = RandomState::new().build_hasher().finish();
    wait / 2 + (wait / 2).mul_f64((random % 1000) as f64 / 1000.0)
}
