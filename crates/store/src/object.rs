//! Objects: what never changes, by the hash of its bytes.

use std::time::SystemTime;

use alamein_terrain::Digest;
use bytes::Bytes;

/// What an object is. The numbers are kept in stores and never change their meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A map, in canonical form.
    Map = 1,
    /// A position, in canonical form. It names its map.
    Position = 2,
    /// An entry of a game, in canonical form. It names a position and the entry before it.
    Entry = 3,
    /// A revision of a ruleset: what makes it, builds of plugins included.
    Ruleset = 4,
    /// A build of a plugin: its manifest and its library.
    Build = 5,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Map,
        Self::Position,
        Self::Entry,
        Self::Ruleset,
        Self::Build,
    ];

    /// The kind of this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == number)
    }

    /// What it is called: `map`, `position`...
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Position => "position",
            Self::Entry => "entry",
            Self::Ruleset => "ruleset",
            Self::Build => "build",
        }
    }
}

/// Something that never changes, named by the hash of its bytes.
///
/// ```
/// use alamein_store::{Kind, Object};
/// let object = Object::new(Kind::Map, "any bytes");
/// assert_eq!(object, Object::new(Kind::Map, "any bytes"));
/// assert_eq!(object.id(), alamein_terrain::Digest::of(b"any bytes"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    kind: Kind,
    id: Digest,
    bytes: Bytes,
}

impl Object {
    /// The object of these bytes.
    #[must_use]
    pub fn new(kind: Kind, bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        let id = Digest::of(&bytes);
        Self { kind, id, bytes }
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The hash of its bytes.
    #[must_use]
    pub fn id(&self) -> Digest {
        self.id
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }
}

/// What a list says of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub id: Digest,
    /// How many bytes it has.
    pub len: u64,
    /// When it was kept, or somebody last wanted to keep it.
    pub kept_at: SystemTime,
}
