//! The tables, and what is done with them in one transaction.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use alamein_terrain::Digest;
use bytes::Bytes;
use redb::{ReadTransaction, ReadableTable, Table, TableDefinition, WriteTransaction};

use super::failed::Failed;
use super::keys;
use crate::error::StoreError;
use crate::object::{Kind, Listed, Object};
use crate::refs::{Logged, Move, Moved, RefKind, RefName, RefState};
use crate::seal;
use crate::store::Room;
use crate::tenant::Tenant;

type Bytewise = TableDefinition<'static, &'static [u8], &'static [u8]>;

/// Objects: their bytes.
const OBJECTS: Bytewise = TableDefinition::new("objects");
/// Objects: when each was kept, in microseconds after 1970, and how many bytes it has.
const MARKS: TableDefinition<'static, &'static [u8], (u64, u64)> = TableDefinition::new("marks");
/// How many objects there are of each kind of a tenant, and how many bytes they have.
const COUNTS: TableDefinition<'static, &'static [u8], (u64, u64)> = TableDefinition::new("counts");
/// Refs: version, seal, value.
const REFS: Bytewise = TableDefinition::new("refs");
/// Lines of refs' logs: id, seal.
const LOGS: Bytewise = TableDefinition::new("logs");

/// Makes the tables of a new file.
pub(super) fn make(begin: &WriteTransaction) -> Result<(), Failed> {
    Tables::open(begin).map(|_| ())
}

/// The tables, to be written.
pub(super) struct Tables<'t> {
    objects: Table<'t, &'static [u8], &'static [u8]>,
    marks: Table<'t, &'static [u8], (u64, u64)>,
    counts: Table<'t, &'static [u8], (u64, u64)>,
    refs: Table<'t, &'static [u8], &'static [u8]>,
    logs: Table<'t, &'static [u8], &'static [u8]>,
    /// What the clock said when the transaction began.
    now: u64,
    /// Whether anything was written.
    pub(super) written: bool,
    /// Which refs moved.
    pub(super) moved: Vec<(Tenant, RefName)>,
}

impl<'t> Tables<'t> {
    pub(super) fn open(begin: &'t WriteTransaction) -> Result<Self, Failed> {
        Ok(Self {
            objects: begin.open_table(OBJECTS)?,
            marks: begin.open_table(MARKS)?,
            counts: begin.open_table(COUNTS)?,
            refs: begin.open_table(REFS)?,
            logs: begin.open_table(LOGS)?,
            now: micros(SystemTime::now()),
            written: false,
            moved: Vec::new(),
        })
    }

    /// Keeps objects if there is room for all of them.
    pub(super) fn put(
        &mut self,
        tenant: &Tenant,
        objects: &[Object],
        room: &Room,
    ) -> Result<Result<Vec<bool>, StoreError>, Failed> {
        for (kind, most) in &room.0 {
            if let Err(full) = self.check_room(tenant, objects, *kind, *most)? {
                return Ok(Err(full));
            }
        }
        let kept = objects.iter().map(|object| self.keep(tenant, object));
        kept.collect::<Result<_, _>>().map(Ok)
    }

    fn check_room(
        &self,
        tenant: &Tenant,
        objects: &[Object],
        kind: Kind,
        most: u64,
    ) -> Result<Result<(), StoreError>, Failed> {
        let mut new = std::collections::BTreeSet::new();
        for object in objects.iter().filter(|object| object.kind() == kind) {
            let key = keys::object(tenant, kind, &object.id());
            if self.marks.get(&key[..])?.is_none() {
                new.insert(key);
            }
        }
        let (count, _) = self.count(tenant, kind)?;
        let fits = new.is_empty() || count + new.len() as u64 <= most;
        Ok(fits.then_some(()).ok_or(StoreError::TooMany { kind, most }))
    }

    fn count(&self, tenant: &Tenant, kind: Kind) -> Result<(u64, u64), Failed> {
        let count = self.counts.get(&keys::kind(tenant, kind)[..])?;
        Ok(count.map_or((0, 0), |count| count.value()))
    }

