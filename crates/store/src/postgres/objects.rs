//! What is done with objects.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use alamein_terrain::Digest;
use async_trait::async_trait;
use bytes::Bytes;
use sqlx::{Connection as _, PgConnection, Row as _};

use super::failed::Failed;
use super::pool::Work;
use crate::error::StoreError;
use crate::object::{Kind, Listed, Object};
use crate::store::Room;
use crate::tenant::Tenant;

/// In how many slots objects are counted.
const SLOTS: u16 = 16;
/// How near to its limit a kind is counted one at a time. More are not kept at once.
const NEAR: i64 = 1_000;

/// What the time is, in microseconds after 1970.
macro_rules! now {
    () => {
        "(extract(epoch from clock_timestamp()) * 1000000)::bigint"
    };
}

/// Marks those that are there as kept now, in the order of their ids so that nobody waits for ever, and tells
/// which they are.
const TOUCH: &str = concat!(
    "with given as (select * from unnest($2::smallint[], $3::bytea[]) as given(kind, id)), \
     found as (select o.kind, o.id from alamein_objects o join given g on o.kind = g.kind and o.id = g.id \
               where o.tenant = $1 order by o.kind, o.id for no key update of o) \
     update alamein_objects o set kept_at = greatest(o.kept_at + 1, ",
    now!(),
    ") from found f where o.tenant = $1 and o.kind = f.kind and o.id = f.id returning o.kind, o.id"
);

/// Keeps those that are not there, and counts them.
const INSERT: &str = concat!(
    "with given as (select * from unnest($2::smallint[], $3::bytea[], $4::bytea[]) as given(kind, id, bytes)), \
     kept as (insert into alamein_objects (tenant, kind, id, bytes, len, kept_at) \
              select $1, kind, id, bytes, octet_length(bytes), ",
    now!(),
    " from given order by kind, id \
              on conflict (tenant, kind, id) do update \
              set kept_at = greatest(alamein_objects.kept_at + 1, excluded.kept_at) \
              returning kind, id, len, xmax = 0 as new), \
     counted as (insert into alamein_counts (tenant, kind, slot, count, bytes) \
              select $1, kind, $5, count(*), sum(len)::bigint from kept where new group by kind order by kind \
              on conflict (tenant, kind, slot) do update \
              set count = alamein_counts.count + excluded.count, bytes = alamein_counts.bytes + excluded.bytes) \
     select kind, id, new from kept"
);

/// Keeps objects.
pub(super) struct Put<'a> {
    pub(super) tenant: &'a Tenant,
    pub(super) objects: &'a [Object],
    pub(super) room: &'a Room,
}

#[async_trait]
impl Work for Put<'_> {
    type Out = Vec<bool>;

    async fn run(&self, on: &mut PgConnection, _: bool) -> Result<Vec<bool>, Failed> {
        let distinct = distinct(self.objects);
        let there = touch(on, self.tenant, &distinct).await?;
        let missing: Vec<&Object> = distinct
            .into_iter()
            .filter(|(key, _)| !there.contains(key))
            .map(|(_, object)| object)
            .collect();
        if missing.is_empty() {
            return Ok(vec![false; self.objects.len()]);
        }
        let mut begin = on.begin().await?;
        self.check_room(&mut begin, &missing).await?;
        let mut new = insert(&mut begin, self.tenant, &missing).await?;
        begin.commit().await?;
        // Of two that are the same, the first is new.
        let is_new = |object: &Object| new.remove(&(object.kind(), object.id()));
        Ok(self.objects.iter().map(is_new).collect())
    }
}

impl Put<'_> {
    async fn check_room(&self, on: &mut PgConnection, missing: &[&Object]) -> Result<(), Failed> {
        for (kind, most) in &self.room.0 {
            let new = missing
                .iter()
                .filter(|object| object.kind() == *kind)
                .count();
            if new == 0 {
                continue;
            }
            let limit = i64::try_from(*most).unwrap_or(i64::MAX);
            let new = i64::try_from(new).unwrap_or(i64::MAX);
            let fits = |count: i64| count.saturating_add(new) <= limit;
            let count = count(on, self.tenant, *kind).await?;
            if fits(count.saturating_add(NEAR)) {
                continue;
            }
            // Those who come near the limit go one at a time.
            sqlx::query("select pg_advisory_xact_lock(hashtext($1), $2)")
                .bind(self.tenant.as_str())
                .bind(*kind as i32)
                .execute(&mut *on)
                .await?;
            let count = self::count(on, self.tenant, *kind).await?;
            if !fits(count) {
                let (kind, most) = (*kind, *most);
                return Err(StoreError::TooMany { kind, most }.into());
            }
        }
        Ok(())
    }
}

