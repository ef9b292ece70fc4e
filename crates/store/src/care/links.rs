//! What objects and refs name: so a store is checked, and swept, without knowing what they mean.

use alamein_terrain::{CanonError, Digest, Position};
use bytes::Bytes;

use crate::object::Kind;
use crate::pinned::{self, BuildRecord, RevisionRecord};
use crate::refs::RefKind;

/// Something that is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Link {
    /// An object of the same tenant.
    Own(Kind, Digest),
    /// An object of the house.
    House(Kind, Digest),
    /// A revision of a ruleset of the same tenant, by its fingerprint.
    Revision(Digest),
}

/// Why it cannot be told what something names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is not what it should be.
    Damaged(String),
    /// This version does not know its form.
    Unknown,
}

impl From<CanonError> for Unread {
    fn from(error: CanonError) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// Knows what objects and refs name. Whoever gives a kind its form implements this, and leaves the others to
/// [`KnownLinks`].
pub trait Links: Sync {
    /// What an object names.
    ///
    /// # Errors
    /// An object that cannot be read, or whose form is not known.
    fn of_object(&self, kind: Kind, bytes: &Bytes) -> Result<Vec<Link>, Unread>;

    /// What the value of a ref names. What the log of a game names are entries.
    ///
    /// # Errors
    /// A value that cannot be read, or whose form is not known.
    fn of_ref(&self, kind: RefKind, value: &[u8]) -> Result<Vec<Link>, Unread>;
}

/// Knows maps, positions, rulesets and builds. It does not know games.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownLinks;

impl Links for KnownLinks {
    fn of_object(&self, kind: Kind, bytes: &Bytes) -> Result<Vec<Link>, Unread> {
        match kind {
            Kind::Map => Ok(Vec::new()),
            Kind::Position => {
                let map = Position::map_id_in(bytes)?;
                Ok(vec![Link::Own(Kind::Map, map)])
            }
            Kind::Entry => Err(Unread::Unknown),
            Kind::Ruleset => match RevisionRecord::read(bytes) {
                Ok(record) => {
                    let builds = record.builds().map(|build| Link::House(Kind::Build, build));
                    Ok(builds.collect())
                }
                // Ruleset files are of this kind too, and name nothing.
                Err(error) => match pinned::read_spec(bytes) {
                    Ok(_) => Ok(Vec::new()),
                    Err(_) => Err(error.into()),
                },
            },
            Kind::Build => {
                BuildRecord::read(bytes)?;
                Ok(Vec::new())
            }
        }
    }

    fn of_ref(&self, kind: RefKind, value: &[u8]) -> Result<Vec<Link>, Unread> {
        if kind == RefKind::Game {
            return Err(Unread::Unknown);
        }
        let named = pinned::named_by(kind, value)?;
        let objects = named.objects.into_iter();
        let objects = objects.map(|id| Link::Own(Kind::Ruleset, id));
        let revisions = named.revisions.into_iter().map(Link::Revision);
        Ok(objects.chain(revisions).collect())
    }
}
