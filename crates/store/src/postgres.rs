//! A store in PostgreSQL, for many processes.
//!
//! What fails for a moment is tried again for a while: a connection that is lost, a server that starts
//! again, two that got into each other's way. A connection on which something was dropped or lost is never
//! used again.

mod config;
mod failed;
mod migrate;
mod moves;
mod objects;
mod pool;
mod refs;

use std::time::{Duration, SystemTime};

use alamein_terrain::Digest;
use async_trait::async_trait;
use bytes::Bytes;
use sqlx::PgConnection;
use tokio::sync::broadcast;

use crate::error::StoreError;
use crate::object::{Kind, Listed, Object};
use crate::refs::{Logged, Move, Moved, RefKind, RefName, RefState};
use crate::store::{Connections as Connected, Room, Store};
use crate::tenant::Tenant;

pub use config::PostgresConfig;
use failed::Failed;
use migrate::Migrate;
use moves::Moves;
use pool::{Connections, Work};

/// How many moves may be told before a receiver lags.
const MOVES: usize = 1024;
/// How long closing waits for connections that are still at work.
const CLOSING: Duration = Duration::from_secs(5);

/// A store in PostgreSQL. Any number of processes have it at a time.
#[derive(Debug)]
pub struct Postgres {
    connections: Connections,
    telling: sqlx::PgPool,
    moves: Moves,
}

impl Postgres {
    /// Opens a store, and waits for the database for as long as the settings have it.
    ///
    /// # Errors
    /// Where it cannot be reached or does not let this service in, and where its tables are not those that
    /// this version knows.
    pub async fn open(config: &PostgresConfig) -> Result<Self, StoreError> {
        let connections = Connections::new(config)?;
        migrated(&connections, config, config.migrate).await?;
        let telling = pool::for_moves(config)?;
        let moves = Moves::start(&telling, MOVES);
        Ok(Self {
            connections,
            telling,
            moves,
        })
    }

    /// Makes the tables, or brings them up to date. Tells whether there was anything to do.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn migrate(config: &PostgresConfig) -> Result<bool, StoreError> {
        let connections = Connections::new(config)?;
        let from = migrated(&connections, config, true).await;
        connections.pool.close().await;
        Ok(from? < migrate::NEWEST)
    }
}

async fn migrated(
    connections: &Connections,
    config: &PostgresConfig,
    change: bool,
) -> Result<i32, StoreError> {
    let migrate = Migrate { change };
    let done = connections.run_for(&migrate, config.opening).await;
    done.map_err(|failed| {
        let settings = failed.is_settings();
        match failed.told() {
            StoreError::Unavailable { what, .. } => StoreError::Settings {
                what: if settings {
                    format!("{}: {what}", config.place())
                } else {
                    format!("{} is not there: {what}", config.place())
                },
            },
            other => other,
        }
    })
}

/// Asks whether the database is there and can be written.
struct Ping;

#[async_trait]
impl Work for Ping {
    type Out = ();

    async fn run(&self, on: &mut PgConnection, _: bool) -> Result<(), Failed> {
        use sqlx::Row as _;
        let row = sqlx::query("select current_setting('transaction_read_only') = 'on'")
            .fetch_one(on)
            .await?;
        if row.try_get(0)? {
            let what = "PostgreSQL is to be read alone; point at the server that is written".into();
            return Err(StoreError::CannotWrite { what }.into());
        }
        Ok(())
    }
}

#[async_trait]
impl Store for Postgres {
    fn name(&self) -> &'static str {
        "postgres"
    }

    async fn put(
        &self,
        tenant: &Tenant,
        objects: &[Object],
        room: &Room,
    ) -> Result<Vec<bool>, StoreError> {
        let put = objects::Put {
            tenant,
            objects,
            room,
        };
        self.connections.run(&put).await
    }

    async fn get(
        &self,
        tenant: &Tenant,
        kind: Kind,
        id: Digest,
    ) -> Result<Option<Bytes>, StoreError> {
        self.connections.run(&objects::Get(tenant, kind, id)).await
    }

    async fn get_many(
        &self,
        tenant: &Tenant,
        kind: Kind,
        ids: &[Digest],
    ) -> Result<Vec<Option<Bytes>>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let get = objects::GetMany { tenant, kind, ids };
        self.connections.run(&get).await
    }

    async fn list(
        &self,
        tenant: &Tenant,
        kind: Kind,
        after: Option<Digest>,
        most: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        let list = objects::List {
            tenant,
            kind,
            after,
            most,
        };
        self.connections.run(&list).await
    }

    async fn sweep(
        &self,
        tenant: &Tenant,
        kind: Kind,
        objects: &[(Digest, SystemTime)],
    ) -> Result<u64, StoreError> {
        let sweep = objects::Sweep {
            tenant,
            kind,
            objects,
        };
        self.connections.run(&sweep).await
    }

    async fn read(&self, tenant: &Tenant, at: &RefName) -> Result<Option<RefState>, StoreError> {
        self.connections.run(&refs::Read(tenant, at)).await
    }

    async fn advance(&self, tenant: &Tenant, change: Move) -> Result<Moved, StoreError> {
        let moved = self
            .connections
            .run(&refs::Advance(tenant, &change))
            .await?;
        if let Moved::Done(_) = moved {
            self.moves.tell(tenant, &change.at);
        }
        Ok(moved)
    }

    async fn forget(
        &self,
        tenant: &Tenant,
        at: &RefName,
        version: u64,
    ) -> Result<bool, StoreError> {
        let gone = self
            .connections
            .run(&refs::Forget(tenant, at, version))
            .await?;
        if gone {
            self.moves.tell(tenant, at);
        }
        Ok(gone)
    }

    async fn refs(
        &self,
        tenant: &Tenant,
        kind: RefKind,
        after: Option<&str>,
        most: usize,
    ) -> Result<Vec<(String, RefState)>, StoreError> {
        let list = refs::List {
            tenant,
            kind,
            after,
            most,
        };
        self.connections.run(&list).await
    }

    async fn log(
        &self,
        tenant: &Tenant,
        at: &RefName,
        after: u64,
        most: usize,
    ) -> Result<Vec<Logged>, StoreError> {
        let log = refs::Log {
            tenant,
            at,
            after,
            most,
        };
        self.connections.run(&log).await
    }

    async fn tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        self.connections.run(&objects::Tenants).await
    }

    fn moves(&self) -> broadcast::Receiver<(Tenant, RefName)> {
        self.moves.subscribe()
    }

    fn connections(&self) -> Option<Connected> {
        let pool = &self.connections.pool;
        Some(Connected {
            open: pool.size() as usize,
            idle: pool.num_idle(),
            most: self.connections.most() as usize,
        })
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.connections.run(&Ping).await
    }

    async fn close(&self) {
        let both = async {
            self.connections.pool.close().await;
            self.telling.close().await;
        };
        // What hangs is dropped with the process.
        let _ = tokio::time::timeout(CLOSING, both).await;
    }
}