async fn count(on: &mut PgConnection, tenant: &Tenant, kind: Kind) -> Result<i64, Failed> {
    let sum = "select coalesce(sum(count), 0)::bigint from alamein_counts where tenant = $1 and kind = $2";
    let row = sqlx::query(sum)
        .bind(tenant.as_str())
        .bind(kind as i16)
        .fetch_one(on)
        .await?;
    Ok(row.try_get(0)?)
}

type Key = (Kind, Digest);

fn distinct(objects: &[Object]) -> BTreeMap<Key, &Object> {
    let keyed = objects.iter().map(|it| ((it.kind(), it.id()), it));
    keyed.collect()
}

/// Keeps objects that go with something else, in its transaction.
pub(super) async fn keep(
    on: &mut PgConnection,
    tenant: &Tenant,
    objects: &[Object],
) -> Result<(), Failed> {
    let distinct = distinct(objects);
    let there = touch(on, tenant, &distinct).await?;
    let missing = distinct.into_iter().filter(|(key, _)| !there.contains(key));
    let missing: Vec<&Object> = missing.map(|(_, object)| object).collect();
    if !missing.is_empty() {
        insert(on, tenant, &missing).await?;
    }
    Ok(())
}

async fn touch(
    on: &mut PgConnection,
    tenant: &Tenant,
    objects: &BTreeMap<Key, &Object>,
) -> Result<BTreeSet<Key>, Failed> {
    if objects.is_empty() {
        return Ok(BTreeSet::new());
    }
    let kinds: Vec<i16> = objects.keys().map(|(kind, _)| *kind as i16).collect();
    let ids: Vec<&[u8]> = objects.keys().map(|(_, id)| &id.as_bytes()[..]).collect();
    let rows = sqlx::query(TOUCH)
        .bind(tenant.as_str())
        .bind(kinds)
        .bind(ids)
        .fetch_all(on)
        .await?;
    rows.iter()
        .map(|row| key(row.try_get(0)?, row.try_get(1)?))
        .collect()
}

/// Keeps objects, and tells which of them are new.
async fn insert(
    on: &mut PgConnection,
    tenant: &Tenant,
    objects: &[&Object],
) -> Result<BTreeSet<Key>, Failed> {
    let kinds: Vec<i16> = objects.iter().map(|it| it.kind() as i16).collect();
    let ids: Vec<Digest> = objects.iter().map(|it| it.id()).collect();
    let ids: Vec<&[u8]> = ids.iter().map(|id| &id.as_bytes()[..]).collect();
    let bytes: Vec<&[u8]> = objects.iter().map(|it| &it.bytes()[..]).collect();
    let rows = sqlx::query(INSERT)
        .bind(tenant.as_str())
        .bind(kinds)
        .bind(ids)
        .bind(bytes)
        .bind(slot())
        .fetch_all(on)
        .await?;
    let mut new = BTreeSet::new();
    for row in rows {
        if row.try_get(2)? {
            new.insert(key(row.try_get(0)?, row.try_get(1)?)?);
        }
    }
    Ok(new)
}

/// Another slot each time.
fn slot() -> i16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed) % SLOTS;
    i16::try_from(next).unwrap_or_default()
}

fn key(kind: i16, id: &[u8]) -> Result<Key, Failed> {
    let known = u8::try_from(kind).ok().and_then(Kind::from_number);
    let known = known.ok_or_else(|| damaged(&format!("there is no kind {kind}")))?;
    Ok((known, digest(id)?))
}

/// The id that a column has.
pub(super) fn digest(id: &[u8]) -> Result<Digest, StoreError> {
    let id = id
        .try_into()
        .map_err(|_| damaged("an id has not 32 bytes"))?;
    Ok(Digest::from_bytes(id))
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged {
        at: "a row of alamein_objects".into(),
        what: what.into(),
    }
}

/// Reads an object.
pub(super) struct Get<'a>(pub(super) &'a Tenant, pub(super) Kind, pub(super) Digest);

#[async_trait]
impl Work for Get<'_> {
    type Out = Option<Bytes>;

    async fn run(&self, on: &mut PgConnection, _: bool) -> Result<Option<Bytes>, Failed> {
        let get = "select bytes from alamein_objects where tenant = $1 and kind = $2 and id = $3";
        let row = sqlx::query(get)
            .bind(self.0.as_str())
            .bind(self.1 as i16)
            .bind(&self.2.as_bytes()[..])
            .fetch_optional(on)
            .await?;
        let bytes = row.map(|row| row.try_get::<Vec<u8>, _>(0)).transpose()?;
        Ok(bytes.map(Bytes::from))
    }
}

/// Reads several objects.
pub(super) struct GetMany<'a> {
    pub(super) tenant: &'a Tenant,
    pub(super) kind: Kind,
    pub(super) ids: &'a [Digest],
}

