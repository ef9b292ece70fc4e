//! What runs beside the requests: the house's own rulesets are kept, and names follow other processes.

use std::collections::BTreeMap;
use std::time::Duration;

use alamein_store::{RefKind, Tenant};
use alamein_terrain::Digest;
use tokio::sync::broadcast::error::RecvError;

use super::Pins;
use crate::fault::Fault;

/// After how long it is tried again to keep what could not be kept; each time twice as long.
const AGAIN: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(60);

impl Pins {
    /// Keeps what the service's own names mean, whenever they come to mean something new, and forgets what
    /// is remembered of tenants' names whenever they move. It has no end of its own.
    pub(crate) async fn tend(self) {
        tokio::join!(self.keep_house(), self.hear());
    }

    async fn keep_house(&self) {
        let mut changes = self.0.rules.changes();
        let mut kept = BTreeMap::new();
        let mut wait = AGAIN;
        loop {
            changes.borrow_and_update();
            match self.keep_names(&mut kept).await {
                Ok(()) => {
                    wait = AGAIN;
                    if changes.changed().await.is_err() {
                        return;
                    }
                }
                Err(fault) => {
                    let why = tonic::Status::from(fault);
                    tracing::warn!(
                        "the service's own rulesets are not kept yet: {}",
                        why.message()
                    );
                    tokio::time::sleep(wait).await;
                    wait = (wait * 2).min(LONGEST);
                }
            }
        }
    }

    /// Keeps what the names mean that the service was started with.
    async fn keep_names(&self, kept: &mut BTreeMap<String, Digest>) -> Result<(), Fault> {
        let Ok(registry) = self.0.rules.registry() else {
            return Ok(());
        };
        // Developers build all day long: what they tag is kept, and no more.
        if registry.settings().developer {
            return Ok(());
        }
        let (snapshot, house) = (registry.snapshot(), Tenant::house());
        for (name, named) in snapshot.names() {
            if kept.get(name) == Some(&named.fingerprint) {
                continue;
            }
            let Some(revision) = snapshot.revisions().get(&named.fingerprint) else {
                continue;
            };
            self.keep(&house, revision).await?;
            self.give_name(&house, &named.spec, named.fingerprint, "")
                .await?;
            kept.insert(name.clone(), named.fingerprint);
        }
        Ok(())
    }

    async fn hear(&self) {
        let mut moves = self.0.keeper.store().moves();
        loop {
            match moves.recv().await {
                Ok((tenant, at)) if at.kind == RefKind::Ruleset => {
                    self.0.names.invalidate(&(tenant, at.name)).await;
                }
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => self.0.names.invalidate_all(),
                Err(RecvError::Closed) => return,
            }
        }
    }
}
