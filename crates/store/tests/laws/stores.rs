//! The stores that are held to the laws.

use std::any::Any;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use alamein_store::{Embedded, EmbeddedConfig, Memory, Postgres, PostgresConfig, Store};

use crate::database;

/// A store that is empty, and what it stands on.
pub(crate) struct Opened {
    pub(crate) store: Arc<dyn Store>,
    ground: Box<dyn Any + Send>,
}

impl Opened {
    fn new(store: impl Store, ground: impl Any + Send) -> Self {
        let (store, ground) = (Arc::new(store), Box::new(ground));
        Self { store, ground }
    }

    /// Lets go of all.
    pub(crate) async fn close(self) {
        self.store.close().await;
        drop(self.ground);
    }
}

pub(crate) async fn memory() -> Option<Opened> {
    Some(Opened::new(Memory::new(), ()))
}

pub(crate) async fn embedded() -> Option<Opened> {
    let folder = tempfile::tempdir().unwrap();
    let store = Embedded::open(&EmbeddedConfig::new(folder.path())).unwrap();
    Some(Opened::new(store, folder))
}

/// A database of its own, of one server for all.
pub(crate) async fn postgres() -> Option<Opened> {
    static SERVER: OnceLock<Option<database::Postgres>> = OnceLock::new();
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let start = || SERVER.get_or_init(|| database::Postgres::start().unwrap());
    let server = tokio::task::spawn_blocking(start).await.unwrap().as_ref()?;
    let name = format!("laws_{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let whole = sqlx::PgPool::connect(&server.url("postgres"))
        .await
        .unwrap();
    let make = sqlx::AssertSqlSafe(format!("create database {name}"));
    sqlx::query(make).execute(&whole).await.unwrap();
    whole.close().await;
    let store = Postgres::open(&patient(server.url(&name))).await.unwrap();
    Some(Opened::new(store, ()))
}

/// With patience for a machine that does much else.
fn patient(url: String) -> PostgresConfig {
    let config = PostgresConfig::new(url);
    PostgresConfig {
        most_connections: 4,
        statement_timeout: Duration::from_secs(60),
        patience: Duration::from_secs(60),
        opening: Duration::from_secs(60),
        ..config
    }
}
