//! The secrets that tokens are: made, read, hashed.

use std::fmt;

use ring::rand::{SecureRandom as _, SystemRandom};
use sha2::{Digest as _, Sha256};

/// What every token begins with, so that people and scanners for leaked secrets know one.
const PREFIX: &str = "alm_";
/// How long the id of a token is.
const ID: usize = 8;
/// How long the secret part of it is: 256 bits.
const SECRET: usize = 64;

/// A new token: `alm_3f2a91c4_` and 64 hexadecimal digits. The part in the middle is its id, which is no
/// secret. It is shown once and kept nowhere.
pub struct NewToken {
    /// Its id.
    pub id: String,
    /// All of it.
    pub text: String,
}

/// The system gives no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random numbers, so there can be no secret")]
pub struct NoRandomness;

impl NewToken {
    /// Makes one.
    ///
    /// # Errors
    /// Where the system gives no random numbers.
    pub fn make() -> Result<Self, NoRandomness> {
        let mut bytes = [0; (ID + SECRET) / 2];
        SystemRandom::new()
            .fill(&mut bytes)
            .map_err(|_| NoRandomness)?;
        let (id, secret) = bytes.split_at(ID / 2);
        let (id, secret) = (hex(id), hex(secret));
        Ok(Self {
            text: format!("{PREFIX}{id}_{secret}"),
            id,
        })
    }

    /// Its hash, as a tokens file holds it.
    #[must_use]
    pub fn sha256(&self) -> String {
        hex(&hash(self.text.as_bytes()))
    }
}

impl fmt::Debug for NewToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewToken({})", self.id)
    }
}

/// The id of what looks like a token.
pub(crate) fn id_of(text: &str) -> Option<&str> {
    let (id, secret) = text.strip_prefix(PREFIX)?.split_once('_')?;
    let fits = id.len() == ID && secret.len() == SECRET && is_hex(id) && is_hex(secret);
    fits.then_some(id)
}

/// The hash of a token. A secret of 256 random bits needs no slow one: there is nothing to guess.
pub(crate) fn hash(text: &[u8]) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// Reads a hash.
pub(crate) fn unhex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !is_hex(text) {
        return None;
    }
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_hex(text: &str) -> bool {
    text.bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_token_is_unlike_any_other_and_names_its_id() {
        let (one, other) = (NewToken::make().unwrap(), NewToken::make().unwrap());
        assert_ne!(one.text, other.text);
        assert_eq!(id_of(&one.text), Some(&*one.id));
        assert_eq!(unhex(&one.sha256()), Some(hash(one.text.as_bytes())));
        let (_, secret) = one.text.rsplit_once('_').unwrap();
        assert!(!format!("{one:?}").contains(secret));
    }

    #[test]
    fn what_is_no_token_has_no_id() {
        let long = "0".repeat(64);
        for text in [
            "",
            "alm_",
            "alm_12345678_",
            "alm_1234567G_1",
            &format!("ALM_12345678_{long}"),
        ] {
            assert_eq!(id_of(text), None, "{text}");
        }
        assert_eq!(id_of(&format!("alm_12345678_{long}")), Some("12345678"));
    }
}
