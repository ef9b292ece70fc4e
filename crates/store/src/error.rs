//! What goes wrong with a store.

use std::time::Duration;

use alamein_terrain::Digest;

use crate::object::Kind;

/// What goes wrong with a store. Each says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached just now, and may be soon.
    #[error("the store cannot be reached: {what}")]
    Unavailable {
        /// What happened.
        what: String,
        /// When to try again.
        retry_after: Duration,
    },
    /// A tenant keeps as many things of a kind as it may.
    #[error("no more than {most} {}s are kept", kind.name())]
    TooMany {
        /// The kind.
        kind: Kind,
        /// How many may be kept.
        most: u64,
    },
    /// There is no room where it keeps things, or it may not write there. Nothing was kept; what was kept
    /// before is there and is read.
    #[error("the store cannot write: {what}")]
    CannotWrite {
        /// What happened, and what to do.
        what: String,
    },
    /// What it kept is not what it gives. What is damaged is not used.
    #[error("the store is damaged at {at}: {what}; `alamein store check` tells what else is")]
    Damaged {
        /// Where: an object or a part of the store.
        at: String,
        /// What is wrong.
        what: String,
    },
    /// It was written by a version of this program that keeps things in another way.
    #[error("the store was written by another version: {what}")]
    Version {
        /// What was found, what this one reads, and what to do.
        what: String,
    },
    /// It cannot be opened as the settings have it.
    #[error("the store cannot be opened: {what}")]
    Settings {
        /// What is wrong, and what to do.
        what: String,
    },
}

impl StoreError {
    /// An object whose bytes are not what they were.
    #[must_use]
    pub fn damaged(kind: Kind, id: Digest, what: impl Into<String>) -> Self {
        Self::Damaged {
            at: format!("{} {id}", kind.name()),
            what: what.into(),
        }
    }
}
