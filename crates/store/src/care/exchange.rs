//! From one store to another, by way of a file.
//!
//! The file is text, a JSON object on each line. The first line is `{"alamein_export": 1}`, which is the
//! number of this form. Then come refs, each with its log: `{"tenant", "ref": "game", "name", "version",
//! "value", "log": [[version, id]...]}`, and then objects: `{"tenant", "object": "map", "id", "bytes"}`;
//! values and bytes are in base64. The last line is `{"end": {"refs", "objects"}}`, with how many there are;
//! a file without it was cut off. The house has the tenant `""`.

use std::io::{self, BufRead, Write};

use alamein_terrain::Digest;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::{Objects, Whose, log, refs, tenants};
use crate::error::StoreError;
use crate::object::{Kind, Object};
use crate::refs::{Logged, Move, Moved, RefKind, RefName, RefState};
use crate::store::{Room, Store};
use crate::tenant::Tenant;

/// The number of the form.
const FORM: u32 = 1;
/// The longest line that is read: more than a plugin's build in base64.
const LONGEST: u64 = 1 << 30;
/// How many bytes are kept in one call.
const BATCH: usize = 4 << 20;

/// What an export has written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exported {
    /// How many refs.
    pub refs: u64,
    /// How many objects.
    pub objects: u64,
}

/// What an import has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// How many objects were in the file.
    pub objects: u64,
    /// How many of them were new here.
    pub new_objects: u64,
    /// How many refs were in the file.
    pub refs: u64,
    /// How many of them were new here, or stood further back.
    pub new_refs: u64,
}

/// Why something could not be written to a file, or read from one.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not what it should be. What came before it is kept.
    #[error("line {line}: {what}")]
    Line {
        /// Its number, from 1.
        line: u64,
        /// What is wrong with it, and what to do.
        what: String,
    },
    /// A ref is here and stands elsewhere. It is left as it is; what came before is kept.
    #[error(
        "{what} stands elsewhere here, at version {here}; import into an empty store, or drop it first"
    )]
    Elsewhere {
        /// Which.
        what: String,
        /// Where it stands here.
        here: u64,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Begin {
        alamein_export: u32,
    },
    Ref {
        tenant: String,
        r#ref: String,
        name: String,
        version: u64,
        value: String,
        log: Vec<(u64, String)>,
    },
    Object {
        tenant: String,
        object: String,
        id: String,
        bytes: String,
    },
    End {
        end: Exported,
    },
}

