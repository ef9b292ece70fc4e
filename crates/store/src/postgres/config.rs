//! How a database is reached.

use std::fmt;
use std::str::FromStr as _;
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;

use crate::error::StoreError;

/// How a [`Postgres`](crate::Postgres) store is reached. What it shows of itself has no password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresConfig {
    /// Where it is: `postgres://user@host:port/database?sslmode=verify-full`, with what else libpq knows.
    /// What it does not say, `PGHOST`, `PGUSER`, `PGPASSWORD` and the others may.
    pub url: String,
    /// The password, if it is not in the URL.
    pub password: Option<String>,
    /// How many connections there may be. Two more are for telling which refs moved. Default 16.
    pub most_connections: u32,
    /// How long one statement may take, and how long a connection may take to come. Default 5 s.
    pub statement_timeout: Duration,
    /// How long something that failed is tried again. Default 3 s.
    pub patience: Duration,
    /// How long it is waited for when it is opened. Default 30 s.
    pub opening: Duration,
    /// Whether its tables are made and brought up to date when it is opened. Default true.
    pub migrate: bool,
}

impl PostgresConfig {
    /// A store at this place.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            password: None,
            most_connections: 16,
            statement_timeout: Duration::from_secs(5),
            patience: Duration::from_secs(3),
            opening: Duration::from_secs(30),
            migrate: true,
        }
    }

    /// Whether a text is where a database is.
    #[must_use]
    pub fn is_url(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// Where it is, without a password.
    #[must_use]
    pub fn place(&self) -> String {
        match self.options() {
            Ok(options) => {
                let host = options.get_socket().map_or_else(
                    || options.get_host().to_owned(),
                    |socket| socket.display().to_string(),
                );
                let database = options.get_database().unwrap_or(options.get_username());
                format!(
                    "postgres://{}@{host}:{}/{database}",
                    options.get_username(),
                    options.get_port()
                )
            }
            Err(_) => "postgres://...".into(),
        }
    }

    pub(super) fn options(&self) -> Result<PgConnectOptions, StoreError> {
        // What the parser says may quote the URL, and with it a password.
        let options = PgConnectOptions::from_str(&self.url).map_err(|_| StoreError::Settings {
            what: "the URL of PostgreSQL cannot be read; it is postgres://user@host:port/database"
                .into(),
        })?;
        let options = match &self.password {
            Some(password) => options.password(password),
            None => options,
        };
        let options = match options.get_application_name() {
            Some(_) => options,
            None => options.application_name("alamein"),
        };
        Ok(options.disable_statement_logging())
    }
}

impl fmt::Debug for PostgresConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresConfig")
            .field("place", &self.place())
            .field("most_connections", &self.most_connections)
            .field("statement_timeout", &self.statement_timeout)
            .field("patience", &self.patience)
            .field("opening", &self.opening)
            .field("migrate", &self.migrate)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_shows_a_password() {
        let mut config = PostgresConfig::new("postgres://rommel:sekrit@db.example:6000/desert");
        config.password = Some("sekrit2".into());
        assert_eq!(config.place(), "postgres://rommel@db.example:6000/desert");
        assert!(!format!("{config:?}").contains("sekrit"));
        let wrong = PostgresConfig::new("postgres://rommel:sekrit@db:port/x");
        let error = wrong.options().unwrap_err();
        assert!(!error.to_string().contains("sekrit"), "{error}");
        assert!(!format!("{wrong:?}").contains("sekrit"));
    }
}
