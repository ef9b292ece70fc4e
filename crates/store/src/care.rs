//! Looking after a store: what is in it, whether all of it is well, how it goes from one store to another,
//! and what nobody needs any more.

mod check;
mod exchange;
mod gc;
mod links;

use alamein_terrain::Digest;

use crate::error::StoreError;
use crate::object::{Kind, Listed};
use crate::refs::{Logged, RefKind, RefName, RefState};
use crate::store::Store;
use crate::tenant::Tenant;

pub use check::{Checked, Wrong, check};
pub use exchange::{ExchangeError, Exported, Imported, export, import};
pub use gc::{Collected, GcError, GcOptions, collect};
pub use links::{KnownLinks, Link, Links, Unread};

/// How many are read at once.
const PAGE: usize = 500;

/// Whose things are looked after: one tenant's, or everybody's and the house's.
pub type Whose = Option<Tenant>;

async fn tenants(store: &dyn Store, whose: &Whose) -> Result<Vec<Tenant>, StoreError> {
    match whose {
        None => store.tenants().await,
        Some(tenant) => Ok(vec![tenant.clone()]),
    }
}

/// Counts what a store has. Nothing is read but lists.
///
/// # Errors
/// Where the store cannot be reached, or its lists are damaged.
pub async fn count(store: &dyn Store, whose: &Whose) -> Result<Checked, StoreError> {
    let mut counted = Checked::default();
    for tenant in tenants(store, whose).await? {
        for kind in Kind::ALL {
            let mut objects = Objects::of(store, &tenant, kind);
            loop {
                let page = objects.page().await?;
                if page.is_empty() {
                    break;
                }
                let count = counted.objects.entry((tenant.clone(), kind)).or_default();
                count.0 += page.len() as u64;
                count.1 += page.iter().map(|listed| listed.len).sum::<u64>();
            }
        }
        for kind in RefKind::ALL {
            let many = refs(store, &tenant, kind).await?.len() as u64;
            if many > 0 {
                counted.refs.insert((tenant.clone(), kind), many);
            }
        }
    }
    Ok(counted)
}

/// All objects of a kind, page by page.
struct Objects<'a> {
    store: &'a dyn Store,
    tenant: &'a Tenant,
    kind: Kind,
    after: Option<Digest>,
    over: bool,
}

impl<'a> Objects<'a> {
    fn of(store: &'a dyn Store, tenant: &'a Tenant, kind: Kind) -> Self {
        Self {
            store,
            tenant,
            kind,
            after: None,
            over: false,
        }
    }

    /// The next of them; none are left where it is empty.
    async fn page(&mut self) -> Result<Vec<Listed>, StoreError> {
        if self.over {
            return Ok(Vec::new());
        }
        let page = self.store.list(self.tenant, self.kind, self.after, PAGE);
        let page = page.await?;
        self.over = page.len() < PAGE;
        self.after = page.last().map(|listed| listed.id);
        Ok(page)
    }
}

/// All refs of a kind. There are few of them beside objects.
async fn refs(
    store: &dyn Store,
    tenant: &Tenant,
    kind: RefKind,
) -> Result<Vec<(RefName, RefState)>, StoreError> {
    let mut all: Vec<(RefName, RefState)> = Vec::new();
    loop {
        let after = all.last().map(|(at, _)| at.name.clone());
        let page = store.refs(tenant, kind, after.as_deref(), PAGE).await?;
        let over = page.len() < PAGE;
        all.extend(
            page.into_iter()
                .map(|(name, state)| (RefName::new(kind, name), state)),
        );
        if over {
            return Ok(all);
        }
    }
}

/// The whole log of a ref.
async fn log(store: &dyn Store, tenant: &Tenant, at: &RefName) -> Result<Vec<Logged>, StoreError> {
    let mut all: Vec<Logged> = Vec::new();
    loop {
        let after = all.last().map_or(0, |line| line.version);
        let page = store.log(tenant, at, after, PAGE).await?;
        let over = page.len() < PAGE;
        all.extend(page);
        if over {
            return Ok(all);
        }
    }
}

/// How a tenant is called in messages.
fn shown(tenant: &Tenant) -> String {
    if *tenant == Tenant::house() {
        return "the house".into();
    }
    format!("tenant {tenant}")
}
