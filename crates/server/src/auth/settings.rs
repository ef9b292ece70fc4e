//! What a service asks of who calls.

use std::path::PathBuf;
use std::sync::Arc;

use super::book::{Book, TokensError};
use super::guard::{Doors, Guard};
use super::jwt::{Issuer, JwksError, JwtConfig};
use super::quota::Quota;
use crate::reload::{Reloaded, Renew};

/// What a service asks of who calls. By default nothing: everybody is the main tenant and may do
/// everything.
#[derive(Clone, Debug, Default)]
pub struct AuthConfig {
    /// The file of tokens, which is read again when it changes.
    pub tokens: Option<PathBuf>,
    /// Which JWTs are taken, beside the tokens of the file.
    pub jwt: Option<JwtConfig>,
    /// How much may be asked with a credential that has no quota of its own.
    pub quota: Quota,
    /// Whether reflection is open to everybody. Health always is.
    pub open_reflection: bool,
}

/// Why a service cannot ask who calls.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// The tokens cannot be read.
    #[error(transparent)]
    Tokens(#[from] TokensError),
    /// The keys by which JWTs are verified cannot be read.
    #[error(transparent)]
    Jwks(#[from] JwksError),
    /// The usual quota makes no sense.
    #[error("the quota's {0} {1}")]
    Quota(&'static str, &'static str),
}

impl AuthConfig {
    /// Whether anybody is asked.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.tokens.is_some() || self.jwt.is_some()
    }

    /// Reads what there is to read, and says whether it makes sense.
    ///
    /// # Errors
    /// What does not.
    pub fn check(&self) -> Result<(), AuthError> {
        self.guard().map(drop)
    }

    /// The guard that asks, and what is to be read again while it does.
    pub(crate) fn guard(&self) -> Result<(Guard, Vec<Arc<dyn Renew>>), AuthError> {
        self.quota
            .check()
            .map_err(|(field, why)| AuthError::Quota(field, why))?;
        let mut fresh: Vec<Arc<dyn Renew>> = Vec::new();
        let mut doors = Doors::default();
        doors.book = match self.tokens.clone() {
            None => None,
            Some(file) => {
                let files = vec![file.clone()];
                let book = Reloaded::open("tokens", files, move || Book::read(&file))?;
                let book = Arc::new(book.telling(doors.changed.clone()));
                fresh.push(book.clone());
                Some(book)
            }
        };
        if let Some(config) = self.jwt.clone() {
            let files = vec![config.jwks.clone()];
            let issuer = Reloaded::open("jwks", files, move || Issuer::read(&config))?;
            let issuer = Arc::new(issuer.telling(doors.changed.clone()));
            fresh.push(issuer.clone());
            doors.jwt = Some(issuer);
        }
        Ok((Guard::of(doors, self.quota, self.open_reflection), fresh))
    }
}
