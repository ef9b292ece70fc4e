//! What questions are about.

use alamein_hex::Grid;
use alamein_proto::{encode, v1};
use alamein_terrain::{Digest, Position};

/// A position that the server keeps, made by
/// [`Client::create_position`](crate::Client::create_position). Questions about it travel light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its id.
    pub id: Digest,
    /// The hexes of its map, which questions name.
    pub grid: Grid,
}

/// A position to ask about: carried in the request, or kept by the server.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A position that the request carries.
    Carried(&'a Position),
    /// A position that the server keeps.
    Kept(Kept),
}

impl Subject<'_> {
    pub(crate) fn id(&self) -> Digest {
        match self {
            Self::Carried(position) => position.id(),
            Self::Kept(kept) => kept.id,
        }
    }

    pub(crate) fn grid(&self) -> Grid {
        match self {
            Self::Carried(position) => position.map().grid,
            Self::Kept(kept) => kept.grid,
        }
    }

    /// The subject as a request carries it.
    #[must_use]
    pub fn message(&self) -> v1::Subject {
        let subject = match self {
            Self::Carried(position) => {
                v1::subject::Subject::Position(encode::position(position, false))
            }
            Self::Kept(kept) => v1::subject::Subject::PositionId(kept.id.to_string()),
        };
        v1::Subject {
            subject: Some(subject),
        }
    }
}

impl<'a> From<&'a Position> for Subject<'a> {
    fn from(position: &'a Position) -> Self {
        Self::Carried(position)
    }
}

impl From<Kept> for Subject<'_> {
    fn from(kept: Kept) -> Self {
        Self::Kept(kept)
    }
}
