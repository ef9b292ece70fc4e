//! Where things are kept: whether it can be reached and written, and how much room there is.

use std::path::Path;
use std::time::Duration;

use alamein_store::{EmbeddedConfig, PostgresConfig, StoreConfig, StoreError};
use tokio::runtime::Builder;

use super::{Findings, machine};
use crate::args::Serve;
use crate::store;

/// How long PostgreSQL is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn look(serve: &Serve, found: &mut Findings) {
    match store::config(&serve.storing) {
        // The configuration says so.
        Err(_) => {}
        Ok(StoreConfig::Memory) => {
            found.warn(
                "store",
                "memory: everything is forgotten when the service ends",
            );
        }
        Ok(StoreConfig::Embedded(config)) => folder(config, found),
        Ok(StoreConfig::Postgres(config)) => {
            let migrates = config.migrate;
            let place = config.place();
            // Nothing is changed here.
            let config = StoreConfig::Postgres(PostgresConfig {
                migrate: false,
                opening: PATIENCE,
                ..config
            });
            opened(&config, &place, migrates, found);
        }
    }
}

fn folder(config: EmbeddedConfig, found: &mut Findings) {
    let folder = config.folder.clone();
    let shown = folder.display().to_string();
    let is_new = folder
        .read_dir()
        .map_or(true, |mut files| files.next().is_none());
    if is_new {
        let there = folder.ancestors().find(|it| it.is_dir());
        found.ok("store", format!("{shown}: nothing is kept yet"));
        machine::room(there.unwrap_or(Path::new("/")), "store", found);
        return;
    }
    machine::room(&folder, "store", found);
    opened(&StoreConfig::Embedded(config), &shown, false, found);
}

fn opened(config: &StoreConfig, place: &str, migrates: bool, found: &mut Findings) {
    let runtime = match Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return found.fail("store", format!("no thread to ask on: {error}")),
    };
    let tried: Result<(), StoreError> = runtime.block_on(async {
        let store = config.open().await?;
        let pinged = store.ping().await;
        store.close().await;
        pinged
    });
    match tried {
        Ok(()) => found.ok("store", format!("{place}: it can be reached and written")),
        // A service that runs has it, perhaps.
        Err(error @ StoreError::Settings { .. }) => {
            found.warn("store", format!("{error}; a service that runs may have it"));
        }
        Err(error @ StoreError::Version { .. }) if migrates => {
            found.warn(
                "store",
                format!("{error}; the service brings it up to date when it starts"),
            );
        }
        Err(error) => found.fail("store", error.to_string()),
    }
}
