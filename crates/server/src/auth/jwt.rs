//! Tokens that somebody else issues: JWTs, by the public keys of a file.

use std::path::PathBuf;
use std::sync::Arc;

use alamein_store::Tenant;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode, decode_header};
use serde_json::{Map, Value};
use time::OffsetDateTime;

use super::book::Grant;
use super::caller::Caller;
use super::jwks::{self, Key};
use super::quota::Quota;
use super::scope::Scopes;

/// How far the clocks of an issuer and of this machine may be apart, in seconds.
const LEEWAY: u64 = 30;
/// The longest subject that names a caller.
const LONGEST: usize = 255;

/// Which JWTs to take, and what to read in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JwtConfig {
    /// The file of public keys, a JWKS, which is read again when it changes.
    pub jwks: PathBuf,
    /// Who must have issued them: `iss`.
    pub issuer: String,
    /// Whom they must be for: `aud`.
    pub audience: String,
    /// The claim that names the tenant.
    pub tenant_claim: String,
    /// The claim that names the scopes: a text with blanks between them, or a list. Those that are none of
    /// this service are passed over.
    pub scope_claim: String,
}

/// Why there are no keys. It names the file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", file.display())]
pub struct JwksError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

/// Why a JWT opens nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rejected {
    /// Its time is past.
    Past,
    /// Anything else.
    Unknown,
}

/// The keys of a file. Each is used with one algorithm, whatever a token says.
pub(crate) struct Issuer {
    config: JwtConfig,
    keys: Vec<Key>,
}

impl Issuer {
    pub(crate) fn read(config: &JwtConfig) -> Result<Self, JwksError> {
        let keys = jwks::read(&config.jwks).map_err(|why| JwksError {
            file: config.jwks.clone(),
            why,
        })?;
        Ok(Self {
            config: config.clone(),
            keys,
        })
    }

    /// What a JWT stands for.
    pub(crate) fn grant(&self, token: &str) -> Result<Grant, Rejected> {
        let header = decode_header(token).map_err(|_| Rejected::Unknown)?;
        let Key { key, algorithm, .. } =
            self.key(header.kid.as_deref()).ok_or(Rejected::Unknown)?;
        let mut rules = Validation::new(*algorithm);
        rules.set_required_spec_claims(&["exp", "iss", "aud"]);
        rules.set_issuer(&[&self.config.issuer]);
        rules.set_audience(&[&self.config.audience]);
        rules.validate_nbf = true;
        rules.leeway = LEEWAY;
        let claims = decode::<Map<String, Value>>(token, key, &rules);
        let claims = claims.map_err(|error| match error.kind() {
            ErrorKind::ExpiredSignature => Rejected::Past,
            _ => Rejected::Unknown,
        })?;
        self.granted(&claims.claims).ok_or(Rejected::Unknown)
    }

    /// The key of an id; or the only one, where a token names none.
    fn key(&self, id: Option<&str>) -> Option<&Key> {
        match (id, &*self.keys) {
            (None, [only]) => Some(only),
            (None, _) => None,
            (Some(id), keys) => keys.iter().find(|key| key.id.as_deref() == Some(id)),
        }
    }

    fn granted(&self, claims: &Map<String, Value>) -> Option<Grant> {
        let tenant: Tenant = claims
            .get(&self.config.tenant_claim)?
            .as_str()?
            .parse()
            .ok()?;
        let scopes = claims
            .get(&self.config.scope_claim)
            .map(scopes)
            .unwrap_or_default();
        let subject = claims
            .get("sub")
            .and_then(Value::as_str)
            .unwrap_or("unnamed");
        let plain = |c: char| if c.is_ascii_graphic() { c } else { '?' };
        let subject: String = subject.chars().map(plain).take(LONGEST).collect();
        let ends = claims.get("exp").and_then(Value::as_f64)?;
        let ends = OffsetDateTime::from_unix_timestamp(ends as i64).ok()?;
        Some(Grant {
            caller: Caller {
                token: Arc::from(format!("jwt:{tenant}:{subject}")),
                tenant,
                scopes,
            },
            expires: ends.checked_add(time::Duration::seconds(LEEWAY.cast_signed())),
            quota: Quota::default(),
            note: String::new(),
        })
    }
}

fn scopes(claim: &Value) -> Scopes {
    let words: Vec<&str> = match claim {
        Value::String(text) => text.split_whitespace().collect(),
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    words.iter().filter_map(|word| word.parse().ok()).collect()
}

#[cfg(test)]
mod tests;
