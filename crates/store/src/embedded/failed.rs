//! What goes wrong inside, and what is told of it.

use std::io;
use std::time::Duration;

use crate::error::StoreError;

/// What goes wrong inside.
#[derive(Debug)]
pub(super) enum Failed {
    /// redb failed, or its file.
    Redb(Box<redb::Error>),
    /// Something panicked, with these words.
    Panicked(String),
    /// What is to be told as it is.
    Told(StoreError),
}

/// What one of redb's errors becomes.
macro_rules! from_redb {
    ($($error:ty),*) => {$(
        impl From<$error> for Failed {
            fn from(error: $error) -> Self {
                Self::Redb(Box::new(error.into()))
            }
        }
    )*};
}

from_redb!(
    redb::Error,
    redb::StorageError,
    redb::TableError,
    redb::TransactionError,
    redb::CommitError,
    io::Error
);

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Told(error)
    }
}

impl Failed {
    /// Whether the file must be closed and opened anew before anything else is done with it.
    pub(super) fn is_over(&self) -> bool {
        use redb::Error;
        match self {
            Self::Redb(error) => matches!(
                **error,
                Error::Io(_)
                    | Error::PreviousIo
                    | Error::DatabaseClosed
                    | Error::LockPoisoned(_)
                    | Error::TransactionPoisoned
                    | Error::Backend(_)
            ),
            Self::Panicked(_) => true,
            Self::Told(_) => false,
        }
    }

    /// Whether it is about something that went wrong before: whoever tries again may well succeed.
    pub(super) fn is_stale(&self) -> bool {
        use redb::Error;
        match self {
            Self::Redb(error) => matches!(
                **error,
                Error::PreviousIo | Error::DatabaseClosed | Error::LockPoisoned(_)
            ),
            Self::Panicked(_) | Self::Told(_) => false,
        }
    }

    /// What is told, of a store at this place.
    pub(super) fn told(self, at: &str) -> StoreError {
        match self {
            Self::Told(error) => error,
            Self::Panicked(what) => StoreError::Damaged {
                at: at.to_owned(),
                what,
            },
            Self::Redb(error) => of_redb(&error, at),
        }
    }
}

fn of_redb(error: &redb::Error, at: &str) -> StoreError {
    use redb::Error;
    match error {
        Error::Io(error) => of_io(error, at),
        Error::PreviousIo | Error::DatabaseClosed | Error::LockPoisoned(_) => {
            StoreError::Unavailable {
                what: format!("{at} is being opened again"),
                retry_after: Duration::from_secs(1),
            }
        }
        Error::DatabaseAlreadyOpen | Error::LockProtocolMismatch => StoreError::Settings {
            what: format!("{at} is in use by another process"),
        },
        Error::UpgradeRequired(form) => StoreError::Version {
            what: format!("{at} has redb's form {form}, which this version does not read"),
        },
        other => StoreError::Damaged {
            at: at.to_owned(),
            what: other.to_string(),
        },
    }
}

/// What a file's error is to whoever wanted to write.
fn of_io(error: &io::Error, at: &str) -> StoreError {
    use io::ErrorKind as Is;
    let help = match error.kind() {
        Is::StorageFull | Is::QuotaExceeded | Is::FileTooLarge => "make room",
        Is::ReadOnlyFilesystem | Is::PermissionDenied => "let this process write there",
        // redb's file is shorter than it says, or is none of redb's at all.
        Is::UnexpectedEof | Is::InvalidData | Is::InvalidInput => {
            return StoreError::Damaged {
                at: at.to_owned(),
                what: error.to_string(),
            };
        }
        _ => "look after the disk",
    };
    StoreError::CannotWrite {
        what: format!("{at}: {error}; {help}"),
    }
}
