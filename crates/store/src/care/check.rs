//! Whether all that a store has is well.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use alamein_terrain::{Digest, Map, Position};
use bytes::Bytes;

use super::links::{Link, Links, Unread};
use super::{Objects, Whose, log, refs, shown, tenants};
use crate::error::StoreError;
use crate::object::{Kind, Object};
use crate::pinned::revision_ref;
use crate::refs::{RefKind, RefName, RefState};
use crate::store::Store;
use crate::tenant::Tenant;

/// What a check has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// How many objects there are of each kind of each tenant, and how many bytes they have.
    pub objects: BTreeMap<(Tenant, Kind), (u64, u64)>,
    /// How many refs there are of each kind of each tenant.
    pub refs: BTreeMap<(Tenant, RefKind), u64>,
    /// What is wrong.
    pub wrong: Vec<Wrong>,
    /// How many things have a form that this version does not know, so that what they name was not looked
    /// for.
    pub unknown: u64,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Whose it is.
    pub tenant: Tenant,
    /// Which thing: `map 1f3a...`, `game desert-fox`.
    pub at: String,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub help: &'static str,
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} of {}: {}; {}",
            self.at,
            shown(&self.tenant),
            self.what,
            self.help
        )
    }
}

const BACKUP: &str = "import it from a backup";
const MAKE_AGAIN: &str = "create it again, or import it from a backup";
const LOAD_AGAIN: &str = "load the plugin again, or import it from a backup";

fn help(kind: Kind) -> &'static str {
    match kind {
        Kind::Map | Kind::Position => MAKE_AGAIN,
        Kind::Build => LOAD_AGAIN,
        Kind::Entry | Kind::Ruleset => BACKUP,
    }
}

/// Checks all: each object's bytes have its id and can be read, each ref and its log are as they were
/// written, and all that anything names is there. Calls `progress` with how many things were looked at.
///
/// # Errors
/// Where the store cannot be reached, or cannot even be listed.
pub async fn check(
    store: &dyn Store,
    whose: &Whose,
    links: &dyn Links,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Checked, StoreError> {
    let mut checking = Checking {
        store,
        links,
        progress,
        looked_at: 0,
        checked: Checked::default(),
        house: HashSet::new(),
    };
    checking.house = checking.ids(&Tenant::house()).await?;
    for tenant in tenants(store, whose).await? {
        checking.tenant(&tenant).await?;
    }
    Ok(checking.checked)
}

type Ids = HashSet<(Kind, Digest)>;

struct Checking<'a> {
    store: &'a dyn Store,
    links: &'a dyn Links,
    progress: &'a mut (dyn FnMut(u64) + Send),
    looked_at: u64,
    checked: Checked,
    house: Ids,
}

