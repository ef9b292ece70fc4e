//! Where maps, positions, games and rulesets are kept.

mod tenant;

pub use tenant::{Tenant, TenantError};
