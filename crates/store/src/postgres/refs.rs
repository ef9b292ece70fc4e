//! What is done with refs.

use async_trait::async_trait;
use bytes::Bytes;
use sqlx::postgres::PgRow;
use sqlx::{Connection as _, PgConnection, Row as _};

use super::failed::Failed;
use super::objects::{digest, keep};
use super::pool::Work;
use crate::error::StoreError;
use crate::refs::{Logged, Move, Moved, RefKind, RefName, RefState};
use crate::seal;
use crate::tenant::Tenant;

/// Reads a ref.
pub(super) struct Read<'a>(pub(super) &'a Tenant, pub(super) &'a RefName);

#[async_trait]
impl Work for Read<'_> {
    type Out = Option<RefState>;

    async fn run(&self, on: &mut PgConnection, _: bool) -> Result<Option<RefState>, Failed> {
        read(on, self.0, self.1).await
    }
}

async fn read(
    on: &mut PgConnection,
    tenant: &Tenant,
    at: &RefName,
) -> Result<Option<RefState>, Failed> {
    let read = "select version, value, seal from alamein_refs where tenant = $1 and kind = $2 and name = $3";
    let row = sqlx::query(read)
        .bind(tenant.as_str())
        .bind(at.kind as i16)
        .bind(at.name.as_bytes())
        .fetch_optional(on)
        .await?;
    row.map(|row| unsealed(tenant, at, &row)).transpose()
}

/// Where a ref stands, as a row has it from its first column on.
fn unsealed(tenant: &Tenant, at: &RefName, row: &PgRow) -> Result<RefState, Failed> {
    let version: i64 = row.try_get(0)?;
    let state = RefState {
        version: version.unsigned_abs(),
        value: Bytes::from(row.try_get::<Vec<u8>, _>(1)?),
    };
    let seal: &[u8] = row.try_get(2)?;
    if seal == seal::of_ref(tenant, at, &state) {
        Ok(state)
    } else {
        Err(damaged(tenant, at, "it is not what was written"))
    }
}

fn damaged(tenant: &Tenant, at: &RefName, what: &str) -> Failed {
    Failed::Told(StoreError::Damaged {
        at: format!("{} {} of {tenant}", at.kind.name(), at.name),
        what: what.to_owned(),
    })
}

/// A version as a column has it.
fn column(version: u64) -> i64 {
    i64::try_from(version).unwrap_or(i64::MAX)
}

/// Moves a ref.
pub(super) struct Advance<'a>(pub(super) &'a Tenant, pub(super) &'a Move);

#[async_trait]
impl Work for Advance<'_> {
    type Out = Moved;

    async fn run(&self, on: &mut PgConnection, again: bool) -> Result<Moved, Failed> {
        let Self(tenant, change) = self;
        let state = RefState {
            version: change.from.saturating_add(1),
            value: change.value.clone(),
        };
        let mut begin = on.begin().await?;
        if !self.set(&mut begin, &state).await? {
            begin.rollback().await?;
            let now = read(on, tenant, &change.at).await?;
            // What this very move wrote before its answer was lost.
            let done = again && now.as_ref() == Some(&state);
            return Ok(if done {
                Moved::Done(state)
            } else {
                Moved::Stale(now)
            });
        }
        keep(&mut begin, tenant, &change.objects).await?;
        if let Some(id) = change.log {
            let version = state.version;
            let line = Logged { version, id };
            write(&mut begin, tenant, &change.at, &line).await?;
        }
        begin.commit().await?;
        Ok(Moved::Done(state))
    }
}

impl Advance<'_> {
    /// Moves the ref if it is where it should be.
    async fn set(&self, on: &mut PgConnection, state: &RefState) -> Result<bool, Failed> {
        let Self(tenant, change) = self;
        let set = if change.from == 0 {
            "insert into alamein_refs (tenant, kind, name, version, value, seal) \
             values ($1, $2, $3, $4, $5, $6) on conflict do nothing"
        } else {
            "update alamein_refs set version = $4, value = $5, seal = $6 \
             where tenant = $1 and kind = $2 and name = $3 and version = $4 - 1"
        };
        let done = sqlx::query(set)
            .bind(tenant.as_str())
            .bind(change.at.kind as i16)
            .bind(change.at.name.as_bytes())
            .bind(column(state.version))
            .bind(&state.value[..])
            .bind(&seal::of_ref(tenant, &change.at, state)[..])
            .execute(on)
            .await?;
        Ok(done.rows_affected() == 1)
    }
}