/// Writes all that a store has, or all of one tenant. Objects are checked before they are written. What is
/// new meanwhile may be left out, but all that a ref names is there.
///
/// # Errors
/// Where the store or the file fails, and where an object is damaged: `alamein store check` tells which
/// are.
pub async fn export(
    store: &dyn Store,
    whose: &Whose,
    to: &mut (dyn Write + Send),
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Exported, ExchangeError> {
    let mut done = Exported::default();
    let begin = Line::Begin {
        alamein_export: FORM,
    };
    write(to, &begin)?;
    let tenants = tenants(store, whose).await?;
    for tenant in &tenants {
        for kind in RefKind::ALL {
            for (at, state) in refs(store, tenant, kind).await? {
                let lines = log(store, tenant, &at).await?;
                // It may have moved since it was read; then the log has more than belongs to it.
                let lines = lines.iter().filter(|line| line.version <= state.version);
                let line = Line::Ref {
                    tenant: tenant.as_str().to_owned(),
                    r#ref: kind.name().to_owned(),
                    name: at.name,
                    version: state.version,
                    value: BASE64.encode(&state.value),
                    log: lines
                        .map(|line| (line.version, line.id.to_string()))
                        .collect(),
                };
                write(to, &line)?;
                done.refs += 1;
                progress(done.refs + done.objects);
            }
        }
    }
    for tenant in &tenants {
        for kind in Kind::ALL {
            let mut objects = Objects::of(store, tenant, kind);
            loop {
                let page = objects.page().await?;
                if page.is_empty() {
                    break;
                }
                for listed in page {
                    done.objects +=
                        u64::from(export_one(store, tenant, kind, listed.id, to).await?);
                    progress(done.refs + done.objects);
                }
            }
        }
    }
    write(to, &Line::End { end: done })?;
    to.flush()?;
    Ok(done)
}

/// Writes an object, unless it is swept away by now.
async fn export_one(
    store: &dyn Store,
    tenant: &Tenant,
    kind: Kind,
    id: Digest,
    to: &mut (dyn Write + Send),
) -> Result<bool, ExchangeError> {
    let Some(bytes) = store.get(tenant, kind, id).await? else {
        return Ok(false);
    };
    if Digest::of(&bytes) != id {
        let what = "its bytes are not those that it was named for";
        return Err(StoreError::damaged(kind, id, what).into());
    }
    let line = Line::Object {
        tenant: tenant.as_str().to_owned(),
        object: kind.name().to_owned(),
        id: id.to_string(),
        bytes: BASE64.encode(&bytes),
    };
    write(to, &line)?;
    Ok(true)
}

fn write(to: &mut (dyn Write + Send), line: &Line) -> Result<(), ExchangeError> {
    serde_json::to_writer(&mut *to, line).map_err(io::Error::from)?;
    Ok(to.write_all(b"\n")?)
}

/// Reads what an export wrote. What is here already stays, so an import that was broken off can be made
/// again. Each object is checked by its id.
///
/// # Errors
/// Where the store or the file fails, where a line is not what it should be, and where a ref is here and
/// stands elsewhere.
pub async fn import(
    store: &dyn Store,
    whose: &Whose,
    from: &mut (dyn BufRead + Send),
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Imported, ExchangeError> {
    let mut importing = Importing {
        store,
        done: Imported::default(),
        batch: Vec::new(),
        bytes: 0,
        of: Tenant::house(),
        refs: Vec::new(),
    };
    let mut number = 0;
    let end = loop {
        number += 1;
        let broken = |what: String| ExchangeError::Line { line: number, what };
        let Some(text) = next(from)? else {
            let what = "the file ends before its end: it was cut off; export it again";
            return Err(broken(what.into()));
        };
        let line: Line = serde_json::from_str(&text)
            .map_err(|_| broken("is none that an export has; export it again".into()))?;
        match line {
            Line::Begin { alamein_export } if number == 1 && alamein_export == FORM => {}
            Line::Begin { alamein_export } if number == 1 => {
                let what = format!(
                    "has the form {alamein_export}, and this version reads {FORM}; use a newer one"
                );
                return Err(broken(what));
            }
            _ if number == 1 => return Err(broken("is not the beginning of an export".into())),
            Line::End { end } => break end,
            other => importing
                .line(other, whose)
                .await
                .map_err(|error| match error {
                    Failed::Line(what) => broken(what),
                    Failed::Store(error) => error.into(),
                })?,
        }
        progress(number);
    };
    if end.objects != importing.done.objects
        || end.refs != importing.refs.len() as u64 + importing.done.refs
    {
        let what = "tells of more or less than there is; export it again".into();
        return Err(ExchangeError::Line { line: number, what });
    }
    importing.keep().await?;
    importing.move_all(whose).await
}

fn next(from: &mut (dyn BufRead + Send)) -> io::Result<Option<String>> {
    let mut text = String::new();
    io::Read::take(from, LONGEST).read_line(&mut text)?;
    Ok(Some(text).filter(|text| !text.is_empty()))
}

enum Failed {
    Line(String),
    Store(StoreError),
}

struct Importing<'a> {
    store: &'a dyn Store,
    done: Imported,
    batch: Vec<Object>,
    bytes: usize,
    /// Whose the batch is.
    of: Tenant,
    /// Refs, to be moved when all that they name is there.
    refs: Vec<(Tenant, RefName, RefState, Vec<Logged>)>,
}

impl Importing<'_> {
    async fn line(&mut self, line: Line, whose: &Whose) -> Result<(), Failed> {
        match line {
            Line::Object {
                tenant,
                object,
                id,
                bytes,
            } => {
                self.done.objects += 1;
                let tenant = tenant_of(&tenant)?;
                let kind = Kind::ALL.into_iter().find(|kind| kind.name() == object);
                let kind =
                    kind.ok_or_else(|| Failed::Line(format!("there is no kind {object:?}")))?;
                let object = Object::new(kind, decoded(&bytes)?);
                if object.id().to_string() != id {
                    let what = format!("its bytes have the id {}, and not {id}", object.id());
                    return Err(Failed::Line(what));
                }
                if whose.as_ref().is_some_and(|whose| *whose != tenant) {
                    return Ok(());
                }
                if self.of != tenant || self.bytes > BATCH {
                    self.keep().await.map_err(Failed::Store)?;
                    self.of = tenant;
                }
                self.bytes += object.bytes().len() + 256;
                self.batch.push(object);
            }
            Line::Ref {
                tenant,
                r#ref,
                name,
                version,
                value,
                log,
            } => {
                let kind = RefKind::ALL.into_iter().find(|kind| kind.name() == r#ref);
                let kind =
                    kind.ok_or_else(|| Failed::Line(format!("there is no ref {:?}", r#ref)))?;
                let value = decoded(&value)?;
                let log = log.into_iter().map(|(version, id)| {
                    let id = id
                        .parse()
                        .map_err(|what: &str| Failed::Line(what.to_owned()))?;
                    Ok(Logged { version, id })
                });
                let log = log.collect::<Result<Vec<_>, Failed>>()?;
                let sorted = log.windows(2).all(|two| two[0].version < two[1].version);
                if !sorted
                    || log
                        .iter()
                        .any(|line| line.version == 0 || line.version > version)
                {
                    return Err(Failed::Line("its log is in no order".into()));
                }
                let state = RefState { version, value };
                let at = RefName::new(kind, name);
                self.refs.push((tenant_of(&tenant)?, at, state, log));
            }
            Line::Begin { .. } | Line::End { .. } => {
                return Err(Failed::Line("an export begins once".into()));
            }
        }
        Ok(())
    }

    async fn keep(&mut self) -> Result<(), StoreError> {
        self.bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() {
            return Ok(());
        }
        let new = self.store.put(&self.of, &batch, &Room::default()).await?;
        self.done.new_objects += new.iter().filter(|new| **new).count() as u64;
        Ok(())
    }

    async fn move_all(mut self, whose: &Whose) -> Result<Imported, ExchangeError> {
        for (tenant, at, state, log) in std::mem::take(&mut self.refs) {
            self.done.refs += 1;
            if whose.as_ref().is_none_or(|whose| *whose == tenant) {
                let moved = self.replay(&tenant, at, state, log).await?;
                self.done.new_refs += u64::from(moved);
            }
        }
        Ok(self.done)
    }

    /// Moves a ref as it had moved, so that it stands where it stood and its log is the same. One that was
    /// moved in part before goes on.
    async fn replay(
        &self,
        tenant: &Tenant,
        at: RefName,
        state: RefState,
        log: Vec<Logged>,
    ) -> Result<bool, ExchangeError> {
        let here = self.store.read(tenant, &at).await?;
        let from = here.as_ref().map_or(0, |here| here.version);
        let elsewhere = || ExchangeError::Elsewhere {
            what: format!("{} {} of {}", at.kind.name(), at.name, super::shown(tenant)),
            here: from,
        };
        if here.is_some_and(|here| here.value != state.value) || from > state.version {
            return Err(elsewhere());
        }
        let logged = super::log(self.store, tenant, &at).await?;
        let same = log.iter().take_while(|line| line.version <= from);
        if !logged.iter().eq(same) {
            return Err(elsewhere());
        }
        for from in from..state.version {
            let line = log
                .binary_search_by_key(&(from + 1), |line| line.version)
                .ok();
            let change = Move {
                at: at.clone(),
                from,
                value: state.value.clone(),
                log: line.map(|at| log[at].id),
                objects: Vec::new(),
            };
            if let Moved::Stale(_) = self.store.advance(tenant, change).await? {
                return Err(elsewhere());
            }
        }
        Ok(from < state.version)
    }
}

fn tenant_of(name: &str) -> Result<Tenant, Failed> {
    if name.is_empty() {
        return Ok(Tenant::house());
    }
    name.parse()
        .map_err(|error: crate::TenantError| Failed::Line(error.to_string()))
}

fn decoded(text: &str) -> Result<Bytes, Failed> {
    let bytes = BASE64.decode(text);
    bytes
        .map(Bytes::from)
        .map_err(|error| Failed::Line(format!("its base64 cannot be read: {error}")))
}
