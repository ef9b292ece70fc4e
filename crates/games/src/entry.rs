//! Entries: what was done in a game.

use alamein_terrain::{Canon, CanonError, CanonReader, Canonical, Change, Digest, FromCanonical};

/// What the canonical form of an entry begins with.
const DOMAIN: &str = "alamein/entry/1";

/// An entry of a game's history. Entries never change: their ids are hashes of their content, which names
/// the entry before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which entry of its game it is, counted from 1.
    pub number: u64,
    /// The id of the entry before it, if there is one; in a fork, one of another game.
    pub parent: Option<Digest>,
    /// The position that the game has come to.
    pub position: Digest,
    /// The fingerprint of the rules from here on.
    pub rules: Digest,
    /// What was done.
    pub act: Act,
    /// Who did it, in the client's words.
    pub by: String,
    /// What the client said of it.
    pub note: String,
    /// The id of the client's request; empty if it gave none.
    pub request: String,
    /// When it was kept, in milliseconds since 1970, by the clock of who kept it.
    pub at: i64,
}

/// What was done in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// It was begun.
    Begun,
    /// It advanced.
    Advanced {
        /// The changes that lead from the position before to the one after.
        changes: Vec<Change>,
    },
    /// It went back to the position of the entry of this number.
    Undone {
        /// The number.
        to: u64,
    },
    /// It is played by other rules from here on.
    Ruled {
        /// The fingerprint of the rules before.
        from: Digest,
    },
    /// It was forked from an entry of another game.
    Forked {
        /// The other game's id.
        game: String,
        /// The entry's number.
        number: u64,
    },
}

impl Entry {
    /// Its id: the hash of its canonical form.
    #[must_use]
    pub fn id(&self) -> Digest {
        Digest::of(&self.canonical())
    }

    /// Its canonical form.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let mut canon = Canon::new(DOMAIN);
        canon.put(self);
        canon.into_bytes()
    }

    /// Reads an entry from its canonical form.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn from_canonical(bytes: &[u8]) -> Result<Self, CanonError> {
        let mut reader = CanonReader::new(bytes, DOMAIN)?;
        let entry = reader.get()?;
        reader.end()?;
        Ok(entry)
    }
}

impl Canonical for Entry {
    fn write(&self, canon: &mut Canon) {
        canon
            .put(self.number)
            .option(self.parent)
            .put(self.position)
            .put(self.rules)
            .put(&self.act)
            .text(&self.by)
            .text(&self.note)
            .text(&self.request)
            .int(self.at);
    }
}

impl FromCanonical for Entry {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        Ok(Self {
            number: reader.get()?,
            parent: reader.get()?,
            position: reader.get()?,
            rules: reader.get()?,
            act: reader.get()?,
            by: reader.get()?,
            note: reader.get()?,
            request: reader.get()?,
            at: reader.get()?,
        })
    }
}

impl Canonical for Act {
    fn write(&self, canon: &mut Canon) {
        match self {
            Self::Begun => canon.int(1),
            Self::Advanced { changes } => canon.int(2).list(changes.iter()),
            Self::Undone { to } => canon.int(3).put(*to),
            Self::Ruled { from } => canon.int(4).put(*from),
            Self::Forked { game, number } => canon.int(5).text(game).put(*number),
        };
    }
}

impl FromCanonical for Act {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        match reader.get::<i64>()? {
            1 => Ok(Self::Begun),
            2 => Ok(Self::Advanced {
                changes: reader.get()?,
            }),
            3 => Ok(Self::Undone { to: reader.get()? }),
            4 => Ok(Self::Ruled {
                from: reader.get()?,
            }),
            5 => Ok(Self::Forked {
                game: reader.get()?,
                number: reader.get()?,
            }),
            other => Err(CanonError(format!(
                "nothing that is done has number {other}"
            ))),
        }
    }
}
