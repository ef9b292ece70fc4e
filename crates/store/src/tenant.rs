//! Tenants: who keeps things apart from whom.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The longest name of a tenant, in bytes.
const LONGEST: usize = 64;

/// The name of a tenant: one of those who share a service and see nothing of each other.
///
/// It has 1 to 64 lower-case letters, digits and hyphens, and begins with a letter or digit.
///
/// ```
/// use alamein_store::Tenant;
/// let club: Tenant = "desert-club".parse().unwrap();
/// assert_eq!(club.as_str(), "desert-club");
/// assert!("Desert Club".parse::<Tenant>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tenant(Arc<str>);

/// A name that no tenant can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} cannot be a tenant's name: it takes 1 to 64 lower-case letters, digits and hyphens, and begins with \
     a letter or digit"
)]
pub struct TenantError(pub String);

impl Tenant {
    /// The tenant of everybody where nobody is asked who they are.
    #[must_use]
    pub fn main() -> Self {
        Self("main".into())
    }

    /// The service itself: what it keeps for all tenants, such as builds of plugins. No token has it,
    /// since it cannot be written.
    #[must_use]
    pub fn house() -> Self {
        Self("".into())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Tenant {
    type Err = TenantError;

    fn from_str(name: &str) -> Result<Self, TenantError> {
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let fine =
            (1..=LONGEST).contains(&name.len()) && name.bytes().all(fits) && !name.starts_with('-');
        if fine {
            Ok(Self(name.into()))
        } else {
            Err(TenantError(name.into()))
        }
    }
}

impl fmt::Display for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_plain() {
        for name in ["a", "club-2", "7", &"x".repeat(64)] {
            assert!(name.parse::<Tenant>().is_ok(), "{name}");
        }
        for name in ["", "-a", "A", "a b", "a/b", "ä", &"x".repeat(65)] {
            assert_eq!(name.parse::<Tenant>(), Err(TenantError(name.into())));
        }
    }
}
