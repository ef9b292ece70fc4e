//! The keys of the tables. Their bytes are in the order in which things are listed.

use std::ops::Range;

use alamein_terrain::Digest;

use crate::object::Kind;
use crate::refs::{RefKind, RefName};
use crate::tenant::Tenant;

/// What a tenant's keys begin with: its name, and the length of it before.
fn tenant(tenant: &Tenant) -> Vec<u8> {
    let name = tenant.as_str().as_bytes();
    let mut key = Vec::with_capacity(name.len() + 40);
    // A name has 64 bytes at most.
    key.push(name.len().try_into().unwrap_or(u8::MAX));
    key.extend_from_slice(name);
    key
}

/// The tenant whose key this is, if it is one, and the rest of the key.
pub(super) fn tenant_of(key: &[u8]) -> Option<(Tenant, &[u8])> {
    let (len, rest) = key.split_first()?;
    let (name, rest) = rest.split_at_checked((*len).into())?;
    let name = std::str::from_utf8(name).ok()?;
    if name.is_empty() {
        return Some((Tenant::house(), rest));
    }
    Some((name.parse().ok()?, rest))
}

/// What the keys of a kind begin with; the key of how many there are.
pub(super) fn kind(of: &Tenant, kind: Kind) -> Vec<u8> {
    let mut key = tenant(of);
    key.push(kind as u8);
    key
}

/// The key of an object.
pub(super) fn object(of: &Tenant, it: Kind, id: &Digest) -> Vec<u8> {
    let mut key = kind(of, it);
    key.extend_from_slice(id.as_bytes());
    key
}

/// What the keys of a kind of ref begin with.
pub(super) fn refs(of: &Tenant, kind: RefKind) -> Vec<u8> {
    let mut key = tenant(of);
    key.push(kind as u8);
    key
}

/// The key of a ref.
pub(super) fn named(of: &Tenant, at: &RefName) -> Vec<u8> {
    let mut key = refs(of, at.kind);
    key.extend_from_slice(at.name.as_bytes());
    key
}

/// What the keys of a ref's log begin with.
pub(super) fn log(of: &Tenant, at: &RefName) -> Vec<u8> {
    let mut key = refs(of, at.kind);
    key.extend_from_slice(&(at.name.len() as u64).to_be_bytes());
    key.extend_from_slice(at.name.as_bytes());
    key
}

/// The key of a line of a ref's log.
pub(super) fn logged(of: &Tenant, at: &RefName, version: u64) -> Vec<u8> {
    let mut key = log(of, at);
    key.extend_from_slice(&version.to_be_bytes());
    key
}

/// All keys that begin so.
pub(super) fn under(begin: Vec<u8>) -> Range<Vec<u8>> {
    let mut end = begin.clone();
    while let Some(last) = end.pop() {
        if last < u8::MAX {
            end.push(last + 1);
            break;
        }
    }
    begin..end
}

/// All keys that begin so and come after this one.
pub(super) fn after(begin: Vec<u8>, mut key: Vec<u8>) -> Range<Vec<u8>> {
    // The next key of all.
    key.push(0);
    let end = under(begin).end;
    if key > end {
        end.clone()..end
    } else {
        key..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_one_are_within_its_range_and_no_others() {
        let (a, ab): (Tenant, Tenant) = ("a".parse().unwrap(), "ab".parse().unwrap());
        let id = Digest::from_bytes([255; 32]);
        let range = under(kind(&a, Kind::Map));
        assert!(range.contains(&object(&a, Kind::Map, &id)));
        assert!(!range.contains(&object(&a, Kind::Position, &Digest::from_bytes([0; 32]))));
        assert!(!range.contains(&object(&ab, Kind::Map, &id)));
        assert_eq!(under(vec![1, 255]), vec![1, 255]..vec![2]);
        let (g, gh) = (RefName::game("g"), RefName::game("gh"));
        assert!(!under(log(&a, &g)).contains(&logged(&a, &gh, 1)));
        let rest = after(refs(&a, RefKind::Game), named(&a, &g));
        assert!(!rest.contains(&named(&a, &g)) && rest.contains(&named(&a, &gh)));
        assert_eq!(tenant_of(&kind(&ab, Kind::Map)), Some((ab, &[1][..])));
        assert_eq!(
            tenant_of(&kind(&Tenant::house(), Kind::Map)).unwrap().0,
            Tenant::house()
        );
        assert_eq!(tenant_of(&[9, 1]), None);
    }
}
