//! Where maps, positions, games and rulesets are kept.
//!
//! A [`Store`] keeps two sorts of things, each tenant's apart from every other's. *Objects* never change
//! and are named by the hash of their bytes: maps, positions, entries of games, revisions of rulesets,
//! builds of plugins. *Refs* have names and move from one value to the next by compare-and-swap, and each
//! keeps a log: games, names of rulesets, tags. Nothing else is ever kept, so a store needs little to be
//! one, and what it holds can be checked without knowing what it means.
//!
//! [`Keeper`] stands in front of a store: it speaks of maps and positions, and remembers those that were
//! used of late.

pub mod care;
mod config;
mod embedded;
mod error;
mod keeper;
mod measured;
mod memory;
mod metrics;
mod object;
mod packed;
pub mod pinned;
mod postgres;
mod refs;
mod seal;
mod store;
mod tenant;

pub use config::StoreConfig;
pub use embedded::{Embedded, EmbeddedConfig};
pub use error::StoreError;
pub use keeper::{Keeper, KeeperConfig};
pub use measured::Measured;
pub use memory::Memory;
pub use metrics::{Held, StoreMetrics};
pub use object::{Kind, Listed, Object};
pub use postgres::{Postgres, PostgresConfig};
pub use refs::{Logged, Move, Moved, RefKind, RefName, RefState};
pub use store::{Connections, Room, Store};
pub use tenant::{Tenant, TenantError};