    fn keep(&mut self, tenant: &Tenant, object: &Object) -> Result<bool, Failed> {
        let key = keys::object(tenant, object.kind(), &object.id());
        let len = object.bytes().len() as u64;
        let before = self.marks.get(&key[..])?.map(|mark| mark.value().0);
        // Later than before, whatever the clock says: nothing that goes by the old time takes it away.
        let at = before.map_or(self.now, |before| self.now.max(before + 1));
        self.marks.insert(&key[..], (at, len))?;
        self.written = true;
        if before.is_none() {
            self.objects.insert(&key[..], &object.bytes()[..])?;
            self.add(tenant, object.kind(), 1, i128::from(len))?;
        }
        Ok(before.is_none())
    }

    fn add(&mut self, tenant: &Tenant, kind: Kind, more: i128, bytes: i128) -> Result<(), Failed> {
        let (count, all) = self.count(tenant, kind)?;
        let sum = |before: u64, more: i128| {
            u64::try_from(i128::from(before) + more).map_err(|_| StoreError::Damaged {
                at: format!("the count of {}s", kind.name()),
                what: "it is less than what is there".into(),
            })
        };
        let sums = (sum(count, more)?, sum(all, bytes)?);
        let key = keys::kind(tenant, kind);
        if sums.0 == 0 {
            self.counts.remove(&key[..])?;
        } else {
            self.counts.insert(&key[..], sums)?;
        }
        Ok(())
    }

    pub(super) fn sweep(
        &mut self,
        tenant: &Tenant,
        kind: Kind,
        objects: &[(Digest, SystemTime)],
    ) -> Result<u64, Failed> {
        let (mut gone, mut bytes) = (0, 0);
        for (id, time) in objects {
            let key = keys::object(tenant, kind, id);
            let mark = self.marks.get(&key[..])?.map(|mark| mark.value());
            let Some((_, len)) = mark.filter(|(at, _)| *at <= micros(*time)) else {
                continue;
            };
            self.marks.remove(&key[..])?;
            self.objects.remove(&key[..])?;
            gone += 1;
            bytes += i128::from(len);
        }
        if gone > 0 {
            self.written = true;
            self.add(tenant, kind, -i128::from(gone), -bytes)?;
        }
        Ok(gone)
    }

    pub(super) fn advance(&mut self, tenant: &Tenant, change: &Move) -> Result<Moved, Failed> {
        let key = keys::named(tenant, &change.at);
        let now = read_ref(&self.refs, tenant, &change.at)?;
        if now.as_ref().map_or(0, |state| state.version) != change.from {
            return Ok(Moved::Stale(now));
        }
        for object in &change.objects {
            self.keep(tenant, object)?;
        }
        let state = RefState {
            version: change.from + 1,
            value: change.value.clone(),
        };
        let mut record = state.version.to_be_bytes().to_vec();
        record.extend_from_slice(&seal::of_ref(tenant, &change.at, &state));
        record.extend_from_slice(&state.value);
        self.refs.insert(&key[..], &record[..])?;
        if let Some(id) = change.log {
            let version = state.version;
            let seal = seal::of_log(tenant, &change.at, &Logged { version, id });
            let record = [&id.as_bytes()[..], &seal[..]].concat();
            let key = keys::logged(tenant, &change.at, version);
            self.logs.insert(&key[..], &record[..])?;
        }
        self.written = true;
        self.moved.push((tenant.clone(), change.at.clone()));
        Ok(Moved::Done(state))
    }

    pub(super) fn forget(
        &mut self,
        tenant: &Tenant,
        at: &RefName,
        version: u64,
    ) -> Result<bool, Failed> {
        let now = read_ref(&self.refs, tenant, at)?;
        if now.is_none_or(|state| state.version != version) {
            return Ok(false);
        }
        self.refs.remove(&keys::named(tenant, at)[..])?;
        let lines = keys::under(keys::log(tenant, at));
        self.logs
            .retain_in::<&[u8], _>(&lines.start[..]..&lines.end[..], |_, _| false)?;
        self.written = true;
        self.moved.push((tenant.clone(), at.clone()));
        Ok(true)
    }
}

