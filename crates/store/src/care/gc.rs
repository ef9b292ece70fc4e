//! What nobody needs any more.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, SystemTime};

use alamein_terrain::Digest;

use super::links::{Link, Links, Unread};
use super::{Objects, Whose, log, refs, shown, tenants};
use crate::error::StoreError;
use crate::object::{Kind, Listed};
use crate::pinned::revision_ref;
use crate::refs::RefKind;
use crate::store::Store;
use crate::tenant::Tenant;

/// How many objects are swept in one call.
const SWEEP: usize = 500;

/// How to collect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcOptions {
    /// Whose. The house's builds go only where it is everybody's.
    pub whose: Whose,
    /// Nothing that was kept, or wanted to be kept, within this time is dropped. Who has made a position
    /// and has not used it yet must not lose it.
    pub older_than: Duration,
    /// Whether anything is dropped at all; if not, it is only told.
    pub apply: bool,
}

/// What was, or would be, dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// How many objects of each kind of each tenant, and how many bytes they have.
    pub dropped: BTreeMap<(Tenant, Kind), (u64, u64)>,
    /// How many objects stay, and how many bytes they have.
    pub kept: (u64, u64),
}

/// Why nothing is collected. Nothing was dropped.
#[derive(Debug, thiserror::Error)]
pub enum GcError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It cannot be told what something names, so nobody knows what is needed.
    #[error("{at} cannot be read, so that what it needs is not known: {why}")]
    Unread {
        /// What.
        at: String,
        /// Why, and what to do.
        why: String,
    },
}

/// Finds what no game, no tag and no ruleset leads to, and drops what of that is old enough.
///
/// What a game leads to are its entries, their positions and the maps of these; what a ruleset, a tag or a
/// revision leads to are its records and its builds. A position that no game has is dropped when nobody has
/// wanted to keep it for long.
///
/// # Errors
/// Where the store fails, or something cannot be read that may name others.
pub async fn collect(
    store: &dyn Store,
    options: &GcOptions,
    links: &dyn Links,
) -> Result<Collected, GcError> {
    let mut marks = Marks::default();
    let everybody = tenants(store, &None).await?;
    for tenant in &everybody {
        mark(store, tenant, links, &mut marks).await?;
    }
    let before = cutoff(store, &everybody, options.older_than).await?;
    let mut collected = Collected::default();
    for tenant in tenants(store, &options.whose).await? {
        sweep(
            store,
            &tenant,
            &marks,
            before,
            options.apply,
            &mut collected,
        )
        .await?;
    }
    Ok(collected)
}

/// What is needed.
type Marks = HashSet<(Tenant, Kind, Digest)>;

/// Marks all that a tenant needs.
async fn mark(
    store: &dyn Store,
    tenant: &Tenant,
    links: &dyn Links,
    marks: &mut Marks,
) -> Result<(), GcError> {
    let mut todo = Vec::new();
    for kind in RefKind::ALL {
        for (at, state) in refs(store, tenant, kind).await? {
            let place = || format!("{} {} of {}", kind.name(), at.name, shown(tenant));
            todo.extend(known(links.of_ref(kind, &state.value), place)?);
            for line in log(store, tenant, &at).await? {
                // What other logs name is nothing that is kept.
                if kind == RefKind::Game {
                    todo.push(Link::Own(Kind::Entry, line.id));
                }
            }
        }
    }
    while let Some(link) = todo.pop() {
        let (of, kind, id) = match link {
            Link::Own(kind, id) => (tenant.clone(), kind, id),
            Link::House(kind, id) => (Tenant::house(), kind, id),
            Link::Revision(fingerprint) => {
                let state = store.read(tenant, &revision_ref(fingerprint)).await?;
                let Some(state) = state else { continue };
                let place = || format!("revision {fingerprint} of {}", shown(tenant));
                todo.extend(known(links.of_ref(RefKind::Revision, &state.value), place)?);
                continue;
            }
        };
        if !marks.insert((of.clone(), kind, id)) || names_nothing(kind) {
            continue;
        }
        // What is not there names nothing; `check` tells of it.
        if let Some(bytes) = store.get(&of, kind, id).await? {
            let place = || format!("{} {id} of {}", kind.name(), shown(&of));
            todo.extend(known(links.of_object(kind, &bytes), place)?);
        }
    }
    Ok(())
}

/// Whether objects of a kind name no others, so that they need not be read.
fn names_nothing(kind: Kind) -> bool {
    matches!(kind, Kind::Map | Kind::Build)
}

fn known(links: Result<Vec<Link>, Unread>, at: impl Fn() -> String) -> Result<Vec<Link>, GcError> {
    links.map_err(|unread| GcError::Unread {
        at: at(),
        why: match unread {
            Unread::Damaged(what) => format!("{what}; see `alamein store check`"),
            Unread::Unknown => "this version does not know its form; use a newer one".into(),
        },
    })
}

/// The time before which something must have been kept to be dropped. It goes by the newest thing that is
/// kept and by the clock, whichever is earlier: a clock that has jumped ahead makes nothing old.
async fn cutoff(
    store: &dyn Store,
    tenants: &[Tenant],
    older_than: Duration,
) -> Result<SystemTime, StoreError> {
    let mut newest = SystemTime::UNIX_EPOCH;
    for tenant in tenants {
        for kind in Kind::ALL {
            let mut objects = Objects::of(store, tenant, kind);
            loop {
                let page = objects.page().await?;
                let Some(last) = page.iter().map(|listed| listed.kept_at).max() else {
                    break;
                };
                newest = newest.max(last);
            }
        }
    }
    let now = SystemTime::now().min(newest);
    Ok(now
        .checked_sub(older_than)
        .unwrap_or(SystemTime::UNIX_EPOCH))
}

async fn sweep(
    store: &dyn Store,
    tenant: &Tenant,
    marks: &Marks,
    before: SystemTime,
    apply: bool,
    collected: &mut Collected,
) -> Result<(), StoreError> {
    for kind in Kind::ALL {
        let mut objects = Objects::of(store, tenant, kind);
        loop {
            let page = objects.page().await?;
            if page.is_empty() {
                break;
            }
            let goes = |it: &Listed| {
                it.kept_at <= before && !marks.contains(&(tenant.clone(), kind, it.id))
            };
            let (goes, stays): (Vec<Listed>, Vec<Listed>) = page.into_iter().partition(goes);
            collected.kept.0 += stays.len() as u64;
            collected.kept.1 += stays.iter().map(|it| it.len).sum::<u64>();
            for some in goes.chunks(SWEEP) {
                let old: Vec<_> = some.iter().map(|it| (it.id, it.kept_at)).collect();
                let gone = match apply {
                    true => store.sweep(tenant, kind, &old).await?,
                    false => old.len() as u64,
                };
                let count = collected.dropped.entry((tenant.clone(), kind)).or_default();
                count.0 += gone;
                count.1 += some.iter().map(|it| it.len).sum::<u64>();
            }
        }
    }
    collected.dropped.retain(|_, (count, _)| *count > 0);
    Ok(())
}