#[async_trait]
impl Work for GetMany<'_> {
    type Out = Vec<Option<Bytes>>;

    async fn run(&self, on: &mut PgConnection, _: bool) -> Result<Vec<Option<Bytes>>, Failed> {
        let get = "select id, bytes from alamein_objects \
            where tenant = $1 and kind = $2 and id = any($3)";
        let ids: Vec<&[u8]> = self.ids.iter().map(|id| &id.as_bytes()[..]).collect();
        let rows = sqlx::query(get)
            .bind(self.tenant.as_str())
            .bind(self.kind as i16)
            .bind(ids)
            .fetch_all(on)
            .await?;
        let mut found = BTreeMap::new();
        for row in rows {
            let bytes: Vec<u8> = row.try_get(1)?;
            found.insert(digest(row.try_get(0)?)?, Bytes::from(bytes));
        }
        // The same id may be asked for twice.
        Ok(self.ids.iter().map(|id| found.get(id).cloned()).collect())
    }
}

/// Lists objects.
pub(super) struct List<'a> {
    pub(super) tenant: &'a Tenant,
    pub(super) kind: Kind,
    pub(super) after: Option<Digest>,
    pub(super) most: usize,
}

#[async_trait]
impl Work for List<'_> {
    type Out = Vec<Listed>;

    async fn run(&self, on: &mut PgConnection, _: bool) -> Result<Vec<Listed>, Failed> {
        let list = "select id, len, kept_at from alamein_objects \
            where tenant = $1 and kind = $2 and ($3::bytea is null or id > $3) order by id limit $4";
        let rows = sqlx::query(list)
            .bind(self.tenant.as_str())
            .bind(self.kind as i16)
            .bind(self.after.as_ref().map(|id| &id.as_bytes()[..]))
            .bind(i64::try_from(self.most).unwrap_or(i64::MAX))
            .fetch_all(on)
            .await?;
        let listed = |row: &sqlx::postgres::PgRow| {
            let (len, at): (i64, i64) = (row.try_get(1)?, row.try_get(2)?);
            Ok(Listed {
                id: digest(row.try_get(0)?)?,
                len: len.unsigned_abs(),
                kept_at: UNIX_EPOCH + Duration::from_micros(at.unsigned_abs()),
            })
        };
        rows.iter().map(listed).collect()
    }
}

/// Drops objects.
pub(super) struct Sweep<'a> {
    pub(super) tenant: &'a Tenant,
    pub(super) kind: Kind,
    pub(super) objects: &'a [(Digest, SystemTime)],
}

#[async_trait]
impl Work for Sweep<'_> {
    type Out = u64;

    async fn run(&self, on: &mut PgConnection, _: bool) -> Result<u64, Failed> {
        let sweep = "with old as (select * from unnest($3::bytea[], $4::bigint[]) as old(id, at)), \
            gone as (delete from alamein_objects o using old \
                     where o.tenant = $1 and o.kind = $2 and o.id = old.id and o.kept_at <= old.at \
                     returning o.len), \
            counted as (insert into alamein_counts (tenant, kind, slot, count, bytes) \
                     select $1, $2, $5, -count(*), -coalesce(sum(len), 0)::bigint from gone having count(*) > 0 \
                     on conflict (tenant, kind, slot) do update set count = alamein_counts.count \
                     + excluded.count, bytes = alamein_counts.bytes + excluded.bytes) \
            select count(*) from gone";
        let ids: Vec<&[u8]> = self
            .objects
            .iter()
            .map(|(id, _)| &id.as_bytes()[..])
            .collect();
        let times: Vec<i64> = self.objects.iter().map(|(_, at)| micros(*at)).collect();
        let row = sqlx::query(sweep)
            .bind(self.tenant.as_str())
            .bind(self.kind as i16)
            .bind(ids)
            .bind(times)
            .bind(slot())
            .fetch_one(on)
            .await?;
        let gone: i64 = row.try_get(0)?;
        Ok(gone.unsigned_abs())
    }
}

fn micros(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_micros().try_into().unwrap_or(i64::MAX)
}

/// Tells of whom something is kept.
pub(super) struct Tenants;

#[async_trait]
impl Work for Tenants {
    type Out = Vec<Tenant>;

    async fn run(&self, on: &mut PgConnection, _: bool) -> Result<Vec<Tenant>, Failed> {
        let all = "select tenant from alamein_counts group by tenant having sum(count) > 0 \
            union select distinct tenant from alamein_refs order by 1";
        let rows = sqlx::query(all).fetch_all(on).await?;
        let tenant = |row: &sqlx::postgres::PgRow| {
            let name: &str = row.try_get(0)?;
            if name.is_empty() {
                return Ok(Tenant::house());
            }
            let read = name.parse();
            read.map_err(|_| Failed::from(damaged(&format!("{name:?} is no tenant"))))
        };
        rows.iter().map(tenant).collect()
    }
}
