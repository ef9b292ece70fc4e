//! The tables, and how they come to be as they should.

use async_trait::async_trait;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};

use super::failed::Failed;
use super::pool::Work;
use crate::error::StoreError;

/// The steps from one form of the tables to the next. What has been shipped never changes.
const STEPS: [&str; 1] = [include_str!("../../migrations/1.sql")];

/// For each form, the oldest form whose program may still use the tables: so many versions may run side by
/// side while they are being replaced.
const READABLE_BY: [i32; 1] = [1];

/// The lock that whoever brings the tables up to date holds: `alamein` in ASCII.
const LOCK: i64 = 0x0061_6c61_6d65_696e;

/// The form that this program knows.
pub(super) const NEWEST: i32 = STEPS.len() as i32;

/// Sees to it that the tables are as they should be. Tells from which form they came.
pub(super) struct Migrate {
    /// Whether they may be changed; if not, they are only looked at.
    pub(super) change: bool,
}

#[async_trait]
impl Work for Migrate {
    type Out = i32;

    fn is_long(&self) -> bool {
        true
    }

    async fn run(&self, on: &mut PgConnection, _: bool) -> Result<i32, Failed> {
        let (form, readable_by) = form(on).await?;
        check(form, readable_by)?;
        if form >= NEWEST {
            return Ok(form);
        }
        if !self.change {
            return Err(Failed::Told(StoreError::Version {
                what: format!(
                    "its tables have the form {form}, and this version needs {NEWEST}; run `alamein store \
                     migrate`"
                ),
            }));
        }
        // Before the transaction begins: one that began earlier might not see what another has made since.
        sqlx::query("select pg_advisory_lock($1)")
            .bind(LOCK)
            .execute(&mut *on)
            .await?;
        let from = migrate(on).await;
        // Where this fails the connection is of no more use, and the lock ends with it.
        sqlx::query("select pg_advisory_unlock($1)")
            .bind(LOCK)
            .execute(&mut *on)
            .await?;
        from
    }
}

/// Brings the tables up to date. Nobody else does meanwhile; another may have done it before.
async fn migrate(on: &mut PgConnection) -> Result<i32, Failed> {
    let mut begin = on.begin().await?;
    sqlx::query("set local statement_timeout = 0")
        .execute(&mut *begin)
        .await?;
    let (form, readable_by) = self::form(&mut begin).await?;
    check(form, readable_by)?;
    for step in STEPS.iter().skip(usize::try_from(form).unwrap_or_default()) {
        sqlx::raw_sql(AssertSqlSafe(*step))
            .execute(&mut *begin)
            .await?;
    }
    if form < NEWEST {
        note(&mut begin).await?;
    }
    begin.commit().await?;
    Ok(form)
}

/// Which form the tables have, 0 if there are none, and the oldest that may use them.
async fn form(on: &mut PgConnection) -> Result<(i32, i32), Failed> {
    let there = sqlx::query("select to_regclass('alamein_form') is not null")
        .fetch_one(&mut *on)
        .await?;
    if !there.try_get::<bool, _>(0)? {
        return Ok((0, 0));
    }
    let row = sqlx::query("select form, readable_by from alamein_form")
        .fetch_optional(&mut *on)
        .await?;
    Ok(match row {
        Some(row) => (row.try_get(0)?, row.try_get(1)?),
        None => (0, 0),
    })
}

fn check(form: i32, readable_by: i32) -> Result<(), StoreError> {
    if form > NEWEST && readable_by > NEWEST {
        return Err(StoreError::Version {
            what: format!(
                "its tables have the form {form}, for versions that know {readable_by}, and this version knows \
                 {NEWEST}; run a newer version"
            ),
        });
    }
    Ok(())
}

async fn note(on: &mut PgConnection) -> Result<(), Failed> {
    let make = "create table if not exists alamein_form (\
        one boolean primary key default true check (one), form int not null, readable_by int not null)";
    sqlx::query(make).execute(&mut *on).await?;
    let note = "insert into alamein_form (form, readable_by) values ($1, $2) \
        on conflict (one) do update set form = excluded.form, readable_by = excluded.readable_by";
    sqlx::query(note)
        .bind(NEWEST)
        .bind(READABLE_BY.last().copied().unwrap_or(NEWEST))
        .execute(&mut *on)
        .await?;
    Ok(())
}
