//! Why a game cannot be had, or cannot go on.

use alamein_store::StoreError;

use crate::standing::Standing;

/// Why a game cannot be had, or cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// There is no game of this id.
    #[error("there is no game {0:?}")]
    NotFound(String),
    /// The game has no entry of this number.
    #[error("game {game:?} has no entry {number}; its newest is {head}")]
    NoEntry {
        /// The game's id.
        game: String,
        /// The number.
        number: u64,
        /// The number of its newest entry.
        head: u64,
    },
    /// The game has moved on, or the etag was never one of it.
    #[error(
        "game {:?} has moved on: it stands at entry {}; get it, look at what has changed, and use its etag",
        .0.id, .0.number()
    )]
    Stale(Box<Standing>),
    /// There is a game of this id already.
    #[error("there is a game {0:?} already")]
    Exists(String),
    /// A request's id that began another game before.
    #[error("this request's id has begun another game, {0:?}: give each request an id of its own")]
    RequestUsed(String),
    /// An id that no game can have.
    #[error("{0:?} cannot be a game's id: it takes 1 to 64 lower-case letters, digits and hyphens")]
    BadId(String),
    /// There is no randomness to make an id of.
    #[error("no id can be made for the game: {0}; give it one")]
    NoId(String),
    /// What was kept is damaged, or the store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}
