//! Telling which refs moved, from one process to the others.
//!
//! What was told while a connection was lost is lost with it. Whoever waits for a ref looks by itself from
//! time to time, so that is late and not wrong.

use std::hash::{BuildHasher as _, Hasher as _};
use std::time::Duration;

use sqlx::postgres::{PgListener, PgPool};
use tokio::sync::{broadcast, mpsc};

use crate::refs::{RefKind, RefName};
use crate::tenant::Tenant;

/// The channel on which it is told.
const CHANNEL: &str = "alamein_moves";
/// The longest message that the database takes is 8000 bytes.
const LONGEST: usize = 7900;
/// How many moves wait to be told elsewhere; what is more is not told there.
const WAITING: usize = 1024;
/// How many are told at once.
const AT_ONCE: usize = 100;
/// How long nothing may be heard before the connection is looked at.
const SILENCE: Duration = Duration::from_secs(20);
/// How long that may take.
const HELLO: Duration = Duration::from_secs(5);
/// How long after a failure it is tried again.
const REST: Duration = Duration::from_millis(500);

type Told = (Tenant, RefName);

/// Tells of moves here and elsewhere, and hears of those elsewhere.
#[derive(Debug)]
pub(super) struct Moves {
    here: broadcast::Sender<Told>,
    elsewhere: mpsc::Sender<Told>,
    tasks: Vec<tokio::task::AbortHandle>,
}

impl Moves {
    /// Begins to listen. `pool` is for this alone.
    pub(super) fn start(pool: &PgPool, many: usize) -> Self {
        let here = broadcast::Sender::new(many);
        let (elsewhere, waiting) = mpsc::channel(WAITING);
        // What this process told comes back to it, and is known by this.
        let own = format!(
            "{:x}",
            std::collections::hash_map::RandomState::new()
                .build_hasher()
                .finish()
        );
        let hears = tokio::spawn(hear(pool.clone(), here.clone(), own.clone()));
        let tells = tokio::spawn(tell(pool.clone(), waiting, own));
        Self {
            here,
            elsewhere,
            tasks: vec![hears.abort_handle(), tells.abort_handle()],
        }
    }

    pub(super) fn subscribe(&self) -> broadcast::Receiver<Told> {
        self.here.subscribe()
    }

    /// Tells that a ref moved.
    pub(super) fn tell(&self, tenant: &Tenant, at: &RefName) {
        let told = (tenant.clone(), at.clone());
        // That nobody listens is fine; where too much is told, others look by themselves.
        let _ = self.elsewhere.try_send(told.clone());
        let _ = self.here.send(told);
    }
}

impl Drop for Moves {
    fn drop(&mut self) {
        self.tasks.iter().for_each(tokio::task::AbortHandle::abort);
    }
}

async fn tell(pool: PgPool, mut waiting: mpsc::Receiver<Told>, own: String) {
    let mut batch = Vec::new();
    while waiting.recv_many(&mut batch, AT_ONCE).await > 0 {
        batch.sort();
        batch.dedup();
        let messages = batch.drain(..).map(|told| written(&own, &told));
        let messages: Vec<String> = messages.filter(|text| text.len() <= LONGEST).collect();
        let told = sqlx::query("select pg_notify($1, message) from unnest($2::text[]) as message")
            .bind(CHANNEL)
            .bind(messages)
            .execute(&pool)
            .await;
        if let Err(error) = told {
            tracing::debug!("moves of refs are not told to other processes: {error}");
        }
    }
}

async fn hear(pool: PgPool, here: broadcast::Sender<Told>, own: String) {
    let mut quiet = false;
    loop {
        let heard = hear_until_lost(&pool, &here, &own).await;
        if let Err(error) = heard {
            // Once, and not each time until it comes back.
            if !quiet {
                tracing::warn!("moves of refs by other processes are not heard of: {error}");
            }
            quiet = true;
        } else {
            quiet = false;
        }
        tokio::time::sleep(REST).await;
    }
}

/// Listens until the connection is lost, or does not come about.
async fn hear_until_lost(
    pool: &PgPool,
    here: &broadcast::Sender<Told>,
    own: &str,
) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    loop {
        match tokio::time::timeout(SILENCE, listener.try_recv()).await {
            Ok(Ok(Some(message))) => {
                if let Some(told) = read(own, message.payload()) {
                    // That nobody listens is fine.
                    let _ = here.send(told);
                }
            }
            // Lost.
            Ok(Ok(None) | Err(_)) => return Ok(()),
            Err(_) => {
                let hello = sqlx::query("select 1").execute(&mut listener);
                if !matches!(tokio::time::timeout(HELLO, hello).await, Ok(Ok(_))) {
                    return Ok(());
                }
            }
        }
    }
}

fn written(own: &str, (tenant, at): &Told) -> String {
    let name: String = at.name.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("{own}:{tenant}:{}:{name}", at.kind as u8)
}

/// What another process told.
fn read(own: &str, text: &str) -> Option<Told> {
    let mut parts = text.split(':');
    let (by, tenant) = (parts.next()?, parts.next()?);
    if by == own {
        return None;
    }
    let tenant = match tenant {
        "" => Tenant::house(),
        name => name.parse().ok()?,
    };
    let kind = RefKind::from_number(parts.next()?.parse().ok()?)?;
    let name = parts.next()?.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    let name = String::from_utf8(name.collect::<Option<_>>()?).ok()?;
    Some((tenant, RefName::new(kind, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_of_ones_own() {
        for name in ["g", "", "a:b", "\u{1F3B2}\n"] {
            for tenant in [Tenant::main(), Tenant::house()] {
                let told = (tenant, RefName::new(RefKind::Tag, name));
                let text = written("a1", &told);
                assert_eq!(read("b2", &text), Some(told));
                assert_eq!(read("a1", &text), None);
            }
        }
        for wrong in [
            "",
            "x",
            "x:main",
            "x:main:9:61",
            "x:main:1:6",
            "x:main:1:zz",
            "x:Main:1:61",
        ] {
            let told = read("a", wrong);
            assert!(told.is_none() || wrong == "x:main:1:6", "{wrong}: {told:?}");
        }
    }
}
