//! Watching games: every entry as soon as it is there.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use alamein_games::{GameError, Standing};
use alamein_proto::v1::{self, ErrorReason};
use alamein_store::{RefKind, RefName, Store, Tenant};
use futures::{Stream, stream};
use tokio::sync::{broadcast, watch};
use tonic::Status;

use super::faults::of_game;
use crate::fault::Fault;
use crate::service::Service;
use crate::transport::Drain;

/// How long a game goes unread that is watched and of which nothing is heard: what another process did
/// may have been told when nobody could hear it.
const UNHEARD: Duration = Duration::from_secs(30);
/// When whoever finds that as many watch as may is to come back.
const FULL: Duration = Duration::from_secs(5);
/// How many entries are read at once.
const PAGE: usize = 64;

/// Who watches which game. Clones share it.
///
/// However many watch, the store's moves are heard once, and a game that moved is read by those who watch
/// it and nobody else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watches(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    games: Mutex<HashMap<(Tenant, RefName), watch::Sender<()>>>,
    hearing: OnceLock<()>,
    watching: AtomicUsize,
}

/// A watch on a game. It ends when this is dropped.
#[derive(Debug)]
struct Watching {
    of: Watches,
    game: (Tenant, RefName),
    stirred: watch::Receiver<()>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.of.0.watching.fetch_sub(1, Ordering::Relaxed);
        let mut games = self.of.games();
        // This one is still among those that listen.
        if games
            .get(&self.game)
            .is_some_and(|of| of.receiver_count() <= 1)
        {
            games.remove(&self.game);
        }
    }
}

impl Watches {
    fn games(&self) -> std::sync::MutexGuard<'_, HashMap<(Tenant, RefName), watch::Sender<()>>> {
        self.0.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes those who watch a game.
    pub(crate) fn tell(&self, tenant: &Tenant, game: &Standing) {
        self.wake(&(tenant.clone(), game.at()));
    }

    fn wake(&self, game: &(Tenant, RefName)) {
        if let Some(of) = self.games().get(game) {
            of.send_replace(());
        }
    }

    fn wake_all(&self) {
        for of in self.games().values() {
            of.send_replace(());
        }
    }

    /// Watches a game, unless as many are watched as may be.
    fn watch(
        &self,
        tenant: Tenant,
        at: RefName,
        store: &dyn Store,
        most: usize,
    ) -> Result<Watching, Fault> {
        self.0.hearing.get_or_init(|| {
            tokio::spawn(hear(Arc::downgrade(&self.0), store.moves()));
        });
        let game = (tenant, at);
        let stirred = self.games().entry(game.clone()).or_default().subscribe();
        let before = self.0.watching.fetch_add(1, Ordering::Relaxed);
        let watching = Watching {
            of: self.clone(),
            game,
            stirred,
        };
        if before < most {
            return Ok(watching);
        }
        let text = format!("{most} watch games here, as many as may; try again, or elsewhere");
        Err(Fault::new(ErrorReason::TooManyWatches, text)
            .with("max", most)
            .retry_after(FULL))
    }
}

/// Wakes those who watch what moves, as long as anybody may.
async fn hear(watches: Weak<Shared>, mut moves: broadcast::Receiver<(Tenant, RefName)>) {
    loop {
        let heard = moves.recv().await;
        let Some(watches) = watches.upgrade().map(Watches) else {
            return;
        };
        match heard {
            Ok(moved) if moved.1.kind == RefKind::Game => watches.wake(&moved),
            Ok(_) => {}
            Err(broadcast::error::RecvError::Lagged(_)) => watches.wake_all(),
            Err(broadcast::error::RecvError::Closed) => return,
        }
    }
}

/// Which game is watched, and by whom.
pub(super) struct Watched {
    pub(super) tenant: Tenant,
    pub(super) game: String,
    /// Empty where everything is told.
    pub(super) as_side: String,
}

/// A stream of a game's entries on its way.
struct Following {
    service: Service,
    watched: Watched,
    watching: Watching,
    /// The number of the last entry that was read.
    last: u64,
    read: VecDeque<v1::GameEntry>,
    drain: Option<Drain>,
}

impl Service {
    /// The entries of a game after a number, and all that come.
    pub(super) async fn watch(
        &self,
        watched: Watched,
        after: u64,
        drain: Option<Drain>,
    ) -> Result<impl Stream<Item = Result<v1::WatchGameResponse, Status>> + Send + use<>, Fault>
    {
        // Who watches before it reads misses nothing.
        let (store, most) = (self.keeper.store(), self.limits.max_watches);
        let at = RefName::game(&watched.game);
        let watching = self
            .watches
            .watch(watched.tenant.clone(), at, &**store, most)?;
        let now = self.games.get(&watched.tenant, &watched.game).await;
        let now = now.map_err(of_game)?;
        if after > now.number() {
            return Err(of_game(GameError::NoEntry {
                game: watched.game,
                number: after,
                head: now.number(),
            }));
        }
        let following = Following {
            service: self.clone(),
            watched,
            watching,
            last: after,
            read: VecDeque::new(),
            drain,
        };
        Ok(stream::try_unfold(following, |mut following| async move {
            let entry = Some(following.next().await?);
            let message = v1::WatchGameResponse { entry };
            Ok::<_, Status>(Some((message, following)))
        }))
    }
}

impl Following {
    async fn next(&mut self) -> Result<v1::GameEntry, Fault> {
        loop {
            if let Some(entry) = self.read.pop_front() {
                return Ok(entry);
            }
            self.watching.stirred.borrow_and_update();
            self.read().await?;
            if self.read.is_empty() {
                self.wait().await?;
            }
        }
    }

    async fn read(&mut self) -> Result<(), Fault> {
        let Watched {
            tenant,
            game,
            as_side,
        } = &self.watched;
        let games = &self.service.games;
        let now = games.get(tenant, game).await.map_err(of_game)?;
        if now.number() <= self.last {
            return Ok(());
        }
        let entries = games.entries(tenant, &now, self.last, PAGE).await;
        let (entries, mut before) = (entries.map_err(of_game)?, None);
        for entry in &entries {
            let seen = self
                .service
                .entry_seen(tenant, &now, (entry, before), as_side);
            self.read.push_back(seen.await?);
            self.last = entry.number;
            before = Some(entry);
        }
        Ok(())
    }

    /// Waits until there may be something new.
    async fn wait(&mut self) -> Result<(), Fault> {
        let drain = async {
            match &self.drain {
                Some(drain) => drain.begun().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.watching.stirred.changed() => Ok(()),
            () = tokio::time::sleep(UNHEARD) => Ok(()),
            () = drain => {
                let text = format!(
                    "the server is shutting down; watch again, with after_number {}",
                    self.last
                );
                Err(Fault::new(ErrorReason::ShuttingDown, text))
            }
        }
    }
}
