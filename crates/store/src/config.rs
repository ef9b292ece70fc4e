//! Which store to open.

use std::sync::Arc;

use crate::embedded::{Embedded, EmbeddedConfig};
use crate::error::StoreError;
use crate::memory::Memory;
use crate::postgres::{Postgres, PostgresConfig};
use crate::store::Store;

/// Which store to open.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use alamein_store::StoreConfig;
/// let store = StoreConfig::default().open().await.unwrap();
/// assert_eq!(store.name(), "memory");
/// # });
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StoreConfig {
    /// One in memory, which forgets all.
    #[default]
    Memory,
    /// One in a folder, for one process.
    Embedded(EmbeddedConfig),
    /// One in PostgreSQL, for many processes.
    Postgres(PostgresConfig),
}

impl StoreConfig {
    /// Opens the store.
    ///
    /// # Errors
    /// Where it cannot be opened as the settings have it, is damaged or of a newer version.
    pub async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        match self {
            Self::Memory => Ok(Arc::new(Memory::new())),
            Self::Embedded(config) => {
                let config = config.clone();
                let opened = tokio::task::spawn_blocking(move || Embedded::open(&config)).await;
                let opened = opened.map_err(|error| StoreError::Settings {
                    what: error.to_string(),
                })?;
                Ok(Arc::new(opened?))
            }
            Self::Postgres(config) => Ok(Arc::new(Postgres::open(config).await?)),
        }
    }
}