/// Writes a line of a ref's log.
async fn write(
    on: &mut PgConnection,
    tenant: &Tenant,
    at: &RefName,
    line: &Logged,
) -> Result<(), Failed> {
    let write = "insert into alamein_logs (tenant, kind, name, version, id, seal) values ($1, $2, $3, $4, $5, $6)";
    sqlx::query(write)
        .bind(tenant.as_str())
        .bind(at.kind as i16)
        .bind(at.name.as_bytes())
        .bind(column(line.version))
        .bind(&line.id.as_bytes()[..])
        .bind(&seal::of_log(tenant, at, line)[..])
        .execute(on)
        .await?;
    Ok(())
}

/// Drops a ref and its log.
pub(super) struct Forget<'a>(
    pub(super) &'a Tenant,
    pub(super) &'a RefName,
    pub(super) u64,
);

#[async_trait]
impl Work for Forget<'_> {
    type Out = bool;

    async fn run(&self, on: &mut PgConnection, again: bool) -> Result<bool, Failed> {
        let Self(tenant, at, version) = self;
        let mut begin = on.begin().await?;
        let forget = "delete from alamein_refs where tenant = $1 and kind = $2 and name = $3 and version = $4";
        let gone = sqlx::query(forget)
            .bind(tenant.as_str())
            .bind(at.kind as i16)
            .bind(at.name.as_bytes())
            .bind(column(*version))
            .execute(&mut *begin)
            .await?;
        if gone.rows_affected() == 0 {
            begin.rollback().await?;
            // It is gone, and it may have been this very call before its answer was lost.
            return Ok(again && read(on, tenant, at).await?.is_none());
        }
        sqlx::query("delete from alamein_logs where tenant = $1 and kind = $2 and name = $3")
            .bind(tenant.as_str())
            .bind(at.kind as i16)
            .bind(at.name.as_bytes())
            .execute(&mut *begin)
            .await?;
        begin.commit().await?;
        Ok(true)
    }
}

/// Lists refs.
pub(super) struct List<'a> {
    pub(super) tenant: &'a Tenant,
    pub(super) kind: RefKind,
    pub(super) after: Option<&'a str>,
    pub(super) most: usize,
}

#[async_trait]
impl Work for List<'_> {
    type Out = Vec<(String, RefState)>;

    async fn run(&self, on: &mut PgConnection, _: bool) -> Result<Self::Out, Failed> {
        let list = "select version, value, seal, name from alamein_refs \
            where tenant = $1 and kind = $2 and ($3::bytea is null or name > $3) order by name limit $4";
        let rows = sqlx::query(list)
            .bind(self.tenant.as_str())
            .bind(self.kind as i16)
            .bind(self.after.map(str::as_bytes))
            .bind(i64::try_from(self.most).unwrap_or(i64::MAX))
            .fetch_all(on)
            .await?;
        let listed = |row: &PgRow| {
            let name = String::from_utf8_lossy(row.try_get(3)?).into_owned();
            let at = RefName::new(self.kind, name);
            let state = unsealed(self.tenant, &at, row)?;
            Ok((at.name, state))
        };
        rows.iter().map(listed).collect()
    }
}

/// Reads a ref's log.
pub(super) struct Log<'a> {
    pub(super) tenant: &'a Tenant,
    pub(super) at: &'a RefName,
    pub(super) after: u64,
    pub(super) most: usize,
}

#[async_trait]
impl Work for Log<'_> {
    type Out = Vec<Logged>;

    async fn run(&self, on: &mut PgConnection, _: bool) -> Result<Vec<Logged>, Failed> {
        let read = "select version, id, seal from alamein_logs \
            where tenant = $1 and kind = $2 and name = $3 and version > $4 order by version limit $5";
        let rows = sqlx::query(read)
            .bind(self.tenant.as_str())
            .bind(self.at.kind as i16)
            .bind(self.at.name.as_bytes())
            .bind(column(self.after))
            .bind(i64::try_from(self.most).unwrap_or(i64::MAX))
            .fetch_all(on)
            .await?;
        let line = |row: &PgRow| {
            let (version, seal): (i64, &[u8]) = (row.try_get(0)?, row.try_get(2)?);
            let version = version.unsigned_abs();
            let id = digest(row.try_get(1)?)?;
            let line = Logged { version, id };
            if seal == seal::of_log(self.tenant, self.at, &line) {
                Ok(line)
            } else {
                let what = "a line of its log is not what was written";
                Err(damaged(self.tenant, self.at, what))
            }
        };
        rows.iter().map(line).collect()
    }
}
