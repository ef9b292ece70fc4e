//! A game as it stands.

use alamein_hex::Grid;
use alamein_store::{RefName, RefState, StoreError};
use alamein_terrain::{Canon, CanonError, CanonReader, Digest};
use std::fmt::Write as _;

use crate::entry::Entry;

/// What the canonical form of a game begins with.
const DOMAIN: &str = "alamein/game/1";

/// What a store has of a game in its ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Whose it is, in the client's words.
    pub owner: String,
    /// What it is called.
    pub title: String,
    /// When it was begun, in milliseconds since 1970.
    pub begun: i64,
    /// The game that it was forked from, and the number of the entry.
    pub forked_from: Option<(String, u64)>,
    /// Which hexes its map has. All its positions are on one map.
    pub grid: Grid,
    /// Its newest entry.
    pub head: Entry,
}

/// A game as it stands, with its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The game's id.
    pub id: String,
    /// The game.
    pub game: Game,
}

impl Game {
    /// Its canonical form.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let mut canon = Canon::new(DOMAIN);
        canon.text(&self.owner).text(&self.title).int(self.begun);
        canon.option(self.forked_from.as_ref());
        canon.put(self.grid.columns()).put(self.grid.rows());
        canon.put(&self.head);
        canon.into_bytes()
    }

    /// Reads a game from its canonical form.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn from_canonical(bytes: &[u8]) -> Result<Self, CanonError> {
        let mut reader = CanonReader::new(bytes, DOMAIN)?;
        let game = Self {
            owner: reader.get()?,
            title: reader.get()?,
            begun: reader.get()?,
            forked_from: reader.get()?,
            grid: reader.get()?,
            head: reader.get()?,
        };
        reader.end()?;
        Ok(game)
    }
}

impl Standing {
    /// The game that a ref holds.
    ///
    /// # Errors
    /// A ref whose value is damaged, or that has moved as often as no such game.
    pub fn of(id: &str, state: &RefState) -> Result<Self, StoreError> {
        let damaged = |what: String| StoreError::Damaged {
            at: format!("game {id}"),
            what,
        };
        let game =
            Game::from_canonical(&state.value).map_err(|error| damaged(error.to_string()))?;
        if game.head.number != state.version {
            let what = format!("entry {} at version {}", game.head.number, state.version);
            return Err(damaged(what));
        }
        Ok(Self {
            id: id.to_owned(),
            game,
        })
    }

    /// The ref of the game.
    #[must_use]
    pub fn at(&self) -> RefName {
        RefName::game(&self.id)
    }

    /// Its newest entry.
    #[must_use]
    pub fn head(&self) -> &Entry {
        &self.game.head
    }

    /// The number of its newest entry.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.game.head.number
    }

    /// The id of its position.
    #[must_use]
    pub fn position(&self) -> Digest {
        self.game.head.position
    }

    /// What changes with every entry: the number of the newest, and the beginning of its id.
    #[must_use]
    pub fn etag(&self) -> String {
        let mut etag = format!("{}-", self.number());
        for byte in self.game.head.id().as_bytes().iter().take(8) {
            // Writing to a string does not fail.
            let _ = write!(etag, "{byte:02x}");
        }
        etag
    }

    /// The same game with another entry as its newest.
    #[must_use]
    pub fn with_head(&self, head: Entry) -> Self {
        let mut other = self.clone();
        other.game.head = head;
        other
    }
}

/// The number of the entry that was the newest when the game had this etag.
pub(crate) fn number_of(etag: &str) -> Option<u64> {
    etag.split_once('-')?.0.parse().ok()
}