/// The tables as they were at some time, to be read.
pub(super) struct Reading<'t>(pub(super) &'t ReadTransaction);

impl Reading<'_> {
    pub(super) fn get(
        &self,
        tenant: &Tenant,
        kind: Kind,
        id: Digest,
    ) -> Result<Option<Bytes>, Failed> {
        let found = self.get_many(tenant, kind, &[id])?;
        Ok(found.into_iter().next().flatten())
    }

    pub(super) fn get_many(
        &self,
        tenant: &Tenant,
        kind: Kind,
        ids: &[Digest],
    ) -> Result<Vec<Option<Bytes>>, Failed> {
        let objects = self.0.open_table(OBJECTS)?;
        let get = |id| {
            let bytes = objects.get(&keys::object(tenant, kind, id)[..])?;
            Ok(bytes.map(|bytes| Bytes::copy_from_slice(bytes.value())))
        };
        ids.iter().map(get).collect()
    }

    pub(super) fn list(
        &self,
        tenant: &Tenant,
        kind: Kind,
        after: Option<Digest>,
        most: usize,
    ) -> Result<Vec<Listed>, Failed> {
        let begin = keys::kind(tenant, kind);
        let prefix = begin.len();
        let keys = match after {
            Some(id) => keys::after(begin, keys::object(tenant, kind, &id)),
            None => keys::under(begin),
        };
        let marks = self.0.open_table(MARKS)?;
        let mut listed = Vec::new();
        for mark in marks
            .range::<&[u8]>(&keys.start[..]..&keys.end[..])?
            .take(most)
        {
            let (key, mark) = mark?;
            let id = key.value().get(prefix..).and_then(|id| id.try_into().ok());
            let id = id.ok_or_else(|| damaged("the list of objects", "a key has no id"))?;
            let (at, len) = mark.value();
            listed.push(Listed {
                id: Digest::from_bytes(id),
                len,
                kept_at: UNIX_EPOCH + Duration::from_micros(at),
            });
        }
        Ok(listed)
    }

    pub(super) fn read(&self, tenant: &Tenant, at: &RefName) -> Result<Option<RefState>, Failed> {
        read_ref(&self.0.open_table(REFS)?, tenant, at)
    }

    pub(super) fn refs(
        &self,
        tenant: &Tenant,
        kind: RefKind,
        after: Option<&str>,
        most: usize,
    ) -> Result<Vec<(String, RefState)>, Failed> {
        let begin = keys::refs(tenant, kind);
        let prefix = begin.len();
        let keys = match after {
            Some(name) => keys::after(begin, keys::named(tenant, &RefName::new(kind, name))),
            None => keys::under(begin),
        };
        let refs = self.0.open_table(REFS)?;
        let mut listed = Vec::new();
        for found in refs
            .range::<&[u8]>(&keys.start[..]..&keys.end[..])?
            .take(most)
        {
            let (key, record) = found?;
            let name = key.value().get(prefix..);
            let name = name.and_then(|name| std::str::from_utf8(name).ok());
            let name = name.ok_or_else(|| damaged("the list of refs", "a name is no text"))?;
            let at = RefName::new(kind, name);
            let state = unsealed(tenant, &at, record.value())?;
            listed.push((at.name, state));
        }
        Ok(listed)
    }

    pub(super) fn log(
        &self,
        tenant: &Tenant,
        at: &RefName,
        after: u64,
        most: usize,
    ) -> Result<Vec<Logged>, Failed> {
        let begin = keys::log(tenant, at);
        let prefix = begin.len();
        let keys = keys::after(begin, keys::logged(tenant, at, after));
        let logs = self.0.open_table(LOGS)?;
        let mut lines = Vec::new();
        for line in logs
            .range::<&[u8]>(&keys.start[..]..&keys.end[..])?
            .take(most)
        {
            let (key, record) = line?;
            let broken = || {
                damaged(
                    &place(tenant, at),
                    "a line of its log is not what was written",
                )
            };
            let version = key.value().get(prefix..).and_then(|it| it.try_into().ok());
            let version = u64::from_be_bytes(version.ok_or_else(broken)?);
            let (id, seal) = record.value().split_at_checked(32).ok_or_else(broken)?;
            let id = Digest::from_bytes(id.try_into().map_err(|_| broken())?);
            let line = Logged { version, id };
            if seal != seal::of_log(tenant, at, &line) {
                return Err(broken().into());
            }
            lines.push(line);
        }
        Ok(lines)
    }

    pub(super) fn tenants(&self) -> Result<Vec<Tenant>, Failed> {
        let mut tenants = Vec::new();
        let (counts, refs) = (self.0.open_table(COUNTS)?, self.0.open_table(REFS)?);
        for count in counts.range::<&[u8]>(..)? {
            tenants.extend(keys::tenant_of(count?.0.value()).map(|(tenant, _)| tenant));
        }
        for found in refs.range::<&[u8]>(..)? {
            tenants.extend(keys::tenant_of(found?.0.value()).map(|(tenant, _)| tenant));
            tenants.dedup();
        }
        tenants.sort();
        tenants.dedup();
        Ok(tenants)
    }
}

