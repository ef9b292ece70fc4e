//! Refs: names that move.

use alamein_terrain::Digest;
use bytes::Bytes;

use crate::object::Object;

/// What a ref is. The numbers are kept in stores and never change their meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum RefKind {
    /// A game. Its log has its entries.
    Game = 1,
    /// The name of a ruleset, which means its newest revision.
    Ruleset = 2,
    /// A tag, which means one revision.
    Tag = 3,
    /// The fingerprint of a revision.
    Revision = 4,
}

impl RefKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Game, Self::Ruleset, Self::Tag, Self::Revision];

    /// The kind of this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == number)
    }

    /// What it is called: `game`, `ruleset`...
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Ruleset => "ruleset",
            Self::Tag => "tag",
            Self::Revision => "revision",
        }
    }
}

/// The name of a ref.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RefName {
    /// What it is.
    pub kind: RefKind,
    /// Its name, unique in its kind and tenant.
    pub name: String,
}

impl RefName {
    /// The ref of a game.
    pub fn game(name: impl Into<String>) -> Self {
        Self::new(RefKind::Game, name)
    }

    /// A ref of any kind.
    pub fn new(kind: RefKind, name: impl Into<String>) -> Self {
        let name = name.into();
        Self { kind, name }
    }
}

/// Where a ref stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefState {
    /// How often it has moved: 1 when it is made.
    pub version: u64,
    /// Its value.
    pub value: Bytes,
}

/// A ref that is to move, and what goes with it. All of it happens, or nothing does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The ref.
    pub at: RefName,
    /// The version that it must have; 0 if it must not be there.
    pub from: u64,
    /// Its next value. Its version is then `from + 1`.
    pub value: Bytes,
    /// What is written into its log under the new version.
    pub log: Option<Digest>,
    /// Objects to keep before it moves. Name all here that the new value leans on, also what should be there:
    /// what is there is not written again, but marked as kept, so that nothing sweeps it away meanwhile.
    pub objects: Vec<Object>,
}

/// What came of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// The ref moved, to this.
    Done(RefState),
    /// It did not, since it had not the version that it had to have. This is how it stands, if it is
    /// there.
    Stale(Option<RefState>),
}

/// A line of a ref's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The version that the ref came to have.
    pub version: u64,
    /// What was written.
    pub id: Digest,
}
