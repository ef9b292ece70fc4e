//! What goes wrong with a database, and what is to be done.

use std::time::Duration;

use crate::error::StoreError;

/// When a client is to try again.
const SOON: Duration = Duration::from_secs(1);

/// What goes wrong inside.
#[derive(Debug)]
pub(super) enum Failed {
    /// The database, or the way to it.
    Sql(sqlx::Error),
    /// It took too long.
    TimedOut,
    /// What is to be told as it is.
    Told(StoreError),
}

impl From<sqlx::Error> for Failed {
    fn from(error: sqlx::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Told(error)
    }
}

/// What is to be done about something that went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// It may go better in a moment.
    Again,
    /// The database does not take it: no room, or it is one to be read alone.
    CannotWrite,
    /// What it keeps is damaged.
    Damaged,
    /// It has not the tables that it should have.
    Tables,
    /// It does not let this service in, or is not there.
    Settings,
    /// It will go no better.
    Refused,
}

/// What a code of SQLSTATE calls for.
fn of_code(code: &str) -> What {
    match code {
        // Serialization, deadlock, a lock or a statement that took too long, no memory, too many clients,
        // shutting down, starting up, an operator's cancel.
        "40001" | "40P01" | "55P03" | "57014" | "53200" | "53300" | "57P01" | "57P02" | "57P03"
        | "57P05" | "25P03" => What::Again,
        "53100" | "25006" => What::CannotWrite,
        "XX001" | "XX002" => What::Damaged,
        "42P01" | "42703" => What::Tables,
        "3D000" | "42501" => What::Settings,
        _ if code.starts_with("08") => What::Again,
        _ if code.starts_with("28") => What::Settings,
        _ => What::Refused,
    }
}

impl Failed {
    fn what(&self) -> What {
        use sqlx::Error;
        match self {
            Self::TimedOut => What::Again,
            Self::Told(_) => What::Refused,
            Self::Sql(Error::Database(error)) => {
                error.code().map_or(What::Refused, |code| of_code(&code))
            }
            Self::Sql(
                Error::Io(_)
                | Error::Protocol(_)
                | Error::PoolTimedOut
                | Error::PoolClosed
                | Error::WorkerCrashed
                | Error::BeginFailed,
            ) => What::Again,
            Self::Sql(Error::Tls(_) | Error::Configuration(_)) => What::Settings,
            Self::Sql(_) => What::Refused,
        }
    }

    /// Whether it is worth another try in a moment.
    pub(super) fn is_transient(&self) -> bool {
        self.what() == What::Again
    }

    /// Whether it is about who this service is and what it may do, which does not mend itself.
    pub(super) fn is_settings(&self) -> bool {
        self.what() == What::Settings
    }

    /// Whether the server is to be read alone.
    pub(super) fn is_read_alone(&self) -> bool {
        let Self::Sql(sqlx::Error::Database(error)) = self else {
            return false;
        };
        error.code().is_some_and(|code| code == "25006")
    }

    /// Whether the connection is still of use.
    pub(super) fn leaves_connection(&self) -> bool {
        match self {
            Self::Told(_) => true,
            Self::TimedOut => false,
            Self::Sql(sqlx::Error::Database(error)) => {
                // One that is read alone was another's follower: the next may be the one that is written.
                let code = error.code();
                code.is_some_and(|code| !code.starts_with("57P")) && !self.is_read_alone()
            }
            Self::Sql(_) => false,
        }
    }

    /// What is told.
    pub(super) fn told(self) -> StoreError {
        let what = self.what();
        let text = match &self {
            Self::Told(error) => return error.clone(),
            Self::TimedOut => "PostgreSQL does not answer in time".to_owned(),
            Self::Sql(sqlx::Error::Database(error)) => format!("PostgreSQL: {}", error.message()),
            Self::Sql(error) => format!("PostgreSQL: {error}"),
        };
        match what {
            What::CannotWrite => StoreError::CannotWrite {
                what: format!("{text}; make room there, or point at the server that is written"),
            },
            What::Damaged => StoreError::Damaged {
                at: "PostgreSQL".into(),
                what: text,
            },
            What::Tables => StoreError::Version {
                what: format!("{text}; run `alamein store migrate`"),
            },
            What::Again | What::Settings | What::Refused => StoreError::Unavailable {
                what: text,
                retry_after: SOON,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_call_for_what_they_mean() {
        for code in [
            "40001", "40P01", "57P01", "57P03", "53300", "08006", "57014",
        ] {
            assert_eq!(of_code(code), What::Again, "{code}");
        }
        assert_eq!(of_code("53100"), What::CannotWrite);
        assert_eq!(of_code("25006"), What::CannotWrite);
        assert_eq!(of_code("28P01"), What::Settings);
        assert_eq!(of_code("42P01"), What::Tables);
        assert_eq!(of_code("22001"), What::Refused);
    }

    #[test]
    fn a_connection_that_is_lost_is_tried_again_and_not_kept() {
        let lost = Failed::from(sqlx::Error::Io(std::io::ErrorKind::ConnectionReset.into()));
        assert!(lost.is_transient() && !lost.leaves_connection());
        let told = lost.told();
        assert!(matches!(told, StoreError::Unavailable { retry_after, .. } if retry_after == SOON));
        assert!(Failed::TimedOut.is_transient() && !Failed::TimedOut.leaves_connection());
    }
}