fn read_ref(
    refs: &impl ReadableTable<&'static [u8], &'static [u8]>,
    tenant: &Tenant,
    at: &RefName,
) -> Result<Option<RefState>, Failed> {
    let record = refs.get(&keys::named(tenant, at)[..])?;
    let state = record.map(|record| unsealed(tenant, at, record.value()));
    Ok(state.transpose()?)
}

fn unsealed(tenant: &Tenant, at: &RefName, record: &[u8]) -> Result<RefState, StoreError> {
    let broken = || damaged(&place(tenant, at), "it is not what was written");
    let (version, rest) = record.split_first_chunk().ok_or_else(broken)?;
    let (seal, value) = rest.split_at_checked(seal::LEN).ok_or_else(broken)?;
    let state = RefState {
        version: u64::from_be_bytes(*version),
        value: Bytes::copy_from_slice(value),
    };
    if seal == seal::of_ref(tenant, at, &state) {
        Ok(state)
    } else {
        Err(broken())
    }
}

fn place(tenant: &Tenant, at: &RefName) -> String {
    format!("{} {} of {tenant}", at.kind.name(), at.name)
}

fn damaged(at: &str, what: &str) -> StoreError {
    StoreError::Damaged {
        at: at.to_owned(),
        what: what.to_owned(),
    }
}

/// A time as it is kept.
fn micros(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_micros().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use redb::{Database, backends::InMemoryBackend};

    use super::*;

    /// Keeps an object at a time that the clock tells.
    fn keep_at(database: &Database, object: &Object, now: u64) {
        let begin = database.begin_write().unwrap();
        let mut tables = Tables::open(&begin).unwrap();
        tables.now = now;
        tables.keep(&Tenant::main(), object).unwrap();
        drop(tables);
        begin.commit().unwrap();
    }

    fn kept_at(database: &Database) -> SystemTime {
        use redb::ReadableDatabase as _;
        let begin = database.begin_read().unwrap();
        let listed = Reading(&begin).list(&Tenant::main(), Kind::Map, None, 1);
        listed.unwrap()[0].kept_at
    }

    #[test]
    fn what_is_kept_again_is_newer_whatever_the_clock_says() {
        let backend = InMemoryBackend::new();
        let database = redb::Builder::new().create_with_backend(backend).unwrap();
        let object = Object::new(Kind::Map, "a map");
        keep_at(&database, &object, 5_000_000);
        let before = kept_at(&database);
        // The clock is set back by a second, and by more than there is.
        for now in [4_000_000, 0] {
            keep_at(&database, &object, now);
            let begin = database.begin_write().unwrap();
            let mut tables = Tables::open(&begin).unwrap();
            let old = [(object.id(), before)];
            assert_eq!(tables.sweep(&Tenant::main(), Kind::Map, &old).unwrap(), 0);
            drop(tables);
            begin.commit().unwrap();
        }
        assert_eq!(kept_at(&database), before + Duration::from_micros(2));
        keep_at(&database, &object, 9_000_000);
        assert_eq!(kept_at(&database), UNIX_EPOCH + Duration::from_secs(9));
    }
}
