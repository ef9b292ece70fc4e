//! Seals: what shows that a record is as it was written.
//!
//! Objects have their hash for a name. Refs and their logs have none, so a store keeps a seal with each:
//! the beginning of a hash of all that the record says, and of where it is.

use alamein_terrain::Digest;

use crate::refs::{Logged, RefName, RefState};
use crate::tenant::Tenant;

/// How many bytes a seal has.
pub(crate) const LEN: usize = 8;

/// A seal.
pub(crate) type Seal = [u8; LEN];

/// The seal of where a ref stands.
pub(crate) fn of_ref(tenant: &Tenant, at: &RefName, state: &RefState) -> Seal {
    let value = Digest::of(&state.value);
    of("alamein/store/ref/1", tenant, at, state.version, value)
}

/// The seal of a line of a ref's log.
pub(crate) fn of_log(tenant: &Tenant, at: &RefName, line: &Logged) -> Seal {
    of("alamein/store/log/1", tenant, at, line.version, line.id)
}

fn of(domain: &str, tenant: &Tenant, at: &RefName, version: u64, what: Digest) -> Seal {
    let mut form = Vec::with_capacity(128);
    for text in [domain, tenant.as_str(), at.kind.name(), &at.name] {
        form.extend_from_slice(&(text.len() as u64).to_be_bytes());
        form.extend_from_slice(text.as_bytes());
    }
    form.extend_from_slice(&version.to_be_bytes());
    form.extend_from_slice(what.as_bytes());
    let hash = Digest::of(&form);
    let mut seal = [0; LEN];
    seal.copy_from_slice(&hash.as_bytes()[..LEN]);
    seal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_of_all_that_is_said_and_where() {
        let (main, house) = (Tenant::main(), Tenant::house());
        let at = RefName::game("g");
        let state = |version, value: &'static str| RefState {
            version,
            value: value.into(),
        };
        let seal = of_ref(&main, &at, &state(1, "x"));
        assert_eq!(seal, of_ref(&main, &at, &state(1, "x")));
        assert_ne!(seal, of_ref(&house, &at, &state(1, "x")));
        assert_ne!(seal, of_ref(&main, &RefName::game("h"), &state(1, "x")));
        assert_ne!(seal, of_ref(&main, &at, &state(2, "x")));
        assert_ne!(seal, of_ref(&main, &at, &state(1, "y")));
        let line = Logged {
            version: 1,
            id: Digest::of(b"x"),
        };
        assert_ne!(seal, of_log(&main, &at, &line));
    }
}