impl Checking<'_> {
    async fn ids(&self, tenant: &Tenant) -> Result<Ids, StoreError> {
        let mut ids = HashSet::new();
        for kind in Kind::ALL {
            let mut objects = Objects::of(self.store, tenant, kind);
            loop {
                let page = objects.page().await?;
                if page.is_empty() {
                    break;
                }
                ids.extend(page.iter().map(|listed| (kind, listed.id)));
            }
        }
        Ok(ids)
    }

    async fn tenant(&mut self, tenant: &Tenant) -> Result<(), StoreError> {
        let ids = self.ids(tenant).await?;
        let mut last_map = None;
        for kind in Kind::ALL {
            let mut objects = Objects::of(self.store, tenant, kind);
            loop {
                let page = objects.page().await?;
                if page.is_empty() {
                    break;
                }
                for listed in page {
                    let bytes = self.object(tenant, kind, listed.id, listed.len).await?;
                    if let Some(bytes) = bytes {
                        self.content(tenant, kind, listed.id, &bytes, &ids, &mut last_map)
                            .await?;
                    }
                }
            }
        }
        for kind in RefKind::ALL {
            self.refs(tenant, kind, &ids).await?;
        }
        Ok(())
    }

    fn seen(&mut self) {
        self.looked_at += 1;
        (self.progress)(self.looked_at);
    }

    fn wrong(&mut self, tenant: &Tenant, at: String, what: String, help: &'static str) {
        let tenant = tenant.clone();
        self.checked.wrong.push(Wrong {
            tenant,
            at,
            what,
            help,
        });
    }

    /// The bytes of an object, if they are what they should be.
    async fn object(
        &mut self,
        tenant: &Tenant,
        kind: Kind,
        id: Digest,
        len: u64,
    ) -> Result<Option<Bytes>, StoreError> {
        self.seen();
        let count = self
            .checked
            .objects
            .entry((tenant.clone(), kind))
            .or_default();
        count.0 += 1;
        count.1 += len;
        let wrong = match self.store.get(tenant, kind, id).await {
            Ok(Some(bytes)) if Object::new(kind, bytes.clone()).id() == id => {
                return Ok(Some(bytes));
            }
            Ok(Some(_)) => "its bytes are not those that it was named for".to_owned(),
            // Somebody may have swept it away meanwhile.
            Ok(None) => match self.store.list(tenant, kind, before(id), 1).await?.first() {
                Some(listed) if listed.id == id => "it is listed and not there".to_owned(),
                _ => return Ok(None),
            },
            Err(error @ StoreError::Damaged { .. }) => error.to_string(),
            Err(error) => return Err(error),
        };
        self.wrong(tenant, name(kind, id), wrong, help(kind));
        Ok(None)
    }

    /// Whether an object can be read, and all that it names is there.
    async fn content(
        &mut self,
        tenant: &Tenant,
        kind: Kind,
        id: Digest,
        bytes: &Bytes,
        ids: &Ids,
        last_map: &mut Option<Arc<Map>>,
    ) -> Result<(), StoreError> {
        match self.links.of_object(kind, bytes) {
            Ok(links) => {
                self.check_links(tenant, &name(kind, id), &links, ids)
                    .await?
            }
            Err(Unread::Unknown) => self.checked.unknown += 1,
            Err(Unread::Damaged(what)) => self.wrong(tenant, name(kind, id), what, help(kind)),
        }
        let read = match kind {
            Kind::Map => Map::from_canonical(bytes)
                .map(|_| ())
                .map_err(|error| error.to_string()),
            Kind::Position => self.position(tenant, bytes, last_map).await?,
            Kind::Entry | Kind::Ruleset | Kind::Build => Ok(()),
        };
        if let Err(what) = read {
            self.wrong(tenant, name(kind, id), what, help(kind));
        }
        Ok(())
    }

    /// Whether a position can be read, if its map can.
    async fn position(
        &self,
        tenant: &Tenant,
        bytes: &Bytes,
        last_map: &mut Option<Arc<Map>>,
    ) -> Result<Result<(), String>, StoreError> {
        let Ok(id) = Position::map_id_in(bytes) else {
            return Ok(Ok(()));
        };
        // Many positions have the same map, and are often listed one after another.
        let known = last_map
            .as_ref()
            .filter(|map| map.id() == id)
            .map(Arc::clone);
        let map = match known {
            Some(map) => map,
            None => {
                let found = match self.store.get(tenant, Kind::Map, id).await {
                    Ok(found) => found,
                    // It is told of the map.
                    Err(StoreError::Damaged { .. }) => None,
                    Err(error) => return Err(error),
                };
                let Some(map) = found.and_then(|bytes| Map::from_canonical(&bytes).ok()) else {
                    return Ok(Ok(()));
                };
                Arc::new(map)
            }
        };
        *last_map = Some(Arc::clone(&map));
        let read = Position::from_canonical(bytes, map);
        Ok(read.map(|_| ()).map_err(|error| error.to_string()))
    }

    async fn check_links(
        &mut self,
        tenant: &Tenant,
        at: &str,
        links: &[Link],
        ids: &Ids,
    ) -> Result<(), StoreError> {
        for link in links {
            let (there, what, help) = match *link {
                Link::Own(kind, id) => (ids.contains(&(kind, id)), name(kind, id), help(kind)),
                Link::House(kind, id) => {
                    (self.house.contains(&(kind, id)), name(kind, id), help(kind))
                }
                Link::Revision(fingerprint) => {
                    let at = revision_ref(fingerprint);
                    let there = match self.store.read(tenant, &at).await {
                        Ok(there) => there.is_some(),
                        // It is told of the revision.
                        Err(StoreError::Damaged { .. }) => true,
                        Err(error) => return Err(error),
                    };
                    (there, format!("revision {fingerprint}"), BACKUP)
                }
            };
            if !there {
                let what = format!("its {what} is not there");
                self.wrong(tenant, at.to_owned(), what, help);
            }
        }
        Ok(())
    }

    async fn refs(&mut self, tenant: &Tenant, kind: RefKind, ids: &Ids) -> Result<(), StoreError> {
        let all = match refs(self.store, tenant, kind).await {
            Ok(all) => all,
            Err(StoreError::Damaged { at, what }) => {
                self.wrong(tenant, at, what, BACKUP);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        for (at, state) in all {
            self.seen();
            *self.checked.refs.entry((tenant.clone(), kind)).or_default() += 1;
            self.one_ref(tenant, &at, &state, ids).await?;
        }
        Ok(())
    }

    async fn one_ref(
        &mut self,
        tenant: &Tenant,
        at: &RefName,
        state: &RefState,
        ids: &Ids,
    ) -> Result<(), StoreError> {
        let place = format!("{} {}", at.kind.name(), at.name);
        match self.links.of_ref(at.kind, &state.value) {
            Ok(links) => self.check_links(tenant, &place, &links, ids).await?,
            Err(Unread::Unknown) => self.checked.unknown += 1,
            Err(Unread::Damaged(what)) => self.wrong(tenant, place.clone(), what, BACKUP),
        }
        let lines = match log(self.store, tenant, at).await {
            Ok(lines) => lines,
            Err(StoreError::Damaged { what, .. }) => {
                self.wrong(tenant, place, what, BACKUP);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        for line in lines {
            if at.kind == RefKind::Game && !ids.contains(&(Kind::Entry, line.id)) {
                let what = format!("its {} is not there", name(Kind::Entry, line.id));
                self.wrong(tenant, place.clone(), what, BACKUP);
            }
            if line.version > state.version {
                let what = format!(
                    "its log has a version {}, and it has {}",
                    line.version, state.version
                );
                self.wrong(tenant, place.clone(), what, BACKUP);
            }
        }
        Ok(())
    }
}

/// The id before an id.
fn before(id: Digest) -> Option<Digest> {
    let mut bytes = *id.as_bytes();
    for byte in bytes.iter_mut().rev() {
        let (less, borrows) = byte.overflowing_sub(1);
        *byte = less;
        if !borrows {
            return Some(Digest::from_bytes(bytes));
        }
    }
    None
}

fn name(kind: Kind, id: Digest) -> String {
    format!("{} {id}", kind.name())
}
