//! One token for all who call, from a file.

use std::fmt;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// How short a token may be.
const SHORTEST: usize = 16;

/// A token: a secret that whoever calls must know.
///
/// Only its hash is kept. Hashes are compared in a time that tells nothing of where they differ.
#[derive(Clone)]
pub struct Token([u8; 32]);

/// Why a file gives no token. It names the file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", file.display())]
pub struct TokenError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

impl Token {
    /// Reads a token: the text of a file, without white space around it.
    ///
    /// # Errors
    /// A file that cannot be read, that others than its owner may read, or with too short a token.
    pub fn read(file: &Path) -> Result<Self, TokenError> {
        let fault = |why: String| TokenError {
            file: file.to_owned(),
            why,
        };
        let unreadable = |error: std::io::Error| fault(format!("cannot be read: {error}"));
        let mode = std::fs::metadata(file).map_err(unreadable)?.mode();
        if mode & 0o077 != 0 {
            let why = format!(
                "others than its owner may use it (mode {:o}); run `chmod 600` on it",
                mode & 0o777
            );
            return Err(fault(why));
        }
        let text = std::fs::read_to_string(file).map_err(unreadable)?;
        Self::new(text.trim()).map_err(fault)
    }

    /// The token of this text.
    ///
    /// # Errors
    /// A text that anybody could guess, or that does not fit into a header.
    pub fn new(text: &str) -> Result<Self, String> {
        if text.len() < SHORTEST {
            return Err(format!(
                "a token has at least {SHORTEST} characters; `openssl rand -hex 32` makes a good one"
            ));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("a token has letters, digits and signs of ASCII, and no spaces".into());
        }
        Ok(Self(Sha256::digest(text).into()))
    }

    /// Whether this is the token.
    pub(crate) fn is(&self, given: &[u8]) -> bool {
        let given: [u8; 32] = Sha256::digest(given).into();
        self.0.ct_eq(&given).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const SECRET: &str = "0123456789abcdef";

    #[test]
    fn only_the_token_opens() {
        let token = Token::new(SECRET).unwrap();
        assert!(token.is(SECRET.as_bytes()));
        for wrong in [
            "",
            "0123456789abcdee",
            "0123456789abcde",
            " 0123456789abcdef",
        ] {
            assert!(!token.is(wrong.as_bytes()), "{wrong}");
        }
    }

    #[test]
    fn a_token_that_others_may_read_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, format!("{SECRET}\n")).unwrap();
        let with = |mode| {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            Token::read(&file)
        };
        assert!(with(0o600).unwrap().is(SECRET.as_bytes()));
        for mode in [0o640, 0o604, 0o622] {
            assert!(with(mode).unwrap_err().why.contains("chmod 600"));
        }
    }

    #[test]
    fn a_token_is_long_and_fits_into_a_header() {
        assert!(Token::new("short").is_err());
        assert!(Token::new("with a space in it, though long").is_err());
        assert!(!format!("{:?}", Token::new(SECRET)).contains(SECRET));
    }
}
